"""The entry, and the lean path: ask and route parse their flags by hand and import only what they need.

Here and in `paths` the environment is read, nowhere else.
"""

import os
import sys

from loci_client import __version__, paths, render
from loci_client.client import Client
from loci_client.errors import LociError, OutputLost, Usage
from loci_client.wire import Body

ANSWERED, NOTHING, UNAVAILABLE, INTERRUPTED, BROKEN_PIPE, DEFECT = 0, 1, 3, 130, 141, 5

# flag -> (name, kind): what ask and route take; "list" may be repeated, "flag" takes no value
ASK = {
    "--scope": ("scope", "list"),
    "--group": ("group", "text"),
    "-k": ("k", "number"),
    "--budget": ("budget", "number"),
    "--cwd": ("cwd", "text"),
    "--fast": ("fast", "flag"),
    "--sync": ("sync", "flag"),
    "--no-sync": ("no_sync", "flag"),
    "--json": ("json", "flag"),
}
ROUTE = {
    "--explain": ("explain", "flag"),
    "--group": ("group", "text"),
    "--cwd": ("cwd", "text"),
    "--json": ("json", "flag"),
}


def run() -> None:
    """Runs the command line and ends the process: the interpreter's own teardown would cost 5 ms."""
    if sys.platform == "win32":
        sys.stderr.write("loci: loci needs Linux or macOS: on Windows run it inside WSL\n")
        sys.exit(2)
    _harden_streams()
    try:
        status = main(sys.argv[1:])
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        status = BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - the last resort: one sentence instead of a traceback
        status = _defect(error)
    _end(status)


def main(argv: list[str]) -> int:
    """The exit status of one command line; writes to stdout and stderr."""
    command = argv[0] if argv else "--help"
    try:
        if command == "ask":
            return ask(argv[1:])
        if command == "route":
            return route(argv[1:])
        if command in ("--version", "-V"):
            return out(f"loci {__version__}\n")
        from .parser import dispatch

        return dispatch(argv)
    except LociError as error:
        return fail(error, "--json" in argv and not isinstance(error, OutputLost))


# ---- ask and route -----------------------------------------------------------------------------------------


def ask(argv: list[str]) -> int:
    """`loci ask`: 0 with an answer, 1 with an abstention."""
    flags, words = parse(argv, ASK, "ask")
    if flags.get("help"):
        return _help("ask")
    seen = look()
    person = seen.terminal and not flags.get("json")
    answer = client().ask(
        question(words, "ask"),
        cwd=cwd(flags),
        scope=list(flags.get("scope", ())),
        group=flags.get("group"),
        k=flags.get("k", 10),
        budget=flags.get("budget", render.TERMINAL_BUDGET if person else render.PIPE_BUDGET),
        fast=bool(flags.get("fast")),
        sync="yes" if flags.get("sync") else "no" if flags.get("no_sync") else "auto",
    )
    if flags.get("json"):
        out_json(answer)
    else:
        out(render.ask(answer, seen))
    return NOTHING if answer.get("outcome") == "abstained" else ANSWERED


def route(argv: list[str]) -> int:
    """`loci route`: 0 when it selects a scope, 1 when none."""
    flags, words = parse(argv, ROUTE, "route")
    if flags.get("help"):
        return _help("route")
    explain = bool(flags.get("explain"))
    asked = question(words, "route")
    found = client().route(asked, cwd=cwd(flags), group=flags.get("group"), explain=explain)
    if flags.get("json"):
        out_json(found)
    else:
        out(render.route(found, look(), explain))
    return ANSWERED if found.get("selected") else NOTHING


def parse(argv: list[str], known: dict[str, tuple[str, str]], command: str) -> tuple[Body, list[str]]:
    """Flags by name and the words that are none; Usage for what is unknown, incomplete or no number."""
    flags: Body = {}
    words: list[str] = []
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            words += rest
            break
        if word in ("--help", "-h"):
            return {"help": True}, []
        # a word with blanks is a question that begins with a dash, quoted: no flag has any
        if not word.startswith("-") or word == "-" or " " in word.partition("=")[0].strip():
            words.append(word)
            continue
        flag, value = _split(word)
        if flag not in known:
            raise Usage(f"{command} has no flag {flag}: `loci {command} --help` lists them (-- ends the flags)")
        _set(flags, known[flag], flag, value, rest)
    if flags.get("sync") and flags.get("no_sync"):
        raise Usage("--sync and --no-sync exclude each other: give one")
    return flags, words


def _split(word: str) -> tuple[str, str | None]:
    """`--flag=value` and `-k5` in two; the value is None when it is the next word."""
    if word.startswith("-k") and len(word) > 2:
        return "-k", word[2:].removeprefix("=")
    flag, equals, value = word.partition("=")
    return flag, value if equals else None


def _set(flags: dict[str, object], known: tuple[str, str], flag: str, value: str | None, rest: list[str]) -> None:
    """Stores one flag; its value is taken from the rest of the line when it was not attached."""
    name, kind = known
    if kind == "flag":
        if value is not None:
            raise Usage(f"{flag} takes no value: give {flag} alone")
        flags[name] = True
        return
    if value is None:
        if not rest:
            raise Usage(f"{flag} needs a value: {flag} {'N' if kind == 'number' else 'VALUE'}")
        value = rest.pop(0)
    if kind == "text":
        flags[name] = value
    elif kind == "list":
        old = flags.get(name)
        flags[name] = [*(old if isinstance(old, list) else []), value]
    elif value.isdecimal() and 0 < int(value) <= 1_000_000:
        flags[name] = int(value)
    else:
        raise Usage(f"{flag} needs a whole number above 0, not {value!r}")


def question(words: list[str], command: str) -> str:
    """The words, or stdin for `-` and for none on a pipe; bytes that are no UTF-8 become U+FFFD."""
    text = " ".join(words)
    if text == "-" or (not words and sys.stdin is not None and not sys.stdin.isatty()):
        text = sys.stdin.buffer.read(1_000_000).decode("utf-8", "replace")
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    if not text:
        raise Usage(f'{command} needs a question: loci {command} "where is the retry limit set?"')
    return text


def cwd(flags: dict[str, object]) -> str | None:
    """The directory that the question comes from; None when it was deleted under us."""
    try:
        return os.path.abspath(str(flags["cwd"])) if "cwd" in flags else os.getcwd()
    except FileNotFoundError:
        return None


# ---- what all commands share -------------------------------------------------------------------------------


def client(start: bool = True) -> Client:
    """A client of this user's daemon; what it starts or replaces is said on stderr."""
    return Client(paths.find(), start=start, say=say)


def search_path() -> str:
    """Where the shell looks for programs."""
    return os.environ.get("PATH", "")


def say(sentence: str) -> None:
    """One line on stderr."""
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


def look(stream: object = None) -> render.Look:
    """How to write to stdout (or stderr): colour only on a terminal, and not with NO_COLOR or TERM=dumb."""
    target = sys.stdout if stream is None else sys.stderr
    terminal = target.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    try:
        here = os.getcwd()
    except FileNotFoundError:
        here = ""
    return render.Look(terminal, colour, here, _columns(target.fileno()) if terminal else 0)


def _columns(fd: int) -> int:
    """How wide a terminal is; 0 when it does not say."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal():
        return int(said)
    try:
        return os.get_terminal_size(fd).columns
    except OSError:
        return 0


def out(text: str) -> int:
    """Writes the text to stdout, escaping what its encoding lacks; returns ANSWERED."""
    return emit(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace"))


def out_json(value: object) -> int:
    """Writes JSON in UTF-8, whatever the terminal's encoding; a lone surrogate keeps its \\u escape."""
    return emit(render.to_json(value).encode("utf-8", "backslashreplace"))


def emit(data: bytes) -> int:
    """Writes all of the bytes to stdout; OutputLost when the disk under it is full."""
    try:
        while data:  # an unbuffered stdout may take a part only
            data = data[sys.stdout.buffer.write(data) or 0 :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(f"the output could not be written: {error.strerror}") from error
    return ANSWERED


def fail(error: LociError, as_json: bool = False) -> int:
    """Writes the error to stderr, and with --json to stdout as well; returns its exit status."""
    if as_json:
        emit(render.error_json(error).encode("utf-8", "backslashreplace"))
    sys.stderr.write(render.error_line(error, look(sys.stderr)))
    return error.status


def _help(command: str) -> int:
    from .texts import HELP

    return out(HELP[command])


def _harden_streams() -> None:
    """What the terminal's encoding lacks is escaped, not a crash; a closed stream becomes /dev/null."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - lives as long as the process
        else:
            stream.reconfigure(errors="backslashreplace")


def _defect(error: Exception) -> int:
    """One sentence on how to report it; the traceback only when LOCI_DEBUG is set."""
    if os.environ.get("LOCI_DEBUG"):
        import traceback

        traceback.print_exception(error)
    what = f"{type(error).__name__}: {error}".split("\n")[0][:200]
    say(f"loci: a defect of loci ({what}): run it again with LOCI_DEBUG=1 and report what it prints")
    return DEFECT


def _end(status: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            status = BROKEN_PIPE
        except OSError as error:  # a full disk under a redirected output must not look like an answer
            os.write(2, f"loci: the output could not be written ({error.strerror})\n".encode())
            status = DEFECT
    os._exit(status)
