"""From what the gate saw of two kinds of questions to the floor that divides them best, and how well it does. Pure.

floor       = the 2 % quantile of g over questions that should be answered, held to LOWEST..HIGHEST
separation  = how often a question that should be answered has more g than one that should not, ties half
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from locid.route.thresholds import FEWEST, FLOOR, HIGHEST, LOWEST, Fit

REFUSED = 0.02  # of a user's own questions: what a floor may cost


def fitted(routable: Sequence[float], unroutable: Sequence[float], scopes: tuple[str, ...], at: float) -> Fit:
    """The fit; its floor is the default one when there are too few of the routable."""
    quantile = sorted(routable)[int(REFUSED * len(routable))] if len(routable) >= FEWEST else None
    floor = FLOOR if quantile is None else min(HIGHEST, max(LOWEST, quantile))
    floor = math.floor(floor * 1000) / 1000  # down, so that the sample it is taken from passes
    refused, abstained = sum(g < floor for g in routable), sum(g < floor for g in unroutable)
    highest = max(unroutable, default=0.0)
    return Fit(
        floor=floor,
        quantile=None if quantile is None else round(quantile, 4),
        routable=len(routable),
        unroutable=len(unroutable),
        refused=_share(refused, len(routable)),
        abstained=_share(abstained, len(unroutable)),
        right=_share(len(routable) - refused + abstained, len(routable) + len(unroutable)),
        overlapping=sum(g <= highest for g in routable) if unroutable else 0,
        highest_unroutable=round(highest, 4),
        separation=separation(routable, unroutable),
        fitted_at=at,
        scopes=scopes,
    )


def separation(routable: Sequence[float], unroutable: Sequence[float]) -> float:
    """0.5 when g tells nothing, 1 when it tells all; 1 as well when a kind is missing."""
    below = sorted(unroutable)
    pairs = len(routable) * len(below)
    won = sum(bisect_left(below, g) + bisect_right(below, g) for g in routable) / 2
    return round(won / pairs, 4) if pairs else 1.0


def _share(count: int, whole: int) -> float:
    return round(count / whole, 4) if whole else 0.0
