"""What the passages say of each scope, as comparable numbers. Pure.

E(s)      = (best passage + 0.5 x mean of the best five) / sqrt(rarity of the question)
logit(s)  = 1.65 E(s) + 0.8 x ownness of the scope's name, where the question says it - 0.6 ln(chunks)
m(s)      = the mean of three ratios to the best scope: coverage, best passage, mean of the best five
g         = coverage x sqrt(number of distinct weighed words), the gate
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from locid.values import Evidence, Question

EVIDENCE, MEAN_SHARE, NAME, SIZE = 1.65, 0.5, 0.8, 0.6
SMALL = 300  # chunks: below that a scope's size says nothing of how likely a chance match is
EVIDENCE_TOP = 1.5  # fused evidence lies in 0..1.5, so that alias 6.0 and cwd 4.0 keep their meaning
TEMPERATURE = 2.0  # of the evidence that is shown: a scope one logit below the best shows 0.61 of it


@dataclass(frozen=True, slots=True)
class Strength:
    """What is known of one scope for one question."""

    evidence: Evidence
    name: float  # ownness of the scope's name, when the question says it
    logit: float
    m: float
    probability: float  # softmax of the logits
    shown: float  # 0..1.5


def strengths(evidence: Mapping[str, Evidence], names: Mapping[str, float], rarity: float) -> dict[str, Strength]:
    """Each scope's strength, by id."""
    if not evidence:
        return {}
    logits = {id: _logit(e, names.get(id, 0.0), rarity) for id, e in evidence.items()}
    top, likely, ratios = max(logits.values()), softmax(logits), _ratios(evidence)
    return {
        id: Strength(
            evidence=e,
            name=names.get(id, 0.0),
            logit=logits[id],
            m=ratios[id],
            probability=likely[id],
            shown=EVIDENCE_TOP * math.exp((logits[id] - top) / TEMPERATURE),
        )
        for id, e in evidence.items()
    }


def softmax(logits: Mapping[str, float]) -> dict[str, float]:
    """Each one's share of the whole."""
    top = max(logits.values())
    exponentials = {id: math.exp(logit - top) for id, logit in logits.items()}
    whole = sum(exponentials.values())
    return {id: each / whole for id, each in exponentials.items()}


def gate(question: Question, strengths: Mapping[str, Strength]) -> tuple[float, float]:
    """g and the best coverage over the scopes."""
    coverage = max((s.evidence.coverage for s in strengths.values()), default=0.0)
    return g(question, coverage), coverage


def g(question: Question, coverage: float) -> float:
    """What the gate compares with the floor."""
    return coverage * math.sqrt(len(question.weighed))


def _logit(e: Evidence, name: float, rarity: float) -> float:
    strength = (e.best + MEAN_SHARE * e.mean) / math.sqrt(max(rarity, 1.0))
    return EVIDENCE * strength + NAME * name - SIZE * math.log(max(e.chunks, SMALL))


def _ratios(evidence: Mapping[str, Evidence]) -> dict[str, float]:
    tops = [max(max(part(e) for e in evidence.values()), 1e-9) for part in _PARTS]
    return {
        id: sum(part(e) / top for part, top in zip(_PARTS, tops, strict=True)) / len(_PARTS)
        for id, e in evidence.items()
    }


_PARTS: tuple[Callable[[Evidence], float], ...] = (lambda e: e.coverage, lambda e: e.best, lambda e: e.mean)
