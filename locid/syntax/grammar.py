"""Source bytes -> a tree, in bounded time; grammars and queries load when first asked for.

The tree and the queries run in C without recursion, so nesting has no depth limit.
"""

from __future__ import annotations

import importlib
import time
from dataclasses import dataclass
from functools import cache

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Point, Query, QueryCursor

from locid.syntax.languages import LANGUAGES, queries

MAX_BYTES = 1_500_000  # larger sources are data that a tool wrote
_MATCH_LIMIT = 4096  # partial matches that a query may hold open at once
_PARSE_S = 3.0
_MAX_LOOSE = 4000  # children of one error node
_MAX_BROKEN = 20_000  # nodes that hold an error


@dataclass(frozen=True, slots=True)
class Tools:
    """What reads one language."""

    parser: Parser
    definitions: Query
    references: Query


@cache
def tools(language: str) -> Tools:
    """The parser and the queries of a language that we have."""
    rules = LANGUAGES[language]
    module = importlib.import_module(rules.module)
    grammar = Grammar(getattr(module, rules.function)())
    definitions, references = queries(language)
    return Tools(Parser(grammar), Query(grammar, definitions), Query(grammar, references))


def tree(language: str, source: bytes) -> Node | None:
    """The root of the source's tree; None without a grammar, or for a text that is beyond parsing."""
    if language not in LANGUAGES or len(source) > MAX_BYTES or b"\0" in source:
        return None
    root = _parse(tools(language).parser, source)
    return None if root is None or (root.has_error and _hopeless(root)) else root


def cursor(query: Query) -> QueryCursor:
    """A cursor without a progress callback: in tree-sitter 0.26 a query that is given one crashes the process."""
    return QueryCursor(query, match_limit=_MATCH_LIMIT)


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
