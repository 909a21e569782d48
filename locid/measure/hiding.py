"""What would give a case's answer away is hidden while it is asked: its commit's message, and passages that repeat it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from locid.episodes.history import History
from locid.episodes.passages import Passages
from locid.measure import subjects
from locid.measure.cases import Case
from locid.route.question import parse
from locid.snapshot import Snapshot, View
from locid.values import Evidence, PassageSource, Question, Scope

ALL = 0.99  # what repeats a question holds all of it: mostly nothing does, and nothing has to be read
LOOKED_AT = 8  # best passages of a scope: a changelog that repeats a subject is among them


class Remembered:
    """A source that is asked once for each question: one asked from many places finds the same passages."""

    def __init__(self, source: PassageSource) -> None:
        self._source = source
        self._evidence: dict[tuple[str, frozenset[str]], Mapping[str, Evidence]] = {}
        self._holders: dict[str, Mapping[str, tuple[str, ...]]] = {}

    def evidence(
        self, question: Question, scopes: Sequence[Scope], always: Collection[str] = ()
    ) -> Mapping[str, Evidence]:
        """As the source's; the scopes are always the same ones."""
        asked = (question.text, frozenset(always))
        if asked not in self._evidence:
            self._evidence[asked] = self._source.evidence(question, scopes, always)
        return self._evidence[asked]

    def coverage(self, question: Question, scopes: Sequence[Scope]) -> float:
        """As the source's."""
        return self._source.coverage(question, scopes)

    def rarity(self, question: Question) -> float:
        """As the source's."""
        return self._source.rarity(question)

    def holders(self, question: Question) -> Mapping[str, tuple[str, ...]]:
        """As the source's."""
        if question.text not in self._holders:
            self._holders[question.text] = self._source.holders(question)
        return self._holders[question.text]

    def ownness(self, scope: str, name: str) -> float:
        """As the source's."""
        return self._source.ownness(scope, name)

    def alike(self, question: Question, scopes: Sequence[Scope]) -> bool:
        """As the source's."""
        return self._source.alike(question, scopes)


class Sources:
    """Files and history as one case may see them."""

    def __init__(self, view: View, scopes: Sequence[Scope]) -> None:
        self._view, self._scopes = view, {s.id: s for s in scopes}
        self.files: PassageSource = Remembered(view.passages)
        self.history: Callable[[], PassageSource] = cache(lambda: Remembered(view.history))

    def of(self, case: Case) -> tuple[PassageSource, Callable[[], PassageSource]]:
        """Both, without what gives the case away."""
        if case.commit is None:
            return self.files, self.history
        files = Remembered(self._view.passages.without(self._repeated(case, self._view.passages, _passages)))
        return files, cache(lambda: Remembered(self._without_messages(case)))

    def _without_messages(self, case: Case) -> History:
        """History without the commit, and without others that say the same: its twin on another branch, its revert."""
        own = dict.fromkeys(case.right, frozenset([case.commit or ""]))
        twins = self._repeated(case, self._view.history, _messages)
        return self._view.history.without({id: own.get(id, frozenset()) | twins[id] for id in twins})

    def _repeated(
        self, case: Case, passages: Passages | History, texts: Callable[[Snapshot, Sequence[str]], Mapping[str, str]]
    ) -> dict[str, frozenset[str]]:
        """By scope: keys of the best passages that repeat the case's words in their order."""
        question, repeats = parse(case.text), _repeats(case.text)
        found = {}
        for id in case.right:
            if passages.coverage(question, [self._scopes[id]]) < ALL:
                found[id] = frozenset[str]()
                continue
            keys = [p.key for p in passages.search(id, question, LOOKED_AT)]
            found[id] = frozenset(key for key, text in texts(self._view.snapshot(id), keys).items() if repeats(text))
        return found


def _repeats(words: str) -> Callable[[str], bool]:
    """Whether a text holds the words in their order; most texts lack the longest one, which is quick to see."""
    wanted = subjects.said(words)
    longest = max(wanted.split(), key=len)
    return lambda text: longest in text.lower() and wanted in subjects.said(text)


def _passages(snapshot: Snapshot, keys: Sequence[str]) -> dict[str, str]:
    return {key: chunk.text for key, chunk in snapshot.passages(keys).items()}


def _messages(snapshot: Snapshot, keys: Sequence[str]) -> dict[str, str]:
    return {key: f"{commit.subject}\n{commit.body}" for key, commit in snapshot.messages(keys).items()}
