"""`loci embed`: vectors."""

from argparse import Namespace

from . import text
from .family import Commands, command, progress
from .main import client, out, out_json


def add(commands: Commands) -> None:
    """Adds the command."""
    embed = command(commands, "embed", "compute the vectors that are missing", "loci embed --wait", run)
    embed.add_argument("--wait", action="store_true", help="return when it is done")
    embed.add_argument("--status", action="store_true", help="only say how many are there")


def run(args: Namespace) -> int:
    """0 with the counts."""
    with client() as daemon:
        if args.status:
            result = daemon.embed_status()
        else:
            with progress(args.json or not args.wait) as shown:
                result = daemon.embed_run(wait=args.wait, on_progress=shown)
    return out_json(result) if args.json else out(text.embedded(result))
