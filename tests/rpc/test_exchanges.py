"""The same exchanges hold for our client and for a stock pyzmq DEALER."""

from __future__ import annotations

from typing import Any

import pytest
import zmq

from loci_client import wire
from tests.daemons import Dealer, Home, Ours, call, request
from tests.daemons.clients import CLIENT, final

OLD = {"name": "old", "version": "0", "protocol": 99}

# (request, what the result holds)
ANSWERED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (request("hello"), {"protocol": wire.PROTOCOL, "warnings": ["a stub"], "stopping": False}),
    (request("hello", client=OLD), {"protocol": wire.PROTOCOL}),
    ({"id": 1, "method": "hello"}, {"protocol": wire.PROTOCOL}),
    (request("status", client=OLD), {"warm": ["stub"], "budget_mb": 600, "scopes": []}),
    (request("status", future_field=[1]), {"queue": 0}),
    (request("echo", {"text": "a"}), {"text": "a", "n": 1, "how": "a", "some": (), "flag": False}),
    (request("echo", {"text": "a", "n": 0, "how": "b", "some": ["x"], "flag": True}), {"n": 0, "some": ["x"]}),
    (request("echo", {"text": "a", "n": None, "unknown": {"x": 1}}), {"n": 1}),
    (request("echo", {"text": "caf\udce9"}, id="a" * 64), {"text": "caf\udce9"}),
    (request("echo", {"text": "a"}, id=-(2**63)), {"text": "a"}),
    (request("echo", {"text": "a"}, id=2**64 - 1), {"text": "a"}),
    (request("echo", {"text": "a"}, deadline_ms=None), {"text": "a"}),
    (request("cancel", {"id": "nothing"}), {"cancelled": False}),
]

# (request, code, a part of the sentence)
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    (request("nope"), "unknown_method", "'nope'"),
    (request("echo", client=OLD), "protocol_mismatch", "loci daemon restart"),
    (request("nope", client=OLD), "protocol_mismatch", "loci daemon restart"),
    (request("echo", client=None), "bad_request", "`client`"),
    (request("echo", client={**CLIENT, "protocol": "1"}), "bad_request", "`client`"),
    (request("echo", params=["a"]), "bad_request", "`params` must be a map"),
    (request("echo"), "bad_request", "echo needs `text`"),
    (request("echo", {"text": 1}), "bad_request", "`text` must be a string"),
    (request("echo", {"text": b"a"}), "bad_request", "not bytes"),
    (request("echo", {"text": "a\0"}), "bad_request", "without NUL"),
    (request("echo", {"text": "a" * 20_000}), "bad_request", "20000 characters"),
    (request("echo", {"text": "a", "n": "1"}), "bad_request", "`n` must be an integer from 0 to"),
    (request("echo", {"text": "a", "n": True}), "bad_request", "`n` must be an integer"),
    (request("echo", {"text": "a", "n": -1}), "bad_request", "not -1"),
    (request("echo", {"text": "a", "n": 1.5}), "bad_request", "not a float"),
    (request("echo", {"text": "a", "how": "c"}), "bad_request", "one of a, b"),
    (request("echo", {"text": "a", "how": ["a"]}), "bad_request", "one of a, b"),
    (request("echo", {"text": "a", "some": "x"}), "bad_request", "`some` must be a list"),
    (request("echo", {"text": "a", "some": ["x", 1]}), "bad_request", "`some` must be a list"),
    (request("echo", {"text": "a", "flag": 1}), "bad_request", "true or false"),
    (request("echo", {"text": "a"}, deadline_ms=0), "bad_request", "`deadline_ms`"),
    (request("echo", {"text": "a"}, deadline_ms=3_600_001), "bad_request", "an hour"),
    (request("echo", {"text": "a"}, deadline_ms="1"), "bad_request", "`deadline_ms`"),
    (request(3), "bad_request", "`method`"),
    ({"id": 1}, "bad_request", "`method`"),
    (request("cancel", {"id": 1.5}), "bad_request", "`id`"),
    (request("cancel"), "bad_request", "cancel needs `id`"),
    (request("fail"), "internal", "locid.log"),
    (request("panic"), "internal", "locid.log"),
    (request("numpy"), "internal", "locid.log"),
    (request("refuse"), "conflict", "taken"),
    (request("fill", {"n": wire.MAX_MESSAGE}), "too_large", "ask for less"),
]

# (request without a usable id, a part of the sentence)
NAMELESS: list[tuple[dict[str, Any], str]] = [
    (request("echo", id=None), "`id`"),
    (request("echo", id=True), "`id`"),
    (request("echo", id=1.0), "`id`"),
    (request("echo", id="a" * 65), "64 characters"),
    (request("echo", id=["a"]), "`id`"),
    ({"method": "echo"}, "`id`"),
    ({1: 2}, "`id`"),
    ({}, "`id`"),
]


@pytest.mark.parametrize(("body", "holds"), ANSWERED, ids=lambda v: str(v)[:60])
def test_answered(client: Ours | Dealer, body: dict[str, Any], holds: dict[str, Any]) -> None:
    """A well-formed request is answered under its id, with defaults filled and unknown fields ignored."""
    result = call(client, body)[0]["result"]
    assert {k: _plain(result[k]) for k in holds} == {k: _plain(v) for k, v in holds.items()}


@pytest.mark.parametrize(("body", "code", "part"), REFUSED, ids=lambda v: str(v)[:60])
def test_refused(client: Ours | Dealer, body: dict[str, Any], code: str, part: str) -> None:
    """A request that is wrong gets an error of the closed set, under its id, whose sentence says what is wrong."""
    error = call(client, body)[0]["error"]
    assert error["code"] == code and code in wire.ERROR_CODES
    assert part in error["message"]


@pytest.mark.parametrize(("body", "part"), NAMELESS, ids=lambda v: str(v)[:60])
def test_nameless(client: Ours | Dealer, body: dict[str, Any], part: str) -> None:
    """A request without a usable id is answered with id nil."""
    client.send(body)
    reply = client.receive()
    assert reply["id"] is None
    assert reply["error"]["code"] == "bad_request"
    assert part in reply["error"]["message"]


def test_detail(client: Ours | Dealer, home: Home) -> None:
    """A handler's detail, and that of a mismatch, arrive."""
    assert call(client, request("refuse"))[0]["error"]["detail"] == {"by": "b"}
    detail = call(client, request("echo", client=OLD))[0]["error"]["detail"]
    marker = home.marker()
    assert detail == {k: marker[k] for k in ("protocol", "version", "instance")}


def test_hello_and_marker_tell_the_same(client: Ours | Dealer, home: Home) -> None:
    """hello and status name the instance and the pid of the running marker."""
    marker = home.marker()
    for method in ("hello", "status"):
        result = call(client, request(method))[0]["result"]
        assert (result["instance"], result["pid"]) == (marker["instance"], marker["pid"])


def test_many_at_once(client: Ours | Dealer) -> None:
    """A client may send requests without waiting; each is answered once, under its own id."""
    for id in range(200):
        client.send(request("hello", id=id))
    assert sorted(client.receive()["id"] for _ in range(200)) == list(range(200))


def test_a_large_answer(client: Ours | Dealer) -> None:
    """An answer just below the limit arrives whole."""
    size = wire.MAX_MESSAGE - 64
    assert len(call(client, request("fill", {"n": size}))[0]["result"]["text"]) == size


def test_a_req_socket_is_told(home: Home, dealer: Dealer) -> None:
    """The empty frame of a REQ socket is refused in a sentence, under the id of the request."""
    dealer.frames(b"", wire.encode(request("hello", id=7)))
    reply = final(dealer, 7)[0]
    assert reply["error"]["code"] == "bad_request"
    assert "use a DEALER socket" in reply["error"]["message"]
    req = Dealer(home.paths.socket(), zmq.REQ)
    req.send(request("hello"))
    req.close()
    assert home.hello()


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
