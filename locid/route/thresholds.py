"""What the gate asks of a question: the defaults, what a user's own history said, and its form on disk. Pure.

The floor is the least g (scoring.py) that a question needs. `loci calibrate` fits it, within bounds, and its file also
says from what, so that it can be told later and fitted again when the projects are others.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from locid.layout import THRESHOLDS_FORMAT

FLOOR, COVERED = 1.0, 0.85
LOWEST, HIGHEST = 0.75, 1.0  # below, questions of daily life pass; above, what more is refused is mostly good ones
WANTED, FEWEST = 500, 50  # commit subjects: for a steady fit, and below which the default stays


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What the router takes as given."""

    floor: float = FLOOR
    covered: float = COVERED  # a passage that holds this share of the question answers it whatever g is

    def passes(self, g: float, coverage: float) -> bool:
        """Whether the passages say enough of a question."""
        return g >= self.floor or coverage >= self.covered


DEFAULTS = Thresholds()


@dataclass(frozen=True, slots=True)
class Fit:
    """What was fitted, from what, and how well it tells the two kinds of questions apart."""

    floor: float
    quantile: float | None  # before it was held to LOWEST and HIGHEST; None when there were too few subjects
    routable: int  # commit subjects, which should be answered
    unroutable: int  # questions that no project can answer
    refused: float  # share of the routable that the floor refuses
    abstained: float  # share of the unroutable that it refuses
    right: float  # share of both that it judges right
    overlapping: int  # routable ones that score no higher than the best unroutable one
    highest_unroutable: float
    separation: float  # how often a routable one scores higher than an unroutable one
    fitted_at: float
    scopes: tuple[str, ...]  # ids of the scopes that were registered then

    @property
    def thresholds(self) -> Thresholds:
        """What the router takes."""
        return Thresholds(floor=self.floor)


def outdated(fit: Fit | None, scopes: tuple[str, ...]) -> bool:
    """Whether what was fitted before was fitted for other scopes: the moment to fit anew. Never fitted is not outdated."""
    return fit is not None and set(fit.scopes) != set(scopes)


def dumps(fit: Fit) -> str:
    """The text of thresholds.json."""
    return json.dumps({"format": THRESHOLDS_FORMAT, **asdict(fit)}, indent=1, ensure_ascii=False) + "\n"


def loads(text: str) -> Fit:
    """The fit in such a text; ValueError says what is wrong with it."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    if not isinstance(content, dict) or "format" not in content:
        raise ValueError("it is no file of loci's")
    if content["format"] != THRESHOLDS_FORMAT:
        raise ValueError(f"it is of format {str(content['format'])[:20]}, and this loci knows {THRESHOLDS_FORMAT}")
    return _fit(content)


def _fit(content: dict[str, Any]) -> Fit:
    given: dict[str, Any] = {}
    for field in fields(Fit):
        value: Any = content.get(field.name)
        if field.name not in content or not _FITS[field.name](value):
            raise ValueError(f"its `{field.name}` is missing or out of range")
        given[field.name] = tuple(value) if field.name == "scopes" else value
    return Fit(**given)


def _between(least: float, most: float, value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def _share(value: object) -> bool:
    return _between(0, 1, value)


def _count(value: object) -> bool:
    return isinstance(value, int) and _between(0, 10**9, value)


def _ids(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_FITS = {
    "floor": lambda v: _between(LOWEST, HIGHEST, v),
    "quantile": lambda v: v is None or _between(0, 100, v),
    "routable": _count,
    "unroutable": _count,
    "refused": _share,
    "abstained": _share,
    "right": _share,
    "overlapping": _count,
    "highest_unroutable": lambda v: _between(0, 100, v),
    "separation": _share,
    "fitted_at": lambda v: _between(0, 1e12, v),
    "scopes": _ids,
}
