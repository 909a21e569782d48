"""Hits of one scope, best first: passages grouped by file, and commits, each with its text and true line range."""

from __future__ import annotations

from collections.abc import Sequence

from locid.snapshot import Snapshot, View
from locid.texts import StoredChunk
from locid.values import Commit, Hit, Passage, Question

PASSAGES = 120  # fetched a scope; ten files with three each seldom need more
PASSAGES_A_FILE = 3
COMMITS, NEWEST = 3, 5
COMMIT_WEIGHT, PAST_WEIGHT = 0.6, 1.2  # a file is what a question is mostly after, unless it asks what happened
ABOVE = 1.0  # how far a hit that the question asks for by kind stands above the best one
OVERVIEW = 3  # passages of the README, for a question that says nothing but "this project"


def hits(view: View, snapshot: Snapshot, question: Question, files: int, bonus: float) -> list[Hit]:
    """The best passages of the best `files` files and the best commits, in one order; scores compare across scopes."""
    passages = _grouped(view.passages.search(snapshot.scope, question, PASSAGES), files)
    stored = snapshot.passages([p.key for p in passages])
    found = [_hit(stored[p.key], p.score + bonus) for p in passages if p.key in stored]
    found += _commits(view, snapshot, question, bonus)
    top = max((h.score for h in found), default=bonus)
    if question.recent:
        found += _newest(snapshot, top + ABOVE)
    if question.pointing and len(question.weighed) <= 1:
        found += _overview(snapshot, top + ABOVE)
    return sorted(_once(found), key=lambda h: -h.score)


def _once(found: Sequence[Hit]) -> list[Hit]:
    """Each place once, with its best score."""
    best: dict[tuple[str | None, str | None, int], Hit] = {}
    for hit in found:
        key = (hit.path, hit.commit, hit.line_start)
        if key not in best or hit.score > best[key].score:
            best[key] = hit
    return list(best.values())


def _newest(snapshot: Snapshot, score: float) -> list[Hit]:
    """The newest commits, in their order."""
    return [_message(c, score + (NEWEST - i) / NEWEST) for i, c in enumerate(snapshot.newest(NEWEST))]


def _overview(snapshot: Snapshot, score: float) -> list[Hit]:
    """How the README begins."""
    chunks = snapshot.beginning("readme", OVERVIEW)
    return [_hit(c, score + (OVERVIEW - i) / OVERVIEW) for i, c in enumerate(chunks)]


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
    weight = PAST_WEIGHT if question.past else COMMIT_WEIGHT
    return [_message(messages[p.key], weight * p.score + bonus) for p in found if p.key in messages]


def _hit(chunk: StoredChunk, score: float) -> Hit:
    return Hit(
        kind=chunk.kind,
        path=chunk.path,
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        text=chunk.text,
        score=score,
        heading=chunk.heading,
        symbol=chunk.symbol,
    )


def _message(commit: Commit, score: float) -> Hit:
    text = f"{commit.subject}\n\n{commit.body}".strip()
    return Hit("commit", None, 0, 0, text, score, heading=commit.subject, commit=commit.hash)
