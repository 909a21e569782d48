"""On a terminal: prompts with their defaults, progress that goes away, colour only there."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import threading
from typing import Any

import pytest

from loci_client import wire

from .conftest import Place
from .stub import Stub, answers

SCOPE = {"id": "a", "name": "a", "root": "/src/a", "aliases": [], "state": "ready", "files": 3, "chunks": 9}
LIMIT_S = 60.0


class Terminal:
    """One command on a pseudo-terminal."""

    def __init__(self, place: Place, *argv: str, **env: str) -> None:
        self._master, slave = pty.openpty()
        command = [sys.executable, "-m", "loci_client", *argv]
        full = {**place.env, "TERM": "xterm", "COLUMNS": "120", **env}
        self.child = subprocess.Popen(
            command, env=full, cwd=place.dir, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        self.shown = b""

    def until(self, words: bytes) -> None:
        """Reads until the words were shown."""
        while words not in self.shown:
            assert self._read(), self.shown

    def type(self, line: str) -> None:
        os.write(self._master, line.encode() + b"\n")

    def end(self) -> int:
        """The exit status; everything that was shown is in `shown`."""
        while self._read():
            pass
        os.close(self._master)
        return self.child.wait(LIMIT_S)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], LIMIT_S)
        assert ready, "the command shows nothing more and does not end"
        try:
            data = os.read(self._master, 65536)
        except OSError:  # how a terminal ends on Linux
            return False
        self.shown += data.replace(b"\r\n", b"\n")
        return bool(data)


def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
    id = request["id"]
    counts = {"new": 3, "changed": 0, "removed": 0, "skipped": 0}
    if request["method"] == "scopes.scan":
        return [wire.reply(id, {"scopes": [SCOPE], "notes": [], "added": ["a"]})]
    if request["method"] == "index.run":
        done = {"scopes": [{"id": "a", "generation": 1, "files": counts, "ms": 10}]}
        steps = [wire.progress(id, "walk", n, 40, scope="a[b]", unit="files") for n in (1, 20, 40)]
        return [*steps, wire.progress(id, "store", 0, 0), wire.reply(id, done)]
    if request["method"] == "embed.run":
        return [wire.error(id, "unavailable", "no model here")]
    return answers(request)


def test_colour_only_on_a_terminal(place: Place) -> None:
    """And not with NO_COLOR or TERM=dumb; the words are the same."""

    def asked(**env: str) -> bytes:
        terminal = Terminal(place, "ask", "q", **env)
        assert terminal.end() == 0
        return terminal.shown

    with Stub(place.socket()):
        coloured = asked()
        assert b"\x1b[" in coloured
        assert asked(NO_COLOR="1") == asked(TERM="dumb") == re.sub(rb"\x1b\[\d+m", b"", coloured)


def test_progress_is_shown_and_goes_away(place: Place) -> None:
    """What is done, how far; the last line is the result. A scope's name is no markup."""
    with Stub(place.socket(), handler):
        terminal = Terminal(place, "index", "--wait")
        assert terminal.end() == 0
    assert b"a[b] walk" in terminal.shown or b"store" in terminal.shown
    assert terminal.shown.endswith(b"a: 3 new (10 ms)\n")


@pytest.mark.parametrize(("typed", "owner"), [("", {}), ("y", {}), ("n", {"owner": "mine"})])
def test_scan_asks_before_it_registers(place: Place, typed: str, owner: dict[str, str]) -> None:
    """What was found is shown by owner; one question about those of others: yes is the default, no registers yours."""

    def mixed(request: dict[str, Any]) -> list[dict[str, Any]]:
        other = {**SCOPE, "id": "b", "name": "b", "root": "/src/b", "owner": "vendor:acme"}
        found = {"scopes": [{**SCOPE, "owner": "me"}, other], "notes": [], "added": ["a", "b"]}
        return [wire.reply(request["id"], found)]

    with Stub(place.socket(), mixed) as stub:
        terminal = Terminal(place, "scan", ".")
        terminal.until(b"register also 1 scope that is not yours, as far as git tells? [Y/n] ")
        assert b"yours:\n  + a  /src/a\nvendor:acme:\n  + b  /src/b\n" in terminal.shown
        terminal.type(typed)
        assert terminal.end() == 0
    assert [r["params"] for r in stub.seen] == [{"roots": [place.dir], "dry_run": True}, {"roots": [place.dir]} | owner]


def test_scan_asks_nothing_when_all_is_yours(place: Place) -> None:
    """Repositories of the user's own are registered without a question."""
    with Stub(place.socket(), handler) as stub:
        assert Terminal(place, "scan", ".").end() == 0
    assert [r["params"] for r in stub.seen] == [{"roots": [place.dir], "dry_run": True}, {"roots": [place.dir]}]


def test_setup_proposes_where_repositories_lie(place: Place) -> None:
    """The likely directories of the home that exist; the user may name others; what fails late is only said."""
    for name in ("src", "code", "other"):
        os.mkdir(os.path.join(place.dir, name))
    with Stub(place.socket(), handler) as stub:
        for typed, roots in (("", ["code", "src"]), ("other", ["other"])):
            stub.seen.clear()
            terminal = Terminal(place, "setup", HOME=place.dir)
            terminal.until(f"[{place.dir}/code {place.dir}/src] ".encode())
            terminal.type(typed)
            assert terminal.end() == 0
            assert stub.seen[0]["params"]["roots"] == [os.path.join(place.dir, name) for name in roots]
            assert b"no vectors for now: no model here" in terminal.shown
            assert b"loci ask" in terminal.shown


def test_setup_that_is_interrupted_says_how_to_go_on(place: Place) -> None:
    """Ctrl-C: 130, the daemon is told, and what is done is kept."""
    cancelled = threading.Event()

    def never(request: dict[str, Any]) -> list[dict[str, Any]]:
        if request["method"] == "index.run":
            return [wire.progress(request["id"], "walk", 1, 40, scope="a")]
        if request["method"] == "cancel":
            cancelled.set()
        return handler(request)

    with Stub(place.socket(), never):
        terminal = Terminal(place, "setup", "-y", ".")
        terminal.until(b"walk")
        terminal.child.send_signal(2)
        assert terminal.end() == 130
        assert cancelled.wait(LIMIT_S)
    assert b"run it again to go on" in terminal.shown
    assert b"Traceback" not in terminal.shown
