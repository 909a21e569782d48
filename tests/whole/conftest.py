"""A home with the real daemon, and repositories in it."""

import json
import os
import shutil
import signal

import pytest

from tests.conftest import Repository
from tests.daemons.homes import Home, wait_until


class Machine(Home):
    """A home, a folder of repositories, and the commands that a person types."""

    def __init__(self) -> None:
        super().__init__()
        self.code = os.path.join(self.dir, "code")
        os.mkdir(self.code)

    def repository(self, name: str) -> Repository:
        """A new repository in the folder."""
        return Repository(os.path.join(self.code, name))

    def run(self, *args: str, status: int = 0) -> str:
        """What a command prints, once it ended with this status."""
        done = self.loci(*args, timeout=300)
        assert done.returncode == status, (args, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def json(self, *args: str, status: int = 0):
        """A command's result as data."""
        return json.loads(self.run(*args, "--json", status=status))

    def ask(self, question: str, cwd: str = "/", status: int = 0):
        """An answer as data."""
        return self.json("ask", question, "--cwd", cwd, status=status)

    def is_indexing(self, id: str) -> bool:
        """Whether a scope is being indexed right now."""
        return any(s["id"] == id and s["state"] == "indexing" for s in self.json("status")["scopes"])

    def child(self, role: str) -> int | None:
        """The pid of a child of the daemon, None when there is none."""
        for pid in self.daemons():
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if b"--role" in words and words[words.index(b"--role") + 1] == role.encode():
                return pid
        return None

    def halt(self) -> None:
        """Stops the daemon, by signal when need be."""
        self.loci("daemon", "stop", "--force")
        for pid in self.daemons():
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not self.daemons(), "the end of all processes")

    def end(self) -> None:
        """Stops the daemon and removes all."""
        self.halt()
        shutil.rmtree(self.dir)


@pytest.fixture
def machine():
    """A machine without a daemon yet."""
    made = Machine()
    yield made
    made.end()


RETRY = '''"""Retries of broken connections."""


def retry_delay(attempt, base=0.5, limit=30.0):
    """Seconds to wait before an attempt: doubled each time, jittered, never above the limit."""
    delay = min(limit, base * 2**attempt)
    return delay * jitter()


def jitter():
    """A factor between a half and one."""
    return 0.5 + random.random() / 2
'''

BAKERY = """# Bakery

How the dough is mixed, proofed and baked.

## Proofing

The sourdough is proofed in a basket at 24 degrees until it has doubled, four hours at the least.
"""


@pytest.fixture
def two(machine):
    """Two registered and indexed repositories: `queue`, of Python, and `bakery`, of prose."""
    queue = machine.repository("queue")
    queue.write("src/retry.py", RETRY)
    queue.write(
        "src/worker.py", "from retry import retry_delay\n\n\ndef work(job):\n    sleep(retry_delay(job.attempt))\n"
    )
    queue.commit("Double the wait between attempts\n\nThe broker fell over when all workers came back at once.")
    bakery = machine.repository("bakery")
    bakery.write("README.md", BAKERY)
    bakery.commit("Proof longer in winter")
    machine.run("setup", machine.code, "-y", "--no-service")
    return queue, bakery
