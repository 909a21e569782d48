"""What the passages of many scopes say of a question, by weights that are the same for all scopes so that scores compare.

    s(chunk) = class weight x (body + 0.25 names + 0.2 pairs + 0.4 path + 0.4 whole file + 0.15 past of the file)

Each part is the sum of the inverse document frequencies of the terms that are there: 0.3 of the exact token and 0.7 of
its stem for body, names and path; stems for the rest; the larger of the two for a pair of stems side by side. Coverage is
the first three parts over the weight of the whole question: what one chunk holds of it by itself. An identifier that no
scope holds is looked for by its trigrams, in names only. docs/routing.md gives what each part brought.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from locid import tokenizer
from locid.episodes import documents, lexical
from locid.episodes.lexical import Query, ShelfReader
from locid.episodes.source import Source
from locid.episodes.statistics import Found, Statistics
from locid.values import Evidence, FileClass, Passage, Question, Scope

NAMES, PAIRS, PATH, WHOLE, PAST = 0.25, 0.2, 0.4, 0.4, 0.15
IN_CHUNKS: Mapping[str, float] = {"body": 1.0, "names": NAMES}
CLASS_WEIGHTS: Mapping[FileClass, float] = {"test": 0.85, "generated": 0.7, "vendored": 0.7, "docs": 0.9}
EXPLAINED: Mapping[FileClass, float] = {**CLASS_WEIGHTS, "docs": 1.1}  # where the question asks to be told how, or what
ROUTED = 128  # chunks fetched a scope to route by: their files reorder them, and many are equal
FILES = 200  # files looked at a scope
MEAN_OF = 5

Ranked = tuple[float, lexical.Address, int, FileClass]  # score, chunk, file


@dataclass(frozen=True, slots=True)
class ScopeIndex:
    """The shelves of one scope."""

    chunks: ShelfReader
    files: ShelfReader


@dataclass(frozen=True, slots=True)
class Plan:
    """A question as queries; None where there is nothing to ask for."""

    chunks: Query | None
    files: Query | None
    whole: float  # what a chunk is worth that holds every term
    classes: Mapping[FileClass, float]


class Passages(Source):
    """The chunks of a set of scopes, all at fixed generations: what the router asks and what answers are made of."""

    def __init__(self, indexes: Mapping[str, ScopeIndex], statistics: Statistics) -> None:
        super().__init__(indexes, statistics)
        self._indexes = dict(indexes)
        self._plans: dict[Question, Plan] = {}
        self._past = PAST

    def without(self, hidden: Mapping[str, frozenset[str]]) -> Passages:
        """The same but for some passages, by scope and key, which no search finds, and for what history says of files.

        For questions made from a commit, whose message is a part of that.
        """
        found = copy.copy(self)
        found._plans, found._past = {}, 0.0
        found._indexes = {
            id: replace(index, chunks=lexical.Hiding(index.chunks, hidden[id])) if id in hidden else index
            for id, index in self._indexes.items()
        }
        return found

    def alike(self, question: Question, scopes: Sequence[Scope]) -> bool:
        """Whether any of the scopes has a name that one of the question's, which nothing holds, may be a slip of."""
        query = lexical.present(lexical.CHUNKS, {}, near=self._near(question))
        shelves = [self._indexes[s.id].chunks for s in scopes if s.id in self._indexes]
        return query is not None and any(shelf.search(query, 1) for shelf in shelves)

    def search(self, scope: str, question: Question, limit: int) -> list[Passage]:
        """The passages of one scope, best first."""
        index = self._indexes.get(scope)
        if index is None:
            return []
        plan = self._plan(question)
        hits = index.chunks.search(plan.chunks, limit) if plan.chunks is not None else []
        found = _passages(scope, index.chunks, _ranked(index, plan, hits))
        return sorted(found, key=lambda p: (-p.score, p.key))

    def _plan(self, question: Question) -> Plan:
        plan = self._plans.get(question)
        if plan is None:
            if len(self._plans) >= 8:
                self._plans.clear()
            plan = self._plans[question] = self._planned(question)
        return plan

    def _planned(self, question: Question) -> Plan:
        found, near = self._statistics.of(question), self._near(question)
        return Plan(
            chunks=lexical.present(lexical.CHUNKS, found.weights(IN_CHUNKS), _pairs(question, found), near),
            files=lexical.present(lexical.FILES, _of_files(found, self._past)),
            whole=found.rarity,
            classes=EXPLAINED if question.explained else CLASS_WEIGHTS,
        )

    def _near(self, question: Question) -> lexical.Near:
        """Identifiers of the question that no scope holds, most likely misspelt, by their trigrams; mostly none."""
        lost = [t for t in tokenizer.identifiers(question.text) if not self._statistics.held(t)]
        return {tuple(tokenizer.grams(t)): self._lost(t) for t in lost}

    def _lost(self, token: str) -> float:
        """What an identifier and those of its parts that nothing holds would weigh."""
        parts = [p for p in tokenizer.tokens(token) if not self._statistics.held(p)]
        return sum(self._statistics.idf(stem) for stem in dict.fromkeys(documents.stemmed(parts)))

    def _of_scope(self, id: str, question: Question) -> Evidence:
        index, plan = self._indexes[id], self._plan(question)
        hits = index.chunks.search(plan.chunks, ROUTED) if plan.chunks is not None else []
        ranked = _ranked(index, plan, hits)[:MEAN_OF]
        scores = [score for score, *_ in ranked]
        size = self._statistics.passages(id)
        return Evidence(
            scope=id,
            chunks=size,
            best=scores[0] if scores else 0.0,
            mean=sum(scores) / max(1, min(MEAN_OF, size)),
            coverage=_covered(plan, hits),
            passages=tuple(_passages(id, index.chunks, ranked[:1])),
        )

    def _coverage(self, id: str, question: Question) -> float:
        plan = self._plan(question)
        return _covered(plan, self._indexes[id].chunks.search(plan.chunks, 1) if plan.chunks is not None else [])


def _covered(plan: Plan, hits: Sequence[tuple[float, lexical.Address]]) -> float:
    """The share of the question's weight that the best chunk holds by itself."""
    return hits[0][0] / max(plan.whole, 1e-9) if hits else 0.0


def _of_files(found: Found, past_weight: float) -> lexical.Weights:
    levels = [
        *((field, WHOLE * worth) for field, worth in zip(lexical.WHOLE, documents.WHOLE.worth, strict=True)),
        *((field, past_weight * worth) for field, worth in zip(lexical.PAST, documents.PAST.worth, strict=True)),
    ]
    of_levels = {(field, stem): weight * idf for stem, idf in found.stems.items() for field, weight in levels}
    return {**found.weights({"path": PATH}), **of_levels}


def _pairs(question: Question, found: Found) -> lexical.Weights:
    """Neighbours among the question's content words that occur somewhere."""
    tokens = [t for t in tokenizer.tokens(question.text) if t in found.exact and t not in tokenizer.STOP]
    held = {stem for stem, count in zip(found.stems, found.counts.sum(axis=0), strict=True) if count}
    pairs = dict.fromkeys(tuple(sorted(pair)) for pair in pairwise(documents.stemmed(tokens)))
    kept = [(a, b) for a, b in pairs if a != b and a in held and b in held]
    return {(a, b): PAIRS * max(found.stems[a], found.stems[b]) for a, b in kept}


def _ranked(index: ScopeIndex, plan: Plan, hits: Sequence[tuple[float, lexical.Address]]) -> list[Ranked]:
    """Chunks with what their files add and the weight of their class, best first."""
    if not hits:
        return []
    about = _about(index.files, plan)
    addresses = [address for _, address in hits]
    files = index.chunks.numbers("file", addresses)
    classes = [lexical.CLASSES[code] for code in index.chunks.numbers("class", addresses)]
    ranked = [
        ((score + about.get(file, 0.0)) * plan.classes.get(cls, 1.0), address, file, cls)
        for (score, address), file, cls in zip(hits, files, classes, strict=True)
    ]
    return sorted(ranked, key=lambda r: -r[0])


def _about(files: ShelfReader, plan: Plan) -> dict[int, float]:
    """What path, whole and past of each file add to its chunks."""
    hits = files.search(plan.files, FILES) if plan.files is not None else []
    return dict(zip(files.numbers("file", [a for _, a in hits]), [score for score, _ in hits], strict=True))


def _passages(scope: str, shelf: ShelfReader, ranked: Sequence[Ranked]) -> list[Passage]:
    addresses = [address for _, address, _, _ in ranked]
    kinds = [lexical.KINDS[code] for code in shelf.numbers("kind", addresses)]
    rows = zip(ranked, shelf.ids(addresses), kinds, strict=True)
    return [Passage(scope, id, str(file), kind, cls, score) for (score, _, file, cls), id, kind in rows]
