"""Running work as those see it who do it: a request, and the daemon's life. No behaviour."""

from __future__ import annotations

from typing import Protocol

from locid.values import Check


class Task(Protocol):
    """A request being worked on, as a handler sees it."""

    @property
    def client(self) -> str:
        """Name and version of the client, for the log."""
        ...

    def check(self) -> None:
        """Raises Cancelled, Deadline or Stopping when the request should end now."""
        ...

    def progress(self, stage: str, done: int, total: int, *, scope: str | None = None, unit: str | None = None) -> None:
        """Records how far the work is; the server sends the latest at its own pace."""
        ...

    def wait(self, seconds: float) -> None:
        """Sleeps for at most that long, less when the request ends; then as `check`."""
        ...


class Control(Protocol):
    """The daemon's life as the server needs it; every call returns at once."""

    instance: str
    version: str

    def status(self) -> dict[str, object]:
        """The `status` result of the wire."""
        ...

    def warnings(self) -> list[str]:
        """Sentences for hello: what a client should know (limits, a read-only directory …)."""
        ...

    def checks(self) -> list[Check]:
        """The daemon's own rows of doctor."""
        ...

    def stop(self, reason: str) -> None:
        """Asks the daemon to drain and end; returns before it has."""
        ...
