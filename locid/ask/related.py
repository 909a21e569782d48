"""Questions about what uses what: the grammar's relation, asked of manifests, imports and runs, told with what was read.

`find` gives None when the question is none of this kind, or when nothing that was read bears on it and its words may: then
the passages decide. A name that only a package has, and that nothing uses, is an abstention: an empty table is no finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from locid.ask import assemble
from locid.registry import identity
from locid.relations.found import Read, Relation, Users
from locid.relations.projects import Projects
from locid.relations.providers import is_named
from locid.route import question as questions
from locid.route import relation as grammar
from locid.snapshot import View
from locid.values import Answer, Candidate, Hit, Route, Scope, ScopeAnswer, ScoredScope, Signal, Stamp

HITS_A_FILE = 3
MOST_TOLD = 500  # relations of one answer
WORTH = {"declared": 3.0, "imported": 2.0, "invoked": 1.0}
Stamping = Callable[[Scope, Sequence[Hit]], Stamp]


@dataclass(frozen=True, slots=True)
class Told:
    """What is told: where, on what it stands, and what else was seen."""

    route: Route
    relations: tuple[Relation, ...] = ()
    headline: str = ""
    notes: tuple[str, ...] = ()


def find(text: str, cwd: str | None, scopes: Sequence[Scope], view: View) -> Told | None:
    """What is told of a question about relations; None when it is another kind of question, or the passages' to answer."""
    asked = grammar.parse(text)
    if asked is None:
        return None
    projects = Projects(scopes, view.snapshots)
    place = identity.deepest(cwd, projects.scopes) if cwd else None
    if asked.pointing and place is None and asked.kind != "edges":
        return None  # it points, and stands nowhere: that is for the router to say
    ways = {"users": _Search.users, "dependencies": _Search.dependencies, "edges": _Search.edges}
    return projects.asked(lambda readable: ways[asked.kind](_Search(text, asked, place, view, readable)))


class _Search:
    """One question of this kind."""

    def __init__(
        self,
        text: str,
        asked: grammar.Relation,
        place: Scope | None,
        view: View,
        projects: Projects,
    ) -> None:
        self.text, self.asked, self.place = text, asked, place
        self.view, self.projects, self.scopes = view, projects, projects.scopes

    def users(self) -> Told | None:
        """Who uses what is asked about."""
        asked = self.asked
        given = self.place if asked.pointing else None
        found = [self.projects.users(given.id if given else name, given) for name in asked.subjects or ("",)]
        relations = _met(found) if asked.every else [r for users in found for r in users.relations]
        if not relations:
            return self._unused(found)
        if asked.among == "anything" and not any(users.declared for users in found):
            return None  # a name that no manifest knows is more likely one of the code's own
        names = " or ".join(users.name for users in found)
        if asked.every and _all(found):
            names = " and ".join(users.name for users in found)
        using = dict.fromkeys(r.scope for r in relations)
        notes = [*_absent(found), *_traces(found), *_provided(found)]
        many = f"{len(using)} of {self._counted('project')} {'uses' if len(using) == 1 else 'use'} {names}"
        return self._told(relations, f"{many}, as {self._basis()} say", notes)

    def _unused(self, found: Sequence[Users]) -> Told | None:
        """Nothing uses it: an abstention for what can only be a package, else the passages' question."""
        if self.asked.among != "projects":
            return None
        names = " or ".join(users.name for users in found)
        mentions = [c for users in found for c in self._mentions(users)]
        known = all(users.providers or grammar.is_name(users.name) for users in found)
        words = all(" " not in users.name for users in found)
        if not known and (mentions or not words):
            return None
        others = "no other project" if any(users.providers for users in found) else "no project"
        advice = f"{others} declares, imports or runs {names}: {self._basis(True)} were read{self._but()}"
        if mentions:
            advice += "; the words stand in the projects below, which is no proof of use"
        return Told(Route(self.text, "set", (), (), tuple(mentions[:5]), "no_evidence", advice))

    def _mentions(self, users: Users) -> list[Candidate]:
        """The projects whose passages say the name as it stands."""
        asked = questions.parse(users.name)
        if not asked.weighed:
            return []
        near = re.compile(r"[-_.\s]?".join(map(re.escape, re.split(r"[-_.\s]+", users.name))), re.IGNORECASE)
        own = {s.id for s in users.providers}
        found: list[Candidate] = []
        for id, evidence in self.view.passages.evidence(asked, self.scopes).items():
            if id in own or not evidence.passages or evidence.coverage < 0.999:
                continue
            chunks = self.view.snapshot(id).passages([p.key for p in evidence.passages])
            said = next((c for c in chunks.values() if near.search(c.text)), None)
            if said is not None:
                name = next(s.name for s in self.scopes if s.id == id)
                found.append(Candidate(id, name, (f"{users.name} in {said.path}:{said.line_start}-{said.line_end}",)))
        return found

    def dependencies(self) -> Told | None:
        """What a project declares that it depends on."""
        scope = self.place if self.asked.pointing else self._only(self.asked.subjects[0])
        if scope is None:
            return None
        relations = self.projects.dependencies(scope)
        if not relations:
            return None
        read = self.projects.counts()[scope.id]
        number = _counted(len(relations), "dependency", "dependencies")
        headline = f"{scope.id} declares {number} in {_counted(read, 'manifest')}"
        return self._told(relations, headline, (), "one")

    def edges(self) -> Told | None:
        """What the projects use of one another; of the place alone when it is asked for, and what is asked about."""
        source = self.place if self.asked.pointing else None
        if self.asked.subjects:
            source = self._only(self.asked.subjects[0])
            if source is None:
                return None
        relations = [r for r in self.projects.edges(source) if source is None or r.scope.id == source.id]
        if relations:
            using = len({r.scope.id for r in relations})
            who = source.id if source else f"{using} of {self._counted('project')}"
            verb = "uses" if source or using == 1 else "use"
            return self._told(relations, f"{who} {verb} other projects of yours, as {self._basis()} say", ())
        who = f"{source.id} was not seen to use" if source else "no project was seen to use"
        advice = f"{who} another of {self._counted('project')}: {self._basis(True)} were read{self._but()}"
        return Told(Route(self.text, "set", (), (), (), "no_evidence", advice))

    def _only(self, name: str) -> Scope | None:
        """The one project of a name."""
        named = [s for s in self.scopes if is_named(s, name)]
        return named[0] if len(named) == 1 else None

    def _told(self, relations: Sequence[Relation], headline: str, notes: Iterable[str], mode: str = "set") -> Told:
        by_scope: dict[str, list[Relation]] = {}
        for relation in relations:
            by_scope.setdefault(relation.scope.id, []).append(relation)
        shown = tuple(_scored(places) for places in by_scope.values())
        route = Route(self.text, "one" if mode == "one" else "set", shown, shown)
        return Told(route, tuple(relations[:MOST_TOLD]), headline, (*notes, *_unread(self.projects.read())))

    def _but(self) -> str:
        return "".join(f"; {line}" for line in _unread(self.projects.read()))

    def _counted(self, noun: str) -> str:
        return _counted(len(self.projects.counts()), noun)

    def _basis(self, whole: bool = False) -> str:
        """What was read, in words."""
        read = self.projects.counts()
        basis = f"{_counted(sum(read.values()), 'manifest')}, the imports and the commands"
        return f"{basis} of {_counted(len(read), 'project')}" if whole else basis


def _met(found: Sequence[Users]) -> list[Relation]:
    """Of projects that use all of several things; of those that use any when none uses all."""
    both = _all(found)
    return [r for users in found for r in users.relations if r.scope.id in both or not both]


def _all(found: Sequence[Users]) -> set[str]:
    """The projects that use all of several things."""
    return set.intersection(*({s.id for s in users.scopes} for users in found))


def _absent(found: Sequence[Users]) -> list[str]:
    """A line on those of several things that nothing uses."""
    names = [users.name for users in found if not users.relations]
    return [f"nothing declares, imports or runs {' or '.join(names)}"] if names else []


def _traces(found: Sequence[Users]) -> list[str]:
    """A line on projects that show only traces."""
    seen: dict[str, str] = {}
    for relation in (r for users in found for r in users.traces):
        what = (
            relation.use.kind if relation.use.kind in ("settings", "indirect", "managed") else relation.use.file_class
        )
        seen.setdefault(relation.scope.id, f"{relation.scope.id} ({relation.use.path}:{relation.use.line}, {what})")
    return [f"a trace only, not counted: {', '.join(seen.values())}"] if seen else []


def _provided(found: Sequence[Users]) -> list[str]:
    """A line on registered projects that are what is asked about, or provide it: they are not counted."""
    return [f"it comes from {', '.join(s.id for s in u.providers)}, not counted here" for u in found if u.providers]


def _unread(read: Read) -> list[str]:
    rows = [f"{scope}: {path} ({reason})" if path else f"{scope} ({reason})" for scope, path, reason in read.unread]
    more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
    return [f"not read: {'; '.join(rows[:3])}{more}"] if rows else []


def _counted(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _scored(places: Sequence[Relation]) -> ScoredScope:
    terms = tuple(f"{r.use.how} {r.to} {r.use.path}:{r.use.line}" for r in places[:HITS_A_FILE])
    score = max(WORTH[r.use.how] for r in places)
    return ScoredScope(places[0].scope, score, (Signal("relation", score, 1.0, terms),))


# ---- the answer


def answer(told: Told, view: View, files: int, budget: int, took_ms: dict[str, float], stamp: Stamping) -> Answer:
    """The cited answer, or the abstention."""
    route = told.route
    if route.reason is not None:
        text = assemble.abstained(route, budget)
        return Answer(route, "abstained", (), route.reason, route.advice, text, assemble.estimate(text), took_ms)
    scopes = tuple(_of_scope(scored, told.relations, view, files, stamp) for scored in route.selected)
    text = _text(told, scopes, budget)
    relations = tuple(r.told for r in told.relations)
    return Answer(route, "related", scopes, None, None, text, assemble.estimate(text), took_ms, relations)


def _of_scope(
    scored: ScoredScope, relations: Sequence[Relation], view: View, files: int, stamp: Stamping
) -> ScopeAnswer:
    mine = [r for r in relations if r.scope.id == scored.scope.id]
    places = [(r.use.path, r.use.line) for r in mine]
    lines = view.snapshot(scored.scope.id).lines(places[: files * HITS_A_FILE])
    hits = tuple(
        Hit("code", path, line, line, lines.get((path, line), ""), WORTH[r.use.how], heading=_how(r))
        for r, (path, line) in zip(mine, places, strict=True)
        if (path, line) in lines
    )
    return ScopeAnswer(scored, stamp(scored.scope, hits), hits, None if hits else "its lines are not in the index")


def _how(relation: Relation) -> str:
    use = relation.use
    what = relation.to if relation.target is None or relation.to == use.name else f"{use.name} of {relation.to}"
    detail = ", ".join(part for part in (use.detail, use.kind) if part)
    return f"{use.how} {what} ({detail})"


def _text(told: Told, scopes: Sequence[ScopeAnswer], budget: int) -> str:
    """The headline and notes; then the first citation of each project, so that none is dropped; then the others."""
    names = ", ".join(s.scope.scope.id for s in scopes)
    head = f"ENUMERATED -> {names}" if told.route.mode == "set" else ""
    lines = (*([head] if head else []), told.headline, *told.notes)
    parts = [assemble.clip("\n".join(map(assemble.visible, lines)), budget)]
    left = budget - assemble.estimate(parts[0])
    depth = max((len(s.hits) for s in scopes), default=0)
    for nth in range(depth):
        for scope in scopes:
            if nth < len(scope.hits):
                block = _citation(scope, scope.hits[nth])
                cost = assemble.estimate("\n\n" + block)
                if cost <= left:
                    parts.append(block)
                    left -= cost
    return "\n\n".join(parts)


def _citation(scope: ScopeAnswer, hit: Hit) -> str:
    place = f"{scope.scope.scope.id}: {hit.path}:{hit.line_start}-{hit.line_end}  {hit.heading}"
    return f"{assemble.visible(place)}\n{assemble.clipped(hit.text)}"
