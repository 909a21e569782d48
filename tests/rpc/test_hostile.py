"""Whatever arrives, the daemon lives on and hello answers; a body with an id gets an error under that id."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loci_client import wire
from loci_client.errors import ConnectionLost
from tests.daemons import Dealer, Home, request
from tests.daemons.clients import GREETING, Raw, final

MANY = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=80)
    | st.binary(max_size=80)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8) | st.integers(0, 9), inner, max_size=5)
    ),
    max_leaves=20,
)
ids = st.integers(-(2**63), 2**64 - 1) | st.text(max_size=64)
methods = st.sampled_from([*wire.METHODS, "echo", "fail", "refuse"]).filter(lambda name: name != "stop")


def _lives(dealer: Dealer) -> list[dict[str, Any]]:
    """The messages that came before the answer to a hello; fails when that does not come."""
    before = []
    dealer.send(request("hello", id="alive"))
    while (reply := dealer.receive()).get("id") != "alive":
        before.append(reply)
    assert "result" in reply
    return before


def _check(replies: list[dict[str, Any]]) -> None:
    for reply in replies:
        assert set(reply) in ({"id", "result"}, {"id", "error"})
        if "error" in reply:
            assert reply["error"]["code"] in wire.ERROR_CODES
            assert reply["error"]["message"]


@MANY
@given(body=values)
def test_any_value(dealer: Dealer, body: Any) -> None:
    """Any MessagePack value gets exactly one reply."""
    dealer.frames(msgpack.packb(body))
    replies = _lives(dealer)
    assert len(replies) == 1
    _check(replies)


@MANY
@given(id=ids, method=methods, params=values, deadline=values, client=values)
def test_any_fields(dealer: Dealer, id: Any, method: str, params: Any, deadline: Any, client: Any) -> None:
    """A request with any fields of any type is answered under its id."""
    body = {"id": id, "method": method, "params": params, "deadline_ms": deadline, "client": client}
    dealer.frames(msgpack.packb(body))
    reply = final(dealer, id)[0]
    _check([reply])
    assert _lives(dealer) == []


@MANY
@given(id=ids, params=st.dictionaries(st.sampled_from(["text", "n", "how", "some", "flag", "id"]), values))
def test_any_params(dealer: Dealer, id: Any, params: Any) -> None:
    """Parameters of the right names and any types are answered, or refused by name."""
    reply_echo, reply_cancel = (final_of(dealer, request(m, params, id=id)) for m in ("echo", "cancel"))
    for reply in (reply_echo, reply_cancel):
        assert "result" in reply or ("`" in reply["error"]["message"] and reply["error"]["code"] == "bad_request")


@MANY
@given(data=st.binary(max_size=4000))
def test_random_bytes(dealer: Dealer, data: bytes) -> None:
    """A body of random bytes gets exactly one reply."""
    dealer.frames(data)
    replies = _lives(dealer)
    assert len(replies) == 1
    _check(replies)


@MANY
@given(cut=st.integers(0, 200), tail=st.binary(min_size=1, max_size=3))
def test_truncated(dealer: Dealer, cut: int, tail: bytes) -> None:
    """A cut request, or one with bytes behind it, gets exactly one reply, and nothing of it is done."""
    whole = wire.encode(request("echo", {"text": "a" * 50}))
    dealer.frames(whole[:cut] if cut < len(whole) else whole + tail)
    replies = _lives(dealer)
    assert [reply["error"]["code"] for reply in replies] == ["bad_request"]


@MANY
@given(frames=st.lists(st.binary(max_size=100), min_size=2, max_size=40))
def test_many_frames(dealer: Dealer, frames: list[bytes]) -> None:
    """A message of several frames gets one reply: bad_request."""
    dealer.frames(*frames)
    replies = _lives(dealer)
    assert [reply["error"]["code"] for reply in replies] == ["bad_request"]


BOMBS = {
    "nested lists": b"\x91" * 1_000_000,
    "nested maps": b"\x81\xa1a" * 300_000,
    "nested to the limit": b"\x91" * 500 + b"\xc0",
    "a list of 4 billion": b"\xdd\xff\xff\xff\xff",
    "a map of 4 billion": b"\xdf\xff\xff\xff\xff\x01\x02",
    "a string of 4 GB": b"\xdb\xff\xff\xff\xff",
    "bytes of 4 GB": b"\xc6\xff\xff\xff\xff",
    "an extension of 4 GB": b"\xc9\xff\xff\xff\xff\x01",
    "a broken timestamp": b"\xc7\x0c\xff" + b"\xff" * 12,
    "an unknown extension": b"\xd4\x05\x00",
    "a key that is a list": b"\x81\x90\x01",
    "a key that is a map": b"\x81\x80\x01",
    "many small lists": b"\xdd\x00\x0f\xff\xf0" + b"\x90" * 0xFFFF0,
    "the reserved byte": b"\xc1",
    "nothing": b"",
    "text that is not UTF-8": b"\xa3\xff\xfe\xfd",
    "two messages": b"\x80\x80",
    "the limit in bytes": b"\xc6" + (wire.MAX_MESSAGE - 5).to_bytes(4, "big") + bytes(wire.MAX_MESSAGE - 5),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS.keys())
def test_bombs(dealer: Dealer, bomb: bytes) -> None:
    """A body built to exhaust a decoder gets one reply: bad_request."""
    dealer.frames(bomb)
    assert [reply["error"]["code"] for reply in _lives(dealer)] == ["bad_request"]


@pytest.mark.parametrize("params", ["nested", "wide"])
def test_bombs_within_a_request(dealer: Dealer, params: str) -> None:
    """A request whose parameters are a bomb is answered under its id."""
    value: Any = "x"
    if params == "nested":
        for _ in range(400):
            value = [value]
    else:
        value = [{} for _ in range(100_000)]
    reply = final_of(dealer, request("echo", {"text": "a", "some": value}, id=5))
    assert reply["error"]["code"] == "bad_request"


@contextlib.contextmanager
def _sent(path: str, data: bytes, greeted: bool) -> Iterator[None]:
    """A connection on which the bytes were sent, after a handshake or in its place; nothing is waited for."""
    if greeted:
        # A handshake in steps: libzmq stalls when everything comes at once, and would never see the bytes.
        connection = Raw(path, os.getuid(), 60.0)
        with contextlib.closing(connection), contextlib.suppress(OSError):
            connection.raw(data)
            yield
    else:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock, contextlib.suppress(OSError):
            sock.settimeout(30)
            sock.connect(path)
            sock.sendall(data)
            yield


@MANY
@given(data=st.binary(min_size=1, max_size=5000), greeted=st.booleans())
def test_raw_bytes(home: Home, dealer: Dealer, data: bytes, greeted: bool) -> None:
    """Bytes that are no ZMTP, before or after the handshake, hurt nobody; ZMTP/1.0 is what libzmq takes them for."""
    with _sent(home.paths.socket(), data, greeted):
        pass
    assert _lives(dealer) == []


RAW = {
    "http": (False, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    "zmtp 1.0": (False, b"\x01\x00" + b"\x05\x00abcd" * 500),
    "zeros": (False, bytes(100_000)),
    "half a greeting": (False, GREETING[:20]),
    "a greeting alone": (False, GREETING),
    "a greeting and junk": (False, GREETING + b"\x04\xff" + b"x" * 300),
    "a frame of 1 TiB": (True, b"\x02" + (1 << 40).to_bytes(8, "big") + b"abc"),
    "a frame of 2^63": (True, b"\x02" + b"\xff" * 8),
    "half a frame": (True, b"\x00\x50abc"),
    "half a message": (True, b"\x01\x03abc"),
    "a message that never ends": (True, b"\x01\x00" * 100_000),
    "unknown flags": (True, b"\xf8\x01a"),
    "an unknown command": (True, b"\x04\x05\x04JUNK"),
    "a ping": (True, b"\x04\x07\x04PING\x00\x01"),
    "a second handshake": (True, GREETING),
}


@pytest.mark.parametrize(("greeted", "data"), RAW.values(), ids=RAW.keys())
def test_raw(home: Home, dealer: Dealer, greeted: bool, data: bytes) -> None:
    """Known kinds of garbage hurt nobody, also while their connection stays open."""
    with _sent(home.paths.socket(), data, greeted):
        assert _lives(dealer) == []
    assert _lives(dealer) == []


def test_a_message_of_many_large_frames(home: Home, dealer: Dealer) -> None:
    """The limit is per frame; a message of several is refused and none of it kept."""
    dealer.frames(*[bytes(900_000)] * 20)
    assert [reply["error"]["code"] for reply in _lives(dealer)] == ["bad_request"]


def test_an_oversize_frame_ends_its_connection(home: Home, dealer: Dealer) -> None:
    """A frame over the limit closes the connection it came on, at its header, and no other."""
    raw = Raw(home.paths.socket(), os.getuid(), 60.0)
    raw.raw(b"\x02" + (wire.MAX_MESSAGE + 1).to_bytes(8, "big"))
    with pytest.raises(ConnectionLost):
        raw.receive(60.0)
    raw.close()
    assert _lives(dealer) == []


def test_nothing_was_logged_as_a_defect(home: Home) -> None:
    """None of it reached a handler's broad catch, but for the one that fails on purpose."""
    errors = [line for line in home.log().splitlines() if " ERROR " in line or " CRITICAL " in line]
    assert [line for line in errors if "fail for" not in line] == []
    assert os.path.exists(home.paths.running)


def final_of(dealer: Dealer, body: dict[str, Any]) -> dict[str, Any]:
    """The final reply to a request."""
    dealer.send(body)
    return final(dealer, body["id"])[0]
