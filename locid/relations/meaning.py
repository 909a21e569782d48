"""What a name means: itself in every ecosystem, or a registered project under all names that it goes by. Pure."""

from __future__ import annotations

import os
from collections.abc import Sequence

from locid.manifest import key, repository, short
from locid.relations.imports import BY_LANGUAGE, head, is_import_of, spellings
from locid.relations.providers import Provider
from locid.usage import Board, Use, Wanted
from locid.values import Scope


class Meaning:
    """A name, or a project itself, and how places that use it say so."""

    def __init__(self, name: str, given: Scope | None, providers: Sequence[Provider]) -> None:
        self.name = given.id if given else name
        self.providers = tuple(providers)
        self.wanted = "" if given else key(name)  # of the name as it stands; '' when only a project is meant
        self.family = "/" in self.wanted or self.wanted.startswith("@")  # also all that begins with it
        boards = [b for p in providers for b in p.boards]
        self._distributions = {(b.ecosystem, b.key) for b in boards if b.board == "distribution"}
        self._commands = {b.key for b in boards if b.board == "command"}
        self._modules = {(b.ecosystem, b.name) for b in boards if b.importable and not _of_the_language(b)}
        # where a registered project goes by the name, it means that and nothing that is called so elsewhere
        self._known = {ecosystem for ecosystem, named in self._distributions if named == self.wanted}

    @property
    def by_name(self) -> bool:
        """Whether a project itself is meant, so that a path or URL that leads to it is a use."""
        return any(p.by_name for p in self.providers)

    def asked(self) -> Wanted:
        """What to look for."""
        keys = {named for _, named in self._distributions} | self._commands | ({self.wanted} - {""})
        modules = {name for _, name in self._modules} | set(spellings(self.name) if self.wanted else ())
        last = (short(self.wanted),) if self.wanted and not self.providers else ()
        first = (self.wanted,) if self.family else ()
        return Wanted(tuple(sorted(keys)), last, first, tuple(sorted(modules)))

    def is_said(self, scope: Scope, use: Use) -> bool:
        """Whether a place of a project says the whole name."""
        says = {"declared": self._declares, "imported": self._imports, "invoked": self._runs}[use.how]
        return says(scope, use)

    def ends(self, use: Use) -> bool:
        """Whether a declaration says the name last: `cobra` of `github.com/spf13/cobra`."""
        ends = (f"/{self.wanted}", f":{self.wanted}")
        return bool(self.wanted) and use.how == "declared" and key(use.name).endswith(ends)

    def _declares(self, scope: Scope, use: Use) -> bool:
        if use.target and any(_leads_to(scope, use, p.scope) for p in self.providers if p.by_name):
            return True
        if use.detail in ("path", "git") and self.providers:
            return False  # a folder or repository of that name, but another
        named = key(use.name)
        if (use.detail, named) in self._distributions or (self.family and named.startswith(f"{self.wanted}/")):
            return True
        return bool(named) and named == self.wanted and (not self._known or use.detail == "tool")

    def _imports(self, scope: Scope, use: Use) -> bool:
        spelling = BY_LANGUAGE.get(use.detail)
        ecosystem = spelling.ecosystem if spelling else ""
        names = [name for of, name in self._modules if of == ecosystem]
        if self.wanted and (not self._known or ecosystem in self._known):
            names.append(self.name)
        return any(is_import_of(use.name, use.detail, name) for name in names)

    def _runs(self, scope: Scope, use: Use) -> bool:
        named = key(use.name)
        return named in self._commands or (bool(named) and named == self.wanted and not self._known)


def _of_the_language(board: Board) -> bool:
    """Whether a module has the name of one that the language itself has, which an import means first."""
    return board.ecosystem == "python" and not head(board.name, "python")


def _leads_to(scope: Scope, use: Use, target: Scope) -> bool:
    if place := repository(use.target):
        return target.remote is not None and repository(target.remote) == place
    full = os.path.normpath(os.path.join(scope.root, os.path.dirname(use.path), use.target))
    return "*" not in full and (full == target.root or full.startswith(target.root + "/"))
