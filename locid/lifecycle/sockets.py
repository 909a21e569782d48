"""The listening socket: bound under the lock, or taken from systemd. Reads LISTEN_FDS and LISTEN_PID."""

from __future__ import annotations

import logging
import os
import socket
import stat
from collections.abc import MutableMapping
from dataclasses import dataclass

from loci_client import paths
from locid.lifecycle.files import Unusable

log = logging.getLogger(__name__)

BACKLOG = 128
FIRST_FD = 3  # sd_listen_fds(3)


@dataclass(frozen=True, slots=True)
class Listener:
    """A listening Unix stream socket."""

    fd: int
    path: str
    ours: bool  # bound by us, so removed by us; systemd keeps its own


def runtime_dir(place: paths.Paths) -> str:
    """The runtime directory of this home, made and checked; Unusable when it is not ours alone."""
    try:
        return paths.ensure_runtime(place)
    except paths.CannotStart as error:  # type: ignore[attr-defined]  # its home is client-only
        raise Unusable(str(error)) from error


def listen(place: paths.Paths, env: MutableMapping[str, str] | None = None) -> Listener:
    """The socket that systemd passed, or a new one; only the holder of the home's lock may call this."""
    fd = inherited(os.environ if env is None else env)
    if fd is not None:
        return Listener(fd, _inherited_path(fd), ours=False)
    path = os.path.join(runtime_dir(place), "locid.sock")
    clear_stale(path)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        sock.bind(path)
        sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        raise Unusable(f"the socket {path} cannot be made ({error.strerror or error})") from error
    return Listener(sock.detach(), path, ours=True)


def inherited(env: MutableMapping[str, str]) -> int | None:
    """The descriptor that systemd passed to this process, or None; the variables are taken out of `env`."""
    pid, count = env.pop("LISTEN_PID", ""), env.pop("LISTEN_FDS", "")
    env.pop("LISTEN_FDNAMES", None)
    if pid != str(os.getpid()) or not count.isdigit() or count == "0":
        return None
    if count != "1":
        raise Unusable(f"systemd passed {count} sockets and locid takes one: correct locid.socket")
    os.set_inheritable(FIRST_FD, False)
    return FIRST_FD


def _inherited_path(fd: int) -> str:
    try:
        with socket.socket(fileno=os.dup(fd)) as sock:
            name = sock.getsockname()
    except OSError as error:
        raise Unusable(f"the socket that systemd passed cannot be used ({error.strerror})") from error
    if not isinstance(name, str) or not name.startswith("/"):  # an abstract name has no permissions
        raise Unusable("systemd passed something else than a Unix socket with a path: correct locid.socket")
    return name


def clear_stale(path: str) -> None:
    """Removes the socket that a crash left behind; Unusable for anything else that stands there."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise Unusable(f"{path} is not a socket, so it is left alone: remove it to let the daemon start")
    if found.st_uid != os.getuid():
        raise Unusable(f"{path} belongs to user {found.st_uid}: remove it to let the daemon start")
    if _answers(path):
        # The lock is per home, the default path per user: $HOME or $XDG_DATA_HOME of the other one differs.
        raise Unusable(f"a daemon of another home listens on {path}: set LOCI_HOME, or stop that one")
    os.unlink(path)
    log.info("removed the stale socket %s", path)


def _answers(path: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.setblocking(False)
        try:
            sock.connect(path)
        except BlockingIOError:  # a full backlog: somebody listens
            return True
        except OSError:
            return False
    return True
