"""Two clients for the same exchanges: ours, which speaks ZMTP by hand, and a stock pyzmq DEALER."""

from __future__ import annotations

import os
from typing import Any

import zmq

from loci_client import wire
from loci_client.transport import GREETING, Connection

LIMIT_S = 60.0
__all__ = ["CLIENT", "GREETING", "Dealer", "Ours", "Raw", "call", "final", "request"]

CLIENT = {"name": "test", "version": "0", "protocol": wire.PROTOCOL}


def request(method: str, params: Any = None, id: Any = 1, deadline_ms: Any = 60_000, **more: Any) -> dict[str, Any]:
    """The body of a request; `more` replaces fields."""
    body = {"id": id, "method": method, "params": params or {}, "deadline_ms": deadline_ms, "client": CLIENT}
    return {**body, **more}


class Ours:
    """loci_client.transport."""

    def __init__(self, path: str) -> None:
        self._connection = Connection(path, os.getuid(), LIMIT_S)

    def send(self, body: Any) -> None:
        self._connection.send(body)

    def receive(self) -> dict[str, Any]:
        body = self._connection.receive(LIMIT_S)
        assert body is not None, "no message came"
        return body

    def close(self) -> None:
        self._connection.close()


class Dealer:
    """A stock DEALER; can send what ours refuses to: any frames."""

    def __init__(self, path: str, kind: int = zmq.DEALER) -> None:
        self._context = zmq.Context()
        self._socket = self._context.socket(kind)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.connect(f"ipc://{path}")

    def send(self, body: Any) -> None:
        self.frames(wire.encode(body))

    def frames(self, *frames: bytes) -> None:
        self._socket.send_multipart(frames)

    def receive(self) -> dict[str, Any]:
        assert self._socket.poll(int(LIMIT_S * 1000)), "no message came"
        frames = self._socket.recv_multipart()
        assert len(frames) == 1
        body = wire.decode(frames[0])
        assert isinstance(body, dict)
        return body

    def close(self) -> None:
        self._socket.close()
        self._context.term()


class Raw(Connection):
    """Ours, past the handshake, for bytes of any kind."""

    def raw(self, data: bytes) -> None:
        self._socket.sendall(data)


def call(client: Ours | Dealer, body: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The final reply to a request, and the progress before it; other requests' messages are skipped."""
    client.send(body)
    return final(client, body["id"])


def final(client: Ours | Dealer, id: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The final reply with that id, and the progress before it."""
    progress = []
    while True:
        reply = client.receive()
        if reply.get("id") == id and "progress" in reply:
            progress.append(reply["progress"])
        elif reply.get("id") == id:
            return reply, progress
