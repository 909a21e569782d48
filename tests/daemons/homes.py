"""A home with its own runtime directory, and the daemons that run in it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from loci_client import wire
from loci_client.errors import LociError
from loci_client.paths import Paths
from loci_client.transport import Connection

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STUB = os.path.join(ROOT, "tests", "daemons", "stub.py")
LOCI = [sys.executable, "-m", "loci_client"]
LIMIT_S = 60.0  # for a state to come; never what is asserted


def wait_until(state: Callable[[], Any], what: str = "the state") -> Any:
    """What `state` returns, once that is true."""
    end = time.monotonic() + LIMIT_S
    while not (found := state()):
        assert time.monotonic() < end, f"{what} did not come within {LIMIT_S:.0f} s"
        time.sleep(0.01)
    return found


def _command(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return b""


class Home:
    """A home below a short directory: a socket's path may have 107 bytes, and pytest's own are long."""

    def __init__(self, **extra: str) -> None:
        self.dir = tempfile.mkdtemp(prefix="loci-t-", dir="/tmp")
        self.runtime = os.path.join(self.dir, "run")
        os.mkdir(self.runtime, 0o700)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("LOCI_", "XDG_", "LISTEN_", "NOTIFY_"))}
        self.env |= {"LOCI_HOME": os.path.join(self.dir, "home"), "XDG_RUNTIME_DIR": self.runtime, "PYTHONPATH": ROOT}
        self.env |= extra
        self.started: list[subprocess.Popen[bytes]] = []

    @property
    def paths(self) -> Paths:
        """Where everything of this home lies."""
        return Paths(self.env, os.getuid())

    def spawn(self, *flags: str, argv: list[str] | None = None, **options: Any) -> subprocess.Popen[bytes]:
        """A daemon with the stub app, or another command; not waited for."""
        command = argv or [sys.executable, STUB, *flags]
        options.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen(command, env=self.env, cwd=self.dir, **options)
        self.started.append(process)
        return process

    def start(self, *flags: str) -> subprocess.Popen[bytes]:
        """A daemon with the stub app that answers hello."""
        process = self.spawn(*flags)
        wait_until(lambda: self.hello() or process.poll() is not None, "hello")
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        return process

    def loci(self, *args: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """The real command line, to its end; what hangs fails the test."""
        options = {"capture_output": True, "text": True, "timeout": LIMIT_S, **options}
        return subprocess.run([*LOCI, *args], env=self.env, cwd=self.dir, check=False, **options)

    def loci_begin(self, *args: str) -> subprocess.Popen[str]:
        """As `loci`, not waited for."""
        return subprocess.Popen(
            [*LOCI, *args], env=self.env, cwd=self.dir, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def ask(self) -> str:
        """Asks the daemon something real, which starts it if need be; stderr. Fails when no daemon answered."""
        done = self.loci("route", "where is the retry limit", "--json")
        assert done.returncode in (0, 1), (done.returncode, done.stdout, done.stderr)
        return done.stderr

    def daemons(self) -> list[int]:
        """The pids of this home's daemons, whoever started them, and of their children."""
        found = []
        for name in os.listdir("/proc"):
            if name.isdigit() and self._is_ours(int(name)) and b"loci_client" not in _command(int(name)):
                found.append(int(name))
        return found

    def hello(self) -> dict[str, Any] | None:
        """The result of hello, or None when nobody answers it."""
        try:
            connection = Connection(self.paths.socket(), os.getuid(), 5.0)
        except LociError:
            return None
        try:
            connection.send(
                wire.request(1, "hello", {}, 5000, {"name": "test", "version": "0", "protocol": wire.PROTOCOL})
            )
            body = connection.receive(10.0)
        except LociError:
            return None
        finally:
            connection.close()
        return body["result"] if body else None

    def file(self, name: str) -> str | None:
        """The text of a file of the daemon's folder, None when it is not there."""
        try:
            with open(os.path.join(self.paths.base, name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def marker(self) -> dict[str, Any]:
        """The running marker."""
        return json.loads(self.file("running") or "{}")

    def log(self) -> str:
        """The text of the log."""
        return self.file("log/locid.log") or ""

    def _is_ours(self, pid: int) -> bool:
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                return os.fsencode(f"XDG_RUNTIME_DIR={self.runtime}") in file.read().split(b"\0")
        except OSError:
            return False

    def close(self) -> None:
        """Ends what still runs, removes the directory."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stderr is not None:
                process.stderr.close()
        for pid in self.daemons():  # those that clients started
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.dir, ignore_errors=True)
