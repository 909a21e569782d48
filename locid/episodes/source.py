"""What passages and history have in common as sources of evidence: which scopes are looked at, and what needs no passage."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

from locid.episodes.statistics import Statistics
from locid.values import Evidence, Question, Scope

LIKELY = 16  # scopes that are looked at; of fewer, all


class Source(ABC):
    """Evidence of a set of scopes, all at fixed generations."""

    def __init__(self, scopes: Collection[str], statistics: Statistics) -> None:
        self._scopes, self._statistics = frozenset(scopes), statistics

    def evidence(
        self, question: Question, scopes: Sequence[Scope], always: Collection[str] = ()
    ) -> dict[str, Evidence]:
        """Evidence by scope id: of those in `always`, and of those whose vocabulary makes them likely."""
        return {id: self._of_scope(id, question) for id in self._looked_at(question, scopes, always)}

    def coverage(self, question: Question, scopes: Sequence[Scope]) -> float:
        """The largest coverage of those whose vocabulary makes them likely; a fraction of the work of `evidence`."""
        return max((self._coverage(id, question) for id in self._looked_at(question, scopes, ())), default=0.0)

    def rarity(self, question: Question) -> float:
        """Sum of the inverse document frequencies of the question's tokens, exact and stemmed in their shares."""
        return self._statistics.of(question).rarity

    def holders(self, question: Question) -> Mapping[str, tuple[str, ...]]:
        """For each token that the gate weighs, the ids of the scopes that hold it."""
        return self._statistics.of(question).holders

    def ownness(self, scope: str, name: str) -> float:
        """How much likelier a name is in a scope than in the others, as a natural logarithm; 0 at the least."""
        return self._statistics.ownness(scope, name)

    @abstractmethod
    def alike(self, question: Question, scopes: Sequence[Scope]) -> bool:
        """Whether any of the scopes has a name that one of the question's, which nothing holds, may be a slip of."""

    def _looked_at(self, question: Question, scopes: Sequence[Scope], always: Collection[str]) -> list[str]:
        held = [s.id for s in scopes if s.id in self._scopes]
        likely = self._statistics.likely(question, held, LIKELY).union(always)
        return [id for id in held if id in likely]

    @abstractmethod
    def _of_scope(self, id: str, question: Question) -> Evidence:
        """What one scope holds."""

    @abstractmethod
    def _coverage(self, id: str, question: Question) -> float:
        """The coverage of one scope's evidence."""
