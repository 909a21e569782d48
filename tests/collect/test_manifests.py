"""Manifests of every format: what they declare and go by, each with its own line; broken and hostile ones with a reason."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locid.collect import manifests
from locid.collect.manifests.formats import FORMATS, MAX_CHARS

# path, text, declarations as "kind ecosystem name:line -> target", signboards as "board ecosystem name:line"
SAMPLES = {
    "pyproject.toml": (
        """[build-system]
requires = ["hatchling>=1.27"]

[project]
name = "My.App"
dependencies = [
  # a comment with "quotes"
  "requests[socks]>=2; python_version > '3.8'",
  "local-lib @ file:///srv/local-lib",
]

[project.optional-dependencies]
test = ["pytest"]
fast = ["orjson>=3", "uvloop"]

[project.scripts]
my-app = "my.app:main"

[dependency-groups]
lint = ["ruff", {include-group = "test"}]

[tool.uv.sources]
sibling = { path = "../sibling" }

[tool.ruff]
line-length = 100
""",
        """runtime python requests:8
        runtime python local-lib:9 -> /srv/local-lib
        dev python pytest:13
        optional python orjson:14
        optional python uvloop:14
        dev python ruff:20
        build python hatchling:2
        runtime python sibling:23 -> ../sibling
        settings tool uv:22
        settings tool ruff:25""",
        """distribution python My.App:5
        command python my-app:17""",
    ),
    "services/api/pyproject.toml": (
        """[tool.poetry]
name = "api"
[tool.poetry.dependencies]
python = "^3.11"
django = "^5"
shared = { path = "../shared", develop = true }
fork = { git = "https://github.com/me/fork.git" }
[tool.poetry.group.dev.dependencies]
mypy = "*"
[tool.poetry.scripts]
serve = "api:main"
""",
        """runtime python django:5
        runtime python shared:6 -> ../shared
        runtime python fork:7 -> https://github.com/me/fork.git
        dev python mypy:9
        settings tool poetry:1""",
        """distribution python api:2
        command python serve:11""",
    ),
    "requirements/base.txt": (
        """# what we need
-r other.txt
--index-url https://example.org/simple
Flask>=2  # the web
celery[redis] == 5.2 \\
    --hash=sha256:abc
PyYAML
-e ../shared
-e git+https://github.com/me/tool.git@main#egg=tool
pip-thing @ git+https://github.com/me/thing
./vendored/wheel.whl
.
not a requirement
""",
        """runtime python Flask:4
        runtime python celery:5
        runtime python PyYAML:7
        runtime path ../shared:8 -> ../shared
        runtime python tool:9 -> git+https://github.com/me/tool.git@main
        runtime python pip-thing:10 -> git+https://github.com/me/thing
        runtime path ./vendored/wheel.whl:11 -> ./vendored/wheel.whl
        format tool pip:1""",
        "",
    ),
    "requirements-dev.txt": (
        """pytest==8
    # via -r requirements-dev.in
pluggy==1
    # via pytest
iniconfig==2  # via pytest
""",
        """dev python pytest:1
        indirect python pluggy:3
        indirect python iniconfig:5
        format tool pip:1""",
        "",
    ),
    "setup.cfg": (
        """[metadata]
name = thing

[options]
install_requires =
    requests>=2
    # not this
    attrs

[options.extras_require]
test = pytest
docs =
    sphinx

[options.entry_points]
console_scripts =
    thing = thing.cli:main

[tool:pytest]
testpaths = tests
[flake8]
max-line-length = 100
""",
        """runtime python requests:6
        runtime python attrs:8
        dev python pytest:11
        dev python sphinx:13
        settings tool pytest:19
        settings tool flake8:21""",
        """distribution python thing:2
        command python thing:17""",
    ),
    "setup.py": (
        """import os
from setuptools import setup

os.system("touch /tmp/it-ran")
REQUIRES = ["click"]
REQUIRES_MORE = REQUIRES + [
    "rich>=13",
]
raise SystemExit
setup(
    name="tool",
    install_requires=REQUIRES_MORE + read("other.txt"),
    extras_require={"test": ["pytest"], "fast": ("orjson",)},
    py_modules=["tool"],
    entry_points={"console_scripts": ["tool = tool:main"], "other.group": ["x = y"]},
)
""",
        """runtime python click:5
        runtime python rich:7
        dev python pytest:13
        optional python orjson:13
        format tool setuptools:1""",
        """distribution python tool:11
        import python tool:14
        command python tool:15""",
    ),
    "Pipfile": (
        """[packages]
mistune = "*"
lib = { path = "./lib" }
[dev-packages]
black = "*"
""",
        """runtime python mistune:2
        runtime python lib:3 -> ./lib
        dev python black:5
        format tool pipenv:1""",
        "",
    ),
    "tox.ini": (
        """[tox]
envlist = py311
[testenv]
deps =
    pytest
    py39: tomli
    -r requirements.txt
""",
        """settings tool tox:1
        dev python pytest:5
        dev python tomli:6""",
        "",
    ),
    "package.json": (
        """{
  "name": "@me/app",
  "bin": {"app": "./cli.js"},
  "workspaces": ["packages/*"],
  "packageManager": "pnpm@9.1.0",
  "scripts": {
    "build": "NODE_ENV=production vite build && npx -y tsup src"
  },
  "dependencies": {
    "react": "^18", "lodash.get": "4",
    "alias": "npm:@real/name@^2",
    "sibling": "workspace:*",
    "near": "file:../near",
    "fork": "me/fork#main"
  },
  "devDependencies": {
    "react": "18"
  },
  "peerDependencies": {"vue": ">=3"}
}
""",
        """runtime npm react:10
        runtime npm lodash.get:10
        runtime npm @real/name:11
        runtime npm sibling:12
        runtime npm near:13 -> ../near
        runtime npm fork:14 -> https://github.com/me/fork
        dev npm react:17
        peer npm vue:19
        workspace path packages/*:4 -> packages/*
        settings tool pnpm:5
        format tool npm:1""",
        """distribution npm @me/app:2
        command npm app:3""",
    ),
    "Cargo.toml": (
        """[package]
name = "my-tool"

[[bin]]
name = "mt"

[dependencies]
anyhow = "1"
renamed = { package = "real-name", version = "1" }
grep = { path = "../grep" }
serde.workspace = true

[dependencies.tokio]
version = "1"

[dev-dependencies]
tempfile = "3"

[target.'cfg(unix)'.dependencies]
libc = "0.2"

[workspace]
members = [
  "crates/a",
]
""",
        """runtime cargo anyhow:8
        runtime cargo real-name:9
        runtime cargo grep:10 -> ../grep
        runtime cargo serde:11
        runtime cargo tokio:13
        runtime cargo libc:20
        dev cargo tempfile:17
        workspace path crates/a:24 -> crates/a
        format tool cargo:1""",
        """distribution cargo my-tool:2
        import cargo my_tool:2
        command cargo mt:5""",
    ),
    "go.mod": (
        """module example.org/me/app/v2

go 1.22

require github.com/spf13/cobra v1.8.0

require (
	golang.org/x/sys v0.20.0
	github.com/one/two v1.0.0 // indirect
)

replace (
	example.org/me/lib => ../lib
	example.org/a => example.org/b v1.0.0
)
tool golang.org/x/tools/cmd/stringer
""",
        """runtime go github.com/spf13/cobra:5
        runtime go golang.org/x/sys:8
        indirect go github.com/one/two:9
        runtime go example.org/me/lib:13 -> ../lib
        dev go golang.org/x/tools/cmd/stringer:16
        format tool go:1
        format tool go modules:1""",
        """distribution go example.org/me/app/v2:1
        import go example.org/me/app/v2:1""",
    ),
    "go.work": (
        "go 1.22\n\nuse (\n\t.\n\t./lib\n)\n",
        """workspace path .:4 -> .
        workspace path ./lib:5 -> ./lib
        format tool go:1""",
        "",
    ),
    "Gemfile": (
        """source 'https://rubygems.org'

gem 'rails', '~> 7'
gem "mine", path: "../mine"
gem 'forked', github: 'me/forked'
group :development, :test do
  gem 'rspec'
end
gem 'puma', group: :test
""",
        """runtime ruby rails:3
        runtime ruby mine:4 -> ../mine
        runtime ruby forked:5 -> https://github.com/me/forked
        dev ruby rspec:7
        dev ruby puma:9
        format tool bundler:1""",
        "",
    ),
    "my-gem.gemspec": (
        """Gem::Specification.new do |spec|
  spec.name = "my-gem"
  spec.executables = ["mygem"]
  spec.add_dependency "thor", "~> 1"
  spec.add_development_dependency("rake")
end
""",
        """runtime ruby thor:4
        dev ruby rake:5
        format tool rubygems:1""",
        """distribution ruby my-gem:2
        import ruby my/gem:2
        command ruby mygem:3""",
    ),
    "composer.json": (
        """{
  "name": "me/app",
  "require": {
    "php": ">=8",
    "ext-json": "*",
    "monolog/monolog": "^3"
  },
  "require-dev": {"phpunit/phpunit": "^10"},
  "autoload": {"psr-4": {"Me\\\\App\\\\": "src/"}},
  "bin": ["bin/app"],
  "repositories": [{"type": "path", "url": "../lib"}]
}
""",
        """runtime composer monolog/monolog:6
        dev composer phpunit/phpunit:8
        runtime path ../lib:11 -> ../lib
        format tool composer:1""",
        """distribution composer me/app:2
        import composer Me\\App:9
        command composer app:10""",
    ),
    "pom.xml": (
        """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>org.me</groupId>
  <artifactId>app</artifactId>
  <modules>
    <module>core</module>
  </modules>
  <dependencyManagement><dependencies>
    <dependency><groupId>g</groupId><artifactId>managed</artifactId></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency>
      <groupId>com.google.guava</groupId>
      <artifactId>guava</artifactId>
    </dependency>
    <dependency>
      <groupId>${project.groupId}</groupId>
      <artifactId>core</artifactId>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build><plugins><plugin><artifactId>maven-jar-plugin</artifactId></plugin></plugins></build>
</project>
""",
        """runtime maven com.google.guava:guava:14
        dev maven org.me:core:18
        managed maven g:managed:9
        build maven org.apache.maven.plugins:maven-jar-plugin:22
        workspace path core:6 -> core
        format tool maven:1""",
        "distribution maven org.me:app:4",
    ),
    "build.gradle.kts": (
        """plugins {
    id("org.springframework.boot") version "3.2"
}
dependencies {
    implementation("com.squareup.okhttp3:okhttp:4.12.0")
    testImplementation('junit:junit:4.13')
    api(project(":core"))
}
""",
        """build maven org.springframework.boot:2
        runtime maven com.squareup.okhttp3:okhttp:5
        dev maven junit:junit:6
        runtime path core:7 -> $root/core
        format tool gradle:1""",
        "",
    ),
    "settings.gradle": (
        "rootProject.name = 'shop'\ninclude ':core', ':web:api'\n",
        """workspace path core:2 -> core
        workspace path web/api:2 -> web/api
        format tool gradle:1""",
        "distribution maven shop:1",
    ),
    "gradle/libs.versions.toml": (
        """[libraries]
okio = { module = "com.squareup.okio:okio", version = "3" }
short = "g:name:1.0"
[plugins]
kotlin = { id = "org.jetbrains.kotlin.jvm", version = "2" }
""",
        """runtime maven com.squareup.okio:okio:2
        runtime maven g:name:3
        build maven org.jetbrains.kotlin.jvm:5
        format tool gradle:1""",
        "",
    ),
    "App.csproj": (
        """<Project Sdk="Microsoft.NET.Sdk">
  <ItemGroup>
    <PackageReference Include="Serilog" Version="3" />
    <ProjectReference Include="..\\Lib\\Lib.csproj" />
  </ItemGroup>
</Project>
""",
        """runtime nuget Serilog:3
        runtime path ../Lib/Lib.csproj:4 -> ../Lib/Lib.csproj
        format tool dotnet:1
        format tool nuget:1""",
        "",
    ),
    ".gitmodules": (
        """[submodule "vendor/lib"]
	path = vendor/lib
	url = git@github.com:me/lib.git
""",
        """submodule git lib:3 -> git@github.com:me/lib.git
        format tool git submodules:1""",
        "",
    ),
    ".github/workflows/ci.yml": (
        """jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - name: x
        uses: "astral-sh/setup-uv@v3"
      - run: pytest
""",
        """build actions actions/checkout:4
        build actions astral-sh/setup-uv:6
        format tool github actions:1""",
        "",
    ),
    "docker/Dockerfile.dev": (
        "FROM --platform=linux/amd64 python:3.12-slim AS base\nFROM ghcr.io/me/image\n",
        """build docker python:3.12-slim:1
        build docker ghcr.io/me/image:2
        format tool docker:1""",
        "",
    ),
    "compose.yaml": (
        "services:\n  db:\n    image: postgres:16\n",
        """runtime docker postgres:16:3
        format tool docker compose:1
        format tool docker:1""",
        "",
    ),
    ".pre-commit-config.yaml": (
        "repos:\n  - repo: https://github.com/psf/black\n    rev: 24.1.0\n  - repo: local\n",
        """dev git black:2 -> https://github.com/psf/black
        format tool pre-commit:1""",
        "",
    ),
    "pnpm-workspace.yaml": (
        "packages:\n  - 'packages/*'\n",
        """workspace path packages/*:2 -> packages/*
        format tool pnpm:1""",
        "",
    ),
    "web/.eslintrc.json": ("{}\n", "settings tool eslint:1", ""),
    "vite.config.ts": ("export default {}\n", "settings tool vite:1", ""),
    "wrangler.toml": ('name = "x"\n', "settings tool wrangler:1", ""),
}


def rows(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize("path", SAMPLES)
def test_what_a_manifest_tells(path):
    """Names, kinds, targets and lines of everything in it, in order, and nothing else; no code of it is run."""
    text, declared, boards = SAMPLES[path]
    found = manifests.read(path, text)
    assert found is not None and found.problem is None
    told = [
        f"{d.kind} {d.ecosystem} {d.name}:{d.line}" + (f" -> {d.target}" if d.target else "")
        for d in found.declarations
    ]
    assert told == rows(declared)
    assert [f"{s.board} {s.ecosystem} {s.name}:{s.line}" for s in found.signboards] == rows(boards)


def test_every_format_has_a_sample():
    """Each row of the table of formats is met by a sample."""
    met = {next((n for n, f in enumerate(FORMATS) if f.path.match(path.lower())), None) for path in SAMPLES}
    unmet = [f.tools for n, f in enumerate(FORMATS) if n not in met]
    assert unmet == [("mcp",)]  # servers are run, not declared: tested below


def test_what_scripts_and_servers_run():
    """Scripts of package.json and MCP entries name programs, also those behind a launcher, each at its line."""
    found = manifests.read("package.json", SAMPLES["package.json"][0])
    assert [(i.command, i.line) for i in found.invocations] == [("vite", 7), ("npx", 7), ("tsup", 7)]
    text = """{
  "mcpServers": {
    "memory": {
      "command": "/usr/local/bin/loci",
      "args": ["mcp"]
    },
    "files": {"command": "npx", "args": ["-y", "@me/server@1.2", "/home"]},
    "broken": {"command": 3}
  }
}"""
    for path in (".mcp.json", ".cursor/mcp.json", "claude_desktop_config.json"):
        found = manifests.read(path, text)
        assert [(i.command, i.line) for i in found.invocations] == [("loci", 4), ("npx", 7), ("@me/server", 7)], path


def test_other_files_are_no_manifests():
    """Names that only look alike."""
    for path in (
        "src/package.json.py",
        "setup.py.txt",
        "my_setup.py",
        "lib/go.modx",
        "a/wrangler.toml",
        "docs/index.md",
    ):
        assert manifests.read(path, "x = 1\n") is None, path


BROKEN = {
    "package.json": "{'name': 1,}",
    "composer.json": "[1, 2]",
    "pyproject.toml": "[project\nname = ",
    "Cargo.toml": "a = 1\na = 2\n",
    "setup.py": "def (:\n",
    "setup.cfg": "no section\n",
    "tox.ini": "[[\n= x",
    "pom.xml": "<project><dependencies>",
    "App.csproj": "",
    "Pipfile": "\x00",
    ".mcp.json": "",
}


@pytest.mark.parametrize("path", BROKEN)
def test_a_broken_manifest_has_a_reason(path):
    """It declares nothing but the tool that would read it, and says in one line why."""
    found = manifests.read(path, BROKEN[path])
    assert found is not None and found.problem and "\n" not in found.problem
    assert {d.kind for d in found.declarations} <= {"format"} and not found.signboards


LAUGHS = (
    "<!DOCTYPE l [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY a{n} '{'&a' + str(n - 1) + ';' if n else '&a;'}'>" for n in range(9))
    + "]>"
)
HOSTILE = {
    "entities": ("pom.xml", LAUGHS + "<project><artifactId>&a8;</artifactId></project>"),
    "an outside file": (
        "pom.xml",
        '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><p><artifactId>&x;</artifactId></p>',
    ),
    "depth of XML": ("pom.xml", "<a>" * 5_000),
    "breadth of XML": ("pom.xml", "<p>" + "<a/>" * 70_000 + "</p>"),
    "size": ("package.json", '{"a": "' + "x" * 5_000_000 + '"}'),
    "depth of JSON": ("package.json", "[" * 100_000),
    "depth of TOML": ("pyproject.toml", "a = " + "[" * 50_000),
    "depth of Python": ("setup.py", "x = " + "(" * 20_000),
    "length of Python": ("setup.py", "setup(install_requires=" + "+".join(['["a"]'] * 30_000) + ")"),
    "unary Python": ("setup.py", "x = " + "-" * 50_000 + "1"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_manifest_is_refused(what):
    """Nothing is expanded, fetched or followed to its end."""
    path, text = HOSTILE[what]
    found = manifests.read(path, text)
    assert found is not None and found.problem, what


SLOW = {
    "Gemfile": "gem '" + "a" * 200_000,
    "build.gradle": "api" * 30_000 + "\n" + ("implementation " * 60 + "\n") * 200,
    "go.mod": "require (\n" + (" " * 900 + "x\n") * 300,
    ".gitmodules": "url = " + " " * 100_000 + "x\n",
    "requirements.txt": ("a-" * 400 + "\n") * 300,
    "setup.cfg": "[options]\ninstall_requires =\n" + ("  " + "-_." * 300 + "\n") * 300,
    "pyproject.toml": "[project]\ndependencies = [" + ", ".join(f'"a{n}\\u0041"' for n in range(9_000)) + "]\n",
    "Cargo.toml": "[dependencies]\n" + "\n".join(f"a.b{n}.c.d.e = 1" for n in range(9_000)),
    "package.json": json.dumps({"scripts": {"a": "npx " * 60_000}}),
}


@pytest.mark.parametrize("path", SLOW)
def test_no_manifest_is_read_over_and_over(path):
    """Texts made to make a reader run back over them are read to the end, within the limits."""
    assert len(SLOW[path]) <= MAX_CHARS
    found = manifests.read(path, SLOW[path])
    assert found is not None and len(found.declarations) <= 20_010


@given(st.sampled_from([*SAMPLES, ".mcp.json"]), st.data())
def test_any_text_is_read_or_refused(path, data):
    """Samples cut, doubled and mixed with anything: a value comes back, and its lines lie in the text."""
    whole = SAMPLES[path][0] if path in SAMPLES else "{}"
    cut = data.draw(st.integers(0, len(whole)))
    text = whole[:cut] + data.draw(st.text(max_size=20)) + data.draw(st.sampled_from([whole[cut:], whole, ""]))
    found = manifests.read(path, text)
    assert found is not None
    last = text.count("\n") + 1
    assert all(1 <= d.line <= last for d in (*found.declarations, *found.signboards, *found.invocations))
