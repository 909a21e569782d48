"""A command line as text or words -> the programs that it runs. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What runs something else, and the subcommands after which it is named; none where it is the next word.
_LAUNCHERS = {
    "npx": (), "bunx": (), "uvx": (), "env": (), "sudo": (), "exec": (), "time": (), "nohup": (), "cross-env": (),
    "npm": ("exec", "x"), "pnpm": ("exec", "dlx"), "yarn": ("dlx", "exec"), "bun": ("x",), "pipx": ("run",),
    "uv": ("run",), "poetry": ("run",), "pdm": ("run",), "hatch": ("run",), "bundle": ("exec",),
}  # fmt: skip
MAX_LINE = 2_000  # characters of a command line that are read
_MODULES = re.compile(r"^python[\d.]*$|^py$")
_WORD = re.compile(r"""[;|&\n]+|(?:[^\s"';|&]|"[^"]*"|'[^']*')+""")
_BETWEEN = re.compile(r"[;|&\n]")  # commands
_ASSIGNED = re.compile(r"^[A-Za-z_]\w*=")
_PROGRAM = re.compile(r"^[A-Za-z@][\w.@/+-]*$")


def of_line(line: str) -> list[str]:
    """The programs of a shell's command line, in order."""
    parts: list[list[str]] = [[]]
    for word in _WORD.findall(line[:MAX_LINE]):
        if _BETWEEN.match(word):
            parts.append([])
        else:
            parts[-1].append(word.strip("\"'"))
    return list(dict.fromkeys(name for part in parts for name in of_words(part)))


def of_words(words: Sequence[str]) -> list[str]:
    """The program that a list of arguments runs, after the launchers before it, which are programs too."""
    found: list[str] = []
    rest = list(words)
    while rest:
        while rest and (_ASSIGNED.match(rest[0]) or rest[0].startswith("-")):
            rest.pop(0)
        name = bare(rest.pop(0)) if rest else ""
        if not name:
            break
        found.append(name)
        if _MODULES.match(name):
            return found + ([rest[1]] if rest[:1] == ["-m"] and len(rest) > 1 and _PROGRAM.match(rest[1]) else [])
        if name not in _LAUNCHERS or (_LAUNCHERS[name] and (not rest or rest.pop(0) not in _LAUNCHERS[name])):
            break
    return found


def bare(word: str) -> str:
    """A program's own name: without its folders and version; '' for what is no program."""
    if word.startswith("@"):  # a scoped package keeps its scope
        return "@" + word[1:].partition("@")[0]
    name = word.replace("\\", "/").rpartition("/")[2].partition("@")[0]
    name = name.removesuffix(".exe").removesuffix(".cmd")
    return name if _PROGRAM.match(name) else ""
