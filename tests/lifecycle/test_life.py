"""A daemon's life: one per home, what it leaves behind, what it refuses to step on."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading

import pytest

from loci_client import __version__, wire
from loci_client.process import start_time
from tests.daemons import Home, Ours, call, request, wait_until
from tests.daemons.homes import ROOT


def _end(home: Home, process: subprocess.Popen[bytes], number: int = signal.SIGTERM) -> int:
    process.send_signal(number)
    return process.wait(60)


def _stderr(process: subprocess.Popen[bytes]) -> str:
    assert process.stderr is not None
    return process.stderr.read().decode()


def _mode(path: str) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_what_a_daemon_writes(home: Home) -> None:
    """While it runs: marker, socket file, status and log, for the owner's eyes only."""
    process = home.start()
    marker = home.marker()
    assert marker == {
        "pid": process.pid,
        "start": start_time(process.pid),
        "instance": marker["instance"],
        "version": __version__,
        "protocol": wire.PROTOCOL,
    }
    assert re.fullmatch("[0-9a-f]{16}", marker["instance"])
    assert home.file("socket") == home.paths.computed_socket() + "\n"
    assert json.loads(home.file("status") or "")["instance"] == marker["instance"]
    for folder, _, files in os.walk(home.paths.base):
        assert _mode(folder) == 0o700, folder
        assert {_mode(os.path.join(folder, name)) for name in files} <= {0o600}
    assert _mode(home.paths.runtime()) == 0o700


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_clean_end_leaves_no_trace(home: Home, number: int) -> None:
    """A signal to stop ends it with status 0; lock, log and status stay, all else goes."""
    process = home.start()
    socket_path = home.paths.socket()
    assert _end(home, process, number) == 0
    assert sorted(os.listdir(home.paths.base)) == ["ended", "lock", "log", "status"]
    assert not os.path.exists(socket_path)
    assert os.listdir(home.paths.runtime()) == []
    assert json.loads(home.file("status") or "")["stopping"] is True


def test_the_loser_leaves_silently(home: Home) -> None:
    """Twenty at once: one lives, the others exit 75 and say nothing."""
    processes = [home.spawn() for _ in range(20)]
    wait_until(lambda: sum(p.poll() is not None for p in processes) == 19, "one daemon")
    wait_until(home.hello, "hello")
    losers = [p for p in processes if p.poll() is not None]
    assert {p.returncode for p in losers} == {75}
    assert {_stderr(p) for p in losers} == {""}
    assert "crash" not in home.log()


def test_sighup_is_ignored(home: Home) -> None:
    """The end of the terminal session is not the daemon's."""
    process = home.start()
    process.send_signal(signal.SIGHUP)
    assert home.hello() and process.poll() is None


def test_a_second_signal_ends_at_once(home: Home) -> None:
    """A first signal lets a request in flight finish; a second one does not."""
    process = home.start()
    client = Ours(home.paths.socket())
    client.send(request("wait", {"n": 600_000}))
    client.receive()
    process.send_signal(signal.SIGTERM)
    wait_until(lambda: (home.hello() or {}).get("stopping"), "the drain")
    assert _end(home, process) == 128 + signal.SIGTERM


def test_a_signal_to_a_daemon_that_computes(home: Home) -> None:
    """Signals are taken while all threads for questions compute."""
    process = home.start()
    client = Ours(home.paths.socket())
    for id in range(4):
        client.send(request("spin", {"n": 600_000}, id=id))
    client.receive()
    assert _end(home, process) == 0


def test_a_crash_is_counted(home: Home) -> None:
    """The daemon after a killed one notes it in the runtime directory; a clean end forgets all."""
    first = home.start()
    instance = home.marker()["instance"]
    first.kill()
    first.wait()
    second = home.start()
    with open(home.paths.crashes) as file:
        assert re.fullmatch(rf"\d+ {instance}\n", file.read())
    assert home.marker()["instance"] != instance
    assert _end(home, second) == 0
    assert not os.path.exists(home.paths.crashes)
    third = home.start()
    assert not os.path.exists(home.paths.crashes)
    assert _end(home, third) == 0


def test_a_crash_that_a_client_counted_counts_once(home: Home) -> None:
    """A client notes the death of the daemon it started by its pid; the next daemon does not note it again."""
    first = home.start()
    first.kill()
    first.wait()
    with open(home.paths.crashes, "w") as file:
        file.write(f"1 pid-{first.pid}\n")
    home.start()
    with open(home.paths.crashes) as file:
        assert file.read() == f"1 pid-{first.pid}\n"


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"instance": "a b\\nc"}', "\0\xff"])
def test_a_broken_marker_is_a_crash(home: Home, text: str) -> None:
    """Whatever the marker holds, the daemon starts and counts one crash on one line."""
    os.makedirs(home.paths.base)
    with open(home.paths.running, "w", encoding="latin-1") as file:
        file.write(text)
    home.start()
    with open(home.paths.crashes) as file:
        assert re.fullmatch(r"\d+ \S+\n", file.read())


def test_the_log_is_appended(home: Home) -> None:
    """A second life adds to the log of the first."""
    _end(home, home.start())
    first = home.log()
    _end(home, home.start())
    assert first and home.log().startswith(first)
    assert len(re.findall("ready", home.log())) == 2


def test_an_event_is_a_line(home: Home) -> None:
    """Each line begins with a time, or is indented below the event it belongs to; a failure has its traceback."""
    home.start("--log-level", "debug")
    call(Ours(home.paths.socket()), request("fail"))
    call(Ours(home.paths.socket()), request("hello", client={"name": "a\nb", "protocol": 1}))
    lines = home.log().splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ [\w.]+: |    ", line) for line in lines)
    assert any("KeyError: 'a defect'" in line for line in lines)


def test_questions_stay_out_of_the_log(home: Home) -> None:
    """Neither a request's text nor a refused one's is written, not even at debug."""
    home.start("--log-level", "debug")
    client = Ours(home.paths.socket())
    call(client, request("echo", {"text": "xyzzy-secret"}))
    call(client, request("echo", {"text": "xyzzy-secret", "n": "no"}))
    assert "xyzzy" not in home.log()


def test_threads_can_be_dumped(home: Home) -> None:
    """SIGUSR1 writes where every thread stands to the log; the daemon lives on."""
    process = home.start()
    process.send_signal(signal.SIGUSR1)
    wait_until(lambda: "most recent call first" in home.log(), "the dump")
    assert home.hello()


def test_a_stale_socket_is_replaced(home: Home) -> None:
    """The socket of a killed daemon does not keep the next one out."""
    first = home.start()
    first.kill()
    first.wait()
    assert os.path.exists(home.paths.computed_socket())
    home.start()
    assert "removed the stale socket" in home.log()


def _occupied(home: Home, make: str) -> str:
    os.makedirs(home.paths.runtime(), 0o700)
    path = home.paths.computed_socket()
    if make == "file":
        with open(path, "w") as file:
            file.write("precious")
    elif make == "directory":
        os.mkdir(path)
    else:
        os.symlink("/etc/hostname", path)
    return path


@pytest.mark.parametrize("make", ["file", "directory", "link"])
def test_what_is_no_socket_is_left_alone(home: Home, make: str) -> None:
    """Anything else at the socket's path is named on stderr with status 78, untouched, and no crash."""
    path = _occupied(home, make)
    process = home.spawn()
    assert process.wait(60) == 78
    assert path in _stderr(process)
    assert os.path.lexists(path)
    assert not os.path.exists(home.paths.running)


def test_a_live_socket_is_not_stolen(home: Home) -> None:
    """A listener of another home on our path is left alone and named."""
    os.makedirs(home.paths.runtime(), 0o700)
    path = home.paths.computed_socket()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.bind(path)
        other.listen(1)
        process = home.spawn()
        assert process.wait(60) == 78
        assert path in _stderr(process)
    assert os.path.exists(path)


def test_an_unusable_home_is_named(home: Home) -> None:
    """A home that cannot be made ends it with status 78 and a sentence that names the directory."""
    with open(home.env["LOCI_HOME"], "w"):
        pass
    process = home.spawn()
    assert process.wait(60) == 78
    error = _stderr(process)
    assert home.env["LOCI_HOME"] in error and error.count("\n") == 1


def test_an_unusable_log_is_named(home: Home) -> None:
    """A log that cannot be written ends it with status 78 and a sentence that names the directory."""
    os.makedirs(home.paths.log_dir)
    os.symlink("/dev/full/x", home.paths.log)
    process = home.spawn()
    assert process.wait(60) == 78
    assert home.paths.log_dir in _stderr(process)


def test_idle_exit(home: Home) -> None:
    """With --idle-exit it leaves by itself; hello and a client that only stays connected do not hold it."""
    process = home.start("--idle-exit", "0.5")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as half_open:
        half_open.connect(home.paths.socket())
        while process.poll() is None:
            home.hello()
    assert process.returncode == 0
    assert "idle for 0.5 s" in home.log()


def test_idle_exit_waits_for_work(home: Home) -> None:
    """A request longer than the limit is not cut short, nor is work in the background."""
    process = home.start("--idle-exit", "0.3")
    client = Ours(home.paths.socket())
    busy = os.path.join(home.paths.base, "busy")
    with open(busy, "w"):
        reply = call(client, request("wait", {"n": 1500}))[0]
        assert reply["result"] == {"waited": 1500}
    client.close()
    looks = len((home.file("busy.looks") or "").split())
    wait_until(lambda: len((home.file("busy.looks") or "").split()) > looks + 4, "four more limits")
    assert process.poll() is None
    os.unlink(busy)
    assert process.wait(60) == 0


def _build(home: Home, how: str) -> None:
    os.makedirs(home.paths.base, exist_ok=True)
    with open(os.path.join(home.paths.base, "build"), "w") as file:
        file.write(how)


def test_a_build_that_fails_is_a_crash(home: Home) -> None:
    """A defect while building ends it with its traceback in the log, and counts as a crash."""
    _build(home, "fail")
    process = home.spawn()
    assert process.wait(60) == 1
    assert _stderr(process) == "locid: ended by RuntimeError: a defect; its log has the traceback\n"
    assert "Traceback" in home.log() and home.marker()["pid"] == process.pid


def test_a_build_that_refuses_is_no_crash(home: Home) -> None:
    """An error that a person can mend ends it with status 78 and its sentence."""
    _build(home, "refuse")
    process = home.spawn()
    assert process.wait(60) == 78
    assert _stderr(process) == "locid: the registry is of a later version: upgrade loci-daemon\n"
    assert home.file("running") is None


def test_a_signal_while_it_builds(home: Home) -> None:
    """A daemon that is told to end before it is ready ends once it is, cleanly; who connected early is answered."""
    _build(home, "hold")
    process = home.spawn()
    wait_until(lambda: os.path.exists(home.paths.computed_socket()), "the socket")
    process.send_signal(signal.SIGTERM)
    wait_until(lambda: "stopping: SIGTERM" in home.log(), "the signal")
    _build(home, "")
    assert process.wait(60) == 0
    assert home.file("running") is None


@pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="needs systemd-socket-activate")
def test_systemd_starts_it_on_demand(home: Home) -> None:
    """systemd's own activation: the first client starts the daemon and is answered."""
    path = os.path.join(home.dir, "activated.sock")
    stub = os.path.join(ROOT, "tests", "daemons", "stub.py")
    env = [f"--setenv={name}={home.env[name]}" for name in ("LOCI_HOME", "XDG_RUNTIME_DIR", "PYTHONPATH")]
    process = home.spawn(argv=["systemd-socket-activate", *env, "-l", path, sys.executable, stub])
    wait_until(lambda: os.path.exists(path), "the socket")
    assert call(Ours(path), request("hello"))[0]["result"]["pid"] == process.pid
    assert _end(home, process) == 0


WRAP = """
import os, sys
fd = int(sys.argv[1])
if fd != 3: os.dup2(fd, 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=sys.argv[2])
os.execv(sys.executable, [sys.executable, *sys.argv[3:]])
"""


def _activated(home: Home, fd: int, count: str = "1") -> subprocess.Popen[bytes]:
    """A daemon that is handed a descriptor as systemd does it."""
    stub = os.path.join(ROOT, "tests", "daemons", "stub.py")
    return home.spawn(argv=[sys.executable, "-c", WRAP, str(fd), count, stub], pass_fds=(fd,))


def test_a_passed_socket_is_used_and_kept(home: Home) -> None:
    """A listening socket from systemd is served, also who connected before; it outlives the daemon."""
    path = os.path.join(home.dir, "passed.sock")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
        listener.listen(8)
        process = _activated(home, listener.fileno())
        assert call(Ours(path), request("hello"))[0]["result"]["pid"] == process.pid
        wait_until(lambda: home.file("socket") == path + "\n", "the socket file")
        assert _end(home, process) == 0
        assert os.path.exists(path) and home.file("socket") is None


@pytest.mark.parametrize("kind", ["datagram", "not listening", "file", "two"])
def test_a_passed_socket_of_another_kind_is_refused(home: Home, kind: str) -> None:
    """Anything else passed ends it with status 78 and a sentence, not by an abort of libzmq."""
    path = os.path.join(home.dir, "passed.sock")
    datagram = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    (datagram if kind == "datagram" else stream).bind(path)
    with open(os.devnull) as file, datagram, stream:
        chosen = {"datagram": datagram, "file": file}.get(kind, stream)
        process = _activated(home, chosen.fileno(), "2" if kind == "two" else "1")
        assert process.wait(60) == 78
        assert _stderr(process).startswith("locid: ")


def test_systemd_is_told(home: Home) -> None:
    """READY=1 comes when it answers, STOPPING=1 when it ends."""
    path = os.path.join(home.dir, "notify")
    heard: list[bytes] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(path)
        home.env["NOTIFY_SOCKET"] = path
        process = home.spawn()
        notify.settimeout(60)
        heard.append(notify.recv(100))
        assert home.hello()
        stopper = threading.Thread(target=lambda: process.send_signal(signal.SIGTERM))
        stopper.start()
        heard.append(notify.recv(100))
        stopper.join()
    assert heard == [b"READY=1", b"STOPPING=1"]
    assert process.wait(60) == 0


def test_descriptors_are_raised(home: Home) -> None:
    """The soft limit of open files becomes the hard one: libzmq aborts when they run out."""
    process = home.spawn(
        argv=["/bin/sh", "-c", f'ulimit -Sn 64; exec "{sys.executable}" "{ROOT}/tests/daemons/stub.py"']
    )
    wait_until(home.hello, "hello")
    clients = [Ours(home.paths.socket()) for _ in range(100)]
    for client in clients:
        assert "result" in call(client, request("hello"))[0]
    with open(f"/proc/{process.pid}/limits") as file:
        row = next(line.split() for line in file if line.startswith("Max open files"))
    assert row[3] == row[4]
