"""Which commits touched a file last: a table of store.db, kept by the file's key whether or not the file is there now.

A row holds the ids of the newest commits of a file, newest first, as 4-byte numbers. Only commits that touched few files
count, and only the newest of a file, so that a row is small and a new commit changes few rows.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from locid import db

SCHEMA = "create table histories (file blob primary key, commits blob not null) without rowid"

Dated = tuple[int, int]  # time, id of a commit


def extend(connection: db.Connection, touched: Mapping[bytes, Sequence[Dated]], most: int) -> None:
    """Adds commits to files' histories and keeps the newest of each."""
    held = {file: _ids(connection, file) for file in touched}
    times = _times(connection, {id for ids in held.values() for id in ids})
    rows = []
    for file, commits in touched.items():
        known = [(times[id], id) for id in held[file] if id in times]
        newest = sorted({*known, *commits}, reverse=True)[:most]
        rows.append((file, _packed([id for _, id in newest])))
    connection.executemany("insert or replace into histories values (?, ?)", rows)


def withdraw(connection: db.Connection, files: Iterable[bytes], commits: Collection[int]) -> None:
    """Takes commits out of files' histories."""
    rows = [(_packed([id for id in _ids(connection, file) if id not in commits]), file) for file in files]
    connection.executemany("update histories set commits = ? where file = ?", rows)


def of(connection: db.Connection, files: Iterable[bytes]) -> Iterator[tuple[bytes, tuple[int, ...]]]:
    """The ids of the newest commits of each file that has any."""
    for file in files:
        ids = _ids(connection, file)
        if ids:
            yield file, ids


def _ids(connection: db.Connection, file: bytes) -> tuple[int, ...]:
    row = connection.execute("select commits from histories where file = ?", (file,)).fetchone()
    return struct.unpack(f"<{len(row[0]) // 4}I", row[0]) if row else ()


def _packed(ids: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(ids)}I", *ids)


def _times(connection: db.Connection, ids: Collection[int]) -> dict[int, int]:
    return dict(row for id in ids for row in connection.execute("select id, time from commits where id = ?", (id,)))
