"""Fault 19: same folder names, nested repositories, work trees. Each keeps its own root, branch and store."""

import os
import shutil
import sqlite3

import pytest

from locid.errors import Conflict
from locid.layout import Layout
from locid.registry.store import MIGRATIONS, Registry
from tests.conftest import Repository


@pytest.fixture
def registry(tmp_path):
    made = Registry(Layout(str(tmp_path / "home")))
    yield made
    made.close()


def zoo(code):
    """Two `api/`, a repository with two linked work trees, a submodule and a nested clone: root -> (branch, word)."""
    for place, word in (("one/api", "aardvark"), ("two/api", "bumblebee")):
        repo = Repository(os.path.join(code, place))
        repo.write("notes.md", f"# Notes\n\nThe {word} sleeps at the far end of the old quarry by day.\n")
        repo.commit(f"Tell where the {word} sleeps")
        repo.git("checkout", "-q", "-b", f"{word}-branch")
    tree = Repository(os.path.join(code, "tree"))
    tree.write("main.md", "# Main\n\nThe cormorant dries its wings on the breakwater after a dive.\n")
    tree.commit("Watch the cormorant")
    for name in ("second", "third"):
        tree.git("worktree", "add", "-q", "-b", name, os.path.join(code, name))
        side = Repository.__new__(Repository)
        side.root = os.path.join(code, name)
        side.write(f"{name}.md", f"# {name}\n\nThe dormouse-{name} winters under the roots of the hazel.\n")
        side.commit(f"Find the {name} dormouse")
    tree.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", os.path.join(code, "one/api"), "mod")
    clone = os.path.join(code, "tree/lib/clone")
    tree.git("clone", "-q", "-b", "bumblebee-branch", os.path.join(code, "two/api"), clone)
    return {
        "one/api": ("aardvark-branch", "aardvark"),
        "two/api": ("bumblebee-branch", "bumblebee"),
        "tree": ("main", "cormorant"),
        "second": ("second", "dormouse-second"),
        "third": ("third", "dormouse-third"),
        "tree/mod": ("aardvark-branch", "aardvark"),
        "tree/lib/clone": ("bumblebee-branch", "bumblebee"),
    }


def test_each_place_is_a_scope_with_its_own_root_branch_and_content(machine):
    """Seven places, seven scopes; each one's stamp has its branch, and what is asked there is answered from there."""
    expected = zoo(machine.code)
    machine.run("setup", machine.code, "-y")
    rows = {os.path.relpath(s["root"], machine.code): s for s in machine.json("status")["scopes"]}
    assert {place: row["branch"] for place, row in rows.items()} == {p: b for p, (b, _) in expected.items()}
    assert len({row["id"] for row in rows.values()}) == len(expected)
    for place, (_, word) in expected.items():
        root = os.path.join(machine.code, place)
        scope = machine.ask(f"where does the {word} sleep, winter or dry here?", cwd=root)["scopes"][0]
        assert (scope["root"], scope["stamp"]["branch"]) == (root, expected[place][0])
        assert all(word.split("-")[0] in h["text"] for h in scope["hits"][:1])
    tree = machine.json("ask", "where does the aardvark sleep?", "--scope", rows["tree"]["id"], status=1)
    assert tree["outcome"] == "abstained" or not any(h["path"] for s in tree["scopes"] for h in s["hits"])


def test_a_second_scan_moves_no_id(registry, tmp_path):
    """What was registered keeps its id, whatever is found later, and whichever folder was scanned first."""
    code = str(tmp_path / "code")
    zoo(code)
    registry.scan([os.path.join(code, "two")])
    first = {s.root: s.id for s in registry.scopes}
    registry.scan([code])
    registry.scan([os.path.join(code, "one")])
    now = {s.root: s.id for s in registry.scopes}
    assert len(now) == 7 and now.items() >= first.items()
    assert now[os.path.join(code, "two/api")] == "api" and now[os.path.join(code, "one/api")] == "one/api"


def test_an_id_never_moves_to_another_root(registry, tmp_path):
    """A name in use is refused; one that was used is not given to another folder, and goes back to its own."""
    one, two = (Repository(tmp_path / name / "api") for name in ("one", "two"))
    assert registry.add(one.root, "api", (), ()).scopes[0].id == "api"
    with pytest.raises(Conflict, match="api is the name of"):
        registry.add(two.root, "api", (), ())
    registry.remove("api")
    assert registry.add(two.root, None, (), ()).scopes[0].id == "two/api"
    assert registry.add(one.root, None, (), ()).scopes[0].id == "api"


def test_a_registry_of_the_first_format_is_migrated(tmp_path):
    """Scopes, aliases and ids are what they were."""
    layout = Layout(str(tmp_path / "home"))
    os.makedirs(layout.base)
    old = sqlite3.connect(layout.registry_db)
    old.executescript(MIGRATIONS[0] + "; pragma user_version = 1")
    old.execute("insert into scopes values ('api', '/gone/api', null, null, null, 0)")
    old.execute("insert into aliases values ('api', 'gate')")
    old.commit()
    old.close()
    registry = Registry(layout)
    assert [(s.id, s.root, s.aliases, s.prefix, s.parent) for s in registry.scopes] == [
        ("api", "/gone/api", ("gate",), "", None)
    ]
    registry.remove("api")
    assert registry.add(Repository(tmp_path / "api").root, None, (), ()).scopes[0].id != "api"
    registry.close()


def test_the_same_root_by_another_way_is_the_same_scope(registry, tmp_path):
    """A link to a repository, and a path with `..`, are that repository."""
    repo = Repository(tmp_path / "real")
    os.symlink(repo.root, tmp_path / "link")
    ids = {
        registry.add(path, None, (), ()).scopes[0].id
        for path in (repo.root, f"{tmp_path}/link", f"{repo.root}/../real")
    }
    assert ids == {"real"} and len(registry.scopes) == 1


def test_a_root_that_becomes_another_repository_is_told_by_the_next_scan(registry, tmp_path):
    """The id stays with the path; its git directory and remote are those that are there now."""
    repo = Repository(tmp_path / "code/x")
    registry.scan([str(tmp_path / "code")])
    shutil.rmtree(repo.root)
    again = Repository(repo.root)
    again.git("remote", "add", "origin", "https://example.org/acme/y.git")
    registry.scan([str(tmp_path / "code")])
    (scope,) = registry.scopes
    assert (scope.id, scope.remote) == ("x", "https://example.org/acme/y.git")
