"""The daemon as the server sees it: who it is, what it costs, and how to end it."""

from __future__ import annotations

import logging
import os
import resource
import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from locid.lifecycle import health
from locid.values import Check

log = logging.getLogger(__name__)


class App(Protocol):
    """What `build` returns; `status() -> dict`, `warnings() -> list[str]`, `busy() -> bool` are optional."""

    @property
    def methods(self) -> Sequence[Any]:
        """The methods that the server offers."""
        ...

    def close(self) -> None:
        """Ends threads and children, closes stores."""
        ...


class Daemon:
    """The Control of this process; every call returns at once, from any thread."""

    def __init__(self, version: str, budget_mb: int) -> None:
        self.version = version
        self.instance = secrets.token_hex(8)
        self._budget_mb = budget_mb
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._reason: str | None = None
        self._stop: Callable[[], None] | None = None
        self._app: App | None = None
        self._places: health.Places | None = None

    def placed(self, places: health.Places) -> None:
        """Tells where its files lie, for `checks`."""
        self._places = places

    def checks(self) -> list[Check]:
        """The daemon's own rows of doctor; none before it listens."""
        return list(health.checks(self._places)) if self._places else []

    def attach(self, app: App, stop: Callable[[], None]) -> None:
        """Tells whom to ask for status, and how to stop; a stop that was asked for before happens now."""
        with self._lock:
            self._app, self._stop = app, stop
            asked = self._reason is not None
        if asked:
            stop()

    def status(self) -> dict[str, object]:
        """The `status` result of the wire."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        own = {
            "version": self.version,
            "instance": self.instance,
            "pid": os.getpid(),
            "uptime_ms": int((time.monotonic() - self._started) * 1000),
            "rss_mb": round(resident_bytes() / 1e6, 1),
            "cpu_s": round(usage.ru_utime + usage.ru_stime, 2),
            "budget_mb": self._budget_mb,
            "stopping": self._reason is not None,
        }
        parts: Mapping[str, object] = self._ask("status", dict)
        return {"warm": [], "queue": 0, "limits": {}, "scopes": [], **own, **parts}

    def warnings(self) -> list[str]:
        """Sentences for hello."""
        warnings: list[str] = self._ask("warnings", list)
        return warnings

    def busy(self) -> bool:
        """Whether work runs in the background: then the daemon does not leave for idleness."""
        return bool(self._ask("busy", bool))

    def stop(self, reason: str) -> None:
        """Asks the daemon to drain and end; returns before it has."""
        with self._lock:
            first = self._reason is None
            self._reason = self._reason or reason
            stop = self._stop
        if first:
            log.info("stopping: %s", reason)
            if stop is not None:
                stop()

    def _ask(self, name: str, default: Callable[[], Any]) -> Any:
        answer = getattr(self._app, name, default)
        return answer()


def resident_bytes() -> int:
    """The memory of this process in bytes; elsewhere than on Linux its peak."""
    if sys.platform == "linux":
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
