"""Fault 4: the daemon is wedged, and every client hangs, `status` and `stop` too."""

from __future__ import annotations

import os
import signal

import pytest

from tests.daemons import Home, wait_until

COMMANDS = (["status"], ["route", "where is it"], ["ask", "where is it"], ["scopes"])


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_a_stopped_daemon(home: Home, command: list[str]) -> None:
    """SIGSTOP: each command ends with status 3 and names pid, log and cure; `stop --force` clears it."""
    home.ask()
    pid = home.marker()["pid"]
    os.kill(pid, signal.SIGSTOP)
    done = home.loci(*command)
    assert done.returncode == 3, (done.stdout, done.stderr)
    assert str(pid) in done.stderr
    assert home.paths.log in done.stderr
    assert "loci daemon stop --force" in done.stderr
    assert "Traceback" not in done.stderr
    assert home.loci("daemon", "stop", "--force").returncode == 0
    wait_until(lambda: pid not in home.daemons(), "the end")
    home.ask()


def test_a_daemon_that_comes_back(home: Home) -> None:
    """A daemon that was only slow answers again, and it is the same one."""
    home.ask()
    pid = home.marker()["pid"]
    os.kill(pid, signal.SIGSTOP)
    assert home.loci("status").returncode == 3
    os.kill(pid, signal.SIGCONT)
    home.ask()
    assert home.marker()["pid"] == pid


def _kill(home: Home) -> None:
    pid = home.marker()["pid"]
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: pid not in home.daemons(), "the end")


def test_a_daemon_that_crashes_again_and_again(home: Home) -> None:
    """Each question after a crash starts another daemon; after three counted ones clients give up and name the log,
    until `daemon start` begins anew."""
    for crashes in range(4):
        home.ask()
        if crashes:
            with open(home.paths.crashes) as file:
                assert len(file.read().splitlines()) == crashes
        _kill(home)
    done = home.loci("route", "where is it")
    assert done.returncode == 3
    assert home.paths.log in done.stderr and "loci daemon start" in done.stderr
    assert home.daemons() == []
    assert home.loci("daemon", "start").returncode == 0
    home.ask()
