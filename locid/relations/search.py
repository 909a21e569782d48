"""One search for the users of a name: all places that say it, then which of them are meant, then what they are worth."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from locid.manifest import key, repository, short
from locid.relations import providers
from locid.relations.evidence import rank, strong
from locid.relations.found import Relation, Users
from locid.relations.imports import BY_LANGUAGE, is_import_of, own_files, spellings
from locid.relations.providers import Provider, is_named, narrowed
from locid.usage import Usage, Use, Wanted
from locid.values import Scope

PLACES = 3  # told of one project


class Search:
    """One search for the users of a name."""

    def __init__(
        self,
        scopes: Sequence[Scope],
        usage: Callable[[Scope], AbstractContextManager[Usage]],
        name: str,
        scope: Scope | None,
    ) -> None:
        self._scopes, self._usage = scopes, usage
        self.name = scope.id if scope else name
        self.wanted = key(name)
        self.given = scope
        self._begins = scope is None and "/" in self.wanted + "/" * self.wanted.startswith("@")  # asks for a family
        self.providers = self._find_providers(name)

    def _find_providers(self, name: str) -> list[Provider]:
        found: list[Provider] = []
        for scope in self._scopes:
            by_name = scope.id == self.given.id if self.given else is_named(scope, name)
            with self._usage(scope) as usage:
                hit = by_name or (self.given is None and bool(self.wanted) and bool(usage.boards([self.wanted])))
                boards = usage.boards() if hit else []
            if hit:
                meant = tuple(boards) if by_name else narrowed(boards, self.wanted)
                found.append(Provider(scope, meant, by_name or len(meant) == len(boards)))
        return found

    def run(self) -> Users:
        """All places, then what they are worth."""
        literal = self.given is None
        keys = {self.wanted} if literal and self.wanted else set()
        keys |= {b.key for p in self.providers for b in p.boards if b.board in ("distribution", "command")}
        modules = set(spellings(self.name)) if literal else set()
        modules |= {b.name for p in self.providers for b in p.boards if b.importable}
        wide = literal and bool(self.wanted)
        prefixes = (self.wanted,) if self._begins else ()
        folders = tuple({short(key(p.scope.name)) for p in self.providers if p.by_name})
        last = (short(self.wanted), *folders) if wide else folders
        ask = Wanted(tuple(sorted(keys)), tuple(sorted(set(last))), prefixes, tuple(sorted(modules)))
        rows = [(scope, use) for scope in self._users() for use in self._uses(scope, ask, self._imports)]
        full = [(s, u) for s, u in rows if u.how == "imported" or self._is_full(s, u, keys)]
        parts = self._by_parts(rows)
        return self._users_of(full, parts) if full else self._users_of(parts, [])

    def _users(self) -> list[Scope]:
        """All projects but those that provide it."""
        mine = {p.scope.id for p in self.providers}
        return [s for s in self._scopes if s.id not in mine]

    def _uses(self, scope: Scope, wanted: Wanted, meant: Callable[[Use], bool]) -> list[Use]:
        """The declarations and runs of a project, and the first import that is meant and not its own."""
        with self._usage(scope) as usage:
            found = usage.uses(wanted)
            imports = sorted((u for u in found if u.how == "imported"), key=rank)
            good = (u for u in imports if meant(u) and not usage.has_file(own_files(u.name, u.detail, u.path)))
            first = next(good, None)
            if first is not None and not strong(first):
                first = next((u for u in good if strong(u)), first)
        return [*(u for u in found if u.how != "imported"), *([first] if first else [])]

    def _is_full(self, scope: Scope, use: Use, keys: set[str]) -> bool:
        """Whether a place says the whole name."""
        return self._runs(use) if use.how == "invoked" else self._declares(scope, use, keys)

    def _declares(self, scope: Scope, use: Use, keys: set[str]) -> bool:
        if use.target and any(self._leads_to(scope, use, p) for p in self.providers if p.by_name):
            return True
        if use.detail in ("path", "git") and self.providers:
            return False  # a folder or repository of that name, but another
        if self._begins and key(use.name).startswith(f"{self.wanted}/"):
            return True
        if key(use.name) not in keys:
            return False
        boards = {(b.ecosystem, b.key) for p in self.providers for b in p.boards if b.board == "distribution"}
        if (use.detail, key(use.name)) in boards:
            return True
        known = providers.ecosystems(self.providers, self.wanted)
        return key(use.name) == self.wanted and self.given is None and (not known or use.detail == "tool")

    def _leads_to(self, scope: Scope, use: Use, provider: Provider) -> bool:
        remote = provider.scope.remote
        if place := repository(use.target):
            return bool(remote) and repository(remote or "") == place
        base = os.path.join(scope.root, os.path.dirname(use.path))
        full = os.path.normpath(os.path.join(base, use.target))
        return "*" not in full and (full == provider.scope.root or full.startswith(provider.scope.root + "/"))

    def _imports(self, use: Use) -> bool:
        for provider in self.providers:
            for board in provider.boards:
                spelling = BY_LANGUAGE.get(use.detail)
                same = spelling is not None and spelling.ecosystem == board.ecosystem and board.importable
                if same and is_import_of(use.name, use.detail, board.name):
                    return True
        if self.given is not None:
            return False
        known = providers.ecosystems(self.providers, self.wanted)
        spelling = BY_LANGUAGE.get(use.detail)
        foreign = bool(known) and (spelling is None or spelling.ecosystem not in known)
        return not foreign and is_import_of(use.name, use.detail, self.name)

    def _runs(self, use: Use) -> bool:
        commands = {b.key for p in self.providers for b in p.boards if b.board == "command"}
        return key(use.name) in commands or (self.given is None and key(use.name) == self.wanted)

    def _by_parts(self, rows: Sequence[tuple[Scope, Use]]) -> list[tuple[Scope, Use]]:
        """Places that say more than the name, as `github.com/spf13/cobra` says `cobra`; then who imports that."""
        if self.given is not None or self.providers:
            return []
        end = (f"/{self.wanted}", f":{self.wanted}")
        declared = [(s, u) for s, u in rows if u.how == "declared" and key(u.name).endswith(end)]
        names = sorted({u.name for _, u in declared})
        modules = Wanted(modules=tuple(sorted({form for name in names for form in spellings(name)})))

        def meant(use: Use) -> bool:
            return any(is_import_of(use.name, use.detail, name) for name in names)

        scopes = self._users() if names else []
        return declared + [(scope, use) for scope in scopes for use in self._uses(scope, modules, meant)]

    def _users_of(self, rows: Sequence[tuple[Scope, Use]], others: Sequence[tuple[Scope, Use]]) -> Users:
        declares = {s.id for s, u in rows if u.how == "declared" and strong(u)}
        good: list[Relation] = []
        traces: list[Relation] = []
        for scope, use in rows:
            spelling = BY_LANGUAGE.get(use.detail) if use.how == "imported" else None
            undeclared = spelling is not None and spelling.declared and scope.id not in declares
            (good if strong(use) and not undeclared else traces).append(
                Relation(scope, self._to(), self._target(), use)
            )
        if not good:
            good, traces = traces, []
        used = {r.scope.id for r in good}
        traces += [Relation(scope, use.name, None, use) for scope, use in others if strong(use)]
        weak = [r for r in traces if r.scope.id not in used]
        known = bool(self.providers) or any(r.use.how == "declared" and strong(r.use) for r in good)
        return Users(self.name, tuple(_best(good)), tuple(_best(weak)), tuple(p.scope for p in self.providers), known)

    def _to(self) -> str:
        target = self._target()
        return target.id if target else self.name

    def _target(self) -> Scope | None:
        return self.providers[0].scope if self.providers else None


def _best(relations: Sequence[Relation]) -> list[Relation]:
    """The best places of each project, projects in the order of theirs."""
    by_scope: dict[str, list[Relation]] = {}
    for relation in sorted(relations, key=lambda r: rank(r.use)):
        places = by_scope.setdefault(relation.scope.id, [])
        if len(places) < PLACES and not _repeats(relation, places):
            places.append(relation)
    order = sorted(by_scope.values(), key=lambda places: places[0].scope.id)
    return [relation for places in order for relation in places]


def _repeats(relation: Relation, before: Sequence[Relation]) -> bool:
    """Whether a place says nothing that one before it has not: two declarations at most, one import, one run."""
    same = [r for r in before if r.use.how == relation.use.how]
    return len(same) >= (2 if relation.use.how == "declared" else 1)
