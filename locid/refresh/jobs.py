"""What the scheduler queues, and how it went."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from locid.errors import Unavailable
from locid.values import Scope


@dataclass(slots=True)
class Job:
    """One scope's wish to be indexed, and how it went."""

    scope: Scope
    cause: str
    force: bool = False
    urgent: bool = False
    stage: str = "queued"
    done: int = 0
    total: int = 0
    result: dict[str, Any] | None = None
    failed: str | None = None
    dropped: bool = False  # its scope was removed while it ran
    finished: threading.Event = field(default_factory=threading.Event)

    def end(self, *, result: dict[str, Any] | None = None, failed: str | None = None) -> None:
        """Says how it went, to those who wait for it."""
        self.result, self.failed = result, failed
        self.finished.set()


@dataclass(frozen=True, slots=True)
class Last:
    """How a scope's last run went."""

    cause: str
    files: int
    ms: int
    at: float
    failed: str | None = None
    no_space: bool = False  # it goes on by itself once there is


def results(jobs: Sequence[Job]) -> list[dict[str, Any]]:
    """What each job did; Unavailable when none succeeded."""
    failed = [j for j in jobs if j.failed]
    if failed and len(failed) == len(jobs):
        raise Unavailable("; ".join(f"{j.scope.id}: {j.failed}" for j in failed))
    return [_row(j) for j in jobs]


def _row(job: Job) -> dict[str, Any]:
    if job.failed or job.result is None:
        return {"id": job.scope.id, "failed": job.failed}
    return {k: job.result[k] for k in ("generation", "files", "ms")} | {"id": job.scope.id}
