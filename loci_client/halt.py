"""Ends the daemon: it is asked to drain; if it does not, it is signalled, after its start time was compared.

A daemon that answers hello gets `stop` and its time to drain; one that does not, or (with force) one that drains
too long, gets SIGTERM, then SIGKILL; a stopped process gets SIGKILL at once, for it acts on nothing else.
"""

import os
import signal

from . import __version__, process, wire
from .errors import CannotStart, ConnectionLost, LociError
from .health import probe, wedged
from .paths import Paths
from .transport import Connection

NONE, DRAINED, TERMINATED, KILLED = "none", "drained", "terminated", "killed"
HELLO_S = 1.5
DRAIN_S = 6.5
FORCED_DRAIN_S = 1.5
TERM_S = 2.5
KILL_S = 2.0


def stop(paths: Paths, *, force: bool = False) -> str:
    """How the daemon ended: NONE when none ran; CannotStart when it still runs, within ten seconds."""
    if process.lock_is_free(paths):
        return NONE
    if _answers(paths):
        taken = _request_stop(paths)
        if taken and process.wait_until_free(paths, FORCED_DRAIN_S if force else DRAIN_S):
            return DRAINED
        if taken and not force:
            raise wedged(paths, "is still draining")
    return _escalate(paths)


def end(paths: Paths, drain_s: float) -> str:
    """As `stop`, whatever it takes: used to replace a daemon that cannot serve us."""
    if process.lock_is_free(paths):
        return NONE
    drained = _request_stop(paths) and process.wait_until_free(paths, drain_s)
    return DRAINED if drained else _escalate(paths)


def _answers(paths: Paths) -> bool:
    """Whether hello is answered; not even tried when the process is stopped, for then the wait is in vain."""
    found = process.holder(paths)
    if found is not None and process.is_stopped(found[0]):
        return False
    try:
        probe(paths, HELLO_S)
    except LociError:
        return False
    return True


def _request_stop(paths: Paths) -> bool:
    """Sends `stop`; whether it may be draining now. Whether it ends the lock tells, signals follow if not."""
    who = {"name": "loci", "version": __version__, "protocol": wire.PROTOCOL}
    try:
        connection = Connection(paths.socket(), paths.uid, HELLO_S)
    except LociError:
        return False
    try:
        connection.send(wire.request(1, "stop", {}, 1000, who), 1.0)
        connection.receive(1.0)
    except ConnectionLost:
        return True  # it ended before its answer was out
    except LociError:
        return False
    finally:
        connection.close()
    return True


def _escalate(paths: Paths) -> str:
    """SIGTERM, then SIGKILL, on the holder of the lock; CannotStart when it cannot be identified for sure."""
    found = process.holder(paths)
    if found is None:
        if process.lock_is_free(paths):
            return DRAINED
        raise CannotStart(
            f"the process that holds {paths.lock} cannot be identified, so none is signalled: "
            f"`fuser {paths.lock}` names it, end it by hand"
        )
    pid, start = found
    if not process.is_stopped(pid):
        process.send_signal(pid, start, signal.SIGTERM)
        if process.wait_until_free(paths, TERM_S):
            _forget(paths, pid)
            return TERMINATED
    process.send_signal(pid, start, signal.SIGKILL)
    if not process.wait_until_free(paths, KILL_S):
        raise CannotStart(f"locid (pid {pid}) does not end even on SIGKILL: it waits for a disk or a debugger")
    _forget(paths, pid)
    return KILLED


def _forget(paths: Paths, pid: int) -> None:
    """Removes the marker of the daemon that we ended: a kill on purpose is no crash."""
    if process.marker(paths).get("pid") == pid:
        try:
            os.unlink(paths.running)
        except FileNotFoundError:
            return
