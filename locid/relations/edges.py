"""What one project uses of others: which of its declarations, imports and runs lead to one of their names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch

from locid.manifest import ROOT, key, repository
from locid.relations.evidence import rank, strong
from locid.relations.found import Relation
from locid.relations.imports import heads, own_files
from locid.relations.providers import Directory
from locid.usage import Usage, Use, Wanted
from locid.values import Scope

Own = set[tuple[str, str]]  # (distribution, import or command; key) of what the project itself goes by


def of(scope: Scope, usage: Usage, directory: Directory) -> Iterator[Relation]:
    """The relations of a project to others, the best place of each way first; what it provides itself is its own."""
    own = directory.own[scope.id]
    found = [*_declared(scope, usage, directory, own), *_invoked(usage, directory, own)]
    for ids, use in sorted(found, key=lambda pair: rank(pair[1])):
        yield from _related(scope, ids, use, directory)
    known: set[str] = set()
    for use in _imports(scope, usage, directory):
        name, ids = _provided(use, directory)
        if ids <= known or own.intersection((("import", key(name)), ("distribution", key(name)))):
            continue
        if not usage.has_file(own_files(use.name, use.detail, use.path)):
            known |= ids
            yield from _related(scope, ids, use, directory)


def _related(scope: Scope, ids: Iterable[str], use: Use, directory: Directory) -> Iterator[Relation]:
    return (Relation(scope, other.id, other, use) for other in directory.others(ids, scope))


def _declared(scope: Scope, usage: Usage, directory: Directory, own: Own) -> Iterator[tuple[set[str], Use]]:
    keys = [k for k in usage.declared_keys() if directory.has_distribution(k) and ("distribution", k) not in own]
    uses = usage.uses(Wanted(keys=tuple(keys))) if keys else []
    for use in (*(u for u in uses if u.how == "declared"), *usage.targeted()):
        if strong(use) or use.kind == "workspace":
            yield _leads_to(scope, use, directory), use


def _invoked(usage: Usage, directory: Directory, own: Own) -> Iterator[tuple[set[str], Use]]:
    programs = [p for p in usage.programs() if p in directory.commands and ("command", p) not in own]
    for use in usage.uses(Wanted(keys=tuple(programs))) if programs else ():
        if use.how == "invoked" and strong(use):
            yield directory.commands[key(use.name)], use


def _imports(scope: Scope, usage: Usage, directory: Directory) -> list[Use]:
    modules = directory.provided(usage.modules(), scope)
    uses = usage.uses(Wanted(modules=tuple(modules))) if modules else []
    return sorted((u for u in uses if strong(u)), key=rank)


def _provided(use: Use, directory: Directory) -> tuple[str, set[str]]:
    """The name under which an imported module is provided by other projects, and those projects."""
    for name in heads(use.name, use.detail):
        if ids := directory.of_module(name, use.detail):
            return name, ids
    return "", set()


def _leads_to(scope: Scope, use: Use, directory: Directory) -> set[str]:
    """The projects that a declaration leads to: by its path, by its URL, by its name."""
    place = repository(use.target)
    if use.target and not place and "://" not in use.target:
        return _by_path(scope, use, directory)
    return directory.remotes.get(place) or directory.of_distribution(use.detail, key(use.name))


def _by_path(scope: Scope, use: Use, directory: Directory) -> set[str]:
    base = scope.root if use.target.startswith(ROOT) else os.path.join(scope.root, os.path.dirname(use.path))
    full = os.path.normpath(os.path.join(base, use.target.removeprefix(ROOT)))
    if "*" in full:
        return {s.id for s in directory.scopes.values() if s.id != scope.id and fnmatch(s.root, full)}
    return directory.of_folder(full)
