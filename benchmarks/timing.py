"""Timing that holds on a shared machine: the two sides in turn, medians, and their ratio."""

from __future__ import annotations

import os
import pathlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

BIN = pathlib.Path(sys.executable).parent


def milliseconds(action: Callable[[], object]) -> float:
    """How long one call takes."""
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


def pairwise(one: Callable[[], object], other: Callable[[], object], runs: int) -> tuple[float, float, float]:
    """The median of each side in ms, and the median of the ratios pair by pair."""
    one(), other()
    pairs = [(milliseconds(one), milliseconds(other)) for _ in range(runs)]
    ratio = statistics.median(a / b for a, b in pairs)
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), ratio


def process(command: Sequence[str], home: str) -> Callable[[], object]:
    """A call that runs a whole process, its output thrown away."""
    environment = os.environ | {"LOCI_HOME": os.path.abspath(home), "NO_COLOR": "1"}
    return lambda: subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the values is at most."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
