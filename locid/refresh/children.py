"""Child processes of ours: started on pipes, and never outliving their parent."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
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


class Patience:
    """Ends a child that says nothing for so many seconds, as one that is stopped or hangs does."""

    def __init__(self, child: Child, seconds: float) -> None:
        self._child, self._seconds = child, seconds
        self._heard = time.monotonic()
        self._over = threading.Event()
        self.lost = False  # whether the child was ended
        self._thread = threading.Thread(target=self._watch, name="patience", daemon=True)

    def __enter__(self) -> Patience:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def heard(self) -> None:
        """The child has said something."""
        self._heard = time.monotonic()

    def _watch(self) -> None:
        while not self._over.wait(max(0.0, self._heard + self._seconds - time.monotonic())):
            if time.monotonic() - self._heard >= self._seconds:
                self.lost = True
                self._child.kill()
                return


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
