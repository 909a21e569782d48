"""calibrate and eval: the gate fitted to the user's own history, and how well questions are routed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from locid.control import Task
from locid.fitted import Fitted
from locid.measure.evaluate import Outcome, Tally
from locid.measure.fit import separation
from locid.measure.measuring import Measuring, Report
from locid.route.thresholds import FLOOR, HIGHEST, LOWEST, WANTED, Fit
from locid.rpc.method import Handler, Method, Param


def methods(measuring: Measuring) -> tuple[Method, ...]:
    """The two methods; both take seconds, so they run beside the questions of others."""
    show = (Param("show", "bool", default=False),)
    return (
        Method("calibrate", _calibrate(measuring), show, "work"),
        Method("eval", _eval(measuring), (), "work"),
    )


def _calibrate(measuring: Measuring) -> Handler:
    def calibrate(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        if not params["show"]:
            measuring.calibrate(task)
        return _shown(measuring.fitted)

    return calibrate


def _shown(fitted: Fitted) -> dict[str, Any]:
    out: dict[str, Any] = {
        "floor": fitted.thresholds.floor,
        "default": FLOOR,
        "bounds": [LOWEST, HIGHEST],
        "wanted": WANTED,
        "fit": _fit(fitted.fit) if fitted.fit else None,
    }
    return out | ({"problem": fitted.problem} if fitted.problem else {})


def _fit(fit: Fit) -> dict[str, Any]:
    return {
        "quantile": fit.quantile,
        "routable": fit.routable,
        "unroutable": fit.unroutable,
        "refused": fit.refused,
        "abstained": fit.abstained,
        "right": fit.right,
        "overlapping": fit.overlapping,
        "highest_unroutable": fit.highest_unroutable,
        "separation": fit.separation,
        "at": datetime.fromtimestamp(fit.fitted_at, UTC).isoformat(timespec="milliseconds"),
        "scopes": list(fit.scopes),
    }


def _eval(measuring: Measuring) -> Handler:
    def evaluate(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        started = time.perf_counter()
        report = measuring.evaluate(task)
        return {**_report(report), "took_ms": round((time.perf_counter() - started) * 1000)}

    return evaluate


def _report(report: Report) -> dict[str, Any]:
    return {
        "scopes": report.scopes,
        "chance": round(1 / report.scopes, 4),
        "floor": report.floor,
        "fitted": report.fit is not None and report.fit.quantile is not None,
        "families": [_family(tally) for tally in report.tallies],
        "bands": {"routable": report.routable, "unroutable": report.unroutable},
        "separation": separation(report.routable, report.unroutable) if report.routable and report.unroutable else None,
        "misses": [_miss(outcome) for outcome in report.misses],
    }


def _family(tally: Tally) -> dict[str, Any]:
    return {
        "family": tally.family,
        "n": tally.n,
        "correct": tally.correct,
        "scopes": tally.scopes,
        "measures": tally.measures,
    }


def _miss(outcome: Outcome) -> dict[str, Any]:
    case = outcome.case
    out: dict[str, Any] = {
        "family": case.family,
        "question": case.text,
        "right": sorted(case.right),
        "got": list(outcome.got),
    }
    given = {"cwd": case.cwd, "commit": case.commit, "reason": outcome.route.reason}
    return out | {name: value for name, value in given.items() if value is not None}
