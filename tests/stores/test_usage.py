"""What files declare, go by, import and run, in store.db: what goes in comes out, per file, by name, from an index."""

import sqlite3

from locid.episodes.documents import FileWords
from locid.manifest import Declaration, Invocation, Manifest, Signboard
from locid.refresh import messages
from locid.refresh.messages import PreparedFile
from locid.scopestore import MIGRATIONS, Batch, Reader, Store
from locid.usage import Wanted
from locid.values import FileBatch, Import

MANIFEST = Manifest(
    "package.json",
    (
        Declaration("Left_Pad", "npm", "runtime", 4),
        Declaration("@me/core", "npm", "dev", 5, "../core"),
        Declaration("github.com/spf13/cobra/v2", "go", "indirect", 6),
        Declaration("x" * 400, "npm", "runtime", 7),
    ),
    (Signboard("@me/app", "npm", "distribution", 2), Signboard("app", "npm", "command", 3)),
)


def file(path, manifest=None, imports=(), invocations=(), file_class="shipped", language="python"):
    more = {"imports": imports, "invocations": invocations, "manifest": manifest}
    return FileBatch(path, 1, 2, b"d", file_class, language, **more)


def store(tmp_path, *files):
    path = str(tmp_path / "scope" / "store.db")
    Store(path).apply(Batch(files=files))
    return path


def places(found):
    return [(u.how, u.name, u.detail, u.kind, u.path, u.line) for u in found]


def test_what_is_declared_is_found_by_its_name(tmp_path):
    """By the whole name in any spelling, by its last part, and by what it begins with; a name beyond measure is none."""
    usage = Reader(store(tmp_path, file("package.json", MANIFEST))).usage
    pad = ("declared", "Left_Pad", "npm", "runtime", "package.json", 4)
    core = ("declared", "@me/core", "npm", "dev", "package.json", 5)
    cobra = ("declared", "github.com/spf13/cobra/v2", "go", "indirect", "package.json", 6)
    assert places(usage.uses(Wanted(keys=("left-pad",)))) == [pad]
    assert places(usage.uses(Wanted(shorts=("cobra", "core")))) == [core, cobra]
    assert places(usage.uses(Wanted(prefixes=("@me", "github-com/spf13")))) == [core, cobra]
    assert usage.uses(Wanted(prefixes=("@m", "github"))) == usage.uses(Wanted(keys=("pad",))) == []
    assert places(usage.declared()) == [pad, core, cobra]
    assert usage.declared()[1].target == "../core"


def test_imports_and_runs_are_found(tmp_path):
    """Imports by what they begin with, in any case; runs by the program; each with language or caller."""
    imports = (Import("os.path", (), 1), Import("Yaml", (), 2), Import("yaml.nodes", (("a", "b"),), 3))
    runs = (Invocation("git", "subprocess.run", 4), Invocation("Docker", "which", 5))
    usage = Reader(store(tmp_path, file("a.py", None, imports, runs), file("b.go", language="go"))).usage
    assert places(usage.uses(Wanted(modules=("yaml", "YAML")))) == [
        ("imported", "Yaml", "python", "", "a.py", 2),
        ("imported", "yaml.nodes", "python", "", "a.py", 3),
    ]
    assert places(usage.uses(Wanted(keys=("docker",)))) == [("invoked", "Docker", "which", "", "a.py", 5)]
    assert set(usage.modules()) == {"os.path", "Yaml", "yaml.nodes"}
    assert usage.programs() == {"git", "docker"}


def test_names_that_the_scope_goes_by(tmp_path):
    """Signboards of shipped manifests, and Python packages that lie in no other: not those of tests and examples."""
    usage = Reader(
        store(
            tmp_path,
            file("package.json", MANIFEST),
            file("tests/data/package.json", MANIFEST, file_class="test"),
            file("src/pkg/__init__.py"),
            file("src/pkg/inner/__init__.py"),
            file("tests/__init__.py", file_class="test"),
        )
    ).usage
    assert [(b.board, b.name, b.path, b.line) for b in usage.boards()] == [
        ("distribution", "@me/app", "package.json", 2),
        ("command", "app", "package.json", 3),
        ("import", "pkg", "src/pkg/__init__.py", 1),
    ]
    assert [b.name for b in usage.boards(["pkg", "inner"])] == ["pkg"]
    assert usage.has_file(["nothing", "src/pkg/__init__.py"]) and not usage.has_file(["src"]) and not usage.has_file([])


def test_manifests_are_counted_and_their_problems_told(tmp_path):
    """Those that were read count, settings do not; those that were not have their reason, tests' data has none to tell."""
    path = store(
        tmp_path,
        file("package.json", MANIFEST),
        file("a/package.json", Manifest("package.json", problem="it is no object")),
        file("t/fixtures/package.json", Manifest("package.json", problem="it is no object"), file_class="test"),
        file("vite.config.js", Manifest("settings", (Declaration("vite", "tool", "settings", 1),))),
    )
    writer = Store(path)
    writer.record(writer.summary({}))
    reader = Reader(path)
    assert reader.facts().manifests == 1
    assert reader.usage.unread() == [("a/package.json", "it is no object")]


def test_a_file_takes_all_it_told_with_it(tmp_path):
    """Replaced or removed, nothing is left of what a file declared, went by and ran."""
    runs = (Invocation("git", "run", 1),)
    path = store(tmp_path, file("package.json", MANIFEST, (), runs), file("pkg/__init__.py"))
    writer = Store(path)
    writer.apply(Batch(files=[file("package.json")], removed=["pkg/__init__.py"]))
    raw = sqlite3.connect(path)
    for table in ("manifests", "declarations", "signboards", "packages", "invocations"):
        assert raw.execute(f"select count(*) from {table}").fetchone() == (0,), table


def test_what_a_file_tells_crosses_the_pipe(tmp_path):
    """A batch comes back the same from the frame that the parse worker sends."""
    batch = file("package.json", MANIFEST, (), (Invocation("git", "run", 1),))
    packed = messages.msgpack.packb(messages.pack_file(PreparedFile(batch, FileWords((), (), "", "", b"", b""))))
    assert messages.unpack_file(messages.msgpack.unpackb(packed)).batch == batch


def test_a_store_of_format_2_is_filled_again(tmp_path):
    """What the older format could not know comes from the files: each counts as never read, and its chunks stay."""
    path = str(tmp_path / "store.db")
    raw = sqlite3.connect(path)
    for migration in MIGRATIONS[:2]:
        raw.executescript(migration)
    raw.execute("pragma user_version = 2")
    raw.execute("insert into files values (1, 'setup.py', 5, 6, x'01', 'shipped', 'python', null, null)")
    raw.commit()
    raw.close()
    writer = Store(path)
    assert [(k.mtime_ns, k.digest) for k in writer.known().values()] == [(-1, b"")]
    writer.apply(Batch(files=[file("setup.py", MANIFEST)]))
    assert len(Reader(path).usage.declared()) == 3


def test_every_question_by_name_is_answered_from_an_index(tmp_path):
    """No query by name scans a table of uses: the cost follows the answers, not the files."""
    path = store(tmp_path, file("package.json", MANIFEST, (Import("os", (), 1),), (Invocation("git", "run", 1),)))
    reader = Reader(path)
    plans: list[str] = []
    real = reader.usage._db

    class Explaining:
        def execute(self, query, values=()):
            plans.extend(row[3] for row in real.execute("explain query plan " + query, values))
            return real.execute(query, values)

    reader.usage._db = Explaining()
    reader.usage.uses(Wanted(("a", "b"), ("c",), ("d/e", "@f"), ("os", "re")))
    reader.usage.boards(["a"])
    reader.usage.has_file(["a", "b"])
    assert len(plans) > 10
    assert not [plan for plan in plans if plan.startswith("SCAN")], plans
    reader.usage.boards()
    reader.usage.targeted()
    reader.usage.unread()
    reader.usage.declared()
    assert not [plan for plan in plans if plan.startswith("SCAN f")], plans  # nothing looks through all files
