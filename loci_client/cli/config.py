"""`loci config`: settings, shown and set."""

from argparse import Namespace

from loci_client.errors import Usage
from loci_client.wire import Body

from . import text
from .family import Commands, command
from .main import client, out, out_json, say


def add(commands: Commands) -> None:
    """Adds the command."""
    config = command(commands, "config", "show settings, or set one", "loci config log_level debug", run)
    config.add_argument("key", metavar="KEY", nargs="?", help="one setting; all when missing")
    config.add_argument("value", metavar="VALUE", nargs="?", help="its new value")
    config.add_argument("--unset", action="store_true", help="take it out of the file, so that its default holds")


def run(args: Namespace) -> int:
    """0 with the settings."""
    if args.unset and (args.value is not None or args.key is None):
        raise Usage("--unset needs a key and no value: loci config log_level --unset")
    with client() as daemon:
        result = daemon.config(args.key, args.value, unset=args.unset)
    if args.json:
        return out_json(result)
    return _report(result, args.value is not None or args.unset)


def _report(result: Body, changed: bool) -> int:
    out(text.settings(result))
    for problem in result.get("problems") or []:
        say(f"note: {problem}")
    if result.get("restart"):
        say("note: the daemon that runs follows it after `loci daemon restart`")
    elif changed:
        say(f"note: written to {result.get('file')}, and followed from now on")
    return 0
