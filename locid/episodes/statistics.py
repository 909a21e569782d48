"""Document frequencies over all scopes, and what follows from them alone: how rare a question's terms are, which scopes
hold them, and which scopes are worth a look. One search of a mapped table per scope; no passage is read here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from locid import tokenizer
from locid.episodes import documents, terms
from locid.episodes.terms import TermsReader
from locid.values import Question

EXACT_SHARE, STEM_SHARE = 0.3, 0.7
DENSE = 2.0  # times the usual density of a term at which a scope counts two thirds of it
FLOOR = 1e-4  # density of a name elsewhere below which it is taken to be unknown there
_REMEMBERED = 64  # questions


@dataclass(frozen=True, slots=True)
class Found:
    """The terms of one question: how rare each is, and in how many passages of each scope it stands."""

    exact: Mapping[str, float]  # token -> inverse document frequency
    stems: Mapping[str, float]
    holders: Mapping[str, tuple[str, ...]]  # token that the gate weighs -> ids of the scopes that hold it
    counts: NDArray[np.int64]  # scopes x stems

    @property
    def rarity(self) -> float:
        """Sum over the terms, exact and stemmed in their shares."""
        return EXACT_SHARE * sum(self.exact.values()) + STEM_SHARE * sum(self.stems.values())

    def weights(self, fields: Mapping[str, float]) -> dict[tuple[str, str], float]:
        """What each term counts in each of the fields, which stand for two: `body` for `body_x` and `body_s`."""
        parts = ((EXACT_SHARE, "x", self.exact), (STEM_SHARE, "s", self.stems))
        return {
            (f"{field}_{letter}", term): weight * share * idf
            for field, weight in fields.items()
            for share, letter, terms in parts
            for term, idf in terms.items()
        }


class Statistics:
    """The tables of a set of scopes, all at fixed generations."""

    def __init__(self, tables: Mapping[str, TermsReader]) -> None:
        self._tables = dict(tables)
        self._ids = tuple(self._tables)
        self._sizes = np.array([t.passages for t in self._tables.values()], np.float64)
        self._total = int(self._sizes.sum())
        self._found: dict[Question, Found] = {}

    def passages(self, scope: str) -> int:
        """How many passages a scope holds."""
        return self._tables[scope].passages

    def of(self, question: Question) -> Found:
        """What is known of a question's terms; remembered for the questions asked last."""
        found = self._found.get(question)
        if found is None:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            found = self._found[question] = self._look_up(question)
        return found

    def held(self, token: str) -> bool:
        """Whether any passage holds an exact token."""
        return bool(self._counts("x", [token]).any())

    def idf(self, stem: str) -> float:
        """The inverse document frequency of a stem."""
        return self._idf(int(self._counts("s", [stem]).sum()))

    def likely(self, question: Question, scopes: Sequence[str], most: int) -> frozenset[str]:
        """Of these scopes, by id, those where the question's stems are densest: at most so many."""
        if len(scopes) <= most:
            return frozenset(scopes)
        found, among = self.of(question), [i for i, id in enumerate(self._ids) if id in set(scopes)]
        density = found.counts / np.maximum(self._sizes, 1.0)[:, None]
        usual = np.maximum(density.mean(axis=0), 1e-9)
        scores = (density / (density + DENSE * usual)) @ np.array(list(found.stems.values()))
        best = sorted(among, key=lambda i: (-float(scores[i]), self._ids[i]))[:most]
        return frozenset(self._ids[i] for i in best)

    def ownness(self, scope: str, name: str) -> float:
        """How much likelier a name is in a scope's passages than in the others', as a natural logarithm; 0 at the least.

        The rarest token of the name counts, and a name that no passage holds is nobody's.
        """
        tokens = tokenizer.tokens(name)
        if scope not in self._tables or not tokens:
            return 0.0
        shares = self._counts("x", tokens) / np.maximum(self._sizes, 1.0)[:, None]
        own = shares[self._ids.index(scope)]
        elsewhere = (shares.sum(axis=0) - own) / max(1, len(self._ids) - 1) + FLOOR
        floor = 0.1 / max(1, self.passages(scope))
        return max(0.0, float(np.log((own + floor) / elsewhere).min()))

    def _look_up(self, question: Question) -> Found:
        stems = list(dict.fromkeys(documents.stemmed(question.tokens)))
        counts = self._counts("s", stems)
        exact = self._counts("x", question.tokens)
        place = {token: i for i, token in enumerate(question.tokens)}
        return Found(
            exact=dict(zip(question.tokens, self._idfs(exact), strict=True)),
            stems=dict(zip(stems, self._idfs(counts), strict=True)),
            holders={t: self._holding(exact[:, place[t]]) for t in question.weighed},
            counts=counts,
        )

    def _holding(self, counts: NDArray[np.int64]) -> tuple[str, ...]:
        return tuple(self._ids[i] for i in np.flatnonzero(counts))

    def _counts(self, field: str, names: Sequence[str]) -> NDArray[np.int64]:
        """Scopes x terms."""
        keys = terms.key_array(field, names)
        rows = [table.counts(keys) for table in self._tables.values()]
        return np.stack(rows) if rows else np.zeros((0, len(names)), np.int64)

    def _idfs(self, counts: NDArray[np.int64]) -> list[float]:
        return [self._idf(int(df)) for df in counts.sum(axis=0)]

    def _idf(self, df: int) -> float:
        return math.log(1.0 + (self._total - df + 0.5) / (df + 0.5))
