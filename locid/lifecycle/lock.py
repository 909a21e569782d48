"""The lock that makes a daemon the only one of its home.

flock is held for life and the file never deleted: a lock on a deleted file keeps out nobody. Liveness is this
lock, never a pid: pids are reused.
"""

from __future__ import annotations

import fcntl
import os
import time

from locid.lifecycle.files import unwritable

TRIES = 10
PAUSE_S = 0.01


def take(path: str) -> int | None:
    """The descriptor that holds the lock (never close it), or None when another daemon has it."""
    try:
        # O_CLOEXEC: a child that inherits the descriptor would hold the lock after the daemon's death.
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise unwritable(os.path.dirname(path), error) from error
    try:
        if _locked(fd):
            return fd
    except OSError as error:
        raise unwritable(os.path.dirname(path), error) from error
    os.close(fd)
    return None


def _locked(fd: int) -> bool:
    # Tried for a moment: a client that looks whether a daemon lives holds the lock for an instant.
    for _ in range(TRIES):
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(PAUSE_S)
    return False
