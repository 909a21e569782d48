"""ask and route: questions in, the schema that all clients share out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from locid.ask.asker import Asker, Asking
from locid.control import Task
from locid.manifest import Related
from locid.rpc.method import Method, Param
from locid.standing import Standing
from locid.values import Answer, Candidate, Hit, Route, ScopeAnswer, ScoredScope, Signal, Stamp

QUESTION = Param("question", required=True)
GROUP = Param("group", max_length=200)
MAX_FILES, MAX_BUDGET = 100, 100_000


def methods(asker: Asker, standing: Standing) -> tuple[Method, ...]:
    """The methods that answer questions."""
    return (_ask_method(asker, standing), _route_method(asker))


def _ask_method(asker: Asker, standing: Standing) -> Method:
    def ask(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        if params["sync"] == "yes":
            scopes = params["scope"] or asker.selected(params["question"], params["cwd"], params["group"])
            standing.scheduler.wait(standing.index(scopes, "asked with --sync", urgent=True) if scopes else [], task)
        where = (params["cwd"], tuple(params["scope"]), params["group"])
        return answer_map(asker.ask(Asking(params["question"], *where, params["k"], params["budget"])))

    params = (
        QUESTION,
        Param("cwd"),
        Param("scope", "list[str]", default=[], max_items=100),
        GROUP,
        Param("k", "int", default=10, minimum=1, maximum=MAX_FILES),
        Param("budget", "int", default=2000, minimum=50, maximum=MAX_BUDGET),
        Param("fast", "bool", default=False),
        Param("sync", "choice", default="auto", choices=("auto", "yes", "no")),
    )
    return Method("ask", ask, params)


def _route_method(asker: Asker) -> Method:
    def route(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        found, took_ms = asker.timed_route(params["question"], params["cwd"], params["group"])
        return {**route_map(found, asker, params["explain"]), "took_ms": took_ms}

    return Method("route", route, (QUESTION, Param("cwd"), GROUP, Param("explain", "bool", default=False)))


def answer_map(answer: Answer) -> dict[str, Any]:
    """An answer as the wire has it."""
    out: dict[str, Any] = {
        "outcome": answer.outcome,
        "mode": answer.route.mode,
        "question": answer.route.question,
        "scopes": [_scope_answer(s) for s in answer.scopes],
        "candidates": [_candidate(c) for c in answer.route.candidates],
        "text": answer.text,
        "tokens": answer.tokens,
        "took_ms": dict(answer.took_ms),
    }
    if answer.outcome == "related":
        out["relations"] = [related_map(r) for r in answer.relations]
    return out | _given(reason=answer.reason, advice=answer.advice)


def related_map(relation: Related) -> dict[str, Any]:
    """A relation as the wire has it."""
    out: dict[str, Any] = {"from": relation.source, "from_root": relation.source_root, "to": relation.to}
    out |= {"how": relation.how, "path": relation.path, "line": relation.line}
    return out | _given(to_root=relation.to_root)


def route_map(route: Route, asker: Asker, explain: bool) -> dict[str, Any]:
    """A route as the wire has it; every scope's passage is located only when it is to be explained."""
    shown = route.scopes if explain else route.selected
    located = asker.locate(shown) if explain else {}
    out = {
        "question": route.question,
        "mode": route.mode,
        "selected": [s.scope.id for s in route.selected],
        "candidates": [_candidate(c) for c in route.candidates],
        "scopes": [_scored(s, located.get(s.scope.id)) for s in shown],
    }
    return out | _given(reason=route.reason, advice=route.advice)


def _scored(scored: ScoredScope, passage: Mapping[str, Any] | None) -> dict[str, Any]:
    signals = [_signal(s) for s in scored.signals]
    for signal in signals:
        if passage and signal["name"] == "evidence":
            signal["passage"] = dict(passage)
    return {**_named(scored), "signals": signals}


def _named(scored: ScoredScope) -> dict[str, Any]:
    scope = scored.scope
    return {"id": scope.id, "name": scope.name, "root": scope.root, "score": round(scored.score, 4)}


def _signal(signal: Signal) -> dict[str, Any]:
    out: dict[str, Any] = {"name": signal.name, "value": round(signal.value, 4), "weight": signal.weight}
    return out | _given(terms=list(signal.terms) or None)


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {"id": candidate.id, "name": candidate.name, "terms": list(candidate.terms)}


def _scope_answer(answer: ScopeAnswer) -> dict[str, Any]:
    out = {
        **_named(answer.scope),
        "why": [_signal(s) for s in answer.scope.signals],
        "stamp": _stamp(answer.stamp),
        "hits": _hits(answer.hits),
        "structure": [],
        "facts": [],
    }
    return out | _given(note=answer.note, weak=answer.weak or None)


def _stamp(stamp: Stamp) -> dict[str, Any]:
    return {
        "commit": stamp.commit,
        "branch": stamp.branch,
        "dirty": stamp.dirty,
        "generation": stamp.generation,
        "age_ms": stamp.age_ms,
        "stale": stamp.stale,
        "pending": list(stamp.pending),
    }


def _hits(hits: Sequence[Hit]) -> list[dict[str, Any]]:
    return [
        {
            "kind": h.kind,
            "path": h.path,
            "line_start": h.line_start,
            "line_end": h.line_end,
            "heading": h.heading,
            "text": h.text,
            "score": round(h.score, 4),
            "signals": [],
        }
        | _given(symbol=h.symbol or None, commit=h.commit)
        for h in hits
    ]


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
