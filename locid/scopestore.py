"""store.db, the truth of one scope: files, chunks, symbols, commits, generation. Owns the schema and the one writing call.

A batch is applied in one transaction that replaces, per file, all that the file contributed, and bumps the generation.
Everything else that is kept of a scope is derived from here and carries the generation that it was built for.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from locid import db, outlines
from locid.layout import STORE_FORMAT
from locid.outlines import ImportAt, ReferenceAt, SymbolAt
from locid.values import Chunk, ChunkKind, Commit, FileBatch, FileClass, GitState, ScopeFacts

MIGRATIONS = (
    """
    create table meta (key text primary key, value) without rowid;
    create table files (
        id integer primary key, path text not null unique, size integer not null, mtime_ns integer not null,
        digest blob not null, class text not null, language text not null, skip text, redactions text);
    create table chunks (
        id integer primary key, key blob not null unique, file integer not null references files(id),
        kind text not null, line_start integer not null, line_end integer not null,
        symbol text not null, heading text not null, names text not null, text blob not null, bytes integer not null);
    create index chunks_of_file on chunks(file);
    create table commits (
        id integer primary key, hash text not null unique, time integer not null,
        subject text not null, rest blob not null, redactions text)
    """,
    # what a file's syntax tells comes from the file alone: each is marked as never read; history is read again, too,
    # since a hash as 20 bytes instead of 40 letters, in the table and its index, is 4 MB for 94,000 commits
    outlines.SCHEMA
    + """;
    update files set digest = x'', mtime_ns = -1;
    drop table commits;
    create table commits (
        id integer primary key, hash blob not null unique, time integer not null,
        subject text not null, rest blob not null, redactions text);
    delete from meta where key = 'history_head'
    """,
)
assert len(MIGRATIONS) == STORE_FORMAT


@dataclass(frozen=True, slots=True)
class Known:
    """What the store holds of a file."""

    size: int
    mtime_ns: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """What one transaction changes."""

    files: Sequence[FileBatch] = ()
    touched: Sequence[FileBatch] = ()  # same content, other size or time: only the row changes
    removed: Sequence[str] = ()
    commits: Sequence[Commit] = ()
    dropped_commits: Sequence[str] = ()
    meta: Mapping[str, object] = field(default_factory=dict)


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


class Store:
    """The writing side; one process, the indexer, opens it."""

    def __init__(self, path: str) -> None:
        self._db = db.open_writer(path, MIGRATIONS)

    @property
    def generation(self) -> int:
        """The number of the last batch applied; 0 for an empty store."""
        return int(cast(int, _meta(self._db).get("generation", 0)))

    def meta(self) -> dict[str, object]:
        """All that was recorded beside the rows: commit, branch, history_head, complete …"""
        return _meta(self._db)

    def known(self) -> dict[str, Known]:
        """Size, time and digest of every file by path."""
        rows = self._db.execute("select path, size, mtime_ns, digest from files")
        return {path: Known(size, mtime, digest) for path, size, mtime, digest in rows}

    def commit_hashes(self) -> set[str]:
        """The hashes of all commits that are stored."""
        return {row[0].hex() for row in self._db.execute("select hash from commits")}

    def apply(self, batch: Batch) -> int:
        """The new generation, after one durable transaction."""
        with db.transaction(self._db):
            for path in batch.removed:
                self._remove(path)
            outlines.add(self._db, [(self._replace(file), file) for file in batch.files])
            self._touch(batch.touched)
            self._add_commits(batch.commits)
            self._db.executemany(
                "delete from commits where hash = ?", [(bytes.fromhex(h),) for h in batch.dropped_commits]
            )
            generation = self.generation + 1
            self._record({**batch.meta, "generation": generation})
        return generation

    def record(self, meta: Mapping[str, object]) -> None:
        """Records facts that change no row, without a new generation."""
        with db.transaction(self._db):
            self._record(meta)

    def summary(self, skipped: Mapping[str, int]) -> dict[str, object]:
        """The counts of everything stored, for `meta`, so that no reader counts them; `skipped` comes from the walk."""
        counts = _count(self._db)
        return {"summary": json.dumps({**counts, "skipped": {**skipped, **counts["skipped"]}})}

    def chunks(self) -> Iterator[tuple[str, tuple[Chunk, ...]]]:
        """Every file's path with its chunks, to rebuild what is derived."""
        for (path,) in self._db.execute("select path from files where skip is null order by id").fetchall():
            yield path, tuple(_chunk(row) for row in _rows(self._db, "f.path = ?", [path]))

    def commits(self) -> Iterator[Commit]:
        """Every stored commit, oldest row first."""
        for row in self._db.execute("select hash, time, subject, rest from commits order by id"):
            yield _commit(row)

    def close(self) -> None:
        """Closes the connection."""
        self._db.close()

    def _remove(self, path: str) -> None:
        for (file,) in self._db.execute("select id from files where path = ?", (path,)).fetchall():
            self._db.execute("delete from chunks where file = ?", (file,))
            outlines.remove(self._db, file)
            self._db.execute("delete from files where id = ?", (file,))

    def _replace(self, file: FileBatch) -> int:
        """The id of the file's new row; what its syntax tells is added by `outlines`."""
        self._remove(file.path)
        cursor = self._db.execute(
            "insert into files (path, size, mtime_ns, digest, class, language, skip, redactions)"
            " values (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                file.path,
                file.size,
                file.mtime_ns,
                file.digest,
                file.file_class,
                file.language,
                file.skip,
                _counts(file.redactions),
            ),
        )
        self._db.executemany(
            "insert into chunks (key, file, kind, line_start, line_end, symbol, heading, names, text, bytes)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [_chunk_row(cast(int, cursor.lastrowid), chunk) for chunk in file.chunks],
        )
        return cast(int, cursor.lastrowid)

    def _touch(self, files: Iterable[FileBatch]) -> None:
        self._db.executemany(
            "update files set size = ?, mtime_ns = ? where path = ?",
            [(f.size, f.mtime_ns, f.path) for f in files],
        )

    def _add_commits(self, commits: Iterable[Commit]) -> None:
        self._db.executemany(
            "insert or replace into commits (hash, time, subject, rest, redactions) values (?, ?, ?, ?, ?)",
            [(bytes.fromhex(c.hash), c.time, c.subject, _rest(c), _counts(c.redactions)) for c in commits],
        )

    def _record(self, meta: Mapping[str, object]) -> None:
        self._db.executemany("insert or replace into meta values (?, ?)", list(meta.items()))


class Reader:
    """The reading side: one read transaction, so that all it returns is of one generation."""

    def __init__(self, path: str) -> None:
        self._db = db.open_reader(path, STORE_FORMAT)
        self._meta = _meta(self._db)

    @property
    def generation(self) -> int:
        """The generation that this reader sees."""
        return int(cast(int, self._meta.get("generation", 0)))

    @property
    def complete(self) -> bool:
        """False while the first index of the scope is under way."""
        return bool(self._meta.get("complete"))

    @property
    def history_generation(self) -> int:
        """The generation at which commits last changed; the history's index carries it."""
        return int(cast(int, self._meta.get("history_generation", 0)))

    def facts(self) -> ScopeFacts:
        """What the scope holds, as counted when it was last indexed."""
        summary = self._meta.get("summary")
        counts = json.loads(cast(str, summary)) if summary else _count(self._db)
        return ScopeFacts(
            generation=self.generation,
            commit=cast("str | None", self._meta.get("commit")),
            branch=cast("str | None", self._meta.get("branch")),
            dirty=bool(self._meta.get("dirty")),
            indexed_at=float(cast(float, self._meta.get("indexed_at", 0.0))),
            **counts,
        )

    def chunks(self, keys: Sequence[bytes]) -> dict[bytes, StoredChunk]:
        """Chunks by key; a key that the store lacks is absent."""
        marks = ",".join("?" * len(keys))
        return {row[0]: _stored(row) for row in _rows(self._db, f"c.key in ({marks})", list(keys))}

    def newest(self, count: int) -> list[Commit]:
        """The newest commits by their time, newest first."""
        query = "select hash, time, subject, rest from commits order by time desc, id limit ?"
        return [_commit(row) for row in self._db.execute(query, (count,))]

    def beginning(self, name: str, count: int) -> list[StoredChunk]:
        """The first chunks of the file at the root whose name begins so, in any case; the shortest name of several."""
        query = (
            "select path from files where path like ? and path not like '%/%' and skip is null order by length(path)"
        )
        found = self._db.execute(query, (name + "%",)).fetchone()
        return [_stored(row) for row in _rows(self._db, "f.path = ?", [found[0]])][:count] if found else []

    def sample(self, count: int) -> list[StoredChunk]:
        """Chunks of what the scope ships and documents, in the order of their keys, which are hashes."""
        # the ids first: sorting whole rows would read every text
        query = (
            "select c.key from chunks c join files f on f.id = c.file where f.class in ('shipped', 'docs')"
            " order by c.key limit ?"
        )
        keys = [row[0] for row in self._db.execute(query, (count,))]
        found = self.chunks(keys)
        return [found[key] for key in keys]

    def stats(self, paths: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Size and modification time of files by path."""
        marks = ",".join("?" * len(paths))
        query = f"select path, size, mtime_ns from files where path in ({marks})"
        return {path: (size, mtime) for path, size, mtime in self._db.execute(query, list(paths))}

    def commits(self, hashes: Sequence[str]) -> dict[str, Commit]:
        """Commits by hash."""
        marks = ",".join("?" * len(hashes))
        query = f"select hash, time, subject, rest from commits where hash in ({marks})"
        return {row[0].hex(): _commit(row) for row in self._db.execute(query, [bytes.fromhex(h) for h in hashes])}

    def symbols_named(self, name: str) -> list[SymbolAt]:
        """The definitions of a name, by path and line; `a.b` asks for one that is defined inside `a`."""
        return outlines.symbols_named(self._db, name)

    def references_to(self, name: str) -> list[ReferenceAt]:
        """Where a name is referred to, by path and line."""
        return outlines.references_to(self._db, name)

    def imports(self) -> Iterator[ImportAt]:
        """All imports of the scope, by path and line."""
        return outlines.imports(self._db)

    def close(self) -> None:
        """Ends the read transaction and closes the connection."""
        self._db.close()


def git_meta(state: GitState | None) -> dict[str, object]:
    """A work tree's state as `meta` records it, with the time of recording."""
    if state is None:
        return {"commit": None, "branch": None, "dirty": 0, "indexed_at": time.time()}
    return {
        "commit": state.commit,
        "branch": state.branch,
        "dirty": int(state.dirty),
        "indexed_at": time.time(),
    }


def _meta(connection: db.Connection) -> dict[str, object]:
    return dict(connection.execute("select key, value from meta"))


def _count(connection: db.Connection) -> dict[str, Any]:
    chunks, size = connection.execute("select count(*), coalesce(sum(bytes), 0) from chunks").fetchone()
    return {
        "files": connection.execute("select count(*) from files where skip is null").fetchone()[0],
        "chunks": chunks,
        "commits": connection.execute("select count(*) from commits").fetchone()[0],
        "text_bytes": size,
        "symbols": connection.execute("select count(*) from symbols").fetchone()[0],
        "skipped": dict(connection.execute("select skip, count(*) from files where skip is not null group by 1")),
        "redactions": _redactions(connection),
    }


def _redactions(connection: db.Connection) -> dict[str, int]:
    counts: dict[str, int] = {}
    for table in ("files", "commits"):
        for (text,) in connection.execute(f"select redactions from {table} where redactions is not null"):
            for kind, n in json.loads(text).items():
                counts[kind] = counts.get(kind, 0) + n
    return counts


def _rows(connection: db.Connection, where: str, values: list[Any]) -> Iterator[tuple[Any, ...]]:
    return connection.execute(
        "select c.key, f.path, c.kind, c.line_start, c.line_end, c.symbol, c.heading, c.names, c.text, f.class"
        f" from chunks c join files f on f.id = c.file where {where} order by c.id",
        values,
    )


def _stored(row: tuple[Any, ...]) -> StoredChunk:
    key, path, kind, start, end, symbol, heading, names, data, file_class = row
    text = zlib.decompress(data).decode("utf-8", "surrogateescape")
    return StoredChunk(
        key,
        path,
        kind,
        start,
        end,
        symbol,
        heading,
        tuple(names.split("\n")) if names else (),
        text,
        file_class,
    )


def _chunk(row: tuple[Any, ...]) -> Chunk:
    s = _stored(row)
    return Chunk(s.key, s.path, s.kind, s.line_start, s.line_end, s.text, s.file_class, s.symbol, s.heading, s.names)


def _chunk_row(file: int, c: Chunk) -> tuple[object, ...]:
    data = c.text.encode("utf-8", "surrogateescape")
    names = "\n".join(c.names)
    return (c.id, file, c.kind, c.line_start, c.line_end, c.symbol, c.heading, names, zlib.compress(data, 6), len(data))


def _rest(commit: Commit) -> bytes:
    return zlib.compress(json.dumps([commit.body, commit.files]).encode(), 6)


def _commit(row: tuple[bytes, int, str, bytes]) -> Commit:
    body, files = json.loads(zlib.decompress(row[3]))
    return Commit(row[0].hex(), row[1], row[2], body, tuple(files))


def _counts(redactions: tuple[tuple[str, int], ...]) -> str | None:
    return json.dumps(dict(redactions)) if redactions else None
