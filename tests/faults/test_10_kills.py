"""Fault 10: kill -9 at any moment of indexing loses nothing, doubles nothing, and the work is resumed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import threading

import pytest
import tantivy

from locid import texts
from locid.episodes import lexical
from locid.episodes.lexical import ShelfReader
from locid.layout import Layout
from tests.daemons.homes import ROOT, wait_until
from tests.whole.conftest import Machine

QUESTION = "what calls open_writer?"
Stored = tuple[set[bytes], set[bytes]]


def store(machine: Machine) -> sqlite3.Connection:
    """The truth of the one scope, read-only."""
    path = Layout(machine.paths.home).store_db("project")
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def stored(machine: Machine) -> Stored:
    """The keys of all chunks and the hashes of all commits of the one scope, from a store that is whole."""
    db = store(machine)
    assert db.execute("pragma integrity_check").fetchone() == ("ok",)
    chunks, commits = list(texts.CHUNKS.keys(db)), list(texts.COMMITS.keys(db))
    db.close()
    assert len(chunks) == len(set(chunks)) and len(commits) == len(set(commits))
    return set(chunks), set(commits)


def indexed(machine: Machine) -> Stored:
    """The same from the indexes, none of them twice."""
    shelves: list[set[bytes]] = []
    for shelf in (lexical.CHUNKS, lexical.COMMITS):
        reader = ShelfReader(Layout(machine.paths.home).lexical("project"), shelf)
        hits = reader.search(tantivy.Query.all_query(), 1_000_000)
        ids = [id for id in reader.ids([address for _, address in hits]) if id]  # the marker has none
        assert len(ids) == len(set(ids))
        shelves.append({bytes.fromhex(id) for id in ids})
    return shelves[0], shelves[1]


def project(machine: Machine) -> None:
    """This project's own sources, in a repository with some history."""
    repo = machine.repository("project")
    for folder in ("locid", "loci_client"):
        shutil.copytree(os.path.join(ROOT, folder), os.path.join(repo.root, folder), dirs_exist_ok=True)
        repo.commit(f"Bring {folder}")
    for number in range(40):
        repo.commit(f"Change number {number}")


def kill_one(machine: Machine, choice: random.Random) -> None:
    """kill -9 of the daemon, the indexer or a parser, whichever the dice say and there is."""
    pids = {"daemon": (machine.hello() or {}).get("pid"), **{r: machine.child(r) for r in ("indexer", "parser")}}
    there = [pid for pid in pids.values() if pid]
    if there:
        os.kill(choice.choice(there), signal.SIGKILL)


def kills(machine: Machine, number: int, longest: float) -> None:
    """Kills in so many runs, each at most that many seconds after its start; after each all is whole and answers."""
    choice = random.Random(10)
    for _ in range(number):
        machine.loci("index", "--force")
        threading.Event().wait(choice.uniform(0.05, longest))  # the moment is what is random
        kill_one(machine, choice)
        machine.loci("daemon", "start")  # three crashes in ten minutes want a person's word
        assert machine.ask(QUESTION)["outcome"] == "answered"
        stored(machine)
    machine.run("index", "--wait")


def equals_a_fresh_build(machine: Machine, fresh: Machine) -> None:
    """Stores and indexes hold what those of another home do, which has indexed a copy at once."""
    shutil.copytree(os.path.join(machine.code, "project"), os.path.join(fresh.code, "project"), symlinks=True)
    fresh.run("setup", fresh.code, "-y")
    assert stored(machine) == indexed(machine) == stored(fresh) == indexed(fresh)


@pytest.mark.parametrize(
    ("number", "longest"), [(20, 0.8), pytest.param(100, 2.0, marks=(pytest.mark.soak, pytest.mark.timeout(3600)))]
)
def test_kills(machine: Machine, number: int, longest: float) -> None:
    """After each kill a question is answered and the store is whole; at the end it equals a fresh build."""
    fresh = Machine()
    try:
        project(machine)
        machine.run("setup", machine.code, "-y")
        kills(machine, number, longest)
        equals_a_fresh_build(machine, fresh)
    finally:
        fresh.end()


def test_what_a_killed_daemon_left_undone_is_finished_by_the_next(machine: Machine) -> None:
    """Killed in its first index, the project is whole after the next start, without a word from anybody."""
    project(machine)
    machine.run("scan", machine.code, "-y")
    index = Layout(machine.paths.home).lexical("project")
    machine.run("index")
    wait_until(lambda: os.path.exists(os.path.join(index, "commits", "meta.json")), "the first files of its store")
    os.kill(machine.marker()["pid"], signal.SIGKILL)
    wait_until(lambda: not machine.daemons(), "the end of all processes")
    db = store(machine)
    assert db.execute("select value from meta where key = 'complete'").fetchone() is None
    db.close()
    machine.run("daemon", "start")
    wait_until(lambda: machine.json("status")["scopes"][0]["state"] == "ready", "the end of the work")
    assert stored(machine) == indexed(machine)
    assert len(stored(machine)[1]) == 42
