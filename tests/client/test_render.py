"""What a person reads: citations that open, snippets within the budget, abstentions that say what to do."""

from __future__ import annotations

import copy
import json
from typing import Any

from loci_client import errors, render
from loci_client.cli import text

from .stub import ABSTAINED, ANSWER, HIT, ROUTE

PLAIN = render.Look(terminal=True)
COLOUR = render.Look(terminal=True, colour=True)


def test_a_pipe_gets_the_daemons_own_text() -> None:
    """It keeps the token budget, to the token."""
    assert render.ask(ANSWER, render.Look()) == ANSWER["text"]


def test_a_terminal_gets_citations_that_open_and_passages_set_apart() -> None:
    """First where it was routed and why, then each citation as it opens from here, its lines indented."""
    lines = render.ask(ANSWER, PLAIN).splitlines()
    assert lines[0] == "httpx (named in the question; 0123456789 on main; /src/httpx)"
    assert lines[2:] == [
        "/src/httpx/src/retry.py:3-4  Retry.delay",
        "    def delay(self):",
        "        return 2 ** self.n",
    ]
    near = render.ask(ANSWER, render.Look(terminal=True, cwd="/src/httpx")).splitlines()
    assert near[2] == "src/retry.py:3-4  Retry.delay"


def test_what_the_budget_left_out_is_counted() -> None:
    """A person is told how many more hits there are, and how to see them."""
    answer: dict[str, Any] = copy.deepcopy(ANSWER)
    answer["scopes"][0]["hits"] += [{**HIT, "path": f"{n}.py"} for n in range(4)]
    assert "4 more" in render.ask(answer, PLAIN).splitlines()[-1]


def test_a_citation_opens_from_where_the_user_stands() -> None:
    """Relative below the current directory, absolute elsewhere; one line has no range; a commit has its hash."""
    assert render.citation(HIT, "/src/httpx", "/src/httpx") == "src/retry.py:3-4"
    assert render.citation(HIT, "/src/httpx/", "/src/httpx/src") == "retry.py:3-4"
    assert render.citation(HIT, "/src/httpx", "/src/http") == "/src/httpx/src/retry.py:3-4"
    assert render.citation({**HIT, "path": "/abs/a.md", "line_end": 3}, "/src/httpx", "/x") == "/abs/a.md:3"
    assert render.citation({"path": None, "commit": "0123456789abcdef"}, "/r", "/") == "commit 0123456789"


def test_an_abstention_says_why_what_settles_it_and_what_was_near() -> None:
    """Also on a pipe."""
    for look in (PLAIN, render.Look()):
        lines = render.ask(ABSTAINED, look).splitlines()
        assert lines[0].startswith("ABSTAINED (ambiguous): ")
        assert lines[1] == ABSTAINED["advice"]
        assert lines[-1] == "  httpx  retry, delay"


def test_route_explained() -> None:
    """Every signal with its value, its weight and what is behind it."""
    out = render.route(ROUTE, PLAIN, True)
    assert out.startswith("httpx  /src/httpx  alias (httpx), passages\n")
    assert "alias     1      6       httpx" in out
    assert "a.py:1-9" in out
    assert "ABSTAINED (no_evidence)" in render.route({**ROUTE, "selected": [], "reason": "no_evidence"}, PLAIN, False)


def test_a_group_is_told_in_words() -> None:
    """Whether a scope is in it or outside, not how it is computed."""
    signals = [{"name": "group", "value": value, "weight": 0.5, "terms": ["team"]} for value in (1.0, 0.0)]
    assert [render.reasons([signal]) for signal in signals] == ["in team", "outside team"]


def rows(scopes: int) -> list[dict[str, Any]]:
    state = {
        "state": "ready",
        "generation": 12,
        "branch": "main",
        "commit": "0123456789",
        "files": 8688,
        "chunks": 17315,
    }
    last = {"last": {"cause": "HEAD moved", "files": 12}, "pending": 0, "groups": ["me", "vendor:some-organisation"]}
    root = {"root": "/home/someone/projects/of/the/company"}
    return [
        {"id": f"scope{n}", "aliases": ["other-name"], "age_ms": 5000, **state, **last, **root} for n in range(scopes)
    ]


def test_tables_fit_the_terminal() -> None:
    """At 80 columns no line is wider, each scope has its row, and what is cut ends in an ellipsis; a pipe gets it all."""
    narrow, signals = render.Look(terminal=True, width=80), []
    for n in range(3):
        passage = {
            "path": "packages/of/many/folders/deep/inside/module_with_a_long_name.py",
            "line_start": 1,
            "line_end": 9,
        }
        terms = ["gizmo", "parser", "emitter", "handle", "sprocket", "calibration"]
        evidence = {"name": "evidence", "value": 1.5, "weight": 1.0, "terms": terms, "passage": passage}
        signals.append(
            {"id": f"scope{n}", "score": 1.5, "signals": [evidence, {"name": "share", "value": 1, "weight": 0}]}
        )
    groups = {
        "groups": [{"name": "team", "mode": "hard", "members": [f"scope{n}" for n in range(40)]}],
        "default": "soft",
    }
    for shown in (
        text.status({"scopes": rows(3), "warm": [f"scope{n}" for n in range(3)]}, narrow),
        text.scopes({"scopes": rows(3)}, narrow),
        text.groups(groups, narrow),
        render.signal_table(signals, ["scope0"], narrow),
    ):
        assert max(map(len, shown.splitlines())) <= 80, shown
    assert len(text.scopes({"scopes": rows(3)}, narrow).splitlines()) == 4
    assert "…" in text.scopes({"scopes": rows(3)}, narrow)
    assert "calibration" in render.signal_table(signals, [], narrow)
    assert "/home/someone/projects/of/the/company" in text.status({"scopes": rows(1)}, render.Look())
    assert "warm: 3 of 3 scopes" in text.status({"scopes": rows(3), "warm": ["a", "b", "c"]}, narrow)


def test_colour_is_only_added() -> None:
    """The words are the same with and without it."""
    import re

    for value in (ANSWER, ABSTAINED):
        coloured = render.ask(value, COLOUR)
        assert "\x1b[" in coloured
        assert re.sub(r"\x1b\[\d+m", "", coloured) == render.ask(value, PLAIN)


def test_json_is_json_whatever_it_holds() -> None:
    """Lone surrogates and bytes do not break it."""
    value = {"a": "é😀", "b": "\udcff", "c": b"\xff"}
    data = render.to_json(value).encode("utf-8", "backslashreplace")
    assert json.loads(data)["a"] == "é😀"
    assert json.loads(render.error_json(errors.Conflict("no", {"by": "x"})))["error"] == {
        "code": "conflict",
        "message": "no",
        "detail": {"by": "x"},
    }


def test_a_newer_daemon_does_not_break_the_printing() -> None:
    """Missing and unknown fields are no traceback."""
    for value in ({}, {"scopes": None}, {"scopes": [{}]}, {"scopes": ["x"], "candidates": 3, "new": 1}):
        render.ask({"outcome": "answered", **value}, PLAIN)
        render.ask({"outcome": "abstained", **value}, PLAIN)
        render.route(value, PLAIN, True)
        text.scopes(value, PLAIN)
        text.status(value, PLAIN)
        text.doctor(value, PLAIN)
        text.indexed(value)
        text.embedded(value)
        text.uses({**value, "relations": value.get("scopes"), "read": [{}], "unread": [{}]}, None, PLAIN)


def test_uses_says_what_was_read() -> None:
    """A row a relation; with none a sentence, and what was read and what was not in any case."""
    read = {"read": [{"scope": "a", "manifests": 2}, {"scope": "b", "manifests": 1}]}
    relation = {"from": "a", "to": "b", "how": "declared", "path": "go.mod", "line": 3}
    assert text.uses({**read, "relations": [relation]}, None, PLAIN) == (
        "from  uses  how       at\na     b     declared  go.mod:3\n"
        "read: 3 manifests, the imports and the commands of 2 projects\n"
    )
    unread = [
        {"scope": "a", "path": "x.toml", "reason": "broken"},
        {"scope": "c", "path": None, "reason": "not indexed"},
    ]
    assert text.uses({**read, "relations": [], "unread": unread}, "left-pad", PLAIN) == (
        "no project was seen to use left-pad\nread: 3 manifests, the imports and the commands of 2 projects\n"
        "not read: a: x.toml: broken\nnot read: c: not indexed\n"
    )


def test_doctor_shows_what_is_wrong_with_its_fix() -> None:
    """What is fine is counted only."""
    checks = [
        {"check": "store", "level": "ok", "finding": "fine"},
        {"scope": "a", "check": "index", "level": "error", "finding": "missing", "fix": "loci index a"},
    ]
    assert text.doctor({"ok": False, "checks": checks}, PLAIN) == (
        "error a: index: missing\n    fix: loci index a\n1 other check ok\n"
    )


def test_ages_for_people() -> None:
    """The largest unit that fits."""
    assert [render.age(ms) for ms in (5, 1500, 90_000, 7_200_000, 200_000_000, None)] == [
        "5 ms",
        "2 s",
        "2 min",
        "2 h",
        "2 d",
        "of unknown age",
    ]
