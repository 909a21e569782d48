"""Fault 2: a pid file outlives its daemon, and the pid belongs to another by now."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from tests.daemons import Home, wait_until


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """A process of this user that has nothing to do with us."""
    process = subprocess.Popen(["sleep", "1000"])
    yield process
    process.kill()
    process.wait()


def _name(home: Home, pid: int) -> None:
    """Files of ours name that pid, with a start time that is not its own."""
    os.makedirs(home.paths.base, exist_ok=True)
    body = json.dumps({"pid": pid, "start": "1", "instance": "0" * 16, "version": "0", "protocol": 1})
    for path in (home.paths.running, home.paths.status):
        with open(path, "w") as file:
            file.write(body)


def test_a_foreign_pid_in_the_files(home: Home, stranger: subprocess.Popen[bytes]) -> None:
    """A live foreign pid in marker and status: a daemon starts, answers and stops; the stranger lives."""
    _name(home, stranger.pid)
    assert home.loci("daemon", "stop", "--force").returncode == 0
    assert stranger.poll() is None
    home.ask()
    assert home.marker()["pid"] != stranger.pid
    assert home.loci("daemon", "stop", "--force").returncode == 0
    assert stranger.poll() is None


def test_a_wedged_daemon_whose_marker_names_a_stranger(home: Home, stranger: subprocess.Popen[bytes]) -> None:
    """`stop --force` ends the one that holds the lock, never the one that a file names."""
    home.ask()
    pid = home.marker()["pid"]
    os.kill(pid, signal.SIGSTOP)
    _name(home, stranger.pid)
    done = home.loci("daemon", "stop", "--force")
    assert done.returncode == 0, done.stderr
    wait_until(lambda: pid not in home.daemons(), "the end")
    assert stranger.poll() is None
    home.ask()
