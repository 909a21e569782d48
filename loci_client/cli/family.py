"""What the families of commands share: a command with its example, directories as given, progress, a yes."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from loci_client.client import Progress
from loci_client.errors import Usage
from loci_client.wire import Body

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Any]
else:
    Commands = object
Handler = Callable[[argparse.Namespace], int]


def command(commands: Commands, name: str, summary: str, example: str, handler: Handler) -> argparse.ArgumentParser:
    """A command with its help, its example and --json; `handler` returns its exit status."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="the whole result as JSON")
    parser.set_defaults(handler=handler)
    return parser


def directory(path: str) -> str:
    """The absolute path of an existing directory; Usage when it is none."""
    full = os.path.abspath(os.path.expanduser(path))
    if not os.path.isdir(full):
        raise Usage(f"{path} is not a directory: give one that exists")
    return full


@contextmanager
def progress(as_json: bool) -> Iterator[Progress | None]:
    """A function that shows progress on a terminal; None on a pipe and with --json."""
    if as_json or not sys.stderr.isatty():
        yield None
        return
    from .pretty import Bar

    with Bar() as bar:
        yield bar.update


def asks() -> bool:
    """Whether there is a person to ask; without a terminal every prompt takes its default."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def agreed(prompt: str, assume: bool) -> bool:
    """Whether the user says yes; yes is the default, and the answer without a terminal."""
    if assume or not asks():
        return True
    return answer(f"{prompt} [Y/n] ").lower() in ("", "y", "yes")


def answer(prompt: str) -> str:
    """A line that the user types, without blanks around it; empty at the end of the input."""
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def notes(result: Body) -> None:
    """Writes the notes of a result to stderr, a line each."""
    for note in result.get("notes") or []:
        sys.stderr.write(f"note: {note}\n")
