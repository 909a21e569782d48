"""`loci why`: why a file or folder is in or out."""

import os
from argparse import Namespace

from .family import Commands, command
from .main import ANSWERED, NOTHING, client, out, out_json


def add(commands: Commands) -> None:
    """Adds the command."""
    why = command(commands, "why", "why a file or folder is in or out", "loci why dist/app.js", run)
    why.add_argument("path", metavar="PATH")


def run(args: Namespace) -> int:
    """0 when it is in, 1 when it is not."""
    with client() as daemon:
        result = daemon.why(os.path.abspath(os.path.expanduser(args.path)))
    if args.json:
        out_json(result)
    else:
        where = f" ({result['scope']})" if result.get("scope") else ""
        pending = result.get("included") and not result.get("indexed") and os.path.isfile(str(result.get("path")))
        later = f"; not indexed yet: loci index {result.get('scope')}" if pending else ""
        fix = f"\n    to change it: {result['fix']}" if result.get("fix") else ""
        out(f"{result.get('path')}{where}: {result.get('sentence')}{later}{fix}\n")
    return ANSWERED if result.get("included") else NOTHING
