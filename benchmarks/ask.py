"""`ask` inside the daemon, over one open connection, against `hello` over the same."""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchmarks.timing import milliseconds, percentile
from loci_client.client import Client

QUESTIONS = (
    "how many redirects are followed before it gives up?",
    "what calls should_bypass_proxies?",
    "where are template blocks turned into python source?",
    "how is a nested command group resolved?",
    "when is the session cookie refreshed?",
)


def measure(home: str, runs: int) -> Iterator[str]:
    """Percentiles inside the daemon, and what the wire adds."""
    os.environ["LOCI_HOME"] = os.path.abspath(home)
    client = Client()
    inside, outside = [], []
    for number in range(runs * len(QUESTIONS)):
        question = QUESTIONS[number % len(QUESTIONS)]
        outside.append(milliseconds(lambda q=question: inside.append(client.ask(q, cwd="/")["took_ms"]["total"])))
    yield f"inside p50 {percentile(inside, 0.5):.1f} ms, p99 {percentile(inside, 0.99):.1f} ms"
    yield f"with the wire p50 {percentile(outside, 0.5):.1f} ms, p99 {percentile(outside, 0.99):.1f} ms"
