"""Fault 10: whichever one file of ours is deleted, everything is there again after the next start or run."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
from typing import Any

import pytest

from locid.layout import Layout
from tests.conftest import Repository
from tests.daemons import wait_until
from tests.whole.conftest import Machine

ALIAS = "waiting-line"
QUESTIONS = (
    ("how long is the wait between attempts after a broken connection?",),
    ("what calls retry_delay?",),
    ("how is the sourdough proofed in a basket?",),
    ("why did the broker fall over?", "--scope", ALIAS),
)
INDEX = "scopes/queue/lexical-v3/"
KINDS = [
    *("status", "lock", "log/locid.log", "config.toml", "thresholds.json", "registry.db", "registry.copy"),
    "scopes/queue/store.db",
    *(INDEX + name for name in ("terms-generation", "chunks/meta.json", "chunks/.managed.json", "files/segment.idx")),
]  # tests/refresh loses every other file of an index, without a daemon


@pytest.fixture
def asked(machine: Machine, two: tuple[Repository, Repository]) -> Machine:
    """Two indexed projects, one with an alias, and settings of their own."""
    machine.run("config", "log_level", "info")
    machine.run("add", two[0].root, "--alias", ALIAS)
    return machine


def answers(machine: Machine) -> list[Any]:
    """The citations of each question, in their order; scores count what was deleted and not yet merged away."""
    found = []
    for question in QUESTIONS:
        answer = machine.json("ask", *question, "--cwd", "/")
        hits = [(scope["id"], hit) for scope in answer["scopes"] for hit in scope["hits"]]
        found.append([(id, hit["path"], hit["line_start"], hit["line_end"], hit["text"]) for id, hit in hits])
    assert all(found)
    return found


def healed(machine: Machine) -> None:
    """A daemon runs, and each project has become ready."""
    machine.run("daemon", "start")
    wait_until(lambda: {s["state"] for s in machine.json("status")["scopes"]} == {"ready"}, "all projects")


def files(machine: Machine) -> dict[str, str]:
    """A file of each kind below our folder."""
    found = {}
    for folder, _, names in os.walk(machine.paths.base):
        for path in (os.path.join(folder, name) for name in names):
            kind = re.sub(r"[0-9a-f]{32}", "segment", os.path.relpath(path, machine.paths.base))
            found[re.sub(r"terms-\d+", "terms-generation", kind)] = path
    return found


def test_files_while_the_daemon_is_stopped(asked: Machine) -> None:
    """One is deleted after the other; after each next start the same questions have the same answers."""
    before = answers(asked)
    for kind in KINDS:
        asked.run("daemon", "stop")
        os.remove(files(asked)[kind])
        healed(asked)
        assert answers(asked) == before, kind


def test_no_kind_of_file_is_forgotten(asked: Machine) -> None:
    """Every file below our folder is one of those that these tests delete, or of an index."""
    asked.run("daemon", "stop")
    others = {kind for kind in files(asked) if not re.match(r"scopes/\w+/lexical-v3/(chunks|files|commits)/", kind)}
    assert {kind.replace("bakery", "queue") for kind in others} <= set(KINDS)


def test_the_log_of_a_store_after_a_kill(asked: Machine, two: tuple[Repository, Repository]) -> None:
    """What only the write-ahead log held is read again from the project."""
    two[0].write("src/late.py", "def late_arrival():\n    return 'after the last checkpoint'\n")
    asked.run("index", "--wait")
    before = answers(asked)
    os.kill(asked.marker()["pid"], signal.SIGKILL)
    wait_until(lambda: not asked.daemons(), "the end of all processes")
    store = Layout(asked.paths.home).store_db("queue")
    assert os.path.getsize(store + "-wal") > 0
    os.remove(store + "-wal")
    healed(asked)
    asked.run("index", "--wait")
    assert answers(asked) == before
    assert asked.ask("what does late_arrival return?")["scopes"][0]["hits"][0]["path"] == "src/late.py"


@pytest.mark.parametrize(
    "kind",
    [
        "scopes/queue/store.db",
        INDEX + "chunks/meta.json",
        INDEX + "commits/segment.pos",
        INDEX + "terms-generation",
        "registry.db",
    ],
)
def test_a_file_while_the_daemon_runs(asked: Machine, kind: str) -> None:
    """The answers stay; the next run, and the next daemon, have everything."""
    before = answers(asked)
    asked.run("daemon", "stop")
    path = files(asked)[kind]
    healed(asked)
    os.remove(path)
    assert answers(asked) == before
    asked.run("index", "--wait")
    assert answers(asked) == before
    asked.run("daemon", "stop")
    healed(asked)
    assert answers(asked) == before


def test_a_lost_registry_without_a_copy(asked: Machine) -> None:
    """It is said what to do; afterwards what is stored is used as it is, without an index run."""
    before = answers(asked)
    asked.run("daemon", "stop")
    for name in ("registry.db", "registry.copy"):
        os.remove(os.path.join(asked.paths.base, name))
    asked.run("daemon", "start")
    (warning,) = (asked.hello() or {})["warnings"]
    assert "the registry was gone; `loci setup DIR`" in warning
    stores = [Layout(asked.paths.home).store_db(id) for id in ("queue", "bakery")]
    inodes = [os.stat(store).st_ino for store in stores]
    asked.run("setup", asked.code, "-y", "--no-service")
    asked.run("add", os.path.join(asked.code, "queue"), "--alias", ALIAS)
    assert answers(asked) == before
    assert [os.stat(store).st_ino for store in stores] == inodes


def test_a_copy_that_is_damaged_is_not_taken(asked: Machine) -> None:
    """A registry that is gone with a copy that is no database: as without one."""
    asked.run("daemon", "stop")
    os.remove(os.path.join(asked.paths.base, "registry.db"))
    with open(os.path.join(asked.paths.base, "registry.copy"), "wb") as file:
        file.write(b"no database" * 1000)
    asked.run("daemon", "start")
    assert "loci setup DIR" in (asked.hello() or {})["warnings"][0]
    asked.run("setup", asked.code, "-y", "--no-service")
    with sqlite3.connect(os.path.join(asked.paths.base, "registry.copy")) as copy:
        assert copy.execute("select count(*) from scopes").fetchone() == (2,)
