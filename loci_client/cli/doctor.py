"""`loci doctor`: what is missing or stale, and the command that fixes it."""

import os
import sys
from argparse import Namespace

from loci_client.client import Client
from loci_client.wire import Body

from . import text
from .family import Commands, command
from .main import ANSWERED, NOTHING, client, look, out, out_json, search_path


def add(commands: Commands) -> None:
    """Adds the command."""
    command(commands, "doctor", "what is missing or stale, and the command that fixes it", "loci doctor", run)


def examined(daemon: Client) -> Body:
    """The daemon's findings, and what only a client can see."""
    result = daemon.doctor()
    first = another_first(search_path(), program_folder())
    if first is not None:
        result["checks"] = [first, *(result.get("checks") or [])]
        result["ok"] = False
    return result


def program_folder() -> str:
    """Where the `loci` that runs lies; beside the interpreter when it was started as a module."""
    started = os.path.abspath(sys.argv[0])
    return os.path.dirname(started if os.path.basename(started) == "loci" else sys.executable)


def another_first(path: str, ours: str) -> Body | None:
    """The row for a program called loci that is none of ours and comes before ours on the PATH, or None."""
    for folder in path.split(os.pathsep):
        program = os.path.join(folder, "loci")
        if os.path.isfile(program) and os.access(program, os.X_OK):
            if _is_ours(program):
                return None
            finding = f"{program} is another program, and the one that `loci` runs"
            return {"check": "path", "level": "warning", "finding": finding, "fix": f'export PATH="{ours}:$PATH"'}
    return None


def _is_ours(program: str) -> bool:
    """Whether a script leads to this package, whichever environment it lies in."""
    with open(program, "rb") as file:
        return b"loci_client" in file.read(65536)


def run(args: Namespace) -> int:
    """0 when all is well, 1 when something is to be done."""
    with client() as daemon:
        result = examined(daemon)
    if args.json:
        out_json(result)
    else:
        out(text.doctor(result, look()))
    return ANSWERED if result.get("ok") else NOTHING
