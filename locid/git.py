"""The only runner of git. It never prompts, never takes a lock, never reaches the network, never runs what
a repository names.

Where git need not run it does not: `discover` and `head` read `.git`, HEAD, refs and packed-refs
themselves. Paths come back with `/` between the parts and bytes that are not UTF-8 percent-escaped
(`escape`); messages have such bytes replaced.
"""

from __future__ import annotations

import os
import re
import select
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from locid.errors import Unavailable
from locid.redact import redact
from locid.values import GitState

DEADLINE_S = 60.0  # a whole short command; for `log` the longest silence

# What a repository's own configuration could make git do: run a monitor, a hook, a pager, a signature check, a fetch.
_CONFIG = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "core.pager=cat",
    "core.untrackedCache=false",
    "log.showSignature=false",
    "log.mailmap=false",
    "i18n.logOutputEncoding=UTF-8",
    "protocol.allow=never",
    "safe.directory=*",
)
_GIT = ("git", "--no-pager", *(part for pair in _CONFIG for part in ("-c", pair)))
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MAX_HOPS = 5  # symbolic refs that point at symbolic refs
_MAX_GIT_FILE = 64 << 20  # bytes; packed-refs of the largest repositories
_READ = 1 << 16


@dataclass(frozen=True, slots=True)
class Repo:
    """A work tree and where git keeps its state; all real paths."""

    root: str
    git_dir: str  # of this work tree
    common_dir: str  # shared by all work trees of the repository; its own for a submodule
    remote: str | None  # URL of origin, without credentials


@dataclass(frozen=True, slots=True)
class RawCommit:
    """One commit as git tells it, not yet redacted."""

    hash: str
    time: int  # of the commit, seconds since the epoch
    subject: str
    body: str
    files: tuple[str, ...]  # escaped paths; none for a merge


# ---- running git -------------------------------------------------------------------------------------------


def _environment() -> dict[str, str]:
    """The daemon's environment without any word to git, so that a GIT_DIR of a hook cannot lead us elsewhere."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env.update(
        LC_ALL="C", GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", GIT_NO_LAZY_FETCH="1", GIT_NO_REPLACE_OBJECTS="1"
    )
    return env


def _command(root: str, args: Sequence[str], options: Sequence[str] = ()) -> list[str]:
    return [_GIT[0], "-C", root, *_GIT[1:], *options, *args]


def _missing(root: str) -> Unavailable:
    if os.path.isdir(root):
        return Unavailable("git is not installed or not on the PATH: install it, then run `loci doctor`")
    return Unavailable(f"{root} is missing or no directory")


def _run(root: str, args: Sequence[str], ok: tuple[int, ...] = (0,), options: Sequence[str] = ()) -> tuple[int, bytes]:
    """Exit status and standard output. Raises Unavailable: git or the root is missing, failed, or was too slow."""
    try:
        done = subprocess.run(
            _command(root, args, options),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=DEADLINE_S,
            env=_environment(),
            check=False,
        )
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        raise _missing(root) from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"git {args[0]} in {root} took longer than {DEADLINE_S:.0f} s") from None
    if done.returncode not in ok:
        raise Unavailable(f"git {args[0]} failed in {root}: {_sentence(done.stderr)}")
    return done.returncode, done.stdout


def _sentence(stderr: bytes) -> str:
    """The first line that git complained with."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return redact(lines[0][:300]).text if lines else "no reason given"


def _stream(root: str, args: Sequence[str]) -> Iterator[bytes]:
    """Standard output in pieces; the child is killed when the iterator is closed or git is silent for too long."""
    with tempfile.TemporaryFile() as complaints, _start(root, args, complaints) as child:
        try:
            assert child.stdout is not None
            yield from _pieces(child.stdout, f"git {args[0]} in {root}")
            if child.wait() != 0:
                complaints.seek(0)
                raise Unavailable(f"git {args[0]} failed in {root}: {_sentence(complaints.read(4096))}")
        finally:
            child.kill()


def _start(root: str, args: Sequence[str], complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    """A child whose complaints go to a file: a pipe that nobody reads would stop it when full."""
    try:
        return subprocess.Popen(
            _command(root, args),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=_environment(),
        )
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        raise _missing(root) from None


def _pieces(pipe: IO[bytes], what: str) -> Iterator[bytes]:
    fd = pipe.fileno()
    poll = select.poll()
    poll.register(fd, select.POLLIN | select.POLLHUP)
    while True:
        if not poll.poll(DEADLINE_S * 1000):
            raise Unavailable(f"{what} was silent for {DEADLINE_S:.0f} s")
        piece = os.read(fd, _READ)
        if not piece:
            return
        yield piece


# ---- paths -------------------------------------------------------------------------------------------------

_SURROGATE = re.compile("[\udc80-\udcff]")
_ESCAPED = re.compile("%([89A-F][0-9A-F])")


def escape(path: str) -> str:
    """A path as values have it: bytes that are not UTF-8 (surrogates, as `os` gives them) percent-escaped."""
    if path.isascii():
        return path
    return _SURROGATE.sub(lambda m: f"%{ord(m[0]) - 0xDC00:02X}", path)


def unescape(path: str) -> str:
    """The path as `os` wants it; a name that really has `%E9` in it is told apart by whoever opens it."""
    return _ESCAPED.sub(lambda m: chr(0xDC00 + int(m[1], 16)), path) if "%" in path else path


def _path(raw: bytes) -> str:
    return escape(raw.decode("utf-8", "surrogateescape"))


# ---- finding a repository ----------------------------------------------------------------------------------


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


_SECTION = re.compile(r'^\s*\[\s*remote\s+"origin"\s*\]', re.I)
_URL = re.compile(r"^\s*url\s*=\s*(.+?)\s*$", re.I)


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


# ---- where HEAD stands -------------------------------------------------------------------------------------


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
    _, commit = _run(git_dir, [*at, "rev-parse", "--verify", "--quiet", "HEAD"], ok=(0, 1, 128))
    _, branch = _run(git_dir, [*at, "symbolic-ref", "--quiet", "--short", "HEAD"], ok=(0, 1, 128))
    return _path(commit).strip() or None, _path(branch).strip() or None


def state(root: str) -> GitState:
    """Commit, branch, and whether the work tree differs at or below `root`. Raises Unavailable."""
    status = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"]
    _, out = _run(root, [*status, "--", "."], options=_without_filters(root))
    commit = branch = None
    dirty = False
    for field in out.split(b"\0"):
        if field.startswith(b"# branch.oid "):
            commit = _path(field[13:])
        elif field.startswith(b"# branch.head "):
            branch = _path(field[14:])
        elif field and not field.startswith(b"# "):
            dirty = True
    return GitState(None if commit == "(initial)" else commit, None if branch == "(detached)" else branch, dirty)


def _without_filters(root: str) -> list[str]:
    """Options that disarm the filter programs of the repository's own settings: a status would run them.

    The user's own settings (git-lfs, say) stay: they were not cloned or unpacked with the tree. A submodule's settings
    are out of our reach, so its work tree is not looked into.
    """
    wanted = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process)$"]
    _, out = _run(root, wanted, ok=(0, 1))
    fields = [_path(field) for field in out.split(b"\0")]
    keys = [key for scope, key in zip(fields[::2], fields[1::2], strict=False) if scope in ("local", "worktree")]
    required = {key.rsplit(".", 1)[0] + ".required=false" for key in keys}
    return [word for setting in [*(f"{key}=" for key in keys), *sorted(required)] for word in ("-c", setting)]


# ---- history -----------------------------------------------------------------------------------------------


def log(root: str, since: str | None = None, within: bool = False) -> Iterator[RawCommit]:
    """Commits that HEAD has and `since` has not, newest first; none when HEAD is unborn. Raises Unavailable.

    `within` takes those that touched something below `root`, with their files there, relative to it. They come as git
    finds them; closing the iterator ends git.
    """
    if _born(root):
        yield from new_commits(root, since, "HEAD", within)


def new_commits(root: str, old: str | None, new: str, within: bool = False) -> Iterator[RawCommit]:
    """Commits that `new` has and `old` has not, newest first. Raises Unavailable (an unknown commit, for one)."""
    mark = os.urandom(12).hex().encode()  # no message and no file name can forge it
    fields = b"%x00".join((mark + b"%H", b"%ct", b"%s", b"%b", b"")).decode()
    args = ["log", "-z", f"--format=tformat:{fields}", "--no-renames", "--name-only", "--diff-merges=off"]
    args += ["--no-ext-diff", "--no-textconv", "--no-notes", "--no-show-signature", "--no-color", "--root"]
    args += ["--relative"] if within else []
    args += ["--end-of-options", new, *([f"^{old}"] if old else []), "--", *(["."] if within else [])]
    rest, record = b"", list[bytes]()
    for piece in _stream(root, args):
        *whole, rest = (rest + piece).split(b"\0")
        for field in whole:
            if field.startswith(mark) and record:
                yield _commit(record, len(mark))
                record = []
            record.append(field)
    if record:
        yield _commit(record, len(mark))


def _commit(record: list[bytes], mark: int) -> RawCommit:
    """Hash, time, subject and body, then an empty field and the files, a newline before the first."""
    head_, time, subject, body, *rest = record
    files = [field for field in rest if field]
    return RawCommit(
        hash=head_[mark:].decode("ascii"),
        time=_seconds(time),
        subject=subject.decode("utf-8", "replace"),
        body=body.decode("utf-8", "replace").strip("\n"),
        files=tuple(_path(f if i else f.removeprefix(b"\n")) for i, f in enumerate(files)),
    )


def _seconds(text: bytes) -> int:
    """Seconds since the epoch; 0 for what a bad import wrote there."""
    value = int(text) if re.fullmatch(rb"-?\d{1,15}", text) else 0
    return value if 0 <= value < 1 << 40 else 0


def _born(root: str) -> bool:
    return _run(root, ["rev-parse", "--verify", "--quiet", "HEAD"], ok=(0, 1))[0] == 0


def is_ancestor(root: str, a: str, b: str) -> bool:
    """True when commit `a` is `b` or comes before it; False also when the repository does not know them."""
    return _run(root, ["merge-base", "--is-ancestor", a, b], ok=(0, 1, 128))[0] == 0


def changed_paths(root: str, old: str, new: str) -> Iterator[str]:
    """Escaped paths that differ between two commits' trees. Raises Unavailable."""
    rest = b""
    for piece in _stream(root, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", old, new, "--"]):
        *whole, rest = (rest + piece).split(b"\0")
        yield from map(_path, whole)


def exclude_files(root: str, common_dir: str) -> tuple[str, ...]:
    """The rule files that git reads beside a tree's own, that which counts more first; they need not be there.

    The user's is `core.excludesFile`, else the file `git/ignore` of the user's configuration directory. Raises Unavailable.
    """
    status, out = _run(root, ["config", "-z", "--type=path", "--get", "core.excludesFile"], ok=(0, 1, 128))
    named = os.fsdecode(out.rstrip(b"\0")) if status == 0 else ""
    users = os.path.join(root, named) if named else os.path.join(_settings(), "git", "ignore")
    return (os.path.join(common_dir, "info", "exclude"), *([users] if os.path.isabs(users) else []))


def _settings() -> str:
    """The user's configuration directory, as git finds it; '' without one."""
    env = _environment()
    home = env.get("HOME")
    return env.get("XDG_CONFIG_HOME") or (os.path.join(home, ".config") if home else "")


def tracked_against_rules(root: str, folders: Sequence[str] = ()) -> frozenset[str]:
    """Paths, as `os` has them, that git tracks although a .gitignore or such a folder name would leave them out."""
    _, ignored = _run(root, ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"])
    found = ignored.split(b"\0")
    if folders:
        _, inside = _run(root, ["ls-files", "-z", "--cached", "--", *(f":(glob)**/{name}/**" for name in folders)])
        found += inside.split(b"\0")
    return frozenset(os.fsdecode(path) for path in found if path)


# ---- whose it is -------------------------------------------------------------------------------------------


def identities(root: str) -> frozenset[str]:
    """Addresses and names that git would commit with here: the repository's settings and the user's own. Folded."""
    _, out = _run(root, ["config", "-z", "--get-regexp", r"^user\.(email|name)$"], ok=(0, 1))
    return frozenset(_path(row.partition(b"\n")[2]).casefold() for row in out.split(b"\0") if row) - {""}


def authors(root: str, limit: int) -> list[tuple[str, str]]:
    """(address, name) of the authors of the newest commits, folded; none before the first. Raises Unavailable."""
    if not _born(root):
        return []
    _, out = _run(root, ["log", "-z", f"--max-count={limit}", "--format=tformat:%ae%n%an", "--no-mailmap", "HEAD"])
    rows = [row.decode("utf-8", "replace").casefold().partition("\n") for row in out.split(b"\0") if row]
    return [(address, name) for address, _, name in rows]
