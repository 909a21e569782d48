"""Questions whose right answer is known by construction. Made in a fixed order, so that the same stores give the same.

Terms. A *case* is a question, where it is asked from, and which scopes are right, none when it must be refused. A *half*
is one of two disjoint parts: one is for fitting, the other for reporting. What a case was made from it must not find
again, so it names its commit (hiding.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from locid import tokenizer
from locid.measure import subjects
from locid.measure.probes import DAILY, POINTING, TECHNOLOGY, Probe, probes
from locid.registry import identity
from locid.route.question import parse
from locid.snapshot import Snapshot, View
from locid.values import Commit, PassageSource, Scope

Family = Literal["deictic_cwd", "deictic_nocwd", "unanswerable", "signature", "hidden_commit"]
Half = Literal["fit", "report"]
HALVES: tuple[Half, Half] = ("fit", "report")

READ_FOR_ONE = 10  # commits looked at for each that is wanted: of robots' commits few subjects are left
READ_AT_LEAST = 400
FILES_LOOKED_AT = 100  # of a commit's: the question of whether it belongs here needs no more
SIGNATURE_WORDS, WORDS_READ = 3, 60
CHUNKS_FOR_ONE = 4  # looked at for each signature: some have too few words


@dataclass(frozen=True, slots=True)
class Case:
    """A question and its right answer."""

    family: Family
    text: str
    cwd: str | None = None
    right: frozenset[str] = frozenset()  # ids; empty: it must be refused
    commit: str | None = None  # whose message must not answer it


def half_of(key: str) -> Half:
    """The part that a question belongs to: by its words, so that the same words are never in both."""
    return HALVES[hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=1).digest()[0] & 1]


def standing(scopes: Iterable[Scope]) -> list[Case]:
    """Questions that point, asked from inside each scope."""
    return [Case("deictic_cwd", text, s.root, frozenset([s.id])) for s in scopes for text in POINTING]


def nowhere() -> list[Case]:
    """The same, asked from nowhere."""
    return [Case("deictic_nocwd", text) for text in POINTING]


def unanswerable(half: Half, sources: Sequence[PassageSource]) -> Iterator[Case]:
    """Daily life, and technology that no scope knows: what a scope may be about is not asked."""
    for probe in (*probes(DAILY), *probes(TECHNOLOGY)):
        if half_of(probe.text) == half and not any(_known(probe, source) for source in sources):
            yield Case("unanswerable", probe.text)


def _known(probe: Probe, source: PassageSource) -> bool:
    """Whether one scope holds every word of what the probe is about."""
    holders = source.holders(parse(probe.text))
    return bool(frozenset.intersection(*(frozenset(holders.get(word, ())) for word in probe.subject)))


# ---- history -----------------------------------------------------------------------------------------------


def hidden_commits(half: Half, view: View, scopes: Sequence[Scope], each: int) -> Iterator[Case]:
    """The newest `each` subjects of every scope that fall into this half; one that several hold is asked once."""
    asked: set[str] = set()
    for scope in scopes:
        told = _told(half, view.snapshot(scope.id), scope, each)
        fresh = ((text, commit) for text, commit in told if subjects.said(text) not in asked)
        for text, commit in islice(fresh, each):
            asked.add(subjects.said(text))
            yield Case("hidden_commit", text, right=_sharing(commit.hash, view, scopes), commit=commit.hash)


def _told(half: Half, snapshot: Snapshot, scope: Scope, each: int) -> Iterator[tuple[str, Commit]]:
    """What this half's commits of something that is still there tell, newest first."""
    names = identity.names_of(scope)
    commits = snapshot.newest(max(READ_AT_LEAST, READ_FOR_ONE * each))
    for commit in sorted(commits, key=lambda c: (-c.time, c.hash)):
        text = subjects.topic(commit.subject, names)
        if text is not None and half_of(subjects.said(text)) == half and _belongs(commit, snapshot):
            yield text, commit


def _belongs(commit: Commit, snapshot: Snapshot) -> bool:
    """Whether a commit changed a file that is in the index: not a merge, nor what only a scope inside this one holds."""
    return bool(snapshot.stats(commit.files[:FILES_LOOKED_AT]))


def _sharing(hash: str, view: View, scopes: Sequence[Scope]) -> frozenset[str]:
    """All scopes that the commit belongs to: work trees, forks, and projects inside one share theirs."""
    snapshots = [view.snapshot(s.id) for s in scopes]
    found = {s.scope: s.messages([hash]).get(hash) for s in snapshots}
    return frozenset(s.scope for s in snapshots if (commit := found[s.scope]) is not None and _belongs(commit, s))


# ---- signatures --------------------------------------------------------------------------------------------


def signatures(view: View, scopes: Sequence[Scope], each: int) -> Iterator[Case]:
    """What a scope says in words of its own: a question of three of them that stand in one passage."""
    for scope in scopes:
        chunks = view.snapshot(scope.id).sample(CHUNKS_FOR_ONE * each)
        questions = (_signature(chunk.text, view.passages) for chunk in chunks)
        for text in islice((q for q in questions if q is not None), each):
            yield Case("signature", text, right=frozenset([scope.id]))


def _signature(text: str, source: PassageSource) -> str | None:
    """A question of the words that fewest scopes hold, of these the commonest; None when there are too few."""
    words = [w for w in tokenizer.content(text) if w.isalpha() and w.isascii() and 4 <= len(w) <= 20][:WORDS_READ]
    if len(words) < SIGNATURE_WORDS:
        return None
    holders = source.holders(parse(" ".join(words)))
    rarity = {word: source.rarity(parse(word)) for word in words}
    own = sorted(words, key=lambda word: (len(holders.get(word, ())), rarity[word], word))
    return "where are {}, {} and {} used?".format(*own[:SIGNATURE_WORDS])
