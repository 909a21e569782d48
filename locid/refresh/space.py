"""What waits for space: runs that a full disk ended, and when each is worth another try."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass

from locid.refresh.jobs import Job

LOOK_SECONDS, LOOK_SECONDS_AT_MOST = 5.0, 600.0  # between two looks at a disk that is full
MORE_BYTES = 4_000_000  # than were free when a run failed, before it is tried again


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A run, how much was free when it failed, in bytes, and when to look again, in seconds on the monotonic clock."""

    job: Job
    free: int
    pause: float
    due: float


class Starved:
    """The scopes that wait for space on the disk of a folder; each try that did not do makes the next wait longer."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._waiting: dict[str, _Waiting] = {}

    def __bool__(self) -> bool:
        """Whether any scope waits."""
        return bool(self._waiting)

    def ended(self, job: Job, no_space: bool) -> None:
        """Notes how a run ended."""
        before = self._waiting.pop(job.scope.id, None)
        if no_space:
            pause = LOOK_SECONDS if before is None else min(2 * before.pause, LOOK_SECONDS_AT_MOST)
            self._waiting[job.scope.id] = _Waiting(job, self._free(), pause, time.monotonic() + pause)

    def fed(self) -> list[Job]:
        """The runs for which there is more space than there was."""
        now, free = time.monotonic(), self._free()
        return [w.job for w in self._waiting.values() if now >= w.due and free >= w.free + MORE_BYTES]

    def forget(self, scope: str) -> None:
        """Drops a scope that was removed."""
        self._waiting.pop(scope, None)

    def _free(self) -> int:
        """Bytes; 0 when the folder's disk is not there."""
        try:
            return shutil.disk_usage(self._folder).free
        except OSError:
            return 0
