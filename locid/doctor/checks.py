"""The checks of one scope and of the machine; each yields what it found, or nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

from locid.standing import Standing
from locid.values import Check, Scope, ScopeFacts

LITTLE_DISK = 1_000_000_000  # bytes


def indexed(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """Never indexed, or the last run failed."""
    last = standing.scheduler.last(scope.id)
    if not os.path.isdir(scope.root):
        fix = f"mount or restore it, or `loci rm {scope.id}`"
        yield Check("root", "error", f"{scope.root} is not there; its index is kept", scope.id, fix)
    elif facts is None and standing.scheduler.stage(scope.id) is None:
        yield Check("indexed", "error", "never indexed", scope.id, f"loci index {scope.id} --wait")
    elif last is not None and last.failed:
        yield Check(
            "indexed",
            "error",
            f"the last index run failed: {last.failed}",
            scope.id,
            f"loci index {scope.id} --wait",
        )


def documented(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """Nothing to read, or no history."""
    if facts is None:
        return
    if facts.files == 0:
        yield Check("files", "warning", "no file of it can be indexed", scope.id)
    if scope.git_dir and facts.commits == 0:
        yield Check("history", "note", "it has no commits yet, so nothing says why", scope.id, "git commit")
    if scope.git_dir and os.path.exists(os.path.join(scope.common_dir or scope.git_dir, "shallow")):
        yield Check(
            "history",
            "note",
            "a shallow clone: only its newest commits are known",
            scope.id,
            "git fetch --unshallow",
        )


def quarantined(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """Files that could not be parsed."""
    for reason, count in sorted((facts.skipped if facts else {}).items()):
        if reason.startswith(("quarantined", "unreadable", "history")):
            yield Check("files", "warning", f"{count} left out: {reason}", scope.id)


def redacted(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """What was taken out, since silent redaction looks like none."""
    if facts and facts.redactions:
        found = ", ".join(f"{n} {kind}" for kind, n in sorted(facts.redactions.items()))
        yield Check("redaction", "note", f"redacted before anything was written: {found}", scope.id)


def registered(standing: Standing) -> Iterator[Check]:
    """Whether there is anything to ask."""
    count = len(standing.registry.scopes)
    if count == 0:
        yield Check("scopes", "error", "no project is registered", fix="loci setup DIR")
    else:
        ready = sum(1 for s in standing.registry.scopes if standing.state(s)[0] == "ready")
        yield Check("scopes", "ok", f"{ready} of {count} scopes are ready")


def aliases(standing: Standing) -> Iterator[Check]:
    """Names that several scopes claim."""
    claimed: dict[str, list[str]] = {}
    for scope in standing.registry.scopes:
        for name in {scope.name.casefold(), *(a.casefold() for a in scope.aliases)}:
            claimed.setdefault(name, []).append(scope.id)
    for name, ids in sorted(claimed.items()):
        if len(ids) > 1:
            fix = f"loci add PATH --alias NAME, or ask with --scope {ids[0]}"
            yield Check("names", "note", f"{name} is the name of {', '.join(ids)}", fix=fix)


def disk(standing: Standing) -> Iterator[Check]:
    """Room for the stores."""
    free = shutil.disk_usage(standing.layout.base).free
    if free < LITTLE_DISK:
        yield Check("disk", "warning", f"{free // 1_000_000} MB are left where the stores lie", fix="free some space")


SCOPE_CHECKS: tuple[Callable[[Standing, Scope, ScopeFacts | None], Iterator[Check]], ...] = (
    indexed,
    documented,
    quarantined,
    redacted,
)
MACHINE_CHECKS: tuple[Callable[[Standing], Iterator[Check]], ...] = (registered, aliases, disk)
