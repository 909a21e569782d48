"""Thresholds: what the router does with them, and a file that is read whole or not at all."""

import json
import os

import pytest

from locid.errors import Unavailable
from locid.fitted import Fitted
from locid.route import router
from locid.route.thresholds import DEFAULTS, FLOOR, Fit, Thresholds, dumps, loads, outdated

from .test_router import LONG, Source, ids, scopes

FIT = Fit(0.95, 0.9504, 585, 60, 0.02, 0.97, 0.98, 12, 1.4, 0.99, 1_700_000_000.5, ("a", "b/c"))


def test_the_router_goes_by_the_floor_it_is_given():
    """The same evidence passes a low floor and fails a high one, in files and in history alike."""
    weak, nothing = Source({"a": (9, 0.46), "b": (3, 0.1)}), Source({"a": (0, 0.0), "b": (0, 0.0)})
    low, high = Thresholds(floor=0.95), Thresholds(floor=1.15)

    def routed(source, history, thresholds):
        return ids(router.route(LONG, None, scopes("a", "b"), source, lambda: history, thresholds=thresholds))

    assert router.gate(LONG, scopes("a", "b"), weak) == (pytest.approx(0.46 * 5**0.5), 0.46)
    assert routed(weak, nothing, low) == ["a"] and routed(weak, nothing, high) == []
    assert routed(nothing, weak, low) == ["a"] and routed(nothing, weak, high) == []


def test_a_passage_that_holds_all_of_a_question_answers_it_at_any_floor():
    """A question of one word has g of 1 at most, and is answered nevertheless."""
    held = Source({"a": (9, 1.0), "b": (3, 0.1)})
    assert ids(router.route("retries", None, scopes("a", "b"), held, None, thresholds=Thresholds(floor=1.15))) == ["a"]


def test_a_fit_survives_the_file(tmp_path):
    """What is written is what the next daemon reads, owned by its user alone."""
    path = str(tmp_path / "thresholds.json")
    fitted = Fitted(path)
    assert (fitted.fit, fitted.problem, fitted.thresholds) == (None, None, DEFAULTS)
    fitted.write(FIT)
    again = Fitted(path)
    assert again.fit == fitted.fit == FIT and again.thresholds == Thresholds(floor=0.95)
    assert os.stat(path).st_mode & 0o777 == 0o600 and os.listdir(tmp_path) == ["thresholds.json"]


def changed(**fields):
    return json.dumps({**json.loads(dumps(FIT)), **fields})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON"),
        (dumps(FIT)[:40], "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "no file of loci's"),
        ('{"evidence_floor": 7.17}', "no file of loci's"),
        (changed(format=2), "format 2"),
        (changed(format="x" * 1000), "format xxx"),
        (changed(floor=7.17), "`floor`"),
        (changed(floor=float("nan")), "`floor`"),
        (changed(floor=True), "`floor`"),
        (changed(floor="1.1"), "`floor`"),
        (changed(scopes="ab"), "`scopes`"),
        (changed(scopes=[1]), "`scopes`"),
        (changed(routable=-1), "`routable`"),
        (changed(refused=1.5), "`refused`"),
        ("\ufffd\0", "no JSON"),
    ],
)
def test_what_is_wrong_is_said_and_the_defaults_hold(tmp_path, text, reason):
    """Cut off, foreign, of another format, out of range: one sentence that names the file, the reason and what mends it."""
    path = tmp_path / "thresholds.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=reason):
        loads(text)
    fitted = Fitted(str(path))
    assert fitted.thresholds == DEFAULTS and fitted.fit is None
    problem = fitted.problem or ""
    assert str(path) in problem and reason in problem and str(FLOOR) in problem and "`loci calibrate`" in problem
    assert len(problem) < 400
    fitted.write(FIT)
    assert fitted.problem is None and Fitted(str(path)).fit == FIT


def test_what_is_no_text_or_no_file_is_said_too(tmp_path):
    """Bytes that are not UTF-8, a file that is far too large, a folder of that name."""
    path = tmp_path / "thresholds.json"
    path.write_bytes(b"\xff\xfe{}")
    assert "UTF-8" in (Fitted(str(path)).problem or "")
    path.write_bytes(b" " * (1 << 23))
    assert "too large" in (Fitted(str(path)).problem or "")
    path.unlink()
    path.mkdir()
    fitted = Fitted(str(path))
    assert "directory" in (fitted.problem or "")
    with pytest.raises(Unavailable, match="cannot be written"):
        fitted.write(FIT)
    assert fitted.thresholds == DEFAULTS


def test_a_fit_is_outdated_when_a_scope_came_or_went():
    """The order of the scopes is nothing; who never fitted has nothing to fit again."""
    assert not outdated(FIT, ("b/c", "a"))
    assert outdated(FIT, ("a",)) and outdated(FIT, ("a", "b/c", "d"))
    assert not outdated(None, ("a",))
