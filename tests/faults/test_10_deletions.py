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
SEGMENT = r"segment\.(\d+\.del|fast|fieldnorm|idx|pos|store|term)"
SHELF = rf"lexical-v\d+/(chunks|commits)/(meta\.json|\.managed\.json|\.tantivy-\w+\.lock|{SEGMENT})"
HOME = r"status|lock|log/locid\.log|config\.toml|registry\.(db|copy)"
KINDS = re.compile(rf"{HOME}|scopes/queue/(store\.db|{SHELF})")


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
    """A file of each kind below our folder, of the scope `queue` only."""
    found = {}
    for folder, _, names in os.walk(machine.paths.base):
        for path in (os.path.join(folder, name) for name in names):
            kind = re.sub(r"[0-9a-f]{32}", "segment", os.path.relpath(path, machine.paths.base))
            if not kind.startswith("scopes/bakery"):
                assert KINDS.fullmatch(kind), f"{kind} is new: see what happens when it is deleted"
                found[kind] = path
    return found


def test_any_file_while_the_daemon_is_stopped(asked: Machine) -> None:
    """Of each kind of file one is deleted; after the next start the same questions have the same answers."""
    before = answers(asked)
    asked.run("daemon", "stop")
    kinds = sorted(files(asked))
    assert len(kinds) > 25
    for kind in kinds:
        if (path := files(asked).get(kind)) is None:  # gone with what was rebuilt before
            continue
        os.remove(path)
        healed(asked)
        assert answers(asked) == before, kind
        asked.run("daemon", "stop")


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
        "scopes/queue/lexical-v2/chunks/meta.json",
        "scopes/queue/lexical-v2/chunks/segment.idx",
        "scopes/queue/lexical-v2/commits/segment.pos",
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
