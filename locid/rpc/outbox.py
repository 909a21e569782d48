"""What could not be sent yet, per client: retried for two seconds, then the client is dropped."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from locid.rpc.link import Sent

PATIENCE_S = 2.0  # a client that takes nothing for that long is dropped
RETRY_S = 0.01  # a ROUTER does not tell which peer has room again, so we look
MAX_BYTES = 32 * 1024 * 1024  # kept for one client


@dataclass(slots=True)
class _Held:
    since: float  # of the last message that it took, or of the first that it did not
    bodies: deque[bytes] = field(default_factory=deque)
    size: int = 0


class Outbox:
    """Sends without blocking; `dropped` is called with a client that vanished or does not read."""

    def __init__(self, send: Callable[[bytes, bytes], Sent], dropped: Callable[[bytes, str], None]) -> None:
        self._send = send
        self._dropped = dropped
        self._held: dict[bytes, _Held] = {}

    def __len__(self) -> int:
        return len(self._held)

    def put(self, peer: bytes, body: bytes, now: float, *, optional: bool = False) -> None:
        """Sends, or holds it behind what is held already; what is optional (progress) is then left out."""
        if peer in self._held:
            if not optional:
                self._hold(peer, body, now)
            return
        outcome = self._send(peer, body)
        if outcome == "gone":
            self._drop(peer, "it is gone")
        elif outcome == "full":
            self._hold(peer, body, now)

    def retry(self, now: float) -> None:
        """Tries everything held again, and drops who took nothing for two seconds."""
        for peer, held in list(self._held.items()):
            outcome = self._push(peer, held, now)
            if outcome == "gone":
                self._drop(peer, "it is gone")
            elif outcome == "full" and now - held.since >= PATIENCE_S:
                self._drop(peer, "it does not read its answers")

    def next_retry(self, now: float) -> float | None:
        """When to call `retry`; None while nothing is held."""
        return now + RETRY_S if self._held else None

    def _hold(self, peer: bytes, body: bytes, now: float) -> None:
        held = self._held.setdefault(peer, _Held(now))
        held.size += len(body)
        held.bodies.append(body)
        if held.size > MAX_BYTES:
            self._drop(peer, "it does not read its answers")

    def _push(self, peer: bytes, held: _Held, now: float) -> Sent:
        while held.bodies:
            outcome = self._send(peer, held.bodies[0])
            if outcome != "sent":
                return outcome
            held.size -= len(held.bodies.popleft())
            held.since = now
        del self._held[peer]
        return "sent"

    def _drop(self, peer: bytes, why: str) -> None:
        self._held.pop(peer, None)
        self._dropped(peer, why)
