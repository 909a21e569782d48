"""The entry: a text without its secrets. Pure.

Three steps, each behind a cheap test on bytes, because patterns alone cost forty times as much over clean text:
private-key blocks, tokens that are known by their shape, and opaque values that are given to a name that says secret.
No pattern tries again inside what it has scanned, so that a hostile line costs linear time. When in doubt a value is
redacted; code, placeholders and plain words are not in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from locid.redact import assigned, kinds, manifests, values
from locid.redact.blocks import redact_blocks
from locid.redact.kinds import Rule
from locid.redact.values import MARK

KINDS = tuple(sorted({*kinds.KINDS, *assigned.KINDS, "private_key"}))
_PASSES = 6  # until nothing changes; two are the rule
_MARKED = re.compile(re.escape(MARK) + r"\w+\]")
_SHORTEST = 8  # characters of a text in which a secret could stand
_JOINT = "\n\0\n"  # no pattern crosses it
_SILENT = bytes(i for i in range(128) if chr(i).isalnum() or chr(i) in f"_-.{_JOINT}")  # they give no name a value


class Redacted(NamedTuple):
    """A text without secrets, made here only, and (kind, count) pairs of what stood in it."""

    text: str
    found: tuple[tuple[str, int], ...] = ()

    def holds(self, piece: str, at: int) -> bool:
        """Whether the piece is a part of the text, from that character on: then it holds no secret either."""
        return self.text.startswith(piece, at)


def redact(text: str) -> Redacted:
    """The text without its secrets, of as many lines; a second time nothing changes."""
    counts: dict[str, int] = {}
    for _ in range(_PASSES):
        before, text = text, _once(text, counts)
        if text == before:
            break
    return Redacted(text, tuple(counts.items()))


def unmarked(text: str) -> str:
    """A redacted text with a blank for each secret."""
    return _MARKED.sub(" ", text)


def redact_all(texts: Sequence[str]) -> list[Redacted]:
    """Each text redacted: in one call where nothing is found, since a call costs more than the characters."""
    if holds_nothing(texts):
        return [Redacted(text) for text in texts]
    return [redact(text) for text in texts]


def holds_nothing(texts: Sequence[str]) -> bool:
    """Whether there is nothing to redact in any of the texts."""
    joined = _JOINT.join(texts)
    raw = joined.encode("ascii", "replace")
    if raw.translate(None, _SILENT):
        return not redact(joined).found
    return len(raw) < kinds.SHORTEST_RUN or not kinds.by_runs(raw)  # words and lines, with no sign between them


def _once(text: str, counts: dict[str, int]) -> str:
    if len(text) < _SHORTEST:
        return text
    raw = text.encode("ascii", "replace")  # a sign for a character, so that places are those of the text
    low = raw.lower()
    before = text
    if b"PRIVATE KEY" in raw:
        text, found = redact_blocks(text, f"{MARK}private_key]")
        _count(counts, "private_key", found)
    for rule in kinds.suspected(raw, low):
        text = _apply(rule, text, counts)
    if text is not before:
        low = text.encode("ascii", "replace").lower()
    places = assigned.places(low)
    if any(low.endswith(manifests.KIND, max(0, place - 7), place) for place in places):
        text, found = manifests.redact_manifests(text, f"{MARK}secret]")
        _count(counts, "secret", found)
        places = assigned.places(text.encode("ascii", "replace").lower())
    return _assign(text, places, counts) if places else text


def _apply(rule: Rule, text: str, counts: dict[str, int]) -> str:
    """The text with what the rule finds replaced."""
    group: str | int = "v" if "v" in rule.pattern.groupindex else 0

    def replace(match: re.Match[str]) -> str:
        user = match.groupdict().get("user")
        if not rule.accept(match[group]) or (user is not None and values.sample(user, match[group])):
            return match[0]
        _count(counts, rule.kind, 1)
        at = match.start()
        return f"{match[0][: match.start(group) - at]}{MARK}{rule.kind}]{match[0][match.end(group) - at :]}"

    return rule.pattern.sub(replace, text)


def _assign(text: str, places: list[int], counts: dict[str, int]) -> str:
    """The text with opaque values replaced where a name that says secret is given one; the name stays."""
    out: list[str] = []
    at = 0
    for place in places:
        found = assigned.secret_at(text, place) if place >= at else None
        if found is None:
            continue
        _count(counts, found.kind, 1)
        out += [text[at : found.start], f"{MARK}{found.kind}]"]
        at = found.end
    return "".join([*out, text[at:]]) if out else text


def _count(counts: dict[str, int], kind: str, found: int) -> None:
    if found:
        counts[kind] = counts.get(kind, 0) + found
