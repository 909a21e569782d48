"""Where things stand in texts whose parsers do not tell: lines of TOML keys and values, of JSON keys, of XML elements. Pure.

The parsers of the standard library say what a text means; here is only looked up where. What is not found again stands at
the nearest thing around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

Path = tuple[str, ...]

_HEADER = re.compile(r"^[ \t]*\[\[?([^\[\]#]+)\]\]?[ \t]*(?:#.*)?$")
_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*(?:\.|$)""")
_KEYED = re.compile(
    r"""^[ \t]*((?:"[^"\n]*"|'[^'\n]*'|[\w-]+)(?:[ \t]*\.[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[\w-]+))*)[ \t]*="""
)
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}\[\],:\n]')
_NEAR = 200  # lines within which the next string of a list stands
_LONG = 2_000  # characters of a line that is taken to hold what is looked for
_DEEP = 12  # parts of a dotted key that are told apart
MAX_DEPTH = 100  # of XML elements
MAX_ELEMENTS = 50_000


class TomlLines:
    """The lines of one TOML text."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._keys: dict[Path, list[int]] = {}  # full path of a table or key -> its lines, in order
        self._around: dict[Path, int] = {}  # path that is written only as a part of others -> the first of them
        self._passed: dict[Path, int] = {}
        table: Path = ()
        for number, line in enumerate(self._lines, 1):
            if header := _HEADER.match(line):
                table = _parts(header[1])
                self._note(table, number)
            elif keyed := _KEYED.match(line):
                self._note(table + _parts(keyed[1]), number)

    def of(self, *path: str, nth: int = 0) -> int:
        """The line of a table or key, of the `nth` of several; that of what holds it when it has none of its own."""
        for length in range(len(path), 0, -1):
            if found := self._keys.get(path[:length]):
                return found[min(nth, len(found) - 1)]
            if path[:length] in self._around:
                return self._around[path[:length]]
        return 1

    def of_item(self, text: str, *path: str) -> int:
        """The line of a string in the list at a path; asked for in order, so that equal strings are told apart."""
        start = max(self.of(*path), self._passed.get(path, 0))
        for number in range(start, min(start + _NEAR, len(self._lines)) + 1):
            line = self._lines[number - 1]
            if len(line) > _LONG or f'"{text}"' in line or f"'{text}'" in line:
                self._passed[path] = number
                return number
        return start

    def _note(self, path: Path, line: int) -> None:
        self._keys.setdefault(path, []).append(line)
        for length in range(1, len(path)):
            self._around.setdefault(path[:length], line)


def _parts(dotted: str) -> Path:
    return tuple(double or single or bare for double, single, bare in _PART.findall(dotted)[:_DEEP])


def json_lines(text: str) -> Mapping[Path, int]:
    """The line of every key of a valid JSON text, and of every string in a list, by its path; a list is `[]`."""
    return dict(reversed([*_json_places(text)]))  # the first of several stands


def _json_places(text: str) -> Iterator[tuple[Path, int]]:
    stack: list[str] = []
    line, last = 1, ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign == "\n":
            line += 1
        elif sign in "{[":
            stack.append("[]" if sign == "[" else "")
        elif sign in "}]" and stack:
            stack.pop()
        elif sign == ":" and stack and stack[-1] != "[]":
            stack[-1] = last
            yield tuple(part for part in stack if part), line
        elif sign[0] == '"':
            last = sign[1:-1]
            if stack and stack[-1] == "[]":
                yield (*(part for part in stack if part), last), line


class Forbidden(ValueError):
    """An XML text that declares entities or a document type, or is nested beyond measure."""


@dataclass(slots=True)
class Element:
    """An XML element without its namespace."""

    name: str
    line: int
    attributes: Mapping[str, str]
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def find(self, *path: str) -> Iterator[Element]:
        """All elements at a path of names below this one."""
        if not path:
            yield self
        for child in self.children if path else ():
            if child.name == path[0]:
                yield from child.find(*path[1:])

    def value(self, *path: str) -> str:
        """The text of the first element at a path; '' without one."""
        return next((e.text.strip() for e in self.find(*path)), "")


def xml(text: str) -> Element:
    """The root of an XML text. Nothing in it is expanded, fetched or followed; ValueError for what is none."""
    builder = _Builder()
    try:
        builder.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from None
    return builder.root.children[0]


class _Builder:
    def __init__(self) -> None:
        self.root = Element("", 0, {})
        self._open = [self.root]
        self._count = 0
        self.parser = expat.ParserCreate("utf-8")  # whatever its declaration says: the text is decoded
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = _refuse
        self.parser.StartDoctypeDeclHandler = _refuse
        self.parser.ExternalEntityRefHandler = _refuse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if len(self._open) > MAX_DEPTH or self._count > MAX_ELEMENTS:
            raise Forbidden("it is nested or repeated beyond measure")
        made = Element(name.rpartition(":")[2], self.parser.CurrentLineNumber, attributes)
        self._open[-1].children.append(made)
        self._open.append(made)

    def _end(self, name: str) -> None:
        self._open.pop()

    def _text(self, data: str) -> None:
        self._open[-1].text += data


def _refuse(*arguments: object) -> int:
    raise Forbidden("it declares entities or a document type, which are not read")


def texts(value: object) -> list[str]:
    """The strings of what should be a list of strings; a lone string is one."""
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, Sequence) else []


def table(value: object, *path: str) -> Mapping[str, object]:
    """The map at a path of maps; empty when there is none."""
    for part in path:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}
