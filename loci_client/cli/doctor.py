"""`loci doctor`: what is missing or stale, and the command that fixes it."""

from argparse import Namespace

from . import text
from .family import Commands, command
from .main import ANSWERED, NOTHING, client, look, out, out_json


def add(commands: Commands) -> None:
    """Adds the command."""
    command(commands, "doctor", "what is missing or stale, and the command that fixes it", "loci doctor", run)


def run(args: Namespace) -> int:
    """0 when all is well, 1 when something is to be done."""
    with client() as daemon:
        result = daemon.doctor()
    if args.json:
        out_json(result)
    else:
        out(text.doctor(result, look()))
    return ANSWERED if result.get("ok") else NOTHING
