"""Child processes of ours: started on pipes, and never outliving their parent."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import BinaryIO, cast

from locid.refresh.messages import Channel

PR_SET_PDEATHSIG = 1


class Child:
    """A `python -m locid --role …` on a pair of pipes."""

    def __init__(self, role: str, arguments: Sequence[str] = ()) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "locid", "--role", role, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=False,
        )
        self.channel = Channel(cast(BinaryIO, self._process.stdout), cast(BinaryIO, self._process.stdin))

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def kill(self) -> None:
        """Ends it now, and takes its exit status."""
        self._process.kill()
        self._process.wait()
        self.channel.close()

    def close(self, timeout: float = 5.0) -> int:
        """Closes its input, which ends it; kills it when it does not. Returns its exit status."""
        self.channel.close()
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def serve_parent(nice: int = 0) -> Channel:
    """The child's end: lowers its priority, ties its life to the parent's, and keeps prints off the pipe."""
    if nice:
        os.nice(nice)
    _die_with_parent()
    reading = os.fdopen(os.dup(0), "rb")
    writing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for number in (signal.SIGINT, signal.SIGHUP):  # a terminal's interrupt is the daemon's to handle
        signal.signal(number, signal.SIG_IGN)
    return Channel(reading, writing)


def _die_with_parent() -> None:
    """Linux kills us when the thread that started us ends; elsewhere the end of our input does."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the call
        os._exit(1)
