"""Names that several scopes answer to. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from locid.values import Scope


@dataclass(frozen=True, slots=True)
class Collision:
    """A name, the scopes that answer to it, and an alias that tells one of them apart."""

    name: str
    ids: tuple[str, ...]
    root: str  # of the scope that wants an alias
    proposed: str


def collisions(scopes: Sequence[Scope]) -> list[Collision]:
    """One for each name of several scopes, while more than one of them has no alias that is its own."""
    claimed: dict[str, list[Scope]] = {}
    for scope in scopes:
        for name in {scope.name.casefold(), *(a.casefold() for a in scope.aliases)}:
            claimed.setdefault(name, []).append(scope)
    found = []
    for name, holders in sorted(claimed.items()):
        bare = [s for s in holders if not any(len(claimed[a.casefold()]) == 1 for a in s.aliases)]
        if len(holders) > 1 and len(bare) > 1:
            last = bare[-1]
            found.append(Collision(name, tuple(s.id for s in holders), last.root, _free(last, claimed)))
    return found


def _free(scope: Scope, claimed: dict[str, list[Scope]]) -> str:
    """The shortest tail of the path, joined by dashes, that nobody answers to."""
    parts = [p for p in scope.root.split("/") if p]
    for length in range(2, len(parts) + 1):
        if (name := "-".join(parts[-length:])).casefold() not in claimed:
            return name
    return f"{scope.name}-{len(claimed)}"
