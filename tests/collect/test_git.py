"""Real repositories of every shape, read without prompts, locks or the network."""

from __future__ import annotations

import os
import subprocess

import pytest

from locid import git
from locid.errors import Unavailable
from locid.values import GitState
from tests.conftest import WHO, Repository


@pytest.fixture
def repo(tmp_path) -> Repository:
    made = Repository(tmp_path / "repo")
    for n in range(3):
        commit(made, f"f{n}.txt", f"subject {n}\n\nbody {n}\nsecond line\n")
    return made


def commit(repo: Repository, path: str, message: str) -> str:
    full = os.path.join(repo.root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "a", encoding="utf-8") as file:
        file.write("x\n")
    repo.git("add", "-A")
    subprocess.run(
        ["git", "-C", repo.root, "commit", "-q", "-F", "-"], input=message, text=True, check=True, env=os.environ | WHO
    )
    return repo.git("rev-parse", "HEAD").strip()


def test_history_comes_whole_and_newest_first(repo: Repository) -> None:
    """Each commit comes once with subject, body, time and the files it touched."""
    found = list(git.log(repo.root, None))
    assert [c.subject for c in found] == ["subject 2", "subject 1", "subject 0"]
    assert found[0].body == "body 2\nsecond line" and found[0].files == ("f2.txt",)
    assert found[0].hash == repo.git("rev-parse", "HEAD").strip() and found[0].time > 1_000_000_000


def test_new_commits_are_those_that_the_old_head_has_not(repo: Repository) -> None:
    """OLD..NEW gives what a checkout or a commit added; an unknown OLD is an error that says so."""
    old = repo.git("rev-parse", "HEAD").strip()
    new = commit(repo, "g.txt", "later")
    assert [c.subject for c in git.new_commits(repo.root, old, new)] == ["later"]
    assert [c.subject for c in git.log(repo.root, old)] == ["later"]
    assert git.is_ancestor(repo.root, old, new) and not git.is_ancestor(repo.root, new, old)
    assert not git.is_ancestor(repo.root, "1" * 40, new)
    assert list(git.changed_paths(repo.root, old, new)) == ["g.txt"]
    with pytest.raises(Unavailable):
        list(git.new_commits(repo.root, "1" * 40, new))


def test_odd_names_and_messages_come_through(repo: Repository) -> None:
    """Newlines, blanks, quotes and bytes that are not UTF-8 in names and messages confuse nothing."""
    name = b'd/a\n b"\xff.txt'
    os.makedirs(os.path.join(repo.root, "d"))
    with open(os.path.join(repo.root.encode(), name), "w"):
        pass
    with open(os.path.join(repo.root, "é.txt"), "w"):
        pass
    repo.git("add", "-A")
    message = b"odd \x01 \xff subject\n\nbody \xe9\n\n\x1e\x00"[:-1]
    subprocess.run(
        ["git", "-C", repo.root, "-c", "i18n.commitEncoding=UTF-8", "commit", "-q", "-F", "-"],
        input=message, check=True, env=os.environ | WHO, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    newest = next(iter(git.log(repo.root, None)))
    assert newest.subject.startswith("odd \x01 ") and newest.body.startswith("body ")
    assert set(newest.files) == {'d/a\n b"%FF.txt', "é.txt"}
    assert os.fsencode(git.unescape('d/a\n b"%FF.txt')) == name


def test_merges_come_without_files(repo: Repository) -> None:
    """A merge is told with its message; its files stand with the commits that it joins."""
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    commit(repo, "side.txt", "side work")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "join side", "side")
    found = {c.subject: c.files for c in git.log(repo.root, None)}
    assert found["join side"] == () and found["side work"] == ("side.txt",) and len(found) == 5


def test_closing_the_history_ends_git(repo: Repository) -> None:
    """A reader that stops early leaves no child behind."""
    history = git.log(repo.root, None)
    next(history)
    history.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_head_is_read_from_files_as_git_reads_it(repo: Repository, tmp_path) -> None:
    """Branch, detached, packed, unborn and symbolic HEADs say what git says."""
    found = git.discover(repo.root)
    assert found is not None
    at = repo.git("rev-parse", "HEAD").strip()
    assert git.head(found.git_dir, found.common_dir) == (at, "main")
    repo.git("pack-refs", "--all")
    assert git.head(found.git_dir, found.common_dir) == (at, "main")
    repo.git("checkout", "-q", "-b", "feature/x")
    assert git.head(found.git_dir, found.common_dir) == (at, "feature/x")
    repo.git("checkout", "-q", "--detach", "HEAD~1")
    assert git.head(found.git_dir, found.common_dir) == (repo.git("rev-parse", "HEAD").strip(), None)
    repo.git("checkout", "-q", "--orphan", "fresh")
    assert git.head(found.git_dir, found.common_dir) == (None, "fresh")
    empty = Repository(tmp_path / "empty")
    assert list(git.log(empty.root, None)) == [] and git.state(empty.root) == GitState(None, "main", False)


def test_state_says_whether_the_work_tree_differs(repo: Repository) -> None:
    """Clean, an edit, an untracked file, and an ignored one; git leaves no lock and does not touch the index."""
    assert git.state(repo.root) == GitState(repo.git("rev-parse", "HEAD").strip(), "main", False)
    index = os.path.join(repo.root, ".git/index")
    before = os.stat(index).st_mtime_ns
    os.utime(os.path.join(repo.root, "f0.txt"))
    with open(os.path.join(repo.root, "new.txt"), "w"):
        pass
    assert git.state(repo.root).dirty
    assert os.stat(index).st_mtime_ns == before and not os.path.exists(index + ".lock")
    with open(os.path.join(repo.root, ".git/info/exclude"), "w", encoding="utf-8") as file:
        file.write("new.txt\n")
    assert not git.state(repo.root).dirty


def test_work_trees_submodules_and_nested_clones_are_told_apart(repo: Repository, tmp_path) -> None:
    """Each place belongs to the innermost work tree, with its own HEAD and the directory it shares."""
    repo.git("worktree", "add", "-q", "-b", "second", str(tmp_path / "second"))
    inner = Repository(os.path.join(repo.root, "sub/clone"))
    other = Repository(tmp_path / "other")
    commit(other, "o.txt", "other")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", other.root, "mod")
    main, second = git.discover(repo.root), git.discover(str(tmp_path / "second"))
    module, clone = git.discover(os.path.join(repo.root, "mod")), git.discover(os.path.join(inner.root, "deep/er"))
    assert main and second and module and clone
    assert second.root == str(tmp_path / "second") and second.common_dir == main.git_dir == main.common_dir
    assert second.git_dir != main.git_dir and git.head(second.git_dir, second.common_dir)[1] == "second"
    assert module.root.endswith("/mod") and module.git_dir == module.common_dir and ".git/modules" in module.git_dir
    assert git.head(module.git_dir, module.common_dir)[0] == other.git("rev-parse", "HEAD").strip()
    assert clone.root == inner.root and git.discover(str(tmp_path)) is None


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://me:s3cret@host/x.git", "https://host/x.git"),
        ("https://ghp_abc@github.com/o/r", "https://github.com/o/r"),
        ("ssh://git:pw@host:22/x", "ssh://git@host:22/x"),
        ("git@github.com:o/r.git", "git@github.com:o/r.git"),
        ("/srv/git/x", "/srv/git/x"),
    ],
)
def test_the_remote_is_told_without_credentials(repo: Repository, url: str, kept: str) -> None:
    """The URL of origin carries no password and no token."""
    repo.git("remote", "add", "origin", url)
    found = git.discover(repo.root)
    assert found is not None and found.remote == kept


def test_nothing_around_it_leads_git_astray(repo: Repository, tmp_path, monkeypatch) -> None:
    """GIT_DIR of a hook, a repository's own monitor and hooks, and colours change nothing."""
    proof = tmp_path / "ran"
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.delenv("GIT_DIR")
    for key, value in (("core.fsmonitor", f"touch {proof}"), ("color.ui", "always"), ("log.showSignature", "true"),
                       ("log.decorate", "full"), ("diff.external", f"touch {proof}")):  # fmt: skip
        repo.git("config", key, value)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert len(list(git.log(repo.root, None))) == 3 and git.state(repo.root).branch == "main"
    assert not proof.exists()


def test_without_git_or_root_the_error_says_so(repo: Repository, tmp_path, monkeypatch) -> None:
    """A missing git and a missing root are told apart, in a sentence."""
    with pytest.raises(Unavailable, match=r"missing|cannot change"):
        git.state(str(tmp_path / "gone"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="not installed"):
        git.state(repo.root)
    with pytest.raises(Unavailable, match="not installed"):
        list(git.log(repo.root, None))
    assert git.discover(repo.root) is not None


def test_tracked_files_against_the_rules_are_listed(repo: Repository) -> None:
    """A committed file that .gitignore names, and one in a folder that is pruned by name, are found."""
    commit(repo, "out/kept.txt", "keep")
    commit(repo, "src/build/x.go", "keep")
    commit(repo, ".gitignore", "rules")
    with open(os.path.join(repo.root, ".gitignore"), "w", encoding="utf-8") as file:
        file.write("out/\n")
    assert git.tracked_against_rules(repo.root, ("build",)) == {"out/kept.txt", "src/build/x.go"}


def test_no_program_of_the_repository_s_own_settings_runs(repo: Repository, tmp_path) -> None:
    """Filters, hooks, a file-system monitor and pagers that a repository names are not run by anything we ask git."""
    mark = tmp_path / "ran"
    program = f"touch {mark}; cat"
    for key in (
        "filter.evil.clean",
        "filter.evil.smudge",
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "core.editor",
    ):
        repo.git("config", key, program)
    repo.git("config", "filter.evil.required", "true")
    repo.git("config", "diff.evil.textconv", program)
    repo.write(".gitattributes", "*.py filter=evil diff=evil\n")
    repo.write("a.py", "x = 1\n")
    repo.git("add", "-A")
    assert mark.exists()  # the bait works
    mark.unlink()
    os.utime(os.path.join(repo.root, "a.py"), (1, 1))
    git.state(repo.root)
    git.discover(repo.root)
    list(git.log(repo.root))
    list(git.changed_paths(repo.root, "HEAD", "HEAD"))
    git.tracked_against_rules(repo.root, ["build"])
    assert not mark.exists()
