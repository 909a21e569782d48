"""Starting, replacing and ending the daemon, with real processes in place of it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys

import pytest

from loci_client import client, halt, health, launch, process
from loci_client.errors import CannotStart

from .conftest import ROOT, STUB, Place

# A daemon that takes the lock, says so in its marker, and serves as the stub does.
SERVE = f"""
sys.argv = ["stub", place.home, place.computed_socket(), "--lock", "--note", os.path.join(place.home, "starts")]
sys.path.insert(0, {ROOT!r})
import runpy
runpy.run_path({STUB!r}, run_name="__main__")
"""
CRASH = 'print("boom", file=sys.stderr); sys.stderr.flush(); os.kill(os.getpid(), 9)\n'


def starts(place: Place) -> int:
    """How many daemons have served this home."""
    try:
        with open(os.path.join(place.home, "starts")) as file:
            return len(file.readlines())
    except FileNotFoundError:
        return 0


def test_the_first_question_starts_a_daemon(place: Place) -> None:
    """Once; the second one finds it; stop ends it and a second stop says that there is none."""
    place.fake_locid(SERVE)
    assert place.loci("ask", "q").returncode == 0
    assert place.loci("ask", "q").returncode == 0
    assert starts(place) == 1
    stopped = place.loci("daemon", "stop", "--json")
    assert json.loads(stopped.stdout) == {"ended": "drained"}
    assert place.loci("daemon", "stop").stdout == b"no daemon was running\n"
    assert place.crashes() == []


def test_twenty_clients_at_once_start_one(place: Place) -> None:
    """Every one of them is answered."""
    place.fake_locid(SERVE)
    argv = [sys.executable, "-m", "loci_client", "route", "q"]
    clients = [subprocess.Popen(argv, env=place.env, stdout=subprocess.PIPE) for _ in range(20)]
    assert [client.communicate(timeout=120)[0] is not None and client.returncode for client in clients] == [0] * 20
    assert starts(place) == 1


def test_the_users_directory_is_not_on_the_daemons_module_path(place: Place) -> None:
    """A repository's own json.py does not run inside the daemon."""
    place.fake_locid(SERVE)
    with open(os.path.join(place.dir, "json.py"), "w") as file:
        file.write("raise SystemExit('hijacked')")
    code = "from loci_client import launch, paths; print(launch.start(paths.find(), print)['protocol'])"
    done = subprocess.run([sys.executable, "-P", "-c", code], env=place.env, cwd=place.dir, capture_output=True)
    assert done.stdout == b"1\n", done.stderr


def test_three_crashes_and_it_gives_up(place: Place) -> None:
    """With the log's last lines and the command that tries again; that command forgets them first."""
    place.fake_locid(CRASH)
    done = place.loci("ask", "q")
    assert done.returncode == 3
    assert b"crashed 3 times" in done.stderr and b"loci daemon start" in done.stderr and b"boom" in done.stderr
    assert len(place.crashes()) == 3
    place.loci("ask", "q")
    assert len(place.crashes()) == 3
    place.loci("daemon", "start")
    assert len(place.crashes()) == 3


def test_a_crash_is_tried_again(place: Place) -> None:
    """One bad start does not cost the answer."""
    flag = os.path.join(place.dir, "crashed")
    place.fake_locid(f"if not os.path.exists({flag!r}):\n    open({flag!r}, 'w').close()\n    os.abort()\n{SERVE}")
    assert place.loci("ask", "q").returncode == 0
    assert len(place.crashes()) == 1


def test_old_crashes_do_not_count() -> None:
    """Ten minutes, and only lines that are lines."""
    now = 1_000_000.0
    lines = [f"{now - age:.0f} x" for age in (0, 599, 601, 5000)] + ["", "x y", "nan nan"]
    assert launch.recent_crashes(lines, now) == 2


def test_a_daemon_that_cannot_start_says_why(place: Place) -> None:
    """Its own sentence, at once; that is no crash."""
    place.fake_locid("print('locid: the disk is full: free some', file=sys.stderr); sys.exit(78)\n")
    done = place.loci("ask", "q")
    assert (done.returncode, done.stderr) == (3, b"loci: the disk is full: free some\n")
    assert place.crashes() == []


def test_a_lost_race_waits_for_the_winner(place: Place) -> None:
    """A child that ends with 75 found the lock held: the other daemon is waited for."""
    other = os.path.join(place.dir, "other")
    place.fake_locid(
        f"""
if os.path.exists({other!r}):
    os.execv(sys.executable, [sys.executable, {STUB!r}, place.home, place.computed_socket(), "--lock"])
open({other!r}, "w").close()
import subprocess
subprocess.Popen([sys.executable, "-P", "-m", "locid"], start_new_session=True)
while not os.path.exists(place.running):
    pass
sys.exit(75)
"""
    )
    assert place.loci("ask", "q").returncode == 0
    assert place.crashes() == []


def test_an_old_daemon_is_replaced_once_and_it_is_said(place: Place) -> None:
    """Another protocol number: drained, restarted, the question answered, one sentence on stderr."""
    old = place.stub("--protocol", "0", "--lock")
    place.fake_locid(SERVE)
    done = place.loci("ask", "q")
    assert done.returncode == 0
    assert done.stderr.decode().count("\n") == 1
    assert "protocol 0" in done.stderr.decode()
    assert old.wait(60) == 0
    assert place.loci("ask", "q").stderr == b""
    assert starts(place) == 1


@pytest.mark.parametrize("flags", [["--deaf"], ["--deaf", "--ignore-term"], ["--garbage"], ["--protocol", "0"]])
def test_stop_ends_whatever_holds_the_lock(place: Place, flags: list[str]) -> None:
    """Deaf, deaf to SIGTERM, talking nonsense, of another protocol: `stop` ends it, the next question is answered."""
    old = place.stub("--lock", *flags)
    done = place.loci("daemon", "stop")
    assert done.returncode == 0, done.stderr
    old.wait(60)
    place.fake_locid(SERVE)
    asked = place.loci("ask", "q")
    assert (asked.returncode, asked.stderr) == (0, b"")
    assert place.crashes() == []


def test_garbage_is_replaced_without_being_asked(place: Place) -> None:
    """A question finds a daemon that talks nonsense: ended, restarted, answered, said."""
    old = place.stub("--lock", "--garbage")
    place.fake_locid(SERVE)
    done = place.loci("route", "q")
    assert done.returncode == 0
    assert b"restarted" in done.stderr
    old.wait(60)


@pytest.mark.parametrize("argv", [["ask", "q"], ["status"], ["scopes"]])
def test_a_stopped_daemon_is_named(place: Place, argv: list[str]) -> None:
    """SIGSTOP: its pid, its log and the command that clears it; that command works."""
    old = place.stub("--lock")
    place.fake_locid(SERVE)
    old.send_signal(signal.SIGSTOP)
    done = place.loci(*argv)
    assert done.returncode == 3
    for words in (f"pid {old.pid}", "loci daemon stop --force", place.paths.log):
        assert words in done.stderr.decode()
    assert place.loci("daemon", "stop", "--force").returncode == 0
    assert old.wait(60) == -signal.SIGKILL
    assert place.loci("ask", "q").returncode == 0


def test_patience_adds_up() -> None:
    """A daemon that says nothing is reported within five seconds, and `stop` ends within ten, by their own waits."""
    assert client.HANDSHAKE_S + health.AGAIN_S < 4.5
    assert halt.HELLO_S + halt.DRAIN_S < 9
    assert halt.HELLO_S + halt.FORCED_DRAIN_S + halt.TERM_S + halt.KILL_S < 9


def test_a_strangers_pid_is_never_signalled(place: Place) -> None:
    """A marker whose pid was reused: the daemon starts, stop finds none, the stranger lives."""
    stranger = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        os.makedirs(place.paths.base)
        with open(place.paths.running, "w") as file:
            json.dump({"pid": stranger.pid, "start": "1", "instance": "x"}, file)
        open(place.paths.lock, "w").close()
        assert halt.stop(place.paths, force=True) == halt.NONE
        assert not process.send_signal(stranger.pid, "1", signal.SIGKILL)
        place.fake_locid(SERVE)
        assert place.loci("ask", "q").returncode == 0
        assert place.loci("daemon", "stop", "--force").returncode == 0
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc/locks")
def test_the_holder_is_known_without_its_marker(place: Place) -> None:
    """The kernel names it, and it has the lock file open."""
    old = place.stub("--lock")
    with open(place.paths.running, "w") as file:
        json.dump({"pid": os.getpid(), "start": "1"}, file)
    found = process.holder(place.paths)
    assert found is not None and found[0] == old.pid


def test_start_times_tell_processes_apart() -> None:
    """The same process has the same one, another process another pid or another time, none has none."""
    assert process.start_time(os.getpid()) == process.start_time(os.getpid())
    assert process.start_time(2**22 + 1) is None
    assert not process.is_stopped(os.getpid())


def test_a_listener_without_the_lock_is_taken_over(place: Place) -> None:
    """Something else answers on the recorded socket: it is left alive, a daemon of ours is started."""
    other = place.stub("--garbage")
    place.fake_locid(SERVE)
    done = place.loci("ask", "q")
    assert done.returncode == 0
    assert b"was started" in done.stderr
    assert other.poll() is None


def test_a_stale_socket_is_no_daemon(place: Place) -> None:
    """The path is there, nobody listens: one is started."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place.socket())
    place.fake_locid(SERVE)
    assert place.loci("ask", "q").returncode == 0


def test_a_long_home(place: Place) -> None:
    """A home whose path is longer than a socket's may be."""
    place.home = os.path.join(place.dir, "h" * 150)
    place.env |= {"LOCI_HOME": place.home, "XDG_RUNTIME_DIR": os.path.join(place.dir, "none")}
    place.fake_locid(SERVE)
    assert place.loci("ask", "q").returncode == 0


def test_a_home_that_cannot_be_made_is_named(place: Place) -> None:
    """One sentence with the directory and the way out."""
    open(place.home, "w").close()
    done = place.loci("ask", "q")
    assert done.returncode == 3
    assert done.stderr.decode().count("\n") == 1
    assert place.home in done.stderr.decode() and "LOCI_HOME" in done.stderr.decode()


def test_one_client_starts_at_a_time(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that holds the launch lock for too long is reported, not waited for without end."""
    monkeypatch.setattr(launch, "LAUNCH_LOCK_S", 0.05)
    launch._prepare(place.paths)
    with launch._LaunchLock(place.paths), pytest.raises(CannotStart, match="another client"):
        launch.start(place.paths, lambda sentence: None)


def test_logs(place: Place) -> None:
    """The last lines; 1 when there is none; -f goes on until interrupted."""
    assert place.loci("daemon", "logs").returncode == 1
    os.makedirs(place.paths.log_dir)
    with open(place.paths.log, "w") as file:
        file.write("".join(f"line {n}\n" for n in range(100)))
    assert place.loci("daemon", "logs", "-n", "2").stdout == b"line 98\nline 99\n"
    assert json.loads(place.loci("daemon", "logs", "--json", "-n1").stdout)["lines"] == ["line 99"]
    argv = [sys.executable, "-m", "loci_client", "daemon", "logs", "-f", "-n", "1"]
    with subprocess.Popen(argv, env=place.env, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"line 99\n"
        with open(place.paths.log, "a") as file:
            file.write("more\n")
        assert child.stdout.readline() == b"more\n"
        os.rename(place.paths.log, place.paths.log + ".1")
        with open(place.paths.log, "w") as file:
            file.write("rotated\n")
        assert child.stdout.readline() == b"rotated\n"
        child.send_signal(signal.SIGINT)
    assert child.returncode == 130
