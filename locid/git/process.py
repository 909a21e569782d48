"""Running git: without a prompt, a lock, the network, or anything that a repository names."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO

from locid.errors import Unavailable
from locid.redact import redact

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
_READ = 1 << 16


def environment() -> dict[str, str]:
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


def run(root: str, args: Sequence[str], ok: tuple[int, ...] = (0,), options: Sequence[str] = ()) -> tuple[int, bytes]:
    """Exit status and standard output. Raises Unavailable: git or the root is missing, failed, or was too slow."""
    try:
        done = subprocess.run(
            _command(root, args, options),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=DEADLINE_S,
            env=environment(),
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


def stream(root: str, args: Sequence[str]) -> Iterator[bytes]:
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
            env=environment(),
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
