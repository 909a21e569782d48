"""Manifests whose lines speak for themselves: go.mod, Gemfile, gemspec, Gradle, .gitmodules, Docker, CI workflows. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from locid.manifest import ROOT, Declaration, Ecosystem, Kind, Manifest, Signboard

MAX_LINE = 1_000  # characters; a longer line declares nothing
_DIRECTIVE = re.compile(r"^(require|replace|exclude|retract|tool|use|module)\b\s*(\(?)")
_REPLACED = re.compile(r"^(\S+)(?:\s+v\S+)?\s+=>\s+(\.{0,2}/\S*|\S+)")


def go_mod(text: str) -> Manifest:
    """What go.mod tells; what only others need is indirect, a replacement by a folder is a dependency on that folder."""
    declared: list[Declaration] = []
    boards: list[Signboard] = []
    for directive, rest, comment, line in _directives(text):
        name = rest.split()[0].strip('"') if rest.split() else ""
        if directive == "module" and name:
            boards += [Signboard(name, "go", "distribution", line), Signboard(name, "go", "import", line)]
        elif directive == "require" and name:
            declared.append(Declaration(name, "go", "indirect" if "indirect" in comment else "runtime", line))
        elif directive == "tool" and name:
            declared.append(Declaration(name, "go", "dev", line))
        elif directive == "replace" and (found := _REPLACED.match(rest)):
            target = found[2] if found[2].startswith((".", "/")) else ""
            if target:
                declared.append(Declaration(found[1], "go", "runtime", line, target))
    return Manifest("go.mod", tuple(declared), tuple(boards))


def go_work(text: str) -> Manifest:
    """The modules of a Go workspace."""
    found = [(rest.split()[0], line) for directive, rest, _, line in _directives(text) if directive == "use" and rest]
    return Manifest("go.work", tuple(Declaration(path, "path", "workspace", line, path) for path, line in found))


def _directives(text: str) -> Iterator[tuple[str, str, str, int]]:
    """(directive, what follows, comment, line), those of a block one by one."""
    block = ""
    for number, line in _lines(text):
        rest, _, comment = line.partition("//")
        rest = rest.strip()
        found = _DIRECTIVE.match(rest)
        if block and rest == ")":
            block = ""
        elif block and rest:
            yield block, rest, comment, number
        elif found and found[2]:
            block = found[1]
        elif found:
            yield found[1], rest[found.end() :].strip(), comment, number


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers; those that are no one's work are passed over."""
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if len(line) <= MAX_LINE)


_GEM = re.compile(r"""^\s*gem[\s(]+["']([\w.-]+)["'](.*)$""")
_SPEC = re.compile(r"""^\s*\w+\.add_(?:(runtime|development)_)?dependency[\s(]+["']([\w.-]+)["']""")
_GEM_SOURCE = re.compile(r"""(?::?(path|git|github|gitlab)\s*(?:=>|:))\s*["']([^"']+)["']""")
_GEM_NAME = re.compile(r"""^\s*\w+\.name\s*=\s*["']([\w.-]+)["']""")
_GEM_RUNS = re.compile(r"""^\s*\w+\.executables\s*(?:=|<<)\s*(.+)$""")
_GROUP = re.compile(r"^\s*group\b(.*)\bdo\s*$")


def gemfile(text: str) -> Manifest:
    """What a Gemfile tells."""
    declared: list[Declaration] = []
    group = ""
    for number, line in _lines(text):
        if opened := _GROUP.match(line):
            group = opened[1]
        elif re.match(r"^\s*end\b", line):
            group = ""
        elif found := _GEM.match(line):
            source = _GEM_SOURCE.search(found[2])
            target = source[2] if source else ""
            if source and source[1] in ("github", "gitlab"):
                target = f"https://{source[1]}.com/{source[2]}"
            kind: Kind = "dev" if re.search(r"dev|test", group + found[2].partition("group")[2]) else "runtime"
            declared.append(Declaration(found[1], "ruby", kind, number, target))
    return Manifest("Gemfile", tuple(declared))


def gemspec(text: str) -> Manifest:
    """What a gemspec tells in literals."""
    declared: list[Declaration] = []
    boards: list[Signboard] = []
    for number, line in _lines(text):
        if found := _SPEC.match(line):
            declared.append(Declaration(found[2], "ruby", "dev" if found[1] == "development" else "runtime", number))
        elif named := _GEM_NAME.match(line):
            boards.append(Signboard(named[1], "ruby", "distribution", number))
            boards.append(Signboard(named[1].replace("-", "/"), "ruby", "import", number))
        elif runs := _GEM_RUNS.match(line):
            names = re.findall(r"""["']([\w.-]+)["']""", runs[1]) or re.sub(r"^%w[\[({<]|[\])}>]$", "", runs[1]).split()
            boards += [Signboard(name, "ruby", "command", number) for name in names if re.match(r"^[\w.-]+$", name)]
    return Manifest("gemspec", tuple(declared), tuple(boards))


# `implementation("group:name:version")`, `testImplementation 'group:name'`, `classpath platform("…")`
_GRADLE = re.compile(
    r"""^\s*(\w*(?:implementation|api|compile|compileonly|runtime|runtimeonly|classpath|processor|kapt|ksp)\w*)\b[^"'\n]*"""
    r"""["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']""",
    re.I,
)
_GRADLE_PROJECT = re.compile(r"""\bproject\s*\(\s*(?:path\s*[=:]\s*)?["'](:[\w:.-]+)["']""")
_GRADLE_PLUGIN = re.compile(r"""^\s*id[\s(]+["']([\w.-]+)["']""")
_GRADLE_NAME = re.compile(r"""^\s*rootProject\.name\s*=\s*["']([\w.-]+)["']""")
_GRADLE_INCLUDE = re.compile(r"""^\s*include(?:Build)?[\s(]+(["'].*)$""")
_GRADLE_GROUP = re.compile(r"""^\s*group\s*=?\s*["']([\w.-]+)["']""")


def gradle(text: str) -> Manifest:
    """What build.gradle or settings.gradle tell in literals, in Groovy or Kotlin."""
    declared: list[Declaration] = []
    boards: list[Signboard] = []
    for number, line in _lines(text):
        if found := _GRADLE.match(line):
            declared.append(Declaration(found[2], "maven", "dev" if "test" in found[1].lower() else "runtime", number))
        elif plugin := _GRADLE_PLUGIN.match(line):
            declared.append(Declaration(plugin[1], "maven", "build", number))
        elif named := _GRADLE_NAME.match(line):
            boards.append(Signboard(named[1], "maven", "distribution", number))
        elif included := _GRADLE_INCLUDE.match(line):
            for path in re.findall(r"""["']:?([\w:./-]+)["']""", included[1]):
                place = path.replace(":", "/")
                declared.append(Declaration(place, "path", "workspace", number, place))
        for project in _GRADLE_PROJECT.findall(line):
            place = project.strip(":").replace(":", "/")
            declared.append(Declaration(place, "path", "runtime", number, ROOT + place))
    return Manifest("gradle", tuple(declared), tuple(boards))


_MODULE = re.compile(r"^\s*url\s*=\s*(\S.*)$")


def gitmodules(text: str) -> Manifest:
    """The submodules: each by the URL that it comes from."""
    declared: list[Declaration] = []
    for number, line in _lines(text):
        if found := _MODULE.match(line):
            url = found[1].strip()
            name = re.sub(r"\.git$", "", url.rstrip("/")).rpartition("/")[2].rpartition(":")[2]
            declared.append(Declaration(name, "git", "submodule", number, url))
    return Manifest(".gitmodules", tuple(declared))


def every(pattern: str, ecosystem: Ecosystem, kind: Kind, format: str) -> Rows:
    """A reader that takes the first group of each line that matches."""
    return Rows(re.compile(pattern, re.I), ecosystem, kind, format)


class Rows:
    """A reader of one kind of line."""

    def __init__(self, pattern: re.Pattern[str], ecosystem: Ecosystem, kind: Kind, format: str) -> None:
        self._pattern, self._ecosystem, self._kind, self._format = pattern, ecosystem, kind, format

    def __call__(self, text: str) -> Manifest:
        """One declaration a line."""
        declared = []
        for number, line in _lines(text):
            if found := self._pattern.match(line):
                name = found[1]
                target = name if self._ecosystem in ("git", "path") else ""
                name = name.removesuffix(".git").rstrip("/").rpartition("/")[2] if self._ecosystem == "git" else name
                declared.append(Declaration(name, self._ecosystem, self._kind, number, target))
        return Manifest(self._format, tuple(declared))
