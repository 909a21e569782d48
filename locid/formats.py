"""The formats that store.db has had, and how each becomes the next one."""

from __future__ import annotations

import json
import zlib

from locid import db, histories, outlines, texts, usage
from locid.layout import STORE_FORMAT
from locid.values import Chunk, ChunkKind, Commit


def _pack(connection: db.Connection) -> None:
    """From format 3 to 4: passages and messages move into blocks as they are."""
    db.run(connection, texts.SCHEMA)
    columns = "key, kind, line_start, line_end, symbol, heading, names, text"
    for (file,) in connection.execute("select id from files order by id").fetchall():
        rows = connection.execute(f"select {columns} from chunks where file = ? order by id", (file,)).fetchall()
        texts.add_chunks(connection, file, [_old_chunk(*row) for row in rows])
    rows = connection.execute("select hash, time, subject, rest, redactions from commits").fetchall()
    commits = [_old_commit(*row) for row in rows]
    texts.add_commits(connection, commits)
    db.run(connection, "drop table chunks; drop table commits; delete from histories")
    histories.add(connection, commits)
    outlines.upgrade(connection)


def _old_chunk(
    key: bytes, kind: ChunkKind, start: int, end: int, symbol: str, heading: str, names: str, text: bytes
) -> Chunk:
    said = _inflated(text).decode("utf-8", "surrogateescape")
    parts = tuple(names.split("\n")) if names else ()
    return Chunk(key, None, kind, start, end, said, "shipped", symbol, heading, parts)


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompress(data)
    except zlib.error as problem:
        raise db.Damaged(f"a text of the older format cannot be read: {problem}") from None


def _old_commit(hash: bytes, time: int, subject: str, rest: bytes, redactions: str | None) -> Commit:
    body, files = json.loads(_inflated(rest))
    return Commit(hash.hex(), time, subject, body, tuple(files), tuple(json.loads(redactions or "{}").items()))


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
    delete from meta where key in ('history_head', 'history_generation')
    """,
    histories.SCHEMA,  # filled by the next step
    _pack,
    # what a project declares, goes by and runs comes from the files: each is marked as never read
    usage.SCHEMA + "; update files set digest = x'', mtime_ns = -1",
)
assert len(MIGRATIONS) == STORE_FORMAT
