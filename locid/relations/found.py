"""What is found: who uses what, where, and what was read for it. Values, and the protocol of what is read."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from locid.manifest import Related
from locid.usage import Usage, Use
from locid.values import Scope, ScopeFacts


class Holder(Protocol):
    """What is known of one project, at one generation."""

    @property
    def complete(self) -> bool:
        """False while its first index is under way."""
        ...

    @property
    def facts(self) -> ScopeFacts:
        """Its counts."""
        ...

    def usage(self) -> AbstractContextManager[Usage]:
        """What its files declare, import and run."""
        ...


@dataclass(frozen=True, slots=True)
class Relation:
    """One project uses something, or another project."""

    scope: Scope
    to: str  # the other project's id, or the name of what is used
    target: Scope | None
    use: Use

    @property
    def told(self) -> Related:
        """The relation as an answer tells it."""
        root = self.target.root if self.target else None
        return Related(self.scope.id, self.scope.root, self.to, root, self.use.how, self.use.path, self.use.line)


@dataclass(frozen=True, slots=True)
class Read:
    """What an answer stands on."""

    manifests: Mapping[str, int]  # by scope: how many were read
    unread: tuple[tuple[str, str, str], ...] = ()  # (scope, path, reason) of those that could not be; '' is all of it


@dataclass(frozen=True, slots=True)
class Users:
    """Who uses a thing."""

    name: str
    relations: tuple[Relation, ...]  # what shows use: a project's best places first
    traces: tuple[Relation, ...]  # of projects that only show traces
    providers: tuple[Scope, ...]  # the registered projects that it is, or comes from
    declared: bool  # whether a manifest declares it, or a registered project goes by it

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The projects that use it."""
        return tuple(dict.fromkeys(r.scope for r in self.relations))
