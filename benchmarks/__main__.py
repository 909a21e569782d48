"""`make bench`: every measurement here, each a ratio between two things timed in turn in this run.

python -m benchmarks [command|ask] [--home HOME]
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import ask, command

MEASUREMENTS = {"command": command.measure, "ask": ask.measure}


def main() -> int:
    """Prints a line per figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*MEASUREMENTS, []], help="which; all by default")
    parser.add_argument("--home", default=".demo/home", help="a home whose daemon is up and whose scopes are indexed")
    parser.add_argument("--runs", type=int, default=30)
    options = parser.parse_args()
    for name in options.names or MEASUREMENTS:
        for line in MEASUREMENTS[name](options.home, options.runs):
            print(f"{name}: {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
