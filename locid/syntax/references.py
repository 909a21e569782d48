"""What a source refers to: names, where they stand, and the definition around them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from locid.values import Reference, ReferenceKind

MAX_REFERENCES = 20_000  # of one file; what has more is data
_MAX_NAME = 100
# The first kind that captures a name has it. `type` always counts; `use` only where the name is no local one.
_ORDER = ("inherit", "decorate", "call", "type", "use")

Scope = tuple[int, int, str]  # first byte, end, qualified name of a definition


@dataclass(frozen=True, slots=True)
class Names:
    """What decides whether a name is a reference."""

    known: Container[str]  # defined or imported in the file
    own: Container[int]  # bytes where a definition has its name
    common: Container[str]  # what every file of the language has


def references(
    captured: Mapping[str, list[Node]],
    source: bytes,
    starts: Sequence[int],
    scopes: Sequence[Scope],
    names: Names,
) -> tuple[Reference, ...]:
    """References in source order; `starts` has the byte at which each line begins."""
    found = sorted(_named(captured, source, names))[:MAX_REFERENCES]
    out: dict[tuple[str, str, str, int], Reference] = {}
    line, lines = 0, len(starts)
    around = _Around(scopes)
    for at, name, kind in found:
        while line + 1 < lines and starts[line + 1] <= at:
            line += 1
        within = around.of(at)
        key = (name, kind, within, 0 if kind == "use" else line)
        if key not in out:
            out[key] = Reference(name, kind, line + 1, within)
    return tuple(out.values())


def _named(captured: Mapping[str, list[Node]], source: bytes, names: Names) -> Iterator[tuple[int, str, ReferenceKind]]:
    seen: set[int] = set()
    for kind in _ORDER:
        stored: ReferenceKind = "use" if kind == "type" else kind  # type: ignore[assignment]
        for node in captured.get(kind, ()):
            at = node.start_byte
            if at in seen or at in names.own:
                continue
            name = source[at : node.end_byte].decode("utf-8", "replace")
            wanted = name in names.known if kind == "use" else name not in names.common
            if wanted and 0 < len(name) <= _MAX_NAME and "\n" not in name:
                seen.add(at)
                yield at, name, stored


class _Around:
    """The innermost definition around a byte; bytes are asked for in order."""

    def __init__(self, scopes: Sequence[Scope]) -> None:
        self._scopes = scopes
        self._next = 0
        self._open: list[Scope] = []

    def of(self, at: int) -> str:
        """Its qualified name, '' at the top."""
        while self._next < len(self._scopes) and self._scopes[self._next][0] <= at:
            self._close(self._scopes[self._next][0])
            self._open.append(self._scopes[self._next])
            self._next += 1
        self._close(at)
        return self._open[-1][2] if self._open else ""

    def _close(self, at: int) -> None:
        while self._open and self._open[-1][1] <= at:
            self._open.pop()
