"""What uses what, asked of real repositories through the real daemon."""

import json
import os

import pytest

from tests.whole.conftest import RETRY, Machine

WORKFLOW = "jobs:\n  test:\n    steps:\n      - uses: actions/checkout@v4\n"
FILES = {
    "toolbox": {
        "pyproject.toml": '[project]\nname = "my-toolbox"\n\n[project.scripts]\ntbx = "toolbox:main"\n',
        "src/toolbox/__init__.py": '"""Tools."""\n',
        "src/toolbox/saws.py": "from toolbox import hammers\n",
        ".github/workflows/ci.yml": WORKFLOW,
    },
    "shop": {
        "pyproject.toml": '[project]\nname = "shop"\ndependencies = [\n    "django>=5",\n    "My_Toolbox",\n]\n\n'
        "[tool.ruff]\nline-length = 100\n",
        "shop/__init__.py": "import yaml\nfrom toolbox.saws import cut\nimport helpers\n",
        "shop/helpers.py": RETRY,
        "tests/fixtures/pkg/package.json": '{"name": "data", "dependencies": {"leftpad": "1"}}\n',
    },
    "helpers": {"helpers/__init__.py": "", "setup.py": 'from setuptools import setup\nsetup(name="helpers")\n'},
    "agent": {
        "run.py": 'import subprocess\n\nsubprocess.run(["tbx", "cut"])\nsubprocess.run("git log", shell=True)\n',
        ".mcp.json": '{\n  "mcpServers": {"t": {"command": "tbx"}}\n}\n',
        "package.json": '{"name": "agent", "dependencies": {"ruff": "^1"}, "devDependencies": {"@rollup/plugin-x": "1"}}\n',
        "bad/package.json": '{"name": "bad",\n',
    },
    "engine": {"Cargo.toml": '[package]\nname = "engine-core"\n', "src/lib.rs": "pub fn go() {}\n"},
    "car": {
        "Cargo.toml": '[package]\nname = "car"\n\n[dependencies]\nengine-core = { path = "../engine" }\nserde = "1"\n',
        "src/main.rs": "use engine_core::go;\nuse local_mod::x;\nfn main() { go() }\n",
        ".gitmodules": '[submodule "t"]\n\tpath = t\n\turl = git@example.org:me/toolbox.git\n',
    },
    "service": {
        "go.mod": "module example.org/me/service\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n"
        "\tgolang.org/x/sys v0.1.0 // indirect\n)\n",
        "main.go": 'package main\n\nimport (\n\t"github.com/spf13/cobra"\n)\n\nfunc main() { cobra.X() }\n',
        "README.md": "# Service\n\nOnce this used react-native and websockets, no more.\n",
    },
}


@pytest.fixture(scope="module")
def several():
    """A machine with these repositories, registered and indexed; the tests only ask."""
    machine = Machine()
    try:
        for name, files in FILES.items():
            repo = machine.repository(name)
            for path, text in files.items():
                repo.write(path, text)
            repo.commit("all of it")
            repo.git("remote", "add", "origin", f"https://example.org/me/{name}.git")
        machine.run("setup", machine.code, "-y", "--no-service")
        yield machine
    finally:
        machine.end()


def root(machine, name):
    return os.path.join(machine.code, name)


def places(answer):
    return [(r["from"], r["to"], r["how"], f"{r['path']}:{r['line']}") for r in answer["relations"]]


def asked(machine, question, cwd="/"):
    """A related answer, whose every hit says what stands in its line."""
    answer = machine.ask(question, cwd=cwd)
    assert answer["outcome"] == "related", answer["text"]
    for scope in answer["scopes"]:
        assert scope["hits"] and scope["stamp"]["generation"] > 0
        for hit in scope["hits"]:
            with open(os.path.join(scope["root"], hit["path"]), encoding="utf-8") as file:
                assert file.read().split("\n")[hit["line_start"] - 1] == hit["text"]
    assert [s["id"] for s in answer["scopes"]] == list(dict.fromkeys(r["from"] for r in answer["relations"]))
    return answer


def test_who_declares_a_thing(several):
    """The set is exact, each with the line of its manifest, and the text says what was read."""
    answer = asked(several, "which of my projects use Django?")
    assert places(answer) == [("shop", "Django", "declared", "pyproject.toml:4")]
    assert answer["mode"] == "set" and answer["text"].startswith("ENUMERATED -> shop\n1 of 7 projects uses Django")
    assert "11 manifests" in answer["text"] and '"django>=5",' in answer["text"]
    routed = several.json("route", "which of my projects use Django?")
    assert routed["mode"] == "set" and routed["selected"] == ["shop"]
    assert routed["scopes"][0]["signals"][0]["terms"] == ["declared Django pyproject.toml:4"]


@pytest.mark.parametrize(
    ("thing", "users"),
    [
        ("yaml", {"shop"}),  # imported, declared nowhere
        ("cobra", {"service"}),  # the last part of its path
        ("github.com/spf13/cobra", {"service"}),
        ("@rollup", {"agent"}),  # all that begins so
        ("serde", {"car"}),
        ("engine_core", {"car"}),  # spelt as in sources
        ("tbx", {"shop", "agent", "car"}),  # a program of a registered project, so that project
        ("git", {"agent"}),  # a program of nobody's
        ("my-toolbox", {"shop", "agent", "car"}),  # declared, imported, run, and a submodule of a registered project
        ("toolbox", {"shop", "agent", "car"}),
        ("ruff", {"agent"}),  # declared in one, only set up in another
        ("Rust", {"engine", "car"}),  # a language: who has files of its own in it
        ("golang", {"service"}),
        ("python or go", {"toolbox", "shop", "agent", "service", "helpers"}),
        ("GitHub Actions", {"toolbox"}),  # the tool that reads a file
        ("django or cobra", {"shop", "service"}),
        ("django and yaml", {"shop"}),
        ("django and cobra", {"shop", "service"}),  # nothing uses both
    ],
)
def test_the_set_is_exact(several, thing, users):
    """Declared, imported, run or read by a tool; under any of its names; one of several or all of them."""
    answer = asked(several, f"which of my projects use {thing}?")
    assert {s["id"] for s in answer["scopes"]} == users, answer["text"]


def test_a_trace_is_told_and_not_counted(several):
    """Settings of a tool are told beside those that declare it; a fixture's manifest counts only when nothing else does."""
    assert (
        "a trace only, not counted: shop (pyproject.toml:8, settings)"
        in asked(several, "which projects use ruff?")["text"]
    )
    answer = asked(several, "which projects use leftpad?")
    assert places(answer) == [("shop", "leftpad", "declared", "tests/fixtures/pkg/package.json:1")]


def test_what_is_only_needed_by_others_is_a_trace(several):
    """An indirect requirement answers alone, since nothing better is found."""
    answer = asked(several, "which projects use golang.org/x/sys?")
    assert places(answer) == [("service", "golang.org/x/sys", "declared", "go.mod:5")]


@pytest.mark.parametrize("thing", ["apollo-server", "@nobody/nothing", "sequelize", "helpers"])
def test_nothing_found_is_no_finding(several, thing):
    """A package, a word that nobody says, and a project of one's own that only shares a name: abstained, with what was read."""
    answer = several.ask(f"which of my projects use {thing}?", status=1)
    assert (answer["outcome"], answer["reason"], answer["scopes"]) == ("abstained", "no_evidence", [])
    assert "11 manifests, the imports and the commands of 7 projects were read" in answer["advice"]


def test_of_several_things_those_that_nothing_uses_are_named(several):
    """Nothing is lost silently: what of the question found no user is said."""
    text = asked(several, "which of my projects use django or left-over?")["text"]
    assert "use django or left-over" in text.replace("uses", "use")
    assert "nothing declares, imports or runs left-over" in text
    assert "uses django and yaml" in asked(several, "which of my projects use django and yaml?")["text"]


def test_a_mention_is_offered_and_no_use(several):
    """Who only writes about a package is a candidate, with the place; a plain word is the passages' question."""
    answer = several.ask("which of my projects use react-native?", status=1)
    assert [(c["id"], c["terms"]) for c in answer["candidates"]] == [("service", ["react-native in README.md:1-3"])]
    assert several.ask("which of my projects use websockets?")["outcome"] == "answered"
    assert (
        several.ask("which of my projects use retry and jitter?")["outcome"] == "answered"
    )  # and so are words that meet


def test_what_depends_on_one_of_mine(several):
    """The project itself is not counted, however it is meant: by its name, by pointing at it, by what it installs."""
    for question, cwd in (
        ("what depends on toolbox?", "/"),
        ("which of my projects use this?", root(several, "toolbox")),
        ("what uses the my-toolbox package?", root(several, "service")),
    ):
        answer = asked(several, question, cwd)
        assert {r["from"] for r in answer["relations"]} == {"shop", "agent", "car"}
        assert {(r["to"], r["to_root"]) for r in answer["relations"]} == {("toolbox", root(several, "toolbox"))}


def test_what_projects_use_of_one_another(several):
    """Edges, declared, imported and run, by name, path and URL; a module of one's own and a name alone are none."""
    found = several.json("uses")
    assert places(found) == [
        ("agent", "toolbox", "invoked", ".mcp.json:2"),
        ("car", "engine", "declared", "Cargo.toml:5"),
        ("car", "engine", "imported", "src/main.rs:1"),
        ("car", "toolbox", "declared", ".gitmodules:3"),
        ("shop", "toolbox", "declared", "pyproject.toml:5"),
        ("shop", "toolbox", "imported", "shop/__init__.py:2"),
    ]
    assert {row["scope"]: row["manifests"] for row in found["read"]} == {
        "agent": 2, "car": 2, "engine": 1, "helpers": 1, "service": 1, "shop": 2, "toolbox": 2,
    }  # fmt: skip


def test_the_command(several):
    """One project's edges, a name that is none, what could not be read, and the exit status of finding nothing."""
    assert {r["from"] for r in several.json("uses", "engine")["relations"]} == {"car"}
    assert places(several.json("uses", "cobra"))[0] == ("service", "cobra", "declared", "go.mod:4")
    shown = several.run("uses", "toolbox")
    assert "agent  toolbox  invoked   .mcp.json:2" in shown
    assert "not read: agent: bad/package.json: JSONDecodeError" in shown
    assert "no project was seen to use nonesuch\nread: 11 manifests" in several.run("uses", "nonesuch", status=1)


def test_am_i_using_another(several):
    """From inside a project what it uses; from inside one that uses none an abstention; from nowhere all."""
    answer = asked(several, "am I using another of my projects?", root(several, "shop"))
    assert {(r["from"], r["to"]) for r in answer["relations"]} == {("shop", "toolbox")}
    none = several.ask("am I using another of my projects?", root(several, "service"), status=1)
    assert "service was not seen to use another of 7 projects" in none["advice"]
    everywhere = asked(several, "which of my projects use another?")
    assert {s["id"] for s in everywhere["scopes"]} == {"agent", "car", "shop"}


def test_what_a_project_depends_on(several):
    """What its own manifests declare, from inside it or by its name; without either the question points nowhere."""
    for question, cwd in (
        ("what does this project depend on?", root(several, "car")),
        ("what does car depend on?", "/"),
    ):
        answer = asked(several, question, cwd)
        assert answer["mode"] == "one"
        assert places(answer) == [
            ("car", "engine-core", "declared", "Cargo.toml:5"),
            ("car", "serde", "declared", "Cargo.toml:6"),
            ("car", "toolbox", "declared", ".gitmodules:3"),
        ]
    assert several.ask("what does this project depend on?", status=1)["reason"] == "deictic"


def test_names_of_the_code_are_not_asked_of_manifests(several):
    """`what uses X` is a relation only when a manifest knows X; else the passages answer, as they do with --scope."""
    answer = several.ask("what uses retry_delay?")
    assert answer["outcome"] == "answered" and answer["scopes"][0]["id"] == "shop"
    assert several.json("ask", "which projects use django?", "--scope", "shop")["outcome"] == "answered"


def test_the_budget_drops_no_project(several):
    """Each project keeps its first citation before any has a second, and a small budget still names them all."""
    question = "which of my projects use toolbox?"
    whole = several.json("ask", question, "--cwd", "/")
    assert whole["tokens"] <= 2000 and whole["text"].count("\n\n") == sum(len(s["hits"]) for s in whole["scopes"])
    small = several.json("ask", question, "--cwd", "/", "--budget", "220")
    assert small["tokens"] <= 220
    assert all(f"\n\n{id}: " in small["text"] for id in ("agent", "car", "shop"))
    least = several.json("ask", question, "--cwd", "/", "--budget", "50")
    assert least["tokens"] <= 50 and least["text"].startswith("ENUMERATED -> agent, car, shop")


def test_doctor_names_what_could_not_be_read(several):
    """A broken manifest of a project's own is a note with its path."""
    checks = json.loads(several.loci("doctor", "--json").stdout)["checks"]
    (row,) = [c for c in checks if c["check"] == "manifests"]
    assert (
        row["scope"] == "agent"
        and row["level"] == "note"
        and row["finding"].startswith("bad/package.json could not be read")
    )


def test_a_change_is_followed(machine):
    """A dependency that was added is found after the next index, one that was removed is not."""
    repo = machine.repository("app")
    repo.write("package.json", '{\n  "dependencies": {"first-thing": "1"}\n}\n')
    repo.commit("one")
    machine.run("setup", machine.code, "-y", "--no-service")
    assert places(machine.ask("which projects use first-thing?")) == [
        ("app", "first-thing", "declared", "package.json:2")
    ]
    repo.write("package.json", '{\n  "name": "app",\n  "dependencies": {"second-thing": "1"}\n}\n')
    machine.run("index", "--wait")
    assert machine.ask("which projects use first-thing?", status=1)["outcome"] == "abstained"
    assert places(machine.ask("which projects use second-thing?")) == [
        ("app", "second-thing", "declared", "package.json:3")
    ]
