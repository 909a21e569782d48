"""Does the daemon answer, and what is to be said when it does not."""

import os
from time import monotonic

from . import __version__, process, wire
from .errors import CannotStart, ConnectionLost, LociError, NoDaemon, ProtocolMismatch, Silent, from_reply
from .paths import Paths
from .transport import Connection

HELLO_S = 3.0
AGAIN_S = 2.5
LOG_LINES = 15


def probe(paths: Paths, timeout: float = HELLO_S) -> wire.Body:
    """The hello of whatever listens, whatever its protocol number; LociError without one."""
    end = monotonic() + timeout
    connection = Connection(paths.socket(), paths.uid, timeout)
    try:
        who = {"name": "loci", "version": __version__, "protocol": wire.PROTOCOL}
        connection.send(wire.request(1, "hello", {}, int(timeout * 1000), who))
        while (body := connection.receive(max(end - monotonic(), 0.0))) is not None:
            if body.get("id") == 1 and isinstance(body.get("result"), dict):
                return dict(body["result"])
            if body.get("id") == 1 and "error" in body:
                raise from_reply(body["error"])
    finally:
        connection.close()
    raise Silent("the daemon does not answer hello: `loci daemon stop --force` ends it")


def answers_after_all(paths: Paths) -> bool:
    """Whether a daemon that was silent answers when it is given more time; a stopped one is not asked."""
    found = process.holder(paths)
    if found is not None and process.is_stopped(found[0]):
        return False
    try:
        probe(paths, AGAIN_S)
    except LociError:
        return False
    return True


def wedged(paths: Paths, what: str = "does not answer") -> CannotStart:
    """The error for a daemon that lives and does not serve: names its pid, its log and the cure."""
    found = process.holder(paths)
    pid = found[0] if found else process.marker(paths).get("pid", "unknown")
    return CannotStart(f"locid (pid {pid}) {what}: `loci daemon stop --force` ends it, its log is {paths.log}")


def explain(paths: Paths, error: LociError) -> LociError:
    """The error for a client that may not start or replace the daemon."""
    if isinstance(error, Silent):
        return wedged(paths)
    if isinstance(error, ProtocolMismatch):
        return ProtocolMismatch(f"{error.message}: `loci daemon restart`", error.detail)
    if isinstance(error, ConnectionLost | NoDaemon) and not process.lock_is_free(paths):
        return wedged(paths, "does not listen" if isinstance(error, NoDaemon) else "closed the connection")
    return error


def log_tail(paths: Paths, count: int = LOG_LINES, size: int | None = None) -> list[str]:
    """The last lines of the daemon's log, or of its first `size` bytes; empty when there is none."""
    try:
        with open(paths.log, "rb") as file:
            end = os.fstat(file.fileno()).st_size if size is None else size
            start = max(0, end - 200 * 1024)
            file.seek(start)
            text = file.read(end - start).decode("utf-8", "replace")
    except OSError:
        return []
    return text.splitlines()[-count:] if count > 0 else []
