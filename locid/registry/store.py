"""registry.db: the scopes of this machine, their names and groups, and the directories that were scanned for them."""

from __future__ import annotations

import logging
import os
import shlex
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from locid import db, git
from locid.errors import AmbiguousName, BadRequest, Conflict, LociError, Refused, UnknownGroup, UnknownScope
from locid.layout import REGISTRY_FORMAT, Layout
from locid.registry import groups, identity, labels, provenance, subprojects, survey
from locid.registry.groups import Group, Mode
from locid.registry.provenance import Evidence
from locid.registry.survey import Sight
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
    """
    alter table scopes add column prefix text not null default '';
    alter table scopes add column parent text references scopes(id) on delete set null;
    alter table scopes add column owner text;
    create table ids (id text primary key, root text not null) without rowid;
    insert into ids select id, root from scopes
    """,
    labels.TABLES,
    "alter table scopes add column declared integer not null default 0",
)
assert len(MIGRATIONS) == REGISTRY_FORMAT

log = logging.getLogger(__name__)
COLUMNS = ("git_dir", "common_dir", "remote", "prefix", "parent", "owner", "declared")


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
        self._kept = 0  # changes that the copy holds, of those that this daemon made
        self._scopes: tuple[Scope, ...] = ()
        self._path, self._copy = layout.registry_db, layout.registry_copy
        self._groups: tuple[Group, ...] = ()
        self._policy = groups.Policy()
        if not os.path.lexists(self._path) and (os.path.lexists(self._copy) or os.path.isdir(layout.scopes)):
            self._restore("was gone")
        try:
            self._open()
        except db.Damaged:
            self._restore(f"was damaged and lies in {db.move_aside(self._path)}")
            self._open()

    def _open(self) -> None:
        self._db = db.open_writer(self._path, MIGRATIONS)
        self._reload()

    def _restore(self, what: str) -> None:
        """Puts the copy in the place of a registry that is no more, and keeps a sentence on it."""
        restored = db.restore(self._path, self._copy)
        then = "its copy has taken its place" if restored else "`loci setup DIR` registers your projects again"
        self.warning = f"the registry {what}; {then}"
        log.warning("%s", self.warning)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """All scopes by id."""
        return self._scopes

    @property
    def groups(self) -> tuple[Group, ...]:
        """All groups, those of git first."""
        return self._groups

    @property
    def default_mode(self) -> Mode:
        """The mode of every group that none was set for."""
        return self._policy.default

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

    def scan(
        self, directories: Sequence[str], *, split: bool = False, only_mine: bool = False, dry_run: bool = False
    ) -> Found:
        """Registers every repository below the directories, with the projects inside them, and remembers them."""
        real = [os.path.realpath(_directory(d)) for d in directories]
        seen = survey.below(real, self._known(), split=split, only_mine=only_mine)
        with self._lock:
            if not dry_run:
                self._remember(real)
            return self._enter(seen, None, dry_run)

    def add(self, path: str, name: str | None, aliases: Sequence[str], globs: Sequence[str]) -> Found:
        """Registers one directory, or adds names and globs to it; Conflict when the name is another root's."""
        root = os.path.realpath(_directory(path))
        if not survey.encodable(root):
            raise Refused(f"{root!a} is not UTF-8; rename the directory to register it")
        if root in ("/", os.path.realpath(os.path.expanduser("~"))):
            raise Refused(f"{root} is no project but all of them; `loci scan {root}` registers the repositories in it")
        if not all(map(survey.encodable, (name or "", *aliases, *globs))):
            raise BadRequest("names, aliases and globs are UTF-8 text")
        seen = survey.one(root, self._known())  # before the lock: a repository may lie on a disk that does not answer
        with self._lock:
            before = self._at(root)
            if before is not None and name and name != before.id:
                raise Conflict(f"{root} is registered as {before.id}; `loci rm {before.id}` first to rename it")
            if before is None and name:
                self._check_name(name)
            found = self._enter(seen, name, False)
            with db.transaction(self._db):
                self._attach(self._must(root).id, aliases, globs)
            self._reload()
            return Found(tuple(self._must(s.root) for s in found.scopes), found.added, found.notes)

    def remove(self, name: str) -> Scope:
        """Takes a scope out of the registry; nothing of it on disk is touched here. Its id stays its root's."""
        with self._lock:
            scope = self.resolve(name)
            with db.transaction(self._db):
                self._db.execute("delete from scopes where id = ?", (scope.id,))
                self._settle({})
            self._reload()
            return scope

    def infer(self, *, dry_run: bool = False) -> list[tuple[Scope, str | None]]:
        """Reads owners from git anew; each scope whose owner is another now, with the one that it is, or would be."""
        before, known = self._scopes, self._known()
        seen = {s.common_dir: git.discover(s.work_tree) for s in before if s.common_dir}
        repos = {common: r for common, r in seen.items() if r is not None and r.common_dir == common}  # else it is gone
        found = {repo: provenance.read(r, known.get(repo)) for repo, r in repos.items()}  # git runs outside of the lock
        owners = provenance.owners({**known, **found})
        with self._lock:
            asked = {*found, *labels.evidence(self._db)}
            if not dry_run:
                with db.transaction(self._db):
                    self._settle(found)
                self._reload()
        return [(s, owners[s.common_dir]) for s in before if s.common_dir in asked and owners[s.common_dir] != s.owner]

    def group_add(self, name: str, scopes: Sequence[str]) -> Group:
        """Puts scopes into a group by hand; a group that is not there is made."""
        with self._lock:
            ids = [self.resolve(s).id for s in scopes]
            name = self._group_name(name)
            with db.transaction(self._db):
                labels.say(self._db, name, ids, True)
            self._reload()
            return groups.find(self._groups, name)

    def group_remove(self, name: str, scopes: Sequence[str]) -> Group | None:
        """Takes scopes out of a group, also those that git or the filesystem put there; None when it has none left."""
        with self._lock:
            group = groups.find(self._groups, name)
            ids = [self._member(group, s) for s in scopes]
            found = groups.found_in(self._scopes, group.name)
            with db.transaction(self._db):
                labels.unsay(self._db, group.name, ids)
                labels.say(self._db, group.name, [id for id in ids if id in found], False)
            self._reload()
            left = next((g for g in self._groups if g.name == group.name), None)
            if left is None and not found:  # made by hand and emptied by hand: nothing that its mode could be kept for
                with db.transaction(self._db):
                    labels.set_mode(self._db, group.name, None)
                self._reload()
            return left

    def set_mode(self, name: str | None, mode: Mode) -> Group | None:
        """Sets the mode of a group, which comes back, or without a name the default one; UnknownGroup."""
        with self._lock:
            key = labels.DEFAULT if name is None else groups.find(self._groups, name).name
            with db.transaction(self._db):
                labels.set_mode(self._db, key, mode)
            self._reload()
            return groups.find(self._groups, key) if key else None

    def close(self) -> None:
        """Closes the database."""
        with self._lock:
            self._db.close()

    def _group_name(self, name: str) -> str:
        try:
            return groups.find(self._groups, name).name
        except UnknownGroup:
            groups.check_name(name)
            return name

    def _member(self, group: Group, name: str) -> str:
        """The id of a member; also of one that is no scope any more. Conflict when it is no member."""
        if name in group.gone:
            return name
        id = self.resolve(name).id
        if id not in group.members:
            raise Conflict(f"{id} is not in {group.name}, which has {', '.join((*group.members, *group.gone))}")
        return id

    def _known(self) -> dict[str, Evidence]:
        """What git said of each registered repository; of one that it was not asked about, its remote's owner alone."""
        with self._lock:
            rows = self._db.execute("select common_dir, remote from scopes where common_dir is not null")
            unasked = {repo: Evidence(provenance.owner_in(url or ""), known=False) for repo, url in rows}
            return {**unasked, **labels.evidence(self._db)}

    def _settle(self, found: Mapping[str, Evidence]) -> None:
        """Keeps what git says, and gives each scope the owner that follows from all of it together."""
        labels.keep_evidence(self._db, found)
        owners = provenance.owners(self._known())
        rows = [(owners[repo], repo) for repo in labels.evidence(self._db)]
        self._db.executemany("update scopes set owner = ? where common_dir = ?", rows)

    def _at(self, root: str) -> Scope | None:
        return next((s for s in self._scopes if s.root == root), None)

    def _must(self, root: str) -> Scope:
        return next(s for s in self._scopes if s.root == root)

    def _enter(self, seen: survey.Survey, name: str | None, dry_run: bool) -> Found:
        """Writes what was seen: new scopes get an id, known ones what git says of them today."""
        have = {s.root: s for s in self._scopes}
        fresh: dict[str, str] = {}  # root -> id
        taken = self._taken()
        for sight in seen.sights:
            root = sight.scope.root
            if root not in have:
                fresh[root] = id = (name if not fresh and name else None) or self._id(sight, have, fresh, taken)
                taken[id] = root
        shown = {s.scope.root: _shown(s, have, fresh) for s in seen.sights}
        if not dry_run:
            with db.transaction(self._db):
                for root, scope in shown.items():
                    self._write(scope, root in fresh)
                self._settle(seen.evidence)
            self._reload()
        now = {s.root: s for s in self._scopes}
        scopes = tuple(now.get(root, scope) for root, scope in shown.items())
        return Found(scopes, tuple(s for s in scopes if s.root in fresh), (*seen.notes, *self._dropped(seen)))

    def _dropped(self, seen: survey.Survey) -> Iterator[str]:
        """A sentence for each scope that a `.loci.json` named and names no more; it may carry names by hand, so it stays."""
        inner = [s for s in self._scopes if s.parent]
        for root in (sight.scope.root for sight in seen.sights if sight.above is None):
            for scope in subprojects.dropped(root, (s for s in inner if s.parent == self._id_at(root))):
                keep = f"`loci add {shlex.quote(scope.root)}` keeps it"
                yield f"{scope.id} is not in {root}/.loci.json any more; `loci rm {shlex.quote(scope.id)}` drops it, {keep}"

    def _id_at(self, root: str) -> str | None:
        found = self._at(root)
        return found.id if found else None

    def _taken(self) -> dict[str, str]:
        """Ids with their roots, also of scopes that were removed: an id never moves to another root by itself."""
        return dict(self._db.execute("select id, root from ids").fetchall())

    @staticmethod
    def _id(sight: Sight, have: dict[str, Scope], fresh: dict[str, str], taken: dict[str, str]) -> str:
        root = sight.scope.root
        own = [id for id, its in taken.items() if its == root]
        if own:
            return own[0]
        if sight.above is not None:
            parent = fresh.get(sight.above) or have[sight.above].id
            wanted = survey.sub_id(parent, root, sight.above)
            if wanted not in taken:
                return wanted
        return identity.fresh_id(root, taken)

    def _check_name(self, name: str) -> None:
        if not name.strip() or name != name.strip() or len(name) > 200 or "\0" in name:
            raise BadRequest("a scope's name is 1 to 200 characters with no blanks around it")
        for scope in self._scopes:
            if scope.id == name:
                raise Conflict(f"{name} is the name of {scope.root}; give another with --name")

    def _write(self, scope: Scope, fresh: bool) -> None:
        values = [getattr(scope, column) for column in COLUMNS]
        if fresh:
            marks = ", ".join("?" * (len(COLUMNS) + 3))
            names = ", ".join(COLUMNS)
            row = (scope.id, scope.root, time.time(), *values)
            self._db.execute(f"insert into scopes (id, root, added_at, {names}) values ({marks})", row)
            self._db.execute("insert or replace into ids values (?, ?)", (scope.id, scope.root))
        else:
            pairs = ", ".join(f"{column} = ?" for column in COLUMNS)
            self._db.execute(f"update scopes set {pairs} where id = ?", (*values, scope.id))

    def _attach(self, id: str, aliases: Sequence[str], globs: Sequence[str]) -> None:
        for table, values in (("aliases", aliases), ("globs", globs)):
            self._db.executemany(f"insert or ignore into {table} values (?, ?)", [(id, v) for v in values])

    def _remember(self, directories: Sequence[str]) -> None:
        rows = [(d, time.time()) for d in directories]
        with db.transaction(self._db):
            self._db.executemany("insert or ignore into roots values (?, ?)", rows)

    def _reload(self) -> None:
        with self._lock:
            rows = self._db.execute(f"select id, root, {', '.join(COLUMNS)} from scopes order by id").fetchall()
            scopes = [
                Scope(
                    id,
                    root,
                    self._listed("alias", id),
                    self._listed("glob", id),
                    **dict(zip(COLUMNS[:-1], rest, strict=True)),
                    declared=bool(declared),
                )
                for id, root, *rest, declared in rows
            ]
            self._scopes = tuple(identity.without_inner(scopes))
            self._policy = labels.policy(self._db)
            self._groups = groups.of(self._scopes, labels.said(self._db), self._policy)
            self._keep()

    def _keep(self) -> None:
        """Renews the copy when something changed; without it the registry is as good as before."""
        if self._kept == self._db.total_changes and os.path.exists(self._copy):
            return
        try:
            db.copy(self._db, self._copy)
            self._kept = self._db.total_changes
        except (LociError, OSError) as problem:
            log.warning("the copy of the registry is not renewed: %s", problem)

    def _listed(self, column: str, id: str) -> tuple[str, ...]:
        table = {"alias": "aliases", "glob": "globs"}[column]
        rows = self._db.execute(f"select {column} from {table} where scope = ? order by 1", (id,))
        return tuple(row[0] for row in rows)


def _shown(sight: Sight, have: dict[str, Scope], fresh: dict[str, str]) -> Scope:
    """A sighted project as the registry has it, or will."""
    seen = sight.scope
    known = have.get(seen.root)
    parent = None if sight.above is None else fresh.get(sight.above) or have[sight.above].id
    if known is None:
        return replace(seen, id=fresh[seen.root], parent=parent)
    git_now = {name: getattr(seen, name) for name in ("git_dir", "common_dir", "remote", "prefix", "owner", "declared")}
    return replace(known, **git_now, parent=parent or known.parent)


def _directory(path: str) -> str:
    full = os.path.abspath(os.path.expanduser(path))
    if not os.path.isdir(full):
        raise BadRequest(f"{path} is no directory; give one that holds projects")
    if not os.access(full, os.R_OK | os.X_OK):
        raise BadRequest(f"{path} cannot be read; check its permissions")
    return full
