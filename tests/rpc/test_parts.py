"""The parts of the server by themselves: idleness, lanes, the outbox, the check of the listening socket."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator

import pytest

from locid.rpc.idle import next_look, should_exit
from locid.rpc.lanes import Lane
from locid.rpc.link import Link, NotAListener, Sent, check_listener
from locid.rpc.outbox import MAX_BYTES, PATIENCE_S, Outbox
from tests.daemons import wait_until


@pytest.mark.parametrize(
    ("now", "in_flight", "busy", "last", "leaves"),
    [
        (10.0, 0, False, 5.0, True),
        (9.9, 0, False, 5.0, False),
        (99.0, 1, False, 5.0, False),
        (99.0, 0, True, 5.0, False),
    ],
)
def test_should_exit(now: float, in_flight: int, busy: bool, last: float, leaves: bool) -> None:
    """A daemon leaves when nothing is in flight or at work and the limit has passed."""
    assert should_exit(now, in_flight, busy, last, 5.0) is leaves


def test_next_look() -> None:
    """It is looked at when the limit ends, and then again soon, never at once."""
    assert next_look(2.0, 1.0, 5.0) == 6.0
    assert next_look(8.0, 1.0, 5.0) == 9.0
    assert next_look(8.0, 1.0, 0.1) > 8.0


def test_a_lane_has_bounds() -> None:
    """A lane runs as many jobs as it has threads, holds as many more as it has places, and refuses the rest."""
    lane, gate, ran = Lane("t", 2, 3), threading.Event(), threading.Semaphore(0)

    def job() -> None:
        gate.wait()
        ran.release()

    assert [lane.offer(job) for _ in range(7)] == [True] * 5 + [False] * 2
    gate.set()
    for _ in range(5):
        assert ran.acquire(timeout=30)
    wait_until(lambda: lane.offer(ran.release), "a free place")
    assert ran.acquire(timeout=30)
    lane.close()
    assert not lane.offer(job)


class _Peer:
    """Takes messages while it has room."""

    def __init__(self) -> None:
        self.room = 0
        self.gone = False
        self.took: list[bytes] = []
        self.dropped: list[str] = []
        self.outbox = Outbox(self._send, lambda peer, why: self.dropped.append(why))

    def _send(self, peer: bytes, body: bytes) -> Sent:
        if self.gone:
            return "gone"
        if self.room == 0:
            return "full"
        self.room -= 1
        self.took.append(body)
        return "sent"


def test_outbox_keeps_order() -> None:
    """What did not fit is sent later, in order, and before what comes after it."""
    peer = _Peer()
    peer.room = 1
    for body in (b"1", b"2", b"3"):
        peer.outbox.put(b"p", body, 0.0)
    peer.room = 1
    peer.outbox.retry(0.1)
    peer.room = 9
    peer.outbox.put(b"p", b"4", 0.2)
    peer.outbox.retry(0.3)
    assert peer.took == [b"1", b"2", b"3", b"4"]
    assert len(peer.outbox) == 0 and not peer.dropped


def test_outbox_drops_who_takes_nothing() -> None:
    """Two seconds without a message taken drop the client; each one taken starts them anew."""
    peer = _Peer()
    for body in (b"1", b"2", b"3"):
        peer.outbox.put(b"p", body, 0.0)
    peer.room = 1
    peer.outbox.retry(PATIENCE_S - 0.1)
    peer.outbox.retry(PATIENCE_S + 1.0)
    assert not peer.dropped
    peer.outbox.retry(2 * PATIENCE_S)
    assert peer.dropped and len(peer.outbox) == 0


def test_outbox_is_bounded() -> None:
    """Progress is not piled up, and answers only so far."""
    peer = _Peer()
    for _ in range(5):
        peer.outbox.put(b"p", b"progress", 0.0, optional=True)
    peer.room = 9
    peer.outbox.retry(0.1)
    assert peer.took == [b"progress"]
    peer.room = 0
    for _ in range(3):
        peer.outbox.put(b"p", bytes(MAX_BYTES // 2), 0.2)
    assert peer.dropped


def test_outbox_drops_who_is_gone() -> None:
    """A client that vanished is dropped at the next message, held back or not."""
    peer = _Peer()
    peer.outbox.put(b"p", b"1", 0.0)
    peer.gone = True
    peer.outbox.retry(0.1)
    peer.outbox.put(b"p", b"2", 0.2, optional=True)
    assert len(peer.dropped) == 2


@pytest.fixture
def bad_fds() -> Iterator[list[int]]:
    """Descriptors with which libzmq would abort the process: files, pipes, other sockets, a closed one."""
    unix, inet, datagram = (
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
        socket.socket(socket.AF_INET, socket.SOCK_STREAM),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
    )
    inet.bind(("127.0.0.1", 0))
    inet.listen()
    pair = socket.socketpair()
    reader, writer = os.pipe()
    file = os.open(os.devnull, os.O_RDONLY)
    closed = os.open(os.devnull, os.O_RDONLY)
    os.close(closed)
    yield [unix.fileno(), inet.fileno(), datagram.fileno(), pair[0].fileno(), reader, file, closed]
    for sock in (unix, inet, datagram, *pair):
        sock.close()
    for fd in (reader, writer, file):
        os.close(fd)


def test_a_bad_descriptor_is_an_exception(bad_fds: list[int]) -> None:
    """What is no listening Unix stream socket raises before libzmq sees it."""
    for fd in bad_fds:
        with pytest.raises(NotAListener):
            check_listener(fd)
        with pytest.raises(NotAListener):
            Link(fd, "label")


def test_wake_is_safe_at_any_time() -> None:
    """A worker may wake the loop more often than it looks, and after it has ended."""
    name = f"/tmp/loci-t-{os.getpid()}.sock"
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(name)
    listener.listen()
    try:
        link = Link(listener.detach(), name + "\udcff" * 80)
        for _ in range(10_000):
            link.wake()
        link.poll(None)
        link.close()
        link.wake()
    finally:
        os.unlink(name)
