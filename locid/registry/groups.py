"""Groups: overlapping labels over a flat set of scopes. Pure.

git         `me` and `vendor:<org>`, by each scope's owner
containment a scope's own id, carried by every project inside it and by itself
hand        whatever its owner says; what is said by hand stands over what was found, in either direction

Membership is what scopes carry; a mode is what a group does to a question, and is policy: docs/routing.md has both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from locid.errors import BadRequest, UnknownGroup
from locid.registry import provenance
from locid.values import Scope

Mode = Literal["explicit", "soft", "hard"]  # from the mildest to the strictest
Origin = Literal["git", "containment", "hand"]
MODES: tuple[Mode, ...] = ("explicit", "soft", "hard")
ORIGINS: tuple[Origin, ...] = ("git", "containment", "hand")
MAX_NAME = 200

Said = Mapping[tuple[str, str], bool]  # (group, scope id) -> whether it is a member, by hand


@dataclass(frozen=True, slots=True)
class Policy:
    """The modes that were set; all others have the default."""

    default: Mode = "soft"
    modes: Mapping[str, Mode] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """A label with its registered members and its mode."""

    name: str
    mode: Mode
    members: tuple[str, ...]  # scope ids
    origin: Origin
    gone: tuple[str, ...] = ()  # ids that were put in by hand and are no scopes now
    chosen: bool = False  # whether the mode was set for this group


def of(scopes: Sequence[Scope], said: Said, policy: Policy) -> tuple[Group, ...]:
    """All groups: those of git first, then those of containment, then those by hand, each kind by name."""
    members: dict[str, set[str]] = {}
    origins: dict[str, Origin] = {}
    for name, id, origin in (*_by_owner(scopes), *_by_containment(scopes)):
        members.setdefault(name, set()).add(id)
        origins.setdefault(name, origin)
    known = {s.id for s in scopes}
    gone: dict[str, set[str]] = {}
    for (name, id), held in said.items():
        if held:
            (members if id in known else gone).setdefault(name, set()).add(id)
        elif name in members:
            members[name].discard(id)
    found = [
        Group(
            name,
            policy.modes.get(name, policy.default),
            tuple(sorted(members.get(name, ()))),
            origins.get(name, "hand"),
            tuple(sorted(gone.get(name, ()))),
            name in policy.modes,
        )
        for name in {*(n for n, ids in members.items() if ids), *gone}
    ]
    return tuple(sorted(found, key=lambda g: (ORIGINS.index(g.origin), g.name)))


def found_in(scopes: Sequence[Scope], name: str) -> set[str]:
    """The ids that git or the filesystem put into a group."""
    return {id for label, id, _ in (*_by_owner(scopes), *_by_containment(scopes)) if label == name}


def carried(groups: Iterable[Group], id: str) -> tuple[Group, ...]:
    """The groups that a scope is in."""
    return tuple(g for g in groups if id in g.members)


def find(groups: Sequence[Group], name: str) -> Group:
    """The group of a name, in its own case or else in any that is only one's; UnknownGroup names those there are."""
    exact = [g for g in groups if g.name == name]
    near = exact or [g for g in groups if g.name.casefold() == name.casefold()]
    if len(near) == 1:
        return near[0]
    names = [g.name for g in groups]
    there_are = (
        f"there are: {', '.join(names[:50])}" if names else "there are none; `loci group add SCOPE NAME` makes one"
    )
    raise UnknownGroup(f"no group is called {name}; {there_are}", {"groups": names})


def check_name(name: str) -> None:
    """BadRequest when a new group may not be called that."""
    odd = not name.strip() or name != name.strip() or len(name) > MAX_NAME or name.startswith("-")
    if odd or not name.isprintable():
        raise BadRequest(
            f"a group's name is 1 to {MAX_NAME} printable characters, without blanks around it or a dash before it"
        )


def _by_owner(scopes: Iterable[Scope]) -> Iterator[tuple[str, str, Origin]]:
    for scope in scopes:
        if scope.owner == provenance.ME or (scope.owner or "").startswith(provenance.VENDOR):
            yield str(scope.owner), scope.id, "git"


def _by_containment(scopes: Sequence[Scope]) -> Iterator[tuple[str, str, Origin]]:
    by_root = {s.root: s for s in scopes}
    parents = {s.id: s.parent for s in scopes}
    for outer in scopes:
        inner = [by_root[r] for r in outer.excluded if r in by_root]
        inside = [s.id for s in inner if _is_part(s, outer, parents)]
        for id in (outer.id, *inside) if inside else ():
            yield outer.id, id, "containment"


def _is_part(inner: Scope, outer: Scope, parents: Mapping[str, str | None]) -> bool:
    """Whether it was split from the outer one, or is a folder of the same work tree; a nested clone is neither."""
    above, seen = inner.parent, {inner.id}
    while above is not None and above not in seen:
        if above == outer.id:
            return True
        seen.add(above)
        above = parents.get(above)
    return bool(inner.prefix) and inner.work_tree == outer.work_tree
