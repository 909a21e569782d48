"""Hits of one scope, best first: passages grouped by file, and commits, each with its text and true line range."""

from __future__ import annotations

from collections.abc import Sequence

from locid.scopestore import StoredChunk
from locid.snapshot import Snapshot, View
from locid.values import Commit, Hit, Passage, Question

PASSAGES = 120  # fetched a scope; ten files with three each seldom need more
PASSAGES_A_FILE = 3
COMMITS = 3
COMMIT_WEIGHT = 0.6  # a message tells why, but a file is what a question is mostly after


def hits(view: View, snapshot: Snapshot, question: Question, files: int, bonus: float) -> list[Hit]:
    """The best passages of the best `files` files and the best commits, in one order; scores compare across scopes."""
    passages = _grouped(view.passages.search(snapshot.scope, question, PASSAGES), files)
    stored = snapshot.passages([p.key for p in passages])
    found = [_hit(p, stored[p.key], bonus) for p in passages if p.key in stored]
    found += _commits(view, snapshot, question, bonus)
    return sorted(found, key=lambda h: -h.score)


def _grouped(passages: Sequence[Passage], files: int) -> list[Passage]:
    """At most `files` owners, each with its three best passages."""
    kept: dict[str, int] = {}
    out = []
    for passage in passages:
        if passage.owner not in kept and len(kept) >= files:
            continue
        kept[passage.owner] = kept.get(passage.owner, 0) + 1
        if kept[passage.owner] <= PASSAGES_A_FILE:
            out.append(passage)
    return out


def _commits(view: View, snapshot: Snapshot, question: Question, bonus: float) -> list[Hit]:
    found = view.history.search(snapshot.scope, question, COMMITS)
    messages = snapshot.messages([p.key for p in found])
    return [_message(p, messages[p.key], bonus) for p in found if p.key in messages]


def _hit(passage: Passage, chunk: StoredChunk, bonus: float) -> Hit:
    return Hit(
        kind=chunk.kind,
        path=chunk.path,
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        text=chunk.text,
        score=passage.score + bonus,
        heading=chunk.heading,
        symbol=chunk.symbol,
    )


def _message(passage: Passage, commit: Commit, bonus: float) -> Hit:
    text = f"{commit.subject}\n\n{commit.body}".strip()
    score = COMMIT_WEIGHT * passage.score + bonus
    return Hit("commit", None, 0, 0, text, score, heading=commit.subject, commit=commit.hash)
