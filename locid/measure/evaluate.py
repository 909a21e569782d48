"""What became of cases, tallied by family. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from locid.measure.cases import Case, Family
from locid.values import Route

MEASURES: dict[Family, str] = {
    "deictic_cwd": "a question that points goes to the project it is asked from",
    "deictic_nocwd": "asked from nowhere it is refused: nothing says which project",
    "unanswerable": "what no project can answer is refused",
    "signature": "are your projects told apart by words of their own? an upper bound",
    "hidden_commit": "a commit's subject, its message hidden, finds its project",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case and where it was routed."""

    case: Case
    route: Route

    @property
    def got(self) -> tuple[str, ...]:
        """The ids of the scopes that it was routed to, best first."""
        return tuple(s.scope.id for s in self.route.selected)

    @property
    def correct(self) -> bool:
        """Whether a right scope came first, or the question was refused when none is right."""
        return self.got[0] in self.case.right if self.got else not self.case.right


@dataclass(frozen=True, slots=True)
class Tally:
    """One family's row."""

    family: Family
    n: int
    correct: int
    scopes: float | None  # returned on average, over what was routed; None for what should be refused
    measures: str


def tallies(outcomes: Iterable[Outcome]) -> list[Tally]:
    """A row for each family that was asked, in the order of MEASURES."""
    by_family: dict[Family, list[Outcome]] = {family: [] for family in MEASURES}
    for outcome in outcomes:
        by_family[outcome.case.family].append(outcome)
    return [_tally(family, found) for family, found in by_family.items() if found]


def _tally(family: Family, found: list[Outcome]) -> Tally:
    routed = [len(o.got) for o in found if o.got and o.case.right]
    scopes = round(sum(routed) / len(routed), 2) if routed else None
    return Tally(family, len(found), sum(o.correct for o in found), scopes, MEASURES[family])
