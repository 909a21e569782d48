from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import pytest

from loci_client import process
from loci_client.paths import Paths

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STUB = os.path.join(ROOT, "tests", "client", "stub.py")


class Place:
    """A home below a short directory, its runtime directory, and the processes that a test starts there."""

    def __init__(self) -> None:
        self.dir = tempfile.mkdtemp(prefix="loci-c-", dir="/tmp")
        self.home = os.path.join(self.dir, "home")
        self.run = os.path.join(self.dir, "run")
        os.mkdir(self.run, 0o700)
        self.env = {
            k: v for k, v in os.environ.items() if not k.startswith(("LOCI_", "XDG_", "NO_COLOR", "PYTHONUNBUFFERED"))
        }
        self.env |= {"LOCI_HOME": self.home, "XDG_RUNTIME_DIR": self.run, "PYTHONPATH": ROOT}
        self.children: list[subprocess.Popen[str]] = []

    @property
    def paths(self) -> Paths:
        return Paths(self.env, os.getuid())

    def record(self, socket: str) -> str:
        """Writes `<home>/locid/socket`; returns the socket's path."""
        os.makedirs(self.paths.base, exist_ok=True)
        with open(self.paths.socket_file, "w") as file:
            file.write(socket + "\n")
        return socket

    def socket(self, name: str = "s.sock") -> str:
        """A recorded socket path in the test's own directory."""
        return self.record(os.path.join(self.dir, name))

    def stub(self, *flags: str) -> subprocess.Popen[str]:
        """The stub as a process of its own, ready."""
        argv = [sys.executable, STUB, self.home, os.path.join(self.dir, "s.sock"), *flags]
        child = subprocess.Popen(argv, env=self.env, stdout=subprocess.PIPE, text=True)
        self.children.append(child)
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        return child

    def loci(self, *argv: str, stdin: bytes | None = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
        """One command line, run to its end."""
        command = [sys.executable, "-m", "loci_client", *argv]
        return subprocess.run(
            command, env={**self.env, **env}, cwd=self.dir, input=stdin, capture_output=True, timeout=120
        )

    def fake_locid(self, body: str) -> None:
        """Makes `python -m locid` run this body, with `place` set to our Paths."""
        package = os.path.join(self.dir, "fake", "locid")
        os.makedirs(package)
        open(os.path.join(package, "__init__.py"), "w").close()
        with open(os.path.join(package, "__main__.py"), "w") as file:
            file.write("import os, sys\nfrom loci_client import paths\nplace = paths.find()\n" + body)
        self.env["PYTHONPATH"] = os.path.join(self.dir, "fake") + os.pathsep + ROOT

    def crashes(self) -> list[str]:
        try:
            with open(self.paths.crashes) as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def close(self) -> None:
        found = process.holder(self.paths)
        if found is not None:
            process.send_signal(*found, 9)
        for child in self.children:
            child.kill()
            child.wait()
            if child.stdout is not None:
                child.stdout.close()
        shutil.rmtree(self.dir, ignore_errors=True)


@pytest.fixture
def place() -> Iterator[Place]:
    place = Place()
    yield place
    place.close()
