"""The standing state of all scopes: registry, snapshots and scheduler looked at together, for status, scopes and doctor."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from locid.errors import Unavailable
from locid.fitted import Fitted
from locid.layout import Layout
from locid.refresh.jobs import Job
from locid.refresh.scheduler import Scheduler
from locid.registry.store import Found, Registry
from locid.scopestore import Inventory
from locid.settings import File
from locid.snapshot import Snapshots
from locid.values import Scope, ScopeFacts, ScopeState


class Standing:
    """What is registered, what is indexed, what is under way."""

    def __init__(
        self,
        layout: Layout,
        registry: Registry,
        snapshots: Snapshots,
        scheduler: Scheduler,
        settings: File,
        fitted: Fitted,
    ) -> None:
        self.layout, self.settings, self.fitted = layout, settings, fitted
        self.registry, self.snapshots, self.scheduler = registry, snapshots, scheduler
        self._changing = threading.Lock()
        self._bytes: dict[str, tuple[int, int]] = {}  # scope -> generation, size on disk

    def facts(self, id: str) -> ScopeFacts | None:
        """What a scope holds; None before its first index."""
        snapshot = self.snapshots.view.snapshots.get(id)
        return snapshot.facts if snapshot else None

    def inventory(self, id: str) -> Inventory:
        """What kinds of files a scope holds; none before its first index."""
        snapshot = self.snapshots.view.snapshots.get(id)
        return snapshot.inventory if snapshot else Inventory()

    def state(self, scope: Scope) -> tuple[ScopeState, str | None]:
        """A scope's state, with the reason when it is not ready."""
        stage = self.scheduler.stage(scope.id)
        facts = self.facts(scope.id)
        last = self.scheduler.last(scope.id)
        if stage is not None:
            return "indexing", stage
        if not os.path.isdir(scope.root):
            return "unavailable", f"{scope.root} is not there"
        if last is not None and last.failed:
            return "unavailable", last.failed
        if facts is None:
            return "empty", "never indexed"
        if facts.chunks == 0 and facts.commits == 0:
            return "empty", "nothing in it can be indexed"
        return "ready", None

    def index(self, names: Sequence[str], cause: str, *, force: bool = False, urgent: bool = False) -> list[Job]:
        """Jobs for the named scopes, or for all."""
        with self._changing:  # a scope that is being removed is gone before it can be indexed anew
            scopes = [self.registry.resolve(n) for n in names] if names else list(self.registry.scopes)
        return self.scheduler.submit(list(dict.fromkeys(scopes)), cause, force=force, urgent=urgent)

    def scan(self, roots: Sequence[str], *, split: bool, only_mine: bool, dry_run: bool) -> Found:
        """As `Registry.scan`; scopes that lost files to others are indexed again."""
        with self._followed():
            return self.registry.scan(roots, split=split, only_mine=only_mine, dry_run=dry_run)

    def add(self, path: str, name: str | None, aliases: Sequence[str], globs: Sequence[str]) -> Found:
        """As `Registry.add`; scopes whose files changed hands, or whose globs grew, are indexed again."""
        with self._followed():
            return self.registry.add(path, name, aliases, globs)

    def remove(self, name: str) -> Scope:
        """Takes a scope out of the registry and deletes its stores; its files are the user's."""
        with self._followed(), self._changing:
            scope = self.registry.remove(name)
            self._delete(scope)
        return scope

    def purge(self, name: str) -> Scope:
        """Deletes every store of a scope, which stays registered and empty until it is indexed again."""
        with self._changing:
            scope = self.registry.resolve(name)
            self._delete(scope)
        return scope

    @contextmanager
    def _followed(self) -> Iterator[None]:
        """Afterwards, what was indexed and now holds other files is indexed again."""
        before = {s.id: (s.excluded, s.globs) for s in self.registry.scopes}
        yield
        scopes = [s for s in self.registry.scopes if before.get(s.id, (s.excluded, s.globs)) != (s.excluded, s.globs)]
        self.scheduler.submit([s for s in scopes if self.facts(s.id)], "its files changed hands")

    def _delete(self, scope: Scope) -> None:
        self.scheduler.forget(scope.id)
        self._bytes.pop(scope.id, None)
        folder = self.layout.scope(scope.id)
        try:
            if os.path.lexists(folder):
                shutil.rmtree(folder)
        except OSError as error:
            raise Unavailable(
                f"{error.filename or folder} cannot be deleted ({error.strerror}); delete it by hand"
            ) from None

    def sweep(self) -> None:
        """Deletes stores of scopes that are no longer registered, as a kill in the middle of `rm` leaves them."""
        kept = {os.path.basename(self.layout.scope(s.id)) for s in self.registry.scopes}
        if not kept or not os.path.isdir(self.layout.scopes):
            return  # an empty registry may be a lost one: what it knew is kept for the next scan
        for name in set(os.listdir(self.layout.scopes)) - kept:
            shutil.rmtree(os.path.join(self.layout.scopes, name), ignore_errors=True)

    def status(self) -> dict[str, Any]:
        """The scopes' part of status."""
        return {
            "queue": len(self.scheduler.queue),
            "warm": sorted(self.snapshots.view.snapshots),
            "scopes": [self._row(s) for s in self.registry.scopes],
        }

    def _row(self, scope: Scope) -> dict[str, Any]:
        state, reason = self.state(scope)
        row: dict[str, Any] = {"id": scope.id, "root": scope.root, "state": state, "pending": 0}
        if reason:
            row["reason"] = reason
        facts = self.facts(scope.id)
        return row | (self._counts(scope.id, facts) if facts else _NOTHING) | {"last": self._last(scope.id)}

    def _counts(self, id: str, facts: ScopeFacts) -> dict[str, Any]:
        size = self._size(id, facts.generation)
        return {
            "generation": facts.generation,
            "commit": facts.commit,
            "branch": facts.branch,
            "dirty": facts.dirty,
            "files": facts.files,
            "chunks": facts.chunks,
            "commits": facts.commits,
            "symbols": 0,
            "vectors": {"done": 0, "total": 0},
            "bytes": size,
            "ratio": round(size / facts.text_bytes, 2) if facts.text_bytes else None,
            "redactions": dict(facts.redactions),
        }

    def _size(self, id: str, generation: int) -> int:
        known = self._bytes.get(id)
        if known is None or known[0] != generation:
            known = self._bytes[id] = (generation, _tree_bytes(self.layout.scope(id)))
        return known[1]

    def _last(self, id: str) -> dict[str, Any] | None:
        last = self.scheduler.last(id)
        if last is None:
            return None
        at = datetime.fromtimestamp(last.at, UTC).isoformat(timespec="milliseconds")
        return {"cause": last.cause, "files": last.files, "ms": last.ms, "at": at}


_NOTHING: dict[str, Any] = {
    "generation": 0,
    "commit": None,
    "branch": None,
    "dirty": False,
    "files": 0,
    "chunks": 0,
    "commits": 0,
}


def _tree_bytes(folder: str) -> int:
    return sum(os.stat(os.path.join(d, f)).st_size for d, _, files in os.walk(folder) for f in files)
