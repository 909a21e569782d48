"""Runs the scorer over labelled questions and writes its table into docs/routing.md, so that a change in quality is a diff.

The questions and the scorer lie outside this project. Two folds are scored, and each figure is the sum of both.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "routing.md"
BEGIN, END = "<!-- score: written by `make score` -->", "<!-- end of score -->"
COLUMNS = (
    ("ok", "right"),
    ("in_set", "in set"),
    ("wrong", "wrong"),
    ("abstained", "abstained"),
    ("file", "file in 10"),
)


def main() -> int:
    """Scores and writes the table; the scorer's exit status when it fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("corpus", "questions", "scorer"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    options = parser.parse_args()
    for name in ("corpus", "questions", "scorer"):
        if not getattr(options, name).exists():
            parser.error(
                f"{name.upper()}={getattr(options, name)} is not there; make score CORPUS=DIR QUESTIONS=FILE SCORER=FILE"
            )
    with tempfile.TemporaryDirectory(prefix="loci-score-") as home:
        command = scorer_command(options, home)
        try:
            results = {fold: run([*command, "--half", fold, *reuse], home) for fold, reuse in FOLDS}
        finally:
            subprocess.run([*loci(), "daemon", "stop"], env=environment(home), check=False, capture_output=True)
    write(table(results))
    return 0


FOLDS: tuple[tuple[str, list[str]], ...] = (("tune", []), ("report", ["--reuse"]))


def loci() -> list[str]:
    """The command beside this interpreter."""
    return [str(pathlib.Path(sys.executable).parent / "loci")]


def environment(home: str) -> dict[str, str]:
    """The scorer's own environment for its home."""
    import os

    return os.environ | {"LOCI_HOME": home, "XDG_RUNTIME_DIR": str(pathlib.Path(home) / "run")}


def scorer_command(options: argparse.Namespace, home: str) -> list[str]:
    """The scorer on the corpus, with our command and a home of its own."""
    where = ["--corpus", str(options.corpus), "--questions", str(options.questions)]
    return [sys.executable, str(options.scorer), *where, "--loci", loci()[0], "--home", home]


def run(command: list[str], home: str) -> dict[str, dict[str, float]]:
    """The families of one fold as the scorer found them."""
    out = pathlib.Path(home) / "score.json"
    subprocess.run([*command, "--json", str(out)], check=True)
    return json.loads(out.read_text())["families"]


def table(results: dict[str, dict[str, dict[str, float]]]) -> str:
    """Each family over both folds, as a Markdown table."""
    families = list(dict.fromkeys(f for fold in results.values() for f in fold))
    lines = [
        "| family | n | " + " | ".join(title for _, title in COLUMNS) + " |",
        "|---|" * 1 + "---|" * (len(COLUMNS) + 1),
    ]
    for family in families:
        rows = [fold[family] for fold in results.values() if family in fold]
        n = int(sum(r["n"] for r in rows))
        cells = [share(rows, key) for key, _ in COLUMNS]
        lines.append(f"| {family} | {n} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def share(rows: list[dict[str, float]], key: str) -> str:
    """The mean of a column over the folds, weighed by their size; blank where it does not apply."""
    given = [(r["n"], r[key]) for r in rows if r.get(key) is not None]
    return f"{sum(n * v for n, v in given) / sum(n for n, _ in given):.3f}" if given else ""


def write(text: str) -> None:
    """Replaces the table between its marks."""
    page = PAGE.read_text()
    before, rest = page.split(BEGIN, 1)
    PAGE.write_text(before + BEGIN + "\n\n" + text + "\n\n" + END + rest.split(END, 1)[1])
    print(f"\n{text}\n\nwritten into {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(main())
