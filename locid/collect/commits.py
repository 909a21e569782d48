"""A commit of git -> the values we keep: redacted, and its message as a passage. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from locid import chunk
from locid.git import RawCommit
from locid.redact import Redacted, redact_all
from locid.values import Chunk, Commit

MAX_TEXT = 4000  # characters of a message that its passage holds
_AT_ONCE = 200  # commits that are redacted in one call


def commits(raw: Iterable[RawCommit]) -> Iterator[tuple[Commit, Chunk]]:
    """Each commit with the passage of its message; the body is whole in the commit, cut in the passage."""
    waiting = iter(raw)
    while some := list(islice(waiting, _AT_ONCE)):
        messages = redact_all([_message(commit) for commit in some])
        paths = _redacted_paths(some)
        for commit, message in zip(some, messages, strict=True):
            yield _commit(commit, message, tuple(paths[path] for path in commit.files))


def _message(raw: RawCommit) -> str:
    """Subject and body as one text: a key may begin in the subject."""
    return f"{raw.subject}\n\n{raw.body}" if raw.body.strip() else raw.subject


def _redacted_paths(some: Sequence[RawCommit]) -> dict[str, str]:
    """What each path that the commits touch is called without its secrets."""
    paths = list(dict.fromkeys(path for commit in some for path in commit.files))
    return {path: clean.text for path, clean in zip(paths, redact_all(paths), strict=True)}


def _commit(raw: RawCommit, message: Redacted, files: tuple[str, ...]) -> tuple[Commit, Chunk]:
    """One commit and its passage; path None, lines 0."""
    subject, _, body = message.text.partition("\n\n")
    kept = Commit(raw.hash, raw.time, subject, body, files, message.found)
    text = message.text[:MAX_TEXT].rstrip()
    passage, _ = chunk.make(None, "commit", text, 0, 0, "docs", commit=raw.hash, source=message)
    return kept, passage
