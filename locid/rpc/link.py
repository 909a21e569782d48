"""The ROUTER socket: the one place that knows zmq. One thread owns it, any may wake it; only `poll` waits.

What libzmq does not forgive: a bad descriptor aborts the process (USE_FD), so does running out of
descriptors, a blocking send to a peer that does not read stops the loop, and a peer may send
any frames it likes.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import socket
from collections.abc import Iterator
from typing import Literal
from urllib.parse import quote

import zmq

from loci_client import wire
from locid.errors import Unavailable

log = logging.getLogger(__name__)

Sent = Literal["sent", "full", "gone"]

HANDSHAKE_MS = 2_000
SEND_HWM = 16  # messages to one peer; the default of 1000 costs 100 MB for a peer that does not read
RECV_HWM = 64
LINGER_MS = 500
MAX_FRAMES = 3  # of one message that we keep: enough to say what is wrong with it
LABEL_MAX = 100
BATCH = 64  # messages taken before the loop looks at its timers again


class NotAListener(Unavailable):
    """The descriptor is no listening Unix stream socket."""


def check_listener(fd: int) -> None:
    """Raises NotAListener unless `fd` is a listening Unix stream socket; libzmq would abort the process."""
    try:
        with socket.socket(fileno=os.dup(fd)) as sock:
            unix = sock.family == socket.AF_UNIX and sock.type == socket.SOCK_STREAM
            listening = unix and sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1
    except OSError as error:
        raise NotAListener(f"descriptor {fd} cannot be listened on: {error.strerror}") from error
    if not listening:
        raise NotAListener(f"descriptor {fd} is not a listening Unix stream socket")


class Link:
    """A ROUTER on a listening socket that it takes over, and a way to wake its poll from any thread."""

    def __init__(self, fd: int, label: str) -> None:
        check_listener(fd)
        os.set_blocking(fd, False)  # libzmq accepts in its one I/O thread and trusts a USE_FD to be non-blocking
        self._context = zmq.Context(io_threads=1)
        self._router = self._open(fd, label)
        # A socket pair, not an inproc zmq socket: any thread may write to it, and none needs one of its own.
        self._wake_in, self._wake_out = socket.socketpair()
        self._wake_in.setblocking(False)
        self._wake_out.setblocking(False)
        self._poller = zmq.Poller()
        self._poller.register(self._router, zmq.POLLIN)
        self._poller.register(self._wake_in.fileno(), zmq.POLLIN)

    def _open(self, fd: int, label: str) -> zmq.Socket[bytes]:
        router = self._context.socket(zmq.ROUTER)
        router.setsockopt(zmq.LINGER, LINGER_MS)
        router.setsockopt(zmq.MAXMSGSIZE, wire.MAX_MESSAGE)
        router.setsockopt(zmq.HANDSHAKE_IVL, HANDSHAKE_MS)
        router.setsockopt(zmq.SNDHWM, SEND_HWM)
        router.setsockopt(zmq.RCVHWM, RECV_HWM)
        router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        router.setsockopt(zmq.USE_FD, fd)
        _filter_uid(router)
        # Only a label, USE_FD decides where clients come from: made safe, for a path may hold any bytes.
        router.bind(f"ipc://{quote(os.fsencode(label))[-LABEL_MAX:]}")
        return router

    def poll(self, seconds: float | None) -> None:
        """Returns when a message or a wake-up is there, or after that long; None waits for ever."""
        # Rounded up: a timeout of 0.4 ms rounded down to 0 spins until it has passed.
        self._poller.poll(None if seconds is None else max(0, int(seconds * 1000) + 1))
        with contextlib.suppress(BlockingIOError):
            while self._wake_in.recv(4096):
                pass

    def messages(self) -> Iterator[tuple[bytes, list[bytes]]]:
        """(routing id, frames) of the messages that have arrived, a batch of them at most."""
        for _ in range(BATCH):
            try:
                peer = self._router.recv(zmq.NOBLOCK)
            except zmq.Again:
                return
            yield peer, self._frames()

    def _frames(self) -> list[bytes]:
        frames: list[bytes] = []
        while self._router.getsockopt(zmq.RCVMORE):
            frame = self._router.recv(zmq.NOBLOCK)
            if len(frames) < MAX_FRAMES:  # MAXMSGSIZE bounds a frame, not a message
                frames.append(frame)
        return frames

    def send(self, peer: bytes, body: bytes) -> Sent:
        """Whether the message went out: `full` is worth another try, `gone` is not."""
        try:
            self._router.send_multipart([peer, body], zmq.NOBLOCK)
            return "sent"
        except zmq.Again:
            return "full"
        except zmq.ZMQError as error:
            if error.errno == errno.EHOSTUNREACH:
                return "gone"
            raise

    def wake(self) -> None:
        """Ends the current or the next poll; safe from any thread, and after close."""
        with contextlib.suppress(OSError):  # full: it wakes anyway
            self._wake_out.send(b"\0")

    def close(self) -> None:
        """Flushes for at most half a second and closes, the listening socket included."""
        self._router.close()
        self._context.term()
        self._wake_in.close()
        self._wake_out.close()


def _filter_uid(router: zmq.Socket[bytes]) -> None:
    # UID alone: the filters for UID, GID and PID are or-ed, so a second one would only let more in.
    try:
        router.setsockopt(zmq.IPC_FILTER_UID, os.getuid())
    except zmq.ZMQError:
        log.warning("clients are not filtered by user here: the mode of the socket's directory alone keeps others out")
