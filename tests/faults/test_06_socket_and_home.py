"""Fault 6: the socket's path is too long, of another's, or stale; the home cannot be written."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.daemons import Home, Ours, wait_until

NOBODY = 65534
as_root = pytest.mark.skipif(os.getuid() != 0, reason="needs root, to act as another user")


def _stops(home: Home) -> None:
    assert home.loci("daemon", "stop").returncode == 0
    wait_until(lambda: home.daemons() == [], "the end")


def test_a_long_home() -> None:
    """A HOME of 150 characters and nothing else set: answers."""
    home = Home()
    home.env.pop("LOCI_HOME")
    long = os.path.join(home.dir, "h" * 150)
    os.mkdir(long)
    home.env["HOME"] = long
    home.ask()
    assert home.paths.home.startswith(long)
    assert len(home.paths.socket()) <= 107
    _stops(home)
    home.close()


def test_a_long_runtime_directory() -> None:
    """A runtime directory of 150 characters: the socket lies in the short one, recorded in one place; answers."""
    home = Home()
    long = os.path.join(home.dir, "r" * 150)
    os.mkdir(long, 0o700)
    home.env["XDG_RUNTIME_DIR"] = home.runtime = long
    home.ask()
    path = (home.file("socket") or "").strip()
    assert path.startswith(f"/tmp/loci-{os.getuid()}/") and len(path) <= 107
    for folder in (os.path.dirname(path), f"/tmp/loci-{os.getuid()}"):
        assert os.stat(folder).st_mode & 0o777 == 0o700
    _stops(home)
    assert not os.path.exists(path)
    shutil.rmtree(os.path.dirname(path))
    home.close()


def test_a_home_at_the_edge() -> None:
    """Socket paths around the limit all answer, and none is longer."""
    for length in (60, 65, 70):
        home = Home()
        home.runtime = home.env["XDG_RUNTIME_DIR"] = os.path.join(home.dir, "r" * length)
        os.mkdir(home.runtime, 0o700)
        home.ask()
        assert len(home.paths.socket()) <= 107
        _stops(home)
        shutil.rmtree(home.paths.runtime(), ignore_errors=True)
        home.close()


def test_a_home_that_is_no_text() -> None:
    """A home whose name is not UTF-8 is refused with the cause and what to do: the stores take text."""
    home = Home()
    home.env["LOCI_HOME"] = os.path.join(home.dir, "caf\udce9 \u00e9")
    done = home.loci("route", "where is the retry limit")
    assert done.returncode == 3 and "UTF-8" in done.stderr and "LOCI_HOME" in done.stderr
    _stops(home)
    home.close()


def test_a_stale_socket(home: Home) -> None:
    """The socket of a killed daemon: the next question is answered."""
    home.ask()
    os.kill(home.marker()["pid"], signal.SIGKILL)
    wait_until(lambda: home.daemons() == [], "the end")
    assert os.path.exists(home.paths.socket())
    home.ask()


def test_a_stale_socket_file(home: Home) -> None:
    """`<home>/locid/socket` names a path that is gone: answered."""
    os.makedirs(home.paths.base)
    with open(home.paths.socket_file, "w") as file:
        file.write("/nonexistent/locid.sock\n")
    home.ask()


def test_a_file_in_its_place(home: Home) -> None:
    """A regular file at the socket's path is named and kept."""
    os.makedirs(home.paths.runtime(), 0o700)
    path = home.paths.computed_socket()
    with open(path, "w") as file:
        file.write("precious")
    done = home.loci("route", "where is it")
    assert done.returncode == 3
    assert path in done.stderr
    with open(path) as file:
        assert file.read() == "precious"


@pytest.fixture
def foreign(home: Home) -> Iterator[str]:
    """A socket at our path that belongs to another user, who listens."""
    os.makedirs(home.paths.runtime(), 0o700)
    path = home.paths.computed_socket()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.bind(path)
        sock.listen()
        os.chown(path, NOBODY, NOBODY)
        yield path


@as_root
def test_a_foreign_socket(home: Home, foreign: str) -> None:
    """Another user's socket at our path is named, and kept."""
    process = home.spawn()
    assert process.wait(60) == 78
    assert process.stderr and f"{foreign} belongs to user {NOBODY}" in process.stderr.read().decode()
    assert os.path.exists(foreign)


@as_root
def test_a_foreign_runtime_directory(home: Home) -> None:
    """A runtime directory of another user is named and not used."""
    folder = os.path.join(home.runtime, "loci")
    os.mkdir(folder)
    os.chown(folder, NOBODY, NOBODY)
    done = home.loci("route", "where is it")
    assert done.returncode == 3 and folder in done.stderr
    process = home.spawn()
    assert process.wait(60) == 78
    assert process.stderr and folder in process.stderr.read().decode()


DROP = """
import os, sys, {modules}
os.setgroups([]); os.setgid({nobody}); os.setuid({nobody})
"""  # imported first: the interpreter itself may lie where another user cannot read


def _as_nobody(modules: str, code: str, *args: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Runs the code as another user, who is nobody's owner."""
    text = DROP.format(modules=modules, nobody=NOBODY) + code
    argv = [sys.executable, "-c", text, *args]
    return subprocess.run(argv, env=env, text=True, capture_output=True, timeout=120, check=False)


CLIENT = (
    "loci_client.cli.main, loci_client.client, loci_client.launch, loci_client.render, pwd, hashlib",
    "loci_client.cli.main.run()",
)
DAEMON = ("locid.__main__, locid.app, locid.lifecycle, locid.rpc", "sys.exit(locid.__main__.main([]))")


@as_root
@pytest.mark.parametrize("part", ["", "locid"])
@pytest.mark.parametrize(("who", "status"), [(CLIENT, 3), (DAEMON, 78)], ids=["client", "daemon"])
def test_a_read_only_home(home: Home, part: str, who: tuple[str, str], status: int) -> None:
    """A home that the user cannot write is named, by the client and by the daemon."""
    os.makedirs(os.path.join(home.env["LOCI_HOME"], part))
    os.chmod(home.dir, 0o755)
    os.chown(home.runtime, NOBODY, NOBODY)
    done = _as_nobody(*who, *(["route", "where is it"] if who is CLIENT else []), env=home.env)
    assert done.returncode == status, done.stderr
    assert home.paths.base in done.stderr
    assert "Traceback" not in done.stderr


CONNECT = """
sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
sock.settimeout(30)
sock.connect(sys.argv[1])
try:
    sock.sendall(b"\\xff" + bytes(8) + b"\\x7f\\x03\\x00" + b"NULL".ljust(20, b"\\0") + bytes(32))
    print(len(sock.recv(64)))
except (ConnectionResetError, BrokenPipeError):
    print(0)
"""


@as_root
def test_another_user_is_not_served(home: Home) -> None:
    """Another user who reaches the socket, were its directory open, is refused before the handshake."""
    home.start()
    path = home.paths.socket()
    folder = os.path.dirname(path)
    while folder != "/tmp":
        os.chmod(folder, 0o755)
        folder = os.path.dirname(folder)
    os.chmod(path, 0o777)
    done = _as_nobody("socket", CONNECT, path, env=home.env)
    assert done.stdout == "0\n", done.stderr
    assert Ours(path)
