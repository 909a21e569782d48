"""`loci setup`: register, index and check everything in one pass. It can be interrupted and repeated."""

import argparse
import os
from argparse import Namespace

from loci_client.client import Client
from loci_client.errors import LociError
from loci_client.wire import Body

from . import measured, text
from .doctor import examined
from .family import Commands, answer, asks, command, directory, notes, progress
from .main import ANSWERED, NOTHING, client, look, out, out_json, say
from .scopes import choices, scan

LIKELY = ("code", "src", "projects", "work", "dev", "repos", "git")


def add(commands: Commands) -> None:
    """Adds the command."""
    setup = command(
        commands, "setup", "register, index and check everything in one pass", "loci setup ~/src ~/work", run
    )
    setup.add_argument("dirs", metavar="DIR", nargs="*", help="where your repositories lie; asked for when missing")
    setup.add_argument("-y", "--yes", action="store_true", help="take every default, ask nothing")
    choices(setup)
    setup.add_argument("--no-embed", action="store_true", help="compute no vectors")
    setup.add_argument("--no-calibrate", action="store_true", help="leave the thresholds as they are")
    for later in ("--no-service", "--no-graphs"):  # accepted, so that scripts need no change
        setup.add_argument(later, action="store_true", help=argparse.SUPPRESS)


def run(args: Namespace) -> int:
    """0 when all is registered and indexed, 1 when there was nothing to register."""
    try:
        return _setup(args)
    except KeyboardInterrupt:
        say("loci: interrupted: what is done is kept, run it again to go on")
        raise


def _setup(args: Namespace) -> int:
    roots = [directory(path) for path in args.dirs] or choose_roots(args.yes)
    found = scan(roots, args)
    if found is None:
        return NOTHING
    if not found.get("scopes"):
        say(f"loci: no repositories under {', '.join(roots)}: `loci setup DIR` looks elsewhere")
        return NOTHING
    with client() as daemon:
        indexed = _index(daemon, args.json)
        embedding = None if args.no_embed else _embed(daemon)
        calibrated = None if args.no_calibrate else _calibrate(daemon, args.json)
        checks = examined(daemon)
    done = {"indexed": indexed, "embedding": embedding, "calibrated": calibrated, "doctor": checks}
    if args.json:
        return out_json({"scopes": found["scopes"], **done})
    _report(found, done)
    return ANSWERED


def choose_roots(yes: bool) -> list[str]:
    """Where to look: the likely directories, or the current one, which is said; on a terminal others may be named."""
    proposed = likely_roots(os.path.expanduser("~")) or [os.getcwd()]
    if yes or not asks():
        say(f"note: no DIR was given: taking the repositories below {', '.join(proposed)}")
        return proposed
    typed = answer(f"where do your repositories lie? [{' '.join(proposed)}] ").split()
    return [directory(path) for path in typed] or proposed


def likely_roots(home: str) -> list[str]:
    """Directories of the home in which people keep their repositories, those that exist."""
    return [path for path in (os.path.join(home, name) for name in LIKELY) if os.path.isdir(path)]


def _index(daemon: Client, as_json: bool) -> Body:
    with progress(as_json) as shown:
        return daemon.index_run(wait=True, on_progress=shown)


def _embed(daemon: Client) -> Body | None:
    """Starts the vectors in the background; answers do not need them, so what fails here is only said."""
    try:
        return daemon.embed_run()
    except LociError as error:
        say(f"note: no vectors for now: {error.message}")
        return None


def _calibrate(daemon: Client, as_json: bool) -> Body | None:
    """Fits the thresholds to what is indexed now; the old ones hold when that fails."""
    try:
        with progress(as_json) as shown:
            return daemon.calibrate(on_progress=shown)
    except LociError as error:
        say(f"note: not calibrated: {error.message}")
        return None


def _report(found: Body, done: Body) -> None:
    out(text.indexed(done["indexed"]))
    notes(found)
    if done["embedding"] and done["embedding"].get("total"):
        out(text.embedded(done["embedding"]))
    if done["calibrated"]:
        out(measured.briefly(done["calibrated"]))
    out("\n" + text.doctor(done["doctor"], look()))
    name = str(found["scopes"][0].get("name"))
    out(
        f"\n{text.counted(len(found['scopes']), 'scope')} ready; `loci index` brings them up to date after changes. Try:\n"
        f'  loci ask "what does {name} do?"\n  loci scopes\n  loci status\n'
    )
