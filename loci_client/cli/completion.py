"""`loci completion`: scripts for bash, zsh and fish, made from the commands' own table.

Names of scopes, groups and settings are asked of a daemon that runs; completion starts none and says nothing when it fails.
"""

import argparse
from argparse import Namespace

from loci_client.errors import LociError, Usage

from .family import Commands, command
from .main import ASK, ROUTE, client, out, out_json

SHELLS = ("bash", "zsh", "fish")
VALUES = ("scopes", "groups", "members", "keys")  # members: scopes and groups
# what a positional or the value of a flag is completed with, by its metavar or flag
KINDS = {
    "SCOPE": "scopes",
    "GROUP": "groups",
    "KEY": "keys",
    "DIR": "dirs",
    "PATH": "files",
    "--scope": "scopes",
    "--group": "groups",
    "--cwd": "dirs",
    "--plot": "files",
}


class Words:
    """What may follow one command: flags, those among them that take a value, and what its words are."""

    def __init__(self, flags: list[str], valued: dict[str, str], words: list[str], kind: str) -> None:
        self.flags, self.valued, self.words, self.kind = flags, valued, words, kind


def add(commands: Commands) -> None:
    """Adds the command."""
    completion = command(
        commands,
        "completion",
        "the completion script of a shell",
        "loci completion bash > ~/.local/share/bash-completion/completions/loci",
        run,
    )
    completion.add_argument("shell", metavar="bash|zsh|fish", nargs="?", choices=SHELLS)
    completion.add_argument("--values", choices=VALUES, help=argparse.SUPPRESS)


def run(args: Namespace) -> int:
    """0 with the script."""
    if args.values:
        return out("".join(f"{value}\n" for value in values(args.values)))
    if args.shell is None:
        raise Usage("completion needs a shell, bash, zsh or fish: source <(loci completion bash)")
    script = {"bash": bash, "zsh": zsh, "fish": fish}[args.shell](table())
    return out_json({"shell": args.shell, "script": script}) if args.json else out(script)


def values(what: str) -> list[str]:
    """Names of scopes, of groups or of both, or keys of settings, of a daemon that runs; none without one."""
    try:
        with client(start=False) as daemon:
            if what == "keys":
                return [str(row["key"]) for row in daemon.config().get("settings") or []]
            scopes = daemon.scopes_list().get("scopes") or [] if what != "groups" else []
            groups = daemon.groups_list().get("groups") or [] if what != "scopes" else []
            return [str(scope["id"]) for scope in scopes] + [str(group["name"]) for group in groups]
    except LociError:
        return []


def table() -> dict[str, Words]:
    """Every command with what may follow it."""
    from .parser import build

    found = {name: _by_hand(flags) for name, flags in (("ask", ASK), ("route", ROUTE))}
    for action in build()._actions:
        for name, parser in (action.choices or {}).items() if isinstance(action.choices, dict) else ():
            found[name] = _of_parser(parser)
    return dict(sorted(found.items()))


def _by_hand(flags: dict[str, tuple[str, str]]) -> Words:
    valued = {flag: KINDS.get(flag, "any") for flag, (_, kind) in flags.items() if kind != "flag"}
    return Words([*flags, "--help"], valued, [], "any")


def _of_parser(parser: argparse.ArgumentParser) -> Words:
    """What may follow a command; of one with verbs, what may follow any of them."""
    found = Words([], {}, [], "any")
    kinds = set()
    for action in parser._actions:
        if action.help == argparse.SUPPRESS:
            continue
        if isinstance(action, argparse._SubParsersAction):
            inner = [_of_parser(verb) for verb in action.choices.values()]
            found.words += action.choices
            found.flags += [flag for words in inner for flag in words.flags]
            found.valued |= {flag: kind for words in inner for flag, kind in words.valued.items()}
            kinds |= {words.kind for words in inner}
        elif action.option_strings:
            found.flags += [f for f in action.option_strings if f.startswith("--") or len(action.option_strings) == 1]
            found.valued |= dict.fromkeys(action.option_strings, _kind(action)) if action.nargs != 0 else {}
        else:
            found.words += [str(choice) for choice in action.choices or []]
            kinds.add(KINDS.get(str(action.metavar), "any"))
    kinds.discard("any")
    found.kind = "members" if {"scopes", "groups", "members"} & kinds and len(kinds) > 1 else min(kinds, default="any")
    found.flags = list(dict.fromkeys(found.flags))
    return found


def _kind(action: argparse.Action) -> str:
    choices = " ".join(map(str, action.choices or []))
    named = (KINDS[word] for word in (*action.option_strings, str(action.metavar)) if word in KINDS)
    return f"words:{choices}" if choices else next(named, "any")


def bash(commands: dict[str, Words]) -> str:
    """A script for bash 3.2 and later that needs nothing else; a name with blanks is left out."""
    cases = "".join(_case(name, words) for name, words in commands.items())
    return _BASH.replace("@COMMANDS@", " ".join([*commands, "help"])).replace("@CASES@", cases)


def _case(name: str, words: Words) -> str:
    lines = [f"        {name})\n            flags='{' '.join(words.flags)}'; words='{' '.join(words.words)}'"]
    lines.append(f"            kind={words.kind}\n            case $before in")
    for flag, kind in words.valued.items():
        choices = kind.removeprefix("words:")
        action = f"flags=; kind=any; words='{choices}'" if kind.startswith("words:") else f"flags=; words=; kind={kind}"
        lines.append(f"                {flag}) {action};;")
    return "\n".join(lines) + "\n            esac;;\n"


_BASH = """\
# loci's completion for bash: source <(loci completion bash)
_loci() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local flags= words= kind=any head= at=$COMP_CWORD
    COMPREPLY=()
    # bash parts a word at each colon, and names of groups have some
    if [ "$current" = : ]; then
        head="$before:"; current=; before=${COMP_WORDS[at-2]}
    elif [ "$before" = : ]; then
        head="${COMP_WORDS[at-2]}:"; before=${COMP_WORDS[at-3]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '@COMMANDS@ --help --version' -- "$current"))
        return
    fi
    case ${COMP_WORDS[1]} in
        help)
            words='@COMMANDS@';;
@CASES@    esac
    case $kind in
        scopes|groups|members|keys) words="$words $(loci completion --values $kind 2>/dev/null)";;
        dirs) COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames 2>/dev/null;;
        files) COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null;;
    esac
    case $current in -*) words=$flags; COMPREPLY=();; esac
    COMPREPLY+=($(compgen -W "$words" -- "$head$current"))
    COMPREPLY=("${COMPREPLY[@]#"$head"}")
}
complete -F _loci loci
"""


def zsh(commands: dict[str, Words]) -> str:
    """The same for zsh, through its own emulation of bash's completion."""
    head = "#compdef loci\n# loci's completion for zsh: source <(loci completion zsh)\n"
    return (
        head + "autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n" + bash(commands)
    )


def fish(commands: dict[str, Words]) -> str:
    """A line a thing that may be typed."""
    lines = ["# loci's completion for fish: loci completion fish | source", "complete -c loci -f"]
    lines.append(f"complete -c loci -n __fish_use_subcommand -a '{' '.join([*commands, 'help'])}'")
    for name, words in commands.items():
        seen = f"complete -c loci -n '__fish_seen_subcommand_from {name}'"
        for flag in words.flags:
            option = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
            lines.append(f"{seen} {option}" + _fish(words.valued.get(flag)))
        if words.words:
            lines.append(f"{seen} -a '{' '.join(words.words)}'")
        if words.kind != "any":
            lines.append(f"{seen}{_fish(words.kind).replace(' -x', '')}")
    return "\n".join(lines) + "\n"


def _fish(kind: str | None) -> str:
    if kind is None:
        return ""
    if kind.startswith("words:"):
        return f" -x -a '{kind[6:]}'"
    if kind in VALUES:
        return f" -x -a '(loci completion --values {kind})'"
    return {"dirs": " -x -a '(__fish_complete_directories)'", "files": " -F"}.get(kind, " -x")
