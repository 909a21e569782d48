"""ZMTP 3.0 (NULL, DEALER) over a Unix socket, by hand: importing pyzmq costs 40 ms, this costs one.

A message is one frame that holds one MessagePack body (`wire`). Every wait has an end that the caller sets.
"""

import _socket
import sys
from time import monotonic, sleep

from . import wire
from .errors import BadPeer, ConnectionLost, ForeignPeer, NoDaemon, Silent

MORE, LONG, COMMAND = 1, 2, 4
GREETING = b"\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + b"\0" * 32
MAX_COMMAND = 4096  # READY with properties has some 60 bytes; more than this is no peer of ours


def _property(name: bytes, value: bytes) -> bytes:
    return bytes([len(name)]) + name + len(value).to_bytes(4, "big") + value


def _command(name: bytes, data: bytes) -> bytes:
    body = bytes([len(name)]) + name + data
    return bytes([COMMAND, len(body)]) + body


READY = _command(b"READY", _property(b"Socket-Type", b"DEALER") + _property(b"Identity", b""))


class Connection:
    """One connection to the daemon, past the handshake."""

    def __init__(self, path: str, uid: int, timeout: float) -> None:
        """Connects and greets within `timeout` seconds, or NoDaemon, ForeignPeer, BadPeer, Silent."""
        self._buffer = bytearray()
        self._path = path
        end = monotonic() + timeout
        self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            self._connect(end)
            self._check_owner(uid)
            self._greet(end)
        except BaseException:
            self.close()
            raise

    def fileno(self) -> int:
        """The socket's descriptor, for select."""
        return self._socket.fileno()

    def close(self) -> None:
        """Closes the socket; safe to call twice."""
        self._socket.close()

    def send(self, body: wire.Body, timeout: float = 5.0) -> None:
        """Sends one message; ConnectionLost, or Silent when the peer does not read."""
        data = wire.encode(body)
        head = bytes([0, len(data)]) if len(data) < 256 else bytes([LONG]) + len(data).to_bytes(8, "big")
        self._send(head + data, monotonic() + timeout)

    def receive(self, timeout: float) -> wire.Body | None:
        """The next message, or None after `timeout` seconds; BadPeer for what is no message of ours."""
        end = monotonic() + timeout
        while True:
            frame = self._frame(end, wire.MAX_MESSAGE)
            if frame is None:
                return None
            flags, data = frame
            if flags & COMMAND:
                self._answer(data)
            else:
                return self._decode(flags, data)

    # ---- handshake

    def _connect(self, end: float) -> None:
        """Connects; a full backlog (EAGAIN, nobody accepts) is tried again until `end`."""
        while True:
            self._socket.settimeout(_left(end))
            try:
                return self._socket.connect(self._path)
            except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError) as error:
                raise NoDaemon("no daemon is running: `loci daemon start` starts one") from error
            except (BlockingIOError, TimeoutError) as error:
                if monotonic() >= end:
                    raise self._silent() from error
                sleep(0.01)
            except OSError as error:
                raise NoDaemon(f"the socket {self._path} cannot be used: {error.strerror or error}") from error

    def _check_owner(self, uid: int) -> None:
        """ForeignPeer unless the listening process is ours (elsewhere the 0700 directory answers for it)."""
        if sys.platform != "linux":
            return
        data = self._socket.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        owner = int.from_bytes(data[4:8], sys.byteorder)
        if owner != uid:
            raise ForeignPeer(
                f"the socket {self._path} belongs to user {owner}, not to you, so nothing is sent to it: "
                "remove the file, then `loci daemon start`"
            )

    def _greet(self, end: float) -> None:
        self._send(GREETING, end)
        greeting = self._take(64, end)
        if greeting is None:
            raise self._silent()
        if greeting[0] != 0xFF or not greeting[9] & 1 or greeting[10] < 3 or greeting[12:32].rstrip(b"\0") != b"NULL":
            raise self._bad("it does not greet as ZMTP 3")
        self._send(READY, end)
        frame = self._frame(end, MAX_COMMAND)
        if frame is None:
            raise self._silent()
        if not frame[0] & COMMAND or not frame[1].startswith(b"\x05READY"):
            raise self._bad("it refuses the handshake")

    # ---- frames

    def _frame(self, end: float, limit: int) -> tuple[int, bytes] | None:
        """Flags and payload of the next frame; None at `end`, what came so far is kept for the next call."""
        while True:
            buffer = self._buffer
            if len(buffer) >= 2:
                flags = buffer[0]
                if flags > (MORE | LONG | COMMAND):
                    raise self._bad("a frame's flags are unknown")
                start = 9 if flags & LONG else 2
                if len(buffer) >= start:
                    size = int.from_bytes(buffer[1:start], "big")
                    if size > limit:
                        raise self._bad(f"a frame of {size} bytes is over the limit of {limit}")
                    if len(buffer) >= start + size:
                        data = bytes(buffer[start : start + size])
                        del buffer[: start + size]
                        return flags, data
            if not self._fill(end):
                return None

    def _take(self, count: int, end: float) -> bytes | None:
        """The next `count` bytes, or None at `end`; a first byte that no greeting has ends the wait."""
        while len(self._buffer) < count:
            if self._buffer and self._buffer[0] != 0xFF:
                raise self._bad("it does not greet as ZMTP 3")
            if not self._fill(end):
                return None
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data

    def _fill(self, end: float) -> bool:
        """Reads what is there into the buffer; False when nothing came before `end`."""
        self._socket.settimeout(_left(end))
        try:
            data = self._socket.recv(262144)
        except TimeoutError:
            return False
        except OSError as error:
            raise self._lost() from error
        if not data:
            raise self._lost()
        self._buffer += data
        return True

    def _send(self, data: bytes, end: float) -> None:
        self._socket.settimeout(_left(end))
        try:
            self._socket.sendall(data)
        except TimeoutError as error:
            raise self._silent() from error
        except OSError as error:
            raise self._lost() from error

    def _answer(self, command: bytes) -> None:
        """PING (ZMTP 3.1: two bytes of time to live, a context) gets its PONG; others are ignored."""
        if command.startswith(b"\x04PING"):
            self._send(_command(b"PONG", command[7 : 7 + 16]), monotonic() + 1.0)

    def _decode(self, flags: int, data: bytes) -> wire.Body:
        if flags & MORE:
            raise self._bad("a message has several frames")
        try:
            body = wire.decode(data)
        except ValueError as error:
            raise self._bad("a message is not MessagePack") from error
        if not isinstance(body, dict):
            raise self._bad("a message is not a map")
        return body

    # ---- what went wrong

    def _bad(self, why: str) -> BadPeer:
        return BadPeer(f"what listens on {self._path} is no loci daemon ({why}): `loci daemon restart`")

    def _silent(self) -> Silent:
        return Silent(f"the daemon on {self._path} does not answer: `loci daemon stop --force` ends it")

    def _lost(self) -> ConnectionLost:
        return ConnectionLost("the daemon ended before it answered: ask again, or see `loci daemon logs`")


def _left(end: float) -> float:
    """Seconds until `end`; never 0, which would mean a socket that does not wait at all."""
    return max(end - monotonic(), 0.001)
