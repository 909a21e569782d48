"""One consistent view of all scopes' stores: each at one generation, swapped whole, closed with its last borrower.

A question takes the current View once and asks nothing else. A View never changes; a commit makes a new one, in which
every other scope's Snapshot is shared with the old.
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from types import MappingProxyType

from locid import db
from locid.episodes import lexical
from locid.episodes.history import History
from locid.episodes.lexical import Shelf, ShelfReader
from locid.episodes.passages import Passages, ScopeIndex
from locid.episodes.statistics import Statistics
from locid.episodes.terms import TermsReader
from locid.errors import LociError, NoSpace, NotIndexed, Unavailable
from locid.layout import Layout
from locid.scopestore import Inventory, Reader
from locid.texts import StoredChunk
from locid.usage import Usage
from locid.values import Commit, ScopeFacts

log = logging.getLogger(__name__)
LOAD_SECONDS = 20.0  # a daemon that just started opens its stores first; thousands of scopes take that long


class Snapshot:
    """The stores of one scope at one generation."""

    def __init__(self, layout: Layout, scope: str) -> None:
        self.scope = scope
        self._reader = Reader(layout.store_db(scope))
        # the connection closes when nothing refers to this snapshot any more: that is what borrowing means here
        weakref.finalize(self, self._reader.close)
        self._lock = threading.Lock()
        self.generation = self._reader.generation
        self.facts: ScopeFacts = self._reader.facts()
        self.complete, self.unfinished = self._reader.complete, self._reader.unfinished
        folder = layout.lexical(scope)
        self.index = ScopeIndex(
            chunks=_shelf(folder, lexical.CHUNKS, self.generation), files=_shelf(folder, lexical.FILES, self.generation)
        )
        self.terms = TermsReader(folder, self.generation)
        self.commits = _shelf(folder, lexical.COMMITS, self._reader.history_generation)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except db.Damaged as problem:
                fix = f"`loci index {self.scope} --force --wait` rebuilds it"
                raise Unavailable(f"the store of {self.scope} is damaged ({problem}); {fix}") from None

    @cached_property
    def inventory(self) -> Inventory:
        """What kinds of files the scope holds."""
        with self._reading():
            return self._reader.inventory()

    def passages(self, keys: Sequence[str]) -> dict[str, StoredChunk]:
        """Stored chunks by key in hex."""
        with self._reading():
            found = self._reader.chunks([bytes.fromhex(k) for k in keys])
        return {key.hex(): chunk for key, chunk in found.items()}

    def newest(self, count: int) -> list[Commit]:
        """The newest commits, newest first."""
        with self._reading():
            return self._reader.newest(count)

    def beginning(self, name: str, count: int) -> list[StoredChunk]:
        """The first passages of the file at the root whose name begins so, in any case."""
        with self._reading():
            return self._reader.beginning(name, count)

    def sample(self, count: int) -> list[StoredChunk]:
        """Passages of what the scope ships and documents, in an order that says nothing of them."""
        with self._reading():
            return self._reader.sample(count)

    def stats(self, paths: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Size in bytes and modification time in ns of files, as they were when they were indexed."""
        with self._reading():
            return self._reader.stats(paths)

    @contextmanager
    def usage(self) -> Iterator[Usage]:
        """What is declared, imported and run, for as long as it is read."""
        with self._reading():
            yield self._reader.usage

    def lines(self, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """The text of lines, each a path and a number, as it was indexed."""
        with self._reading():
            return self._reader.lines(places)

    def messages(self, hashes: Sequence[str]) -> dict[str, Commit]:
        """Stored commits by hash."""
        with self._reading():
            return self._reader.commits(hashes)


class View:
    """All snapshots of one moment, with the statistics over them."""

    def __init__(self, snapshots: Mapping[str, Snapshot]) -> None:
        self.snapshots: Mapping[str, Snapshot] = MappingProxyType(dict(snapshots))
        self.statistics = Statistics({id: s.terms for id, s in self.snapshots.items()})
        self.passages = Passages({id: s.index for id, s in self.snapshots.items()}, self.statistics)

    def snapshot(self, scope: str) -> Snapshot:
        """The snapshot of a scope; NotIndexed when it has none."""
        found = self.snapshots.get(scope)
        if found is None:
            raise NotIndexed(f"{scope} has no index yet; `loci index {scope} --wait` builds it")
        return found

    @cached_property
    def history(self) -> History:
        """The commits of all scopes."""
        return History({id: s.commits for id, s in self.snapshots.items() if s.facts.commits}, self.statistics)


class Snapshots:
    """The current View, and the only place that makes a new one; called by the maintenance thread."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._lock = threading.Lock()
        self._view = View({})
        self._damaged: dict[str, str] = {}
        self._loaded = threading.Event()

    @property
    def view(self) -> View:
        """The current View."""
        return self._view

    def loaded(self, timeout: float = LOAD_SECONDS) -> bool:
        """Whether everything that lies on disk has been opened; waits that many seconds for it."""
        return self._loaded.wait(timeout)

    @property
    def damaged(self) -> Mapping[str, str]:
        """Scopes whose stores could not be opened, with the reason."""
        return dict(self._damaged)

    def ready(self) -> View:
        """The current View, once everything that lies on disk has been opened; Unavailable when that takes too long."""
        if not self.loaded():
            raise Unavailable("the daemon is still opening its stores; ask again in a moment")
        return self._view

    def load(self, scopes: Sequence[str]) -> list[str]:
        """Opens the snapshots of several scopes at once; returns those that need a run: to heal, or to be finished."""
        opened: dict[str, Snapshot] = {}
        wanting: list[str] = []
        for scope in scopes:
            if not os.path.lexists(self._layout.scope(scope)):  # never indexed, or purged
                continue
            snapshot = self._open(scope)
            if snapshot is not None:
                opened[scope] = snapshot
            if snapshot is None or snapshot.unfinished:
                wanting.append(scope)
        self._swap(opened, ())
        self._loaded.set()
        return wanting

    def refresh(self, scope: str) -> bool:
        """Swaps in a scope's newest generation; False when its stores do not agree, and the old one stays."""
        fresh = self._renew(scope)
        if fresh:
            self._settle(scope)
        return fresh

    def _renew(self, scope: str) -> bool:
        snapshot = self._open(scope)
        if snapshot is not None:
            self._swap({scope: snapshot}, ())
        return snapshot is not None

    def _settle(self, scope: str) -> None:
        """Empties a long write-ahead log, which a reader that is always there would let grow without end.

        A log begins anew only while every reader reads from the database alone, as those do that were opened when all
        of the log was in it. Where a question still holds an older snapshot, the next refresh tries again.
        """
        path = self._layout.store_db(scope)
        try:
            if db.log_is_long(path) and db.checkpoint(path) and self._renew(scope):
                db.checkpoint(path, truncate=True)
        except (
            LociError,
            db.Damaged,
        ) as problem:  # no room, or no right to write: the log stays long, and all that is in it holds
            log.warning("%s: its log was not emptied: %s", scope, problem)

    def drop(self, scope: str) -> None:
        """Forgets a scope that was removed."""
        self._swap({}, (scope,))

    def _open(self, scope: str) -> Snapshot | None:
        try:
            snapshot = Snapshot(self._layout, scope)
        except (LociError, db.Damaged, OSError) as problem:
            again = f"its store cannot be read ({problem}); `loci index {scope} --wait` rebuilds it"
            self._damaged[scope] = str(problem) if isinstance(problem, NoSpace) else again
            return None
        self._damaged.pop(scope, None)
        return snapshot

    def _swap(self, add: Mapping[str, Snapshot], drop: Sequence[str]) -> None:
        with self._lock:
            kept = {id: s for id, s in self._view.snapshots.items() if id not in drop}
            self._view = View({**kept, **add})


def _shelf(folder: str, shelf: Shelf, generation: int) -> ShelfReader:
    reader = ShelfReader(folder, shelf)
    if reader.generation != generation:
        raise Unavailable(
            f"{folder}/{shelf.name} is of generation {reader.generation}, its store of {generation};"
            " `loci index` rebuilds it"
        )
    return reader
