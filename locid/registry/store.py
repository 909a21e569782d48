"""registry.db: the scopes of this machine, their names, and the directories that were scanned for them."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from locid import db, git
from locid.errors import AmbiguousName, BadRequest, Conflict, Refused, UnknownScope
from locid.layout import REGISTRY_FORMAT, Layout
from locid.registry import discover, identity
from locid.values import Scope

MIGRATIONS = (
    """
    create table scopes (
        id text primary key, root text not null unique, git_dir text, common_dir text, remote text,
        added_at real not null) without rowid;
    create table aliases (scope text not null references scopes(id) on delete cascade, alias text not null,
        primary key (scope, alias)) without rowid;
    create table globs (scope text not null references scopes(id) on delete cascade, glob text not null,
        primary key (scope, glob)) without rowid;
    create table roots (path text primary key, added_at real not null) without rowid
    """,
)
assert len(MIGRATIONS) == REGISTRY_FORMAT


@dataclass(frozen=True, slots=True)
class Found:
    """What a scan found: all scopes below the directories, and those of them that are new."""

    scopes: tuple[Scope, ...]
    added: tuple[Scope, ...]
    notes: tuple[str, ...]


class Registry:
    """The registered scopes; safe to call from any thread."""

    def __init__(self, layout: Layout) -> None:
        self.warning: str | None = None
        self._lock = threading.RLock()
        self._scopes: tuple[Scope, ...] = ()
        try:
            self._open(layout)
        except (db.Damaged, IsADirectoryError):
            aside = db.move_aside(layout.registry_db)
            self.warning = (
                f"the registry was damaged and lies in {aside}; `loci setup DIR` registers your projects again"
            )
            self._open(layout)

    def _open(self, layout: Layout) -> None:
        self._db = db.open_writer(layout.registry_db, MIGRATIONS)
        self._reload()

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """All scopes by id."""
        return self._scopes

    @property
    def roots(self) -> list[str]:
        """The directories that were scanned, which later ones are looked for in."""
        with self._lock:
            return [row[0] for row in self._db.execute("select path from roots order by path")]

    def resolve(self, name: str) -> Scope:
        """The scope of an id, else of a name that only one scope has, else of a path; UnknownScope, AmbiguousName."""
        for scope in self._scopes:
            if scope.id == name:
                return scope
        wanted = name.casefold()
        found = [s for s in self._scopes if wanted in (n.casefold() for n in identity.names_of(s))]
        if not found and name.startswith(("/", "~", ".")):
            real = os.path.realpath(os.path.expanduser(name))
            found = [s for s in self._scopes if s.root == real]
        if len(found) == 1:
            return found[0]
        if found:
            ids = ", ".join(s.id for s in found)
            raise AmbiguousName(f"{name} is the name of {ids}; give one of these ids", {"ids": [s.id for s in found]})
        raise UnknownScope(f"no scope is called {name}; `loci scopes` lists them, `loci add PATH` adds one")

    def holding(self, path: str) -> Scope | None:
        """The innermost scope that holds a path."""
        return identity.deepest(os.path.realpath(path), self._scopes)

    def scan(self, directories: Sequence[str], *, dry_run: bool = False) -> Found:
        """Registers every repository below the directories, and remembers them."""
        seen: list[Scope] = []
        odd: list[str] = []
        for directory in map(_directory, directories):
            for repo in discover.repositories(directory):
                root = os.path.realpath(repo.root)
                if _encodable(root):
                    seen.append(_scope_of(repo, root))
                else:
                    odd.append(root)
        with self._lock:
            added = [] if dry_run else self._add_missing(seen)
            if not dry_run:
                self._remember(directories)
            ids = {s.root: s for s in self._scopes}
            known = tuple(ids.get(s.root, s) for s in seen)
            return Found(known, tuple(ids.get(s.root, s) for s in added), _notes(seen, odd, directories))

    def add(self, path: str, name: str | None, aliases: Sequence[str], globs: Sequence[str]) -> Scope:
        """Registers one directory, or adds names and globs to it; Conflict when the name is another root's."""
        root = os.path.realpath(_directory(path))
        if not _encodable(root):
            raise Refused(f"{root!a} is not UTF-8; rename the directory to register it")
        repo = git.discover(root)  # before the lock: a repository may lie on a disk that does not answer
        if root in ("/", os.path.realpath(os.path.expanduser("~"))):
            raise Refused(f"{root} is no project but all of them; `loci scan {root}` registers the repositories in it")
        if not all(map(_encodable, (name or "", *aliases, *globs))):
            raise BadRequest("names, aliases and globs are UTF-8 text")
        with self._lock:
            before = next((s for s in self._scopes if s.root == root), None)
            if before is not None and name and name != before.id:
                raise Conflict(f"{root} is registered as {before.id}; `loci rm {before.id}` first to rename it")
            scope = before or _scope_of(repo if repo and os.path.realpath(repo.root) == root else None, root)
            id = before.id if before else self._free_id(name, root)
            with db.transaction(self._db):
                if before is None:
                    self._insert(id, scope)
                self._attach(id, aliases, globs)
            self._reload()
            return self.resolve(id)

    def remove(self, name: str) -> Scope:
        """Takes a scope out of the registry; nothing of it on disk is touched here."""
        with self._lock:
            scope = self.resolve(name)
            with db.transaction(self._db):
                self._db.execute("delete from scopes where id = ?", (scope.id,))
            self._reload()
            return scope

    def close(self) -> None:
        """Closes the database."""
        with self._lock:
            self._db.close()

    def _add_missing(self, seen: Sequence[Scope]) -> list[Scope]:
        have = {s.root for s in self._scopes}
        missing = list({s.root: s for s in seen if s.root not in have}.values())
        taken = {s.id for s in self._scopes}
        with db.transaction(self._db):
            for scope in missing:
                id = identity.fresh_id(scope.root, taken)
                taken.add(id)
                self._insert(id, scope)
        self._reload()
        return missing

    def _free_id(self, name: str | None, root: str) -> str:
        taken = {s.id: s.root for s in self._scopes}
        if not name:
            return identity.fresh_id(root, taken)
        if not name.strip() or name != name.strip() or len(name) > 200 or "\0" in name:
            raise BadRequest("a scope's name is 1 to 200 characters with no blanks around it")
        if name in taken:
            raise Conflict(f"{name} is the name of {taken[name]}; give another with --name")
        return name

    def _insert(self, id: str, scope: Scope) -> None:
        self._db.execute(
            "insert into scopes values (?, ?, ?, ?, ?, ?)",
            (id, scope.root, scope.git_dir, scope.common_dir, scope.remote, time.time()),
        )

    def _attach(self, id: str, aliases: Sequence[str], globs: Sequence[str]) -> None:
        for table, values in (("aliases", aliases), ("globs", globs)):
            self._db.executemany(f"insert or ignore into {table} values (?, ?)", [(id, v) for v in values])

    def _remember(self, directories: Sequence[str]) -> None:
        rows = [(os.path.realpath(d), time.time()) for d in directories]
        with db.transaction(self._db):
            self._db.executemany("insert or ignore into roots values (?, ?)", rows)

    def _reload(self) -> None:
        with self._lock:
            rows = self._db.execute("select id, root, git_dir, common_dir, remote from scopes order by id").fetchall()
            scopes = [
                Scope(id, root, self._listed("alias", id), self._listed("glob", id), git_dir, common_dir, remote)
                for id, root, git_dir, common_dir, remote in rows
            ]
            self._scopes = tuple(identity.without_inner(scopes))

    def _listed(self, column: str, id: str) -> tuple[str, ...]:
        table = {"alias": "aliases", "glob": "globs"}[column]
        rows = self._db.execute(f"select {column} from {table} where scope = ? order by 1", (id,))
        return tuple(row[0] for row in rows)


def _directory(path: str) -> str:
    full = os.path.abspath(os.path.expanduser(path))
    if not os.path.isdir(full):
        raise BadRequest(f"{path} is no directory; give one that holds projects")
    if not os.access(full, os.R_OK | os.X_OK):
        raise BadRequest(f"{path} cannot be read; check its permissions")
    return full


def _scope_of(repo: git.Repo | None, root: str) -> Scope:
    if repo is None:
        return Scope(id="", root=root)
    return Scope(id="", root=root, git_dir=repo.git_dir, common_dir=repo.common_dir, remote=repo.remote)


def _encodable(text: str) -> bool:
    """Whether a path is UTF-8: it stands in answers, which are."""
    return not any("\ud800" <= c <= "\udfff" for c in text)


def _notes(seen: Sequence[Scope], odd: Sequence[str], directories: Sequence[str]) -> tuple[str, ...]:
    if odd:
        return tuple(f"{root!a} is left out: its name is not UTF-8" for root in odd)
    if seen:
        return ()
    return (f"no git repository below {', '.join(directories)}; `loci add PATH` takes any directory",)
