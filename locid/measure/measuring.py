"""Fits the gate to the user's own projects and tells how well questions are routed: on one View, and stoppable."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from locid.ask.asker import Asker
from locid.control import Task
from locid.errors import Busy
from locid.fitted import Fitted
from locid.measure import cases, evaluate, fit
from locid.measure.cases import Case, Half
from locid.measure.evaluate import Outcome, Tally
from locid.measure.hiding import Sources
from locid.route import router
from locid.route.thresholds import HIGHEST, WANTED, Fit
from locid.snapshot import View
from locid.values import PassageSource, Scope

USUAL, MOST = 45, 1500  # commit subjects: of one scope, and of all of them together
REPORTED, REPORTED_AT_LEAST = 200, 5  # the same for reporting: all together, and of one scope
SIGNATURES, SIGNATURES_AT_LEAST, SIGNATURES_AT_MOST = 50, 2, 10


@dataclass(frozen=True, slots=True)
class Report:
    """What eval found."""

    scopes: int
    floor: float
    fit: Fit | None
    tallies: list[Tally]
    misses: list[Outcome]
    routable: list[float]  # g of the hidden commits
    unroutable: list[float]  # g of the unanswerable


class Measuring:
    """Asks questions whose answers are known; one such run at a time."""

    def __init__(self, asker: Asker, fitted: Fitted) -> None:
        self._asker, self.fitted = asker, fitted
        self._running = threading.Lock()

    def calibrate(self, task: Task) -> Fit:
        """Fits the floor, puts it in force and keeps it; Busy while another run is under way."""
        with self._alone():
            view, scopes = self._asker.ground()
            asked = _for_fitting(view, scopes)
            seen = [
                (case, _g(case, scopes, sources)) for case, sources in _each(asked, view, scopes, "calibrate", task)
            ]
            routable = [g for case, g in seen if case.right]
            unroutable = [g for case, g in seen if not case.right]
            found = fit.fitted(routable, unroutable, tuple(s.id for s in scopes), time.time())
            task.check()
            self.fitted.write(found)
        return found

    def evaluate(self, task: Task) -> Report:
        """How the current thresholds do on questions that they were not fitted to; writes nothing."""
        with self._alone():
            view, scopes = self._asker.ground()
            thresholds, known = self.fitted.thresholds, self.fitted.fit
            outcomes: list[Outcome] = []
            bands: dict[bool, list[float]] = {True: [], False: []}
            for case, (files, history) in _each(_for_reporting(view, scopes), view, scopes, "eval", task):
                outcomes.append(
                    Outcome(case, router.route(case.text, case.cwd, scopes, files, history, thresholds=thresholds))
                )
                if case.family in ("hidden_commit", "unanswerable"):
                    bands[bool(case.right)].append(_g(case, scopes, (files, history)))
        misses = [o for o in outcomes if not o.correct]
        rows = evaluate.tallies(outcomes)
        return Report(len(scopes), thresholds.floor, known, rows, misses, bands[True], bands[False])

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._running.acquire(blocking=False):
            raise Busy("calibrate or eval is under way already; ask again when it is done")
        try:
            yield
        finally:
            self._running.release()


Given = tuple[PassageSource, router.History]


def _g(case: Case, scopes: Sequence[Scope], sources: Given) -> float:
    """g as far as it decides: of the files, and where no floor would do with those, of history if that is more."""
    files, history = sources
    g = router.gate(case.text, scopes, files)[0]
    return round(g if g >= HIGHEST else max(g, router.gate(case.text, scopes, history())[0]), 4)


def _each(
    asked: Iterable[Case], view: View, scopes: Sequence[Scope], stage: str, task: Task
) -> Iterator[tuple[Case, Given]]:
    """Every case with what it may see, in their order; counts them off, and ends with the request."""
    sources = Sources(view, scopes)
    task.progress(stage, 0, 0, unit="questions")
    known = []
    for case in asked:  # made first, so that their number is known
        task.check()
        known.append(case)
    for done, case in enumerate(known):
        task.check()
        task.progress(stage, done, len(known), unit="questions")
        yield case, sources.of(case)


def _for_fitting(view: View, scopes: Sequence[Scope]) -> Iterator[Case]:
    """45 subjects a scope: more where that makes too few, fewer where it makes too many."""
    told = max(1, sum(view.snapshot(s.id).facts.commits > 0 for s in scopes))
    each = max(math.ceil(WANTED / told), min(USUAL, MOST // told), 1)
    return _known("fit", view, scopes, each)


def _for_reporting(view: View, scopes: Sequence[Scope]) -> Iterator[Case]:
    yield from cases.standing(scopes)
    yield from cases.nowhere()
    signatures = math.ceil(SIGNATURES / len(scopes))
    yield from cases.signatures(view, scopes, min(SIGNATURES_AT_MOST, max(SIGNATURES_AT_LEAST, signatures)))
    yield from _known("report", view, scopes, max(REPORTED_AT_LEAST, math.ceil(REPORTED / len(scopes))))


def _known(half: Half, view: View, scopes: Sequence[Scope], each: int) -> Iterator[Case]:
    yield from cases.unanswerable(half, (view.passages, view.history))
    yield from cases.hidden_commits(half, view, scopes, each)
