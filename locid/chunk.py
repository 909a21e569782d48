"""The only maker of a Chunk: it redacts, and it names the chunk by what it says, not by where it stands.

The id is blake2b-16 over (path, kind, symbol or heading, ordinal among equals, redacted text); for a
commit's message the commit's hash stands in the path's place. Lines are columns: a line inserted above
changes no id. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b

from locid.redact import Redacted, holds_nothing, redact_all
from locid.values import Chunk, ChunkKind, FileClass

ID_BYTES = 16
_NOTHING = Redacted("")
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
    source: Redacted = _NOTHING,
    at: int = 0,
) -> tuple[Chunk, Redactions]:
    """A redacted chunk, and the (kind, count) pairs of what was redacted in it.

    A text that stands in `source`, from its character `at` on, is redacted already: it is compared, which costs less.
    """
    found: Redactions = ()
    if not (source.holds(text, at) and holds_nothing([symbol, heading, *names])):
        parts = redact_all([text, symbol, heading, *names])
        text, symbol, heading, *names = (part.text for part in parts)
        found = tuple(pair for part in parts for pair in part.found)
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
    source: Redacted = _NOTHING  # the whole text, when it was redacted
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
        at: int = 0,
    ) -> None:
        """Appends a chunk that begins at the character `at` of the source; an equal one before gives it an ordinal."""
        make_nth = partial(
            make,
            self.path,
            self.kind,
            text,
            line_start,
            line_end,
            self.file_class,
            symbol=symbol,
            heading=heading,
            names=names,
            source=self.source,
            at=at,
        )
        made, found = make_nth()
        equals = self._seen.get(made.id, 0)
        self._seen[made.id] = equals + 1
        if equals:
            made, found = make_nth(ordinal=equals)
        self.chunks.append(made)
        self.redactions.extend(found)
