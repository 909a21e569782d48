"""The walk of real trees and the reading of real files, of every odd kind."""

from __future__ import annotations

import os
import socket

import pytest

from locid import collect, git
from locid.collect.classes import treatment
from locid.errors import Unavailable
from locid.values import FileBatch, FileStat, Scope, Skip
from tests.conftest import Repository


def put(root, path: str | bytes, data: bytes | str = b"print('x')\n") -> None:
    full = os.path.join(os.fsencode(str(root)), os.fsencode(path))
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)


def walked(scope: Scope, **kw) -> tuple[dict[str, FileStat], dict[str, str]]:
    found = list(collect.walk(scope, **kw))
    return (
        {f.path: f for f in found if isinstance(f, FileStat)},
        {s.path: s.reason for s in found if isinstance(s, Skip)},
    )


def parsed(root, path: str, data: bytes | str) -> FileBatch:
    put(root, path, data)
    return collect.parse_file(str(root), FileStat(path, 0, 0))


def test_the_walk_says_why_each_path_is_out(tmp_path) -> None:
    """Ignored, pruned, nested, foreign, linked, special, secret, large and data: each has its reason."""
    root = tmp_path / "p"
    repo = Repository(root)
    for path in ("a.py", "x.log", "node_modules/m.js", "build/x.c", ".env", ".env.example", "tokens.css",
                 "internal/secrets/vault.go", "sub/app/main.py", "pic.png", "t.csv", "vendor/v.go"):  # fmt: skip
        put(root, path)
    put(root, "big.py", b"#" * 2000)
    put(root, ".gitignore", "*.log\n")
    Repository(root / "nested" / "clone")
    os.symlink("a.py", root / "link.py")
    os.symlink("/", root / "rootlink")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as sock:
        os.chdir(root)
        sock.bind("sock")
    put(root, "build/tracked.c")
    repo.git("add", "-f", "build/tracked.c")
    scope = Scope("p", str(root), git_dir=f"{root}/.git", common_dir=f"{root}/.git", excluded=(str(root / "sub/app"),))
    files, skips = walked(scope, max_file_bytes=1000)
    assert set(files) == {"a.py", ".env.example", ".gitignore", "internal/secrets/vault.go", "tokens.css",
                          "vendor/v.go", "build/tracked.c"}  # fmt: skip
    assert skips == {
        ".git/": "pruned", "node_modules/": "pruned", "build/x.c": "pruned", "x.log": "ignored",
        ".env": "secret_store",
        "nested/clone/": "nested_repository", "sub/app/": "sub_scope", "link.py": "symlink", "rootlink": "symlink",
        "pipe": "special", "sock": "special", "big.py": "too_large", "pic.png": "binary", "t.csv": "data",
    }  # fmt: skip
    assert files["a.py"].size == 11 and files["a.py"].mtime_ns > 10**18
    ignore = collect.rules(scope)
    for path in ("a.py", "x.log", "node_modules/m.js", "nested/clone/.git/HEAD", "sub/app/main.py", "gone.py"):
        told = collect.stat_file(scope, ignore, path, 1000)
        assert (told is None) == (path == "gone.py")
        assert isinstance(told, FileStat) == (path in files)


def test_an_unreadable_root_is_an_error_and_a_folder_is_told(tmp_path, monkeypatch) -> None:
    """What could not be listed is never taken for empty."""
    with pytest.raises(Unavailable):
        list(collect.walk(Scope("s", str(tmp_path / "gone"))))
    put(tmp_path, "ok/a.py")
    put(tmp_path, "closed/b.py")
    real = os.scandir

    def refuse(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    files, skips = walked(Scope("s", str(tmp_path)))
    assert set(files) == {"ok/a.py"} and skips == {"closed/": "unreadable"}


def test_absolute_globs_come_with_absolute_paths(tmp_path) -> None:
    """Files outside the root that a glob names are read from where they lie; secrets among them are not."""
    put(tmp_path, "root/a.py")
    put(tmp_path, "notes/n.md", "# Note\nwords that are long enough to be a passage\n")
    put(tmp_path, "notes/.env", "X=1")
    put(tmp_path, "notes/id_rsa", "x")
    scope = Scope("s", str(tmp_path / "root"), globs=(f"{tmp_path}/notes/**/*",))
    files, skips = walked(scope)
    note = str(tmp_path / "notes/n.md")
    assert set(files) == {"a.py", note} and skips == {str(tmp_path / "notes/id_rsa"): "secret_store"}
    batch = collect.parse_file(scope.root, files[note])
    assert batch.chunks[0].path == note and batch.chunks[0].heading == "Note"


def test_names_that_are_not_utf8_are_escaped_and_found_again(tmp_path) -> None:
    """A byte that is not UTF-8 is percent-escaped; a name that looks escaped is itself."""
    put(tmp_path, b"d\xe9/caf\xe9.py")
    put(tmp_path, "a%E9.py", "y = 2\n")
    files, _ = walked(Scope("s", str(tmp_path)))
    assert set(files) == {"d%E9/caf%E9.py", "a%E9.py"}
    for path, text in (("d%E9/caf%E9.py", "print('x')"), ("a%E9.py", "y = 2")):
        batch = collect.parse_file(str(tmp_path), files[path])
        assert [c.text for c in batch.chunks] == [text] and batch.path == path
        assert batch.chunks[0].path.encode("utf-8")


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.py", b"\x7fELF\0\0", "binary"),
        ("a.py", b"", "empty"),
        ("a.py", b" \n\n", "empty"),
        ("a.csv", b"1,2", "data"),
        ("what", b"\xff\xfe\xfd" * 9 + b"x", None),
        ("noext", b"\xe9t\xe9 latin text", "data"),
        ("noext", b"x " * 150_000, "data"),
        ("a.json", b'{"a": 1}\n' * 20_000, "data"),
        ("a.js", b"var a=1;" * 2000, "minified"),
        ("one.py", b"x" * 30_000, "minified"),
        (".env", b"A=1", "secret_store"),
        ("big.py", b"#\n" * 600_000, "too_large"),
    ],
)
def test_what_is_no_text_is_skipped_with_its_reason(tmp_path, path: str, data: bytes, reason: str | None) -> None:
    """A skipped file is a batch without chunks that says why."""
    batch = parsed(tmp_path, path, data)
    assert batch.skip == reason and (not batch.chunks or reason is None)


def test_a_link_or_a_missing_file_is_not_followed(tmp_path) -> None:
    """A file that became a link, a folder or nothing since the walk is a skip."""
    put(tmp_path, "real.py")
    os.symlink("real.py", tmp_path / "link.py")
    os.mkdir(tmp_path / "dir.py")
    for path, reason in (("link.py", "unreadable"), ("gone.py", "unreadable"), ("dir.py", "special")):
        assert collect.parse_file(str(tmp_path), FileStat(path, 0, 0)).skip == reason


@pytest.mark.parametrize(
    "data",
    [
        "def f():\r\n    return 'é'\r\n".encode(),
        "def f():\n    return 'é'\n".encode("utf-8-sig"),
        "def f():\n    return 'é'\n".encode("utf-16"),
        b"def f():\n    return '\xe9'\n",
    ],
)
def test_encodings_and_line_ends_give_the_same_text(tmp_path, data: bytes) -> None:
    """UTF-8 with and without mark, UTF-16 and Latin-1, `\\r\\n` and `\\n`: one text, one range."""
    (only,) = parsed(tmp_path, "a.py", data).chunks
    assert (only.text, only.line_start, only.line_end, only.symbol) == ("def f():\n    return 'é'", 1, 2, "f")


def test_lines_are_those_that_readers_count(tmp_path) -> None:
    """A range of a chunk, taken from `read_lines`, is its text, whatever stands in the lines."""
    text = "a = 1\x0c\n\x0bdef f():\n    return '\u2028\x85'\rx\n\n" * 30
    batch = parsed(tmp_path, "a.py", text)
    lines = collect.read_lines(str(tmp_path), "a.py")
    assert lines is not None and len(lines) == text.count("\n") + 1
    for c in batch.chunks:
        assert c.text == "\n".join(lines[c.line_start - 1 : c.line_end])
    assert collect.read_lines(str(tmp_path), "gone.py") is None


def test_a_secret_over_many_lines_reaches_no_chunk_and_moves_no_line(tmp_path) -> None:
    """A key that would be cut across chunks is redacted first; what follows keeps its line."""
    material = "\n".join(["MIIEpAIBAAKCAQEA7bq9fXQ2kzXo3n5vW1cYtGq0HkPz8sLmRb4uJdEa"] * 60)
    block = f"-----BEGIN RSA PRIVATE KEY-----\n{material}\n-----END RSA PRIVATE KEY-----"
    text = f'KEY = """{block}"""\n\ndef after():\n    pass\n'
    batch = parsed(tmp_path, "keys.py", text)
    assert not any("MIIE" in c.text for c in batch.chunks) and batch.redactions == (("private_key", 1),)
    (last,) = [c for c in batch.chunks if "after" in c.names]
    assert text.split("\n")[last.line_end - 2] == "def after():"


def test_hostile_files_are_values(tmp_path) -> None:
    """Deep nesting, huge lines and broken text give a batch, never an exception."""
    for n, data in enumerate(
        (b"(" * 100_000, b"[\n" * 50_000, b"\xed\xa0\x80" * 100, b"'" * 9000, b"\r" * 9000, b"<|endoftext|>\n" * 9)
    ):
        batch = parsed(tmp_path, f"h{n}.py", data)
        assert isinstance(batch, FileBatch) and len(batch.digest) == 16


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/app.py", "shipped"), ("src/test_app.py", "test"), ("pkg/x_test.go", "test"), ("a/tests/data.py", "test"),
        ("examples/a.rs", "example"), ("docs/guide.md", "docs"), ("README", "docs"), ("a/api.pb.go", "generated"),
        ("yarn.lock", "generated"), ("lib/jquery.min.js", "generated"), ("vendor/x/y.go", "vendored"),
        ("src/latest.py", "shipped"), ("contest.py", "shipped"), ("testing.py", "shipped"),
    ],
)  # fmt: skip
def test_classes_are_told_by_the_path(path: str, expected: str) -> None:
    """Tests, examples, documents, generated and vendored files are known by where they lie."""
    assert collect.file_class(path) == expected


def test_a_header_tells_generated_code(tmp_path) -> None:
    """`Code generated … DO NOT EDIT` makes a file generated, and it is indexed as such."""
    batch = parsed(tmp_path, "x.go", "// Code generated by stringer. DO NOT EDIT.\npackage x\n\nfunc F() {}\n")
    assert batch.file_class == "generated" and batch.language == "go" and batch.chunks[0].file_class == "generated"


def test_plain_names_are_read(tmp_path) -> None:
    """Files without an extension are known by name, or by their content when they are small."""
    for path, how in (("Makefile", "code"), ("Dockerfile", "code"), ("README", "doc"), ("LICENSE", "doc"),
                      ("requirements.txt", "code"), ("run.sh", "code"), ("odd.xyz", "unknown")):  # fmt: skip
        assert treatment(path) == how
        assert parsed(tmp_path, path, "some text that is long enough to be read at all\n").chunks


def test_the_history_of_a_repository_becomes_passages(tmp_path) -> None:
    """Each commit is told with its message as a passage, its files, and without its secrets."""
    repo = Repository(tmp_path / "r")
    put(repo.root, "a.py")
    repo.git("add", "-A")
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    repo.git("commit", "-q", "-m", f"Add a\n\nUses {secret} for now.\n" + "long " * 2000)
    ((kept, passage),) = collect.commits(git.log(repo.root, None))
    assert kept.subject == "Add a" and kept.files == ("a.py",) and kept.redactions == (("github", 1),)
    assert secret not in passage.text + kept.body and passage.commit == kept.hash and passage.path is None
    assert len(passage.text) <= 4000 < len(kept.body) and (passage.line_start, passage.kind) == (0, "commit")
