"""One source text -> its outline: what it defines, refers to and imports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from locid.syntax import grammar, headers
from locid.syntax.embedded import scripts
from locid.syntax.imports import Found as FoundImport
from locid.syntax.imports import gathered
from locid.syntax.languages import ALIASES, BODIES, EMBEDDED, HOLDERS, LANGUAGES, SMALL
from locid.syntax.references import Names, Scope, references
from locid.values import Import, Reference

_MAX_NAME = 200  # characters; a longer one is no name
_MAX_QUALIFIED = 400
_LINE = re.compile(rb"\n")
_NO_KIND = frozenset({"name", "parent", "_attr", "_define"})


@dataclass(frozen=True, slots=True)
class Definition:
    """A name and the lines that define it, with the comments and decorators directly above."""

    name: str
    kind: str  # a capture of the query: function, method, class, struct, impl, typedef …
    line_start: int  # 1-based, inclusive
    line_end: int
    depth: int  # 0 at the top or in modules, 1 in classes of any depth; one more for each function around it
    parent: str  # qualified name of the definition around it, '' at the top
    signature: str = ""
    doc: str = ""  # the first line of its documentation

    @property
    def qualified(self) -> str:
        """The name after those of the definitions around it, joined by `.`."""
        return f"{self.parent}.{self.name}" if self.parent else self.name

    @property
    def small(self) -> bool:
        """A constant, a field or the like: a name to find, not a place to cut at."""
        return self.kind in SMALL


@dataclass(frozen=True, slots=True)
class Outline:
    """All that the syntax of a source tells, in source order."""

    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A definition as the query gives it; lines are 0-based, bytes order and nest."""

    name: str
    at: int  # where the name stands
    kind: str
    parent: str
    start: int
    end: int
    first: int
    last: int
    body: int | None


@dataclass(slots=True)
class _Read:
    """What the matches of the first query hold."""

    found: list[_Found] = field(default_factory=list)
    attached: dict[int, tuple[int, str]] = field(default_factory=dict)  # last row -> first row, text of a comment
    docs: list[tuple[int, str]] = field(default_factory=list)  # byte, docstring
    imports: list[FoundImport] = field(default_factory=list)


def definitions(language: str, source: bytes) -> list[Definition]:
    """Definitions in source order, outer first; none without a grammar or for a text that is beyond parsing."""
    return list(outline(language, source, False).definitions)


def outline(language: str, source: bytes, refer: bool = True) -> Outline:
    """What a source defines, imports and, with `refer`, refers to; empty for a text that is beyond parsing."""
    if language in EMBEDDED.values():
        language, text = scripts(source.decode("utf-8", "replace"))
        source = text.encode("utf-8", "replace")
    root = grammar.tree(language, source)
    if root is None:
        return Outline()
    tools = grammar.tools(language)
    read = _matches(grammar.cursor(tools.definitions).matches(root), source)
    defs: list[Definition] = []
    scopes: list[Scope] = []
    for definition, scope in _nest(read, source):
        defs.append(definition)
        scopes.append(scope)
    rules = LANGUAGES[language]
    imports = gathered(read.imports, rules.separator)
    if not refer:
        return Outline(tuple(defs), (), imports)
    known = {d.name for d in defs} | {alias or name for i in imports for name, alias in i.names} | _heads(imports)
    names = Names(known, {f.at for f in read.found}, rules.common)
    captured = grammar.cursor(tools.references).captures(root)
    starts = [0, *(m.end() for m in _LINE.finditer(source))]
    return Outline(tuple(defs), references(captured, source, starts, scopes, names), imports)


def _heads(imports: Iterable[Import]) -> set[str]:
    """The names by which whole modules are used: `os.path` gives `os`, `net/http` gives `http`."""
    whole = [i.module for i in imports if not i.names]
    return {m.partition(".")[0] for m in whole} | {m.rpartition("/")[2] for m in whole}


def _matches(matches: Iterable[tuple[int, dict[str, list[Node]]]], source: bytes) -> _Read:
    read = _Read()
    for _, captures in matches:
        if nodes := captures.get("attached"):
            _attach(nodes[0], source, read.attached)
        elif nodes := captures.get("name"):
            _define(captures, nodes[0], source, read.found)
        elif nodes := captures.get("doc"):
            read.docs.append((nodes[0].start_byte, _slice(nodes[0], source)))
        elif nodes := captures.get("import") or captures.get("file"):
            read.imports.append(_import(nodes[0], captures, source))
    return read


def _define(captures: Mapping[str, list[Node]], named: Node, source: bytes, found: list[_Found]) -> None:
    name = _text(named, source)
    kind = next((k for k in captures if k not in _NO_KIND), "")
    if not name or not kind:
        return
    node = captures[kind][0]
    start, end = node.start_point, node.end_point
    parent = captures.get("parent")
    found.append(
        _Found(
            name=name,
            at=named.start_byte,
            kind=kind,
            parent=_text(parent[0], source) if parent else "",
            start=node.start_byte,
            end=node.end_byte,
            first=start.row,
            last=max(start.row, end.row - (end.column == 0)),
            body=_body(node),
        )
    )


def _body(node: Node) -> int | None:
    """Where the body of a definition begins, also when it lies in its value (an arrow function) or in its last part."""
    body = node.child_by_field_name("body")
    if body is None and (value := node.child_by_field_name("value")) is not None:
        body = value.child_by_field_name("body")
    if body is None and node.named_child_count:
        last = node.named_child(node.named_child_count - 1)
        body = last if last is None or last.type in BODIES else last.child_by_field_name("body")
    return None if body is None else body.start_byte


def _import(node: Node, captures: Mapping[str, list[Node]], source: bytes) -> FoundImport:
    def text(capture: str) -> str:
        nodes = captures.get(capture)
        return _slice(nodes[0], source) if nodes else ""

    default, whole = text("default"), text("whole")
    return FoundImport(
        start=node.start_byte,
        line=node.start_point.row + 1,
        module=text("module"),
        imported="default" if default else "*" if whole else text("imported"),
        alias=default or whole or text("alias"),
        clause=text("clause"),
        group=text("group"),
    )


def _slice(node: Node, source: bytes) -> str:
    """The text of a node; sliced here, since `Node.text` reads a tree's source piece by piece."""
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _text(node: Node, source: bytes) -> str:
    """The text of a name."""
    text = _slice(node, source).strip("\"'`:")
    return text if len(text) <= _MAX_NAME and "\n" not in text else ""


def _attach(node: Node, source: bytes, attached: dict[int, tuple[int, str]]) -> None:
    """Notes a comment or decorator that has its first line to itself."""
    start, end = node.start_point, node.end_point
    if source[node.start_byte - start.column : node.start_byte].strip():
        return
    last = end.row - (end.column == 0 and end.row > start.row)  # a Rust doc comment ends after its newline
    attached[last] = (start.row, _slice(node, source) if "comment" in node.type else "")


def _nest(read: _Read, source: bytes) -> Iterator[tuple[Definition, Scope]]:
    """Definitions with what holds them, by containment of bytes."""
    open_: list[_Open] = []
    seen: set[tuple[int, str]] = set()
    docs = _Docs(read.docs)
    for one in sorted(read.found, key=lambda f: (f.start, -f.end)):
        while open_ and open_[-1].end <= one.start:
            open_.pop()
        around = open_[-1] if open_ else _TOP
        if (one.first, one.name) in seen or around.at == one.at:
            continue  # two patterns, one definition
        seen.add((one.first, one.name))
        made = _definition(one, around, read.attached, docs, source)
        if one.kind not in ALIASES:
            open_.append(_opened(one, made.qualified, around))
        yield made, (one.start, one.end if one.kind not in ALIASES else one.start, made.qualified)


@dataclass(frozen=True, slots=True)
class _Open:
    """A definition that others may lie in."""

    end: int
    qualified: str
    depth: int  # of what is inside
    kind: str
    at: int
    inner: bool  # a function, or in one


_TOP = _Open(0, "", 0, "", -1, False)


def _opened(one: _Found, qualified: str, around: _Open) -> _Open:
    inner = around.inner or not (one.kind in HOLDERS or one.kind == "module")
    depth = around.depth if one.kind == "module" else around.depth + 1 if inner else 1
    return _Open(one.end, qualified, depth, one.kind, one.at, inner)


def _definition(
    one: _Found, around: _Open, attached: Mapping[int, tuple[int, str]], docs: _Docs, source: bytes
) -> Definition:
    parent = ".".join(part for part in (around.qualified, one.parent) if part)
    parent = parent[-(_MAX_QUALIFIED - len(one.name)) :]
    held = around.kind in HOLDERS or one.parent
    first, said = _above(one.first, attached)
    return Definition(
        name=one.name,
        kind="method" if one.kind == "function" and held else one.kind,
        line_start=first + 1,
        line_end=one.last + 1,
        depth=around.depth,
        parent=parent,
        signature=headers.signature(source, one.start, one.end, one.body),
        doc=docs.of(one) or headers.comment(said),
    )


class _Docs:
    """Docstrings by the definition that they stand in; definitions come in order of their begin."""

    def __init__(self, docs: Sequence[tuple[int, str]]) -> None:
        self._by_body = dict(docs)

    def of(self, one: _Found) -> str:
        """The docstring at the begin of a definition's body."""
        text = self._by_body.get(one.body) if one.body is not None else None
        return headers.docstring(text) if text else ""


def _above(row: int, attached: Mapping[int, tuple[int, str]]) -> tuple[int, list[str]]:
    """The first row of the comments and decorators that stand directly above, and the comments."""
    said: list[str] = []
    while (block := attached.get(row - 1)) is not None and block[0] < row:
        row = block[0]
        if block[1]:
            said.append(block[1])
    return row, said[::-1]
