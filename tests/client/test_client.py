"""Requests over one connection: progress, several in flight, deadlines, cancelling, a daemon that says nothing."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from loci_client import client as module
from loci_client import errors, health, wire
from loci_client.client import Client

from .conftest import Place
from .stub import Stub, answers

LIMIT_MS = 60_000


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short patience, so that a silent daemon is found out soon."""
    monkeypatch.setattr(module, "QUIET_S", 0.05)
    monkeypatch.setattr(module, "PROBE_S", 0.05)
    monkeypatch.setattr(module, "GRACE_S", 0.05)
    monkeypatch.setattr(health, "AGAIN_S", 0.05)


@pytest.fixture
def daemon(place: Place) -> Iterator[Client]:
    with Client(place.paths, start=False) as client:
        yield client


def test_progress_comes_before_the_reply(place: Place, daemon: Client) -> None:
    """Every progress message reaches the caller, in order; the reply is returned."""

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        id = request["id"]
        return [wire.progress(id, "walk", n, 3, scope="a", unit="files", eta_ms=5) for n in range(3)] + [
            wire.reply(id, {"scopes": []})
        ]

    shown: list[dict[str, Any]] = []
    with Stub(place.socket(), handler):
        assert daemon.index_run(wait=True, on_progress=shown.append) == {"scopes": []}
    assert [body["done"] for body in shown] == [0, 1, 2]
    assert shown[0] == {"stage": "walk", "done": 0, "total": 3, "scope": "a", "unit": "files", "eta_ms": 5}


def test_several_requests_in_flight(place: Place, daemon: Client) -> None:
    """Replies find their request whatever their order, and strangers' ids are skipped."""
    waiting: list[dict[str, Any]] = []

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        waiting.append(request)
        if len(waiting) < 3:
            return []
        return [wire.reply(99, {})] + [wire.reply(r["id"], r["params"]) for r in reversed(waiting)]

    with Stub(place.socket(), handler):
        ids = [daemon.submit("echo", {"n": n}) for n in range(3)]
        assert [daemon.wait(id, LIMIT_MS) for id in ids] == [{"n": 0}, {"n": 1}, {"n": 2}]


def test_a_request_says_who_asks(place: Place, daemon: Client) -> None:
    """Each request carries its deadline and the client's protocol."""
    with Stub(place.socket()) as stub:
        daemon.route("q", cwd="/x", explain=True)
    request = stub.seen[0]
    assert request["client"]["protocol"] == wire.PROTOCOL
    assert request["deadline_ms"] > 0
    assert request["params"] == {"question": "q", "cwd": "/x", "explain": True}


def test_the_daemons_error_is_raised(place: Place, daemon: Client) -> None:
    """Code, sentence and detail arrive; the connection stays usable."""

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        if request["method"] == "ask":
            return [wire.error(request["id"], "ambiguous_name", "give the id", {"ids": ["a", "b"]})]
        return answers(request)

    with Stub(place.socket(), handler):
        with pytest.raises(errors.AmbiguousName, match="give the id") as caught:
            daemon.ask("q")
        assert caught.value.detail == {"ids": ["a", "b"]}
        assert daemon.hello()["protocol"] == wire.PROTOCOL


@pytest.mark.usefixtures("quick")
def test_a_deadline_ends_the_wait_and_cancels(place: Place, daemon: Client) -> None:
    """A daemon that lives and does not answer in time: DeadlinePassed, and the request is cancelled."""

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        return [] if request["method"] in ("ask", "cancel") else answers(request)

    with Stub(place.socket(), handler) as stub:
        id = daemon.submit("ask", {"question": "q"}, 300)
        with pytest.raises(errors.DeadlinePassed):
            daemon.wait(id, 300)
        daemon.hello()
    assert [r["params"] for r in stub.seen if r["method"] == "cancel"] == [{"id": id}]
    assert "hello" in [r["method"] for r in stub.seen]


@pytest.mark.usefixtures("quick")
def test_a_daemon_that_says_nothing_is_found_out(place: Place, daemon: Client) -> None:
    """Silence ends the wait long before the deadline: not even hello is answered."""
    with Stub(place.socket(), lambda request: []) as stub, pytest.raises(errors.LociError) as caught:
        daemon.call("ask", {"question": "q"}, 3_600_000)
    assert caught.value.status == 3
    assert "stop --force" in str(caught.value)
    assert [r["method"] for r in stub.seen][:2] == ["ask", "hello"]


def test_an_interrupt_cancels_the_request(place: Place, daemon: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while waiting sends cancel for that request, then goes on its way."""
    cancelled = threading.Event()

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        if request["method"] == "cancel":
            cancelled.set()
        return [wire.progress(request["id"], "walk", 1, 2)]

    def interrupt(body: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    with Stub(place.socket(), handler) as stub:
        with pytest.raises(KeyboardInterrupt):
            daemon.index_run(wait=True, on_progress=interrupt)
        assert cancelled.wait(60)
    assert stub.seen[1]["params"] == {"id": stub.seen[0]["id"]}


@pytest.mark.parametrize("body", [{}, {"result": 3}, {"result": None}])
def test_a_reply_without_shape_is_a_bad_peer(place: Place, daemon: Client, body: dict[str, Any]) -> None:
    """Neither a result nor an error: the daemon is not ours."""
    with Stub(place.socket(), lambda request: [{"id": request["id"], **body}]), pytest.raises(errors.BadPeer):
        daemon.status()


def test_without_a_daemon(daemon: Client) -> None:
    """A client that may not start one says which command does."""
    with pytest.raises(errors.NoDaemon, match="loci daemon start"):
        daemon.status()


def test_each_method_of_the_wire_is_a_method_of_the_client() -> None:
    """One typed method per method of the daemon."""
    methods = {name for name, _ in inspect.getmembers(Client, inspect.isfunction)}
    assert {name.replace(".", "_") for name in wire.METHODS} <= methods
