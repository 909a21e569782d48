"""The checks of one scope and of the machine; each yields what it found, or nothing. docs/doctor.md lists them."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterator

from locid import git
from locid.doctor.names import collisions
from locid.doctor.sources import SOURCES
from locid.fitted import MENDS
from locid.registry import subprojects
from locid.route.thresholds import FLOOR, outdated
from locid.standing import Standing
from locid.values import Check, Scope, ScopeFacts

LITTLE_DISK = 1_000_000_000  # bytes
WATCH_LIMIT = "/proc/sys/fs/inotify/max_user_watches"
WATCH_SHARE = 0.5  # of the limit that is ours: editors and builds watch too


def indexed(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """Never indexed, or the last run failed."""
    if not os.path.isdir(scope.root):
        return
    last = standing.scheduler.last(scope.id)
    fix = f"loci index {_word(scope.id)} --wait"
    if last is not None and last.no_space:
        yield Check("indexed", "error", f"not indexed: {last.failed}", scope.id, "free some space")
    elif last is not None and last.failed:
        yield Check("indexed", "error", f"the last index run failed: {last.failed}", scope.id, fix)
    elif facts is None and standing.scheduler.stage(scope.id) is None:
        yield Check("indexed", "error", "never indexed", scope.id, fix)


def fresh(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """HEAD is elsewhere than when the scope was indexed."""
    if facts is None or not scope.git_dir or not os.path.isdir(scope.root):
        return
    now = git.head(scope.git_dir, scope.common_dir or scope.git_dir)[0]
    if now != facts.commit and standing.scheduler.stage(scope.id) is None:
        finding = f"HEAD is at {str(now)[:10]}, indexed was {str(facts.commit)[:10]}: what came since is not found"
        yield Check("fresh", "note", finding, scope.id, f"loci index {_word(scope.id)} --wait")


def root(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """Moved, renamed or unmounted: kept until its owner says what it was."""
    if not os.path.isdir(scope.root):
        finding = f"{scope.root} is not there: moved, renamed or not mounted; what is stored of it is kept"
        yield Check("root", "error", finding, scope.id, f"loci rm {_word(scope.id)}")


def documents(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """Nothing to read at all, or nothing written for people."""
    if facts is None or not os.path.isdir(scope.root):
        return
    if facts.files == 0:
        finding, fix = "no file of it can be indexed; `loci why PATH` says why one is out", None
        yield Check("documents", "warning", finding, scope.id, fix)
    elif standing.inventory(scope.id).documents == 0:
        finding = "no documentation: questions are answered from code and history alone"
        yield Check("documents", "note", finding, scope.id, f"write {scope.root}/README.md")


def history(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """No commits, or only the newest ones."""
    if facts is None or not scope.git_dir or not os.path.isdir(scope.root):
        return
    at = shlex.quote(scope.root)
    again = f"loci index {_word(scope.id)} --wait"
    if os.path.exists(os.path.join(scope.common_dir or scope.git_dir, "shallow")):
        finding = "a shallow clone: only its newest commits are known"
        yield Check("history", "note", finding, scope.id, f"git -C {at} fetch --unshallow && {again}")
    elif facts.commits == 0:
        finding = "it has no commits yet, so nothing says why"
        yield Check("history", "note", finding, scope.id, f"git -C {at} add -A && git -C {at} commit && {again}")


def grammars(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """Source in languages that we cannot parse: found by its words, cut along blank lines, without symbols."""
    if facts is None:
        return
    unparsed = standing.inventory(scope.id).unparsed
    counts: dict[str, int] = {}
    for extension, number in unparsed.items():
        if extension in SOURCES:
            counts[SOURCES[extension]] = counts.get(SOURCES[extension], 0) + number
    if counts:
        found = ", ".join(f"{n} of {name}" for name, n in sorted(counts.items(), key=lambda pair: -pair[1]))
        yield Check("grammars", "note", f"cut along blank lines, for want of a grammar: {found}", scope.id)


def quarantined(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """Files that could not be parsed, or not be read."""
    for reason, count in sorted((facts.skipped if facts else {}).items()):
        if reason.startswith(("quarantined", "unreadable", "history")):
            fix = f"loci index {_word(scope.id)} --force --wait"
            yield Check("quarantine", "warning", f"{count} left out: {reason}", scope.id, fix)


def redacted(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """What was taken out, since silent redaction looks like none."""
    if facts and facts.redactions:
        found = ", ".join(f"{n} {kind}" for kind, n in sorted(facts.redactions.items()))
        yield Check("redaction", "note", f"redacted before anything was written: {found}", scope.id)


def declared(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """What is wrong in `.loci.json`, and what it names that is no scope yet, and scopes that it names no more."""
    found = subprojects.declared(scope.root)
    for problem in found.problems:
        yield Check("declaration", "warning", problem, scope.id, f"edit {scope.root}/{subprojects.DECLARATION}")
    known = {s.root for s in standing.registry.scopes}
    for root in found.roots:
        if root not in known:
            finding = f"{root} is declared and no scope yet"
            yield Check("declaration", "note", finding, scope.id, f"loci add {shlex.quote(scope.root)}")
    for inner in subprojects.dropped(scope.root, (s for s in standing.registry.scopes if s.parent == scope.id)):
        finding = f"{scope.root}/{subprojects.DECLARATION} does not name it any more; `loci add {inner.root}` keeps it"
        yield Check("declaration", "warning", finding, inner.id, f"loci rm {_word(inner.id)}")


def manifests(standing: Standing, scope: Scope, facts: ScopeFacts | None) -> Iterator[Check]:
    """Manifests that could not be read: what they declare is missing where it is asked who uses what."""
    snapshot = standing.snapshots.view.snapshots.get(scope.id)
    if snapshot is None:
        return
    with snapshot.usage() as usage:
        unread = usage.unread()
    for path, reason in unread:
        yield Check("manifests", "note", f"{path} could not be read: {reason}", scope.id, f"edit {scope.root}/{path}")


def registered(standing: Standing) -> Iterator[Check]:
    """Whether there is anything to ask."""
    count = len(standing.registry.scopes)
    if count == 0:
        yield Check("scopes", "error", "no project is registered", fix="loci setup DIR")
    else:
        ready = sum(1 for s in standing.registry.scopes if standing.state(s)[0] == "ready")
        yield Check("scopes", "ok", f"{ready} of {count} scopes are ready")


def names(standing: Standing) -> Iterator[Check]:
    """Names that several scopes answer to, none of which has one of its own."""
    for found in collisions(standing.registry.scopes):
        fix = f"loci add {shlex.quote(found.root)} --alias {_word(found.proposed)}"
        yield Check("names", "note", f"{found.name} is the name of {', '.join(found.ids)}", fix=fix)


def groups(standing: Standing) -> Iterator[Check]:
    """What was put into a group by hand and is no scope any more; it may come back, so it is kept."""
    for group in standing.registry.groups:
        if group.gone:
            empty = "" if group.members else ", so the group is empty"
            finding = f"{', '.join(group.gone)} in {group.name}: not registered any more{empty}"
            fix = f"loci group rm {' '.join(map(_word, group.gone))} {_word(group.name)}"
            yield Check("groups", "note", finding, fix=fix)


def disk(standing: Standing) -> Iterator[Check]:
    """Room for the stores."""
    free = shutil.disk_usage(standing.layout.base).free
    if free < LITTLE_DISK:
        yield Check("disk", "warning", f"{free // 1_000_000} MB are left where the stores lie", fix="free some space")


def watches(standing: Standing) -> Iterator[Check]:
    """Whether the system lets us watch every folder; what goes beyond is looked at from time to time."""
    limit = _number(WATCH_LIMIT)
    needed = sum(standing.inventory(s.id).folders for s in standing.registry.scopes)
    if limit is not None and needed > limit * WATCH_SHARE:
        finding = f"{needed} folders are more than our half of {limit} inotify watches"
        wanted = max(524_288, 1 << (2 * needed).bit_length())
        yield Check("watches", "warning", finding, fix=f"sudo sysctl fs.inotify.max_user_watches={wanted}")


def settings(standing: Standing) -> Iterator[Check]:
    """What is wrong in config.toml, whose defaults hold."""
    for problem in standing.settings.load().problems:
        fix = f"loci config {_word(problem.key)} --unset" if problem.key else f"edit {standing.settings.path}"
        yield Check("settings", "warning", problem.sentence, fix=fix)


def thresholds(standing: Standing) -> Iterator[Check]:
    """What calibrate fitted cannot be used, was fitted to other scopes, or never was."""
    fitted = standing.fitted
    fitted.reload()
    indexed = tuple(s.id for s in standing.registry.scopes if standing.facts(s.id))
    if fitted.problem:
        yield Check("thresholds", "warning", fitted.problem, fix=MENDS)
    elif indexed and fitted.fit is None:
        finding = f"never calibrated: the default floor, {FLOOR}, decides which questions are refused"
        yield Check("thresholds", "note", finding, fix=MENDS)
    elif indexed and outdated(fitted.fit, indexed):
        yield Check("thresholds", "note", "calibrated when other projects were indexed", fix=MENDS)


def _word(text: str) -> str:
    return shlex.quote(text)


def _number(path: str) -> int | None:
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):  # not Linux
        return None


SCOPE_CHECKS: tuple[Callable[[Standing, Scope, ScopeFacts | None], Iterator[Check]], ...] = (
    root,
    indexed,
    fresh,
    documents,
    history,
    grammars,
    quarantined,
    redacted,
    declared,
    manifests,
)
MACHINE_CHECKS: tuple[Callable[[Standing], Iterator[Check]], ...] = (
    registered,
    names,
    groups,
    disk,
    watches,
    settings,
    thresholds,
)
