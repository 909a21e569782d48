"""The questions that demo and measurements ask, with the scope that must lead; `-` where nothing should."""

from __future__ import annotations

import pathlib

FILE = pathlib.Path(__file__).with_name("questions.tsv")


def questions() -> list[tuple[str, str]]:
    """Pairs of scope and question."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(scope, question) for scope, question in (line.split("\t") for line in lines)]
