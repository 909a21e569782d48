"""Fault 10: kill -9 at any moment of indexing loses nothing, doubles nothing, and the work is resumed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import threading

import pytest

from tests.daemons.homes import ROOT
from tests.whole.conftest import Machine

QUESTION = "what calls wait_until?"


def stored(machine: Machine) -> tuple[set[bytes], set[bytes]]:
    """The keys of all chunks and the hashes of all commits of the one scope, from a store that is whole."""
    path = os.path.join(machine.paths.base, "scopes", "project", "store.db")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
        chunks = [row[0] for row in db.execute("select key from chunks")]
        assert len(chunks) == len(set(chunks))
        return set(chunks), {bytes(row[0]) for row in db.execute("select hash from commits")}


def project(machine: Machine) -> None:
    """This project's own sources, in a repository with some history."""
    repo = machine.repository("project")
    for folder in ("locid", "loci_client", "tests"):
        shutil.copytree(os.path.join(ROOT, folder), os.path.join(repo.root, folder), dirs_exist_ok=True)
        repo.commit(f"Bring {folder}")
    for number in range(40):
        repo.commit(f"Change number {number}")
    machine.run("setup", machine.code, "-y")


def kill_one(machine: Machine, choice: random.Random) -> None:
    """kill -9 of the daemon, the indexer or a parser, whichever the dice say and there is."""
    pids = {"daemon": (machine.hello() or {}).get("pid"), **{r: machine.child(r) for r in ("indexer", "parser")}}
    there = [pid for pid in pids.values() if pid]
    if there:
        os.kill(choice.choice(there), signal.SIGKILL)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_hundred_kills():
    """After each kill a question is answered and the store is whole; at the end it equals a fresh build."""
    machine, fresh, choice = Machine(), Machine(), random.Random(10)
    try:
        project(machine)
        for _ in range(100):
            running = machine.loci_begin("index", "--force", "--wait")
            threading.Event().wait(choice.uniform(0.1, 2.5))  # the moment is what is random
            kill_one(machine, choice)
            running.communicate(timeout=300)
            machine.loci("daemon", "start")  # three crashes in ten minutes want a person's word
            assert machine.ask(QUESTION)["outcome"] == "answered"
            stored(machine)
        machine.run("index", "--wait")
        shutil.copytree(os.path.join(machine.code, "project"), os.path.join(fresh.code, "project"), symlinks=True)
        fresh.run("setup", fresh.code, "-y")
        assert stored(machine) == stored(fresh)
    finally:
        machine.end()
        fresh.end()
