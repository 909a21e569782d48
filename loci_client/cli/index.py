"""`loci index`: index now."""

from argparse import Namespace

from . import text
from .family import Commands, command, progress
from .main import ANSWERED, NOTHING, UNAVAILABLE, client, out, out_json


def add(commands: Commands) -> None:
    """Adds the command."""
    index = command(
        commands,
        "index",
        "bring the index up to date: only what changed is read",
        "loci index --wait httpx",
        run,
    )
    index.add_argument("scopes", metavar="SCOPE", nargs="*", help="all when none is given")
    index.add_argument("--force", action="store_true", help="read every file again, changed or not")
    index.add_argument("--wait", action="store_true", help="return when it is done")


def run(args: Namespace) -> int:
    """0 when it ran or was queued, 1 when there is nothing to index, 3 when a scope could not be."""
    with client() as daemon, progress(args.json or not args.wait) as shown:
        result = daemon.index_run(args.scopes, force=args.force, wait=args.wait, on_progress=shown)
    if args.json:
        out_json(result)
    else:
        out(text.indexed(result))
    scopes = result.get("scopes") or []
    if any(scope.get("failed") for scope in scopes):
        return UNAVAILABLE
    return ANSWERED if scopes else NOTHING
