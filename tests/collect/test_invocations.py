"""Which programs a source runs, in every language of the table; and what only looks like it."""

import pytest

from locid.collect.invocations import WAYS, invocations
from locid.collect.manifests import commands
from locid.syntax import language_of, outline

SOURCES = {
    "a.py": (
        """import asyncio, os, pexpect, shutil
import subprocess as sp
from subprocess import run, Popen

run(["git", "status"])
sp.check_output(
    ["tox", "-e", "py"],
)
Popen("ENV=1 make all && sudo systemctl stop x", shell=True)
shutil.which("loci")
os.system("twine upload dist/*")
os.execvp("vim", ["vim"])
run([sys.executable, "-m", "pytest"])
asyncio.create_subprocess_exec("uv", "run", "ruff")
pexpect.spawn("ssh host")
argv = ["celery", "worker"]
run(argv)
run(f"black {path}", shell=True)
""",
        "git:5 tox:6 make:9 sudo:9 systemctl:9 loci:10 twine:11 vim:12 python:13 pytest:13 uv:14 ruff:14 ssh:15 celery:16 black:18",
    ),
    "b.js": (
        """import { exec, execFile as start } from 'node:child_process'
const cp = require('child_process')
import spawn from 'cross-spawn'
exec('npx -y prettier . | cat')
cp.spawnSync("git", ["log"])
spawn('docker', ['ps'])
/x/.exec('notme now')
""",
        "npx:4 prettier:4 cat:4 git:5 docker:6",
    ),
    "c.go": (
        """package main

import (
	"context"
	"os/exec"
)

func main() {
	exec.Command("tar", "xf", "a")
	exec.CommandContext(context.Background(), "tmux", "ls")
	exec.LookPath("fzf")
	exec.Command(name, "notme")
	other.Command("notme")
}
""",
        "tar:9 tmux:10 fzf:11",
    ),
    "d.rs": (
        """use std::process::Command;

fn main() {
    Command::new("git").arg("x");
    Other::new("notme");
}
""",
        "git:4",
    ),
    "e.rb": ('system("chmod +x a")\nOpen3.capture2("jq .")\nfoo.exec("notme")\n', "chmod:1 jq:2"),
    "f.php": ('<?php\nshell_exec("convert a b");\n', "convert:2"),
    "G.java": (
        """class G {
  void f() throws Exception {
    new ProcessBuilder("javac", "A.java").start();
    Runtime.getRuntime().exec("ls -l");
  }
}
""",
        "javac:3 ls:4",
    ),
    "H.cs": ('class H { void F() { Process.Start("dotnet"); Timer.Start("notme"); } }\n', "dotnet:1"),
    "i.c": ('int main(void) {\n  system("ldconfig -p");\n  popen("df", "r");\n}\n', "ldconfig:2 df:3"),
    "k.sh": (
        "build() {\n  docker build .\n}\nset -e\nbuild\n./bin/tool.sh | jq .\nif docker ps; then git log; fi\n",
        "docker:2 tool.sh:6 jq:6 git:7",
    ),
    "j.lua": ('os.execute("xdg-open x")\nfoo.execute("notme")\n', "xdg-open:1"),
}


def found(path: str, text: str) -> str:
    language = language_of(path, text)
    out = outline(language, text.encode())
    own = {d.name for d in out.definitions}
    return " ".join(f"{i.command}:{i.line}" for i in invocations(language, text, out.references, out.imports, own))


@pytest.mark.parametrize("path", SOURCES)
def test_what_a_source_runs(path):
    """Programs written out in a call that runs them, each at the line of its call; variables and look-alikes are none."""
    text, expected = SOURCES[path]
    assert sorted(found(path, text).split()) == sorted(expected.split())


def test_every_language_of_the_table_is_met():
    """A sample for each way, or for another language that shares it."""
    met = {language_of(path, "") for path in SOURCES}
    assert all(way.languages & met for way in WAYS)


def test_only_what_is_imported_runs():
    """`run` and `exec` of anything else are none, nor is what stands in a comment, a string or a docstring."""
    assert found("a.py", 'import subprocess\n\npytester.run("git")\nrun("git")\n# subprocess.run("git")\n') == ""
    assert (
        found("a.py", 'import subprocess\n\n\ndef f():\n    """subprocess.run(["git"])"""\n    x = "os.system(1)"\n')
        == ""
    )
    assert found("a.js", "import { exec } from './mine.js'\nexec('git log')\n") == ""
    assert found("a.md", "subprocess.run(['git'])") == ""


def test_command_lines():
    """Each program of a line once: after assignments, options and launchers; words that are no program are none."""
    for line, expected in {
        "git commit -m 'x; rm -rf'": ["git"],
        "A=1 B=2 ./bin/tool.sh --x | sort && echo done": ["tool.sh", "sort", "echo"],
        "npm run build": ["npm"],
        "npm exec eslint .": ["npm", "eslint"],
        "python3 -m http.server 80": ["python3", "http.server"],
        "/usr/bin/env -S uv run ruff check": ["env", "uv", "ruff"],
        "npx -y @scope/pkg@1.2.3 --flag": ["npx", "@scope/pkg"],
        "$EDITOR file": [],
        "": [],
        "   ": [],
        "'": [],
    }.items():
        assert commands.of_line(line) == expected, line
