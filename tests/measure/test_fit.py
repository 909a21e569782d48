"""The floor that samples give, and what is told of it."""

import pytest

from locid.measure.fit import fitted, separation
from locid.route.thresholds import FEWEST, FLOOR, HIGHEST, LOWEST


def fit(routable, unroutable=()):
    return fitted(routable, unroutable, ("a", "b"), 5.0)


def test_the_floor_is_the_two_percent_quantile():
    """Of 1,000 samples twenty lie below it, and no more are refused."""
    found = fit([0.8 + i / 10_000 for i in range(1000)])
    assert found.quantile == 0.802 and found.floor == 0.802 and found.refused == 0.02


@pytest.mark.parametrize(("value", "floor"), [(0.2, LOWEST), (0.8371, 0.837), (2.5, HIGHEST)])
def test_it_is_held_to_its_bounds(value, floor):
    """A quantile beyond them is cut, and told as it was; one between is rounded down, so that its sample passes."""
    found = fit([value] * 500)
    assert found.floor == floor and found.quantile == value


def test_too_few_leave_the_default():
    """A quantile of a handful is noise."""
    assert fit([0.96] * (FEWEST - 1)).floor == FLOOR and fit([0.96] * (FEWEST - 1)).quantile is None
    assert fit([0.96] * FEWEST).floor == 0.96
    empty = fit([])
    assert (empty.floor, empty.refused, empty.right, empty.overlapping) == (FLOOR, 0.0, 0.0, 0)


def test_what_it_judges_right_and_what_overlaps_is_told():
    """Both kinds are counted, and the good ones below the highest bad one."""
    found = fit([1.2] * 90 + [0.8] + [2.0] * 9, [0.5, 0.6, 0.7, 1.5])
    assert found.floor == HIGHEST and (found.routable, found.unroutable) == (100, 4)
    assert (found.refused, found.abstained) == (0.01, 0.75)
    assert found.right == round(102 / 104, 4)
    assert (found.overlapping, found.highest_unroutable) == (91, 1.5)
    apart = fit([1.2] * 100, [0.5])
    assert (apart.overlapping, apart.separation, apart.right) == (0, 1.0, 1.0)


def test_separation():
    """The share of pairs that lie the right way round, a tie half."""
    assert separation([2, 3], [1]) == 1.0
    assert separation([1], [2, 3]) == 0.0
    assert separation([1, 2], [1, 2]) == 0.5
    assert separation([1], []) == 1.0
