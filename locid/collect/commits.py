"""A commit of git -> the values we keep: redacted, and its message as a passage. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from locid import chunk
from locid.git import RawCommit
from locid.redact import redact
from locid.values import Chunk, Commit

MAX_TEXT = 4000  # characters of a message that its passage holds


def commits(raw: Iterable[RawCommit]) -> Iterator[tuple[Commit, Chunk]]:
    """Each commit with the passage of its message; the body is whole in the commit, cut in the passage."""
    return map(commit, raw)


def commit(raw: RawCommit) -> tuple[Commit, Chunk]:
    """One commit and its passage; path None, lines 0."""
    message = f"{raw.subject}\n\n{raw.body}" if raw.body.strip() else raw.subject
    message, found = redact(message)  # as one text: a key may begin in the subject
    subject, _, body = message.partition("\n\n")
    kept = Commit(raw.hash, raw.time, subject, body, raw.files, found)
    passage, _ = chunk.make(None, "commit", message[:MAX_TEXT].rstrip(), 0, 0, "docs", commit=raw.hash)
    return kept, passage
