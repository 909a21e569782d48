"""Fault 3: the package is upgraded under a running daemon, and every command fails."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from loci_client.paths import ensure_runtime
from tests.daemons import Home, wait_until
from tests.daemons.homes import ROOT

KINDS = ("old", "deaf", "newer", "garbage", "noise")


def _stand_in(home: Home, kind: str) -> subprocess.Popen[bytes]:
    """A stand-in for the daemon that holds the lock and listens."""
    os.makedirs(home.paths.base, exist_ok=True)
    ensure_runtime(home.paths)
    script = os.path.join(ROOT, "tests", "faults", "old_daemon.py")
    argv = [sys.executable, script, kind, home.paths.lock, home.paths.computed_socket()]
    process = home.spawn(argv=argv, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.stdout.close()
    return process


@pytest.mark.parametrize("kind", [*KINDS, "silent"])
def test_stop(home: Home, kind: str) -> None:
    """`stop` ends whatever holds the lock, with force where it does not act on words; then a question is answered."""
    process = _stand_in(home, kind)
    done = home.loci("daemon", "stop")
    if done.returncode != 0:
        assert "--force" in done.stderr
        assert home.loci("daemon", "stop", "--force").returncode == 0
    process.wait(60)
    home.ask()


@pytest.mark.parametrize("kind", KINDS)
def test_a_question(home: Home, kind: str) -> None:
    """A question finds another protocol or garbage: it is replaced once, the user told, the question answered."""
    process = _stand_in(home, kind)
    stderr = home.ask()
    assert stderr.count("restarted") + stderr.count("was started") == 1, stderr
    process.wait(60)
    assert home.hello()
    assert "restarted" not in home.ask()


def test_a_silent_holder_is_named(home: Home) -> None:
    """Who holds the lock and says nothing is not killed by a question, but named with its cure."""
    process = _stand_in(home, "silent")
    old = os.stat(home.paths.lock).st_mtime - 1000
    with open(home.paths.running, "w") as file:
        file.write("{}")
    os.utime(home.paths.running, (old, old))
    done = home.loci("route", "where is it")
    assert done.returncode == 3
    assert str(process.pid) in done.stderr and "loci daemon stop --force" in done.stderr
    assert process.poll() is None


def test_a_new_client_and_the_real_daemon(home: Home) -> None:
    """The real daemon lets a client of any protocol ask hello, status and stop."""
    home.ask()
    code = (
        "from loci_client import wire; wire.PROTOCOL += 1\n"
        "from loci_client.cli.main import run; import sys; sys.argv[0] = 'loci'; run()"
    )
    argv = [sys.executable, "-c", code, "daemon", "stop"]
    assert subprocess.run(argv, env=home.env, timeout=60, check=False).returncode == 0
    wait_until(lambda: home.daemons() == [], "the end")
    assert home.file("running") is None
