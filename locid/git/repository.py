"""What `.git` says without git: where a repository lies, and where its HEAD stands."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass

from locid.git.paths import path_of
from locid.git.process import run
from locid.redact import redact

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MAX_HOPS = 5  # symbolic refs that point at symbolic refs
_MAX_GIT_FILE = 64 << 20  # bytes; packed-refs of the largest repositories
_SECTION = re.compile(r'^\s*\[\s*remote\s+"origin"\s*\]', re.I)
_URL = re.compile(r"^\s*url\s*=\s*(.+?)\s*$", re.I)


@dataclass(frozen=True, slots=True)
class Repo:
    """A work tree and where git keeps its state; all real paths."""

    root: str
    git_dir: str  # of this work tree
    common_dir: str  # shared by all work trees of the repository; its own for a submodule
    remote: str | None  # URL of origin, without credentials


def discover(path: str) -> Repo | None:
    """The innermost work tree that holds `path`, or None; reads files only, git does not run."""
    root = os.path.realpath(path)
    while True:
        git_dir = git_dir_of(root)
        if git_dir is not None:
            common = _common_dir(git_dir)
            return Repo(root, git_dir, common, _origin(common))
        parent = os.path.dirname(root)
        if parent == root:
            return None
        root = parent


def git_dir_of(root: str) -> str | None:
    """The git directory of a work tree whose root this is (`.git`, or where the file `.git` points), or None."""
    dot = os.path.join(root, ".git")
    if os.path.isfile(dot):
        target = _read(dot).strip()
        if not target.startswith("gitdir:"):
            return None
        dot = os.path.join(root, target[7:].strip())
    return os.path.realpath(dot) if os.path.isfile(os.path.join(dot, "HEAD")) else None


def _common_dir(git_dir: str) -> str:
    """A linked work tree names the repository's directory in `commondir`; others are their own."""
    target = _read(os.path.join(git_dir, "commondir")).strip().partition("\0")[0]
    return os.path.realpath(os.path.join(git_dir, target)) if target else git_dir


def _read(path: str) -> str:
    """The text of a plain file of git's own, '' when it cannot be read; a pipe in its place would never end."""
    if "\0" in path:
        return ""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return ""
        return file.read(_MAX_GIT_FILE).decode("utf-8", "surrogateescape")


def _origin(common_dir: str) -> str | None:
    """The URL of origin in the repository's own configuration, without credentials."""
    inside = False
    for line in _read(os.path.join(common_dir, "config")).split("\n"):
        if line.lstrip().startswith("["):
            inside = bool(_SECTION.match(line))
        elif inside and (found := _URL.match(line)):
            return redact(without_credentials(found[1].strip('"'))).text.encode("utf-8", "replace").decode()
    return None


def without_credentials(url: str) -> str:
    """The URL without a password, and without a user where it may be a token (http)."""
    scheme, sep, rest = url.partition("://")
    if not sep:
        return url
    host, slash, path = rest.partition("/")
    user, at, host = host.rpartition("@")
    user = "" if scheme.startswith("http") else user.partition(":")[0]
    return f"{scheme}://{user + at if user else ''}{host}{slash}{path}"


def head(git_dir: str, common_dir: str) -> tuple[str | None, str | None]:
    """(commit, branch) of a work tree, read from files; None for an unborn commit, for the branch when detached."""
    if os.path.isdir(os.path.join(common_dir, "reftable")):
        return _head_by_git(git_dir)
    value = _read(os.path.join(git_dir, "HEAD")).strip()
    branch = None
    for _ in range(_MAX_HOPS):
        if not value.startswith("ref:"):
            break
        ref = value[4:].strip()
        branch = branch or ref.removeprefix("refs/heads/")
        value = _ref(git_dir, common_dir, ref)
    return (value if _HASH.fullmatch(value) else None), branch


def _ref(git_dir: str, common_dir: str, ref: str) -> str:
    """What a ref holds: loose in the work tree's directory or the common one, or packed; '' when there is none."""
    for base in (git_dir, common_dir):
        if value := _read(os.path.join(base, ref)).strip():
            return value
    for line in _read(os.path.join(common_dir, "packed-refs")).split("\n"):
        value, _, name = line.partition(" ")
        if name == ref:
            return value
    return ""


def _head_by_git(git_dir: str) -> tuple[str | None, str | None]:
    """The same from git itself, for a repository whose refs lie in tables."""
    at = ("--git-dir", git_dir)
    _, commit = run(git_dir, [*at, "rev-parse", "--verify", "--quiet", "HEAD"], ok=(0, 1, 128))
    _, branch = run(git_dir, [*at, "symbolic-ref", "--quiet", "--short", "HEAD"], ok=(0, 1, 128))
    return path_of(commit).strip() or None, path_of(branch).strip() or None
