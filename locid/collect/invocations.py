"""The programs that a source runs: calls that the syntax found, whose first argument is written out beside them. Pure.

One table, a row a way to run something. A call counts when the file imports what the row asks for, so that `exec` of a
regular expression is none; what is computed is passed over, since nothing of a repository is run to find out.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from locid.collect.manifests import commands
from locid.manifest import Invocation
from locid.values import Import, Reference

MAX_INVOCATIONS = 500  # of one file
_NEAR = 4  # lines after the call's name within which its first argument begins
_WINDOW = 600  # characters looked at after the call's name


@dataclass(frozen=True, slots=True)
class Way:
    """One way to run a program."""

    languages: frozenset[str]
    calls: frozenset[str]
    modules: frozenset[str]  # one of which the file must import; none for what is built in
    owners: frozenset[str]  # built in, what the call may stand behind: `os` of `os.execute`; `?` is any expression
    words: bool  # its arguments are words; else the first is a whole command line


def _way(languages: str, calls: str, modules: str = "", owners: str = "", words: bool = False) -> Way:
    sets = [frozenset(text.split()) for text in (languages, calls, modules, owners)]
    return Way(sets[0], sets[1], sets[2], sets[3], words)


SHELL = "shell"
_BUILT_IN = frozenset(
    """
    alias bg break builtin case cd command compgen complete continue declare dirs disown echo eval exec exit export
    false fc fg getopts hash history jobs kill let local mapfile popd printf pushd pwd read readarray readonly return
    set shift shopt source test times trap true type typeset ulimit umask unalias unset wait
    """.split()  # noqa: SIM905
)
_JS = "javascript typescript tsx vue svelte"
_PY_EXEC = "execl execle execlp execlpe execv execve execvp execvpe spawnlp spawnvp posix_spawn posix_spawnp"
WAYS = (
    _way("python", "run Popen call check_call check_output getoutput getstatusoutput", "subprocess"),
    _way("python", "system popen", "os"),
    _way("python", _PY_EXEC, "os", words=True),
    _way("python", "which", "shutil", words=True),
    _way("python", "create_subprocess_exec", "asyncio", words=True),
    _way("python", "create_subprocess_shell", "asyncio"),
    _way("python", "spawn run", "pexpect"),
    _way(
        _JS, "exec execSync execFile execFileSync spawn spawnSync fork", "child_process node:child_process cross-spawn"
    ),
    _way(_JS, "execa execaSync execaCommand default", "execa"),
    _way("go", "Command CommandContext LookPath", "os/exec", words=True),
    _way("rust", "new", "std::process::Command", words=True),
    _way("ruby", "system exec spawn capture2 capture2e capture3 popen popen3", owners="Open3 Kernel IO Process"),
    _way("php", "exec shell_exec system passthru popen proc_open"),
    _way("java kotlin scala", "ProcessBuilder exec", owners="? runtime Runtime"),
    _way("csharp", "Start ProcessStartInfo", owners="Process"),
    _way("c cpp", "system popen execl execlp execle execv execvp execve posix_spawnp"),
    _way("lua", "execute popen", owners="os io"),
)
_CALLS: dict[str, frozenset[str]] = {
    language: frozenset().union(*(w.calls for w in WAYS if language in w.languages))
    for language in {name for way in WAYS for name in way.languages}
}
_NOTHING: tuple[frozenset[str], bool, frozenset[str]] = (frozenset(), False, frozenset())
# What may stand between a call's name and the first thing it runs.
_OPENING = re.compile(r"\s*\(?\s*(?:List\.of\(|\[|\{|new\s+\w+\[\]\s*\{)?\s*")
_CONTEXT = re.compile(r"\s*\(\s*[\w.()]{1,60}\s*,")  # Go's CommandContext takes one first
_STRING = re.compile(r"""[fbru@$]{0,2}(["'`])((?:(?!\1)[^\\\n]){1,400})\1""")
_OWNER = re.compile(r"(\w+)?(?:\.|::|:|->)$")
_BEFORE = 60  # characters before a call's name in which what it stands behind is looked for
_COMMA = re.compile(r"\s*,\s*")
_INTERPRETER = re.compile(r"""sys\.executable\s*,\s*["']-m["']\s*,\s*""")
# A list of arguments that is made before it is run: `cmd = ["git", …]`.
_PREPARED = re.compile(r"^[ \t]*(?:const |let |var )?(\w+)\s*(?::[^=\n]{1,60})?:?=\s*(?=\[)", re.M)
_NAMED = re.compile(r"cmd|command|argv", re.I)


def invocations(
    language: str, text: str, references: Iterable[Reference], imports: Iterable[Import], own: Container[str] = ()
) -> tuple[Invocation, ...]:
    """The programs that a source runs or looks for, in order, each place once; `own` are the names that it defines."""
    if language == SHELL:
        return _shell(references, own)
    wanted = _CALLS.get(language)
    calls = [r for r in references if r.kind == "call" and r.name in wanted] if wanted else []
    if not calls:
        return ()
    known = list(imports)
    lines = text.split("\n")
    found: dict[Invocation, None] = {}
    runs = False
    for way in (w for w in WAYS if language in w.languages):
        reach = _reach(way, known)
        if reach == _NOTHING:
            continue
        for call in (c for c in calls if c.name in way.calls):
            for by, after in _places(lines, call, reach):
                runs = True
                found.update((Invocation(name, by, call.line), None) for name in _first(call.name, after, way.words))
    if runs:
        found.update((one, None) for one in _prepared(text))
    return tuple(found)[:MAX_INVOCATIONS]


def _shell(references: Iterable[Reference], own: Container[str]) -> tuple[Invocation, ...]:
    """What a script calls and neither defines nor has built in, each once."""
    found: dict[str, Invocation] = {}
    for call in references:
        name = commands.bare(call.name) if call.kind == "call" and call.name not in own else ""
        if name and name not in _BUILT_IN:
            found.setdefault(name, Invocation(name, SHELL, call.line))
    return tuple(found.values())[:MAX_INVOCATIONS]


def _reach(way: Way, imports: Iterable[Import]) -> tuple[frozenset[str], bool, frozenset[str]]:
    """What a call of a way may stand behind, whether any may stand alone, and else which may."""
    if not way.modules:
        return way.owners, True, frozenset()
    behind: set[str] = set()
    alone: set[str] = set()
    for one in imports:
        whole = one.module in way.modules
        if whole and not one.names:
            behind.add(re.split(r"\W+", one.module)[-1])
        for name, alias in one.names:
            if whole and name in ("*", "default"):
                behind.add(alias or name)
            if whole:
                alone.add(alias or name)
            if f"{one.module}::{name}" in way.modules:  # Rust imports the type whose function is called
                behind.add(alias or name)
    return frozenset(behind), False, frozenset(alone)


def _places(
    lines: list[str], call: Reference, reach: tuple[frozenset[str], bool, frozenset[str]]
) -> Iterator[tuple[str, str]]:
    """(the call as it is written, what follows it) for each call of that name on its line that a way reaches."""
    behind, any_alone, alone = reach
    line, name = lines[call.line - 1], call.name
    at = line.find(name)
    while at >= 0:
        end = at + len(name)
        before = _OWNER.search(line, max(0, at - _BEFORE), at)
        whole = not (line[at - 1 : at].isalnum() or line[at - 1 : at] == "_" or line[end : end + 1].isidentifier())
        owner = (before[1] or "?") if before else ""
        if whole and ((owner in behind) if owner else (any_alone or name in alone)):
            after = "\n".join([line[end:], *lines[call.line : call.line + _NEAR]])[:_WINDOW]
            yield (f"{owner}.{name}" if owner not in ("", "?") else name), after
        at = line.find(name, end)


def _first(name: str, after: str, words: bool) -> list[str]:
    """The programs that the first argument names."""
    if name.endswith("Context") and (context := _CONTEXT.match(after)):
        after = after[context.end() :]
    opened = _OPENING.match(after)
    end = opened.end() if opened else 0
    if module := _INTERPRETER.match(after, end):
        string = _STRING.match(after, module.end())
        return ["python", string[2]] if string else []
    string = _STRING.match(after, end)
    if string is None:
        return []
    if words or "[" in after[:end] or "{" in after[:end]:
        return commands.of_words(_words(after, end))
    return commands.of_line(string[2])


def _words(text: str, at: int) -> list[str]:
    """The strings that follow one another, up to the first that is none."""
    words: list[str] = []
    while (string := _STRING.match(text, at)) and len(words) < 12:
        words.append(string[2])
        comma = _COMMA.match(text, string.end())
        if comma is None:
            break
        at = comma.end()
    return words


def _prepared(text: str) -> Iterator[Invocation]:
    for place in _PREPARED.finditer(text):
        if _NAMED.search(place[1]):
            line = text.count("\n", 0, place.end()) + 1
            window = text[place.end() : place.end() + _WINDOW]
            yield from (Invocation(run, place[1], line) for run in _first(place[1], window, True))
