"""`loci status`: what the daemon does and holds. It starts none: to look must not change what is seen."""

from argparse import Namespace

from . import text
from .family import Commands, command
from .main import client, look, out, out_json


def add(commands: Commands) -> None:
    """Adds the command."""
    command(commands, "status", "what the daemon does and holds", "loci status", run)


def run(args: Namespace) -> int:
    """0 with the status; 3 when no daemon runs."""
    with client(start=False) as daemon:
        result = daemon.status()
    return out_json(result) if args.json else out(text.status(result, look()))
