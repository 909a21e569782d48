"""Prose -> passages on heading boundaries, with the path of headings above each. Pure.

Markdown (ATX and setext headings, fences, front matter), reStructuredText (underlines with or without overline), plain
text (underlines), AsciiDoc and Org. A section longer than 40 lines or 2,000 characters is cut after a blank line if it
can be; a cut passage takes up the last line of the one before when that has 80 characters or less. Left out: sections
with nothing below their heading, stubs, and lists of links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from locid.chunk import Builder
from locid.collect.classes import extension
from locid.collect.code import MAX_CHARS, MAX_LINES, pieces

OVERLAP = 80  # characters
MIN_TEXT = 24  # letters and digits that a passage has at least, its heading included
_MAX_TITLE = 200
_MAX_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: the lines it takes (0-based, end exclusive), its level from 1, its text."""

    start: int
    end: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class _Section:
    start: int
    body: int  # where the text below the heading begins
    end: int
    path: tuple[str, ...]


# ---- headings, a finder per markup -----------------------------------------------------------------------------------

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#*[ \t]*)?$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_NO_TITLE = re.compile(r"\s*(?:[-*+>|#]|\d+[.)]\s|$)")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_ADOC = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)$")
_ADOC_BLOCK = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|/{4,}|\+{4,}|`{3,})\s*$")
_ORG = re.compile(r"(\*{1,8})[ \t]+(\S.*)$")


def _markdown(lines: Sequence[str]) -> Iterator[Heading]:
    fence = ""
    for i in range(_front_matter(lines), len(lines)):
        line = lines[i]
        if mark := _FENCE.match(line):
            fence = _toggle(fence, mark[1], line)
        elif fence:
            continue
        elif found := _ATX.match(line):
            yield Heading(i, i + 1, len(found[1]), found[2])
        elif i + 1 < len(lines) and _setext(lines, i):
            yield Heading(i, i + 2, 1 if "=" in lines[i + 1] else 2, line.strip())


def _toggle(fence: str, mark: str, line: str) -> str:
    """The open fence after a line that looks like one: it closes only one of its own kind, as long at least."""
    if not fence:
        return mark
    closes = mark[0] == fence[0] and len(mark) >= len(fence) and not line.strip().strip(mark[0])
    return "" if closes else fence


def _setext(lines: Sequence[str], i: int) -> bool:
    """A title over `===` or `---`: a paragraph of one line, not a table, list or rule."""
    under = _SETEXT.match(lines[i + 1])
    if not under or len(under[1]) < 2 or _NO_TITLE.match(lines[i]) or lines[i].startswith("    "):
        return False
    return i == 0 or not lines[i - 1].strip() or bool(_ATX.match(lines[i - 1]))


def _front_matter(lines: Sequence[str]) -> int:
    """The line after a YAML block at the top, 0 without one."""
    if lines and lines[0].rstrip() == "---":
        for i in range(1, min(len(lines), 100)):
            if lines[i].rstrip() in ("---", "..."):
                return i + 1
    return 0


def _underlined(lines: Sequence[str]) -> Iterator[Heading]:
    """reStructuredText: the order in which adornments appear gives their levels."""
    levels: dict[tuple[str, bool], int] = {}
    i = 1
    while i < len(lines):
        over = _is_overlined(lines, i)
        if over or _is_underlined(lines, i):
            key = (lines[i][0], over)
            level = levels.setdefault(key, len(levels) + 1)
            yield Heading(i - 2 if over else i - 1, i + 1, level, lines[i - 1].strip())
            i += 2
        else:
            i += 1


def _is_underlined(lines: Sequence[str], i: int) -> bool:
    title = lines[i - 1].rstrip()
    if not _ADORNMENT.match(lines[i]) or not title or title[0].isspace() or _ADORNMENT.match(title):
        return False
    if len(lines[i].rstrip()) < min(len(title), 4) or (i + 1 < len(lines) and _table_row(lines[i + 1], title)):
        return False
    return i < 2 or not lines[i - 2].strip() or lines[i - 2].startswith("..")


def _table_row(following: str, title: str) -> bool:
    """`+---+` and the like are tables, caught by their first character; nothing else looks like one."""
    return title.startswith(("+", "|")) and following.startswith(("+", "|"))


def _is_overlined(lines: Sequence[str], i: int) -> bool:
    if i < 2 or not _ADORNMENT.match(lines[i]):
        return False
    title = lines[i - 1].strip()
    return bool(title) and lines[i - 2].rstrip() == lines[i].rstrip() and not _ADORNMENT.match(title)


def _prefixed(pattern: re.Pattern[str], block: re.Pattern[str] | None) -> Callable[[Sequence[str]], Iterator[Heading]]:
    """Headings that a run of marks begins; none between two lines of a block."""

    def find(lines: Sequence[str]) -> Iterator[Heading]:
        open_ = ""
        for i, line in enumerate(lines):
            if block and block.match(line):
                open_ = line.rstrip() if not open_ else "" if line.rstrip() == open_ else open_
            elif not open_ and (found := pattern.match(line)):
                yield Heading(i, i + 1, len(found[1]), found[2].strip())

    return find


_FINDERS: dict[str, Callable[[Sequence[str]], Iterator[Heading]]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx", ".mdc", ".mkd"), _markdown),
    **dict.fromkeys((".adoc", ".asciidoc"), _prefixed(_ADOC, _ADOC_BLOCK)),
    ".org": _prefixed(_ORG, None),
}


def headings(path: str, lines: Sequence[str]) -> list[Heading]:
    """Headings in order; underlines are looked for where the extension says nothing else."""
    found = list(_FINDERS.get(extension(path), _underlined)(lines))
    return [h for h in found if len(h.title) <= _MAX_TITLE]


# ---- sections --------------------------------------------------------------------------------------------------------

_LETTER = re.compile(r"[^\W_]")
_LINK_LINE = re.compile(
    r"""\s*(?:[-*+]|\d+[.)]|\|)?\s*(?:
        !?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\]|:\s*\S+)?[\s,|.·•]*      # a link or a badge, or the target of one
      | [`_<]?https?://\S+
      | \.\.\s+(?:toctree|contents|image|_[^:]+|\|)\S*.*
      | :\w+:.*
      | <(?:a|img|p|br|div|/)[^>]*>.*
    )+$""",
    re.X,
)


def passages(builder: Builder, path: str, lines: Sequence[str]) -> None:
    """Adds the passages of a document to the builder."""
    offsets = list(accumulate((len(line) + 1 for line in lines), initial=0))
    for section in _sections(lines, headings(path, lines)):
        heading = " > ".join(section.path)
        for start, end in _cuts(lines, section):
            text = "\n".join(lines[start:end])
            if _worth(text, lines[max(start, section.body) : end]):
                for piece in pieces(text, OVERLAP):
                    builder.add(piece, start + 1, end, heading=heading, names=section.path, at=offsets[start])


def _sections(lines: Sequence[str], found: list[Heading]) -> Iterator[_Section]:
    first = found[0].start if found else len(lines)
    title = _title(lines)
    if first > 0:
        yield _Section(0, 0, first, title)
    open_: list[Heading] = []
    for i, heading in enumerate(found):
        open_ = [*[h for h in open_ if h.level < heading.level][-_MAX_DEPTH:], heading]
        end = found[i + 1].start if i + 1 < len(found) else len(lines)
        yield _Section(heading.start, heading.end, end, (*title, *(h.title for h in open_)))


def _title(lines: Sequence[str]) -> tuple[str, ...]:
    """The title that front matter gives the page."""
    for line in lines[: _front_matter(lines)]:
        if line.startswith("title:") and (title := line[6:].strip().strip("\"'")):
            return (title[:_MAX_TITLE],)
    return ()


def _cuts(lines: Sequence[str], section: _Section) -> Iterator[tuple[int, int]]:
    """Ranges of at most 40 lines and 2,000 characters, without blank lines at either end."""
    at, end = _skip_blank(lines, section.start, section.end), section.end
    while at < end:
        stop = last = _stop(lines, at, end)
        while last > at + 1 and not lines[last - 1].strip():
            last -= 1
        yield at, last
        following = _skip_blank(lines, stop, end)
        repeats = following == stop < end and last - at > 1 and _may_repeat(lines, stop)
        at = following - repeats


def _skip_blank(lines: Sequence[str], at: int, end: int) -> int:
    while at < end and not lines[at].strip():
        at += 1
    return at


def _may_repeat(lines: Sequence[str], at: int) -> bool:
    """The line before a cut is short enough to begin the next passage as well, and is not blank."""
    before = lines[at - 1]
    return bool(before.strip()) and len(before) <= OVERLAP and len(before) + len(lines[at]) < MAX_CHARS


def _stop(lines: Sequence[str], at: int, end: int) -> int:
    """Where a passage from `at` ends: at the section's end, after a blank line, or where it is full."""
    chars, stop = len(lines[at]), at + 1
    while stop < end and stop - at < MAX_LINES and chars + 1 + len(lines[stop]) <= MAX_CHARS:
        chars += 1 + len(lines[stop])
        stop += 1
    if stop >= end:
        return end
    for blank in range(stop, at + (stop - at) // 2, -1):
        if blank < end and not lines[blank - 1].strip():
            return blank
    return stop


def _worth(text: str, body: Sequence[str]) -> bool:
    """False for a heading alone, a stub, or a list of links."""
    said = [line for line in body if line.strip()]
    if not said or len(_LETTER.findall(text, 0, 20 * MIN_TEXT)) < MIN_TEXT:
        return False
    linked = sum(bool(_LINK_LINE.match(line[:500])) for line in said)
    return linked < 3 or linked < 0.8 * len(said)
