"""Fault 1: many clients start at once, and several daemons appear."""

from __future__ import annotations

import json

from tests.daemons import Home, wait_until


def test_twenty_first_clients(home: Home) -> None:
    """Twenty first clients in parallel: one daemon, twenty answers, and nothing left after `stop`."""
    clients = [home.loci_begin("route", f"where is it {n}", "--json") for n in range(20)]
    for client in clients:
        stdout, stderr = client.communicate(timeout=120)
        assert client.returncode in (0, 1), stderr
        json.loads(stdout)
    pid = json.loads(home.loci("status", "--json").stdout)["pid"]
    assert home.log().count("ready:") == 1
    assert home.marker()["pid"] == pid
    assert pid in home.daemons()
    assert home.loci("daemon", "stop").returncode == 0
    wait_until(lambda: home.daemons() == [], "the end of all")
    assert home.file("running") is None and home.file("socket") is None


def test_rounds_of_stop_and_start(home: Home) -> None:
    """Clients that come while the daemon stops are answered by the next one."""
    for _ in range(5):
        home.ask()
        stopper = home.loci_begin("daemon", "stop")
        askers = [home.loci_begin("route", "where is it", "--json") for _ in range(4)]
        for client in (stopper, *askers):
            _, stderr = client.communicate(timeout=120)
            assert client.returncode in (0, 1), stderr
    assert "crashed" not in home.log()
