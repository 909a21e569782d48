"""Manifests of Kubernetes Secrets in YAML: whatever stands below `data` and `stringData` is one. Pure."""

from __future__ import annotations

import re
from itertools import pairwise

from locid.redact import values

# What stands before the word `secret`, in small letters, where a manifest says its kind.
KIND = (b"kind: ", b"kind:", b'kind: "', b"kind: '")
_DOCUMENT = re.compile(r"^---.*\n?", re.M)
_SAYS_KIND = re.compile(r"^[ \t-]*kind:[ \t]*[\"']?secret[\"']?[ \t]*(?:#.*)?$", re.M | re.I)
_DATA = re.compile(
    r"^(?P<indent>[ \t]*)(?:data|stringData):[ \t]*\n(?P<lines>(?:(?P=indent)[ \t]+\S.*(?:\n|\Z)|[ \t]*\n)+)", re.M
)
_LINE = re.compile(r"(?P<before>[ \t]*(?:[\"']?[\w./-]{1,253}[\"']?:[ \t]*)?)(?P<value>[^\n]*)")
_SCALAR = re.compile(r"[|>][-+\d]*[ \t]*\Z")  # begins a text of several lines


def redact_manifests(text: str, mark: str) -> tuple[str, int]:
    """The text with the values of its Secrets replaced by the mark, line by line, and how many lines those are."""
    out: list[str] = []
    at = count = 0
    for start, end in _documents(text):
        if not _SAYS_KIND.search(text, start, end):
            continue
        for data in _DATA.finditer(text, start, end):
            lines = [_redacted(line, mark) for line in data["lines"].split("\n")]
            count += sum(changed for _, changed in lines)
            out += [text[at : data.start("lines")], "\n".join(line for line, _ in lines)]
            at = data.end("lines")
    return "".join([*out, text[at:]]), count


def _documents(text: str) -> list[tuple[int, int]]:
    cuts = [0, *(match.end() for match in _DOCUMENT.finditer(text)), len(text)]
    return list(pairwise(cuts))


def _redacted(line: str, mark: str) -> tuple[str, bool]:
    """The line, and whether it was changed."""
    match = _LINE.match(line)
    value = match["value"].strip("\"' \t") if match else ""
    if match is None or not value or _SCALAR.match(value) or values.placeholder(value):
        return line, False
    return match["before"] + mark, True
