"""Rows that are compressed together, as blocks in store.db, and found by their keys.

A *block* holds some rows as columns of one compressed text: alone each would cost twice as much, since what stands
beside it is mostly like it. Its *keys* are as many bytes strings of one length, in the order of its rows. An index
leads from the first eight bytes of a key to the blocks that may hold it; the keys decide. A *tag* is the number by
which its owner finds a block without a key: a file, or a time.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import msgpack

from locid import db

_START = 8  # bytes of a key that the index holds
_AT_ONCE = 500  # values of one `in (…)`

Columns = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Block:
    """A block as it is stored."""

    id: int
    tag: int
    keys: tuple[bytes, ...]
    columns: Columns

    def rows(self) -> Iterator[tuple[bytes, tuple[Any, ...]]]:
        """Each key with the values of its row."""
        return zip(self.keys, zip(*self.columns, strict=True), strict=True)


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of one kind of rows, in the tables `<name>` and `<name>_keys`."""

    name: str

    @property
    def schema(self) -> str:
        """What makes the tables."""
        return f"""
            create table {self.name} (
                id integer primary key, tag integer not null, rows integer not null, bytes integer not null,
                note text, keys blob not null, data blob not null);
            create index {self.name}_by_tag on {self.name}(tag);
            create table {self.name}_keys (
                start integer not null, block integer not null, primary key (start, block)) without rowid
            """

    def add(
        self, connection: db.Connection, tag: int, keys: Sequence[bytes], columns: Columns, size: int, note: str | None
    ) -> None:
        """Adds a block; `size` is what `total` sums, in bytes, and `note` what `notes` gives back."""
        cursor = connection.execute(
            f"insert into {self.name} (tag, rows, bytes, note, keys, data) values (?, ?, ?, ?, ?, ?)",
            (tag, len(keys), size, note, b"".join(keys), _packed(columns)),
        )
        starts = sorted((start_of(key), cast(int, cursor.lastrowid)) for key in keys)
        connection.executemany(f"insert or ignore into {self.name}_keys values (?, ?)", starts)

    def remove(self, connection: db.Connection, block: int) -> None:
        """Removes a block and what led to it."""
        rows = connection.execute(f"select rows, keys from {self.name} where id = ?", (block,)).fetchall()
        starts = [(start_of(key), block) for count, joined in rows for key in _keys(count, joined)]
        connection.executemany(f"delete from {self.name}_keys where start = ? and block = ?", starts)
        connection.execute(f"delete from {self.name} where id = ?", (block,))

    def tagged(self, connection: db.Connection, tag: int) -> list[Block]:
        """The blocks of a tag, oldest first."""
        return list(self._read(connection, "where tag = ? order by id", (tag,)))

    def newest_tags(self, connection: db.Connection) -> Iterator[Block]:
        """All blocks by falling tag; of equal ones the newest first."""
        return self._read(connection, "order by tag desc, id desc", ())

    def last(self, connection: db.Connection) -> Block | None:
        """The newest block."""
        return next(self._read(connection, "order by id desc limit 1", ()), None)

    def holding(self, connection: db.Connection, keys: Iterable[bytes]) -> Iterator[Block]:
        """The blocks that hold any of the keys."""
        wanted = set(keys)
        for part in _parts(self._ids(connection, map(start_of, wanted))):
            for block in self._read(connection, f"where id in ({','.join('?' * len(part))}) order by id", part):
                if not wanted.isdisjoint(block.keys):
                    yield block

    def beginning(self, connection: db.Connection, starts: Collection[int]) -> dict[int, bytes]:
        """The keys whose numbers those are."""
        found: dict[int, bytes] = {}
        for part in _parts(self._ids(connection, starts)):
            marks = ",".join("?" * len(part))
            rows = connection.execute(f"select rows, keys from {self.name} where id in ({marks})", part)
            found.update((start_of(key), key) for count, joined in rows for key in _keys(count, joined))
        return {start: found[start] for start in starts if start in found}

    def _ids(self, connection: db.Connection, starts: Iterable[int]) -> list[int]:
        """The blocks that may hold keys of those numbers, oldest first."""
        ids: set[int] = set()
        for part in _parts(sorted(set(starts))):
            marks = ",".join("?" * len(part))
            found = connection.execute(f"select distinct block from {self.name}_keys where start in ({marks})", part)
            ids.update(row[0] for row in found)
        return sorted(ids)

    def keys(self, connection: db.Connection) -> Iterator[bytes]:
        """Every key."""
        for count, joined in connection.execute(f"select rows, keys from {self.name}"):
            yield from _keys(count, joined)

    def tagged_keys(self, connection: db.Connection, tags: Collection[int]) -> Iterator[bytes]:
        """Every key of the blocks of some tags."""
        for tag, count, joined in connection.execute(f"select tag, rows, keys from {self.name}"):
            if tag in tags:
                yield from _keys(count, joined)

    def total(self, connection: db.Connection) -> tuple[int, int]:
        """The number of rows, and the sum of their sizes."""
        query = f"select coalesce(sum(rows), 0), coalesce(sum(bytes), 0) from {self.name}"
        return cast("tuple[int, int]", connection.execute(query).fetchone())

    def notes(self, connection: db.Connection) -> Iterator[str]:
        """The notes that were given."""
        for (note,) in connection.execute(f"select note from {self.name} where note is not null"):
            yield note

    def _read(self, connection: db.Connection, how: str, values: Sequence[int]) -> Iterator[Block]:
        rows = connection.execute(f"select id, tag, rows, keys, data from {self.name} {how}", values)
        for id, tag, count, joined, data in rows:
            yield Block(id, tag, _keys(count, joined), _unpacked(data))


def start_of(key: bytes) -> int:
    """The number by which the index finds a key."""
    return int.from_bytes(key[:_START], "big", signed=True)


def _keys(count: int, joined: bytes) -> tuple[bytes, ...]:
    length = len(joined) // count
    return tuple(joined[at : at + length] for at in range(0, len(joined), length))


def _parts(values: Sequence[int]) -> Iterator[Sequence[int]]:
    for at in range(0, len(values), _AT_ONCE):
        yield values[at : at + _AT_ONCE]


def _packed(columns: Columns) -> bytes:
    return zlib.compress(cast(bytes, msgpack.packb(columns, unicode_errors="surrogateescape")), 6)


def _unpacked(data: bytes) -> Columns:
    try:
        return cast(Columns, msgpack.unpackb(zlib.decompress(data), unicode_errors="surrogateescape"))
    except (zlib.error, ValueError) as problem:
        raise db.Damaged(f"a block cannot be read: {problem}") from None
