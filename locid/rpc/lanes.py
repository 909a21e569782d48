"""Lanes: threads that run handlers, with a bounded line before them. Threads start when first needed."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

Job = Callable[[], None]


class Lane:
    """Up to `threads` threads and `waiting` jobs in line; `offer` never blocks. A job must not raise."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self.name = name
        self.waiting = waiting
        self._limit = threads
        self._jobs: deque[Job] = deque()
        self._ready = threading.Condition()
        self._threads = 0
        self._running = 0
        self._closed = False

    def offer(self, job: Job) -> bool:
        """Whether the job was taken: False when the line is full or the lane closed."""
        with self._ready:
            load = self._running + len(self._jobs)
            if self._closed or load >= self._limit + self.waiting:
                return False
            self._jobs.append(job)
            if load >= self._threads and self._threads < self._limit:
                self._start()
            self._ready.notify()
        return True

    def close(self) -> None:
        """Drops what is in line and ends the threads as they fall idle; does not wait (they are daemonic)."""
        with self._ready:
            self._closed = True
            self._jobs.clear()
            self._ready.notify_all()

    def _start(self) -> None:
        self._threads += 1
        name = f"{self.name}-{self._threads}"
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            job()
            with self._ready:
                self._running -= 1

    def _next(self) -> Job | None:
        with self._ready:
            while not self._jobs and not self._closed:
                self._ready.wait()
            if not self._jobs:
                return None
            self._running += 1
            return self._jobs.popleft()
