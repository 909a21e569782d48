"""The filter against git itself, on generated trees, and what is ours beside it."""

from __future__ import annotations

import os
import random
import subprocess

import pytest

from locid import git
from locid.ignore import Ignore

NAMES = ["a", "b", "foo", "x.log", "keep.txt", "o.o", "src", "tmp"]
LINES = r"""*.log foo foo/ /a /a/* !a/b !foo a/** **/foo !keep.txt * !*/ b/ !/b/ src/*.o *.o !o.o a/**/b [ab] ![a] tmp/*
!tmp/keep.txt /src/foo x.* ** foo/** #c \#x a/ !a/ **/a/** *?? !x.log""".split()  # noqa: SIM905


def write(path: str, text: str = "") -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def grow(rng: random.Random, folder: str, depth: int) -> None:
    """A random tree with rule files."""
    os.makedirs(folder, exist_ok=True)
    for name in rng.sample(NAMES, rng.randint(2, 5)):
        path = os.path.join(folder, name)
        if depth and "." not in name and rng.random() < 0.75:
            grow(rng, path, depth - 1)
        else:
            write(path)
    if rng.random() < (0.9 if depth == 3 else 0.3):
        write(os.path.join(folder, ".gitignore"), "\n".join(rng.choices(LINES, k=rng.randint(1, 5))) + "\n")


def asked(root: str) -> set[str]:
    """Files that the filter lets in, asked one by one, in no order that would help it."""
    ignore = Ignore(root, git.exclude_files(root, os.path.join(root, ".git")))
    files = [
        os.path.relpath(os.path.join(base, name), root)
        for base, _, names in os.walk(root)
        if ".git" not in base.split(os.sep)
        for name in names
    ]
    random.Random(1).shuffle(files)
    return {path for path in files if ignore.reason(path) is None}


def listed(root: str) -> set[str]:
    """Files that git lets in."""
    command = ["git", "-C", root, "ls-files", "-z", "-o", "--exclude-standard"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(found.split("\0")) - {""}


@pytest.fixture
def users(tmp_path, monkeypatch):
    """A home of the user's, empty."""
    for name in ("GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize("seed", range(40))
def test_it_lets_in_what_git_lists(seed: int, tmp_path, users) -> None:
    """Nested and negated rules, and those beside the tree, decide as `git ls-files --others --exclude-standard` does."""
    rng, root = random.Random(seed), str(tmp_path / "tree")
    subprocess.run(["git", "init", "-q", root], check=True)
    grow(rng, root, 3)
    write(os.path.join(root, ".git/info/exclude"), rng.choice(LINES) + "\n")
    write(str(users / ".config/git/ignore"), "\n".join(rng.choices(LINES, k=2)) + "\n")
    assert asked(root) == listed(root)


@pytest.mark.parametrize(
    ("setting", "place"),
    [
        (None, ".config/git/ignore"),
        (None, "elsewhere/git/ignore"),
        ("~/my rules", "my rules"),
        ("~/linked", "target"),
        ("rules/mine", "../tree/rules/mine"),
        ("", "nowhere"),
        ("~nobody-of-that-name/x", "nowhere"),
        ("~/folder", "folder/file"),
    ],
)
def test_the_users_own_rules(setting, place, tmp_path, users, monkeypatch) -> None:
    """`core.excludesFile` is read as git reads it, and without it the file in the user's configuration directory."""
    root = str(tmp_path / "tree")
    subprocess.run(["git", "init", "-q", root], check=True)
    for path in ("a.log", "b.txt", "sub/c.log"):
        write(os.path.join(root, path))
    write(str(users / place), "*.log\nrules\n")
    if place.startswith("elsewhere"):
        monkeypatch.setenv("XDG_CONFIG_HOME", str(users / "elsewhere"))
    if place == "target":
        os.symlink(users / "target", users / "linked")
    if setting is not None:
        write(str(users / ".gitconfig"), f'[core]\n\texcludesFile = "{setting}"\n')
    if setting in ("~/folder", "~nobody-of-that-name/x"):  # git refuses to list anything; the rules are left aside
        assert asked(root) == {"a.log", "b.txt", "sub/c.log"}
    else:
        assert asked(root) == listed(root)
        assert ("a.log" in asked(root)) == (place == "nowhere")


def test_the_line_of_the_users_rules_is_named(tmp_path, users) -> None:
    """`loci why` can say which file left a path out."""
    root = str(tmp_path / "tree")
    subprocess.run(["git", "init", "-q", root], check=True)
    write(str(users / ".config/git/ignore"), "*.log\n")
    write(os.path.join(root, ".git/info/exclude"), "*.o\n")
    ignore = Ignore(root, git.exclude_files(root, os.path.join(root, ".git")))
    assert ignore.verdict("a.log").rule == f"{users}/.config/git/ignore: *.log"
    assert ignore.verdict("a.o").rule == ".git/info/exclude: *.o"


def test_pruned_folders_are_out_at_any_depth(tmp_path) -> None:
    """Folders that tools fill are pruned by name; a file of such a name, and vendor, are not."""
    ignore = Ignore(str(tmp_path))
    assert ignore.reason("web/node_modules", True) == "pruned"
    assert ignore.reason("web/node_modules/x/index.js") == "pruned"
    assert ignore.verdict("a/.venv", True).rule == "folder .venv"
    assert not ignore.verdict("a/.venv", True).walk
    assert ignore.reason("target") is None
    assert ignore.reason("vendor/lib/a.go") is None


def test_lociignore_leaves_out_what_git_keeps(tmp_path) -> None:
    """A line of .lociignore excludes, and stands above .gitignore."""
    write(str(tmp_path / ".gitignore"), "!big.txt\n")
    write(str(tmp_path / "docs/.lociignore"), "drafts/\n*.txt\n")
    ignore = Ignore(str(tmp_path))
    assert ignore.reason("docs/drafts/a.md") == "ignored"
    assert ignore.verdict("docs/big.txt").rule == "docs/.lociignore: *.txt"
    assert ignore.reason("big.txt") is None


def test_lociignore_brings_back_what_was_left_out(tmp_path) -> None:
    """`!` in .lociignore opens a pruned folder, an ignored file, and the way to a path deep inside."""
    write(str(tmp_path / ".gitignore"), "notes/\n*.log\n")
    write(str(tmp_path / ".lociignore"), "!build/\n!/notes/\n!keep.log\n!node_modules/mine/**\n")
    ignore = Ignore(str(tmp_path))
    assert ignore.reason("build/a.py") is None and ignore.reason("sub/build/a.py") is None
    assert ignore.reason("notes/n.md") is None and ignore.reason("notes/n.log") == "ignored"
    assert ignore.reason("keep.log") is None and ignore.reason("other.log") == "ignored"
    assert ignore.verdict("node_modules", True).walk
    assert ignore.reason("node_modules/mine/x.js") is None
    assert ignore.reason("node_modules/theirs/x.js") == "pruned"
    assert not ignore.verdict("node_modules/theirs", True).walk


def test_tracked_files_and_globs_of_the_scope_are_in(tmp_path) -> None:
    """What git tracks against its rules is in, and what the scope names by a glob."""
    write(str(tmp_path / ".gitignore"), "out/\n*.md\n")
    ignore = Ignore(str(tmp_path), tracked=frozenset({"out/kept.py", "build/x.go"}), include=("plans/*.md",))
    assert ignore.reason("out/kept.py") is None and ignore.reason("out/other.py") == "ignored"
    assert ignore.verdict("out", True).walk and ignore.verdict("build", True).walk
    assert ignore.reason("build/x.go") is None and ignore.reason("build/y.go") == "pruned"
    assert ignore.reason("plans/a.md") is None and ignore.reason("a.md") == "ignored"


def test_odd_rule_files_exclude_nothing(tmp_path) -> None:
    """A broken line, a link and a folder named .gitignore say nothing."""
    write(str(tmp_path / ".gitignore"), "!\n\\\n/\n\n# x\n[\n")
    os.makedirs(tmp_path / "d" / ".gitignore")
    os.symlink("/etc/hostname", tmp_path / ".lociignore")
    ignore = Ignore(str(tmp_path))
    assert ignore.reason("x") is None and ignore.reason("d/x") is None
