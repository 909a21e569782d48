"""Whole processes against `python -c pass` of the same environment, daemon warm."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks.questions import questions
from benchmarks.timing import BIN, pairwise, process

QUESTION = questions()[0][1]
COMMANDS = (("route", QUESTION, "--cwd", "/"), ("ask", QUESTION, "--cwd", "/"))


def measure(home: str, runs: int) -> Iterator[str]:
    """A line a command."""
    nothing = process([sys.executable, "-c", "pass"], home)
    for command in COMMANDS:
        ours, base, ratio = pairwise(process([str(BIN / "loci"), *command], home), nothing, runs)
        yield f"loci {command[0]} {ours:.1f} ms, python -c pass {base:.1f} ms, ratio {ratio:.2f}"
