"""Which paths of a tree are in: the owner of pathspec, of the pruned folders, and of `.gitignore` and `.lociignore`.

Rules, nearest file first, the last matching line of a file deciding: `.lociignore`, then the pruned folders, then
`.gitignore`, then `.git/info/exclude`, then the user's own file that git names. As in git, nothing below an ignored
folder comes back by a line of `.gitignore`. A `!` line of `.lociignore` brings back what the others leave out: a folder
with all that no other line excludes, and, when it names a path below a pruned or ignored folder (`!node_modules/mine/**`),
the way to it is walked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

GIT_RULES = ".gitignore"
LOCI_RULES = ".lociignore"
RULE_FILES = (GIT_RULES, LOCI_RULES)

# Folders that hold what a tool made or fetched; `vendor` is read, since people keep their own changes there.
PRUNED = frozenset(
    """
    .git .hg .svn .bzr _darcs .jj CVS node_modules bower_components jspm_packages .yarn .pnpm-store .npm .venv venv
    virtualenv site-packages __pycache__ .eggs .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis
    .import_linter_cache .ipynb_checkpoints .cache .parcel-cache .turbo .nx .next .nuxt .svelte-kit .astro .angular
    .docusaurus .vercel .netlify .serverless .terraform .gradle .m2 .bundle .dart_tool .pub-cache .stack-work
    dist-newstyle .cabal-sandbox _build elm-stuff .elixir_ls .bloop .metals .ccls-cache .clangd Pods Carthage
    DerivedData .build xcuserdata dist build target _site htmlcov .nyc_output coverage-html .idea .vs .fleet
    graphify-out .loci .Trash .Spotlight-V100 lost+found
    """.split()  # noqa: SIM905
)
# Projects keep sources under these names now and then: what git tracks there is read (`tracked` of Ignore).
AMBIGUOUS = ("build", "target", "_build", ".build")

_MAX_RULE_BYTES = 1 << 20
_MAX_STARS = 6  # in one part of a path: each more multiplies the time that a pattern can take
_WILD = re.compile(r"[*?\[\\]")


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a rule file: what it matches, whether it takes in or leaves out, and where it stands."""

    match: re.Pattern[str]
    exclude: bool
    text: str

    def hits(self, path: str) -> bool:
        """True when the line names this very path (folders end in `/`), not only a folder above it."""
        if "ps_d" not in self.match.groupindex:  # `folder/**`: all below, not the folder
            return self.match.search(path.removesuffix("/")) is not None
        if not self.match.pattern.startswith("^"):  # `*/`: any folder
            return path.endswith("/")
        found = self.match.match(path)
        return found is not None and (found["ps_d"] is None or found.end("ps_d") == len(path))


@dataclass(frozen=True, slots=True)
class _Rules:
    """One rule file: its folder with a trailing `/` ('' at the root), where it stands, and its lines, last first."""

    base: str
    source: str
    lines: tuple[_Line, ...]

    def decide(self, path: str) -> _Line | None:
        """The line that decides for a path relative to the root, or None."""
        below = path[len(self.base) :]
        for line in self.lines:
            if line.hits(below):
                return line
        return None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of one path."""

    reason: str | None  # None when it is in, else `ignored` or `pruned`
    rule: str = ""  # the file and line, or the folder, that decided
    walk: bool = True  # for a folder: something below it may be in


@dataclass(frozen=True, slots=True)
class _Folder:
    """What holds for the entries of one folder."""

    verdict: Verdict
    git: tuple[_Rules, ...]  # nearest first
    loci: tuple[_Rules, ...]


_IN = Verdict(None)


@dataclass(slots=True)
class Ignore:
    """The rules of one tree. Rule files are read once, as their folders are met; make a new one when one changed.

    `tracked` are paths that git keeps although a `.gitignore` or the table leaves them out; they are in, and so is the
    way to them.
    """

    root: str
    exclude_files: tuple[str, ...] = ()  # beside the tree, the one that counts more first: see git.exclude_files
    tracked: frozenset[str] = frozenset()
    include: tuple[str, ...] = ()  # globs relative to the root that bring paths back, as `!` lines would
    prefix: str = ""  # the root's path below its work tree, whose rule files hold here too
    _folders: dict[str, _Folder] = field(default_factory=dict)
    _ways: set[str] = field(default_factory=set)  # folders that lead to a path that comes back, and are left out

    def __post_init__(self) -> None:
        self.tracked = frozenset(map(self._full, self.tracked))
        for path in self.tracked:
            self._ways.update(_above(path))
        git = tuple(rules for path in self.exclude_files if (rules := _read(path, "", _shown(path), os.O_RDONLY)))
        lines = tuple(_lines(f"!/{self._full(glob.lstrip('/'))}" for glob in self.include))
        own = _Rules("", "globs of the scope", lines[::-1])
        self._ways.update(way for line in lines for way in _ways(line.text))
        self.root = self.root.removesuffix("/" + self.prefix) if self.prefix else self.root
        folder = self._folders[""] = self._enter("", _IN, git, (own,) if lines else ())
        for path in (*_above(self.prefix), self.prefix) if self.prefix else ():  # the root is in, whatever they say
            folder = self._folders[path] = self._enter(path, _IN, folder.git, folder.loci)

    def _full(self, path: str) -> str:
        return f"{self.prefix}/{path}" if self.prefix else path

    def reason(self, path: str, is_dir: bool = False) -> str | None:
        """None when the path (relative, `/`-separated, as `os` has it) is in; else `ignored` or `pruned`."""
        return self.verdict(path, is_dir).reason

    def verdict(self, path: str, is_dir: bool = False) -> Verdict:
        """Whether the path is in, the rule that decided, and whether a folder is worth entering."""
        if not path:
            return _IN
        path = self._full(path)
        if is_dir:
            return self._folder(path).verdict
        parent = self._folder(path.rpartition("/")[0])
        return self._decide(path, path, parent, False)

    def _folder(self, path: str) -> _Folder:
        known = self._folders.get(path)
        if known is None:
            parent = self._folder(path.rpartition("/")[0])
            verdict = self._decide(path, path + "/", parent, True)
            known = self._folders[path] = self._enter(path, verdict, parent.git, parent.loci)
        return known

    def _decide(self, path: str, shown: str, parent: _Folder, is_dir: bool) -> Verdict:
        """By the first rule file that has a word to say; else what holds for the folder above."""
        if line := _first(parent.loci, shown):
            return self._left_out("ignored", line, path) if line[1].exclude else _IN
        if parent.verdict.reason:
            if path in self.tracked:
                return _IN
            return Verdict(parent.verdict.reason, parent.verdict.rule, path in self._ways)
        if is_dir and (name := path.rpartition("/")[2]) in PRUNED:
            return Verdict("pruned", f"folder {name}", path in self._ways)
        line = _first(parent.git, shown)
        if line is None or not line[1].exclude or path in self.tracked:
            return _IN
        return self._left_out("ignored", line, path)

    def _left_out(self, reason: str, line: tuple[_Rules, _Line], path: str) -> Verdict:
        return Verdict(reason, f"{line[0].source}: {line[1].text}", path in self._ways)

    def _enter(self, path: str, verdict: Verdict, git: tuple[_Rules, ...], loci: tuple[_Rules, ...]) -> _Folder:
        """The rules that hold in a folder: its own files before those above."""
        base = path + "/" if path else ""
        if verdict.reason and not verdict.walk:
            return _Folder(verdict, git, loci)
        if own := _read(os.path.join(self.root, base + LOCI_RULES), base, base + LOCI_RULES):
            loci = (own, *loci)
            self._ways.update(base + way for line in own.lines if not line.exclude for way in _ways(line.text))
        if not verdict.reason and (own := _read(os.path.join(self.root, base + GIT_RULES), base, base + GIT_RULES)):
            git = (own, *git)
        return _Folder(verdict, git, loci)


def _first(rules: tuple[_Rules, ...], path: str) -> tuple[_Rules, _Line] | None:
    """The nearest file and its line that decide."""
    for file in rules:
        if line := file.decide(path):
            return file, line
    return None


def _shown(path: str) -> str:
    """How a rule file outside of the tree is called."""
    inside = os.path.join("info", "exclude")
    return os.path.join(".git", inside) if path.endswith(os.sep + inside) else path


def _read(path: str, base: str, source: str, how: int = os.O_RDONLY | os.O_NOFOLLOW) -> _Rules | None:
    """The rule file, or None when it is absent, unreadable, empty or no plain file.

    In a tree a link is none, as in git; the user's own file may be one.
    """
    try:
        fd = os.open(path, how | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        text = os.fsdecode(os.read(fd, _MAX_RULE_BYTES))
    except OSError:  # a folder of that name
        return None
    finally:
        os.close(fd)
    lines = tuple(_lines(text.removeprefix("\ufeff").split("\n")))
    return _Rules(base, source, lines[::-1]) if lines else None


def _lines(texts: Iterable[str]) -> Iterable[_Line]:
    """Lines that say something; one that no pattern can be made of says nothing, as in git."""
    for text in texts:
        text = text.removesuffix("\r")
        if max(part.count("*") for part in text.split("/")) > _MAX_STARS:
            continue
        try:
            pattern = GitIgnoreSpecPattern(text)
        except ValueError:
            continue
        if pattern.include is not None and pattern.regex is not None:
            yield _Line(pattern.regex, pattern.include, text.strip())


def _above(path: str) -> list[str]:
    """The folders above a path, nearest last."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: i + 1]) for i in range(len(parts))]


def _ways(text: str) -> list[str]:
    """The folders that a `!` line leads through, up to its first wildcard; none for a line without a folder."""
    parts = text.removeprefix("!").strip("/").split("/")
    plain = []
    for part in parts[:-1]:
        if _WILD.search(part):
            break
        plain.append(part)
    return ["/".join(plain[: i + 1]) for i in range(len(plain))]
