"""Private keys in PEM and its kin -> one mark; the newlines stay, so that line numbers do. Pure."""

from __future__ import annotations

import re

_NAME = r"(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?"
_BEGIN = re.compile(rf"-----BEGIN {_NAME}-----|---- BEGIN {_NAME} ----")
_END = re.compile(rf"-----END {_NAME}-----|---- END {_NAME} ----")
_MATERIAL = re.compile(r"[A-Za-z0-9+/=]{32,}")
_BODY = re.compile(r"(?:[\s\"'+,]|\\n|\\r|[A-Za-z0-9+/=]{16,})*+")  # what follows a block that is cut off
_LIMIT = 40_000  # characters from BEGIN to END


def redact_blocks(text: str, mark: str) -> tuple[str, int]:
    """The text with each block replaced by the mark and its newlines, and how many there were."""
    out: list[str] = []
    at = count = 0
    while begin := _BEGIN.search(text, at):
        end = _end(text, begin)
        out.append(text[at : begin.start()])
        if _MATERIAL.search(text, begin.end(), end):
            count += 1
            out.append(mark + "\n" * text.count("\n", begin.start(), end))
        else:
            out.append(text[begin.start() : end])
        at = end
    out.append(text[at:])
    return "".join(out), count


def _end(text: str, begin: re.Match[str]) -> int:
    """Where the block ends: after its END line, or after the last line of key material when it is cut off."""
    following = text.find("-- BEGIN" if begin[0].startswith("---- ") else "-----BEGIN", begin.end())
    limit = begin.end() + _LIMIT
    if end := _END.search(text, begin.end(), limit if following < 0 else min(limit, following)):
        return end.end()
    body = _BODY.match(text, begin.end())
    stop = body.end() if body else begin.end()
    return begin.end() + len(text[begin.end() : stop].rstrip())
