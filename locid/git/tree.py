"""The work tree as git sees it: whether it differs, which paths do, and which are left out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from locid.git.paths import path_of
from locid.git.process import environment, run, stream
from locid.values import GitState


def state(root: str) -> GitState:
    """Commit, branch, and whether the work tree differs at or below `root`. Raises Unavailable."""
    status = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"]
    _, out = run(root, [*status, "--", "."], options=_without_filters(root))
    commit = branch = None
    dirty = False
    for field in out.split(b"\0"):
        if field.startswith(b"# branch.oid "):
            commit = path_of(field[13:])
        elif field.startswith(b"# branch.head "):
            branch = path_of(field[14:])
        elif field and not field.startswith(b"# "):
            dirty = True
    return GitState(None if commit == "(initial)" else commit, None if branch == "(detached)" else branch, dirty)


def _without_filters(root: str) -> list[str]:
    """Options that disarm the filter programs of the repository's own settings: a status would run them.

    The user's own settings (git-lfs, say) stay: they were not cloned or unpacked with the tree. A submodule's settings
    are out of our reach, so its work tree is not looked into.
    """
    wanted = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process)$"]
    _, out = run(root, wanted, ok=(0, 1))
    fields = [path_of(field) for field in out.split(b"\0")]
    keys = [key for scope, key in zip(fields[::2], fields[1::2], strict=False) if scope in ("local", "worktree")]
    required = {key.rsplit(".", 1)[0] + ".required=false" for key in keys}
    return [word for setting in [*(f"{key}=" for key in keys), *sorted(required)] for word in ("-c", setting)]


def changed_paths(root: str, old: str, new: str) -> Iterator[str]:
    """Escaped paths that differ between two commits' trees. Raises Unavailable."""
    rest = b""
    for piece in stream(root, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", old, new, "--"]):
        *whole, rest = (rest + piece).split(b"\0")
        yield from map(path_of, whole)


def exclude_files(root: str, common_dir: str) -> tuple[str, ...]:
    """The rule files that git reads beside a tree's own, that which counts more first; they need not be there.

    The user's is `core.excludesFile`, else the file `git/ignore` of the user's configuration directory. Raises Unavailable.
    """
    status, out = run(root, ["config", "-z", "--type=path", "--get", "core.excludesFile"], ok=(0, 1, 128))
    named = os.fsdecode(out.rstrip(b"\0")) if status == 0 else ""
    users = os.path.join(root, named) if named else os.path.join(_settings(), "git", "ignore")
    return (os.path.join(common_dir, "info", "exclude"), *([users] if os.path.isabs(users) else []))


def _settings() -> str:
    """The user's configuration directory, as git finds it; '' without one."""
    env = environment()
    home = env.get("HOME")
    return env.get("XDG_CONFIG_HOME") or (os.path.join(home, ".config") if home else "")


def tracked_against_rules(root: str, folders: Sequence[str] = ()) -> frozenset[str]:
    """Paths, as `os` has them, that git tracks although a .gitignore or such a folder name would leave them out."""
    _, ignored = run(root, ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"])
    found = ignored.split(b"\0")
    if folders:
        _, inside = run(root, ["ls-files", "-z", "--cached", "--", *(f":(glob)**/{name}/**" for name in folders)])
        found += inside.split(b"\0")
    return frozenset(os.fsdecode(path) for path in found if path)
