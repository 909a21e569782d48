"""`loci groups`, `loci group add|rm|set`: labels over scopes, and what they do to a question."""

from argparse import Namespace

from loci_client.errors import Usage
from loci_client.wire import Body

from . import text
from .family import Commands, command, notes, progress
from .main import ANSWERED, NOTHING, client, look, out, out_json

MODES = ("explicit", "soft", "hard")


def add(commands: Commands) -> None:
    """Adds the two commands."""
    listed = command(
        commands,
        "groups",
        "list groups with their members and modes; `infer` reads from git again whose each repository is",
        "loci groups infer --dry-run",
        run_groups,
    )
    listed.add_argument("verb", metavar="infer", nargs="?", choices=("infer",))
    listed.add_argument("--dry-run", action="store_true", help="with infer: only show what would change")
    group = command(
        commands,
        "group",
        "who is in a group, and what it does to a question",
        "loci group add api web client:acme && loci group set client:acme --mode hard",
        run,
    )
    verbs = group.add_subparsers(dest="verb", metavar="add|rm|set", parser_class=type(group))
    for verb, summary, handler in (("add", "put scopes into a group", run_add), ("rm", "take them out", run_rm)):
        members = command(verbs, verb, summary, f"loci group {verb} api web client:acme", handler)
        members.add_argument("scopes", metavar="SCOPE", nargs="+")
        members.add_argument("group", metavar="GROUP")
    mode = command(
        verbs,
        "set",
        "what a group does to a question: its mode",
        "loci group set client:acme --mode hard",
        run_set,
    )
    mode.add_argument("group", metavar="GROUP", nargs="?")
    mode.add_argument("--default", action="store_true", help="the mode of all groups that none was set for")
    mode.add_argument(
        "--mode",
        metavar="|".join(MODES),
        choices=MODES,
        required=True,
        help="from inside one of its scopes: explicit does nothing, soft lets what is outside weigh half, hard keeps to its "
        "members; with --group all three keep to the members, and hard abstains when the best answer is outside",
    )


def run(args: Namespace) -> int:
    """Usage: a verb is missing."""
    raise Usage("group needs one of add, rm, set: see `loci group --help`")


def run_groups(args: Namespace) -> int:
    """0 with groups, 1 when there are none; with `infer` 0 with what has changed."""
    if args.verb == "infer":
        return _infer(args)
    if args.dry_run:
        raise Usage("--dry-run goes with infer: loci groups infer --dry-run")
    with client() as daemon:
        result = daemon.groups_list()
    _report(result, args.json)
    return ANSWERED if result.get("groups") else NOTHING


def _infer(args: Namespace) -> int:
    with client() as daemon, progress(args.json) as shown:
        result = daemon.groups_infer(dry_run=args.dry_run, on_progress=shown)
    if args.json:
        return out_json(result)
    notes(result)
    return out(text.inferred(result, args.dry_run))


def run_add(args: Namespace) -> int:
    """0 when the scopes are in the group."""
    with client() as daemon:
        return _report(daemon.groups_add(args.group, args.scopes), args.json)


def run_rm(args: Namespace) -> int:
    """0 when the scopes are out of the group."""
    with client() as daemon:
        return _report(daemon.groups_remove(args.group, args.scopes), args.json)


def run_set(args: Namespace) -> int:
    """0 when the mode is set."""
    if args.default == (args.group is not None):
        raise Usage("group set needs a group or --default, and one of them: loci group set --default --mode soft")
    with client() as daemon:
        result = daemon.groups_set(args.mode, args.group)
    if args.default and not args.json:
        return out(text.default_mode(result))
    return _report(result, args.json)


def _report(result: Body, as_json: bool) -> int:
    if as_json:
        return out_json(result)
    notes(result)
    if result.get("notes") and not result.get("groups"):
        return ANSWERED
    return out(text.groups(result, look()))
