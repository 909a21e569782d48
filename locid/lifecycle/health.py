"""What doctor says of the daemon itself: earlier crashes, its socket, its log. Looks, and changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from locid.values import Check

RESTART = "loci daemon restart"


@dataclass(frozen=True, slots=True)
class Places:
    """Files that a daemon which runs well has."""

    crashes: str
    socket_file: str
    socket: str
    log: str


def checks(places: Places) -> Iterator[Check]:
    """The rows of doctor: one that says all is well, or one for each thing that is not."""
    found = [*_crashes(places), *_socket(places), *_log(places)]
    yield from found or [Check("daemon", "ok", f"pid {os.getpid()}, socket {places.socket}, log {places.log}")]


def _crashes(places: Places) -> Iterator[Check]:
    count = len((_text(places.crashes) or "").splitlines())
    if count:
        times = "once" if count == 1 else f"{count} times"
        yield Check(
            "daemon", "warning", f"it crashed {times} before it came to run; {places.log} says why", fix=RESTART
        )


def _socket(places: Places) -> Iterator[Check]:
    if not os.path.lexists(places.socket):
        yield Check("socket", "error", f"{places.socket} is gone: no new client can connect", fix=RESTART)
    elif _text(places.socket_file) != places.socket + "\n":
        finding = f"{places.socket_file} does not name {places.socket}, so clients may look elsewhere"
        yield Check("socket", "warning", finding, fix=RESTART)


def _log(places: Places) -> Iterator[Check]:
    if not os.path.exists(places.log):
        yield Check("log", "warning", f"{places.log} was removed: what is logged is lost", fix=RESTART)


def _text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None
