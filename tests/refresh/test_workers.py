"""A pool of parse workers outlives what it is given."""

import os
import signal
import subprocess

import pytest

from locid.refresh import workers
from locid.refresh.workers import Pool


def kill_parsers():
    found = subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", "role parser"], capture_output=True, text=True)
    for pid in found.stdout.split():
        os.kill(int(pid), signal.SIGKILL)


def commit(number):
    return (f"{number:040x}", 1_700_000_000 + number, f"subject {number}", "", ())


@pytest.fixture
def pool():
    made = Pool()
    made.grow(2)
    yield made
    made.close()


def test_every_commit_comes_back_although_parsers_are_killed(pool):
    """kill -9 of the parsers between and during requests loses no commit."""

    def requests():
        for start in range(0, 2000, 100):
            if start % 500 == 0:
                kill_parsers()
            yield {"op": "commits", "commits": [commit(n) for n in range(start, start + 100)]}

    found = [row[0][0] for reply in pool.map(requests()) for row in reply["commits"]]
    assert sorted(found) == [f"{n:040x}" for n in range(2000)]


def test_what_always_kills_is_quarantined_alone(pool, monkeypatch):
    """Of a batch with one row that kills every parser, only that row is given up."""
    exchange = workers._exchange

    def deadly(child, request):
        if any(row[0] == f"{7:040x}" for row in request["commits"]):
            os.kill(child.pid, signal.SIGKILL)
        return exchange(child, request)

    monkeypatch.setattr(workers, "_exchange", deadly)
    (reply,) = pool.map([{"op": "commits", "commits": [commit(n) for n in range(10)]}])
    subjects = {row[0][0]: row[0][2] for row in reply["commits"]}
    assert len(subjects) == 10
    assert [s for s in subjects.values() if "died" in s] == [subjects[f"{7:040x}"]]


def test_a_worker_that_cannot_start_fails_the_run_not_the_pool(pool, monkeypatch):
    """Without processes left the run ends with a sentence, and the pool works again later."""
    from locid.errors import Unavailable

    def refuse(role):
        raise OSError("no process left")

    with monkeypatch.context() as patch:
        patch.setattr(workers, "Child", refuse)
        with pytest.raises(Unavailable, match="no process left"):
            list(pool.map([{"op": "commits", "commits": [commit(1)]}]))
    assert len(list(pool.map([{"op": "commits", "commits": [commit(1)]}]))) == 1
