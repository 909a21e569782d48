"""Who is indexed next: one scope at a time, one indexer process, the latest request wins, each with its cause.

The scheduler's thread is the daemon's maintenance thread: it alone talks to the indexer and swaps Snapshots in.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from locid.control import Task
from locid.refresh import messages
from locid.refresh.children import Child, Patience
from locid.refresh.jobs import Job, Last
from locid.refresh.space import LOOK_SECONDS, Starved
from locid.snapshot import Snapshots
from locid.values import Scope

log = logging.getLogger(__name__)
ATTEMPTS = 2  # an indexer that died is started once more for the same scope


@dataclass(frozen=True, slots=True)
class Limits:
    """What a user may set."""

    max_file_bytes: int
    linger_s: float  # seconds that an indexer waits for more work
    silence_s: float  # seconds without a word after which one that works is taken for hung


class Scheduler:
    """Queues scopes, keeps the indexer alive while there is work, and a while after."""

    def __init__(self, home: str, snapshots: Snapshots, limits: Limits) -> None:
        self._home, self._snapshots, self._limits = home, snapshots, limits
        self._queue: dict[str, Job] = {}  # insertion order is the order of work
        self._current: Job | None = None
        self._last: dict[str, Last] = {}
        self._starved = Starved(home)
        self._wake = threading.Condition()
        self._closing = False
        self._child: Child | None = None
        self._first: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._run, name="maintenance", daemon=True)

    def start(self, first: Callable[[], None]) -> None:
        """Starts the maintenance thread, which calls `first` before any work."""
        self._first = first
        self._thread.start()

    def adjust(self, limits: Limits) -> None:
        """Holds from the next run on."""
        self._limits = limits

    def submit(self, scopes: Sequence[Scope], cause: str, *, force: bool = False, urgent: bool = False) -> list[Job]:
        """A job for each scope; one that waits already is joined, one that runs is followed by another."""
        with self._wake:
            jobs = [self._enqueue(scope, cause, force, urgent) for scope in scopes]
            self._wake.notify_all()
        return jobs

    def wait(self, jobs: Sequence[Job], task: Task) -> None:
        """Returns when all jobs have ended, telling the task how far they are; raises what the task raises."""
        for number, job in enumerate(jobs):
            while not job.finished.wait(0.1):
                task.check()
                current = self._current or job
                task.progress(
                    current.stage,
                    current.done,
                    current.total,
                    scope=f"{current.scope.id} ({number + 1}/{len(jobs)})",
                )

    def stage(self, scope: str) -> str | None:
        """What is happening to a scope: queued, walk, parse …; None when nothing is."""
        current = self._current
        if current is not None and current.scope.id == scope:
            return current.stage
        return "queued" if scope in self._queue else None

    def last(self, scope: str) -> Last | None:
        """How the scope's last run went."""
        return self._last.get(scope)

    @property
    def queue(self) -> list[str]:
        """The scopes at work and waiting, in order."""
        with self._wake:
            current = [self._current.scope.id] if self._current else []
            return current + list(self._queue)

    @property
    def busy(self) -> bool:
        """Whether anything is at work or waits."""
        return bool(self.queue)

    def forget(self, scope: str) -> None:
        """Drops what waits for a scope that is being removed, and ends a run of it."""
        with self._wake:
            job = self._queue.pop(scope, None)
            if job is not None:
                job.end(failed=f"{scope} was removed or purged")
            if self._current is not None and self._current.scope.id == scope:
                self._current.dropped = True
                if self._child is not None:
                    self._child.kill()
            self._wake.wait_for(lambda: self._current is None or self._current.scope.id != scope)
            self._last.pop(scope, None)
            self._starved.forget(scope)
        self._snapshots.drop(scope)

    def close(self) -> None:
        """Ends the indexer and the thread; what was under way is resumed by the next daemon."""
        with self._wake:
            self._closing = True
            child = self._child
            self._wake.notify_all()
        if child is not None:
            child.kill()
        if self._thread.is_alive():
            self._thread.join()

    def _enqueue(self, scope: Scope, cause: str, force: bool, urgent: bool) -> Job:
        job = self._queue.get(scope.id)
        if job is None:
            job = self._queue[scope.id] = Job(scope, cause)
        job.scope, job.cause = scope, cause
        job.force, job.urgent = job.force or force, job.urgent or urgent
        return job

    def _run(self) -> None:
        self._first()
        while (job := self._next()) is not None:
            self._work(job)
            with self._wake:
                self._current = None
                self._wake.notify_all()
        for job in list(self._queue.values()):
            job.end(failed="the daemon is stopping")

    def _next(self) -> Job | None:
        with self._wake:
            while not self._wake.wait_for(lambda: self._queue or self._closing, self._patience()):
                self._dismiss()
                for job in self._starved.fed():
                    self._enqueue(job.scope, "space was freed", job.force, job.urgent)
            if self._closing:
                return None
            self._current = self._queue.pop(next(iter(self._queue)))
            return self._current

    def _patience(self) -> float | None:
        if self._starved:
            return LOOK_SECONDS
        return self._limits.linger_s if self._child else None

    def _dismiss(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def _work(self, job: Job) -> None:
        for _ in range(ATTEMPTS):
            result = self._attempt(job)
            if result is not None or self._closing or job.dropped:
                break
        if result is None:
            result = {"event": "failed", "message": "the indexer died or hung, twice; the log says more"}
        self._conclude(job, result)

    def _attempt(self, job: Job) -> dict[str, Any] | None:
        """The indexer's last word on a job; None when it died."""
        child = self._indexer()
        if child is None:
            return None
        with Patience(child, self._limits.silence_s) as patience:
            last = self._hear(child, job, patience)
        if last is not None:
            return last
        if patience.lost:
            log.error("the indexer said nothing for %s s while it worked on %s", self._limits.silence_s, job.scope.id)
        elif not (job.dropped or self._closing):
            log.error("the indexer died while it worked on %s", job.scope.id)
        child.kill()
        self._child = None
        return None

    def _hear(self, child: Child, job: Job, patience: Patience) -> dict[str, Any] | None:
        try:
            child.channel.send(self._request(job))
            while (message := child.channel.receive()) is not None:
                patience.heard()
                if message["event"] != "progress":
                    return message
                job.stage, job.done, job.total = message["stage"], message["done"], message["total"]
        except (OSError, ValueError):  # it died, or its pipes were closed from under us
            pass
        return None

    def _indexer(self) -> Child | None:
        with self._wake:
            if self._closing:
                return None
            if self._child is None:
                try:
                    self._child = Child("indexer", ("--home", self._home))
                except OSError as problem:  # no process, no memory, no descriptor: the run fails, this thread stays
                    log.error("the indexer cannot be started: %s", problem)
            return self._child

    def _request(self, job: Job) -> Mapping[str, Any]:
        return {
            "op": "index",
            "scope": messages.pack_scope(job.scope),
            "force": job.force,
            "urgent": job.urgent,
            "max_file_bytes": self._limits.max_file_bytes,
        }

    def _conclude(self, job: Job, message: dict[str, Any]) -> None:
        id = job.scope.id
        failed = message.get("message") if message["event"] == "failed" else None
        if job.dropped:
            job.end(failed=f"{id} was removed")
            return
        if failed is None and not self._snapshots.refresh(id):
            failed = self._snapshots.damaged.get(id, "its stores do not agree")
        files = message.get("files", {})
        touched = sum(files.get(k, 0) for k in ("new", "changed", "removed"))
        no_space = bool(message.get("no_space"))
        self._last[id] = Last(job.cause, touched, message.get("ms", 0), time.time(), failed, no_space)
        self._starved.ended(job, no_space)
        if failed:
            log.warning("%s: not indexed: %s", id, failed)
        else:
            log.info("%s: generation %s, %s files, %s ms", id, message["generation"], touched, message["ms"])
        job.end(result=message, failed=failed)
