"""`ask` inside the daemon, over one open connection, against `hello` over the same."""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchmarks.questions import questions
from benchmarks.timing import milliseconds, percentile
from loci_client.client import Client
from loci_client.paths import Paths


def measure(home: str, runs: int) -> Iterator[str]:
    """Percentiles inside the daemon, and what the wire adds."""
    client = Client(Paths(os.environ | {"LOCI_HOME": os.path.abspath(home)}, os.getuid()))
    inside: list[float] = []
    outside: list[float] = []
    for question in [question for _, question in questions()] * runs:
        outside.append(milliseconds(lambda q=question: inside.append(client.ask(q, cwd="/")["took_ms"]["total"])))
    yield f"inside p50 {percentile(inside, 0.5):.1f} ms, p99 {percentile(inside, 0.99):.1f} ms"
    yield f"with the wire p50 {percentile(outside, 0.5):.1f} ms, p99 {percentile(outside, 0.99):.1f} ms"
