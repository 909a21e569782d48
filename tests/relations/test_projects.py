"""Who uses what among real repositories that were really indexed, without a daemon: what is one's own, whose a name is."""

import sqlite3

import pytest

from locid.errors import Unavailable
from locid.layout import Layout
from locid.refresh.reindex import Reindex
from locid.registry.store import Registry
from locid.relations.projects import Projects
from locid.snapshot import Snapshots
from tests.refresh.test_reindex import Inline


class Shelf:
    """Repositories, registered and indexed when they are asked about."""

    def __init__(self, folder, repository):
        self.layout, self.repository = Layout(str(folder / "home")), repository
        self.registry = Registry(self.layout)
        self.code = str(folder / "code")

    def add(self, name, files):
        """A repository with these files."""
        repo = self.repository(name)
        for path, text in files.items():
            repo.write(path, text)
        repo.commit("all")
        return repo

    def projects(self, split=False):
        """All of them, indexed."""
        self.registry.scan([self.code], split=split)
        for scope in self.registry.scopes:
            run = Reindex(self.layout, scope, Inline(), lambda *progress: None, 1_000_000)
            run.run()
            run.close()
        snapshots = Snapshots(self.layout)
        assert not snapshots.load([s.id for s in self.registry.scopes])
        return Projects(self.registry.scopes, snapshots.view.snapshots)


@pytest.fixture
def shelf(tmp_path, repository):
    made = Shelf(tmp_path, repository)
    yield made
    made.registry.close()


def users(projects, name):
    return {s.id for s in projects.users(name).scopes}


def edges(projects):
    return [(r.scope.id, r.to, r.use.how, r.use.name) for r in projects.edges()]


PYYAML = {
    "setup.py": 'from setuptools import setup\nsetup(name="PyYAML")\n',
    "lib/yaml/__init__.py": "from .nodes import *\n",
    "lib/yaml/nodes.py": "",
}


def test_an_import_and_its_distribution_are_one_when_it_is_here(shelf):
    """`import yaml` uses PyYAML where PyYAML is registered, and only there: nothing is guessed from elsewhere."""
    shelf.add("a", {"x.py": "import yaml\n"})
    shelf.add("b", {"requirements.txt": "PyYAML\n"})
    assert users(shelf.projects(), "pyyaml") == {"b"}
    shelf.add("parser", PYYAML)
    projects = shelf.projects()
    assert users(projects, "pyyaml") == users(projects, "yaml") == users(projects, "parser") == {"a", "b"}
    assert edges(projects) == [("a", "parser", "imported", "yaml"), ("b", "parser", "declared", "PyYAML")]


def test_one_of_several_distributions_is_meant(shelf):
    """Who uses one package of a repository does not use the other; who uses either uses the repository."""
    shelf.add(
        "mono",
        {
            "package.json": '{"name": "mono", "private": true, "workspaces": ["packages/*"]}',
            "packages/one/package.json": '{"name": "@m/one"}',
            "packages/two/package.json": '{"name": "@m/two", "dependencies": {"@m/one": "workspace:*"}}',
            "packages/two/index.js": "import '@m/one'\n",
        },
    )
    shelf.add("x", {"package.json": '{"name": "x", "dependencies": {"@m/one": "1"}}'})
    shelf.add("y", {"package.json": '{"name": "y"}', "i.ts": "import { z } from '@m/two/deep'\n"})
    projects = shelf.projects()
    assert users(projects, "@m/one") == {"x"} and users(projects, "@m/two") == {"y"}
    assert users(projects, "mono") == users(projects, "@m") == {"x", "y"}
    assert edges(projects) == [("x", "mono", "declared", "@m/one"), ("y", "mono", "imported", "@m/two/deep")]


def test_packages_of_one_repository_are_projects_when_it_is_split(shelf):
    """Members of a workspace, by its globs and by the names they depend on."""
    shelf.add(
        "mono",
        {
            "package.json": '{"name": "mono", "workspaces": ["packages/*", "web"]}',
            "web/package.json": '{"name": "web", "dependencies": {"api": "workspace:*"}}',
            "api/package.json": '{"name": "api"}',
        },
    )
    projects = shelf.projects(split=True)
    assert edges(projects) == [
        ("mono", "mono/web", "declared", "web"),
        ("mono/web", "mono/api", "declared", "api"),
    ]
    assert users(projects, "api") == {"mono/web"}


def test_a_name_in_another_ecosystem_is_another_thing(shelf):
    """A registered Python package is not what npm calls the same, nor a program a library of that name."""
    shelf.add("mine", {"pyproject.toml": '[project]\nname = "clicker"\n', "clicker/__init__.py": ""})
    shelf.add("js", {"package.json": '{"dependencies": {"clicker": "1"}}', "a.js": "import 'clicker'\n"})
    shelf.add("py", {"requirements.txt": "clicker\n", "a.rb": "system('clicker')\n"})
    projects = shelf.projects()
    assert users(projects, "clicker") == {"py"}
    assert edges(projects) == [("py", "mine", "declared", "clicker")]


def test_modules_of_ones_own_are_not_used(shelf):
    """A module beside the file, at the root or in src; of the standard library; of a crate: none of another project's."""
    shelf.add("lib", {"setup.py": 'setup(name="lib", py_modules=["helpers", "types", "notes"])\n', "notes.py": ""})
    shelf.add("a", {"tools/run.py": "import helpers\nimport types\n", "tools/helpers.py": ""})
    shelf.add("b", {"run.py": "import helpers.deep\n", "src/helpers/__init__.py": ""})
    shelf.add("c", {"run.py": "import notes\nfrom . import helpers\n"})
    shelf.add("d", {"Cargo.toml": '[package]\nname = "d"\n', "src/main.rs": "mod notes;\nuse notes::x;\n"})
    shelf.add("e", {"main.c": '#include "notes.h"\n#include <zlib.h>\n', "include/notes.h": ""})
    projects = shelf.projects()
    assert edges(projects) == [("c", "lib", "imported", "notes")]
    assert users(projects, "helpers") == set() and users(projects, "lib") == {"c"}
    assert users(projects, "zlib") == {"e"}


def test_a_second_work_tree_is_no_user(shelf):
    """Work trees of one repository are one project to others, and none to each other."""
    shelf.add("thing", {"pyproject.toml": '[project]\nname = "thing"\n', "thing/__init__.py": "import thing\n"}).git(
        "worktree", "add", "-q", "../thing-next", "-b", "next"
    )
    shelf.add("app", {"requirements.txt": "thing\n"})
    projects = shelf.projects()
    assert {s.id for s in projects.users("thing").providers} == {"thing", "thing-next"}
    assert users(projects, "thing") == {"app"}
    assert edges(projects) == [("app", "thing", "declared", "thing")]


def test_a_place_leads_further_than_a_name(shelf):
    """Dependencies by path and by URL lead to what lies there, whatever it is called; a name alone elsewhere does not."""
    origin = shelf.add("engine-two", {"Cargo.toml": '[package]\nname = "renamed"\n'})
    origin.git("remote", "add", "origin", "git@example.org:me/engine.git")
    shelf.add("p", {"sub/Cargo.toml": '[package]\nname="p"\n[dependencies]\nother = { path = "../../engine-two" }\n'})
    shelf.add("g", {"package.json": '{"dependencies": {"e": "git+https://example.org/me/engine.git#v1"}}'})
    shelf.add("n", {".gitmodules": '[submodule "x"]\n\turl = https://elsewhere.org/you/engine.git\n'})
    projects = shelf.projects()
    assert edges(projects) == [("g", "engine-two", "declared", "e"), ("p", "engine-two", "declared", "other")]
    assert users(projects, "engine-two") == users(projects, "me/engine") == {"g", "p"}


def test_traces_answer_only_alone(shelf):
    """Vendored sources, managed versions and settings are traces; where one project uses it they are told beside."""
    shelf.add("v", {"vendor/github.com/x/y/go.mod": "module github.com/x/y\n\nrequire example.org/z v1\n"})
    shelf.add("m", {"vite.config.ts": "export default {}\n"})
    alone = shelf.projects()
    assert users(alone, "example.org/z") == {"v"} and users(alone, "vite") == {"m"}
    shelf.add(
        "d", {"go.mod": "module d\n\nrequire example.org/z v1\n", "package.json": '{"devDependencies": {"vite": "1"}}'}
    )
    both = shelf.projects()
    found = both.users("example.org/z")
    assert {s.id for s in found.scopes} == {"d"} and {r.scope.id for r in found.traces} == {"v"}
    assert users(both, "vite") == {"d"}


def test_what_was_read_is_said(shelf):
    """Manifests by project, and each that could not be read with its reason."""
    shelf.add("a", {"package.json": "{", "b/package.json": "{}", "README.md": "# A\n"})
    read = shelf.projects().read()
    assert read.manifests == {"a": 1}
    assert [(scope, path) for scope, path, _ in read.unread] == [("a", "package.json")]
    shelf.add("b", {"go.mod": "module b\n"})
    shelf.registry.scan([shelf.code])
    later = Projects(shelf.registry.scopes, {})
    assert [row[:2] for row in later.read().unread] == [("a", ""), ("b", "")] and not later.users("x").scopes


def test_a_damaged_store_keeps_no_other_from_answering(shelf):
    """The projects that can be read answer; the one that cannot is told as not read, with its reason."""
    for name in ("a", "b", "c"):
        shelf.add(name, {"requirements.txt": "thing\n"})
    shelf.projects()
    path = shelf.layout.store_db("b")
    raw = sqlite3.connect(path)
    raw.execute("pragma wal_checkpoint(truncate)")
    (page,) = raw.execute("select rootpage from sqlite_schema where name = 'declarations_of_key'").fetchone()
    (size,) = raw.execute("pragma page_size").fetchone()
    raw.close()
    with open(path, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    snapshots = Snapshots(shelf.layout)
    snapshots.load(["a", "b", "c"])
    projects = Projects(shelf.registry.scopes, snapshots.view.snapshots)
    with pytest.raises(Unavailable):
        projects.users("thing")
    found, read = projects.asked(lambda readable: (readable.users("thing"), readable.read()))
    assert {s.id for s in found.scopes} == {"a", "c"}
    assert [(row[0], row[1], "damaged" in row[2]) for row in read.unread] == [("b", "", True)]


def test_nothing_is_asked_of_an_empty_name(shelf):
    """Blanks, signs and names beyond measure are used by nobody."""
    shelf.add("a", {"requirements.txt": "x\n", "a.py": "import os\n"})
    projects = shelf.projects()
    for name in ("", " ", "-", "/", "%", "x" * 5000, "'; drop table files; --"):
        assert users(projects, name) == set(), name
