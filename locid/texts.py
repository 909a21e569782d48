"""What files and commits say, as rows of store.db: passages and messages. Owns their blocks.

A file's passages stand in blocks of their own, in the order of the file, so that they are replaced with it. Commits
stand in blocks by time; a few new ones join the newest block until it is full.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from locid import db
from locid.blocks import Block, Blocks
from locid.values import Chunk, ChunkKind, Commit, FileClass, total

CHUNKS, COMMITS = Blocks("texts"), Blocks("history")
SCHEMA = CHUNKS.schema + ";" + COMMITS.schema
BLOCK_BYTES = 65_536  # of one file's passages in a block: a passage is read with all of its block
BLOCK_COMMITS = 64


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as the store gives it back."""

    key: bytes
    path: str
    kind: ChunkKind
    line_start: int
    line_end: int
    symbol: str
    heading: str
    names: tuple[str, ...]
    text: str
    file_class: FileClass


# ---- passages of files


def add_chunks(connection: db.Connection, file: int, chunks: Sequence[Chunk]) -> None:
    """Adds the passages of a file, by its row's id; what it had is removed already."""
    part: list[Chunk] = []
    size = 0
    for chunk in chunks:
        if part and size > BLOCK_BYTES:
            _add_part(connection, file, part, size)
            part, size = [], 0
        part.append(chunk)
        size += _bytes(chunk.text)
    if part:
        _add_part(connection, file, part, size)


def _add_part(connection: db.Connection, file: int, chunks: Sequence[Chunk], size: int) -> None:
    rows = [(c.kind, c.line_start, c.line_end, c.symbol, c.heading, "\n".join(c.names), c.text) for c in chunks]
    CHUNKS.add(connection, file, [c.id for c in chunks], _columns(rows), size, None)


def remove_chunks(connection: db.Connection, file: int) -> None:
    """Removes the passages of a file."""
    for block in CHUNKS.tagged(connection, file):
        CHUNKS.remove(connection, block.id)


def chunks_of(connection: db.Connection, file: int) -> Iterator[StoredChunk]:
    """The passages of a file, in its order."""
    for block in CHUNKS.tagged(connection, file):
        yield from _stored(connection, block)


def chunk_keys(connection: db.Connection, classes: Collection[FileClass]) -> Iterator[bytes]:
    """The keys of the passages of files of some classes."""
    rows = connection.execute("select id, class from files")
    return CHUNKS.tagged_keys(connection, {file for file, file_class in rows if file_class in classes})


def chunks_by_key(connection: db.Connection, keys: Iterable[bytes]) -> dict[bytes, StoredChunk]:
    """Passages by key; a key that the store lacks is absent."""
    wanted = set(keys)
    blocks = list(CHUNKS.holding(connection, wanted))
    return {chunk.key: chunk for block in blocks for chunk in _stored(connection, block) if chunk.key in wanted}


def _stored(connection: db.Connection, block: Block) -> Iterator[StoredChunk]:
    path, file_class = connection.execute("select path, class from files where id = ?", (block.tag,)).fetchone()
    for key, (kind, start, end, symbol, heading, names, text) in block.rows():
        parts = tuple(names.split("\n")) if names else ()
        yield StoredChunk(key, path, kind, start, end, symbol, heading, parts, text, file_class)


# ---- messages of commits


def add_commits(connection: db.Connection, commits: Iterable[Commit]) -> None:
    """Adds commits that are not there yet."""
    ordered = sorted(commits, key=lambda c: (c.time, c.hash))
    last = COMMITS.last(connection)
    if ordered and last is not None and len(last.keys) < BLOCK_COMMITS:
        COMMITS.remove(connection, last.id)
        ordered = [*_commits(last), *ordered]
    waiting = iter(ordered)
    while part := list(islice(waiting, BLOCK_COMMITS)):
        _add_messages(connection, part)


def _add_messages(connection: db.Connection, part: Sequence[Commit]) -> None:
    rows = [(c.time, c.subject, c.body, list(c.files), list(c.redactions)) for c in part]
    size = sum(map(_bytes, (text for c in part for text in (c.subject, c.body, *c.files))))
    found = total(pair for c in part for pair in c.redactions)
    newest = max(c.time for c in part)
    note = json.dumps(found) if found else None
    COMMITS.add(connection, newest, [bytes.fromhex(c.hash) for c in part], _columns(rows), size, note)


def drop_commits(connection: db.Connection, hashes: Iterable[str]) -> None:
    """Removes commits; the others of their blocks are put together anew."""
    gone = {bytes.fromhex(h) for h in hashes}
    for block in list(COMMITS.holding(connection, gone)):
        kept = [c for c in _commits(block) if bytes.fromhex(c.hash) not in gone]
        COMMITS.remove(connection, block.id)
        if kept:
            _add_messages(connection, kept)


def commits_by_hash(connection: db.Connection, hashes: Iterable[str]) -> dict[str, Commit]:
    """Commits by hash; one that the store lacks is absent."""
    wanted = set(hashes)
    blocks = COMMITS.holding(connection, map(bytes.fromhex, wanted))
    return {c.hash: c for block in blocks for c in _commits(block) if c.hash in wanted}


def newest_commits(connection: db.Connection, count: int) -> list[Commit]:
    """The newest commits by their time, newest first."""
    found: list[Commit] = []
    for block in COMMITS.newest_tags(connection):
        if len(found) >= count and all(c.time >= block.tag for c in found[:count]):
            break
        found = sorted([*found, *_commits(block)], key=lambda c: -c.time)
    return found[:count]


def all_commits(connection: db.Connection) -> Iterator[Commit]:
    """Every commit, block by block."""
    for block in COMMITS.newest_tags(connection):
        yield from _commits(block)


def _commits(block: Block) -> Iterator[Commit]:
    for key, (time, subject, body, files, redactions) in block.rows():
        yield Commit(key.hex(), time, subject, body, tuple(files), tuple((k, n) for k, n in redactions))


# ---- both


def _columns(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))
