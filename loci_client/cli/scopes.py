"""`loci scan`, `add`, `rm`, `purge`, `scopes`: what is registered."""

import os
from argparse import ArgumentParser, Namespace

from loci_client.errors import Usage
from loci_client.wire import Body

from . import text
from .family import Commands, agreed, asks, command, directory, notes, progress
from .main import ANSWERED, NOTHING, client, look, out, out_json


def add(commands: Commands) -> None:
    """Adds the five commands."""
    scan = command(
        commands,
        "scan",
        "register the git repositories under directories",
        "loci scan ~/src ~/work",
        run_scan,
    )
    scan.add_argument("dirs", metavar="DIR", nargs="+")
    choices(scan)
    scan.add_argument("-y", "--yes", action="store_true", help="do not ask about repositories that are not yours")
    one = command(commands, "add", "register one directory", "loci add ~/notes --alias journal", run_add)
    one.add_argument("path", metavar="PATH")
    one.add_argument("--name", help="what the scope is called (its directory's name)")
    one.add_argument("--alias", action="append", default=[], help="another name that it answers to (repeatable)")
    one.add_argument("--glob", action="append", default=[], help="files that belong to it, also absolute (repeatable)")
    gone = command(commands, "rm", "forget a scope and its index; the files stay", "loci rm old-project", run_rm)
    gone.add_argument("scope", metavar="SCOPE")
    emptied = command(
        commands,
        "purge",
        "delete all that is stored of a scope; it stays registered, and `loci index` reads it again",
        "loci purge leaky && loci index leaky --wait",
        run_purge,
    )
    emptied.add_argument("scope", metavar="SCOPE")
    listed = command(commands, "scopes", "list what is registered", "loci scopes --group me", run_scopes)
    listed.add_argument("--group", metavar="GROUP", help="only the members of this group")


def choices(parser: ArgumentParser) -> None:
    """Adds what `scan` and `setup` let a person choose: --split and --owner."""
    parser.add_argument(
        "--split",
        action="store_true",
        help="a scope of its own for each folder of a repository that has a package.json, pyproject.toml, Cargo.toml "
        "or go.mod (what a .loci.json names always has one)",
    )
    parser.add_argument(
        "--owner", choices=("mine", "all"), help="register only repositories that git says are yours, or all (default)"
    )


def run_scan(args: Namespace) -> int:
    """0 when something was found, 1 when nothing."""
    result = scan([directory(path) for path in args.dirs], args)
    if result is None:
        return NOTHING
    if args.json:
        return report(result, True)
    if args.yes or not asks():
        out(text.owned(result))
    notes(result)
    found = len(result.get("scopes") or [])
    if found:
        out(f"registered: {text.counted(found, 'scope')}; `loci index --wait` indexes what is new\n")
    return ANSWERED if found else NOTHING


def scan(roots: list[str], args: Namespace) -> Body | None:
    """The scopes registered under the roots, by owner; on a terminal the user is asked about those of others.

    None when there is nothing to register.
    """
    owner = args.owner or "all"
    with client() as daemon:
        if not args.yes and not args.json and asks():
            with progress(args.json) as shown:
                found = daemon.scopes_scan(roots, split=args.split, owner=owner, dry_run=True, on_progress=shown)
            if not found.get("scopes"):
                notes(found)
                return None
            out(text.owned(found))
            owner = _whose(found, args.owner)
        with progress(args.json) as shown:
            return daemon.scopes_scan(roots, split=args.split, owner=owner, on_progress=shown)


def _whose(found: Body, chosen: str | None) -> str:
    """`all` or `mine`: what the user says when some of the new ones are not theirs and no flag said it before."""
    new = set(found.get("added") or [])
    others = [s for s in found.get("scopes") or [] if s.get("id") in new and s.get("owner", "me") != "me"]
    if chosen or not others:
        return chosen or "all"
    number = len(others)
    prompt = f"register also {text.counted(number, 'scope')} that {text.are(number)} not yours, as far as git tells?"
    return "all" if agreed(prompt, False) else "mine"


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


def run_purge(args: Namespace) -> int:
    """0 when nothing of the scope is stored any more."""
    with client() as daemon:
        result = daemon.scopes_purge(args.scope)
    if args.json:
        return out_json(result)
    notes(result)
    return out(f"purged: {', '.join(text.label(scope) for scope in result.get('scopes') or []) or args.scope}\n")


def run_scopes(args: Namespace) -> int:
    """0 with scopes, 1 when there are none."""
    with client() as daemon:
        return report(daemon.scopes_list(args.group), args.json)


def report(result: Body, as_json: bool) -> int:
    """Writes {scopes, notes}; 1 when there are no scopes."""
    if as_json:
        out_json(result)
    else:
        if result.get("scopes") or not result.get("notes"):
            out(text.scopes(result, look()))
        notes(result)
    return ANSWERED if result.get("scopes") else NOTHING
