"""Which commits touched a file last: a table of store.db, kept by the file's key whether or not the file is there now.

A row holds the newest commits of a file, newest first: the time of each, in 4 bytes, and the number by which its hash is
found, in 8. Only commits that touched few files count, and only the newest of a file, so that a row is small and a new
commit changes few rows.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator, Sequence

from locid import db
from locid.blocks import start_of
from locid.values import Commit

SCHEMA = "create table histories (file blob primary key, commits blob not null) without rowid"
MOST = 30  # the newest commits of a file; a hundred brought nothing more
FEW = 8  # files that a commit touched

Dated = tuple[int, int]  # time, number of a commit's hash
_LAST = 0xFFFF_FFFF  # what is dated later counts as of then
_EACH = struct.Struct("<Iq")


def key_of(path: str) -> str:
    """The key of a file, in hex: what its history and its documents are found by."""
    return hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def told_of(commit: Commit) -> tuple[str, ...]:
    """The files whose history a commit tells: one that touched many says little of each."""
    return commit.files if len(commit.files) <= FEW else ()


def add(connection: db.Connection, commits: Iterable[Commit]) -> None:
    """Adds commits to the histories of their files and keeps the newest of each."""
    touched: dict[str, list[Dated]] = {}
    for commit in commits:
        for path in told_of(commit):
            touched.setdefault(path, []).append((min(max(commit.time, 0), _LAST), _number(commit)))
    rows = []
    for path, dated in touched.items():
        key = bytes.fromhex(key_of(path))
        rows.append((key, _packed(sorted({*_held(connection, key), *dated}, reverse=True)[:MOST])))
    connection.executemany("insert or replace into histories values (?, ?)", rows)


def remove(connection: db.Connection, commits: Sequence[Commit]) -> None:
    """Takes commits out of the histories of their files."""
    gone = {_number(commit) for commit in commits}
    keys = [bytes.fromhex(key_of(path)) for path in {path for commit in commits for path in told_of(commit)}]
    kept = ((key, [dated for dated in _held(connection, key) if dated[1] not in gone]) for key in keys)
    rows = [(_packed(dated), key) for key, dated in kept]
    connection.executemany("update histories set commits = ? where file = ?", rows)


def of(connection: db.Connection, files: Iterable[bytes]) -> Iterator[tuple[bytes, tuple[int, ...]]]:
    """The numbers of the newest commits of each file that has any."""
    for file in files:
        if held := _held(connection, file):
            yield file, tuple(start for _, start in held)


def _number(commit: Commit) -> int:
    return start_of(bytes.fromhex(commit.hash))


def _held(connection: db.Connection, file: bytes) -> list[Dated]:
    row = connection.execute("select commits from histories where file = ?", (file,)).fetchone()
    return list(_EACH.iter_unpack(row[0])) if row else []


def _packed(commits: Sequence[Dated]) -> bytes:
    return b"".join(_EACH.pack(time, start) for time, start in commits)
