"""Projects inside a project on a real machine: who answers, what follows when one comes or goes, and purge."""

import json
import os

import pytest

from tests.daemons.homes import wait_until


@pytest.fixture
def mono(machine):
    """A repository with a package, and another project that uses the package's name as a word."""
    repo = machine.repository("mono")
    repo.write("README.md", "# Mono\n\nThe umbrella of all that we sell in the shop by the harbour.\n")
    repo.write("glasses/package.json", '{"name": "glasses"}\n')
    repo.write(
        "glasses/lens.js", "// Grinds the varifocal lens to the curvature that was prescribed.\nfunction grind() {}\n"
    )
    repo.commit("Open the shop")
    repo.write("glasses/lens.js", "// Grinds the varifocal lens to the curvature prescribed.\nfunction grind(d) {}\n")
    repo.commit("Measure the varifocal lens twice")
    bar = machine.repository("bar")
    bar.write(
        "README.md",
        "# Bar\n\nWine glasses are polished with a linen cloth; beer glasses are rinsed, glasses stacked.\n",
    )
    bar.commit("Polish the glasses")
    machine.run("setup", machine.code, "-y")
    return repo


def files(machine):
    return {s["id"]: (s["files"], s["commits"]) for s in machine.json("status")["scopes"]}


def lens(machine):
    return machine.ask("what grinds the varifocal lens to the curvature prescribed?")["scopes"][0]


def test_a_child_takes_its_files_and_its_history(machine, mono):
    """After --split the parent has neither, is indexed again by itself, and gets them back when the child goes."""
    before = files(machine)
    assert lens(machine)["id"] == "mono"
    machine.run("scan", machine.code, "--split", "-y")
    wait_until(lambda: files(machine)["mono"][0] == before["mono"][0] - 2, "the parent without its child's files")
    machine.run("index", "mono/glasses", "--wait")
    found = files(machine)
    assert found["mono"][0] + found["mono/glasses"][0] == before["mono"][0]
    assert (found["mono"][1], found["mono/glasses"][1]) == (2, 2)
    scope = lens(machine)
    assert (scope["id"], scope["root"]) == ("mono/glasses", f"{mono.root}/glasses")
    assert next(h for h in scope["hits"] if h["path"])["path"] == "lens.js"
    assert scope["stamp"]["commit"] == mono.git("rev-parse", "HEAD").strip()
    machine.run("rm", "mono/glasses")
    wait_until(lambda: files(machine) == before, "the parent with all of its files")
    assert lens(machine)["id"] == "mono"


def test_a_child_s_bare_name_is_a_word_while_others_use_it(machine, mono):
    """A question that says `glasses` and is about another project stays there; the child's id leads."""
    machine.run("scan", machine.code, "--split", "-y")
    machine.run("index", "--wait")
    assert machine.ask("how are wine glasses polished with a linen cloth?")["scopes"][0]["id"] == "bar"
    assert machine.ask("what does mono/glasses do about the lens?")["scopes"][0]["id"] == "mono/glasses"


def test_a_parent_that_keeps_no_file_is_no_lost_mount(machine, mono):
    """When all of its files are its children's, the parent's index is emptied, not kept."""
    os.remove(os.path.join(mono.root, "README.md"))
    mono.write(".gitignore", ".loci.json\n.gitignore\n")
    mono.write(".loci.json", json.dumps({"scopes": [{"path": "glasses"}]}))
    machine.run("add", mono.root)
    machine.run("index", "--wait")
    assert files(machine)["mono"][0] == 0 and files(machine)["mono/glasses"][0] == 2


def test_a_folder_without_git_is_a_scope(machine):
    """A notes folder: its stamp has neither commit nor branch; an absolute glob brings a file from elsewhere."""
    notes, elsewhere = os.path.join(machine.dir, "notes"), os.path.join(machine.dir, "else")
    for folder, word in ((notes, "heron"), (elsewhere, "osprey")):
        os.mkdir(folder)
        with open(os.path.join(folder, "a.md"), "w", encoding="utf-8") as file:
            file.write(f"# Birds\n\nThe {word} stands still for hours at the edge of the mere.\n")
    machine.run("add", notes, "--alias", "birdbook", "--glob", f"{elsewhere}/*.md")
    machine.run("index", "--wait")
    scope = machine.ask("what does birdbook say of the osprey?")["scopes"][0]
    assert (scope["stamp"]["commit"], scope["stamp"]["branch"]) == (None, None)
    assert scope["hits"][0]["path"] == f"{elsewhere}/a.md"


def test_purge_leaves_nothing_stored_and_the_scope_registered(machine, mono):
    """No file of it is left, it answers nothing, and the next index reads it again."""
    machine.run("purge", "mono")
    assert os.listdir(os.path.join(machine.paths.base, "scopes")) == ["bar"]
    assert {s["id"]: s["state"] for s in machine.json("scopes")["scopes"]} == {"bar": "ready", "mono": "empty"}
    assert (
        machine.ask("what grinds the varifocal lens to the curvature prescribed?", status=1)["outcome"] == "abstained"
    )
    machine.run("index", "mono", "--wait")
    assert lens(machine)["id"] == "mono"


def test_scan_tells_owners_apart(machine):
    """By the user's own git settings; --owner mine leaves out the rest, and the default takes all."""
    with open(os.path.join(machine.dir, ".gitconfig"), "w", encoding="utf-8") as file:
        file.write("[user]\n\temail = tess@localhost\n")
    machine.env["HOME"] = machine.dir
    mine, other = machine.repository("mine"), machine.repository("theirs")
    mine.commit("one")
    other.git("remote", "add", "origin", "git@host:Acme/theirs.git")
    other.git("-c", "user.email=x@y", "commit", "-q", "--allow-empty", "-m", "one", "--author", "X <x@y>")
    text = machine.run("scan", machine.code, "--owner", "mine")
    assert text.startswith("yours:\n  + mine") and "theirs" not in text
    text = machine.run("scan", machine.code)
    assert "vendor:acme:\n  + theirs" in text and "    mine" in text
