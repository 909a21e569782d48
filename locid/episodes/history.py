"""What the commit messages of many scopes say of a question: BM25 with the document frequencies of all scopes' passages.

A message is one line or a page, so length and repetition count here. The paths that a commit touched weigh 0.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from locid.episodes import lexical
from locid.episodes.lexical import ShelfReader
from locid.episodes.source import Source
from locid.episodes.statistics import Statistics
from locid.values import Evidence, Passage, Question, Scope

IN_COMMITS: Mapping[str, float] = {"body": 1.0, "path": 0.4}
ROUTED = 5


class History(Source):
    """The commits of a set of scopes, all at fixed generations."""

    def __init__(self, shelves: Mapping[str, ShelfReader], statistics: Statistics) -> None:
        super().__init__(shelves, statistics)
        self._shelves = dict(shelves)

    def without(self, hidden: Mapping[str, frozenset[str]]) -> History:
        """The same but for some commits, by scope and hash, which no search finds."""
        shelves = {id: lexical.Hiding(s, hidden[id]) if id in hidden else s for id, s in self._shelves.items()}
        return History(shelves, self._statistics)

    def alike(self, question: Question, scopes: Sequence[Scope]) -> bool:
        """False: a message has no names."""
        return False

    def search(self, scope: str, question: Question, limit: int) -> list[Passage]:
        """The commits of one scope, best first; their key is the hash."""
        shelf = self._shelves.get(scope)
        if shelf is None:
            return []
        query = lexical.weighted(shelf, self._statistics.of(question).weights(IN_COMMITS))
        hits = shelf.search(query, limit) if query is not None else []
        rows = zip(shelf.ids([address for _, address in hits]), hits, strict=True)
        found = [Passage(scope, hash, hash, "commit", "shipped", score) for hash, (score, _) in rows]
        return sorted(found, key=lambda p: (-p.score, p.key))

    def _of_scope(self, id: str, question: Question) -> Evidence:
        best = self.search(id, question, ROUTED)
        scores = [p.score for p in best]
        return Evidence(
            scope=id,
            chunks=self._shelves[id].total,
            best=scores[0] if scores else 0.0,
            mean=sum(scores) / ROUTED,
            coverage=self._coverage(id, question),
            passages=tuple(best[:1]),
        )

    def _coverage(self, id: str, question: Question) -> float:
        """The share of the question's weight that one message holds."""
        found = self._statistics.of(question)
        query = lexical.present(lexical.COMMITS, found.weights({"body": 1.0}))
        hits = self._shelves[id].search(query, 1) if query is not None else []
        return hits[0][0] / max(found.rarity, 1e-9) if hits else 0.0
