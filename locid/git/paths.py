"""Paths as values have them: text, with the bytes that are not UTF-8 percent-escaped."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\udc80-\udcff]")
_ESCAPED = re.compile("%([89A-F][0-9A-F])")


def escape(path: str) -> str:
    """A path as values have it: bytes that are not UTF-8 (surrogates, as `os` gives them) percent-escaped."""
    if path.isascii():
        return path
    return _SURROGATE.sub(lambda m: f"%{ord(m[0]) - 0xDC00:02X}", path)


def unescape(path: str) -> str:
    """The path as `os` wants it; a name that really has `%E9` in it is told apart by whoever opens it."""
    return _ESCAPED.sub(lambda m: chr(0xDC00 + int(m[1], 16)), path) if "%" in path else path


def path_of(raw: bytes) -> str:
    """The path that git wrote as these bytes."""
    return escape(raw.decode("utf-8", "surrogateescape"))
