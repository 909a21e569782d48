"""calibrate and eval as people read them: tables, warnings, and a picture."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from typing import Any

from loci_client import render, wire
from loci_client.cli import chart, measured

from .conftest import Place
from .stub import Stub

PLAIN = render.Look()
FIT = {
    "quantile": 1.2,
    "routable": 585,
    "unroutable": 60,
    "refused": 0.01,
    "abstained": 0.95,
    "right": 0.987,
    "overlapping": 21,
    "highest_unroutable": 1.314,
    "separation": 0.992,
    "at": "2026-01-02T03:04:05.000+00:00",
    "scopes": ["a", "b"],
}
CALIBRATED: dict[str, Any] = {"floor": 1.15, "default": 1.05, "bounds": [0.95, 1.15], "wanted": 500, "fit": FIT}
EVALUATED: dict[str, Any] = {
    "scopes": 4,
    "chance": 0.25,
    "floor": 1.15,
    "fitted": True,
    "families": [
        {"family": "deictic_cwd", "n": 32, "correct": 32, "scopes": 1.0, "measures": "goes to its project"},
        {"family": "unanswerable", "n": 8, "correct": 6, "scopes": None, "measures": "is refused"},
    ],
    "bands": {"routable": [1.3, 1.9, 2.0, 7.5], "unroutable": [0.0, 0.4, 1.2]},
    "separation": 0.99,
    "misses": [
        {"family": "unanswerable", "question": "a <b> & c?", "right": [], "got": ["x", "y"]},
        {"family": "hidden_commit", "question": "q", "right": ["x"], "got": [], "reason": "no_evidence"},
    ],
    "took_ms": 1200,
}


def answers(request: dict[str, Any]) -> list[wire.Body]:
    """What the daemon would say."""
    results = {"calibrate": CALIBRATED, "eval": EVALUATED}
    return [wire.reply(request["id"], results[request["method"]])]


def test_calibrate_tells_the_floor_its_samples_and_the_overlap() -> None:
    """A floor that was held to its bounds says so; an overlap is a warning with its numbers."""
    shown = measured.calibrated(CALIBRATED, PLAIN)
    assert "1.15  (fitted: 1.20, held to 0.95 to 1.15; the default is 1.05)" in shown
    assert "585 commit subjects" in shown and "60 questions" in shown and "98.7 %" in shown
    assert "refuses 1.0 % of the first, 95.0 % of the second" in shown
    assert "overlap: 21 of the 585" in shown and "(1.31)" in shown and "99.2 %" in shown


def test_calibrate_says_nothing_that_is_not_so() -> None:
    """No overlap, no warning; enough samples, no doubt; a floor inside its bounds was not held."""
    apart = measured.calibrated(
        {**CALIBRATED, "floor": 1.1, "fit": {**FIT, "quantile": 1.1004, "overlapping": 0}}, PLAIN
    )
    assert "overlap" not in apart and "held to" not in apart and "rough" not in apart and "(fitted; " in apart
    assert "rough" in measured.calibrated({**CALIBRATED, "fit": {**FIT, "routable": 120}}, PLAIN)
    assert "too little history" in measured.calibrated({**CALIBRATED, "fit": {**FIT, "quantile": None}}, PLAIN)
    never = {**CALIBRATED, "floor": 1.05, "fit": None}
    assert measured.calibrated(never, PLAIN).startswith("never calibrated")
    assert measured.calibrated({**never, "problem": "it is broken"}, PLAIN).startswith("! it is broken\n")


def test_eval_is_a_table_with_chance_above_and_caveats_below() -> None:
    """A row a family; what should be refused has no scopes."""
    lines = measured.evaluated(EVALUATED, PLAIN).splitlines()
    assert lines[0].startswith("4 projects; guessing at random would be right in 25.0 %.")
    rows = {line.split("  ")[0]: line for line in lines}
    assert "100.0 %" in rows["deictic + cwd"] and "1.0" in rows["deictic + cwd"]
    assert "75.0 %" in rows["unanswerable"] and " -  is refused" in rows["unanswerable"]
    assert "upper bound" in lines[-3]


def test_misses_name_where_it_went_and_what_was_right() -> None:
    """By family; without any, that is said."""
    shown = measured.misses(EVALUATED, PLAIN)
    assert "went: x, y; right: to be refused" in shown and "went: refused (no_evidence); right: x" in shown
    assert measured.misses({"misses": []}, PLAIN) == "nothing went wrong\n"


def shapes(picture: str, name: str) -> list[ET.Element]:
    return [node for node in ET.fromstring(picture).iter() if node.tag.endswith("}" + name)]


def test_the_picture_is_whole_and_to_scale() -> None:
    """Valid XML; bars as long as their share; each band's columns add up to it; the floor where it is."""
    picture = chart.svg(EVALUATED)
    assert "deictic + cwd" in picture and "100.0 % of 32" in picture
    bars = [float(r.get("width", 0)) for r in shapes(picture, "rect") if r.get("fill") == chart.YES][:2]
    assert bars == [chart.INNER, 0.75 * chart.INNER]
    hanging = [float(r.get("height", 0)) for r in shapes(picture, "rect") if r.get("fill") == chart.NO]
    assert len(hanging) == 3 and max(hanging) == chart.BAND
    floor = [float(n.get("x1", 0)) for n in shapes(picture, "line") if n.get("stroke-dasharray")][-1]
    assert floor == round(chart.LEFT + chart.INNER * 1.15 / chart.TOP_G, 1)


def test_the_picture_of_odd_results() -> None:
    """Nothing measured, unknown families, names with markup: still valid XML, nothing outside the frame."""
    odd = {"families": [{"family": "<new> & odd", "n": 0, "correct": 0}], "bands": None, "scopes": None}
    for result in ({}, odd, {**EVALUATED, "bands": {"routable": [], "unroutable": [99.0, -1.0, "x"]}}):
        picture = chart.svg(result)
        assert ET.fromstring(picture).tag.endswith("svg")
        assert all(float(r.get("x", 0)) + float(r.get("width", 0)) <= chart.WIDTH for r in shapes(picture, "rect"))


def test_the_commands(place: Place) -> None:
    """Text, JSON and a picture; the flags reach the daemon, and a picture that cannot be drawn is told."""
    picture = os.path.join(place.dir, "p.svg")
    with Stub(place.socket(), answers) as stub:
        shown, text = place.loci("calibrate", "--show", "--json"), place.loci("calibrate")
        table = place.loci("eval", "--misses", "--plot", picture)
        os.symlink("/no/such/folder/p.svg", os.path.join(place.dir, "lost.svg"))
        lost = place.loci("eval", "--plot", "lost.svg")
    assert json.loads(shown.stdout) == CALIBRATED and b"98.7 %" in text.stdout
    assert [request["params"] for request in stub.seen[:2]] == [{"show": True}, {}]
    assert table.returncode == 0 and b"right: to be refused" in table.stdout
    with open(picture, encoding="utf-8") as file:
        assert file.read() == chart.svg(EVALUATED)
    assert lost.returncode == 5 and b"lost.svg could not be written" in lost.stderr and lost.stdout == b""
