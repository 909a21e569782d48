"""What a file tells of relations: what its project goes by, what it declares, what it runs. Values, and one normal form.

A declaration says that a project uses something that another project, here or elsewhere, provides. A signboard is a name
by which other projects may reach this one. An invocation is a program that a source or a setting runs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Ecosystem = Literal[
    "python", "npm", "cargo", "go", "ruby", "composer", "maven", "nuget", "git", "actions", "docker", "path", "tool"
]
# needed | for development | to build | on request | by whoever uses it | managed: a version, should anyone need it |
# indirect: needed by what is needed | a member of the workspace | settings of a tool | a file that a tool reads
Kind = Literal[
    "runtime", "dev", "build", "optional", "peer", "managed", "indirect", "workspace", "settings", "format", "submodule"
]
Board = Literal["distribution", "import", "command"]

ROOT = "$root/"  # before a path that begins at the top of the project
_MAX_NAME = 300  # characters; a longer one is no name
_MAX_URL = 500
_RUNS = re.compile(r"[-_.\s]+")
_MAJOR = re.compile(r"(?<=.)/v\d+$")


@dataclass(frozen=True, slots=True)
class Declaration:
    """Something that a project says it uses."""

    name: str  # as the manifest spells it, without a version
    ecosystem: Ecosystem  # whose name it is
    kind: Kind
    line: int
    target: str = (
        ""  # where it comes from, when not from a registry: a path relative to the manifest or after ROOT, a URL
    )


@dataclass(frozen=True, slots=True)
class Signboard:
    """A name that a project goes by."""

    name: str
    ecosystem: Ecosystem
    board: Board
    line: int


@dataclass(frozen=True, slots=True)
class Invocation:
    """A program that is run, or looked for in order to run it."""

    command: str  # its bare name, or the package that a launcher runs
    by: str  # what runs it, as the source says: subprocess.run, which, exec.Command, mcp …
    line: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest tells, or why it tells nothing."""

    format: str
    declarations: tuple[Declaration, ...] = ()
    signboards: tuple[Signboard, ...] = ()
    invocations: tuple[Invocation, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """One project uses something, as an answer tells it."""

    source: str  # the id of the project that uses it
    source_root: str
    to: str  # the id of a registered project, else the name of what is used
    to_root: str | None
    how: str  # declared | imported | invoked
    path: str
    line: int


@lru_cache(maxsize=65_536)
def key(name: str) -> str:
    """The form in which names are compared: case, and the choice between `-`, `_`, `.` and a blank, do not count.

    `/v2` at the end of a Go module is its version. What is too long to be a name, or holds no letter or digit, is ''.
    """
    text = name.strip().lower()
    named = len(text) <= _MAX_NAME and any(map(str.isalnum, text))
    return _RUNS.sub("-", _MAJOR.sub("", text)) if named else ""


def short(key: str) -> str:
    """The last part of a key with several: `cobra` of `github-com/spf13/cobra`, `guava` of `com-google-guava:guava`."""
    return re.split(r"[/:]", key)[-1]


def repository(url: str) -> str:
    """`host/owner/name` of a repository's URL in any spelling, lowercased; '' for a local path."""
    found = _URL.match(url.strip()[:_MAX_URL])
    if found is None:
        return ""
    path = found["path"].partition("#")[0].partition("?")[0].strip("/")
    path = re.sub(r"(?:\.git)?(?:@[^/]*)?/?$", "", path)
    return f"{found['host'] or found['scp']}/{path}".lower() if path else ""


_URL = re.compile(
    r"^(?:git\+)?(?:[a-z]+://(?:[^/@]*@)?(?P<host>[^/:]+)(?::\d+)?/|(?:[^/@\s]+@)(?P<scp>[^/:]+):)(?P<path>\S+)$", re.I
)
