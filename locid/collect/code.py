"""Source text -> passages along its definitions. Pure.

A passage begins at a definition (of the top, of a class, or one function deep) once 6 lines have passed since the last
began, or sooner where that one would have to be cut, and ends after 40 lines or 2,000 characters at the latest: there it
is cut at an inner definition or after a function, if one begins or ends in its last lines, else after a blank line, else
where it stands. A function that fits into a passage is never cut. Passages do not overlap; blank lines at their ends are
dropped, so each other line is in exactly one. A line longer than 2,000 characters is a passage of its own, cut into
pieces.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from locid.chunk import Builder
from locid.syntax import FUNCTIONS, Definition

MIN_LINES = 6
MAX_LINES = 40
MAX_CHARS = 2000
MAX_PIECES = 8  # of one overlong line; what comes after is data
_CUT_DEPTH = 1  # definitions as deep as this begin passages: methods, but not functions inside them
_MIN_CUT = 10  # lines that a forced cut leaves at least
_MAX_NAMES = 64


@dataclass(frozen=True, slots=True)
class Span:
    """Lines `start` (0-based) up to `end` (exclusive), the first of which begins at the character `at`."""

    start: int
    end: int
    at: int


def passages(builder: Builder, lines: Sequence[str], defs: Sequence[Definition]) -> None:
    """Adds the passages of a source to the builder."""
    labels = _Labels(defs)
    for span in spans(lines, defs):
        start, end = span.start + 1, span.end
        symbol, names = labels.of(start, end)
        for piece in pieces("\n".join(lines[span.start : span.end])):
            builder.add(piece, start, end, symbol=symbol, names=names, at=span.at)


def pieces(text: str, overlap: int = 0) -> Iterator[str]:
    """The text whole, or an overlong line in pieces of 2,000 characters."""
    if len(text) <= MAX_CHARS or "\n" in text:
        yield text
        return
    step = MAX_CHARS - overlap
    for at in range(0, min(len(text), MAX_PIECES * step), step):
        if piece := text[at : at + MAX_CHARS].strip():
            yield piece


def spans(lines: Sequence[str], defs: Sequence[Definition]) -> Iterator[Span]:
    """Where to cut, in order; without blank lines at either end."""
    at, total = 0, len(lines)
    offsets = list(accumulate((len(line) + 1 for line in lines), initial=0))
    cuts, inner = _places(offsets, defs)
    while (at := _skip_blank(lines, at)) < total:
        limit = _limit(offsets, at)
        found = bisect_left(cuts, at + MIN_LINES)
        end = cuts[found] if found < len(cuts) else total
        if _trim(lines, at, end) > limit:
            end = _whole(cuts, at, limit) or _cut(lines, at, limit, inner)
        yield Span(at, _trim(lines, at, end), offsets[at])
        at = end


def _places(offsets: Sequence[int], defs: Sequence[Definition]) -> tuple[list[int], list[int]]:
    """Where passages begin, and where else one is best cut: nowhere inside a function that fits into a passage."""
    cuts: set[int] = set()
    inner: set[int] = set()
    closed = 0  # the line after the last function that fits
    for d in defs:
        first, last = d.line_start - 1, min(d.line_end, len(offsets) - 1)
        if d.small or first < closed:
            continue
        (cuts if d.depth <= _CUT_DEPTH else inner).add(first)
        if d.kind in FUNCTIONS and last - first <= MAX_LINES and offsets[last] - offsets[first] <= MAX_CHARS:
            closed = last
            inner.add(closed)
    return sorted(cuts), sorted(inner)


def _whole(cuts: Sequence[int], at: int, limit: int) -> int | None:
    """A definition that begins too soon after `at` to begin a passage, when it would else be cut in two; or None."""
    found = bisect_right(cuts, at)
    last = bisect_left(cuts, min(at + MIN_LINES, limit)) - 1
    return cuts[last] if last >= found else None


def _skip_blank(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and (not lines[at] or lines[at].isspace()):
        at += 1
    return at


def _trim(lines: Sequence[str], start: int, end: int) -> int:
    while end > start + 1 and (not lines[end - 1] or lines[end - 1].isspace()):
        end -= 1
    return end


def _limit(offsets: Sequence[int], at: int) -> int:
    """The end of the longest passage from here, by where lines begin in the text; one line at least."""
    highest = min(at + MAX_LINES, len(offsets) - 1)
    return max(at + 1, bisect_right(offsets, offsets[at] + MAX_CHARS + 1, at + 1, highest + 1) - 1)


def _cut(lines: Sequence[str], at: int, limit: int, inner: Sequence[int]) -> int:
    """Where a passage that must end by `limit` ends best."""
    least = at + min(_MIN_CUT, limit - at)
    if limit >= len(lines):
        return limit
    found = bisect_right(inner, limit) - 1
    if found >= 0 and inner[found] > least:
        return inner[found]
    for end in range(limit, least, -1):
        if not lines[end - 1] or lines[end - 1].isspace():
            return end
    return limit


class _Labels:
    """Which definitions a range of lines holds or lies in."""

    def __init__(self, defs: Sequence[Definition]) -> None:
        self.defs = defs
        self.starts = [d.line_start for d in defs]
        self.open: list[Definition] = []
        self.next = 0

    def of(self, start: int, end: int) -> tuple[str, tuple[str, ...]]:
        """(symbol, names) of lines `start` to `end`, 1-based; ranges come in order.

        The symbol is the innermost definition around all of them, else the largest that begins in them, else the one
        that they begin in. Names are those of what begins here, after those of what is open at the start.
        """
        while self.next < len(self.defs) and self.defs[self.next].line_start < start:
            self.open.append(self.defs[self.next])
            self.next += 1
        self.open = [d for d in self.open if d.line_end >= start]
        inside = self.defs[self.next : bisect_right(self.starts, end)]
        around = [d for d in self.open if d.line_start < start and not d.small]
        owners = [d.parent.rpartition(".")[2] for d in inside if d.parent and d.depth == 0]  # Go's receivers
        names = dict.fromkeys([d.name for d in around] + owners + [d.name for d in inside])
        return self._symbol(around, inside, start, end), tuple(names)[:_MAX_NAMES]

    @staticmethod
    def _symbol(around: list[Definition], inside: Sequence[Definition], start: int, end: int) -> str:
        whole = [d for d in around if d.line_end >= end]
        if whole and not any(d.line_end - d.line_start >= (end - start) // 2 for d in inside):
            return whole[-1].qualified
        large = [d for d in inside if not d.small] or inside
        if large:
            return max(large, key=lambda d: (d.kind != "module", min(d.line_end, end) - d.line_start)).qualified
        return (whole or around)[-1].qualified if around else ""
