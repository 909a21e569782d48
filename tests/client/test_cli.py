"""The command line as a process: exit statuses, one sentence on stderr, JSON, pipes, odd bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from loci_client import __version__, wire
from loci_client.cli import main as cli
from loci_client.cli import parser

from .conftest import Place
from .stub import ABSTAINED, ANSWER, ROUTE, Stub, answers

COMMANDS = ["setup", "ask", "route", "scan", "add", "rm", "purge", "scopes", "groups", "group", "index", "embed", "status", "doctor",
            "calibrate", "eval", "uses", "why", "config", "completion", "daemon"]  # fmt: skip
LATER = ["mcp", "skill", "trace", "fact", "graphs", "service",
         "update", "bench"]  # fmt: skip


def sentence(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one line on stderr; nothing on stdout."""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("loci: ")
    assert done.stdout == b""
    return lines[0]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["aks", "x"], "did you mean `loci ask`"),
        (["frobnicate"], "loci --help"),
        (["ask"], "needs a question"),
        (["ask", "   "], "needs a question"),
        (["ask", "--bogus", "x"], "--bogus"),
        (["ask", "-k", "x", "q"], "-k needs a whole number"),
        (["ask", "-k0", "q"], "-k needs a whole number"),
        (["ask", "--budget=-5", "q"], "--budget needs a whole number"),
        (["ask", "q", "--scope"], "--scope needs a value"),
        (["ask", "--fast=1", "q"], "--fast takes no value"),
        (["ask", "--sync", "--no-sync", "q"], "exclude each other"),
        (["route", "--scope", "a", "q"], "--scope"),
        (["scan"], "DIR"),
        (["scan", "/no/such/dir"], "/no/such/dir is not a directory"),
        (["add"], "PATH"),
        (["rm"], "SCOPE"),
        (["rm", " "], "loci scopes"),
        (["index", "--forc"], "--forc"),
        (["daemon"], "start, stop, restart, logs"),
        (["daemon", "dance"], "dance"),
        (["daemon", "logs", "-n", "x"], "-n"),
        (["daemon", "logs", "-n", "-3"], "-n needs a whole number of lines"),
        (["ask", "q", "--group"], "--group needs a value"),
        (["group"], "add, rm, set"),
        (["group", "add", "a"], "GROUP"),
        (["group", "set", "--mode", "soft"], "a group or --default"),
        (["group", "set", "g", "--default", "--mode", "soft"], "a group or --default"),
        (["group", "set", "g"], "--mode"),
        (["group", "set", "g", "--mode", "mild"], "mild"),
        (["groups", "guess"], "guess"),
        (["groups", "--dry-run"], "goes with infer"),
        *(([name], name) for name in LATER),
    ],
)
def test_a_wrong_command_line_is_one_sentence(place: Place, argv: list[str], words: str) -> None:
    """Exit status 2, one line on stderr that names the mistake; no daemon is started for it."""
    done = place.loci(*argv)
    assert done.returncode == 2
    assert words in sentence(done)
    assert not os.path.exists(place.home)


def test_the_commands_of_this_release_and_no_others() -> None:
    """Those of later releases are absent, not stubs."""
    choices = next(a for a in parser.build()._actions if a.dest == "command").choices or {}
    assert set(choices) | {"ask", "route"} == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_an_example_and_json(place: Place, command: str) -> None:
    """`--help` and `help COMMAND` are the same, on stdout."""
    done, same = place.loci(command, "--help"), place.loci("help", command)
    assert (done.returncode, same.returncode) == (0, 0)
    assert done.stdout == same.stdout
    assert f"example: loci {command}" in done.stdout.decode()
    assert "--json" in done.stdout.decode()


def test_help_and_version(place: Place) -> None:
    """`loci`, `loci --help` and `loci help` are one text, which names every command."""
    texts = {place.loci(*argv).stdout.decode() for argv in ([], ["--help"], ["help"])}
    assert len(texts) == 1
    assert all(f"loci {command}" in text for command in COMMANDS for text in texts)
    assert place.loci("--version").stdout.decode() == f"loci {__version__}\n"


def test_ask_and_route(place: Place) -> None:
    """0 with an answer; every flag reaches the daemon."""
    with Stub(place.socket()) as stub:
        flags = [
            "--scope",
            "a",
            "--scope=b",
            "--group",
            "me",
            "-k5",
            "--budget",
            "300",
            "--fast",
            "--no-sync",
            "--cwd",
            "/x",
        ]
        argv = ["ask", "how", "does", "it", "retry", *flags]
        done = place.loci(*argv)
        routed = place.loci("route", "--explain", "--group=vendor:x", "--", "--retry")
        dashed = place.loci("ask", "--print0 works with what?", "-k", "3")
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, ANSWER["text"], b"")
    assert (dashed.returncode, stub.seen[2]["params"]["question"]) == (0, "--print0 works with what?")
    assert stub.seen[0]["params"] == {
        "question": "how does it retry",
        "scope": ["a", "b"],
        "group": "me",
        "k": 5,
        "budget": 300,
        "fast": True,
        "sync": "no",
        "cwd": "/x",
    }
    assert routed.returncode == 0
    assert stub.seen[1]["params"] == {"question": "--retry", "cwd": place.dir, "group": "vendor:x", "explain": True}


def test_json_is_the_whole_result(place: Place) -> None:
    """Nothing is lost or added."""
    with Stub(place.socket()):
        assert json.loads(place.loci("ask", "q", "--json").stdout) == ANSWER
        assert json.loads(place.loci("route", "q", "--json").stdout) == ROUTE
        assert json.loads(place.loci("doctor", "--json").stdout)["ok"] is True


@pytest.mark.parametrize(
    ("stdin", "argv", "question"),
    [
        (b"from a pipe\n", ["ask"], "from a pipe"),
        (b"from a pipe\n", ["ask", "-"], "from a pipe"),
        (b"ignored", ["ask", "words"], "words"),
        (b"\xff\xfe odd", ["ask"], "\ufffd\ufffd odd"),
        (b"", ["ask", os.fsdecode(b"caf\xe9 \xf0\x9f\x98\x80")], "caf\ufffd \U0001f600"),
    ],
)
def test_where_the_question_comes_from(place: Place, stdin: bytes, argv: list[str], question: str) -> None:
    """Words first, else the pipe; bytes that are no UTF-8 do not stop it."""
    with Stub(place.socket()) as stub:
        assert place.loci(*argv, stdin=stdin).returncode == 0
    assert stub.seen[0]["params"]["question"] == question


@pytest.mark.parametrize("code", wire.ERROR_CODES)
def test_the_daemons_errors_end_with_their_status(place: Place, code: str) -> None:
    """One sentence on stderr, and with --json the error on stdout as well."""

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        if request["method"] == "hello":
            return answers(request)
        return [wire.error(request["id"], code, "do this instead")]

    with Stub(place.socket(), handler):
        done = place.loci("ask", "q") if code != "stopping" else place.loci("status")
        asked = place.loci("scopes", "--json") if code != "stopping" else place.loci("status", "--json")
    assert done.returncode == asked.returncode == wire.ERROR_CODES[code]
    assert "do this instead" in sentence(done)
    assert json.loads(asked.stdout)["error"]["code"] == code


def test_an_abstention_ends_with_1(place: Place) -> None:
    """Its reason and advice stand on stdout: it is an answer of a kind."""
    with Stub(place.socket(), lambda request: [wire.reply(request["id"], ABSTAINED)]):
        done = place.loci("ask", "q")
        empty = place.loci("route", "q")
    assert (done.returncode, empty.returncode) == (1, 1)
    assert ABSTAINED["advice"] in done.stdout.decode()


def test_a_status_without_a_daemon_starts_none(place: Place) -> None:
    """Exit status 3 and the command that starts one."""
    done = place.loci("status")
    assert done.returncode == 3
    assert "loci daemon start" in sentence(done)
    assert not os.path.exists(place.home)


def test_a_terminal_that_knows_few_letters(place: Place) -> None:
    """Text that the encoding lacks is escaped; JSON stays JSON."""
    answer = {**ANSWER, "text": "café 😀\n"}
    with Stub(place.socket(), lambda request: [wire.reply(request["id"], answer)]):
        done = place.loci("ask", "q", PYTHONIOENCODING="ascii")
        found = place.loci("ask", "q", "--json", PYTHONIOENCODING="ascii")
    assert done.stdout == b"caf\\xe9 \\U0001f600\n"
    assert json.loads(found.stdout)["text"] == answer["text"]


def test_a_reader_that_goes_away_is_no_error(place: Place) -> None:
    """`loci ask … | head -1`: no traceback, no sentence."""
    answer = {**ANSWER, "text": "line\n" * 200_000}
    with Stub(place.socket(), lambda request: [wire.reply(request["id"], answer)]):
        argv = [sys.executable, "-m", "loci_client", "ask", "q"]
        child = subprocess.Popen(argv, env=place.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert child.stdout is not None and child.stderr is not None
        with child:
            assert child.stdout.readline() == b"line\n"
            child.stdout.close()
            assert child.stderr.read() == b""
    assert child.returncode == 141


def test_a_full_disk_under_the_output_is_an_error(place: Place) -> None:
    """An answer that was not written must not look like one."""
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with Stub(place.socket()), open("/dev/full", "wb") as full:
        argv = [sys.executable, "-m", "loci_client", "ask", "q"]
        done = subprocess.run(argv, env=place.env, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 5
    assert b"could not be written" in done.stderr


def test_an_interrupt_ends_with_130(place: Place) -> None:
    """Ctrl-C while the daemon works: no traceback."""
    argv = [sys.executable, "-m", "loci_client", "index", "--wait"]
    children: list[subprocess.Popen[bytes]] = []

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        if request["method"] == "index.run":
            children[0].send_signal(signal.SIGINT)
        return []

    with Stub(place.socket(), handler):
        children.append(subprocess.Popen(argv, env=place.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        _, err = children[0].communicate(timeout=60)
    assert (children[0].returncode, err) == (130, b"")


def test_a_defect_is_one_sentence(place: Place) -> None:
    """Status 5; the traceback comes with LOCI_DEBUG=1 only."""
    code = "import loci_client.cli.main as m\ndef ask(argv): raise KeyError('x')\nm.ask = ask\nm.run()"
    argv = [sys.executable, "-c", code, "ask"]
    quiet = subprocess.run(argv, env=place.env, capture_output=True)
    loud = subprocess.run(argv, env={**place.env, "LOCI_DEBUG": "1"}, capture_output=True)
    assert quiet.returncode == loud.returncode == 5
    assert "LOCI_DEBUG=1" in sentence(quiet)
    assert b"Traceback" in loud.stderr


def test_windows_needs_wsl(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, whatever the command."""
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SystemExit) as ended:
        cli.run()
    assert ended.value.code == 2
    assert "WSL" in capsys.readouterr().err


def test_setup_without_a_terminal_takes_every_default(place: Place) -> None:
    """Scan, index, doctor, what to try next; it asks nothing and can be repeated."""
    scope = {"id": "a", "name": "a", "root": "/src/a", "aliases": [], "state": "ready", "files": 3, "chunks": 9}

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        counts = {"new": 3, "changed": 0, "removed": 0, "skipped": 1}
        results: dict[str, Any] = {
            "scopes.scan": {"scopes": [scope], "notes": ["b is unreadable"]},
            "index.run": {"scopes": [{"id": "a", "generation": 1, "files": counts, "ms": 1200}]},
            "embed.run": {"model": None, "done": 0, "total": 0, "rate": 0, "eta_ms": 0},
        }
        found = results.get(request["method"])
        return [wire.reply(request["id"], found)] if found else answers(request)

    os.mkdir(os.path.join(place.dir, "src"))
    with Stub(place.socket(), handler) as stub:
        for _ in range(2):
            done = place.loci("setup", "src", "--no-service", "--no-graphs", "--no-calibrate", stdin=None)
            out = done.stdout.decode()
            assert done.returncode == 0
            assert "a: 3 new, 1 skipped (1 s)" in out
            assert 'loci ask "' in out
            assert done.stderr.decode() == "note: b is unreadable\n"
        asked = place.loci("setup", "src", "--no-embed", "--json")
    assert set(json.loads(asked.stdout)) == {"scopes", "indexed", "embedding", "calibrated", "doctor"}
    assert b"note: not calibrated: there is no method calibrate" in asked.stderr  # the old thresholds hold
    assert "calibrate" in [r["method"] for r in stub.seen[8:]]
    assert stub.seen[0]["params"] == {"roots": [os.path.join(place.dir, "src")]}
    assert [r["method"] for r in stub.seen[:4]] == ["scopes.scan", "index.run", "embed.run", "doctor"]


def test_setup_without_a_terminal_and_a_directory_says_what_it_takes(place: Place) -> None:
    """The likely directories of the home, else where it runs: on stderr, before anything is registered."""
    with Stub(place.socket(), lambda request: [wire.reply(request["id"], {"scopes": [], "notes": []})]) as stub:
        for taken in (place.dir, os.path.join(place.dir, "src")):
            done = place.loci("setup", stdin=None, HOME=place.dir)
            assert done.stderr.decode().startswith(f"note: no DIR was given: taking the repositories below {taken}\n")
            assert stub.seen[-1]["params"] == {"roots": [taken]}
            os.makedirs(os.path.join(place.dir, "src"), exist_ok=True)


def test_group_commands_reach_the_daemon(place: Place) -> None:
    """Scopes first, the group last; what comes back is shown with the default mode."""
    group = {"name": "team", "mode": "hard", "members": ["a", "b"], "gone": ["c"], "chosen": True}

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        found = [] if request["method"] == "groups.remove" else [group]
        notes = [] if found else ["team is no group"]
        return [wire.reply(request["id"], {"groups": found, "default": "soft", "notes": notes})]

    with Stub(place.socket(), handler) as stub:
        added = place.loci("group", "add", "a", "b", "team")
        assert added.stdout.decode().splitlines()[1:] == [
            "team   hard  a, b, c (gone)",
            "default mode: soft; of its own: team",
        ]
        gone = place.loci("group", "rm", "a", "team")
        assert (gone.stdout, gone.stderr) == (b"", b"note: team is no group\n")
        assert place.loci("group", "set", "team", "--mode", "hard").returncode == 0
        default = place.loci("group", "set", "--default", "--mode", "soft")
        assert default.stdout == b"default mode: soft; of its own: team\n"
    assert [(r["method"], r["params"]) for r in stub.seen] == [
        ("groups.add", {"group": "team", "scopes": ["a", "b"]}),
        ("groups.remove", {"group": "team", "scopes": ["a"]}),
        ("groups.set", {"mode": "hard", "group": "team"}),
        ("groups.set", {"mode": "soft"}),
    ]


def test_scopes_and_index_on_a_pipe(place: Place) -> None:
    """A row a scope, a line a scope; paths reach the daemon absolute."""
    row = {"id": "a", "name": "a", "root": "/src/a", "aliases": ["x"], "state": "ready", "files": 3, "chunks": 9}

    def handler(request: dict[str, Any]) -> list[dict[str, Any]]:
        if request["method"] == "index.run":
            return [wire.reply(request["id"], {"scopes": [{"id": "a"}], "queued": True})]
        return [wire.reply(request["id"], {"scopes": [row], "notes": []})]

    with Stub(place.socket(), handler) as stub:
        assert b"a (x)  -       ready  3" in place.loci("scopes").stdout
        assert place.loci("index", "a", "--force").stdout == b"queued: a\n"
        assert place.loci("add", ".", "--alias", "x", "--glob", "*.md", "--name", "n").returncode == 0
        assert place.loci("rm", "a").stdout == b"forgotten: a (x)\n"
        assert place.loci("scan", ".", "-y").returncode == 0
    assert [r["params"] for r in stub.seen] == [
        {},
        {"scopes": ["a"], "force": True},
        {"path": place.dir, "name": "n", "aliases": ["x"], "globs": ["*.md"]},
        {"scope": "a"},
        {"roots": [place.dir]},
    ]
