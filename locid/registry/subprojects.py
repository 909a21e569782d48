"""Projects inside a project: those that its `.loci.json` names, and those that carry a manifest one level down.

`.loci.json` is `{"scopes": [{"path": "client"}, {"path": "services/api"}]}`. Its owner writes it, we never do. What is
wrong in it is left out and told; the rest holds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from locid import ignore
from locid.values import Scope

DECLARATION = ".loci.json"
MANIFESTS = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod")
_MAX_BYTES = 1 << 20
_BUILT = frozenset(
    {"out", "generated", "__generated__"}
)  # build directories that are walked for what people keep there


@dataclass(frozen=True, slots=True)
class Declared:
    """What a project's `.loci.json` says: real paths of sub-projects, and a sentence for each thing wrong."""

    roots: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    readable: bool = True  # False when nothing is known of what it names


class _Wrong(Exception):
    """Why a file or an entry is left out."""


def declared(root: str) -> Declared:
    """The sub-projects that a project names, at any depth; nothing without the file."""
    if not os.path.lexists(os.path.join(root, DECLARATION)):
        return Declared()
    try:
        entries = _entries(os.path.join(root, DECLARATION))
    except _Wrong as problem:
        return Declared((), (f"{DECLARATION}: {problem}",), readable=False)
    roots: list[str] = []
    problems: list[str] = []
    for number, entry in enumerate(entries, 1):
        try:
            roots.append(_root(root, entry))
        except _Wrong as problem:
            problems.append(f"{DECLARATION}: entry {number} {problem}")
    return Declared(tuple(dict.fromkeys(roots)), tuple(problems))


def dropped(root: str, scopes: Iterable[Scope]) -> list[Scope]:
    """Scopes that a project named in its `.loci.json` and names no more; none while that cannot be read."""
    named = [s for s in scopes if s.declared and s.root.startswith(root.rstrip("/") + "/")]
    found = declared(root) if named else Declared(readable=False)
    return [s for s in named if found.readable and s.root not in found.roots and os.path.isdir(s.root)]


def split(root: str, exclude_files: tuple[str, ...]) -> list[str]:
    """Folders one level down that carry a manifest; never ignored, pruned, built or hidden ones, nor repositories."""
    rules = ignore.Ignore(root, exclude_files)
    return [path for path in _folders(root) if _is_package(path) and not _left_out(rules, path)]


def _entries(path: str) -> list[object]:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(fd, "rb") as file:
            data = file.read(_MAX_BYTES)
    except OSError as error:
        raise _Wrong(f"it cannot be read ({error.strerror})") from None
    try:
        content = json.loads(data)
    except json.JSONDecodeError as error:
        raise _Wrong(f"line {error.lineno} is no JSON ({error.msg})") from None
    except (ValueError, RecursionError):
        raise _Wrong("it is no JSON in UTF-8") from None
    found = content.get("scopes") if isinstance(content, dict) else None
    if not isinstance(found, list):
        raise _Wrong('it must be {"scopes": [{"path": "folder"}]}')
    return found


def _root(root: str, entry: object) -> str:
    """The real path that an entry names; outside of the root none counts, by `..`, by `/` or by a link."""
    path = entry.get("path") if isinstance(entry, dict) else None
    if not isinstance(path, str) or not path.strip() or "\0" in path:
        raise _Wrong('must be {"path": "folder"}')
    if os.path.isabs(path):
        raise _Wrong(f"names {path}, which is absolute: paths are relative to the project")
    real = os.path.realpath(os.path.join(root, path))
    if real == root:
        raise _Wrong(f"names {path}, which is the project itself")
    if not real.startswith(root.rstrip("/") + "/"):
        raise _Wrong(f"names {path}, which lies outside the project")
    if not os.path.isdir(real):
        raise _Wrong(f"names {path}, which is no folder")
    return real


def _folders(root: str) -> Iterator[str]:
    try:
        with os.scandir(root) as found:
            names = sorted(e.name for e in found if e.is_dir(follow_symlinks=False) and not e.name.startswith("."))
    except OSError:
        return
    yield from (os.path.join(root, name) for name in names)


def _is_package(path: str) -> bool:
    return any(os.path.isfile(os.path.join(path, name)) for name in MANIFESTS)


def _left_out(rules: ignore.Ignore, path: str) -> bool:
    name = os.path.basename(path)
    return (
        name in ignore.PRUNED
        or name in _BUILT
        or rules.reason(name, is_dir=True) is not None
        or os.path.lexists(os.path.join(path, ".git"))
    )
