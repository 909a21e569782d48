"""What goes over the pipes between daemon, indexer and parse workers: frames of MessagePack, and the shapes in them.

daemon -> indexer    {op: index, scope: {...}, force, urgent, max_file_bytes}
indexer -> daemon    {event: progress, scope, stage, done, total} · {event: done, scope, generation, files, ms}
                     {event: failed, scope, message, no_space}
indexer -> parser    {op: files, root, max_file_bytes, stats: [...]} · {op: commits, commits: [...]} · {op: chunks, ...}
parser -> indexer    {files: [...]} · {commits: [...]} · {chunks: [...]}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from operator import attrgetter
from typing import Any, BinaryIO, cast

import msgpack

from locid.episodes.documents import ChunkWords, CommitWords, FileWords
from locid.manifest import Declaration, Invocation, Manifest, Signboard
from locid.values import Chunk, Commit, FileBatch, FileStat, Import, Reference, Scope, Symbol

HEADER = 4


def _values(kind: type) -> attrgetter[tuple[Any, ...]]:
    """What gives an object's fields in their order; dataclasses.astuple copies each value, ten times slower."""
    return attrgetter(*(f.name for f in fields(kind)))


_COMMIT, _COMMIT_WORDS, _CHUNK_WORDS = _values(Commit), _values(CommitWords), _values(ChunkWords)


class Channel:
    """One end of a pair of pipes."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO) -> None:
        self._reading, self._writing = reading, writing

    def send(self, message: Mapping[str, Any]) -> None:
        """Writes one frame; BrokenPipeError when the other end is gone."""
        body = cast(bytes, msgpack.packb(message, use_bin_type=True, unicode_errors="surrogateescape"))
        self._writing.write(len(body).to_bytes(HEADER, "big") + body)
        self._writing.flush()

    def receive(self) -> dict[str, Any] | None:
        """The next frame; None when the other end is gone."""
        header = self._reading.read(HEADER)
        if len(header) < HEADER:
            return None
        body = self._reading.read(int.from_bytes(header, "big"))
        if len(body) < int.from_bytes(header, "big"):
            return None
        return cast(
            "dict[str, Any]",
            msgpack.unpackb(body, raw=False, strict_map_key=False, unicode_errors="surrogateescape"),
        )

    def close(self) -> None:
        """Closes both pipes; the other end sees the end of its input."""
        for pipe in (self._writing, self._reading):
            try:
                pipe.close()
            except BrokenPipeError:  # it died with our last frame unread
                continue


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A parsed file with what the lexical index takes of it."""

    batch: FileBatch
    words: FileWords


@dataclass(frozen=True, slots=True)
class PreparedCommit:
    """A commit with what the lexical index takes of it."""

    commit: Commit
    words: CommitWords


def pack_scope(scope: Scope) -> dict[str, Any]:
    """A scope as a map."""
    return {f.name: getattr(scope, f.name) for f in fields(scope)}


def unpack_scope(data: Mapping[str, Any]) -> Scope:
    """The scope of a map."""
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    return Scope(**values)


def pack_stats(stats: Iterable[FileStat]) -> list[tuple[str, int, int]]:
    """File stats as rows."""
    return [(s.path, s.size, s.mtime_ns) for s in stats]


def unpack_stats(rows: Iterable[list[Any]]) -> list[FileStat]:
    """The file stats of rows."""
    return [FileStat(*row) for row in rows]


def pack_file(file: PreparedFile) -> tuple[Any, ...]:
    """A prepared file as a row."""
    b = file.batch
    head = (b.path, b.size, b.mtime_ns, b.digest, b.file_class, b.language, b.skip, b.redactions)
    outline = (
        [(s.name, s.qualified, s.kind, s.line_start, s.line_end, s.signature, s.doc) for s in b.symbols],
        [(r.name, r.kind, r.line, r.within) for r in b.references],
        [(i.module, i.names, i.line) for i in b.imports],
        [astuple(i) for i in b.invocations],
        astuple(b.manifest) if b.manifest else None,
    )
    w = file.words
    words = ([_CHUNK_WORDS(c) for c in w.chunks], w.whole, w.path, w.path_stems, w.keys, w.counts)
    return (head, [pack_chunk(c) for c in b.chunks], outline, words)


def unpack_file(row: list[Any]) -> PreparedFile:
    """The prepared file of a row."""
    (
        (path, size, mtime_ns, digest, file_class, language, skip, redactions),
        chunks,
        outline,
        (chunk_words, whole, path_tokens, path_stems, keys, counts),
    ) = row
    symbols, references, imports, invocations, manifest = outline
    batch = FileBatch(
        path=path,
        size=size,
        mtime_ns=mtime_ns,
        digest=digest,
        file_class=file_class,
        language=language,
        chunks=tuple(unpack_chunk(c) for c in chunks),
        skip=skip,
        redactions=tuple((kind, n) for kind, n in redactions),
        symbols=tuple(Symbol(*symbol) for symbol in symbols),
        references=tuple(Reference(*reference) for reference in references),
        imports=tuple(Import(module, tuple((n, a) for n, a in names), line) for module, names, line in imports),
        invocations=tuple(Invocation(*invocation) for invocation in invocations),
        manifest=unpack_manifest(manifest) if manifest else None,
    )
    each = tuple(ChunkWords(*words) for words in chunk_words)
    return PreparedFile(batch, FileWords(each, tuple(whole), path_tokens, path_stems, keys, counts))


def unpack_manifest(row: list[Any]) -> Manifest:
    """The manifest of a row."""
    format, declarations, signboards, invocations, problem = row
    return Manifest(
        format,
        tuple(Declaration(*d) for d in declarations),
        tuple(Signboard(*s) for s in signboards),
        tuple(Invocation(*i) for i in invocations),
        problem,
    )


def pack_chunk(c: Chunk) -> tuple[Any, ...]:
    """A chunk as a row."""
    return (
        c.id,
        c.path,
        c.kind,
        c.line_start,
        c.line_end,
        c.text,
        c.file_class,
        c.symbol,
        c.heading,
        c.names,
        c.commit,
    )


def unpack_chunk(row: list[Any]) -> Chunk:
    """The chunk of a row."""
    id, path, kind, start, end, text, file_class, symbol, heading, names, commit = row
    return Chunk(id, path, kind, start, end, text, file_class, symbol, heading, tuple(names), commit)


def pack_commit(prepared: PreparedCommit) -> tuple[Any, ...]:
    """A prepared commit as a row."""
    return (_COMMIT(prepared.commit), _COMMIT_WORDS(prepared.words))


def unpack_commit(row: list[Any]) -> PreparedCommit:
    """The prepared commit of a row."""
    (hash, time, subject, body, files, redactions), words = row
    commit = Commit(hash, time, subject, body, tuple(files), tuple((k, n) for k, n in redactions))
    return PreparedCommit(commit, CommitWords(*words))
