"""What a file imports: the matches of a query -> one value for each module and statement. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from locid.values import Import

WHOLE, DEFAULT = "*", "default"
_MAX_LEAVES = 500  # of one clause
_MAX_TEXT = 20_000
_KEYWORD = re.compile(r"^(?:import|use)\s+")
_RENAMED = re.compile(r"\s+as\s+|\s*=>\s*")
_QUOTES = "\"'`<> \t\n;"


@dataclass(frozen=True, slots=True)
class Found:
    """One match: texts as they stand, '' where the query captured nothing."""

    start: int  # byte at which the statement begins
    line: int
    module: str
    imported: str
    alias: str
    clause: str  # the text of an import whose parts we read ourselves
    group: str  # what stands before the module


def gathered(found: Iterable[Found], separator: str) -> tuple[Import, ...]:
    """An Import for each module of each statement, in order, with all names it gives."""
    names: dict[tuple[int, str], dict[tuple[str, str], None]] = {}
    lines: dict[tuple[int, str], int] = {}
    for one in found:
        for module, name, alias in _parts(one, separator):
            key = (one.start, module)
            lines.setdefault(key, one.line)
            if name:
                names.setdefault(key, {})[name, alias] = None
    order = sorted(lines)
    return tuple(Import(key[1], tuple(names.get(key, ())), lines[key]) for key in order)


def _parts(one: Found, separator: str) -> Iterator[tuple[str, str, str]]:
    """(module, imported name, alias) of a match."""
    if one.clause:
        for leaf in _leaves(_KEYWORD.sub("", one.clause[:_MAX_TEXT].strip(_QUOTES))):
            yield _split(leaf, separator)
        return
    module, imported = one.module.strip(_QUOTES), one.imported.strip(_QUOTES)
    if one.group:
        yield one.group.strip(_QUOTES), imported, one.alias
    elif separator and module and not imported:
        yield _split(f"{module} as {one.alias}" if one.alias else module, separator)
    elif module:
        yield module, imported or (WHOLE if one.alias else ""), one.alias


def _leaves(text: str) -> list[str]:
    """A path with groups in braces, written out: `a::{b, c::{d}}` -> `a::b`, `a::c::d`."""
    done: list[str] = []
    todo = [text]
    while todo and len(done) < _MAX_LEAVES:
        path = todo.pop()
        opening = path.find("{")
        if opening < 0:
            done += [path.strip()] if path.strip() else []
            continue
        todo += [path[:opening] + part.strip() for part in reversed(_members(path[opening + 1 :])) if part.strip()]
    return done


def _members(text: str) -> list[str]:
    """What stands between commas up to the brace that closes the group."""
    depth, start, out = 0, 0, []
    for at, sign in enumerate(text):
        if sign == "{":
            depth += 1
        elif sign in ",}" and depth == 0:
            out.append(text[start:at])
            start = at + 1
            if sign == "}":
                return out
        elif sign == "}":
            depth -= 1
    return [*out, text[start:]]


def _split(leaf: str, separator: str) -> tuple[str, str, str]:
    """`a.b.C as D` -> (a.b, C, D)."""
    path, alias = (*_RENAMED.split(leaf, maxsplit=1), "")[:2]
    path = "".join(path.split()).strip(separator)
    if path.endswith(separator + "self"):
        path = path[: -len(separator + "self")]
    module, _, name = path.rpartition(separator)
    if not module:
        return name, "", alias
    return module, WHOLE if name == "_" else name, alias.strip()
