"""A file's bytes -> its lines, as every line number of ours counts them.

A line ends at `\\n` and nowhere else; a `\\r` before it is dropped. A lone `\\r`, a form feed or U+2028
stands inside a line.
"""

from __future__ import annotations

import codecs
import os
import stat as mode

from locid import git
from locid.redact import redact

SNIFF_BYTES = 8192

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class NotText(Exception):
    """The bytes are no text: the message is the reason."""


def real_path(root: str, path: str) -> str:
    """Where a path of ours lies, as `os` wants it: absolute ones stay; `%E9` is a byte unless a file is named so."""
    full = path if path.startswith("/") else os.path.join(root, path)
    plain = git.unescape(full)
    return full if plain == full or os.path.lexists(full) else plain


def read_bytes(full: str, limit: int) -> tuple[bytes, os.stat_result]:
    """The bytes of a plain file, never through a link. Raises OSError, or NotText when it is special or too large."""
    fd = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        info = os.fstat(fd)
        if not mode.S_ISREG(info.st_mode):
            raise NotText("special")
        if info.st_size > limit:
            raise NotText("too_large")
        return _all(fd, limit), info
    finally:
        os.close(fd)


def _all(fd: int, limit: int) -> bytes:
    """What is left of the file; it may have grown since it was measured."""
    parts, size = [], 0
    while piece := os.read(fd, 1 << 20):
        size += len(piece)
        if size > limit:
            raise NotText("too_large")
        parts.append(piece)
    return b"".join(parts)


def decode(data: bytes) -> tuple[str, bool]:
    """The text with `\\r\\n` as `\\n`, and whether it was clean UTF. Raises NotText for binary bytes."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _newlines(data[len(bom) :].decode(encoding, "replace").replace("\0", "\ufffd")), True
    if b"\0" in data[:SNIFF_BYTES]:
        raise NotText("binary")
    data = data.replace(b"\0", b" ")
    try:
        return _newlines(data.decode("utf-8")), True
    except UnicodeDecodeError:
        return _newlines(data.decode("latin-1")), False


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n") if "\r" in text else text


def lines_of(data: bytes) -> list[str]:
    """A file's lines, redacted, as chunks hold them: line n is at n - 1. Raises NotText."""
    return redact(decode(data)[0])[0].split("\n")


def read_lines(root: str, path: str, limit: int = 16 << 20) -> list[str] | None:
    """The redacted lines of a file of a scope; None when it is gone, unreadable or no text."""
    try:
        return lines_of(read_bytes(real_path(root, path), limit)[0])
    except (OSError, NotText):
        return None
