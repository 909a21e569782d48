"""Ask: route, search the chosen scopes, stamp, assemble."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from locid import git
from locid.ask import assemble, related, retrieve
from locid.errors import BadRequest, NotIndexed
from locid.fitted import Fitted
from locid.redact import redact, unmarked
from locid.registry import groups
from locid.registry.store import Registry
from locid.route import policy, router
from locid.route import question as questions
from locid.route.policy import Bounds
from locid.snapshot import Snapshot, Snapshots, View
from locid.values import Answer, Hit, Question, Route, Scope, ScopeAnswer, ScoredScope, Signal, Stamp


@dataclass(frozen=True, slots=True)
class Asking:
    """What a client wants to know."""

    question: str
    cwd: str | None = None
    scopes: tuple[str, ...] = ()
    group: str | None = None
    files: int = 10
    budget: int = 2000


class Asker:
    """Answers questions on the current View."""

    def __init__(self, registry: Registry, snapshots: Snapshots, fitted: Fitted) -> None:
        self._registry, self._snapshots, self._fitted = registry, snapshots, fitted

    def ground(self) -> tuple[View, list[Scope]]:
        """The current View, and the scopes that it holds; NotIndexed when there are none."""
        view = self._snapshots.ready()
        return view, self._indexed(view)

    def timed_route(self, question: str, cwd: str | None, group: str | None = None) -> tuple[Route, float]:
        """Where a question belongs, and the milliseconds that took; NotIndexed when no scope has an index."""
        started = time.perf_counter()
        said = _Said.of(question)
        view = self._snapshots.ready()
        found = self._found(Asking(said.plain, cwd, group=group), view)
        route = found if isinstance(found, Route) else found.route
        return replace(route, question=said.shown), round((time.perf_counter() - started) * 1000, 3)

    def selected(self, question: str, cwd: str | None, group: str | None = None) -> list[str]:
        """The ids of the scopes that a question is routed to; of the place's alone when it is routed nowhere."""
        found, _ = self.timed_route(question, cwd, group)
        held = self._registry.holding(cwd) if cwd else None
        return [s.scope.id for s in found.selected] or ([held.id] if held else [])

    def locate(self, shown: Sequence[ScoredScope]) -> dict[str, dict[str, object]]:
        """Path and lines of each scope's best passage, by scope id."""
        view = self._snapshots.view
        found = {}
        for scored in shown:
            passage = next((s.passage for s in scored.signals if s.passage is not None), None)
            snapshot = view.snapshots.get(scored.scope.id)
            chunk = snapshot.passages([passage.key]).get(passage.key) if snapshot and passage else None
            if chunk is not None:
                found[scored.scope.id] = {
                    "path": chunk.path,
                    "line_start": chunk.line_start,
                    "line_end": chunk.line_end,
                }
        return found

    def ask(self, asking: Asking) -> Answer:
        """A cited answer, or an abstention that says why."""
        started = time.perf_counter()
        said = _Said.of(asking.question)
        view = self._snapshots.ready()
        found = self._found(replace(asking, question=said.plain), view)
        routed = time.perf_counter()
        if not isinstance(found, Route):
            told = replace(found, route=replace(found.route, question=said.shown))
            files, budget, took = asking.files, asking.budget, _took(started, routed, routed)
            return related.answer(told, view, files, budget, took, lambda s, hits: _stamp(s, view.snapshot(s.id), hits))
        route = replace(found, question=said.shown)
        if route.reason is not None:
            return _abstention(route, asking.budget, started, routed)
        question = questions.parse(said.plain)
        answers = _distinct([self._of_scope(view, s, question, asking.files) for s in route.selected])
        searched = time.perf_counter()
        return _answer(route, answers, question, asking.budget, (started, routed, searched))

    def _found(self, asking: Asking, view: View) -> related.Told | Route:
        """What is told of a question about what uses what, else where it belongs."""
        if asking.scopes:
            return self._given(asking, view)
        cwd, held = _real(asking.cwd), self._indexed(view)
        limits = self._limits(asking.group, cwd, held)
        asked = [s for s in self._registry.scopes if s.id in limits.members or not limits.confines]
        told = related.find(asking.question, cwd, asked, view)
        if told is not None:
            return told
        floor = self._fitted.thresholds
        return router.route(asking.question, cwd, held, view.passages, lambda: view.history, limits, floor)

    def _given(self, asking: Asking, view: View) -> Route:
        """The scopes that the asker names, which are searched as they are."""
        if asking.group is not None:
            raise BadRequest("a scope and a group exclude each other: --scope searches that project, wherever it is")
        chosen = [self._registry.resolve(name) for name in asking.scopes]
        for scope in chosen:
            view.snapshot(scope.id)
        scored = tuple(ScoredScope(s, 0.0, (Signal("scope", 1.0, 0.0),)) for s in dict.fromkeys(chosen))
        return Route(asking.question, "one", scored, scored)

    def _limits(self, group: str | None, cwd: str | None, held: Sequence[Scope]) -> Bounds:
        """What groups do to the question; NotIndexed when they leave nothing that could answer."""
        named = groups.find(self._registry.groups, group) if group is not None else None
        place = self._registry.holding(cwd) if cwd else None
        limits = policy.bounds(self._registry.groups, place, named)
        if limits.confines and not limits.members.intersection(s.id for s in held):
            names = " and ".join(limits.names)
            raise NotIndexed(f"nothing of {names} is indexed: `loci scopes --group {limits.names[0]}` shows its state")
        return limits

    def _indexed(self, view: View) -> list[Scope]:
        held = [s for s in self._registry.scopes if s.id in view.snapshots]
        if held:
            return held
        if self._registry.scopes:
            raise NotIndexed("nothing is indexed yet; `loci index --wait` builds the index")
        raise NotIndexed("no project is registered; `loci setup DIR` registers those below a directory")

    def _of_scope(self, view: View, scored: ScoredScope, question: Question, files: int) -> ScopeAnswer:
        snapshot = view.snapshot(scored.scope.id)
        bonus = router.log_share(scored) if scored.signals[0].name != "scope" else 0.0
        hits = retrieve.hits(view, snapshot, question, files, bonus)
        note = None if hits else "no evidence in this scope"
        if not snapshot.complete:
            note = "its first index is under way; this answer is partial"
        return ScopeAnswer(scored, _stamp(scored.scope, snapshot, hits), tuple(hits), note)


def _distinct(answers: Sequence[ScopeAnswer]) -> list[ScopeAnswer]:
    """The answers without passages that a scope before them has already, as a second work tree's are."""
    seen: dict[str, str] = {}
    kept = []
    for answer in answers:
        id = answer.scope.scope.id
        fresh = tuple(h for h in answer.hits if seen.get(h.text, id) == id)
        copies = {seen[h.text] for h in answer.hits if seen.get(h.text, id) != id}
        note = answer.note or (f"the same passages as in {', '.join(sorted(copies))} are left out" if copies else None)
        kept.append(replace(answer, hits=fresh, note=note))
        seen.update({h.text: id for h in fresh})
    return kept


@dataclass(frozen=True, slots=True)
class _Said:
    """A question without its secrets: as it is shown again, and as it is searched, without the marks for them."""

    shown: str
    plain: str

    @classmethod
    def of(cls, question: str) -> _Said:
        """Raises BadRequest when nothing is left to search."""
        shown, found = redact(question)
        plain = unmarked(shown) if found else shown
        if not plain.strip():
            raise BadRequest("the question is empty, or nothing but a secret; say what you want to know")
        return cls(shown, plain)


def _real(cwd: str | None) -> str | None:
    if cwd is None:
        return None
    if not cwd.startswith("/"):
        raise BadRequest("cwd must be an absolute path")
    return os.path.realpath(cwd)


def _stamp(scope: Scope, snapshot: Snapshot, hits: Sequence[Hit]) -> Stamp:
    """What the answer stands on; stale when HEAD has moved or a cited file is not the one that was indexed."""
    facts = snapshot.facts
    pending = _changed(scope, snapshot, hits)
    moved = False
    if scope.git_dir and facts.commit is not None:
        moved = git.head(scope.git_dir, scope.common_dir or scope.git_dir)[0] != facts.commit
    age = int(max(0.0, time.time() - facts.indexed_at) * 1000)
    return Stamp(facts.commit, facts.branch, facts.dirty, facts.generation, age, bool(pending) or moved, pending)


def _changed(scope: Scope, snapshot: Snapshot, hits: Sequence[Hit]) -> tuple[str, ...]:
    paths = tuple(dict.fromkeys(h.path for h in hits if h.path is not None))
    known = snapshot.stats(paths)
    return tuple(p for p in paths if _stat(git.unescape(os.path.join(scope.root, p))) != known.get(p))


def _stat(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:  # gone, or its folder is: the answer says that it changed
        return None
    return found.st_size, found.st_mtime_ns


def _abstention(route: Route, budget: int, started: float, routed: float) -> Answer:
    text = assemble.abstained(route, budget)
    took = _took(started, routed, routed)
    return Answer(route, "abstained", (), route.reason, route.advice, text, assemble.estimate(text), took)


def _answer(
    route: Route,
    answers: list[ScopeAnswer],
    question: Question,
    budget: int,
    marks: tuple[float, float, float],
) -> Answer:
    if not any(a.hits for a in answers):
        advice = "the scope was found, but nothing in it bears on the question; `loci doctor` shows what is not indexed"
        nothing = replace(route, reason="nothing_found", advice=advice)
        return _abstention(nothing, budget, marks[0], marks[1])
    text = assemble.answered(route, answers, question, budget)
    return Answer(route, "answered", tuple(answers), None, None, text, assemble.estimate(text), _took(*marks))


def _took(started: float, routed: float, searched: float) -> dict[str, float]:
    now = time.perf_counter()
    return {
        "route": round((routed - started) * 1000, 3),
        "search": round((searched - routed) * 1000, 3),
        "total": round((now - started) * 1000, 3),
    }
