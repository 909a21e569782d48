"""Abstentions: each with its reason, its shortlist with the terms that put each scope there, and what settles it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from locid.values import Candidate, Route, Scope, ScoredScope

MOST = 5
SETTLES = "ask again from inside the project's directory, or name it with --scope"


def deictic(question: str, shown: tuple[ScoredScope, ...]) -> Route:
    """It points at a subject that it never names, and stands nowhere."""
    advice = f"the question points at a project without naming it; {SETTLES}"
    return Route(question, "one", (), shown, (), "deictic", advice)


def ambiguous(
    question: str,
    shown: tuple[ScoredScope, ...],
    holders: Mapping[str, tuple[str, ...]],
    scopes: Sequence[Scope],
) -> Route:
    """Every project holds its words."""
    advice = f"every project holds these words; {SETTLES}"
    return Route(question, "one", (), shown, shortlist(holders, scopes), "ambiguous", advice)


def no_evidence(
    question: str,
    shown: tuple[ScoredScope, ...],
    holders: Mapping[str, tuple[str, ...]],
    scopes: Sequence[Scope],
    place: str | None,
) -> Route:
    """Too little of it meets in one place; who stands in a project already is told what else there is."""
    candidates = shortlist(holders, scopes)
    if candidates:
        settles = f"--scope {place} searches it all the same, or name another project" if place else SETTLES
        advice = f"too little of the question is in any one place; {settles}"
    else:
        advice = "no project holds a distinctive term of the question; `loci doctor` shows what is not indexed"
    return Route(question, "one", (), shown, candidates, "no_evidence", advice)


def unknown_name(question: str, name: str, shown: tuple[ScoredScope, ...]) -> Route:
    """It asks about a name of the code that no project has."""
    advice = f"no project holds the name {name}, nor one like it; `loci doctor` shows what is not indexed"
    return Route(question, "one", (), shown, (), "no_evidence", advice)


def shortlist(holders: Mapping[str, tuple[str, ...]], scopes: Sequence[Scope]) -> tuple[Candidate, ...]:
    """Scopes by how many of the question's distinctive terms they hold: those that at most half of the scopes do."""
    most = max(1, len(scopes) // 2)
    terms: dict[str, list[str]] = {}
    for term, ids in holders.items():
        if len(ids) <= most:
            for id in ids:
                terms.setdefault(id, []).append(term)
    by_id = {s.id: s for s in scopes}
    ranked = sorted((id for id in terms if id in by_id), key=lambda id: (-len(terms[id]), id))
    return tuple(Candidate(id, by_id[id].name, tuple(terms[id])) for id in ranked[:MOST])
