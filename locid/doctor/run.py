"""Runs every check; one that fails is a finding of its own and hides no other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial

from locid.doctor.checks import MACHINE_CHECKS, SCOPE_CHECKS
from locid.standing import Standing
from locid.values import Check

log = logging.getLogger(__name__)
ORDER = {"error": 0, "warning": 1, "note": 2, "ok": 3}


def examine(standing: Standing, of_daemon: Callable[[], Iterable[Check]]) -> list[Check]:
    """All findings, the worst first; `of_daemon` are those that the daemon has of itself."""
    found: list[Check] = _safely("daemon", None, of_daemon)
    for machine in MACHINE_CHECKS:
        found += _safely(machine.__name__, None, partial(machine, standing))
    for scope in standing.registry.scopes:
        facts = standing.facts(scope.id)
        for check in SCOPE_CHECKS:
            found += _safely(check.__name__, scope.id, partial(check, standing, scope, facts))
    return sorted(found, key=lambda c: (ORDER[c.level], c.scope or "", c.check))


def _safely(name: str, scope: str | None, check: Callable[[], Iterable[Check]]) -> list[Check]:
    try:
        return list(check())
    except Exception as problem:
        log.exception("doctor: %s failed", name)
        return [Check(name, "error", f"the check itself failed: {problem}", scope, "loci daemon logs")]
