"""The handshake and the frames, against a stock ROUTER and against peers that misbehave."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing

import pytest

from loci_client import errors, transport, wire
from loci_client.transport import GREETING, Connection

from .conftest import Place
from .stub import Stub, hello

_READY = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06ROUTER\x08Identity\x00\x00\x00\x00"
READY = bytes([transport.COMMAND, len(_READY)]) + _READY
LIMIT_S = 30.0
UID = os.getuid()


class Peer:
    """A raw listener that plays one script for its first client, in a thread; the connection stays open after it."""

    def __init__(self, path: str, script: Callable[[socket.socket], None]) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(8)
        self._script = script
        self._played = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        client, _ = self._listener.accept()
        with client:
            try:
                self._script(client)
            finally:
                self._played.set()
            self._over.wait(LIMIT_S)

    def close(self) -> None:
        self._played.wait(LIMIT_S)
        self._over.set()
        self._listener.close()
        self._thread.join(LIMIT_S)


def take(client: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        data += client.recv(count - len(data))
    return data


def greet(client: socket.socket) -> None:
    """The server's side of the handshake, whole."""
    client.sendall(GREETING + READY)
    take(client, 64 + len(transport.READY))


def frame(data: bytes, flags: int = 0) -> bytes:
    if len(data) < 256:
        return bytes([flags, len(data)]) + data
    return bytes([flags | transport.LONG]) + len(data).to_bytes(8, "big") + data


def connect(place: Place, seconds: float = LIMIT_S) -> Connection:
    return Connection(place.paths.socket(), UID, seconds)


@pytest.mark.parametrize("size", [0, 1, 200, 255, 256, 70_000, 3_000_000])
def test_messages_of_every_size_come_back(place: Place, size: int) -> None:
    """Short frames, long frames and frames larger than a socket's buffer survive both ways."""
    with (
        Stub(place.socket(), lambda request: [wire.reply(request["id"], {"back": request["params"]})]),
        closing(connect(place)) as connection,
    ):
        connection.send(wire.request(7, "echo", {"text": "x" * size}, 1000, {}))
        body = connection.receive(LIMIT_S)
    assert body == {"id": 7, "result": {"back": {"text": "x" * size}}}


def test_bytes_that_are_no_utf8_survive(place: Place) -> None:
    """A directory's name that is not UTF-8 reaches the daemon unchanged."""
    with Stub(place.socket()) as stub, closing(connect(place)) as connection:
        connection.send(wire.request(1, "route", {"cwd": os.fsdecode(b"/tmp/\xff")}, 1000, {}))
        assert connection.receive(LIMIT_S)
    assert os.fsencode(stub.seen[0]["params"]["cwd"]) == b"/tmp/\xff"


def test_a_greeting_in_pieces(place: Place) -> None:
    """A handshake and a reply that arrive a byte at a time are understood."""

    def script(client: socket.socket) -> None:
        for byte in GREETING + READY + frame(wire.encode(wire.reply(1, hello()))):
            client.sendall(bytes([byte]))

    peer = Peer(place.socket(), script)
    with closing(peer), closing(connect(place)) as connection:
        body = connection.receive(LIMIT_S)
    assert body and body["result"]["instance"] == "stub"


def test_ping_gets_its_pong_and_other_commands_are_skipped(place: Place) -> None:
    """Commands between messages do not disturb them, and PING's context comes back."""
    pongs: list[bytes] = []

    def script(client: socket.socket) -> None:
        greet(client)
        client.sendall(frame(b"\x09SUBSCRIBE", transport.COMMAND) + frame(b"\x04PING\x00\x10ctx", transport.COMMAND))
        pongs.append(take(client, 10))
        client.sendall(frame(wire.encode({"id": 1, "result": {}})))

    peer = Peer(place.socket(), script)
    with closing(peer), closing(connect(place)) as connection:
        assert connection.receive(LIMIT_S) == {"id": 1, "result": {}}
    assert pongs == [b"\x04\x08\x04PONGctx"]


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x00" * 64,
        b"\xff" + b"\x00" * 63,
        GREETING[:12] + b"CURVE".ljust(20, b"\0") + b"\0" * 32,
        GREETING[:10] + b"\x01" + GREETING[11:],
        GREETING + b"\x04\x0b\x05ERROR\x04nope",
        GREETING + b"\x00\x05hello",
        GREETING + b"\xf0\x00",
        GREETING + b"\x06" + b"\x7f" * 8,
        GREETING + READY + b"\x02" + (wire.MAX_MESSAGE + 1).to_bytes(8, "big"),
        GREETING + READY + frame(b"a", transport.MORE) + frame(b"b"),
        GREETING + READY + frame(b"\xc1"),
        GREETING + READY + frame(b""),
        GREETING + READY + frame(wire.encode({"id": 1})[:-1]),
        GREETING + READY + frame(b"\x93\x01\x02\x03"),
        GREETING + READY + frame(b"\x81\x90\x01"),
        GREETING + READY + frame(b"\x91" * 3000 + b"\x01"),
    ],
    ids=lambda data: data[:80].hex()[-24:] if isinstance(data, bytes) else None,
)
def test_a_peer_that_talks_nonsense_is_named_so(place: Place, data: bytes) -> None:
    """Whatever is no message of ours ends in BadPeer, at once and with a sentence."""
    peer = Peer(place.socket(), lambda client: client.sendall(data))
    with closing(peer), pytest.raises(errors.BadPeer, match="no loci daemon"):
        connection = connect(place)
        with closing(connection):
            connection.receive(LIMIT_S)


@pytest.mark.parametrize("data", [b"", GREETING[:20], GREETING, GREETING + READY[:9]])
def test_a_peer_that_says_too_little_is_silent(place: Place, data: bytes) -> None:
    """A handshake that does not end in time is Silent, not an endless wait."""
    peer = Peer(place.socket(), lambda client: client.sendall(data))
    with closing(peer), pytest.raises(errors.Silent):
        connect(place, 0.2)


@pytest.mark.parametrize("rest", [b"", b"\x02\x00\x00", b"\x00\x50abc"])
def test_a_peer_that_closes_within_a_frame(place: Place, rest: bytes) -> None:
    """The end of the connection is ConnectionLost wherever it comes."""

    def script(client: socket.socket) -> None:
        greet(client)
        client.sendall(rest)
        client.shutdown(socket.SHUT_RDWR)

    peer = Peer(place.socket(), script)
    with closing(peer), closing(connect(place)) as connection, pytest.raises(errors.ConnectionLost):
        connection.receive(LIMIT_S)


def test_a_receive_that_times_out_within_a_frame_goes_on(place: Place) -> None:
    """None at the deadline; the first half of the frame is kept for the next call."""
    go = threading.Event()
    data = frame(wire.encode({"id": 1, "result": {"x": "y" * 500}}))

    def script(client: socket.socket) -> None:
        greet(client)
        client.sendall(data[:100])
        go.wait(LIMIT_S)
        client.sendall(data[100:])

    peer = Peer(place.socket(), script)
    with closing(peer), closing(connect(place)) as connection:
        assert connection.receive(0.05) is None
        go.set()
        body = connection.receive(LIMIT_S)
    assert body and body["result"]["x"] == "y" * 500


@pytest.mark.parametrize("kind", ["missing", "stale", "file", "long"])
def test_nobody_listens(place: Place, kind: str) -> None:
    """A missing socket, a stale one, a file in its place and a path too long are all: no daemon."""
    path = place.socket("x" * 200 if kind == "long" else "s.sock")
    if kind == "stale":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
    if kind == "file":
        open(path, "w").close()
    with pytest.raises(errors.NoDaemon):
        connect(place)


def test_a_full_backlog_is_waited_for_and_then_silent(place: Place) -> None:
    """A stopped daemon whose queue of connections is full does not look like no daemon."""
    path = place.socket()
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as first:
        listener.bind(path)
        listener.listen(0)
        first.connect(path)
        began = time.monotonic()
        with pytest.raises(errors.Silent):
            connect(place, 0.2)
        assert time.monotonic() - began < LIMIT_S


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="needs SO_PEERCRED")
def test_another_users_listener_gets_nothing(place: Place) -> None:
    """Not even a greeting is sent to a process that is not ours."""
    got: list[bytes] = []
    peer = Peer(place.socket(), lambda client: got.append(client.recv(100)))
    with closing(peer), pytest.raises(errors.ForeignPeer, match="belongs to user"):
        Connection(place.paths.socket(), UID + 1, LIMIT_S)
    assert got == [b""]
