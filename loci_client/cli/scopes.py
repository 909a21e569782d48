"""`loci scan`, `add`, `rm`, `scopes`: what is registered."""

import os
from argparse import Namespace

from loci_client.errors import Usage
from loci_client.wire import Body

from . import text
from .family import Commands, agreed, asks, command, directory, notes, progress
from .main import ANSWERED, NOTHING, client, look, out, out_json, say


def add(commands: Commands) -> None:
    """Adds the four commands."""
    scan = command(
        commands,
        "scan",
        "register the git repositories under directories",
        "loci scan ~/src ~/work",
        run_scan,
    )
    scan.add_argument("dirs", metavar="DIR", nargs="+")
    scan.add_argument("-y", "--yes", action="store_true", help="do not ask before registering")
    one = command(commands, "add", "register one directory", "loci add ~/notes --alias journal", run_add)
    one.add_argument("path", metavar="PATH")
    one.add_argument("--name", help="what the scope is called (its directory's name)")
    one.add_argument("--alias", action="append", default=[], help="another name that it answers to (repeatable)")
    one.add_argument("--glob", action="append", default=[], help="files that belong to it, also absolute (repeatable)")
    gone = command(commands, "rm", "forget a scope and its index; the files stay", "loci rm old-project", run_rm)
    gone.add_argument("scope", metavar="SCOPE")
    command(commands, "scopes", "list what is registered", "loci scopes --json", run_scopes)


def run_scan(args: Namespace) -> int:
    """0 when something was found, 1 when nothing."""
    result = scan([directory(path) for path in args.dirs], args.yes, args.json)
    if result is None:
        return NOTHING
    if args.json or args.yes or not asks():
        return report(result, args.json)
    notes(result)  # the scopes themselves were shown before the question
    found = text.counted(len(result.get("scopes") or []), "scope")
    return out(f"registered: {found}; `loci index --wait` indexes what is new\n")


def scan(roots: list[str], yes: bool, as_json: bool) -> Body | None:
    """The scopes registered under the roots, shown first on a terminal; None when the user says no."""
    with client() as daemon:
        if not yes and not as_json and asks():
            with progress(as_json) as shown:
                found = daemon.scopes_scan(roots, dry_run=True, on_progress=shown)
            out(text.scopes(found, look()))
            new = found.get("added", found.get("scopes")) or []
            if not found.get("scopes") or (new and not agreed(f"register {text.counted(len(new), 'new scope')}?", yes)):
                say("loci: nothing was registered")
                return None
        with progress(as_json) as shown:
            return daemon.scopes_scan(roots, on_progress=shown)


def run_add(args: Namespace) -> int:
    """0 when the directory is registered."""
    globs = [os.path.expanduser(glob) for glob in args.glob]
    with client() as daemon:
        result = daemon.scopes_add(directory(args.path), name=args.name, aliases=args.alias, globs=globs)
    return report(result, args.json)


def run_rm(args: Namespace) -> int:
    """0 when the scope is forgotten."""
    if not args.scope.strip():
        raise Usage("rm needs the name of a scope: `loci scopes` lists them")
    with client() as daemon:
        result = daemon.scopes_remove(args.scope)
    if args.json:
        return out_json(result)
    notes(result)
    return out(f"forgotten: {', '.join(text.label(scope) for scope in result.get('scopes') or []) or args.scope}\n")


def run_scopes(args: Namespace) -> int:
    """0 with scopes, 1 when there are none."""
    with client() as daemon:
        return report(daemon.scopes_list(), args.json)


def report(result: Body, as_json: bool) -> int:
    """Writes {scopes, notes}; 1 when there are no scopes."""
    if as_json:
        out_json(result)
    else:
        out(text.scopes(result, look()))
        notes(result)
    return ANSWERED if result.get("scopes") else NOTHING
