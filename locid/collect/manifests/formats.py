"""Which file is which manifest: the table of formats, and the one place that runs their readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from locid.collect.manifests import byline, others, pythons, xmls
from locid.manifest import Declaration, Manifest

MAX_CHARS = 300_000  # of a manifest; a longer one is data
MAX_ROWS = 20_000  # of one manifest
Reader = Callable[[str], Manifest]


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of manifest: the paths that are one, how it is read, and the tools that read it."""

    path: re.Pattern[str]  # of a lowercased path
    read: Reader
    tools: tuple[str, ...]


def _format(path: str, read: Reader, *tools: str) -> Format:
    return Format(re.compile(rf"(?:.*/)?(?:{path})$"), read, tools)


def _nothing(text: str) -> Manifest:
    """A file that says by its name what it is of."""
    return Manifest("settings")


_REQUIREMENTS = r"[\w.-]*requirements[\w.-]*\.(?:txt|in)|requirements/(?:[\w.-]+/)*[\w.-]+\.(?:txt|in)"
_DEV = r"(?<![a-z])(?:dev|develop|development|tests?|testing|docs?|lint|typing|mypy|ci|build|check)(?![a-z])"
_IMAGE = r"([\w.:-]+(?:/[\w.-]+)*)"
FORMATS = (
    _format(r"pyproject\.toml", pythons.pyproject),
    _format(rf"(?=[\w./-]*{_DEV})(?:{_REQUIREMENTS})", pythons.dev_requirements, "pip"),
    _format(_REQUIREMENTS, pythons.requirements, "pip"),
    _format(r"setup\.cfg", pythons.setup_cfg),
    _format(r"setup\.py", pythons.setup_py, "setuptools"),
    _format(r"pipfile", pythons.pipfile, "pipenv"),
    _format(r"tox\.ini", pythons.tox),
    _format(r"cargo\.toml", others.cargo, "cargo"),
    _format(r"package\.json", others.npm, "npm"),
    _format(r"composer\.json", others.composer, "composer"),
    _format(r"[\w.-]+\.versions\.toml", others.catalogue, "gradle"),
    _format(r"(?:[\w.-]*\.)?mcp(?:[._-][\w.-]+)?\.json|claude_desktop_config\.json", others.mcp, "mcp"),
    _format(r"go\.mod", byline.go_mod, "go", "go modules"),
    _format(r"go\.work", byline.go_work, "go"),
    _format(r"gemfile", byline.gemfile, "bundler"),
    _format(r"[\w.-]+\.gemspec", byline.gemspec, "rubygems"),
    _format(r"(?:build|settings)\.gradle(?:\.kts)?", byline.gradle, "gradle"),
    _format(r"\.gitmodules", byline.gitmodules, "git submodules"),
    _format(r"pom\.xml", xmls.pom, "maven"),
    _format(r"[\w.-]+\.(?:cs|fs|vb)proj|packages\.config|directory\.packages\.props", xmls.dotnet, "dotnet", "nuget"),
    _format(
        r"\.github/workflows/[\w.-]+\.ya?ml|action\.ya?ml",
        byline.every(r"^\s*(?:-\s+)?uses:\s*[\"']?([\w.-]+/[\w./-]+)@", "actions", "build", "workflow"),
        "github actions",
    ),
    _format(
        r"(?:[\w-]+\.)?(?:dockerfile|containerfile)(?:\.[\w.-]+)?",
        byline.every(rf"^FROM\s+(?:--\S+\s+)*{_IMAGE}", "docker", "build", "Dockerfile"),
        "docker",
    ),
    _format(
        r"(?:docker-)?compose[\w.-]*\.ya?ml",
        byline.every(rf"^\s+image:\s*[\"']?{_IMAGE}", "docker", "runtime", "compose"),
        "docker compose",
        "docker",
    ),
    _format(
        r"\.pre-commit-config\.ya?ml",
        byline.every(r"^\s*-\s+repo:\s*[\"']?(\w+://[^\s\"']+)", "git", "dev", "pre-commit"),
        "pre-commit",
    ),
    _format(
        r"pnpm-workspace\.ya?ml",
        byline.every(r"^\s+-\s+[\"']?([\w@*./-]+)[\"']?\s*$", "path", "workspace", "pnpm-workspace"),
        "pnpm",
    ),
)
# Files that hold the settings of the tool in their name, as tools agreed: `.eslintrc.json`, `vite.config.ts`, and, at a
# project's root, `wrangler.toml`, `pytest.ini`.
_SETTINGS = re.compile(r"\.(\w[\w-]*?)rc(?:\.\w+)?$|(\w[\w-]*)\.config\.\w+$")
_AT_ROOT = re.compile(r"(\w[\w-]*)\.(?:toml|ini)$")


_ANY = re.compile("|".join(format.path.pattern for format in FORMATS))  # one look for the many files that are none


def read(path: str, text: str) -> Manifest | None:
    """What a file tells as a manifest, or why it could not be read; None when it is none."""
    low = "/".join(path.lower().split("/")[-3:])
    if not _ANY.match(low):
        return _settings(path.lower())
    format = next(f for f in FORMATS if f.path.match(low))
    made = _guarded(format.read, text)
    tools = tuple(Declaration(tool, "tool", "format", 1) for tool in format.tools)
    return replace(made, declarations=(*made.declarations[:MAX_ROWS], *tools))


def _guarded(read: Reader, text: str) -> Manifest:
    name = getattr(read, "__name__", "lines")
    if len(text) > MAX_CHARS:
        return Manifest(name, problem=f"it is longer than {MAX_CHARS} characters")
    try:
        return read(text.removeprefix("\ufeff"))
    except (ValueError, SyntaxError, ArithmeticError, LookupError, RecursionError, MemoryError) as error:
        return Manifest(
            name, problem=f"{type(error).__name__}: {str(error).splitlines()[0][:160] if str(error) else ''}"
        )


def _settings(path: str) -> Manifest | None:
    name = path.rpartition("/")[2]
    found = _SETTINGS.match(name) or (_AT_ROOT.match(name) if name == path else None)
    tool = next(part for part in found.groups() if part) if found else ""
    return Manifest("settings", (Declaration(tool, "tool", "settings", 1),)) if tool else None
