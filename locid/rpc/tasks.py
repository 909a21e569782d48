"""A request being worked on: the loop ends it, the handler's thread notices."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from locid.errors import LociError

PROGRESS_S = 0.25  # how often a long request sends progress; also how soon a vanished client is noticed


class RequestTask:
    """The Task that a handler sees; `end` is called by the loop's thread, the rest by the handler's."""

    def __init__(self, peer: bytes, id: int | str, method: str, client: str, now: float, seconds: float) -> None:
        self.peer = peer  # the routing id of the connection
        self.id = id
        self.method = method
        self.started = now
        self.deadline = now + seconds
        self.next_progress = now + PROGRESS_S
        self._client = client
        self._stage: Mapping[str, Any] = {"stage": "working", "done": 0, "total": 0}
        self._error: LociError | None = None
        self._ended = threading.Event()

    @property
    def client(self) -> str:
        """Name and version of the client, for the log."""
        return self._client

    @property
    def ended(self) -> bool:
        """Whether the request was cut short: its result is no longer wanted."""
        return self._ended.is_set()

    @property
    def stage(self) -> Mapping[str, Any]:
        """The latest progress, as the arguments of wire.progress."""
        return self._stage

    def end(self, error: LociError) -> None:
        """Cuts the request short; the handler's next `check` or `wait` raises the error."""
        self._error = error
        self._ended.set()

    def check(self) -> None:
        """Raises Cancelled, Deadline or Stopping when the request should end now."""
        if self._error is not None:
            raise type(self._error)(self._error.message)

    def progress(self, stage: str, done: int, total: int, *, scope: str | None = None, unit: str | None = None) -> None:
        """Records how far the work is; the server sends the latest at its own pace."""
        # int() and str(): a numpy scalar has no encoding, and the loop, which encodes this, must not fail.
        self._stage = {
            "stage": str(stage),
            "done": int(done),
            "total": int(total),
            "scope": None if scope is None else str(scope),
            "unit": None if unit is None else str(unit),
        }

    def wait(self, seconds: float) -> None:
        """Sleeps for at most that long, less when the request ends; then as `check`."""
        self._ended.wait(seconds)
        self.check()
