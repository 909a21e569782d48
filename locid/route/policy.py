"""What a group does to a question. Pure.

reached through     explicit    soft                                  hard
the place (cwd)     nothing     every scope outside weighs half       members only; abstains when the question names
                                                                      a project outside, and is about it
its name (--group)  members     members only                          members only; abstains when the best answer is
                    only                                              outside

A place counts by its strictest groups: outside is who shares none of those that are equally strict. Half is taken from
the evidence, before the boosts, so that it can turn neither a name nor the place around. docs/routing.md has the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from locid.registry import groups, identity
from locid.registry.groups import MODES, Group, Mode
from locid.route.abstain import MOST
from locid.route.scoring import TEMPERATURE, Strength, softmax
from locid.values import Candidate, Route, Scope, ScoredScope, Signal

OUTSIDE = 0.5  # what is left of the evidence of a scope outside of the place's group
COMPARED = 0.85  # and of its m, which is flatter: where evidence is half of the best, m is .86 of it at the median
SIGNAL = "group"

Router = Callable[[str | None, Sequence[Scope], frozenset[str]], Route]  # (cwd, scopes, demoted) -> where it belongs


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the groups that count do to one question; as it stands, nothing."""

    names: tuple[str, ...] = ()
    mode: Mode = "explicit"
    named: bool = False  # reached by its name, not through the place
    members: frozenset[str] = frozenset()

    @property
    def confines(self) -> bool:
        """Whether members only are eligible."""
        return self.named or self.mode == "hard"

    @property
    def demotes(self) -> bool:
        """Whether those outside weigh less."""
        return not self.named and self.mode == "soft" and bool(self.names)

    @property
    def strict(self) -> bool:
        """Whether a better answer outside is a reason to abstain."""
        return self.mode == "hard"


OPEN = Bounds()


def bounds(found: Sequence[Group], place: Scope | None, named: Group | None) -> Bounds:
    """What holds for a question: the group it names, else the strictest groups of the scope that it is asked from."""
    if named is not None:
        return Bounds((named.name,), named.mode, True, frozenset(named.members))
    carried = [g for g in groups.carried(found, place.id) if _has_a_say(g)] if place else []
    if not carried:
        return OPEN
    strictest = max((g.mode for g in carried), key=MODES.index)
    count = [g for g in carried if g.mode == strictest]
    return Bounds(tuple(g.name for g in count), strictest, False, frozenset(id for g in count for id in g.members))


def _has_a_say(group: Group) -> bool:
    """Whether it does anything from within. A soft group of one that git labels says no more than the place, which is
    weighed already: counted twice it costs a seventh of the right answers about other projects (docs/routing.md).
    """
    lone = group.mode == "soft" and not group.chosen and group.origin == "git" and len(group.members) == 1
    return group.mode != "explicit" and not lone


def route(limits: Bounds, cwd: str | None, scopes: Sequence[Scope], by_rules: Router) -> Route:
    """Where the rules put a question within the bounds; each scope that they touch carries the signal `group`."""
    if not limits.confines:
        out = frozenset(s.id for s in scopes if s.id not in limits.members) if limits.demotes else frozenset()
        return _marked(by_rules(cwd, scopes, out), limits)
    inside = [s for s in scopes if s.id in limits.members]
    if limits.strict:
        whole = by_rules(cwd, scopes, frozenset())
        if (winner := outside(limits, whole)) is not None:
            return out_of_group(limits, whole, winner)
    place = identity.deepest(cwd, scopes) if cwd else None
    found = by_rules(cwd if place and place.id in limits.members else None, inside, frozenset())
    return _advised(_marked(found, limits), limits)


def outside(limits: Bounds, whole: Route) -> ScoredScope | None:
    """The scope outside that a question belongs to when nothing confines it, and that is routable by itself.

    Reached through the place, a group is left only by a name: vocabulary alone is what the place is stronger than.
    """
    if whole.reason is not None or not whole.selected or whole.selected[0].scope.id in limits.members:
        return None
    winner = whole.selected[0]
    said = any(s.name == "alias" for s in winner.signals)
    return winner if limits.named or said else None


def out_of_group(limits: Bounds, whole: Route, winner: ScoredScope) -> Route:
    """The abstention: who was better, and the members that hold any of the question's words."""
    id, names = winner.scope.id, _listed(limits.names)
    wider = "ask without --group" if limits.named else f"ask from inside {id}"
    advice = f"the best answer is in {id}, outside {names} (hard); --scope {id} searches it, or {wider}"
    inside = [s for s in whole.scopes if s.scope.id in limits.members]
    near = [Candidate(s.scope.id, s.scope.name, t) for s in inside if (t := _terms(s))][:MOST]
    return _marked(Route(whole.question, whole.mode, (), whole.scopes, tuple(near), "out_of_group", advice), limits)


def demoted(strengths: Mapping[str, Strength], ids: frozenset[str]) -> dict[str, Strength]:
    """The strengths with half of their evidence taken from these scopes: from what ranks, compares and is shown.

    What is shown falls by e for each TEMPERATURE of the logit, so half of it is TEMPERATURE ln 2 less of that.
    """
    if not ids.intersection(strengths):
        return dict(strengths)
    less = TEMPERATURE * math.log(1 / OUTSIDE)
    weighed = {
        id: replace(s, logit=s.logit - less, m=s.m * COMPARED, shown=s.shown * OUTSIDE) if id in ids else s
        for id, s in strengths.items()
    }
    likely = softmax({id: s.logit for id, s in weighed.items()})
    return {id: replace(s, probability=likely[id]) for id, s in weighed.items()}


def _marked(route: Route, limits: Bounds) -> Route:
    """The route whose scopes say what the group did to each: nothing in it, half or all taken outside."""
    if not limits.names or not (limits.confines or limits.demotes):
        return route
    marked = {s.scope.id: _signalled(s, limits) for s in route.scopes}
    selected = tuple(marked.get(s.scope.id) or _signalled(s, limits) for s in route.selected)
    return replace(route, scopes=tuple(marked.values()), selected=selected)


def _signalled(scored: ScoredScope, limits: Bounds) -> ScoredScope:
    inside = scored.scope.id in limits.members
    weight = 1.0 if inside else 0.0 if limits.confines else OUTSIDE
    return replace(scored, signals=(*scored.signals, Signal(SIGNAL, float(inside), weight, limits.names)))


def _advised(found: Route, limits: Bounds) -> Route:
    if found.reason not in ("no_evidence", "ambiguous"):
        return found
    wider = "without --group all projects are" if limits.named else "its mode is hard"
    return replace(found, advice=f"{found.advice}; only {_listed(limits.names)} was asked: {wider}")


def _listed(names: Sequence[str]) -> str:
    return " and ".join(names)


def _terms(scored: ScoredScope) -> tuple[str, ...]:
    return next((s.terms for s in scored.signals if s.terms and s.name == "evidence"), ())
