"""The only maker of a Chunk: it redacts, and it names the chunk by what it says, not by where it stands.

The id is blake2b-16 over (path, kind, symbol or heading, ordinal among equals, redacted text); for a
commit's message the commit's hash stands in the path's place. Lines are columns: a line inserted above
changes no id. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from locid.redact import redact
from locid.values import Chunk, ChunkKind, FileClass

ID_BYTES = 16
_JOINT = "\n\0\n"  # no pattern of a secret crosses it
Redactions = tuple[tuple[str, int], ...]


def make(
    path: str | None,
    kind: ChunkKind,
    text: str,
    line_start: int,
    line_end: int,
    file_class: FileClass,
    *,
    symbol: str = "",
    heading: str = "",
    names: Sequence[str] = (),
    commit: str | None = None,
    ordinal: int = 0,
) -> tuple[Chunk, Redactions]:
    """A redacted chunk, and the (kind, count) pairs of what was redacted in it."""
    (text, symbol, heading, *names), found = _clean([text, symbol, heading, *names])
    key = _key(path if commit is None else commit, kind, symbol or heading, ordinal, text)
    built = Chunk(
        id=key,
        path=path,
        kind=kind,
        line_start=line_start,
        line_end=line_end,
        text=text,
        file_class=file_class,
        symbol=symbol,
        heading=heading,
        names=tuple(names),
        commit=commit,
    )
    return built, found


def _clean(fields: list[str]) -> tuple[list[str], Redactions]:
    """The fields redacted, in one call for all: most hold nothing, and a call costs more than the characters."""
    joined, found = redact(_JOINT.join(fields))
    parts = joined.split(_JOINT)
    if not found:
        return fields, found
    if len(parts) == len(fields) and parts[0] == redact(fields[0])[0]:
        return parts, found
    each = [redact(field) for field in fields]
    return [text for text, _ in each], tuple(pair for _, pairs in each for pair in pairs)


def _key(place: str | None, kind: str, label: str, ordinal: int, text: str) -> bytes:
    """Fields are joined by NUL with their lengths, so that no two tuples give the same bytes."""
    fields = (place or "", kind, label, str(ordinal), text)
    joined = "\0".join(f"{len(f)}\0{f}" for f in fields)
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=ID_BYTES).digest()


@dataclass(slots=True)
class Builder:
    """Makes the chunks of one file and counts equals, so that ids are unique within it."""

    path: str
    kind: ChunkKind
    file_class: FileClass
    chunks: list[Chunk] = field(default_factory=list)
    redactions: list[tuple[str, int]] = field(default_factory=list)
    _seen: dict[bytes, int] = field(default_factory=dict)

    def add(
        self,
        text: str,
        line_start: int,
        line_end: int,
        *,
        symbol: str = "",
        heading: str = "",
        names: Sequence[str] = (),
    ) -> None:
        """Appends a chunk; an equal one before it gives it the next ordinal."""
        made, found = self._make(text, line_start, line_end, symbol, heading, names, 0)
        equals = self._seen.get(made.id, 0)
        self._seen[made.id] = equals + 1
        if equals:
            made, found = self._make(text, line_start, line_end, symbol, heading, names, equals)
        self.chunks.append(made)
        self.redactions.extend(found)

    def _make(
        self, text: str, start: int, end: int, symbol: str, heading: str, names: Sequence[str], ordinal: int
    ) -> tuple[Chunk, Redactions]:
        return make(
            self.path,
            self.kind,
            text,
            start,
            end,
            self.file_class,
            symbol=symbol,
            heading=heading,
            names=names,
            ordinal=ordinal,
        )
