"""The indexer process: the only writer of scopes' stores. It takes one scope at a time and reports over its pipe."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from locid import db
from locid.episodes.lexical import Broken
from locid.errors import FULL, LociError, NoSpace
from locid.layout import Layout
from locid.refresh import messages
from locid.refresh.messages import Channel
from locid.refresh.reindex import Outcome, Reindex
from locid.refresh.workers import Pool

PROGRESS_SECONDS = 0.1
ON_ITS_OWN = "and indexing goes on by itself"


def main(channel: Channel, home: str) -> int:
    """Works off frames until the daemon closes its end; returns the exit status."""
    pool = Pool()
    layout = Layout(home)
    try:
        while (request := channel.receive()) is not None:
            channel.send(_index(layout, pool, channel, request))
    except BrokenPipeError:  # the daemon is gone: what is committed stays, the next one goes on from there
        return 1
    finally:
        pool.close()
    return 0


def _index(layout: Layout, pool: Pool, channel: Channel, request: Mapping[str, Any]) -> dict[str, Any]:
    scope = messages.unpack_scope(request["scope"])
    pool.grow(os.cpu_count() or 1 if request["urgent"] else 1)
    started = time.monotonic()
    reporter = _Reporter(channel, scope.id)
    pool.waiting = reporter.repeat
    make = partial(Reindex, layout, scope, pool, reporter.report, request["max_file_bytes"])
    try:
        outcome = _run_or_rebuild(make, layout, scope.id, request["force"])
    except BrokenPipeError:  # the daemon is gone: nobody is there to be told
        raise
    except (LociError, OSError, db.Damaged) as problem:
        return _failed(scope.id, problem)
    return _done(scope.id, outcome, started)


def _run_or_rebuild(make: Callable[[], Reindex], layout: Layout, scope: str, force: bool) -> Outcome:
    """What cannot be read is made anew: the store from the work tree and git, an index from the store."""
    try:
        return _run(make, force)
    except db.Damaged:
        damaged = layout.scope(scope)
    except Broken:
        damaged = layout.lexical(scope)
    db.discard_folder(damaged)  # only now: an exception that is being handled keeps the index locked
    return _run(make, force)


def _run(make: Callable[[], Reindex], force: bool) -> Outcome:
    run = make()
    try:
        return run.run(force)
    finally:
        run.close()


def _failed(scope: str, problem: Exception) -> dict[str, Any]:
    """`no_space` says that another try is worth it once there is some."""
    full = isinstance(problem, NoSpace) or (isinstance(problem, OSError) and problem.errno in FULL)
    if full:
        problem = NoSpace(getattr(problem, "path", None) or str(getattr(problem, "filename", "")), ON_ITS_OWN)
    return {"event": "failed", "scope": scope, "message": str(problem), "no_space": full}


def _done(scope: str, outcome: Outcome, started: float) -> dict[str, Any]:
    files = {name: getattr(outcome, name) for name in ("new", "changed", "removed", "skipped")}
    ms = int((time.monotonic() - started) * 1000)
    return {"event": "done", "scope": scope, "generation": outcome.generation, "files": files, "ms": ms}


class _Reporter:
    """Sends progress, at most ten times a second, and each stage's first."""

    def __init__(self, channel: Channel, scope: str) -> None:
        self._channel, self._next = channel, 0.0
        self._last: dict[str, Any] = {"event": "progress", "scope": scope, "stage": "", "done": 0, "total": 0}

    def report(self, stage: str, done: int, total: int) -> None:
        """Tells the daemon how far the run is."""
        first = stage != self._last["stage"]
        self._last.update(stage=stage, done=done, total=total)
        if first or time.monotonic() >= self._next:
            self.repeat()

    def repeat(self) -> None:
        """Says the last again: the run goes on, although a parser takes its time, which is bounded."""
        self._next = time.monotonic() + PROGRESS_SECONDS
        self._channel.send(self._last)
