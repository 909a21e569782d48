"""Fixtures that several folders share: real git repositories, and a clean environment."""

import os
import signal
import subprocess

import pytest

# Whoever starts the tests in the background makes them ignore interrupts, and their children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

WHO = {
    "GIT_AUTHOR_NAME": "Tess",
    "GIT_AUTHOR_EMAIL": "tess@localhost",
    "GIT_COMMITTER_NAME": "Tess",
    "GIT_COMMITTER_EMAIL": "tess@localhost",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
}


class Repository:
    """A git repository that a test writes into."""

    def __init__(self, root):
        self.root = str(root)
        os.makedirs(self.root, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *args: str) -> str:
        """What git prints."""
        command = ["git", "-C", self.root, *args]
        return subprocess.run(command, env=os.environ | WHO, check=True, capture_output=True, text=True).stdout

    def write(self, path: str, text: str) -> None:
        """Writes a file, and the folders above it."""
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as out:
            out.write(text)

    def commit(self, message: str) -> str:
        """Commits all there is; returns the hash."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def repository(tmp_path):
    """A function that makes repositories below the test's folder."""
    return lambda name="repo": Repository(tmp_path / "code" / name)
