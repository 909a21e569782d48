"""What the passages of many scopes say of a question, with document frequencies over all of them so that scores compare.

A passage's score is BM25 summed over fields and over exact tokens and stems:
    s = class weight x sum over fields f of weight(f) x (0.3 BM25(exact tokens) + 0.7 BM25(stems))
and every part takes its inverse document frequency from the bodies of all scopes. Coverage is the share of the question's
weight, in stems, that one passage holds. An identifier that no scope holds is looked for by its
trigrams, in names only. docs/routing.md gives what each part brought.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence

from locid import tokenizer
from locid.episodes import lexical
from locid.episodes.lexical import ShelfReader
from locid.values import Evidence, FileClass, Passage, Question, Scope

EXACT_SHARE, STEM_SHARE = 0.3, 0.7
FIELD_WEIGHTS = {"body": 1.0, "names": 0.15, "path": 0.4}
CLASS_WEIGHTS: Mapping[FileClass, float] = {"test": 0.85, "generated": 0.7, "vendored": 0.7}
ROUTED = 24  # passages fetched a scope to route by: five are averaged, tests among them weigh less
MEAN_OF = 5

Weights = dict[tuple[str, str], float]


class Passages:
    """The chunks of a set of scopes, all at fixed generations: what the router asks and what answers are made of."""

    def __init__(self, shelves: Mapping[str, ShelfReader]) -> None:
        self._shelves = shelves
        self._total = sum(s.total for s in shelves.values())
        self._idf: dict[tuple[str, str], float] = {}

    def without(self, hidden: Mapping[str, frozenset[str]]) -> Passages:
        """The same but for some passages, by scope and key, which no search finds."""
        found = copy.copy(self)
        found._shelves = {id: lexical.Hiding(s, hidden[id]) if id in hidden else s for id, s in self._shelves.items()}
        return found

    def evidence(self, question: Question, scopes: Sequence[Scope]) -> dict[str, Evidence]:
        """Evidence by scope id, for each of the scopes that holds chunks."""
        weights, cover, near = self.weights(question), self._cover(question), self._near(question)
        held = [s.id for s in scopes if s.id in self._shelves]
        return {id: self._of_scope(id, weights, cover, near) for id in held}

    def rarity(self, question: Question) -> float:
        """Sum of the inverse document frequencies of the question's tokens, exact and stemmed in their shares."""
        exact = sum(self.idf("body_x", t) for t in question.tokens)
        stemmed = sum(self.idf("body_s", t) for t in dict.fromkeys(lexical.stems(question.tokens)))
        return EXACT_SHARE * exact + STEM_SHARE * stemmed

    def search(self, scope: str, question: Question, limit: int) -> list[Passage]:
        """The passages of one scope, best first."""
        shelf = self._shelves.get(scope)
        if shelf is None:
            return []
        found = _passages(scope, shelf, _ranked(shelf, self.weights(question), limit, self._near(question)))
        return sorted(found, key=lambda p: (-p.score, p.key))

    def weights(self, question: Question) -> Weights:
        """The weight of each (field, term) of a question: its part of the score at saturation."""
        out: Weights = {}
        stemmed = list(dict.fromkeys(lexical.stems(question.tokens)))
        for field, weight in FIELD_WEIGHTS.items():
            for token in question.tokens:
                out[lexical.EXACT[field], token] = weight * EXACT_SHARE * self.idf("body_x", token)
            for stem in stemmed:
                out[lexical.STEMS[field], stem] = weight * STEM_SHARE * self.idf("body_s", stem)
        return out

    def idf(self, field: str, term: str) -> float:
        """Inverse document frequency over all scopes."""
        key = (field, term)
        found = self._idf.get(key)
        if found is None:
            df = sum(s.frequency(field, term) for s in self._shelves.values())
            found = self._idf[key] = lexical.idf(self._total, df)
        return found

    def _cover(self, question: Question) -> Weights:
        return {("body_s", t): self.idf("body_s", t) for t in dict.fromkeys(lexical.stems(question.weighed))}

    def _near(self, question: Question) -> lexical.Near:
        """Identifiers of the question that no scope holds, most likely misspelt, by their trigrams; mostly none."""
        lost = [t for t in tokenizer.identifiers(question.text) if not self._held(t)]
        return {tuple(tokenizer.grams(t)): self._lost(t) for t in lost}

    def _held(self, token: str) -> bool:
        return any(s.frequency("body_x", token) or s.frequency("names_x", token) for s in self._shelves.values())

    def _lost(self, token: str) -> float:
        """What an identifier and those of its parts that nothing holds would weigh."""
        parts = dict.fromkeys(lexical.stems([p for p in tokenizer.tokens(token) if not self._held(p)]))
        return sum(self.idf("body_s", part) for part in parts)

    def _of_scope(self, id: str, weights: Weights, cover: Weights, near: lexical.Near) -> Evidence:
        shelf = self._shelves[id]
        ranked = _ranked(shelf, weights, ROUTED, near)[:MEAN_OF]
        scores = [score for score, _, _ in ranked]
        return Evidence(
            scope=id,
            chunks=shelf.total,
            best=scores[0] if scores else 0.0,
            mean=sum(scores) / max(1, min(MEAN_OF, shelf.total - 1)),  # the marker is no passage
            coverage=_coverage(shelf, cover, near),
            passages=tuple(_passages(id, shelf, ranked[:1])),
        )

    def holders(self, question: Question) -> dict[str, tuple[str, ...]]:
        """For each token that the gate weighs, the ids of the scopes that hold it."""
        shelves = self._shelves.items()
        return {t: tuple(id for id, s in shelves if s.frequency("body_x", t)) for t in question.weighed}

    def ownness(self, scope: str, name: str) -> float:
        """How much likelier a name is in a scope's chunks than in the others', as a natural logarithm; 0 at the least.

        The rarest token of the name counts, and a name that no chunk holds is nobody's.
        """
        tokens = tokenizer.tokens(name)
        return min((self._ownness(scope, t) for t in tokens), default=0.0)

    def _ownness(self, scope: str, token: str) -> float:
        share = {id: s.frequency("body_x", token) / s.total for id, s in self._shelves.items() if s.total}
        own, others = share.pop(scope, 0.0), share.values()
        floor = 0.1 / max(1, self._shelves[scope].total)
        elsewhere = sum(others) / max(1, len(others)) + 1e-4
        return max(0.0, math.log((own + floor) / elsewhere))


Ranked = tuple[float, lexical.Address, FileClass]


def _ranked(shelf: ShelfReader, weights: Weights, limit: int, near: lexical.Near) -> list[Ranked]:
    """Scores with the weight of each document's class, best first."""
    query = lexical.weighted(shelf, weights, near)
    hits = shelf.search(query, limit) if query is not None else []
    classes = [lexical.CLASSES[code] for code in shelf.codes("class", [a for _, a in hits])]
    weighed = [(s * CLASS_WEIGHTS.get(c, 1.0), a, c) for (s, a), c in zip(hits, classes, strict=True)]
    return sorted(weighed, key=lambda r: -r[0])


def _passages(scope: str, shelf: ShelfReader, ranked: Sequence[Ranked]) -> list[Passage]:
    addresses = [address for _, address, _ in ranked]
    kinds = [lexical.KINDS[code] for code in shelf.codes("kind", addresses)]
    rows = zip(ranked, shelf.ids(addresses), kinds, strict=True)
    return [Passage(scope, id, owner, kind, cls, score) for (score, _, cls), (id, owner), kind in rows]


def _coverage(shelf: ShelfReader, cover: Weights, near: lexical.Near) -> float:
    whole = sum(cover.values())
    query = lexical.covering(shelf, cover, near)
    if query is None or not whole:
        return 0.0
    hits = shelf.search(query, 1)
    return min(1.0, hits[0][0] / whole) if hits else 0.0
