"""Definitions of one source text. The tree and the query run in C without recursion, so nesting has no depth limit."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Point, Query, QueryCursor

from locid.syntax.languages import ALIASES, LANGUAGES, SMALL

MAX_BYTES = 1_500_000  # larger sources are data that a tool wrote
_MATCH_LIMIT = 4096  # partial matches that the query may hold open at once
_PARSE_S = 3.0
_MAX_LOOSE = 4000  # children of one error node
_MAX_BROKEN = 20_000  # nodes that hold an error
_MAX_NAME = 200  # characters; a longer one is no name
_MAX_QUALIFIED = 400


@dataclass(frozen=True, slots=True)
class Definition:
    """A name and the lines that define it, with the comments and decorators directly above."""

    name: str
    kind: (
        str  # function, method, class, struct, enum, trait, interface, type, module, constant, variable, field, macro …
    )
    line_start: int  # 1-based, inclusive
    line_end: int
    depth: int  # definitions around it: 0 at the top
    parent: str  # qualified name of the definition around it, '' at the top

    @property
    def qualified(self) -> str:
        """The name after those of the definitions around it, joined by `.`."""
        return f"{self.parent}.{self.name}" if self.parent else self.name

    @property
    def small(self) -> bool:
        """A constant, a field or the like: a name to find, not a place to cut at."""
        return self.kind in SMALL


@dataclass(frozen=True, slots=True)
class _Found:
    """A definition as the query gives it; lines are 0-based, bytes order and nest."""

    name: str
    kind: str
    parent: str
    start: int
    end: int
    first: int
    last: int


@cache
def _grammar(language: str) -> tuple[Parser, Query]:
    rules = LANGUAGES[language]
    module = importlib.import_module(rules.module)
    grammar = Grammar(getattr(module, rules.function)())
    return Parser(grammar), Query(grammar, rules.definitions)


def definitions(language: str, source: bytes) -> list[Definition]:
    """Definitions in source order, outer first; none without a grammar or for a text that is beyond parsing."""
    if language not in LANGUAGES or len(source) > MAX_BYTES or b"\0" in source:
        return []
    parser, query = _grammar(language)
    root = _parse(parser, source)
    if root is None or (root.has_error and _hopeless(root)):
        return []
    # No progress callback here: in tree-sitter 0.26 a query that is given one crashes the process.
    found, attached = _read(QueryCursor(query, match_limit=_MATCH_LIMIT).matches(root), source)
    return list(_nest(sorted(found, key=lambda f: (f.start, -f.end)), attached))


def _parse(parser: Parser, source: bytes) -> Node | None:
    """The tree's root; None when the parse runs out of time (error recovery can take long on what is no source)."""
    until = time.monotonic() + _PARSE_S

    def read(offset: int, _: Point) -> bytes:
        return source[offset : offset + 65536]

    def late(_: int, __: bool) -> bool:
        return time.monotonic() > until

    try:
        return parser.parse(read, progress_callback=late).root_node
    except ValueError:
        parser.reset()
        return None


def _hopeless(root: Node) -> bool:
    """A broken text with thousands of loose brackets in a row: the query's time would grow with their square."""
    nodes, looked = [root], 0
    while nodes:
        node = nodes.pop()
        looked += 1
        if looked > _MAX_BROKEN or (node.is_error and node.child_count > _MAX_LOOSE):
            return True
        nodes.extend(child for child in node.children if child.has_error)
    return False


def _read(
    matches: Iterable[tuple[int, dict[str, list[Node]]]], source: bytes
) -> tuple[list[_Found], dict[int, tuple[int, str]]]:
    """What is defined, and the attached lines: last line -> first line and node type."""
    found: list[_Found] = []
    attached: dict[int, tuple[int, str]] = {}
    for _, captures in matches:
        if nodes := captures.get("attached"):
            _attach(nodes[0], source, attached)
        elif one := _definition(captures, source):
            found.append(one)
    return found, attached


def _definition(captures: dict[str, list[Node]], source: bytes) -> _Found | None:
    name = _text(captures.get("name"), source)
    parent = _text(captures.get("parent"), source)
    for kind, nodes in captures.items():
        if kind not in ("name", "parent") and name:
            node = nodes[0]
            last = node.end_point
            return _Found(
                name,
                kind,
                parent,
                node.start_byte,
                node.end_byte,
                node.start_point.row,
                max(node.start_point.row, last.row - (last.column == 0)),
            )
    return None


def _text(nodes: list[Node] | None, source: bytes) -> str:
    """The text of a name; sliced here, since `Node.text` reads a tree's source piece by piece."""
    if not nodes:
        return ""
    text = source[nodes[0].start_byte : nodes[0].end_byte].decode("utf-8", "replace").strip("\"'`")
    return text if len(text) <= _MAX_NAME and "\n" not in text else ""


def _attach(node: Node, source: bytes, attached: dict[int, tuple[int, str]]) -> None:
    """Notes a comment or decorator that has its first line to itself."""
    start, end = node.start_point, node.end_point
    if source[node.start_byte - start.column : node.start_byte].strip():
        return
    last = end.row - (end.column == 0 and end.row > start.row)  # a Rust doc comment ends after its newline
    attached[last] = (start.row, node.type)


def _nest(found: list[_Found], attached: dict[int, tuple[int, str]]) -> Iterable[Definition]:
    """Definitions with what holds them, by containment of bytes."""
    open_: list[tuple[int, str, int]] = []  # end, qualified name, depth inside
    seen: set[tuple[int, str]] = set()
    for one in found:
        if (one.first, one.name) in seen:
            continue  # two patterns, one definition
        seen.add((one.first, one.name))
        while open_ and open_[-1][0] <= one.start:
            open_.pop()
        parent, depth = (open_[-1][1], open_[-1][2]) if open_ else ("", 0)
        parent = f"{parent}.{one.parent}" if parent and one.parent else parent or one.parent
        qualified = (f"{parent}.{one.name}" if parent else one.name)[-_MAX_QUALIFIED:]
        if one.kind not in ALIASES:
            open_.append((one.end, qualified, depth + 1))
        yield Definition(one.name, one.kind, _above(one.first, attached) + 1, one.last + 1, depth, parent)


def _above(row: int, attached: dict[int, tuple[int, str]]) -> int:
    """The first row of the comments and decorators that stand directly above."""
    while (block := attached.get(row - 1)) is not None and block[0] < row:
        row = block[0]
    return row
