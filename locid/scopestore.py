"""store.db, the truth of one scope: files, chunks, symbols, commits, generation. Owns the schema and the one writing call.

A batch is applied in one transaction that replaces, per file, all that the file contributed, and bumps the generation.
Everything else that is kept of a scope is derived from here and carries the generation that it was built for.
"""

from __future__ import annotations

import heapq
import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, cast

from locid import db, histories, outlines, texts, usage
from locid.formats import MIGRATIONS
from locid.layout import STORE_FORMAT
from locid.outlines import ImportAt, ReferenceAt, SymbolAt
from locid.redact import redact
from locid.texts import StoredChunk
from locid.usage import Usage
from locid.values import Chunk, Commit, FileBatch, GitState, ScopeFacts, total


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
class Inventory:
    """What kinds of files are indexed, counted."""

    documents: int = 0
    unparsed: Mapping[str, int] = field(default_factory=dict)  # extension -> files cut without a grammar
    folders: int = 0  # that hold an indexed file, or lead to one


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
        return {key.hex() for key in texts.COMMITS.keys(self._db)}

    def lacks(self, hashes: Sequence[str]) -> set[str]:
        """Those of the commits that are not stored."""
        return set(hashes) - texts.commits_by_hash(self._db, hashes).keys()

    def apply(self, batch: Batch) -> int:
        """The new generation, after one durable transaction."""
        with db.transaction(self._db):
            for path in batch.removed:
                self._remove(path)
            added = [(self._replace(file), file) for file in batch.files]
            outlines.add(self._db, added)
            usage.add(self._db, added)
            self._touch(batch.touched)
            histories.remove(self._db, list(self.commits_of(batch.dropped_commits)))
            texts.drop_commits(self._db, batch.dropped_commits)
            texts.add_commits(self._db, batch.commits)
            histories.add(self._db, batch.commits)
            generation = self.generation + 1
            self._record({**batch.meta, "generation": generation})
        return generation

    def record(self, meta: Mapping[str, object]) -> None:
        """Records facts that change no row, without a new generation."""
        with db.transaction(self._db):
            self._record(meta)

    def check(self) -> None:
        """Raises Damaged when the pages do not fit together; reads all of them."""
        db.check(self._db)

    def summary(self, skipped: Mapping[str, int]) -> dict[str, object]:
        """The counts of everything stored, for `meta`, so that no reader counts them; `skipped` comes from the walk."""
        counts = _count(self._db)
        return {"summary": json.dumps({**counts, "skipped": {**skipped, **counts["skipped"]}})}

    def chunks(self) -> Iterator[tuple[str, tuple[Chunk, ...]]]:
        """Every file's path with its chunks, to rebuild what is derived."""
        for file, path in self._db.execute("select id, path from files where skip is null order by id").fetchall():
            yield path, tuple(_chunk(stored) for stored in texts.chunks_of(self._db, file))

    def chunks_of(self, paths: Iterable[str]) -> Iterator[tuple[str, tuple[Chunk, ...]]]:
        """The chunks of files by path, of those that have any."""
        for path in paths:
            found = self._db.execute("select id from files where path = ?", (path,)).fetchone()
            chunks = tuple(map(_chunk, texts.chunks_of(self._db, found[0]))) if found else ()
            if chunks:
                yield path, chunks

    def commits(self) -> Iterator[Commit]:
        """Every stored commit."""
        return texts.all_commits(self._db)

    def commits_of(self, hashes: Iterable[str]) -> Iterator[Commit]:
        """Stored commits by hash; one that is not stored is left out."""
        return iter(texts.commits_by_hash(self._db, hashes).values())

    def histories(self, files: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The hashes of the newest commits of files, newest first; files are given by their keys in hex."""
        rows = list(histories.of(self._db, (bytes.fromhex(f) for f in files)))
        hashes = texts.COMMITS.beginning(self._db, {start for _, starts in rows for start in starts})
        for file, starts in rows:
            yield file.hex(), tuple(hashes[start].hex() for start in starts if start in hashes)

    def close(self) -> None:
        """Closes the connection."""
        self._db.close()

    def _remove(self, path: str) -> None:
        for (file,) in self._db.execute("select id from files where path = ?", (path,)).fetchall():
            texts.remove_chunks(self._db, file)
            outlines.remove(self._db, file)
            usage.remove(self._db, file)
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
        id = cast(int, cursor.lastrowid)
        texts.add_chunks(self._db, id, file.chunks)
        return id

    def _touch(self, files: Iterable[FileBatch]) -> None:
        self._db.executemany(
            "update files set size = ?, mtime_ns = ? where path = ?",
            [(f.size, f.mtime_ns, f.path) for f in files],
        )

    def _record(self, meta: Mapping[str, object]) -> None:
        self._db.executemany("insert or replace into meta values (?, ?)", list(meta.items()))


class Reader:
    """The reading side: one read transaction, so that all it returns is of one generation."""

    def __init__(self, path: str) -> None:
        self._db = db.open_reader(path, STORE_FORMAT)
        self._meta = _meta(self._db)
        self.usage = Usage(self._db)  # what is declared, imported and run

    @property
    def generation(self) -> int:
        """The generation that this reader sees."""
        return int(cast(int, self._meta.get("generation", 0)))

    @property
    def complete(self) -> bool:
        """False while the first index of the scope is under way."""
        return bool(self._meta.get("complete"))

    @property
    def unfinished(self) -> bool:
        """Whether a run has changed something and not come to its end: it goes on, or was killed."""
        return not self.complete or bool(self._meta.get("unfinished"))

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
        return texts.chunks_by_key(self._db, keys)

    def newest(self, count: int) -> list[Commit]:
        """The newest commits by their time, newest first."""
        return texts.newest_commits(self._db, count)

    def beginning(self, name: str, count: int) -> list[StoredChunk]:
        """The first chunks of the file at the root whose name begins so, in any case; the shortest name of several."""
        query = "select id from files where path like ? and path not like '%/%' and skip is null order by length(path)"
        found = self._db.execute(query, (name + "%",)).fetchone()
        return list(islice(texts.chunks_of(self._db, found[0]), count)) if found else []

    def sample(self, count: int) -> list[StoredChunk]:
        """Chunks of what the scope ships and documents, in the order of their keys, which are hashes."""
        keys = heapq.nsmallest(count, texts.chunk_keys(self._db, ("shipped", "docs")))  # no text is read for it
        found = self.chunks(keys)
        return [found[key] for key in keys]

    def stats(self, paths: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Size and modification time of files by path."""
        marks = ",".join("?" * len(paths))
        query = f"select path, size, mtime_ns from files where path in ({marks})"
        return {path: (size, mtime) for path, size, mtime in self._db.execute(query, list(paths))}

    def commits(self, hashes: Sequence[str]) -> dict[str, Commit]:
        """Commits by hash."""
        return texts.commits_by_hash(self._db, hashes)

    def inventory(self) -> Inventory:
        """What kinds of files there are."""
        rows = self._db.execute("select path, language from files where skip is null").fetchall()
        unparsed = Counter(os.path.splitext(path)[1].lower() for path, language in rows if not language)
        folders = {""}
        for path, _ in rows:
            folder = os.path.dirname(path)
            while folder not in folders:
                folders.add(folder)
                folder = os.path.dirname(folder)
        return Inventory(sum(language == "prose" for _, language in rows), dict(unparsed), len(folders))

    def symbols_named(self, name: str) -> list[SymbolAt]:
        """The definitions of a name, by path and line; `a.b` asks for one that is defined inside `a`."""
        return outlines.symbols_named(self._db, name)

    def references_to(self, name: str) -> list[ReferenceAt]:
        """Where a name is referred to, by path and line."""
        return outlines.references_to(self._db, name)

    def imports(self) -> Iterator[ImportAt]:
        """All imports of the scope, by path and line."""
        return outlines.imports(self._db)

    def lines(self, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """The text of lines, each a path and a number, as it was indexed; what no passage holds is absent."""
        found: dict[tuple[str, int], str] = {}
        for path in dict.fromkeys(path for path, _ in places):
            wanted = {line for at, line in places if at == path}
            for (file,) in self._db.execute("select id from files where path = ?", (path,)).fetchall():
                for chunk in texts.chunks_of(self._db, file):
                    rows = enumerate(chunk.text.split("\n"), chunk.line_start)
                    found.update(((path, line), text) for line, text in rows if line in wanted)
        return found

    def close(self) -> None:
        """Ends the read transaction and closes the connection."""
        self._db.close()


def git_meta(state: GitState | None) -> dict[str, object]:
    """A work tree's state as `meta` records it, with the time of recording."""
    if state is None:
        return {"commit": None, "branch": None, "dirty": 0, "indexed_at": time.time()}
    return {
        "commit": state.commit,
        "branch": redact(state.branch).text if state.branch else None,
        "dirty": int(state.dirty),
        "indexed_at": time.time(),
    }


def _meta(connection: db.Connection) -> dict[str, object]:
    return dict(connection.execute("select key, value from meta"))


def _count(connection: db.Connection) -> dict[str, Any]:
    (chunks, said), (commits, told) = texts.CHUNKS.total(connection), texts.COMMITS.total(connection)
    return {
        "files": connection.execute("select count(*) from files where skip is null").fetchone()[0],
        "chunks": chunks,
        "commits": commits,
        "text_bytes": said + told,
        "symbols": connection.execute("select count(*) from symbols").fetchone()[0],
        "manifests": usage.count(connection),
        "languages": usage.languages(connection),
        "skipped": dict(connection.execute("select skip, count(*) from files where skip is not null group by 1")),
        "redactions": _redactions(connection),
    }


def _redactions(connection: db.Connection) -> dict[str, int]:
    files = connection.execute("select redactions from files where redactions is not null")
    notes = [*(text for (text,) in files), *texts.COMMITS.notes(connection)]
    return total(pair for text in notes for pair in json.loads(text).items())


def _chunk(s: StoredChunk) -> Chunk:
    return Chunk(s.key, s.path, s.kind, s.line_start, s.line_end, s.text, s.file_class, s.symbol, s.heading, s.names)


def _counts(redactions: tuple[tuple[str, int], ...]) -> str | None:
    return json.dumps(dict(redactions)) if redactions else None
