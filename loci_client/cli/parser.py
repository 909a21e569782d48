"""Everything but ask and route: argparse, a module per family of commands, whose `add` adds them."""

import argparse
import difflib
from collections.abc import Callable
from typing import NoReturn

from loci_client.errors import Usage

from . import completion, config, daemon, doctor, embed, groups, index, measure, scopes, setup, status, uses, why
from .main import out
from .texts import HELP, TOP

FAMILIES = (setup, scopes, groups, index, embed, status, doctor, measure, uses, why, config, completion, daemon)
Handler = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """argparse, but an error is one sentence that says where help is."""

    def error(self, message: str) -> NoReturn:
        """Raises Usage."""
        raise Usage(f"{message}: see `{self.prog} --help`")


def build() -> Parser:
    """The parser of all commands of the families."""
    parser = Parser(prog="loci", add_help=False)
    commands = parser.add_subparsers(dest="command", parser_class=Parser)
    for family in FAMILIES:
        family.add(commands)
    return parser


def dispatch(argv: list[str]) -> int:
    """The exit status of one command line that is neither ask nor route."""
    if not argv or argv[0] in ("--help", "-h"):
        return out(TOP)
    if argv[0] == "help":
        return _help(argv[1:])
    parser = build()
    _check_known(argv[0], parser)
    try:
        args = parser.parse_args(argv)
    except SystemExit:  # argparse has printed the help that was asked for
        return 0
    handler: Handler = args.handler
    return handler(args)


def _help(words: list[str]) -> int:
    if not words:
        return out(TOP)
    return out(HELP[words[0]]) if words[0] in HELP else dispatch([*words, "--help"])


def _check_known(command: str, parser: Parser) -> None:
    """Usage, with the nearest command, when there is none of that name."""
    names = ["ask", "route", "help"]
    for action in parser._subparsers._group_actions if parser._subparsers else []:
        names += list(action.choices or [])
    if command not in names:
        near = difflib.get_close_matches(command, names, 1)
        hint = f"did you mean `loci {near[0]}`?" if near else "`loci --help` lists the commands"
        raise Usage(f"there is no command {command!r}: {hint}")
