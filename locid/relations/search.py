"""One search for the users of a name: all places that say it, whose they are, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import chain

from locid.manifest import key
from locid.relations.evidence import rank, strong
from locid.relations.found import Relation, Users
from locid.relations.imports import BY_LANGUAGE, heads, is_import_of, own_files, spellings
from locid.relations.meaning import Meaning
from locid.relations.providers import Provider, is_named, narrowed
from locid.usage import Usage, Use, Wanted
from locid.values import Scope

PLACES = 3  # told of one project
Place = tuple[Scope, Use]


class Search:
    """One search."""

    def __init__(
        self,
        scopes: Sequence[Scope],
        usage: Callable[[Scope], AbstractContextManager[Usage]],
        name: str,
        given: Scope | None,
    ) -> None:
        self._scopes, self._usage = scopes, usage
        self._meaning = Meaning(name, given, self._providers(name, given))
        mine = {p.scope.id for p in self._meaning.providers}
        self._others = [s for s in scopes if s.id not in mine]

    def _providers(self, name: str, given: Scope | None) -> list[Provider]:
        """The projects that the name means, or that provide what it means."""
        found: list[Provider] = []
        wanted = key(name)
        for scope in self._scopes:
            by_name = scope.id == given.id if given else is_named(scope, name)
            with self._usage(scope) as usage:
                if not by_name and (given or not wanted or not usage.boards([wanted])):
                    continue
                boards = usage.boards()
            meant = tuple(boards) if by_name else narrowed(boards, wanted)
            found.append(Provider(scope, meant, by_name or len(meant) == len(boards)))
        return found

    def run(self) -> Users:
        """All places, then what they are worth."""
        said = self._meaning.is_said
        asked = self._meaning.asked()
        rows = [(scope, use) for scope in self._others for use in self._uses(scope, asked, said)]
        whole = [(scope, use) for scope, use in rows if said(scope, use)]
        parts = self._by_parts([(scope, use) for scope, use in rows if self._meaning.ends(use)])
        return self._worth(whole, parts) if whole else self._worth(parts, [])

    def _uses(self, scope: Scope, wanted: Wanted, meant: Callable[[Scope, Use], bool]) -> list[Use]:
        """The declarations and runs of a project, and its first import that is meant; what is its own is none."""
        with self._usage(scope) as usage:
            found = usage.uses(wanted)
            if self._meaning.by_name:
                found += usage.targeted()
            if not found:
                return []
            imports = sorted((u for u in found if u.how == "imported"), key=rank)
            others = [u for u in found if u.how != "imported"]
            own = _own(usage, chain(others, imports))
            good = (u for u in imports if meant(scope, u) and not own.intersection(_names(u)))
            foreign = (u for u in good if not usage.has_file(own_files(u.name, u.detail, u.path)))
            first = next(foreign, None)
            if first is not None and not strong(first):
                first = next((u for u in foreign if strong(u)), first)
        return [*(u for u in others if not own.intersection(_names(u))), *([first] if first else [])]

    def _by_parts(self, declared: list[Place]) -> list[Place]:
        """Declarations that end in the name, and who imports what they declare."""
        names = sorted({use.name for _, use in declared})
        modules = Wanted(modules=tuple(sorted({form for name in names for form in spellings(name)})))

        def meant(scope: Scope, use: Use) -> bool:
            return any(is_import_of(use.name, use.detail, name) for name in names)

        scopes = self._others if names else []
        imported = [(s, u) for s in scopes for u in self._uses(s, modules, meant) if u.how == "imported"]
        return declared + imported

    def _worth(self, rows: Sequence[Place], others: Sequence[Place]) -> Users:
        """Uses and traces; a project with a use has no traces, and without any use the traces are what there is."""
        declares = {s.id for s, u in rows if u.how == "declared" and strong(u)}
        good: list[Relation] = []
        traces: list[Relation] = []
        for scope, use in rows:
            module = use.how == "imported" and BY_LANGUAGE[use.detail].declared and scope.id not in declares
            (good if strong(use) and not module else traces).append(self._relation(scope, use))
        known = bool(self._meaning.providers) or any(r.use.how == "declared" for r in good)
        if not good:
            good, traces = traces, []
        used = {r.scope.id for r in good}
        traces += [Relation(scope, use.name, None, use) for scope, use in others if strong(use)]
        weak = [r for r in traces if r.scope.id not in used]
        providers = tuple(p.scope for p in self._meaning.providers)
        return Users(self._meaning.name, tuple(_best(good)), tuple(_best(weak)), providers, known)

    def _relation(self, scope: Scope, use: Use) -> Relation:
        target = self._meaning.providers[0].scope if self._meaning.providers else None
        return Relation(scope, target.id if target else self._meaning.name, target, use)


def _names(use: Use) -> set[str]:
    """The keys under which what is used may be the project's own."""
    if use.how == "imported":
        return {key(name) for name in heads(use.name, use.detail)}
    return set() if use.target else {key(use.name)}


def _own(usage: Usage, uses: Iterable[Use]) -> set[str]:
    """Those of the keys that the project itself goes by."""
    keys = set().union(*(_names(use) for use in uses))
    return {b.key for b in usage.boards(sorted(keys)) if b.board != "command"} if keys else set()


def _best(relations: Sequence[Relation]) -> list[Relation]:
    """The best places of each project, projects by their ids."""
    by_scope: dict[str, list[Relation]] = {}
    for relation in sorted(relations, key=lambda r: (r.scope.id, *rank(r.use))):
        places = by_scope.setdefault(relation.scope.id, [])
        if len(places) < PLACES and not _repeats(relation, places):
            places.append(relation)
    return [relation for places in by_scope.values() for relation in places]


def _repeats(relation: Relation, before: Sequence[Relation]) -> bool:
    """Whether a place says nothing that one before it has not: two declarations at most, one import, one run."""
    same = [r for r in before if r.use.how == relation.use.how]
    return len(same) >= (2 if relation.use.how == "declared" else 1)
