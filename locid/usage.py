"""What a scope's files declare, go by, import and run, as rows of store.db. Owns their tables; reads the imports too.

Every question by name is answered from an index: how many files a scope has does not count, only how many say that name.
A cross join keeps SQLite at that order: from the few rows of a name to their files, never through all files by their paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from locid import db
from locid.manifest import Declaration, Signboard, key, short
from locid.values import FileBatch, FileClass

SCHEMA = """
    create table manifests (
        file integer primary key references files(id), format text not null, problem text);
    create index manifests_unread on manifests(file) where problem is not null;
    create table declarations (
        file integer not null references files(id), ordinal integer not null, line integer not null, name text not null,
        key text not null, short text not null, ecosystem text not null, kind text not null, target text not null,
        primary key (file, ordinal)) without rowid;
    create index declarations_of_key on declarations(key);
    create index declarations_of_short on declarations(short);
    create index declarations_with_target on declarations(target) where target <> '';
    create table signboards (
        file integer not null references files(id), ordinal integer not null, line integer not null, name text not null,
        key text not null, ecosystem text not null, board text not null, primary key (file, ordinal)) without rowid;
    create index signboards_of_key on signboards(key);
    create table packages (
        file integer primary key references files(id), folder text not null, parent text not null, key text not null);
    create index packages_of_folder on packages(folder);
    create index packages_of_key on packages(key);
    create table invocations (
        file integer not null references files(id), ordinal integer not null, line integer not null,
        command text not null, key text not null, by text not null, primary key (file, ordinal)) without rowid;
    create index invocations_of_key on invocations(key);
    create index imports_of_module on imports(module collate nocase)
"""
How = Literal["declared", "imported", "invoked"]
_TABLES = ("manifests", "declarations", "signboards", "packages", "invocations")
_INNER = ("", "src", "lib", "python")  # folders of a Python project in which its packages lie
_PACKAGE = "__init__.py"
MOST = 5_000  # rows of one question to one scope


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for."""

    keys: tuple[str, ...] = ()  # of declarations and programs, in the form of `manifest.key`
    shorts: tuple[str, ...] = ()  # last parts of such keys
    prefixes: tuple[str, ...] = ()  # first parts: `golang-org/x` of `golang-org/x/sys`
    modules: tuple[str, ...] = ()  # of imports, as sources spell them; also all that begins with one


@dataclass(frozen=True, slots=True)
class Use:
    """One place at which a scope uses something."""

    how: How
    name: str  # the dependency, module or program
    detail: str  # the ecosystem of a declaration, the language of an import, what runs a program
    kind: str  # of a declaration: runtime, dev …
    path: str
    line: int
    file_class: FileClass
    target: str = ""  # of a declaration: a path or URL


@dataclass(frozen=True, slots=True)
class Board:
    """A name that the scope goes by, and where it says so."""

    name: str
    ecosystem: str
    board: str
    path: str
    line: int

    @property
    def key(self) -> str:
        """The name in the form in which names are compared."""
        return key(self.name)

    @property
    def importable(self) -> bool:
        """Whether sources import it under this name; npm's packages go by one name for all."""
        return self.board == "import" or (self.board == "distribution" and self.ecosystem == "npm")


# ---- writing, inside the store's transaction


def remove(connection: db.Connection, file: int) -> None:
    """Removes all that a file told."""
    for table in _TABLES:
        connection.execute(f"delete from {table} where file = ?", (file,))


def add(connection: db.Connection, files: Sequence[tuple[int, FileBatch]]) -> None:
    """Adds what files tell, by their row ids; what they told before is removed already."""
    told = [(file, batch.manifest) for file, batch in files if batch.manifest is not None]
    connection.executemany("insert into manifests values (?, ?, ?)", [(f, m.format, m.problem) for f, m in told])
    connection.executemany(
        "insert into declarations values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [row for file, m in told for row in _declared(file, m.declarations)],
    )
    connection.executemany(
        "insert into signboards values (?, ?, ?, ?, ?, ?, ?)",
        [row for file, m in told for row in _named(file, m.signboards)],
    )
    connection.executemany(
        "insert into packages values (?, ?, ?, ?)", [row for file, batch in files for row in _package(file, batch)]
    )
    connection.executemany(
        "insert into invocations values (?, ?, ?, ?, ?, ?)",
        [
            (file, n, i.line, i.command, key(i.command), i.by)
            for file, batch in files
            for n, i in enumerate(batch.invocations)
        ],
    )


def _declared(file: int, declarations: Iterable[Declaration]) -> Iterator[tuple[object, ...]]:
    for n, d in enumerate(declarations):
        if named := key(d.name):
            yield file, n, d.line, d.name, named, short(named), d.ecosystem, d.kind, d.target


def _named(file: int, signboards: Iterable[Signboard]) -> Iterator[tuple[object, ...]]:
    for n, s in enumerate(signboards):
        if named := key(s.name):
            yield file, n, s.line, s.name, named, s.ecosystem, s.board


def _package(file: int, batch: FileBatch) -> Iterator[tuple[int, str, str, str]]:
    """The Python package whose beginning a file is."""
    folder, _, name = batch.path.rpartition("/")
    if name == _PACKAGE and folder and batch.file_class == "shipped":
        parent, _, own = folder.rpartition("/")
        yield file, folder, parent, key(own)


# ---- reading


def count(connection: db.Connection) -> int:
    """How many manifests were read; a file that only holds a tool's settings is none."""
    query = "select count(*) from manifests where problem is null and format <> 'settings'"
    return int(connection.execute(query).fetchone()[0])


def languages(connection: db.Connection) -> dict[str, int]:
    """How many of the project's own files are written in each language."""
    return dict(
        connection.execute(
            "select language, count(*) from files where skip is null and class = 'shipped' and language <> '' group by 1"
        )
    )


class Usage:
    """The reading side, on a connection of the store's."""

    def __init__(self, connection: db.Connection) -> None:
        self._db = connection

    def uses(self, wanted: Wanted) -> list[Use]:
        """Where files declare, import or run what is wanted: by way, path and line."""
        return [*self._declares(wanted), *self._imports(wanted.modules), *self._runs(wanted.keys)]

    def declared(self) -> list[Use]:
        """All that manifests declare, by path and line."""
        return self._declarations("1", [])

    def boards(self, keys: Sequence[str] | None = None) -> list[Board]:
        """The names that the scope goes by, or those of them that have one of the keys."""
        marks = ",".join("?" * len(keys or ()))
        of_keys, values = (f" and t.key in ({marks})", list(keys)) if keys is not None else ("", [])
        rows = self._db.execute(
            "select t.name, t.ecosystem, t.board, f.path, t.line from signboards t cross join files f on f.id = t.file"
            f" where f.class = 'shipped'{of_keys}",
            values,
        )
        found = sorted((Board(*row) for row in rows), key=lambda b: (b.path, b.line))
        return found + [
            Board(f.rpartition("/")[2], "python", "import", path, 1) for f, path in self._packages(of_keys, values)
        ]

    def _packages(self, of_keys: str, values: list[str]) -> list[tuple[str, str]]:
        """(folder, path) of the packages that are imported by their own name: in no other, where a project has them."""
        rows = self._db.execute(
            "select t.folder, t.parent, f.path from packages t cross join files f on f.id = t.file where not exists"
            f" (select 1 from packages above where above.folder = t.parent){of_keys}",
            values,
        ).fetchall()
        if not rows:
            return []
        query = (
            "select distinct f.path from signboards t cross join files f on f.id = t.file"
            " where t.ecosystem = 'python' and t.board = 'distribution'"
        )
        homes = {"", *(path.rpartition("/")[0] for (path,) in self._db.execute(query))}
        places = {f"{home}/{inner}".strip("/") for home in homes for inner in _INNER}
        return sorted((folder, path) for folder, parent, path in rows if parent in places)

    def has_file(self, paths: Sequence[str]) -> bool:
        """Whether one of the paths is a file of the scope."""
        if not paths:
            return False
        marks = ",".join("?" * len(paths))
        query = f"select 1 from files where path in ({marks}) limit 1"
        return self._db.execute(query, list(paths)).fetchone() is not None

    def declared_keys(self) -> list[str]:
        """The keys of all that is declared, each once."""
        return [row[0] for row in self._db.execute("select distinct key from declarations")]

    def targeted(self) -> list[Use]:
        """The declarations that say where something comes from."""
        return self._declarations("d.target <> ''", [])

    def file_in(self, language: str) -> str | None:
        """A file of the project's own in a language, the one least deep; None without one."""
        query = "select path from files where language = ? and class = 'shipped' and skip is null"
        paths = (row[0] for row in self._db.execute(query, (language,)))
        return min(paths, key=lambda path: (path.count("/"), path), default=None)

    def modules(self) -> list[str]:
        """Everything that is imported, as sources spell it, each once."""
        return [row[0] for row in self._db.execute("select distinct module from imports")]

    def programs(self) -> set[str]:
        """The keys of all programs that are run."""
        return {row[0] for row in self._db.execute("select distinct key from invocations")}

    def unread(self) -> list[tuple[str, str]]:
        """The paths of the project's own manifests that could not be read, with the reason; data of tests is not its own."""
        query = (
            "select f.path, m.problem from manifests m cross join files f on f.id = m.file"
            " where m.problem is not null and f.class in ('shipped', 'docs')"
        )
        return sorted((path, problem) for path, problem in self._db.execute(query))

    def _declares(self, wanted: Wanted) -> list[Use]:
        parts: list[str] = []
        values: list[object] = []
        for column, names in (("key", wanted.keys), ("short", wanted.shorts)):
            if names:
                parts.append(f"d.{column} in ({','.join('?' * len(names))})")
                values += names
        for prefix in wanted.prefixes:
            parts.append("(d.key > ? and d.key < ?)")
            values += [f"{prefix}/", f"{prefix}0"]  # `0` is what follows `/`
        return self._declarations(" or ".join(parts), values) if parts else []

    def _declarations(self, where: str, values: Sequence[object]) -> list[Use]:
        rows = self._db.execute(
            "select d.name, d.ecosystem, d.kind, f.path, d.line, f.class, d.target"
            f" from declarations d cross join files f on f.id = d.file where {where} limit {MOST}",
            list(values),
        )
        return sorted((Use("declared", *row) for row in rows), key=_place)

    def _imports(self, modules: Sequence[str]) -> list[Use]:
        found: list[Use] = []
        for module in dict.fromkeys(modules):
            rows: Iterable[Any] = self._db.execute(
                "select i.module, f.language, '', f.path, i.line, f.class from imports i cross join files f on f.id = i.file"
                f" where i.module collate nocase >= ? and i.module collate nocase < ? limit {MOST}",
                (module, module + "~"),
            )
            found += [Use("imported", *row) for row in rows]
        return sorted(set(found), key=_place)

    def _runs(self, keys: Sequence[str]) -> list[Use]:
        marks = ",".join("?" * len(keys))
        rows = self._db.execute(
            "select i.command, i.by, '', f.path, i.line, f.class from invocations i cross join files f on f.id = i.file"
            f" where i.key in ({marks}) limit {MOST}",
            list(keys),
        )
        return sorted((Use("invoked", *row) for row in rows), key=_place)


def _place(use: Use) -> tuple[str, int]:
    return use.path, use.line
