"""The parse worker: files and commits in, chunks with their tokens out. It keeps nothing and writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from locid import collect
from locid.episodes import documents
from locid.git import RawCommit
from locid.refresh import messages
from locid.refresh.messages import Channel, PreparedCommit, PreparedFile
from locid.values import Commit, FileBatch


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
    """A file with what the lexical index takes of it."""
    return PreparedFile(batch, documents.of_file(batch))


def prepare_commit(commit: Commit) -> PreparedCommit:
    """A commit with what the lexical index takes of it."""
    return PreparedCommit(commit, documents.of_commit(commit))


def _files(request: Mapping[str, Any]) -> dict[str, Any]:
    root, cap = request["root"], request["max_file_bytes"]
    parsed = [collect.parse_file(root, stat, cap) for stat in messages.unpack_stats(request["stats"])]
    return {"files": [messages.pack_file(prepare(batch)) for batch in parsed]}


def _commits(request: Mapping[str, Any]) -> dict[str, Any]:
    raw = (
        RawCommit(hash, time, subject, body, tuple(files)) for hash, time, subject, body, files in request["commits"]
    )
    return {"commits": [messages.pack_commit(prepare_commit(commit)) for commit, _ in collect.commits(raw)]}


OPERATIONS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"files": _files, "commits": _commits}
