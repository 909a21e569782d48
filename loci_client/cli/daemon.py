"""`loci daemon start|stop|restart|logs`."""

import os
from argparse import Namespace
from time import sleep

from loci_client import halt, launch, paths
from loci_client.errors import CannotStart, Usage
from loci_client.health import log_tail
from loci_client.wire import Body

from .family import Commands, command
from .main import ANSWERED, NOTHING, out, out_json, say

ENDED = {
    halt.NONE: "no daemon was running",
    halt.DRAINED: "the daemon has stopped",
    halt.TERMINATED: "the daemon did not answer and was terminated",
    halt.KILLED: "the daemon did not answer and was killed",
}


def add(commands: Commands) -> None:
    """Adds the four commands."""
    parser = command(commands, "daemon", "start, stop or restart the daemon, or read its log", "loci daemon start", run)
    verbs = parser.add_subparsers(dest="verb", metavar="start|stop|restart|logs", parser_class=type(parser))
    command(verbs, "start", "start the daemon; earlier crashes are forgotten", "loci daemon start", run_start)
    stop = command(verbs, "stop", "let the daemon finish what it does and end", "loci daemon stop", run_stop)
    stop.add_argument("--force", action="store_true", help="do not wait for it; kill it if need be")
    command(verbs, "restart", "stop, then start", "loci daemon restart", run_restart)
    logs = command(verbs, "logs", "the end of the daemon's log", "loci daemon logs -f", run_logs)
    logs.add_argument("-f", "--follow", action="store_true", help="go on as it grows, until interrupted")
    logs.add_argument("-n", "--lines", type=_count, default=50, metavar="N", help="how many lines (50)")


def _count(text: str) -> int:
    """A number of lines; Usage for anything but a whole number from 0 on."""
    if not text.isdecimal():
        raise Usage(f"-n needs a whole number of lines, not {text!r}: loci daemon logs -n 50")
    return int(text)


def run(args: Namespace) -> int:
    """Usage: a verb is missing."""
    raise Usage("daemon needs one of start, stop, restart, logs: see `loci daemon --help`")


def run_start(args: Namespace) -> int:
    """0 when a daemon is ready."""
    return _started(launch.start(paths.find(), say, forget_crashes=True), args.json)


def run_stop(args: Namespace) -> int:
    """0 when no daemon runs any more."""
    ended = halt.stop(paths.find(), force=args.force)
    return out_json({"ended": ended}) if args.json else out(ENDED[ended] + "\n")


def run_restart(args: Namespace) -> int:
    """0 when a new daemon is ready."""
    where = paths.find()
    halt.stop(where)
    return _started(launch.start(where, say, forget_crashes=True), args.json)


def _started(hello: Body, as_json: bool) -> int:
    if as_json:
        return out_json(hello)
    for warning in hello.get("warnings") or []:
        say(f"note: {warning}")
    return out(f"locid {hello.get('version')} is ready (pid {hello.get('pid')})\n")


def run_logs(args: Namespace) -> int:
    """0 with lines, 1 when there is no log."""
    where = paths.find()
    place, inode = _end_of(where.log)  # first: what is written after it is followed, not lost
    lines = log_tail(where, args.lines, place)
    if args.json and not args.follow:
        return out_json({"log": where.log, "lines": lines})
    if not inode and not args.follow:
        say(f"loci: there is no log yet ({where.log}): `loci daemon start` writes one")
        return NOTHING
    out("".join(f"{line}\n" for line in lines))
    return _follow(where.log, place, inode) if args.follow else ANSWERED


def _follow(path: str, place: int, inode: int) -> int:
    """Writes what is appended to the log until interrupted; a rotated log is followed into its successor."""
    while True:
        try:
            found = os.stat(path)
            if found.st_ino != inode or found.st_size < place:
                place, inode = 0, found.st_ino
            if found.st_size > place:
                place += _copy(path, place)
        except FileNotFoundError:
            place, inode = 0, 0
        except PermissionError as error:
            raise CannotStart(f"the log {path} cannot be read: check its permissions") from error
        sleep(0.2)


def _copy(path: str, place: int) -> int:
    """How many bytes were there from `place` on; they are written to stdout."""
    with open(path, "rb") as file:
        file.seek(place)
        data = file.read()
    out(data.decode("utf-8", "replace"))
    return len(data)


def _end_of(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_size, found.st_ino
