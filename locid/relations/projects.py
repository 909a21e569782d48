"""The questions: who uses a thing, what a project depends on, what the projects use of one another."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from fnmatch import fnmatch

from locid.manifest import key, repository
from locid.relations.evidence import rank, strong
from locid.relations.found import Holder, Read, Relation, Users
from locid.relations.imports import heads, own_files
from locid.relations.providers import Directory
from locid.relations.search import Search
from locid.usage import Usage, Use, Wanted
from locid.values import Scope


class Projects:
    """Some projects and what their files tell."""

    def __init__(self, scopes: Sequence[Scope], holders: Mapping[str, Holder]) -> None:
        self._scopes = [s for s in scopes if s.id in holders]
        self._holders = holders

    def read(self, details: bool = True) -> Read:
        """What was read to answer."""
        counts = {s.id: self._holders[s.id].facts.manifests for s in self._scopes}
        unread: list[tuple[str, str, str]] = []
        for scope in self._scopes if details else ():
            with self._holders[scope.id].usage() as usage:
                unread += [(scope.id, path, reason) for path, reason in usage.unread()]
        return Read(counts, tuple(unread))

    def _usage(self, scope: Scope) -> AbstractContextManager[Usage]:
        return self._holders[scope.id].usage()

    # ---- who uses a thing

    def users(self, name: str, scope: Scope | None = None) -> Users:
        """Who uses what goes by a name, or a project itself."""
        return Search(self._scopes, self._usage, name, scope).run()

    # ---- what a project depends on

    def dependencies(self, scope: Scope) -> list[Relation]:
        """What a project's own manifests declare, each name once, what it needs to run first."""
        with self._usage(scope) as usage:
            found = sorted((u for u in usage.declared() if strong(u)), key=_need)
            own = {b.key for b in usage.boards()}
        named: dict[tuple[str, str], Use] = {}
        for use in found:
            if key(use.name) not in own and use.detail not in ("tool", "path"):
                named.setdefault((use.detail, key(use.name)), use)
        return [Relation(scope, use.name, None, use) for use in named.values()]

    # ---- what they use of one another

    def edges(self, of: Scope | None = None) -> list[Relation]:
        """The best place of each way in which one project uses another; only those from or to one project."""
        directory = Directory()
        for scope in self._scopes:
            with self._usage(scope) as usage:
                directory.enter(scope, usage.boards())
        found = [r for scope in self._scopes for r in self._edges_of(scope, directory)]
        kept = [r for r in found if of is None or of.id in (r.scope.id, r.to)]
        best: dict[tuple[str, str, str], Relation] = {}
        for relation in sorted(kept, key=lambda r: rank(r.use)):
            best.setdefault((relation.scope.id, relation.to, relation.use.how), relation)
        return sorted(best.values(), key=lambda r: (r.scope.id, r.to, rank(r.use)))

    def _edges_of(self, scope: Scope, directory: Directory) -> Iterator[Relation]:
        with self._usage(scope) as usage:
            own = {(b.board, b.key) for b in usage.boards()}
            for use in usage.declared():
                if strong(use) or use.kind == "workspace":
                    ids = () if ("distribution", key(use.name)) in own else _declared(scope, use, directory)
                    yield from _related(scope, ids, use, directory)
            modules = [m for m in usage.modules() if directory.may_provide(m, scope)]
            for use in usage.uses(Wanted(modules=tuple(modules))) if modules else ():
                name, ids = _provided(use, directory)
                known = ("import", key(name)) in own or ("distribution", key(name)) in own
                if ids and not known and strong(use) and not usage.has_file(own_files(use.name, use.detail, use.path)):
                    yield from _related(scope, ids, use, directory)
            programs = usage.programs() & directory.commands.keys()
            for use in usage.uses(Wanted(keys=tuple(programs))) if programs else ():
                if use.how == "invoked" and strong(use) and ("command", key(use.name)) not in own:
                    yield from _related(scope, directory.commands[key(use.name)], use, directory)


def _need(use: Use) -> tuple[object, ...]:
    """The order of dependencies: what the project itself needs first, what its checks and images need last."""
    around = use.detail in ("actions", "docker", "git") and use.kind != "submodule"
    return around, *rank(use)[1:3], use.path, use.line


def _related(scope: Scope, ids: Iterable[str], use: Use, directory: Directory) -> Iterator[Relation]:
    return (Relation(scope, other.id, other, use) for other in directory.others(ids, scope))


def _provided(use: Use, directory: Directory) -> tuple[str, set[str]]:
    """The name under which an imported module is provided by other projects, and those projects."""
    for name in heads(use.name, use.detail):
        if ids := directory.of_module(name, use.detail):
            return name, ids
    return "", set()


def _declared(scope: Scope, use: Use, directory: Directory) -> set[str]:
    """The projects that a declaration leads to: by its path, by its URL, by its name."""
    if use.target and "://" not in use.target and not repository(use.target):
        return _by_path(scope, use, directory)
    if use.target and (found := directory.remotes.get(repository(use.target))):
        return found
    named = directory.distributions.get((use.detail, key(use.name)), set())
    if use.detail == "go" and not named:  # a package of a module may be required by its own path
        parts = key(use.name).split("/")
        tries = ("/".join(parts[:n]) for n in range(len(parts) - 1, 1, -1))
        named = next((ids for t in tries if (ids := directory.distributions.get(("go", t)))), set())
    return named


def _by_path(scope: Scope, use: Use, directory: Directory) -> set[str]:
    base = (
        scope.root
        if use.target.startswith("/") and use.detail == "path"
        else os.path.join(scope.root, os.path.dirname(use.path))
    )
    full = os.path.normpath(os.path.join(base, use.target.lstrip("/") if base == scope.root else use.target))
    if "*" in full:
        return {s.id for s in directory.scopes.values() if s.id != scope.id and fnmatch(s.root, full)}
    return directory.of_folder(full)
