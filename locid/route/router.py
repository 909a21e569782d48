"""The router: reads the passages' evidence, then chooses or abstains by fixed rules, in this order.

group     what a group leaves out or makes weigh less, around all that follows           -> policy.py
set       it asks which of several projects do something -> each that says enough of it by itself, eight at most
named     the question says a scope's name and the name is that scope's own          -> it leads
symbol    it asks about a name of the code ("what calls X?") that one scope holds, or none -> that, or abstain
cwd       the scope it stands in leads, unless another's evidence is clearly better  -> docs/routing.md
deictic   it points (this, here, we …) and stands nowhere                            -> abstain
ambiguous three words or fewer, which meet in most of the scopes, stands nowhere     -> abstain
gate      too little of it meets in one passage, nor in one commit message           -> abstain, no_evidence
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from locid.registry import identity
from locid.route import abstain, policy, scoring
from locid.route.policy import OPEN, Bounds
from locid.route.question import mentions, parse
from locid.route.scoring import Strength
from locid.route.thresholds import COVERED, DEFAULTS, Thresholds
from locid.values import PassageSource, Question, Route, Scope, ScoredScope, Signal

ALIAS, CWD = 6.0, 4.0
OWN_NAME = 2.5  # a name is its scope's own when it is e^2.5 = 12 times likelier there than elsewhere
LEADS, POINTED, COMMON, EVERYONES = 0.58, 0.5, 0.5, 1 / 3  # least m(cwd) / m(best other) for the place to lead
KEPT, STAYS = 0.7, 0.45  # a scope is returned from this share of the best m; the place from this ratio
FEW_WORDS = 3
EVERYWHERE = 0.9
MEET_OF_TWO, MEET_OF_THREE = 2 / 3, 1 / 2
MOST = 3
OF_MANY, MOST_OF_MANY = 0.8, 8  # of the floor that each scope of a set must reach by itself; how many are returned


@dataclass(frozen=True, slots=True)
class Ground:
    """All that the rules look at."""

    question: Question
    strengths: Mapping[str, Strength]
    holders: Mapping[str, tuple[str, ...]]
    scopes: Mapping[str, Scope]
    named: tuple[str, ...]
    place: str | None
    alike: bool  # some name is like one of the question's that nothing holds
    thresholds: Thresholds = DEFAULTS

    @property
    def holding(self) -> tuple[str, ...]:
        """The scopes that hold the name which the question asks about."""
        return tuple(id for id in self.holders.get(self.question.subject or "", ()) if id in self.strengths)

    @property
    def unknown(self) -> bool:
        """Whether it asks about a name that nobody holds, nor one like it, however well its parts are known."""
        return self.question.subject is not None and not self.holding and not self.alike

    @property
    def few(self) -> bool:
        """Whether the question has three weighed words or fewer."""
        return len(self.question.weighed) <= FEW_WORDS

    @property
    def common(self) -> bool:
        """Whether its few words are all held by nine scopes in ten."""
        least = EVERYWHERE * len(self.scopes)
        return self.few and len(self.scopes) > 1 and all(len(h) >= least for h in self.holders.values())

    @property
    def everyones(self) -> bool:
        """Whether its few common words also meet in one passage in most scopes; two meet by chance more often than three."""
        met = sum(s.evidence.coverage >= COVERED for s in self.strengths.values())
        least = MEET_OF_TWO if len(self.question.weighed) < FEW_WORDS else MEET_OF_THREE
        return self.common and met > least * len(self.strengths)


History = Callable[[], PassageSource]


def route(
    text: str,
    cwd: str | None,
    scopes: Sequence[Scope],
    source: PassageSource,
    history: History | None = None,
    limits: Bounds = OPEN,
    thresholds: Thresholds = DEFAULTS,
) -> Route:
    """Where a question belongs, or why it belongs nowhere; `history` is read only when the files do not answer."""

    question = parse(text)
    alternatives = [parse(part) for part in question.alternatives]

    def by_rules(cwd: str | None, scopes: Sequence[Scope], demoted: frozenset[str]) -> Route:
        survey = partial(_survey, scopes=scopes, demoted=demoted, thresholds=thresholds)
        if alternatives:
            return _enumerated(text, [survey(part, None, source=source) for part in alternatives])
        return _by_rules(partial(survey, question, cwd), source, history)

    return policy.route(limits, cwd, scopes, by_rules)


def _enumerated(text: str, grounds: Sequence[Ground]) -> Route:
    """Every scope that says enough of a part of the question by itself, however far it is behind the best."""
    found: dict[str, tuple[float, Ground]] = {}  # scope -> g of the part that it says most of, and that part
    for ground in grounds:
        least = replace(ground.thresholds, floor=OF_MANY * ground.thresholds.floor)
        for id, strength in ground.strengths.items():
            coverage = strength.evidence.coverage
            g = scoring.g(ground.question, coverage)
            if least.passes(g, coverage) and (id not in found or g > found[id][0]):
                found[id] = g, ground
    first = grounds[0]
    if not found:
        scopes = list(first.scopes.values())
        return abstain.no_evidence(text, _shown(first, {}), first.holders, scopes, None)
    ranked = sorted(found, key=lambda id: (-found[id][0], id))[:MOST_OF_MANY]
    return Route(text, "set", tuple(_scored(found[id][1], id, {}) for id in ranked), _shown(first, {}))


def _by_rules(survey: Callable[..., Ground], source: PassageSource, history: History | None) -> Route:
    ground = survey(source=source)
    found = _by_files(ground)
    if found.reason != "no_evidence" or history is None or ground.unknown:
        return found
    past = survey(source=history())
    return _chosen(past, _ranked(past, past.strengths), {}) if _enough(past) else found


def gate(text: str, scopes: Sequence[Scope], source: PassageSource) -> tuple[float, float]:
    """g and the best coverage: what the gate sees of a question."""
    question = parse(text)
    coverage = source.coverage(question, scopes)
    return scoring.g(question, coverage), coverage


def _by_files(ground: Ground) -> Route:
    """The rules in their order."""
    named = [id for id in ground.named if _by_hand(ground, id) or _its_own(ground, id)]
    if named:
        return _chosen(ground, _ranked(ground, named), {"alias": named})
    if len(ground.holding) == 1:
        return _chosen(ground, list(ground.holding), {"symbol": list(ground.holding)})
    if ground.unknown:
        return abstain.unknown_name(ground.question.text, ground.question.subject or "", _shown(ground, {}))
    if ground.place is not None:
        return _standing(ground)
    if ground.question.pointing and (ground.few or not _enough(ground)):
        return abstain.deictic(ground.question.text, _shown(ground, {}))
    if ground.everyones:
        scopes = list(ground.scopes.values())
        return abstain.ambiguous(ground.question.text, _shown(ground, {}), ground.holders, scopes)
    return _gated(ground, _ranked(ground, ground.strengths), {})


def _survey(
    question: Question,
    cwd: str | None,
    scopes: Sequence[Scope],
    source: PassageSource,
    demoted: frozenset[str],
    thresholds: Thresholds,
) -> Ground:
    known = {s.id: s for s in scopes}
    longer = [s.id for s in scopes if "/" in s.id and mentions(question.text, s.id)]
    names = {s.id: _name(_without(question.text, longer, s.id), s, source) for s in scopes}
    said = {id: weight for id, weight in names.items() if weight is not None}
    place = identity.deepest(cwd, scopes) if cwd else None
    holders = {t: tuple(id for id in ids if id in known) for t, ids in source.holders(question).items()}
    must = {*said, *holders.get(question.subject or "", ())[:MOST], *([place.id] if place else [])}
    evidence = source.evidence(question, scopes, must)
    said = {id: weight for id, weight in said.items() if id in evidence}
    return Ground(
        question=question,
        strengths=policy.demoted(scoring.strengths(evidence, said, source.rarity(question)), demoted),
        holders=holders,
        scopes=known,
        named=tuple(sorted(said)),
        place=place.id if place and place.id in evidence else None,
        alike=question.subject is not None and source.alike(question, scopes),
        thresholds=thresholds,
    )


def _without(text: str, ids: Sequence[str], own: str) -> str:
    """The text without the ids of other scopes: who says `shop/api` says neither `shop` nor `api`."""
    for id in sorted(ids, key=len, reverse=True):
        if id != own:
            text = re.sub(re.escape(id), " ", text, flags=re.IGNORECASE)
    return text


def _name(text: str, scope: Scope, source: PassageSource) -> float | None:
    said = [n for n in identity.names_of(scope) if mentions(text, n)]
    return max((source.ownness(scope.id, n) for n in said), default=None)


def _its_own(ground: Ground, id: str) -> bool:
    """A name counts that is its scope's own, unless it is said in a place whose evidence is much better."""
    here = ground.strengths[ground.place].m if ground.place is not None else 0.0
    return ground.strengths[id].name >= OWN_NAME and ground.strengths[id].m >= LEADS * here


def _by_hand(ground: Ground, id: str) -> bool:
    """An alias that its owner gave needs no proof, nor an id such as `shop/api` that is not part of a longer path."""
    text = ground.question.text
    whole = "/" in id and re.search(rf"(?<![\w./-]){re.escape(id)}(?![\w/-]|\.\w)", text, re.IGNORECASE)
    return bool(whole) or any(mentions(text, a) for a in ground.scopes[id].aliases)


def _standing(ground: Ground) -> Route:
    """The rule of the place: docs/routing.md has what it measured."""
    place = ground.place
    assert place is not None
    others = [s.m for id, s in ground.strengths.items() if id != place]
    rho = ground.strengths[place].m / max([*others, 1e-9])
    pointing = ground.question.pointing
    leads = rho >= _least(ground)
    ranked = [id for id in _ranked(ground, ground.strengths) if id != place]
    if leads or pointing or rho >= STAYS:
        ranked.insert(0 if leads else 1, place)
    forced = {"cwd": [place]} if leads else {}
    if pointing and leads:
        return _chosen(ground, ranked[:1] if ground.few else ranked, forced)
    return _gated(ground, ranked, forced)


def _least(ground: Ground) -> float:
    """The least m(cwd) / m(best other) at which the place leads: the less the question says, the less it takes."""
    if ground.question.pointing:
        return 0.0 if ground.few else POINTED
    if ground.everyones:
        return EVERYONES
    return COMMON if ground.common else LEADS


def _gated(ground: Ground, ranked: list[str], forced: Mapping[str, list[str]]) -> Route:
    if _enough(ground):
        return _chosen(ground, ranked, forced)
    scopes = list(ground.scopes.values())
    return abstain.no_evidence(ground.question.text, _shown(ground, {}), ground.holders, scopes, ground.place)


def _enough(ground: Ground) -> bool:
    g, coverage = scoring.gate(ground.question, ground.strengths)
    return bool(ground.question.weighed) and ground.thresholds.passes(g, coverage)


def _ranked(ground: Ground, ids: Sequence[str] | Mapping[str, Strength]) -> list[str]:
    return sorted(ids, key=lambda id: (-ground.strengths[id].logit, id))


def _chosen(ground: Ground, ranked: list[str], forced: Mapping[str, list[str]]) -> Route:
    """The leader, and who comes near it."""
    best = max((s.m for s in ground.strengths.values()), default=0.0)
    keep = set().union(*forced.values()) if forced else set()
    chosen = [
        id
        for place, id in enumerate(ranked)
        if place == 0 or id in keep or id == ground.place or ground.strengths[id].m >= KEPT * best
    ][:MOST]
    shown = _shown(ground, forced)
    by_id = {s.scope.id: s for s in shown}
    return Route(ground.question.text, "one", tuple(by_id[id] for id in chosen), shown)


def _shown(ground: Ground, forced: Mapping[str, list[str]]) -> tuple[ScoredScope, ...]:
    scored = [_scored(ground, id, forced) for id in ground.strengths]
    return tuple(sorted(scored, key=lambda s: (-s.score, s.scope.id)))


def _scored(ground: Ground, id: str, forced: Mapping[str, list[str]]) -> ScoredScope:
    s = ground.strengths[id]
    terms = tuple(t for t, ids in ground.holders.items() if id in ids)
    signals = [Signal("evidence", s.shown, 1.0, terms, s.evidence.passages[0] if s.evidence.passages else None)]
    signals += [Signal("coverage", s.evidence.coverage, 0.0), Signal("share", s.probability, 0.0)]
    if s.name:
        signals.append(Signal("name", s.name, 0.0))
    boosts = [
        Signal(name, 1.0, weight)
        for name, weight in (("alias", ALIAS), ("symbol", ALIAS), ("cwd", CWD))
        if id in forced.get(name, ())
    ]
    score = s.shown + sum(b.weight for b in boosts)
    return ScoredScope(ground.scopes[id], score, (*boosts, *signals))


def log_share(scored: ScoredScope) -> float:
    """How likely the scope is, as a natural logarithm of at least -20: what a citation of it is weighed by."""
    share = next((s.value for s in scored.signals if s.name == "share"), 0.0)
    return max(-20.0, math.log(share)) if share > 0 else -20.0
