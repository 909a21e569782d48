"""Manifests in TOML and JSON of other ecosystems: Cargo, npm, Composer, Gradle's catalogue, MCP servers. Pure."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping

from locid.collect.manifests import commands
from locid.collect.manifests.located import Path, TomlLines, json_lines, table, texts
from locid.manifest import Declaration, Invocation, Kind, Manifest, Signboard

_CARGO: tuple[tuple[str, Kind], ...] = (
    ("dependencies", "runtime"),
    ("dev-dependencies", "dev"),
    ("build-dependencies", "build"),
    ("dev_dependencies", "dev"),
    ("build_dependencies", "build"),
)


def cargo(text: str) -> Manifest:
    """What Cargo.toml tells; a renamed dependency goes by the name of its package."""
    data = tomllib.loads(text)
    lines = TomlLines(text)
    declared = [d for path, kind in _cargo_tables(data) for d in _crates(table(data, *path), path, kind, lines)]
    for member in texts(table(data, "workspace").get("members")):
        place = lines.of_item(member, "workspace", "members")
        declared.append(Declaration(member, "path", "workspace", place, member))
    return Manifest("Cargo.toml", tuple(declared), tuple(_crate_boards(data, lines)))


def _cargo_tables(data: Mapping[str, object]) -> Iterator[tuple[Path, Kind]]:
    for name, kind in _CARGO:
        yield (name,), kind
        for target in table(data, "target"):
            yield ("target", target, name), kind
    yield ("workspace", "dependencies"), "runtime"


def _crates(found: Mapping[str, object], path: Path, kind: Kind, lines: TomlLines) -> Iterator[Declaration]:
    for name, wanted in found.items():
        how = wanted if isinstance(wanted, dict) else {}
        package = how.get("package")
        target = next((value for key in ("path", "git") if isinstance(value := how.get(key), str)), "")
        yield Declaration(package if isinstance(package, str) else name, "cargo", kind, lines.of(*path, name), target)


def _crate_boards(data: Mapping[str, object], lines: TomlLines) -> Iterator[Signboard]:
    """Package, library and programs; a package without a table for its program has one of its own name."""
    name = table(data, "package").get("name")
    if isinstance(name, str):
        yield Signboard(name, "cargo", "distribution", lines.of("package", "name"))
        library = table(data, "lib").get("name")
        imported = library if isinstance(library, str) else name.replace("-", "_")
        yield Signboard(
            imported, "cargo", "import", lines.of("lib", "name") if library else lines.of("package", "name")
        )
        bins = data.get("bin")
        programs = [b.get("name") for b in bins if isinstance(b, dict)] if isinstance(bins, list) else []
        if not programs and "lib" not in data:
            yield Signboard(name, "cargo", "command", lines.of("package", "name"))
        for nth, program in enumerate(programs):
            if isinstance(program, str):
                yield Signboard(program, "cargo", "command", lines.of("bin", "name", nth=nth))


_NPM: tuple[tuple[str, Kind], ...] = (
    ("dependencies", "runtime"),
    ("devDependencies", "dev"),
    ("peerDependencies", "peer"),
    ("optionalDependencies", "optional"),
)
_ALIAS = re.compile(r"^npm:((?:@[^@/]+/)?[^@]+)")


def npm(text: str) -> Manifest:
    """What package.json tells; an alias goes by the package behind it."""
    data = _object(text)
    lines = json_lines(text)
    declared: list[Declaration] = []
    for section, kind in _NPM:
        for name, wanted in table(data, section).items():
            spec = wanted if isinstance(wanted, str) else ""
            alias = _ALIAS.match(spec)
            declared.append(
                Declaration(alias[1] if alias else name, "npm", kind, lines.get((section, name), 1), _npm_target(spec))
            )
    declared += _workspaces(data, lines)
    manager = data.get("packageManager")
    if isinstance(manager, str):
        declared.append(Declaration(manager.partition("@")[0], "tool", "settings", lines.get(("packageManager",), 1)))
    return Manifest("package.json", tuple(declared), tuple(_npm_boards(data, lines)), tuple(_npm_scripts(data, lines)))


def _object(text: str) -> Mapping[str, object]:
    data = json.loads(text.removeprefix("\ufeff"))
    if not isinstance(data, dict):
        raise ValueError("it is no object")
    return data


def _npm_target(spec: str) -> str:
    for scheme in ("file:", "link:", "portal:"):
        if spec.startswith(scheme):
            return spec.removeprefix(scheme)
    if found := re.match(r"^(?:(github|gitlab|bitbucket):)?([\w.-]+/[\w.-]+)(?:#.*)?$", spec):
        return f"https://{found[1] or 'github'}.{'org' if found[1] == 'bitbucket' else 'com'}/{found[2]}"
    return spec if re.match(r"^(?:git[+@:]|[a-z+]+://)", spec) else ""


def _workspaces(data: Mapping[str, object], lines: Mapping[Path, int]) -> Iterator[Declaration]:
    found = data.get("workspaces")
    members = texts(found.get("packages") if isinstance(found, dict) else found)
    for member in members:
        place = lines.get(("workspaces", "[]", member)) or lines.get(("workspaces",), 1)
        yield Declaration(member, "path", "workspace", place, member)


def _npm_boards(data: Mapping[str, object], lines: Mapping[Path, int]) -> Iterator[Signboard]:
    name = data.get("name")
    if not isinstance(name, str) or not name:
        return
    yield Signboard(name, "npm", "distribution", lines.get(("name",), 1))
    programs = data.get("bin")
    if isinstance(programs, str):
        yield Signboard(name.rpartition("/")[2], "npm", "command", lines.get(("bin",), 1))
    for program in table(data, "bin"):
        yield Signboard(program, "npm", "command", lines.get(("bin", program), 1))


def _npm_scripts(data: Mapping[str, object], lines: Mapping[Path, int]) -> Iterator[Invocation]:
    for script, line in table(data, "scripts").items():
        if isinstance(line, str):
            at = lines.get(("scripts", script), 1)
            yield from (Invocation(name, f"script {script}", at) for name in commands.of_line(line))


def composer(text: str) -> Manifest:
    """What composer.json tells; PHP itself and its extensions are no packages."""
    data = _object(text)
    lines = json_lines(text)
    sections: tuple[tuple[str, Kind], ...] = (("require", "runtime"), ("require-dev", "dev"))
    declared = [
        Declaration(name, "composer", kind, lines.get((section, name), 1))
        for section, kind in sections
        for name in table(data, section)
        if "/" in name
    ]
    boards: list[Signboard] = []
    if isinstance(name := data.get("name"), str):
        boards.append(Signboard(name, "composer", "distribution", lines.get(("name",), 1)))
    for space in table(data, "autoload", "psr-4"):
        at = lines.get(("autoload", "psr-4", json.dumps(space)[1:-1]), 1)
        boards.append(Signboard(space.strip("\\"), "composer", "import", at))
    for program in texts(data.get("bin")):
        boards.append(Signboard(program.rpartition("/")[2], "composer", "command", lines.get(("bin",), 1)))
    repositories = data.get("repositories")
    for place in repositories if isinstance(repositories, list) else []:
        if (
            isinstance(place, dict)
            and isinstance(url := place.get("url"), str)
            and place.get("type") in ("path", "vcs")
        ):
            declared.append(Declaration(url, "path", "runtime", lines.get(("repositories",), 1), url))
    return Manifest("composer.json", tuple(declared), tuple(boards))


def mcp(text: str) -> Manifest:
    """The programs that a client's settings start as MCP servers."""
    data = _object(text)
    lines = json_lines(text)
    found: list[Invocation] = []
    for section in ("mcpServers", "servers", "context_servers"):
        for name, server in table(data, section).items():
            if not isinstance(server, dict) or not isinstance(program := server.get("command"), str):
                continue
            at = lines.get((section, name, "command")) or lines.get((section, name), 1)
            words = [program, *texts(server.get("args"))]
            found += (Invocation(run, "mcp", at) for run in commands.of_words(words))
    return Manifest("mcp.json", invocations=tuple(found))


def catalogue(text: str) -> Manifest:
    """What Gradle's libs.versions.toml tells."""
    data = tomllib.loads(text)
    lines = TomlLines(text)
    declared: list[Declaration] = []
    for alias, wanted in table(data, "libraries").items():
        how = wanted if isinstance(wanted, dict) else {}
        module = wanted.rpartition(":")[0] if isinstance(wanted, str) else how.get("module")
        name = module if isinstance(module, str) else f"{how.get('group')}:{how.get('name')}"
        declared.append(Declaration(name, "maven", "runtime", lines.of("libraries", alias)))
    for alias, wanted in table(data, "plugins").items():
        id = wanted.rpartition(":")[0] if isinstance(wanted, str) else table(wanted).get("id")
        if isinstance(id, str):
            declared.append(Declaration(id, "maven", "build", lines.of("plugins", alias)))
    return Manifest("libs.versions.toml", tuple(declared))
