"""The questions: who uses a thing, what a project depends on, what the projects use of one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from locid.errors import Unavailable
from locid.manifest import key
from locid.relations import edges
from locid.relations.evidence import rank, strong
from locid.relations.found import Holder, Read, Relation, Users
from locid.relations.imports import language
from locid.relations.providers import Directory
from locid.relations.search import Search
from locid.usage import Usage, Use
from locid.values import Scope

T = TypeVar("T")


class Projects:
    """Some projects and what their files tell."""

    def __init__(self, scopes: Sequence[Scope], holders: Mapping[str, Holder]) -> None:
        self._scopes = [s for s in scopes if s.id in holders]
        self._unread = [(s.id, "", "not indexed yet: `loci index` reads it") for s in scopes if s.id not in holders]
        self._holders = holders
        self._damaged: Scope | None = None

    def asked(self, question: Callable[[Projects], T]) -> T:
        """What a question finds; it is put again without a project whose store turns out to be damaged."""
        try:
            return question(self)
        except Unavailable as problem:
            if self._damaged is None:
                raise
            rest = Projects([s for s in self._scopes if s != self._damaged], self._holders)
            rest._unread = [*self._unread, (self._damaged.id, "", problem.message)]
            return rest.asked(question)

    def counts(self) -> dict[str, int]:
        """How many manifests of each project were read."""
        return {s.id: self._holders[s.id].facts.manifests for s in self._scopes}

    def read(self) -> Read:
        """What was read to answer, and what could not be."""
        unread = list(self._unread)
        for scope in self._scopes:
            if not self._holders[scope.id].complete:
                unread.append((scope.id, "", "its first index is under way"))
            with self._usage(scope) as usage:
                unread += [(scope.id, path, reason) for path, reason in usage.unread()]
        return Read(self.counts(), tuple(unread))

    @property
    def scopes(self) -> Sequence[Scope]:
        """The projects that are read."""
        return self._scopes

    @contextmanager
    def _usage(self, scope: Scope) -> Iterator[Usage]:
        try:
            with self._holders[scope.id].usage() as usage:
                yield usage
        except Unavailable:
            self._damaged = scope
            raise

    # ---- who uses a thing

    def users(self, name: str, scope: Scope | None = None) -> Users:
        """Who uses what goes by a name, or a project itself."""
        written = language(name) if scope is None else ""
        return self._written_in(name, written) if written else Search(self._scopes, self._usage, name, scope).run()

    def _written_in(self, name: str, written: str) -> Users:
        """The projects with files of their own in a language, each with one of them."""
        relations: list[Relation] = []
        for scope in self._scopes:
            number = self._holders[scope.id].facts.languages.get(written)
            with self._usage(scope) as usage:
                path = usage.file_in(written) if number else None
            if path:
                use = Use("declared", name, f"{number} files", "language", path, 1, "shipped")
                relations.append(Relation(scope, name, None, use))
        return Users(name, tuple(relations), (), (), bool(relations))

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
        best: dict[tuple[str, str, str], Relation] = {}
        for scope in self._scopes:
            with self._usage(scope) as usage:
                for relation in edges.of(scope, usage, directory):
                    best.setdefault((relation.scope.id, relation.to, relation.use.how), relation)
        kept = (r for r in best.values() if of is None or of.id in (r.scope.id, r.to))
        return sorted(kept, key=lambda r: (r.scope.id, r.to, rank(r.use)))


def _need(use: Use) -> tuple[object, ...]:
    """The order of dependencies: what the project itself needs first, what its checks and images need last."""
    around = use.detail in ("actions", "docker", "git") and use.kind != "submodule"
    return around, *rank(use)[1:3], use.path, use.line
