"""What the syntax of a scope's files tells, as rows of store.db: symbols, references, imports. Owns their tables.

Names stand once, in `names`, which only grows. A file's signatures and doc lines are one compressed blob, in the order
of its symbols; the places of a name in a file are one packed list of (line since the last, kind, the symbol around it).
Which names a file refers to stands with its details, packed too: an index to find them by would be half of their size.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any, cast

import msgpack

from locid import db
from locid.values import FileBatch, Import, Reference, ReferenceKind, Symbol

SCHEMA = """
    create table names (id integer primary key, name text not null unique);
    create table symbols (
        file integer not null references files(id), ordinal integer not null, name integer not null,
        parent integer not null, kind text not null, line_start integer not null, line_end integer not null,
        primary key (file, ordinal)) without rowid;
    create index symbols_of_name on symbols(name);
    create table details (file integer primary key references files(id), lines blob not null);
    create table refs (
        name integer not null, file integer not null references files(id), places blob not null,
        primary key (name, file)) without rowid;
    create index refs_of_file on refs(file);
    create table imports (
        file integer not null references files(id), ordinal integer not null, line integer not null,
        module text not null, names text not null, primary key (file, ordinal)) without rowid
"""
# format 3
_WITHOUT_INDEX = ("alter table details add column refers blob not null default x''", "drop index refs_of_file")
_KINDS: tuple[ReferenceKind, ...] = ("call", "use", "inherit", "decorate")
_CODES = {kind: code for code, kind in enumerate(_KINDS)}
_AT_ONCE = 500  # values of one `in (…)`
_WITHIN = "case p.name when '' then n.name else p.name || '.' || n.name end"


@dataclass(frozen=True, slots=True)
class SymbolAt:
    """A symbol with the path of its file."""

    path: str
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class ReferenceAt:
    """A reference with the path of its file."""

    path: str
    reference: Reference


@dataclass(frozen=True, slots=True)
class ImportAt:
    """An import with the path of its file."""

    path: str
    imported: Import


# ---- writing, inside the store's transaction


def upgrade(connection: db.Connection) -> None:
    """From format 2 to 3: what led from a file to its references by an index stands with its details."""
    for statement in _WITHOUT_INDEX:
        connection.execute(statement)
    rows = connection.execute("select file, name from refs order by file, name").fetchall()
    for file, names in groupby(rows, key=lambda row: row[0]):
        _add_details(connection, file, b"", [name for _, name in names])


def remove(connection: db.Connection, file: int) -> None:
    """Removes all that a file's syntax told."""
    for (packed,) in connection.execute("select refers from details where file = ?", (file,)).fetchall():
        names = accumulate(msgpack.unpackb(packed)) if packed else ()
        connection.executemany("delete from refs where name = ? and file = ?", [(name, file) for name in names])
    for table in ("symbols", "details", "imports"):
        connection.execute(f"delete from {table} where file = ?", (file,))


def add(connection: db.Connection, files: Sequence[tuple[int, FileBatch]]) -> None:
    """Adds what the syntax of files tells, by their row ids; what they told before is removed already."""
    ids = _intern(connection, [batch for _, batch in files])
    connection.executemany(
        "insert into symbols values (?, ?, ?, ?, ?, ?, ?)",
        [row for file, batch in files for row in _symbol_rows(file, batch.symbols, ids)],
    )
    for file, batch in files:
        if batch.symbols or batch.references:
            referred = sorted({ids[r.name] for r in batch.references})
            _add_details(connection, file, _details(batch.symbols), referred)
    places = [row for file, batch in files for row in _places(file, batch, ids)]
    connection.executemany("insert into refs values (?, ?, ?)", sorted(places))  # in the order of the tree's key
    connection.executemany(
        "insert into imports values (?, ?, ?, ?, ?)",
        [(file, n, i.line, i.module, _pairs(i)) for file, batch in files for n, i in enumerate(batch.imports)],
    )


def _add_details(connection: db.Connection, file: int, lines: bytes, referred: Sequence[int]) -> None:
    """`referred` are ids of names, rising; what stands there already keeps its lines."""
    steps = [name - before for name, before in zip(referred, (0, *referred), strict=False)]
    connection.execute(
        "insert into details values (?, ?, ?) on conflict(file) do update set refers = excluded.refers",
        (file, lines, msgpack.packb(steps)),
    )


def _intern(connection: db.Connection, batches: Sequence[FileBatch]) -> dict[str, int]:
    """The id of each name that the batches hold."""
    names = {s.name for b in batches for s in b.symbols} | {_parent(s) for b in batches for s in b.symbols}
    wanted = sorted(names.union(*({r.name for r in b.references} for b in batches)))
    connection.executemany("insert or ignore into names (name) values (?)", [(name,) for name in wanted])
    found: dict[str, int] = {}
    for at in range(0, len(wanted), _AT_ONCE):
        part = wanted[at : at + _AT_ONCE]
        marks = ",".join("?" * len(part))
        found.update(connection.execute(f"select name, id from names where name in ({marks})", part))
    return found


def _symbol_rows(file: int, symbols: Sequence[Symbol], ids: Mapping[str, int]) -> Iterator[tuple[object, ...]]:
    for n, s in enumerate(symbols):
        yield (file, n, ids[s.name], ids[_parent(s)], s.kind, s.line_start, s.line_end)


def _parent(symbol: Symbol) -> str:
    return symbol.qualified[: -len(symbol.name) - 1] if symbol.qualified != symbol.name else ""


def _details(symbols: Sequence[Symbol]) -> bytes:
    if not symbols:
        return b""
    text = "\n".join(f"{s.signature}\t{s.doc}" if s.doc else s.signature for s in symbols)
    return zlib.compress(text.encode("utf-8", "surrogateescape"), 6)


def _places(file: int, batch: FileBatch, ids: Mapping[str, int]) -> Iterator[tuple[int, int, bytes]]:
    """(name, file, places) of the names that a file refers to."""
    around: dict[str, int | str] = {"": 0}
    for n, s in enumerate(batch.symbols):
        around.setdefault(s.qualified, n + 1)
    by_name: dict[str, list[int | str]] = {}
    last: dict[str, int] = {}
    for r in batch.references:
        # a name around it that is no symbol (what a Rust `impl` is for) stands in full
        by_name.setdefault(r.name, []).extend(
            (r.line - last.get(r.name, 0), _CODES[r.kind], around.get(r.within, r.within))
        )
        last[r.name] = r.line
    for name, places in by_name.items():
        yield ids[name], file, cast(bytes, msgpack.packb(places, unicode_errors="surrogateescape"))


def _pairs(imported: Import) -> str:
    return "\n".join(f"{name}\t{alias}" if alias else name for name, alias in imported.names)


# ---- reading


def symbols_named(connection: db.Connection, name: str) -> list[SymbolAt]:
    """The definitions of a name, by path and line; `a.b` asks for one that is defined inside `a`."""
    rows = connection.execute(
        f"select f.path, s.ordinal, n.name, {_WITHIN}, s.kind, s.line_start, s.line_end, d.lines"
        " from names n join symbols s on s.name = n.id join names p on p.id = s.parent"
        " join files f on f.id = s.file join details d on d.file = s.file"
        " where n.name = ? order by f.path, s.ordinal",
        (name.rpartition(".")[2] or name,),
    )
    found = [SymbolAt(path, _symbol(*row)) for path, *row in rows]
    return [at for at in found if f".{at.symbol.qualified}".endswith(f".{name}")]


def _symbol(ordinal: int, name: str, qualified: str, kind: str, start: int, end: int, details: bytes) -> Symbol:
    line = zlib.decompress(details).decode("utf-8", "surrogateescape").split("\n")[ordinal]
    signature, _, doc = line.partition("\t")
    return Symbol(name, qualified, kind, start, end, signature, doc)


def references_to(connection: db.Connection, name: str) -> list[ReferenceAt]:
    """Where a name is referred to, by path and line."""
    rows = connection.execute(
        "select f.path, r.file, r.places from names n join refs r on r.name = n.id join files f on f.id = r.file"
        " where n.name = ? order by f.path",
        (name,),
    ).fetchall()
    return [
        ReferenceAt(path, found) for path, file, places in rows for found in _unpacked(connection, name, file, places)
    ]


def _unpacked(connection: db.Connection, name: str, file: int, places: bytes) -> Iterator[Reference]:
    flat = msgpack.unpackb(places, unicode_errors="surrogateescape")
    wanted = {around for around in flat[2::3] if isinstance(around, int) and around}
    names = _qualified(connection, file, sorted(wanted))
    line = 0
    for step, code, around in zip(flat[::3], flat[1::3], flat[2::3], strict=True):
        line += step
        yield Reference(name, _KINDS[code], line, around if isinstance(around, str) else names.get(around, ""))


def _qualified(connection: db.Connection, file: int, ordinals: Sequence[int]) -> dict[int, str]:
    """The qualified names of some symbols of a file, by ordinal + 1."""
    found: dict[int, str] = {}
    for at in range(0, len(ordinals), _AT_ONCE):
        part = ordinals[at : at + _AT_ONCE]
        marks = ",".join("?" * len(part))
        found.update(
            connection.execute(
                f"select s.ordinal + 1, {_WITHIN} from symbols s join names n on n.id = s.name"
                f" join names p on p.id = s.parent where s.file = ? and s.ordinal + 1 in ({marks})",
                [file, *part],
            )
        )
    return found


def imports(connection: db.Connection) -> Iterator[ImportAt]:
    """All imports, by path and line."""
    rows: Iterable[tuple[Any, ...]] = connection.execute(
        "select f.path, i.module, i.names, i.line from imports i join files f on f.id = i.file"
        " order by f.path, i.ordinal"
    )
    for path, module, names, line in rows:
        pairs = tuple(_pair(text) for text in names.split("\n")) if names else ()
        yield ImportAt(path, Import(module, pairs, line))


def _pair(text: str) -> tuple[str, str]:
    name, _, alias = text.partition("\t")
    return name, alias
