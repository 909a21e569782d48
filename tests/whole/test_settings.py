"""`loci config` and `loci why` on a real machine; completion in a real bash."""

import os
import shutil
import subprocess

import pytest

from tests.daemons.homes import LOCI


def test_a_setting_is_shown_set_and_followed(machine):
    """What is set holds at once where it can, and says where a restart is needed; a wrong key changes nothing."""
    rows = {row["key"]: row for row in machine.json("config")["settings"]}
    assert rows["log_level"]["value"] == "info" and not rows["log_level"]["set"]
    machine.run("config", "log_level", "debug")
    found = machine.json("config", "memory_budget_mb", "700")
    assert found["restart"] and found["file"] == os.path.join(machine.paths.base, "config.toml")
    assert machine.json("status")["budget_mb"] == 600
    machine.run("daemon", "restart")
    assert machine.json("status")["budget_mb"] == 700 and not machine.json("config")["restart"]
    assert machine.json("config", "log_level", "--unset")["settings"][0]["value"] == "info"
    assert "no setting" in machine.json("config", "nonsense", "1", status=2)["error"]["message"]


def test_what_is_wrong_is_said_at_the_start_and_in_config(machine):
    """hello warns, `config` notes it, `locid --config` reads another file."""
    machine.run("config", "log_level", "debug")
    with open(os.path.join(machine.paths.base, "config.toml"), "a", encoding="utf-8") as file:
        file.write("colour = 1\n")
    machine.run("daemon", "restart")
    assert ["line 2" in w and "colour" in w for w in machine.hello()["warnings"]] == [True]
    assert len(machine.json("config")["problems"]) == 1


def test_why_says_which_rule_decided(machine):
    """Files, folders, links, repositories inside, and what no scope holds, each with its reason and its rule."""
    repo = machine.repository("app")
    for path in ("src/a.py", "out/b.py", "node_modules/x/i.js", "conf/.env", "inner/README.md"):
        repo.write(path, "VALUE = 1\n")
    repo.write(".gitignore", "# rules\n/out/\n")
    repo.write("pic.py", "\0\1")
    os.symlink("src", os.path.join(repo.root, "link"))
    repo.commit("all")
    machine.repository("app/inner")
    machine.run("setup", machine.code, "-y")
    machine.run("rm", "inner")

    def why(path, status=1):
        return machine.json("why", os.path.join(repo.root, path), status=status)

    assert why("src/a.py", 0) | {"root": ""} == {
        "path": f"{repo.root}/src/a.py", "scope": "app", "root": "", "included": True, "indexed": True, "sentence": "in",
    }  # fmt: skip
    assert why("src", 0)["included"] and why("", 0)["scope"] == "app"
    assert (why("out/b.py")["reason"], why("out/b.py")["rule"]) == ("ignored", ".gitignore: /out/")
    assert why("out")["rule"] == ".gitignore: /out/"
    assert (why("node_modules/x/i.js")["reason"], why("node_modules")["rule"]) == ("pruned", "folder node_modules")
    assert why("conf/.env")["reason"] == "secret_store"
    assert why("pic.py")["reason"] == "binary"
    assert why("link")["reason"] == "symlink"
    assert why("none.py")["reason"] == "missing"
    assert (why("inner/README.md")["reason"], why("inner/README.md")["fix"]) == (
        "nested_repository", f"loci add {repo.root}/inner",
    )  # fmt: skip
    outside = os.path.join(machine.dir, "else.md")
    with open(outside, "w", encoding="utf-8") as file:
        file.write("# Else\n\nWords.\n")
    assert machine.json("why", outside, status=1)["reason"] == "no_scope"
    machine.run("add", repo.root, "--glob", os.path.join(machine.dir, "*.md"))
    assert machine.json("why", outside)["rule"].startswith("glob ")


def complete(machine, *words, shell="bash"):
    """What bash offers for the last word."""
    bin = os.path.join(machine.dir, "bin")
    os.makedirs(bin, exist_ok=True)
    with open(os.path.join(bin, "loci"), "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {" ".join(LOCI)} "$@"\n')
    os.chmod(os.path.join(bin, "loci"), 0o755)
    quoted = " ".join(f"'{w}'" for w in ("loci", *words))
    script = f"""source <(loci completion bash); COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _loci
        printf '%s\\n' "${{COMPREPLY[@]}}" """
    env = machine.env | {"PATH": bin + os.pathsep + os.environ["PATH"]}
    done = subprocess.run([shell, "-c", script], env=env, cwd=machine.dir, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands_flags_scopes_and_settings(machine, two):
    """From the commands' own table; names come from the daemon that runs, and none is started for them."""
    assert complete(machine, "sc") == ["scan", "scopes"]
    assert complete(machine, "rm", "") == ["bakery", "queue"]
    assert complete(machine, "ask", "--scope", "q") == ["queue"]
    assert complete(machine, "ask", "--b") == ["--budget"]
    assert complete(machine, "scan", "--owner", "") == ["mine", "all"]
    assert complete(machine, "daemon", "st") == ["start", "stop"]
    assert complete(machine, "config", "log") == ["log_level"]
    assert complete(machine, "scan", "co") == ["code"]
    machine.run("daemon", "stop")
    assert complete(machine, "rm", "") == []
    assert machine.hello() is None


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_take_their_script(machine, shell):
    """It parses; every command stands in it."""
    script = machine.run("completion", shell)
    assert all(name in script for name in ("scan", "purge", "config", "why"))
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed here")
    subprocess.run([shell, "-n", "-c", script], check=True)
