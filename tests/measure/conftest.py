"""Two projects with enough history to fit to, made by one `git fast-import` each, so that hashes are always the same."""

import itertools
import os
import subprocess

import pytest

from locid.ask.asker import Asker
from locid.fitted import Fitted
from locid.layout import Layout
from locid.measure.measuring import Measuring
from locid.registry.store import Registry
from locid.snapshot import Snapshots
from tests.whole.conftest import Machine, machine, two

__all__ = ["machine", "told", "two"]

PARSER = (("lexer", "token", "grammar", "literal", "operator"), ("column", "comment", "bracket", "newline"), "parser")
LEDGER = (
    ("account", "invoice", "currency", "voucher", "balance"),
    ("rounding", "discount", "audit", "refund"),
    "ledger",
)
PATTERNS = (
    "Teach the {0} to keep its {1} when a file ends early",
    "Reject a {0} without any {1} before it is stored",
    "Sort every {0} by its {1} in the printed summary",
    "Measure how long the {0} waits for a {1} lock",
)
RIDDLES = (
    "Quibbling wombats outpace zeppelins",
    "Ocelots juggle turquoise xylophones",
    "Marzipan dervishes yodel nightly",
    "Hapless gnomes embroider velvet",
    "Pensive walruses devour crumpets",
    "Sturdy alpacas waltz sideways",
)
"""Subjects whose words stand in their own messages and in the changelog, and nowhere else."""


def subjects(nouns, parts, _):
    """80 subjects of one project."""
    return [p.format(noun, part) for p, noun, part in itertools.product(PATTERNS, nouns, parts)]


def history(repo, told, name):
    """Commits, oldest first: each writes a file whose text says what its subject says, with other words around."""
    stream = []
    for number, subject in enumerate(told):
        path, text = f"src/{name}_{number}.md", f"# {name} {number}\n\nHere we {subject.lower()}, as people asked.\n"
        riddle = subject in RIDDLES
        stream += _commit(subject, number, path, "Nothing to see.\n" if riddle else text, stream == [])
    changes = "# Changes\n\n" + "".join(f"- {subject}\n" for subject in told if subject in RIDDLES)
    stream += _commit("Write the list of changes", len(told), "CHANGELOG.md", changes, stream == [])
    data = "".join(stream).encode()
    subprocess.run(["git", "-C", repo.root, "fast-import", "--quiet"], input=data, check=True)
    repo.git("reset", "-q", "--hard", "main")


def _commit(subject, number, path, text, first):
    who = f"Tess <tess@localhost> {1_700_000_000 + 60 * number} +0000"
    head = "" if not first else "reset refs/heads/main\n"
    return [
        f"{head}commit refs/heads/main\ncommitter {who}\ndata {len(subject.encode())}\n{subject}\n",
        f"M 644 inline {path}\ndata {len(text.encode())}\n{text}\n",
    ]


class Told(Machine):
    """A machine with a parser and a ledger, indexed; `measuring` looks at its stores without the daemon."""

    def __init__(self):
        super().__init__()
        for nouns, parts, name in (PARSER, LEDGER):
            history(
                self.repository(name), [*(RIDDLES if name == "ledger" else ()), *subjects(nouns, parts, name)], name
            )
        self.run("setup", self.code, "-y")

    @property
    def file(self):
        """Where the daemon keeps what it fitted."""
        return os.path.join(self.paths.base, "thresholds.json")

    def measuring(self, path=None):
        """As the daemon builds it, on the same stores, with thresholds of its own."""
        layout = Layout(self.paths.home)
        registry, snapshots = Registry(layout), Snapshots(layout)
        snapshots.load([s.id for s in registry.scopes])
        fitted = Fitted(path or self.file)
        return Measuring(Asker(registry, snapshots, fitted), fitted)


@pytest.fixture(scope="module")
def told():
    """One such machine for a module; a test leaves its thresholds usable."""
    made = Told()
    yield made
    made.end()
