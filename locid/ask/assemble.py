"""The answer's text as a model should read it, never above its token budget. Pure.

One line says where it routed and why; then citations `path:start-end` with the verbatim lines that matter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from locid import tokenizer
from locid.values import Hit, Question, Route, ScopeAnswer, ScoredScope, Stamp

BYTES_A_TOKEN = 4
LINES_A_HIT = 12
HIT_SHARE = 0.35  # of the budget, at most, for one citation
LINE_CHARS = 240
CONTROLS = {c: 0x2400 + c for c in range(32) if c != 9} | dict.fromkeys([*range(0x7F, 0xA0)], "\ufffd")
LEAST = 40  # tokens; less than that holds no citation


def estimate(text: str) -> int:
    """Tokens of a text, at four bytes each, rounded up."""
    return -(-len(text.encode("utf-8", "surrogateescape")) // BYTES_A_TOKEN)


def answered(route: Route, answers: Sequence[ScopeAnswer], question: Question, budget: int) -> str:
    """The text of an answer: a heading a scope, then citations in one order over all scopes until the budget ends."""
    parts = [clip(_headline(answers), budget)]
    left = budget - estimate(parts[0])
    ranked = sorted(((h, a) for a in answers for h in a.hits), key=lambda pair: -pair[0].score)
    several = sum(bool(a.hits) for a in answers) > 1
    for hit, answer in ranked:
        if left < LEAST:
            break
        block = _citation(hit, answer.scope, question, several, int(budget * HIT_SHARE))
        cost = estimate("\n\n" + block)
        if cost > left or "\n" not in block:  # no room for a line of it: a bare place is no citation
            continue
        parts.append(block)
        left -= cost
    return "\n\n".join(parts)


def abstained(route: Route, budget: int) -> str:
    """The text of an abstention: reason, advice, shortlist."""
    lines = [f"ABSTAINED ({route.reason}): {route.advice}"]
    lines += [f"  {c.id} ({', '.join(c.terms)})" for c in route.candidates]
    return clip("\n".join(lines), budget)


def stamp_line(stamp: Stamp) -> str:
    """Commit, branch and state in a few characters."""
    if stamp.commit is None:
        return f"generation {stamp.generation}"
    where = f"{stamp.commit[:10]}" + (f" on {stamp.branch}" if stamp.branch else "")
    return where + (", with changes" if stamp.dirty else "") + (", changed since" if stamp.stale else "")


def why(scored: ScoredScope) -> str:
    """Why a scope was chosen, in a few words."""
    names = {s.name for s in scored.signals if s.weight > 1.0}
    if "alias" in names:
        return "named in the question"
    if "cwd" in names:
        return "you are in it"
    terms = next((s.terms for s in scored.signals if s.name == "evidence"), ())
    return f"it holds {', '.join(terms[:6])}" if terms else "best passages"


def _headline(answers: Sequence[ScopeAnswer]) -> str:
    first = answers[0]
    line = f"{first.scope.scope.id} ({why(first.scope)}; {stamp_line(first.stamp)}; {first.scope.scope.root})"
    others = [a.scope.scope.id for a in answers[1:] if a.hits]
    if others:
        line += "; also " + ", ".join(others)
    notes = [f"{a.scope.scope.id}: {a.note}" for a in answers if a.note]
    return "\n".join(visible(text) for text in (line, *notes))


def _citation(hit: Hit, scored: ScoredScope, question: Question, several: bool, budget: int) -> str:
    start, lines = excerpt(hit.text, set(question.tokens), LINES_A_HIT)
    prefix = f"{scored.scope.id}: " if several else ""
    if hit.path is None:
        head = f"{prefix}commit {(hit.commit or '')[:10]}"
    else:
        first = hit.line_start + start
        head = f"{prefix}{hit.path}:{first}-{first + len(lines) - 1}"
        head += f"  {hit.symbol or hit.heading}" if hit.symbol or hit.heading else ""
    return clip("\n".join([visible(head), *(clipped(line) for line in lines)]), budget)


def visible(text: str) -> str:
    """The text with its control characters shown, so that no file's name or content drives a terminal."""
    return text.translate(CONTROLS)


def clipped(line: str) -> str:
    """The line as a terminal may print it: control characters shown, not obeyed; a long one ends in an ellipsis."""
    shown = visible(line)
    return shown if len(shown) <= LINE_CHARS else shown[: LINE_CHARS - 1] + "…"


def excerpt(text: str, tokens: Collection[str], most: int) -> tuple[int, list[str]]:
    """The run of at most `most` lines that holds most of the tokens: its offset, and the lines; blank ends are cut."""
    lines = text.split("\n")
    weight = [len(set(tokenizer.tokens(line)) & set(tokens)) for line in lines]
    size = min(most, len(lines))
    best = max(range(len(lines) - size + 1), key=lambda i: (sum(weight[i : i + size]), -i))
    end = best + size
    while end > best + 1 and not lines[end - 1].strip():
        end -= 1
    while best < end - 1 and not lines[best].strip():
        best += 1
    return best, lines[best:end]


def clip(text: str, budget: int) -> str:
    """The text, cut at a line's end where it is over the budget."""
    if estimate(text) <= budget:
        return text
    kept: list[str] = []
    left = budget
    for line in text.split("\n"):
        left -= estimate(line + "\n")
        if left < 0:
            break
        kept.append(line)
    return "\n".join(kept)
