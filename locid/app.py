"""The only place that builds: stores, router, scheduler, handlers. Nothing below knows how it came to be."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Sequence
from typing import Any

from locid.ask.asker import Asker
from locid.config import Settings
from locid.control import Control
from locid.fitted import Fitted
from locid.layout import Layout
from locid.measure.measuring import Measuring
from locid.refresh.scheduler import Limits, Scheduler
from locid.registry.store import Registry
from locid.rpc.handlers import answers, config, groups, measures, scopes, uses, why, work
from locid.rpc.method import Method
from locid.settings import File
from locid.snapshot import Snapshots
from locid.standing import Standing

log = logging.getLogger(__name__)

NICE = 5  # the indexer and its parse workers give way to whoever works at the machine


class App:
    """A daemon's inside, as lifecycle sees it."""

    def __init__(self, standing: Standing, file: File, methods: tuple[Method, ...]) -> None:
        self._standing, self._file = standing, file
        self.methods = methods

    def status(self) -> dict[str, Any]:
        """The scopes' part of status."""
        return self._standing.status()

    def warnings(self) -> list[str]:
        """What a client should know before it asks anything: a lost registry, thresholds and settings that do not hold."""
        found = (self._standing.registry.warning, self._standing.fitted.problem)
        return [
            *(sentence for sentence in found if sentence),
            *(problem.sentence for problem in self._file.load().problems),
        ]

    def busy(self) -> bool:
        """Whether indexing is under way."""
        return self._standing.scheduler.busy

    def close(self) -> None:
        """Ends the indexer, then closes what is open."""
        self._standing.scheduler.close()
        self._standing.registry.close()


def build(settings: Settings, file: File, layout: Layout, control: Control) -> App:
    """The app of one daemon; its snapshots open in the background."""
    registry = Registry(layout)
    snapshots = Snapshots(layout)
    scheduler = Scheduler(layout.home, snapshots, _limits(settings))
    fitted = Fitted(layout.thresholds)
    if fitted.problem:
        log.warning("%s", fitted.problem)
    standing = Standing(layout, registry, snapshots, scheduler, file, fitted)
    scheduler.start(lambda: _open(standing))
    asker = Asker(registry, snapshots, fitted)
    methods = (
        *answers.methods(asker, standing),
        *scopes.methods(standing),
        *groups.methods(standing),
        *work.methods(standing, control),
        *uses.methods(standing),
        *measures.methods(Measuring(asker, fitted)),
        *why.methods(standing),
        *config.methods(file, settings, _follow(scheduler)),
    )
    return App(standing, file, methods)


def _limits(settings: Settings) -> Limits:
    return Limits(settings.max_file_bytes, settings.indexer_linger_s, settings.indexer_silence_s)


def _follow(scheduler: Scheduler) -> Callable[[Settings], None]:
    """Settings that a running daemon takes on at once."""

    def follow(settings: Settings) -> None:
        logging.getLogger().setLevel(settings.log_level.upper())
        scheduler.adjust(_limits(settings))

    return follow


def _open(standing: Standing) -> None:
    """Opens every scope's snapshot; a run heals stores that do not agree, and ends what a kill cut short."""
    standing.sweep()
    wanting = standing.snapshots.load([s.id for s in standing.registry.scopes])
    if wanting:
        standing.index(wanting, "left by the daemon before")


def run_role(role: str, argv: Sequence[str]) -> int:
    """The exit status of a child process of ours."""
    return {"indexer": _indexer, "parser": _parser}[role](argv)


def _indexer(argv: Sequence[str]) -> int:
    from locid.refresh import children, indexer

    parser = argparse.ArgumentParser()
    parser.add_argument("--home", required=True)
    return indexer.main(children.serve_parent(NICE), parser.parse_args(argv).home)


def _parser(argv: Sequence[str]) -> int:
    from locid.refresh import children, parser

    return parser.main(children.serve_parent())
