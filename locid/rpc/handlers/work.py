"""index.*, embed.* and doctor: what is built, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from locid.control import Control, Task
from locid.doctor.run import examine
from locid.refresh import jobs as runs
from locid.rpc.method import Handler, Method, Param
from locid.standing import Standing
from locid.values import Check


def methods(standing: Standing, control: Control) -> tuple[Method, ...]:
    """The methods that start work and look at its result."""
    wait = Param("wait", "bool", default=False)
    run = (Param("scopes", "list[str]", default=[]), Param("force", "bool", default=False), wait)
    return (
        Method("index.run", _index(standing), run, "work"),
        Method("index.status", lambda params, task: control.status(), (), "question"),
        Method("embed.run", _embed, (Param("scopes", "list[str]", default=[]), Param("model"), wait), "work"),
        Method("embed.status", _embed, (), "question"),
        Method("doctor", _doctor(standing, control), (), "question"),
    )


def _index(standing: Standing) -> Handler:
    def index(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        jobs = standing.index(params["scopes"], "asked for", force=params["force"], urgent=params["wait"])
        if not params["wait"]:
            return {"scopes": [{"id": j.scope.id} for j in jobs], "queued": True}
        standing.scheduler.wait(jobs, task)
        return {"scopes": runs.results(jobs)}

    return index


def _embed(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
    """There is no encoder in this release, so nothing is left to embed."""
    return {"model": None, "done": 0, "total": 0, "rate": 0.0, "eta_ms": 0}


def _doctor(standing: Standing, control: Control) -> Handler:
    def doctor(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        standing.snapshots.loaded()  # a daemon that just started has not looked yet
        checks = examine(standing, control.checks)
        ok = all(c.level in ("ok", "note") for c in checks)
        return {"ok": ok, "checks": [_check(c) for c in checks]}

    return doctor


def _check(check: Check) -> dict[str, Any]:
    out: dict[str, Any] = {"check": check.check, "level": check.level, "finding": check.finding}
    for name, value in (("scope", check.scope), ("fix", check.fix)):
        if value is not None:
            out[name] = value
    return out
