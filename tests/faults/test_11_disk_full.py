"""Fault 11: the disk is full. What is stored stays whole and answers, the reason is said, and work goes on with space."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator

import pytest

from locid.layout import Layout
from tests.conftest import Repository
from tests.daemons import wait_until
from tests.whole.conftest import BAKERY, Machine

SIZE_MB = 24
QUESTION = "how is the sourdough proofed in a basket?"
LATER = "where are the zeppelins moored?"


@pytest.fixture
def small() -> Iterator[Machine]:
    """A machine whose home lies on a small disk of its own, with one indexed project on another."""
    made = Machine()
    home = made.env["LOCI_HOME"]
    os.mkdir(home, 0o700)
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=0700", "none", home]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
        bakery = made.repository("bakery")
        bakery.write("README.md", BAKERY)
        bakery.commit("Proof longer in winter")
        made.run("setup", made.code, "-y", "--no-service")
        yield made
    finally:
        made.halt()
        subprocess.run(["umount", home], capture_output=True, check=False)
        made.end()


def ballast(machine: Machine) -> str:
    return os.path.join(machine.paths.home, "ballast")


def fill(machine: Machine, left: int) -> None:
    """Writes a file that leaves so many bytes."""
    with open(ballast(machine), "ab", buffering=0) as file, contextlib.suppress(OSError):
        while (free := shutil.disk_usage(machine.paths.home).free) > left:
            file.write(bytes(min(free - left, 1 << 16)))


def grow(machine: Machine, lists: int = 12) -> None:
    """More to index than fits: words that do not compress, 40 KB a list, and a document to ask for."""
    words = random.Random(11)
    root = os.path.join(machine.code, "bakery")
    for number in range(lists):
        text = "\n".join(" ".join(f"{words.getrandbits(60):x}" for _ in range(8)) for _ in range(300))
        with open(os.path.join(root, f"list{number}.md"), "w", encoding="utf-8") as file:
            file.write(f"# List {number}\n\n{text}\n")
    with open(os.path.join(root, "zeppelins.md"), "w", encoding="utf-8") as file:
        file.write("# Zeppelins\n\nThe zeppelins are moored at the mast behind the mill.\n")


def cited(machine: Machine, question: str) -> list[str | None]:
    """The paths that an answer cites; none when there is no answer."""
    done = machine.loci("ask", question, "--json")
    assert done.returncode in (0, 1), done.stderr
    return [hit["path"] for scope in json.loads(done.stdout)["scopes"] for hit in scope["hits"]]


def whole(machine: Machine) -> bool:
    path = Layout(machine.paths.home).store_db("bakery")
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
        return bool(store.execute("pragma integrity_check").fetchone() == ("ok",))


@pytest.mark.parametrize(("left", "lists"), [(300_000, 12), (2_000_000, 24)])
def test_indexing_on_a_full_disk(small: Machine, left: int, lists: int) -> None:
    """The run ends with one sentence that status and doctor repeat, the old answers stay, and freed space is used."""
    grow(small, lists)
    fill(small, left)
    failed = small.loci("index", "--wait")
    assert failed.returncode == 3
    assert "no space is left" in failed.stderr and "goes on by itself" in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1
    (row,) = small.json("status")["scopes"]
    assert row["state"] == "unavailable" and "no space is left" in row["reason"]
    (check,) = [c for c in small.json("doctor", status=1)["checks"] if c["check"] == "indexed"]
    assert "no space is left" in check["finding"] and check["fix"] == "free some space"
    assert cited(small, QUESTION)[0] == "README.md"
    assert cited(small, LATER) == []
    assert whole(small)
    os.remove(ballast(small))
    wait_until(lambda: cited(small, LATER)[:1] == ["zeppelins.md"], "the rest")
    assert cited(small, QUESTION)[0] == "README.md"
    assert whole(small)
    assert small.json("status")["scopes"][0]["state"] == "ready"


def test_registering_on_a_full_disk(small: Machine) -> None:
    """It is refused with one sentence that says what to do; nothing is registered, and later it can be."""
    new = small.repository("new")
    new.commit("one")
    fill(small, 0)
    failed = small.json("add", new.root, status=3)["error"]
    assert failed["code"] == "unavailable"
    assert "no space is left" in failed["message"] and "try again" in failed["message"]
    assert [scope["id"] for scope in small.json("scopes")["scopes"]] == ["bakery"]
    os.remove(ballast(small))
    small.run("add", new.root)
    assert [scope["id"] for scope in small.json("scopes")["scopes"]] == ["bakery", "new"]


def test_starting_on_a_full_disk(small: Machine) -> None:
    """A daemon that cannot start says why; with space it does, and everything is there."""
    fill(small, 0)
    small.run("daemon", "stop")
    fill(small, 0)
    failed = small.loci("ask", QUESTION)
    assert failed.returncode == 3
    assert "free space on its disk" in failed.stderr or "no space is left" in failed.stderr
    assert "Traceback" not in failed.stderr
    os.remove(ballast(small))
    small.run("daemon", "start")
    assert cited(small, QUESTION)[0] == "README.md"
    assert whole(small)


def test_indexing_where_no_file_may_grow(machine: Machine, two: tuple[Repository, Repository]) -> None:
    """With a limit on the size of files the run ends with one sentence and nothing is lost; without it, it succeeds."""
    machine.run("daemon", "stop")
    grow(machine)
    limited = "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000)); "
    machine.spawn(argv=[sys.executable, "-c", limited + "runpy.run_module('locid', run_name='__main__')"])
    wait_until(machine.hello, "hello")
    failed = machine.loci("index", "bakery", "--wait")
    assert failed.returncode == 3 and len(failed.stderr.strip().splitlines()) == 1
    assert cited(machine, QUESTION)[0] == "README.md"
    assert whole(machine)
    machine.run("daemon", "stop")
    machine.run("index", "bakery", "--wait")
    assert cited(machine, LATER)[0] == "zeppelins.md"
