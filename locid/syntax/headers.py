"""What a definition says of itself: its signature, on one line, and the first line of its documentation. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_SIGNATURE = 200
MAX_DOC = 200
_READ = 1200  # bytes of a definition that its header is looked for in
_DEEPEST = 8  # lines of a header

_ANNOTATION = re.compile(r"(?:@(?!interface\b)[\w.:]+(?:\((?:[^()]|\([^()]*\))*\))?\s+|#?\[[^\[\]]*\]\s*(?=[\w\[#@]))+")
_OPENS = re.compile(r"\{\s*$|=>\s*[({]?\s*$|=\s*$|:\s*$|\(\s*$|,\s*$")
_ENDING = re.compile(r"(?:\s*(?:\{|=>|=|:|;|\bdo|\bthen))+\s*$")
_MARKERS = re.compile(r"^\s*(?:/\*[*!]*|\*+/?|//[/!]*|#+!?|--\[=*\[|-{2,}|;+|<!--)?[ \t]?")
_MARKUP = re.compile(r"</?(?:summary|remarks|p|para)>|\*/\s*$|\]=*\]\s*$|-->\s*$")
_WORD = re.compile(r"\w{2}")


def signature(source: bytes, start: int, end: int, body: int | None) -> str:
    """The header of a definition at these bytes, whose body begins at `body` when it has one."""
    if body is not None and body > start:
        text = source[start : min(body, start + _READ)].decode("utf-8", "replace")
    else:
        text = _header(source[start : min(end, start + _READ)].decode("utf-8", "replace"))
    text = " ".join(_uncommented(text).split())
    text = _ANNOTATION.sub("", text, count=1) if text[:1] in "@#[" else text
    return _ENDING.sub("", text)[:MAX_SIGNATURE].rstrip()


def _header(text: str) -> str:
    """The first line, with those after it while a bracket is open."""
    lines = text.split("\n")[:_DEEPEST]
    for n in range(1, len(lines)):
        head = "\n".join(lines[:n])
        if head.count("(") <= head.count(")"):
            return head.partition("{")[0] if n == 1 and head.count("{") != head.count("}") else head
    return lines[0]


def _uncommented(text: str) -> str:
    """Without lines that are comments only; inside a header they are rare."""
    if "\n" not in text:
        return text
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(("//", "#", "/*", "* ", "--")))


def docstring(text: str) -> str:
    """The first line of a docstring that says something."""
    return _first(text.lstrip("rRbBuUfF").strip("\"'` \t\n").split("\n"))


def comment(blocks: Sequence[str]) -> str:
    """The first line that says something of the comments that stand above a definition."""
    return _first([_MARKERS.sub("", line, count=1) for block in blocks for line in block.split("\n")])


def _first(lines: list[str]) -> str:
    for line in lines:
        said = _MARKUP.sub("", line).strip()
        if _WORD.search(said):
            return " ".join(said.split())[:MAX_DOC]
    return ""
