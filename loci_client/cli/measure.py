"""`loci calibrate` and `loci eval`: what a question must bring to be answered, and how well questions are routed."""

import os
from argparse import Namespace

from loci_client.errors import OutputLost, Usage

from . import chart, measured
from .family import Commands, command, progress
from .main import ANSWERED, client, look, out, out_json, say


def add(commands: Commands) -> None:
    """Adds both commands."""
    calibrate = command(
        commands,
        "calibrate",
        "fit to your own history how much a question must bring to be answered",
        "loci calibrate --show",
        run_calibrate,
    )
    calibrate.add_argument("--show", action="store_true", help="only show what holds, and what it was fitted from")
    measure = command(
        commands,
        "eval",
        "measure on your own projects how well questions are routed; no labelling, a few seconds",
        "loci eval --misses",
        run_eval,
    )
    measure.add_argument("--misses", action="store_true", help="also list the questions that went wrong")
    measure.add_argument("--plot", metavar="FILE", help="also draw it: an SVG picture of families, bands and floor")


def run_calibrate(args: Namespace) -> int:
    """0 with what holds."""
    with client() as daemon, progress(args.json or args.show) as shown:
        result = daemon.calibrate(show=args.show, on_progress=shown)
    return out_json(result) if args.json else out(measured.calibrated(result, look()))


def run_eval(args: Namespace) -> int:
    """0 with the table, however well it went."""
    if args.plot is not None:
        _check_plot(args.plot)
    with client() as daemon, progress(args.json) as shown:
        result = daemon.eval(on_progress=shown)
    if args.plot is not None:
        _write(args.plot, chart.svg(result))
        say(f"note: the picture is in {args.plot}")
    if args.json:
        return out_json(result)
    out(measured.evaluated(result, look()))
    if args.misses:
        out("\n" + measured.misses(result, look()))
    return ANSWERED


def _check_plot(path: str) -> None:
    """Usage before anything is measured, when there would be nowhere to draw."""
    if not path.lower().endswith(".svg"):
        raise Usage(f"--plot draws SVG: give a file that ends in .svg, not {path!r}")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder) or os.path.isdir(path):
        raise Usage(f"--plot cannot write {path}: {'it is' if os.path.isdir(path) else folder + ' is not'} a directory")


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise OutputLost(f"{path} could not be written: {error.strerror}") from error
