"""Requests in flight: each ends once, by its answer, deadline, cancel, vanished client or stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from loci_client import wire
from tests.daemons import Dealer, Home, Ours, call, request, wait_until
from tests.daemons.clients import Raw, final
from tests.daemons.homes import ROOT

LONG_MS = 600_000

CHILD = """
import sys, time
from tests.daemons import Ours, request
client = Ours(sys.argv[1])
client.send(request("wait", {"n": 600000}))
client.receive()
print("waiting", flush=True)
time.sleep(600)
"""


@pytest.fixture
def path(own_home: Home) -> str:
    """The socket of a daemon for this test alone."""
    own_home.start("--log-level", "debug")
    return own_home.paths.socket()


def _lines(home: Home) -> list[str]:
    return (home.file("ended") or "").split()


def test_progress(client: Ours | Dealer) -> None:
    """A request longer than 250 ms sends progress, the stage its handler recorded last; a short one sends none."""
    reply, progress = call(client, request("wait", {"n": 900}))
    assert reply["result"] == {"waited": 900}
    assert 1 <= len(progress) <= 4
    assert progress[0] == {"stage": "walk", "done": 1, "total": 2, "scope": "a"}
    assert call(client, request("echo", {"text": "a"}))[1] == []


def test_progress_without_a_stage(client: Ours | Dealer) -> None:
    """A handler that records no stage still shows a sign of life."""
    progress = call(client, request("spin", {"n": 700}))[1]
    assert progress[0] == {"stage": "working", "done": 0, "total": 0}


def test_deadline(own_home: Home, path: str) -> None:
    """A request past its deadline is answered `deadline`, its handler is told, and its late result goes nowhere."""
    client = Ours(path)
    reply = call(client, request("wait", {"n": LONG_MS}, deadline_ms=300))[0]
    assert reply["error"]["code"] == "deadline"
    assert "0.3 s" in reply["error"]["message"]
    wait_until(lambda: _lines(own_home) == ["Deadline"], "the handler's end")
    assert call(client, request("echo", {"text": "a"}, id=2))[0]["id"] == 2


def test_a_result_after_the_deadline_is_dropped(own_home: Home, path: str) -> None:
    """A handler that does not look answers late; its id is free by then, and its new owner gets its own answer."""
    client = Ours(path)
    reply = call(client, request("sleep", {"n": 600}, id=1, deadline_ms=100))[0]
    assert reply["error"]["code"] == "deadline"
    assert call(client, request("wait", {"n": 900}, id=1))[0]["result"] == {"waited": 900}


def test_cancel(own_home: Home, path: str) -> None:
    """A cancelled request is answered `cancelled` and its handler ends; another client's id is not touched."""
    client, other = Ours(path), Ours(path)
    client.send(request("wait", {"n": LONG_MS}, id="a"))
    other.send(request("wait", {"n": LONG_MS}, id="b"))
    assert call(other, request("cancel", {"id": "a"}, id=9))[0]["result"] == {"cancelled": False}
    client.send(request("cancel", {"id": "a"}, id=2))
    assert final(client, "a")[0]["error"]["code"] == "cancelled"
    assert final(client, 2)[0]["result"] == {"cancelled": True}
    wait_until(lambda: _lines(own_home) == ["Cancelled"], "the handler's end")
    assert call(client, request("cancel", {"id": "a"}, id=3))[0]["result"] == {"cancelled": False}


def test_an_id_in_flight_is_refused(own_home: Home, path: str) -> None:
    """A second request under an id in flight is refused and the first goes on."""
    client = Ours(path)
    client.send(request("wait", {"n": 1500}, id=1))
    client.send(request("echo", {"text": "a"}, id=1))
    reply = final(client, 1)[0]
    assert reply["error"]["code"] == "bad_request"
    assert "in flight" in reply["error"]["message"]
    assert final(client, 1)[0]["result"] == {"waited": 1500}


def test_a_killed_client_ends_its_work(own_home: Home, path: str) -> None:
    """SIGKILL of a client in mid-request ends the request's handler."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, path], env={**own_home.env, "PYTHONPATH": ROOT}, stdout=subprocess.PIPE
    )
    assert child.stdout and child.stdout.readline() == b"waiting\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    wait_until(lambda: _lines(own_home) == ["Cancelled"], "the handler's end")
    assert "it is gone" in own_home.log()


def test_clients_that_vanish_leave_nothing(own_home: Home, path: str) -> None:
    """Fifty clients that vanish in mid-request: every handler ends, every descriptor is given back."""
    client = Ours(path)
    call(client, request("wait", {"n": 1}))
    folder = f"/proc/{own_home.marker()['pid']}/fd"
    before = len(os.listdir(folder))
    for _ in range(5):
        ended = len(_lines(own_home))
        clients = [Ours(path) for _ in range(10)]
        for gone in clients:
            gone.send(request("wait", {"n": LONG_MS}))
        for gone in clients:
            gone.receive()
            gone.close()
        wait_until(lambda n=ended: len(_lines(own_home)) == n + 10, "the handlers' ends")
    assert set(_lines(own_home)) == {"Cancelled"}
    wait_until(lambda: len(os.listdir(folder)) <= before, "the descriptors")


def test_a_client_that_does_not_read_is_dropped(own_home: Home, path: str) -> None:
    """Who takes nothing for two seconds loses its requests; the others are answered all the while."""
    deaf = Raw(path, os.getuid(), 60.0)
    deaf.send(request("wait", {"n": LONG_MS}, id="long"))
    for id in range(40):
        deaf.send(request("fill", {"n": 500_000}, id=id))
    other = Ours(path)
    wait_until(lambda: call(other, request("hello"))[0]["result"] and _lines(own_home) == ["Cancelled"], "the drop")
    wait_until(lambda: "it does not read its answers" in own_home.log(), "the line in the log")
    deaf.close()


def test_busy(own_home: Home, path: str) -> None:
    """More than the lanes hold is refused with `busy`; hello, status and the other lane answer meanwhile."""
    client, other = Ours(path), Ours(path)
    for id in range(4 + 64):
        client.send(request("ask.wait", {"n": LONG_MS}, id=id))
    client.send(request("ask.wait", {"n": LONG_MS}, id="over"))
    error = final(client, "over")[0]["error"]
    assert error["code"] == "busy" and "64 requests" in error["message"]
    for method in ("hello", "status"):
        assert "result" in call(other, request(method))[0]
    assert call(other, request("wait", {"n": 1}))[0]["result"] == {"waited": 1}


def test_a_place_in_line_is_given_back(own_home: Home, path: str) -> None:
    """Cancelled requests leave the lane, and the next is admitted."""
    client = Ours(path)
    for id in range(4 + 64):
        client.send(request("ask.wait", {"n": LONG_MS}, id=id))
    for id in range(4 + 64):
        client.send(request("cancel", {"id": id}, id=f"c{id}"))
    assert final(client, "c67")[0]["result"] == {"cancelled": True}
    wait_until(lambda: "result" in call(client, request("echo", {"text": "a"}, id="new"))[0], "a free place")


def test_hello_while_workers_compute(own_home: Home, path: str) -> None:
    """hello, status and cancel answer while every thread for questions computes."""
    client, other = Ours(path), Ours(path)
    for id in range(4):
        client.send(request("spin", {"n": LONG_MS}, id=id))
    client.receive()
    for _ in range(20):
        assert call(other, request("hello"))[0]["result"]["protocol"] == wire.PROTOCOL
        assert call(other, request("status"))[0]["result"]["warm"] == ["stub"]
    for id in range(4):
        client.send(request("cancel", {"id": id}, id=f"c{id}"))
        assert final(client, id)[0]["error"]["code"] == "cancelled"


def test_stop_drains(own_home: Home, path: str) -> None:
    """After `stop` new requests get `stopping`, short ones in flight finish, and the daemon ends with status 0."""
    client = Ours(path)
    client.send(request("wait", {"n": 1500}, id="short"))
    assert call(client, request("stop", id=1))[0]["result"]["instance"] == own_home.marker()["instance"]
    assert call(client, request("echo", {"text": "a"}, id=2))[0]["error"]["code"] == "stopping"
    assert call(client, request("hello", id=3))[0]["result"]["stopping"] is True
    assert final(client, "short")[0]["result"] == {"waited": 1500}
    assert own_home.started[0].wait(60) == 0
    assert _lines(own_home) == ["closed"]


def test_stop_ends_what_takes_longer(own_home: Home, path: str) -> None:
    """What is in flight five seconds after `stop` gets `stopping`, and the daemon ends with status 0."""
    client = Ours(path)
    client.send(request("wait", {"n": LONG_MS}, id="long"))
    call(client, request("stop", id=1))
    assert final(client, "long")[0]["error"]["code"] == "stopping"
    assert own_home.started[0].wait(60) == 0
    assert "Stopping" in _lines(own_home)


def test_asleep_when_idle(own_home: Home, path: str) -> None:
    """With nothing in flight no thread of the daemon is woken, also with a client connected."""
    client = Ours(path)
    call(client, request("hello"))
    pid = own_home.marker()["pid"]
    wait_until(lambda: _switches(pid) == (time.sleep(1.0), _switches(pid))[1], "rest")
    before = _switches(pid)
    time.sleep(3.0)  # what is asserted is that nothing happens, which has no state to wait for
    assert _switches(pid) == before


def _switches(pid: int) -> int:
    """How often the process's threads have gone to sleep."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/status") as file:
            total += sum(int(line.split()[1]) for line in file if line.startswith("voluntary"))
    return total
