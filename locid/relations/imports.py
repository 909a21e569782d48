"""Between the name of a package and what sources import: spellings by language, and what is a source's own. Pure."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

# What people call languages that have another name here.
_CALLED = {"golang": "go", "c++": "cpp", "c#": "csharp", "bash": "shell", "js": "javascript", "ts": "typescript"}
SHORTEST = 2  # characters of a module's name worth looking for


@dataclass(frozen=True, slots=True)
class Spelling:
    """How sources of some languages spell an import."""

    languages: frozenset[str]
    ecosystem: str  # whose packages they import; '' for those of none
    dividers: tuple[str, ...]  # that may follow a package's name
    dashes: str = "-"  # what stands in a source for the `-` of a package's name
    declared: bool = False  # what no manifest declares is the project's own: a module, not a package
    endings: tuple[str, ...] = ()  # of what is imported


def _spelling(languages: str, ecosystem: str, dividers: str, **more: object) -> Spelling:
    return Spelling(frozenset(languages.split()), ecosystem, tuple(dividers.split()), **more)  # type: ignore[arg-type]


SPELLINGS = (
    _spelling("python", "python", ".", dashes="_"),
    _spelling("javascript typescript tsx", "npm", "/"),
    _spelling("go", "go", "/"),
    _spelling("rust", "cargo", "::", dashes="_", declared=True),
    _spelling("ruby", "ruby", "/"),
    _spelling("php", "composer", "\\"),
    _spelling("java kotlin scala", "maven", "."),
    _spelling("csharp", "nuget", "."),
    _spelling("swift lua", "", "."),
    _spelling("c cpp", "", "/", endings=(".h", ".hpp", ".hh")),
)
BY_LANGUAGE = {language: spelling for spelling in SPELLINGS for language in spelling.languages}


def language(name: str) -> str:
    """The programming language of a name; '' when it names none."""
    low = name.strip().lower()
    called = _CALLED.get(low, low)
    return called if called in BY_LANGUAGE or called == "shell" else ""


def spellings(name: str) -> tuple[str, ...]:
    """What an import of a package of that name may begin with, in any language."""
    base = name.strip().removeprefix("node:")
    forms = dict.fromkeys((base, base.replace("-", "_"), base.replace("-", ".")))
    return tuple(form for form in forms if len(form) >= SHORTEST)


def is_import_of(module: str, language: str, name: str) -> bool:
    """Whether a module, as a source of that language spells it, is that package or a part of it; case does not count."""
    spelling = BY_LANGUAGE.get(language)
    if spelling is None:
        return False
    low = module.lower().removeprefix("node:")
    for ending in spelling.endings:
        low = low.removesuffix(ending)
    names = {name.lower(), name.lower().replace("-", spelling.dashes)}
    if language == "python" and name.partition("-")[0].lower() not in sys.stdlib_module_names:
        names.add(name.lower().replace("-", "."))  # `google-cloud-storage` is imported as `google.cloud.storage`
    return any(low == one or any(low.startswith(one + divider) for divider in spelling.dividers) for one in names)


def head(module: str, language: str) -> str:
    """The name under which another project may provide a module; '' for a module of one's own or of the language."""
    spelling = BY_LANGUAGE.get(language)
    if spelling is None or module.startswith((".", "/")):
        return ""
    if language == "python":
        first = module.partition(".")[0]
        return "" if first in sys.stdlib_module_names else first
    if spelling.ecosystem == "npm":
        parts = module.split("/")
        return "" if module.startswith("node:") else "/".join(parts[: 2 if module.startswith("@") else 1])
    if spelling.ecosystem == "cargo":
        first = module.partition("::")[0]
        return "" if first in ("std", "core", "alloc", "crate", "self", "super") else first
    return module


def heads(module: str, language: str) -> Iterator[str]:
    """The names under which a module may be provided, longest first: a Go package is provided by a module above it."""
    found = head(module, language)
    spelling = BY_LANGUAGE.get(language)
    while found:
        yield found
        divider = spelling.dividers[0] if spelling else "/"
        if spelling is None or spelling.ecosystem in ("python", "npm", "cargo") or divider not in found:
            return
        found = found.rpartition(divider)[0]


@lru_cache(maxsize=65_536)
def stems(name: str) -> tuple[str, ...]:
    """What two modules share at least when one is provided under the name of the other, in any language."""
    parts = name.lower().split("/")
    if len(parts) == 1:
        return (_PARTS.split(parts[0], maxsplit=1)[0],)
    if "." in parts[0]:  # a host
        return ("/".join(parts[:2]), "/".join(parts[:3]))
    return ("/".join(parts[:2]),) if parts[0].startswith("@") else (parts[0],)


_PARTS = re.compile(r"[.:\\]")


def own_files(module: str, language: str, path: str) -> tuple[str, ...]:
    """Where a module of the project itself would lie, were it what a file at `path` imports."""
    folder = path.rpartition("/")[0]
    folders = tuple(dict.fromkeys((folder, "", "src", "lib", "include")))
    if language == "python":
        first = module.partition(".")[0]
        names: Iterable[str] = (f"{first}.py", f"{first}/__init__.py")
    elif language in ("c", "cpp"):
        names = (module,)
    elif language == "ruby":
        names = (f"{module}.rb",)
    elif language == "lua":
        names = (module.replace(".", "/") + ".lua",)
    else:
        return ()
    return tuple(f"{f}/{name}" if f else name for f in folders for name in names)
