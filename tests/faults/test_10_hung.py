"""Fault 10: an indexer that hangs is ended and started once more; nothing waits for it without end."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from locid.refresh.children import Child, Patience
from tests.conftest import Repository
from tests.daemons import wait_until
from tests.whole.conftest import Machine


def test_a_stopped_indexer(machine: Machine, two: tuple[Repository, Repository]) -> None:
    """SIGSTOP in the middle of a run: it is killed, another one does the work, and the log says why."""
    machine.run("config", "indexer_silence_s", "10")
    for number in range(300):
        two[0].write(f"many/f{number}.py", "\n".join(f"def made_{number}_{i}():\n    return {i}\n" for i in range(60)))
    running = machine.loci_begin("index", "queue", "--wait")
    pid = wait_until(lambda: machine.is_indexing("queue") and machine.child("indexer"), "the run")
    os.kill(pid, signal.SIGSTOP)
    assert running.wait(timeout=120) == 0, running.communicate()
    assert pid not in machine.daemons()
    assert "the indexer said nothing for 10.0 s while it worked on queue" in machine.log()
    assert machine.ask("what calls made_299_59?")["scopes"][0]["hits"][0]["path"] == "many/f299.py"
    running.communicate()


def test_a_child_that_speaks_is_not_ended() -> None:
    """Each word gives it all of its time again; the end of the watch leaves it alone."""
    child = Child("parser")
    try:
        with Patience(child, 3600.0) as patience:
            for _ in range(3):
                child.channel.send({"op": "commits", "commits": []})
                assert child.channel.receive() == {"commits": []}
                patience.heard()
        assert not patience.lost
        child.channel.send({"op": "commits", "commits": []})
        assert child.channel.receive() == {"commits": []}
    finally:
        child.close()


@pytest.mark.parametrize("stopped", [True, False])
def test_a_silent_child_is_ended(stopped: bool) -> None:
    """Whoever waits for its word gets the end of its output."""
    child = Child("parser")
    if stopped:
        os.kill(child.pid, signal.SIGSTOP)
    with Patience(child, 0.2) as patience:
        heard: list[object] = []

        def listen() -> None:
            try:
                heard.append(child.channel.receive())
            except ValueError:  # its pipes were closed while nobody read
                heard.append(None)

        reader = threading.Thread(target=listen)
        reader.start()
        reader.join(60)
        assert heard == [None]
        wait_until(lambda: patience.lost, "the end")
    child.kill()
