"""Projects inside a project: declared or split, each with its own files and history, and never outside."""

import json
import os

import pytest

from locid.ignore import Ignore
from locid.layout import Layout
from locid.registry import subprojects
from locid.registry.store import Registry


@pytest.fixture
def registry(tmp_path):
    made = Registry(Layout(str(tmp_path / "home")))
    yield made
    made.close()


@pytest.fixture
def mono(repository):
    """A repository with packages, one of them below a folder that is ignored and one in a build directory."""
    repo = repository("mono")
    for place in ("client/package.json", "server/go.mod", "_site/package.json", "dist/package.json", "old/Cargo.toml"):
        repo.write(place, "{}")
    repo.write("services/api/main.py", "x = 1\n")
    repo.write("docs/README.md", "# Docs\n")
    repo.write(".gitignore", "old/\n")
    repo.commit("all")
    return repo


def declare(repo, *paths):
    repo.write(".loci.json", json.dumps({"scopes": [{"path": p} for p in paths]}))


def test_a_scan_splits_nothing_by_itself(registry, mono):
    """Without --split and without a declaration a repository is one scope."""
    registry.scan([mono.root])
    assert [s.id for s in registry.scopes] == ["mono"]


def test_split_takes_packages_one_level_down(registry, mono):
    """Folders with a manifest; never ignored or built ones; the id is parent/child, and the parent leaves them out."""
    registry.scan([mono.root], split=True)
    scopes = {s.id: s for s in registry.scopes}
    assert set(scopes) == {"mono", "mono/client", "mono/server"}
    child = scopes["mono/client"]
    assert (child.parent, child.prefix, child.aliases) == ("mono", "client", ())
    assert (child.work_tree, child.git_dir) == (mono.root, os.path.join(mono.root, ".git"))
    assert scopes["mono"].excluded == (f"{mono.root}/client", f"{mono.root}/server")


def test_a_declaration_is_honoured_always(registry, mono):
    """On scan and on add, at any depth, also below an ignored folder."""
    declare(mono, "services/api", "old")
    registry.add(mono.root, None, (), ())
    assert [s.id for s in registry.scopes] == ["mono", "mono/old", "mono/services/api"]
    declare(mono, "services/api", "docs/")
    registry.scan([mono.root])
    assert "mono/docs" in [s.id for s in registry.scopes]


def test_a_folder_of_a_repository_that_is_added_by_hand(registry, mono):
    """It has the repository's git, its own folder, the name it is given, and its files leave the repository's scope."""
    registry.scan([mono.root])
    (scope,) = registry.add(f"{mono.root}/docs", "manual", ("handbook",), ()).scopes
    assert (scope.id, scope.prefix, scope.parent, scope.aliases) == ("manual", "docs", None, ("handbook",))
    assert scope.git_dir == registry.resolve("mono").git_dir
    assert registry.resolve("mono").excluded == (f"{mono.root}/docs",)
    assert registry.holding(f"{mono.root}/docs/README.md") == scope and registry.resolve("handbook") == scope


def test_what_is_wrong_in_a_declaration_is_left_out_and_told(mono, tmp_path):
    """The rest holds: links, `..` and absolute paths lead nowhere outside."""
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", os.path.join(mono.root, "link"))
    wrong = ["..", "../outside", "/etc", "link", "none", ".", "a/\0", 7]
    mono.write(".loci.json", json.dumps({"scopes": [*({"path": p} for p in wrong), "client", {"path": "client"}]}))
    found = subprojects.declared(mono.root)
    assert found.roots == (f"{mono.root}/client",)
    assert len(found.problems) == len(wrong) + 1
    assert all(p.startswith(f".loci.json: entry {n} ") for n, p in enumerate(found.problems, 1))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{,", "line 1 is no JSON"),
        ("[]", "it must be"),
        ('{"scopes": 3}', "it must be"),
        ("\udcff", "no JSON in UTF-8"),
    ],
)
def test_a_malformed_declaration_is_one_sentence(mono, text, words):
    """A file that says nothing stops no scan."""
    with open(os.path.join(mono.root, ".loci.json"), "w", errors="surrogateescape") as file:
        file.write(text)
    found = subprojects.declared(mono.root)
    assert found.roots == () and len(found.problems) == 1 and words in found.problems[0]


def test_a_declaration_that_is_a_link_is_not_followed(mono, tmp_path):
    """Nobody's file elsewhere is read through it."""
    (tmp_path / "x.json").write_text('{"scopes": [{"path": "client"}]}')
    os.symlink(tmp_path / "x.json", os.path.join(mono.root, ".loci.json"))
    assert subprojects.declared(mono.root).roots == ()


def test_the_rules_above_hold_below(mono):
    """A .gitignore of the work tree's root rules a project inside it, whose own folder is in, whatever they say."""
    mono.write(".gitignore", "old/\n*.log\n/client/made/\n")
    inside = Ignore(f"{mono.root}/client", prefix="client", include=("made/keep.txt",))
    assert inside.reason("a.log") == "ignored" and inside.reason("a.py") is None
    assert inside.verdict("made", True).walk and inside.reason("made/x.py") == "ignored"
    assert inside.reason("made/keep.txt") is None
    assert Ignore(f"{mono.root}/old", prefix="old").reason("x.py") is None


def test_what_is_declared_no_more_is_told_and_stays(registry, mono):
    """Taken out of `.loci.json` a scope keeps its names; every scan tells it, until it is added by itself or removed."""
    declare(mono, "services/api", "docs")
    assert registry.scan([mono.root]).notes == ()
    registry.add(f"{mono.root}/docs", None, ["handbook"], ())  # by itself: now it stays whatever the file says
    registry.scan([mono.root])
    declare(mono)
    told = registry.scan([mono.root]).notes
    assert len(told) == 2 and all("any more; `loci rm mono/" in note for note in told)
    registry.add(f"{mono.root}/docs", None, (), ())
    (told,) = registry.scan([mono.root]).notes
    assert "`loci rm mono/services/api` drops it" in told and f"`loci add {mono.root}/services/api` keeps it" in told
    assert {s.id for s in registry.scopes} == {"mono", "mono/docs", "mono/services/api"}
    assert registry.resolve("handbook").id == "mono/docs"
    registry.remove("mono/services/api")
    assert registry.scan([mono.root]).notes == ()


def test_what_cannot_be_read_drops_nothing(registry, mono):
    """A `.loci.json` that is no JSON says nothing of what it names; without the file nothing is named."""
    declare(mono, "services/api")
    registry.scan([mono.root])
    mono.write(".loci.json", "{")
    assert not any("any more" in note for note in registry.scan([mono.root]).notes)
    os.remove(os.path.join(mono.root, ".loci.json"))
    assert any("any more" in note for note in registry.scan([mono.root]).notes)


def test_a_split_scope_was_never_declared(registry, mono):
    """What --split found is not told, whatever `.loci.json` names."""
    declare(mono, "services/api")
    registry.scan([mono.root], split=True)
    assert registry.scan([mono.root]).notes == ()
