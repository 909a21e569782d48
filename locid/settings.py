"""`config.toml`: read so that what is wrong in it costs one sentence and not the rest, and edited a line at a time.

Its owner writes it too: an edit keeps comments and order, and is refused where the file is not understood.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from locid.config import KEYS, Key, Settings
from locid.errors import BadRequest, Refused, Unavailable

_MAX_BYTES = 1 << 20
_LINE = re.compile(r"""^\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*(?:\.|=)""")
_TABLE = re.compile(r"^\s*\[")
_COMMENT = re.compile(r"""^\s*(?:"(?:\\.|[^"\\])*"|'[^']*'|[^#"']*?)(\s*#.*)?$""")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the file; the default holds."""

    sentence: str
    key: str | None = None  # the key that can be unset to mend it


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file says."""

    settings: Settings
    given: Mapping[str, int | float | str]  # the keys that it sets well
    problems: tuple[Problem, ...] = ()


class File:
    """One settings file; it need not exist."""

    def __init__(self, path: str) -> None:
        self.path = path

    def load(self) -> Loaded:
        """The settings, and a sentence with its line for each thing that is wrong."""
        try:
            text = self._text()
            content = tomllib.loads(text)
        except Unavailable as problem:
            return Loaded(Settings(), {}, (Problem(problem.message),))
        except tomllib.TOMLDecodeError as error:
            return Loaded(Settings(), {}, (Problem(f"{self.path}: {_told(error)}; all settings have their defaults"),))
        given: dict[str, Any] = {}
        problems = []
        for name, value in content.items():
            reason = _reason(name, value)
            if reason is None:
                given[name] = KEYS[name].kind(value)
            else:
                problems.append(Problem(f"{self.path}, line {line_of(text, name)}: {reason}", name))
        return Loaded(Settings(**given), given, tuple(problems))

    def set(self, name: str, value: str) -> None:
        """Writes one setting; BadRequest for an unknown key or a bad value, Refused when the file is not understood."""
        key = known(name)
        parsed = _parsed(key, value)
        if (reason := _reason(name, parsed)) is not None:
            raise BadRequest(reason)
        shown = json.dumps(parsed) if isinstance(parsed, str) else repr(parsed)
        self._edit(name, shown, parsed)

    def unset(self, name: str) -> None:
        """Takes a key out of the file, known or not, so that its default holds."""
        self._edit(name, None, None)

    def _edit(self, name: str, shown: str | None, value: object) -> None:
        """The new text must say what it is meant to say, and nothing else may have changed."""
        text = self._text()
        try:
            wanted = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise Refused(f"{self.path}: {_told(error)}; mend it by hand first") from None
        if shown is None and name not in wanted:
            return
        edited = _edited(text, name, shown)
        wanted.pop(name, None)
        if shown is not None:
            wanted[name] = value
        try:
            right = tomllib.loads(edited) == wanted
        except tomllib.TOMLDecodeError:
            right = False
        if not right:
            raise Refused(f"{name} stands in {self.path} in a way that only a person should edit: change it by hand")
        self._write(edited)

    def _text(self) -> str:
        try:
            with open(self.path, "rb") as file:
                return file.read(_MAX_BYTES).decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            raise Unavailable(f"{self.path} cannot be read ({reason}); all settings have their defaults") from None

    def _write(self, text: str) -> None:
        """Beside, synced, then in its place; a link to the file stays one."""
        path = os.path.realpath(self.path)
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            fd, beside = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".config-")
            with open(fd, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(fd)
            os.replace(beside, path)
        except OSError as error:
            raise Unavailable(f"{path} cannot be written ({error.strerror}): check its permissions") from None


def known(name: str) -> Key:
    """The key of that name; BadRequest when there is none."""
    if name not in KEYS:
        raise BadRequest(f"there is no setting {name}: `loci config` lists them")
    return KEYS[name]


def line_of(text: str, name: str) -> int:
    """The line, from 1, at which a top-level key or table begins; 1 when it is not found."""
    for number, line in enumerate(text.split("\n"), 1):
        words = re.split(r"[\s\[\]=.\"']+", line.strip())
        if (_TABLE.match(line) or _LINE.match(line)) and name in words[:2]:
            return number
    return 1


def _reason(name: str, value: object) -> str | None:
    """Why a value is not taken, or None."""
    key = KEYS.get(name)
    if key is None:
        return f"there is no setting {name}, so it does nothing"
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    fits = (
        value in key.choices
        if key.kind is str
        else numeric and (key.kind is float or isinstance(value, int)) and key.least <= float(str(value)) <= key.most
    )
    return None if fits else f"{name} must be {key.expected}, not {json.dumps(value, default=str)}: {key.default} holds"


def _parsed(key: Key, text: str) -> int | float | str:
    """A value from a command line; what is no number stays text and is refused for it."""
    if key.kind is str:
        return text
    try:
        return int(text) if key.kind is int else float(text)
    except ValueError:
        return text


def _edited(text: str, name: str, shown: str | None) -> str:
    """The text with one line changed, taken out, or put before the first table."""
    lines = text.split("\n") if text else []
    top = next((i for i, line in enumerate(lines) if _TABLE.match(line)), len(lines))
    found = next((i for i in range(top) if (m := _LINE.match(lines[i])) and name in m.groups()), None)
    if found is None and shown is None:
        return _without_table(lines, name)
    if found is None:
        while top and not lines[top - 1].strip():
            top -= 1
        lines.insert(top, f"{name} = {shown}")
    elif shown is None:
        del lines[found]
    else:
        head, _, rest = lines[found].partition("=")
        comment = _COMMENT.match(rest)
        lines[found] = f"{head.rstrip()} = {shown}{(comment[1] or '') if comment else ''}"
    return "\n".join(lines).rstrip("\n") + "\n"


def _without_table(lines: list[str], name: str) -> str:
    kept, inside = [], False
    for line in lines:
        if _TABLE.match(line):
            inside = re.split(r"[\s\[\].\"']+", line.strip())[1:2] == [name]
        if not inside:
            kept.append(line)
    return "\n".join(kept)


def _told(error: tomllib.TOMLDecodeError) -> str:
    """tomllib's own words, with the line where it gives one: `line 3: invalid value`."""
    found = re.match(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)", str(error))
    if found is None:
        return f"it is no TOML ({error})"
    where = f"line {found['line']}" if found["line"] else "the last line"
    return f"{where} is no TOML ({found['what'][:1].lower()}{found['what'][1:]})"
