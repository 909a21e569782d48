"""SQLite, opened one way: WAL, durable commits, numbered formats. The only importer of sqlite3."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any

from locid.errors import LociError, NoSpace, Refused, Unavailable

Damaged = sqlite3.DatabaseError
BUSY_MS = 5_000
LOG_BYTES = 1_000_000  # of a write-ahead log that may stay


LITTLE = 1_000_000  # bytes: with less left on its disk, an error of input or output is for want of space

# What lies outside the file, by SQLite's code: it says nothing of what is in the file, which must not suffer for it.
_OUTSIDE = {
    sqlite3.SQLITE_BUSY: "another program holds it: close that and try again",
    sqlite3.SQLITE_LOCKED: "another program holds it: close that and try again",
    sqlite3.SQLITE_PROTOCOL: "another program holds it: close that and try again",
    sqlite3.SQLITE_READONLY: "it cannot be written: check its permissions",
    sqlite3.SQLITE_PERM: "it cannot be opened: check its permissions",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check its permissions",
    sqlite3.SQLITE_NOMEM: "no memory is left: free some",
    sqlite3.SQLITE_IOERR: "its disk cannot be read or written: check the disk",
}


class Connection(sqlite3.Connection):
    """A connection whose errors tell damage (`Damaged`) from what lies outside the file (Unavailable, NoSpace)."""

    path = ""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """As sqlite3's."""
        try:
            return super().execute(sql, parameters)
        except sqlite3.OperationalError as problem:
            raise _told(self.path, problem) from problem

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """As sqlite3's."""
        try:
            return super().executemany(sql, parameters)
        except sqlite3.OperationalError as problem:
            raise _told(self.path, problem) from problem


def _told(path: str, problem: sqlite3.OperationalError) -> LociError | sqlite3.OperationalError:
    """The error that says what to do, or the same one when it is about what the file holds."""
    code = problem.sqlite_errorcode & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _free(path) < LITTLE):
        return NoSpace(path)
    if code not in _OUTSIDE or problem.sqlite_errorcode == sqlite3.SQLITE_IOERR_SHORT_READ:
        return problem
    return Unavailable(f"{path}: {_OUTSIDE[code]} ({problem})")


def _free(path: str) -> int:
    """Bytes that are left on the disk of a file; when its folder is gone, enough."""
    try:
        return shutil.disk_usage(os.path.dirname(path)).free
    except OSError:
        return LITTLE


Migration = str | Callable[["Connection"], None]  # statements, or what cannot be said in them


def open_writer(path: str, migrations: Sequence[Migration]) -> Connection:
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
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it already
            connection.execute("rollback")
        raise


def log_is_long(path: str) -> bool:
    """Whether a database's write-ahead log is long enough to be worth emptying."""
    try:
        return os.stat(path + "-wal").st_size > LOG_BYTES
    except OSError:
        return False


def checkpoint(path: str, *, truncate: bool = False) -> bool:
    """Whether the whole write-ahead log is now in the database, and with `truncate` empty; waits for nobody."""
    with closing(_connect(path)) as connection:
        connection.execute("pragma busy_timeout = 0")
        mode = "truncate" if truncate else "passive"
        busy, frames, moved = connection.execute(f"pragma wal_checkpoint({mode})").fetchone()
    return not busy and frames == moved


def check(connection: Connection) -> None:
    """Reads every page; raises Damaged when they do not fit together."""
    found = connection.execute("pragma quick_check(1)").fetchone()[0]
    if found != "ok":
        raise Damaged(f"{connection.path}: {found}")


def discard_folder(folder: str) -> None:
    """Removes a folder of databases, whatever lies in it; for what can be rebuilt from its source."""
    shutil.rmtree(folder, ignore_errors=True)


def copy(connection: Connection, path: str) -> None:
    """Empties the log of a database and writes a copy of it: beside, synced, then in its place."""
    connection.execute("pragma wal_checkpoint(truncate)")
    beside = f"{path}.new"
    with suppress(FileNotFoundError):
        os.unlink(beside)
    with closing(_connect(beside)) as target:
        try:
            connection.backup(target)
        except sqlite3.OperationalError as problem:
            raise _told(path, problem) from problem
    os.replace(beside, path)


def restore(path: str, source: str) -> bool:
    """Whether a whole copy was there and lies in the database's place now."""
    if not _is_whole(source):
        return False
    for suffix in ("-wal", "-shm"):  # the log of another state
        with suppress(FileNotFoundError):
            os.unlink(path + suffix)
    shutil.copyfile(source, f"{path}.new")
    os.replace(f"{path}.new", path)
    return True


def _is_whole(path: str) -> bool:
    if not os.path.exists(path):
        return False
    try:
        with closing(_connect(path)) as connection:
            check(connection)
            return _format(connection) > 0
    except (LociError, Damaged):
        return False


def move_aside(path: str) -> str:
    """Where a damaged database now lies, out of the way but not lost."""
    aside = f"{path}.damaged-{int(time.time())}"
    for suffix in ("", "-wal", "-shm"):
        if os.path.lexists(path + suffix):
            os.replace(path + suffix, aside + suffix)
    return aside


def _connect(path: str) -> Connection:
    if os.path.isdir(path):
        raise Damaged(f"{path} is a folder")
    try:
        connection = sqlite3.connect(
            path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False, factory=Connection
        )
    except sqlite3.OperationalError as problem:
        raise _told(path, problem) from problem
    connection.path = path
    connection.execute("pragma cache_size = -4096")
    return connection


def _format(connection: Connection) -> int:
    return int(connection.execute("pragma user_version").fetchone()[0])


def _newer(path: str, found: int) -> str:
    return f"{path} was written by a newer loci (format {found}); upgrade loci, it was left alone"


def _migrate(connection: Connection, path: str, migrations: Sequence[Migration]) -> None:
    found = _format(connection)
    if found > len(migrations):
        connection.close()
        raise Refused(_newer(path, found))
    for number in range(found, len(migrations)):
        with transaction(connection):
            _apply(connection, migrations[number])
            connection.execute(f"pragma user_version = {number + 1}")
    if 0 < found < len(migrations):
        connection.execute("vacuum")  # what an older format took is given back


def _apply(connection: Connection, migration: Migration) -> None:
    if callable(migration):
        migration(connection)
    else:
        run(connection, migration)


def run(connection: Connection, statements: str) -> None:
    """Runs statements that `;` parts, inside the transaction that there is."""
    for statement in statements.split(";"):
        connection.execute(statement)
