"""`loci uses`: what projects use of one another, or who uses one thing."""

from argparse import Namespace

from . import text
from .family import Commands, command
from .main import ANSWERED, NOTHING, client, look, out, out_json


def add(commands: Commands) -> None:
    """Adds the command."""
    uses = command(
        commands,
        "uses",
        "what projects use of one another; of SCOPE, from and to it; or which projects use anything else by its name",
        "loci uses requests",
        run,
    )
    uses.add_argument("scope", metavar="SCOPE", nargs="?")


def run(args: Namespace) -> int:
    """0 when something is used, 1 when nothing was seen to be."""
    with client() as daemon:
        result = daemon.uses(args.scope)
    if args.json:
        out_json(result)
    else:
        out(text.uses(result, args.scope, look()))
    return ANSWERED if result.get("relations") else NOTHING
