"""`locid` and `python -m locid`: flags -> the daemon's life, or one of its children's."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from locid import __version__

ROLES = ("indexer", "parser")


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status: 0 after a clean end, 75 when another daemon has the home, 78 when it cannot start."""
    args = list(sys.argv[1:] if argv is None else argv)
    if os.name == "nt":
        print("locid needs WSL on Windows: install it there", file=sys.stderr)
        return 78
    if args[:1] == ["--role"]:
        return _child(args[1:])
    return _daemon(_parser().parse_args(args))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="locid",
        description="The daemon of loci. Clients start it when they need it; a service starts it at login.",
        epilog="example: locid --foreground --log-level debug",
    )
    parser.add_argument("--config", metavar="FILE", help="the settings file, instead of config.toml of this user")
    parser.add_argument("--foreground", action="store_true", help="log to stderr too")
    parser.add_argument("--idle-exit", type=_seconds, metavar="S", help="end after S seconds without a request")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"))
    parser.add_argument("--version", action="version", version=f"locid {__version__}")
    return parser


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError("must be above 0")
    return value


# Imports inside the functions: on Windows lifecycle cannot be imported, and a child needs no server.


def _child(args: list[str]) -> int:
    if not args or args[0] not in ROLES:
        print(f"locid: --role is one of {', '.join(ROLES)}", file=sys.stderr)
        return 2
    from locid import app

    return app.run_role(args[0], args[1:])


def _daemon(options: argparse.Namespace) -> int:
    from locid import app, lifecycle, rpc

    chosen = lifecycle.Options(options.foreground, options.idle_exit, options.log_level, options.config)
    return lifecycle.run(chosen, build=app.build, serve=rpc.serve)


if __name__ == "__main__":
    sys.exit(main())
