"""SQLite, opened one way: WAL, durable commits, numbered formats. The only importer of sqlite3."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from locid.errors import Refused, Unavailable

Connection = sqlite3.Connection
Damaged = sqlite3.DatabaseError
BUSY_MS = 5_000
LOG_BYTES = 1_000_000  # of a write-ahead log that may stay


def open_writer(path: str, migrations: Sequence[str]) -> Connection:
    """A read-write connection, brought to format `len(migrations)`; Refused when the file is of a newer one."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    connection = _connect(path)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("pragma foreign_keys = on")
    _migrate(connection, path, migrations)
    return connection


def open_reader(path: str, format_number: int) -> Connection:
    """A connection inside one read transaction, so that every read sees one generation; Unavailable without a file."""
    if not os.path.exists(path):
        raise Unavailable(f"{path} is not there; `loci index` builds it")
    connection = _connect(path)
    connection.execute("pragma query_only = on")
    found = _format(connection)
    if found != format_number:
        connection.close()
        if found > format_number:
            raise Refused(_newer(path, found))
        raise Unavailable(f"{path} is of an older format ({found}); `loci index` brings it up to {format_number}")
    connection.execute("begin")
    connection.execute("select 1 from sqlite_schema").fetchone()  # the snapshot is taken by the first read
    return connection


@contextmanager
def transaction(connection: Connection) -> Iterator[Connection]:
    """One write transaction: all of it on disk, or none of it."""
    connection.execute("begin immediate")
    try:
        yield connection
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")


def log_is_long(path: str) -> bool:
    """Whether a database's write-ahead log is long enough to be worth emptying."""
    try:
        return os.stat(path + "-wal").st_size > LOG_BYTES
    except OSError:
        return False


def checkpoint(path: str, *, truncate: bool = False) -> bool:
    """Whether the whole write-ahead log is now in the database, and with `truncate` empty; waits for nobody."""
    connection = _connect(path)
    try:
        connection.execute("pragma busy_timeout = 0")
        mode = "truncate" if truncate else "passive"
        busy, frames, moved = connection.execute(f"pragma wal_checkpoint({mode})").fetchone()
    finally:
        connection.close()
    return not busy and frames == moved


def discard_folder(folder: str) -> None:
    """Removes a folder of databases, whatever lies in it; for what can be rebuilt from its source."""
    shutil.rmtree(folder, ignore_errors=True)


def move_aside(path: str) -> str:
    """Where a damaged database now lies, out of the way but not lost."""
    aside = f"{path}.damaged-{int(time.time())}"
    for suffix in ("", "-wal", "-shm"):
        if os.path.lexists(path + suffix):
            os.replace(path + suffix, aside + suffix)
    return aside


def _connect(path: str) -> Connection:
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    connection.execute("pragma cache_size = -4096")
    return connection


def _format(connection: Connection) -> int:
    return int(connection.execute("pragma user_version").fetchone()[0])


def _newer(path: str, found: int) -> str:
    return f"{path} was written by a newer loci (format {found}); upgrade loci, it was left alone"


def _migrate(connection: Connection, path: str, migrations: Sequence[str]) -> None:
    found = _format(connection)
    if found > len(migrations):
        connection.close()
        raise Refused(_newer(path, found))
    for number in range(found, len(migrations)):
        with transaction(connection):
            for statement in migrations[number].split(";"):
                connection.execute(statement)
            connection.execute(f"pragma user_version = {number + 1}")
