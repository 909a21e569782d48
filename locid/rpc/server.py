"""The server: one thread that owns the link, and never blocks but in poll; handlers run in lanes.

Asleep without a timeout while nothing is in flight. A stop drains: new requests are refused, those in flight
get five seconds, then they are ended, and answers still unsent get a moment to leave.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence

from locid.control import Control
from locid.errors import Stopping
from locid.rpc.convert import Identity
from locid.rpc.dispatch import Dispatch
from locid.rpc.handlers import life
from locid.rpc.idle import next_look, should_exit
from locid.rpc.lanes import Lane
from locid.rpc.link import Link
from locid.rpc.method import Method
from locid.rpc.outbox import Outbox
from locid.rpc.tasks import RequestTask

log = logging.getLogger(__name__)

DRAIN_S = 5.0  # for requests in flight at a stop
FLUSH_S = 0.5  # for answers that a slow client has not taken by then
LANES = {"question": (4, 64), "work": (16, 64)}  # threads, places in line


class Server:
    """Answers requests on one listening socket, which it takes over, from `run` on until it is stopped."""

    def __init__(
        self,
        fd: int,
        label: str,
        methods: Sequence[Method],
        control: Control,
        *,
        idle_exit: float | None = None,
        busy: Callable[[], bool] = lambda: False,
        log_file: str = "the log",
    ) -> None:
        self._control = control
        self._idle_exit = idle_exit
        self._busy = busy
        self._done: deque[tuple[RequestTask, bytes]] = deque()
        self._grace: float | None = None  # seconds, once a stop was asked for
        self._drain_until: float | None = None
        self._lanes = {name: Lane(name, *sizes) for name, sizes in LANES.items()}
        self._link = Link(fd, label)
        self._outbox = Outbox(self._link.send, self._dropped)
        self._dispatch = Dispatch(
            (*self._own_methods(), *methods),
            self._lanes,
            Identity(control.version, control.instance),
            self._put,
            self._post,
            log_file,
        )

    def run(self) -> None:
        """Serves until stopped and drained; the socket is closed when it returns."""
        try:
            while not self._over(time.monotonic()):
                self._link.poll(self._timeout(time.monotonic()))
                self._turn()
        finally:
            for lane in self._lanes.values():
                lane.close()
            self._link.close()

    def stop(self) -> None:
        """Asks for a drain of five seconds at most; returns at once, from any thread."""
        self.drain(DRAIN_S)

    def drain(self, seconds: float) -> None:
        """Asks for a drain of that long at most; returns at once, from any thread."""
        self._grace = seconds
        self._dispatch.draining = True  # at once: what comes in the same batch as a `stop` is refused already
        self._link.wake()

    def _own_methods(self) -> tuple[Method, ...]:
        return life.methods(
            self._control,
            lambda peer, id: self._dispatch.cancel(peer, id),
            lambda: self._dispatch.draining,
        )

    def _turn(self) -> None:
        """One turn of the loop; takes what there is, waits for nothing."""
        self._begin_drain()
        while self._done:
            self._dispatch.finish(*self._done.popleft())
        for peer, frames in self._link.messages():
            self._dispatch.receive(peer, frames)
        now = time.monotonic()
        self._dispatch.tick(now)
        self._outbox.retry(now)
        self._leave_when_idle(now)
        if self._drain_until is not None and now >= self._drain_until:
            self._dispatch.end_all(Stopping("the daemon stopped before this was done: ask again"))

    def _begin_drain(self) -> None:
        if self._grace is not None and self._drain_until is None:
            self._drain_until = time.monotonic() + self._grace

    def _over(self, now: float) -> bool:
        if self._drain_until is None or self._dispatch.in_flight:
            return False
        return not len(self._outbox) or now >= self._drain_until + FLUSH_S

    def _timeout(self, now: float) -> float | None:
        """Seconds until the loop must act by itself; None: only a message or a wake-up matters."""
        times = [self._dispatch.next_tick(), self._outbox.next_retry(now)]
        if self._idle_exit is not None:
            times.append(next_look(now, self._dispatch.last_request, self._idle_exit))
        if self._drain_until is not None:
            times.append(self._drain_until)
        known = [t for t in times if t is not None]
        return max(0.0, min(known) - now) if known else None

    def _leave_when_idle(self, now: float) -> None:
        if self._idle_exit is None or self._drain_until is not None:
            return
        if self._dispatch.in_flight or self._busy():
            self._dispatch.last_request = now
        if should_exit(now, 0, False, self._dispatch.last_request, self._idle_exit):
            self._control.stop(f"idle for {self._idle_exit:g} s")

    def _put(self, peer: bytes, body: bytes, optional: bool) -> None:
        self._outbox.put(peer, body, time.monotonic(), optional=optional)

    def _post(self, task: RequestTask, body: bytes) -> None:
        self._done.append((task, body))
        self._link.wake()

    def _dropped(self, peer: bytes, why: str) -> None:
        self._dispatch.drop(peer, why)
