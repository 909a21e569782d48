"""The parse worker: files and commits in, chunks with their tokens out. It keeps nothing and writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from locid import collect, tokenizer
from locid.git import RawCommit
from locid.refresh import messages
from locid.refresh.messages import Channel, PreparedCommit, PreparedFile
from locid.values import Chunk, Commit, FileBatch


def main(channel: Channel) -> int:
    """Answers frames until the indexer closes its end; returns the exit status."""
    try:
        while (request := channel.receive()) is not None:
            channel.send(answer(request))
    except BrokenPipeError:  # the indexer is gone, and nobody wants the reply
        return 1
    return 0


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """The reply to one frame."""
    return OPERATIONS[request["op"]](request)


def prepare(batch: FileBatch) -> PreparedFile:
    """A file's chunks with their tokens."""
    bodies = tuple(" ".join(tokenizer.tokens(c.text)) for c in batch.chunks)
    names = tuple(_names(c) for c in batch.chunks)
    grams = tuple(_grams(batch.path, c) for c in batch.chunks)
    return PreparedFile(batch, bodies, names, _path_tokens((batch.path,)), grams)


def prepare_commit(commit: Commit) -> PreparedCommit:
    """A commit with the tokens of its message, and of the paths it touched."""
    body = " ".join(tokenizer.tokens(f"{commit.subject}\n{commit.body}"))
    return PreparedCommit(commit, body, _path_tokens(commit.files[:50]))


def _files(request: Mapping[str, Any]) -> dict[str, Any]:
    root, cap = request["root"], request["max_file_bytes"]
    parsed = [collect.parse_file(root, stat, cap) for stat in messages.unpack_stats(request["stats"])]
    return {"files": [messages.pack_file(prepare(batch)) for batch in parsed]}


def _commits(request: Mapping[str, Any]) -> dict[str, Any]:
    raw = (
        RawCommit(hash, time, subject, body, tuple(files)) for hash, time, subject, body, files in request["commits"]
    )
    return {"commits": [messages.pack_commit(prepare_commit(commit)) for commit, _ in collect.commits(raw)]}


def _names(chunk: Chunk) -> str:
    return " ".join(tokenizer.tokens(" ".join((*chunk.names, chunk.heading))))


def _grams(path: str, chunk: Chunk) -> str:
    """Trigrams of what a question may misspell: names, headings and the file's own name."""
    file = path.rpartition("/")[2].partition(".")[0]
    return " ".join(tokenizer.grams(" ".join((*chunk.names, chunk.heading, file))))


def _path_tokens(paths: Sequence[str]) -> str:
    return " ".join(tokenizer.tokens(" ".join(paths)))


OPERATIONS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"files": _files, "commits": _commits}
