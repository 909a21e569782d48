"""Which projects provide a name, and under which names each can be reached."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from locid.manifest import key, repository
from locid.registry import identity
from locid.relations.imports import BY_LANGUAGE, stems
from locid.usage import Board
from locid.values import Scope


@dataclass(frozen=True, slots=True)
class Provider:
    """A project with the names of it that are meant."""

    scope: Scope
    boards: tuple[Board, ...]
    by_name: bool  # the project itself is meant, not one thing in it


def is_named(scope: Scope, name: str) -> bool:
    """Whether a name is one of the scope's own, or the owner and name of its remote."""
    wanted = key(name)
    remote = key(repository(scope.remote or "")) if scope.remote and not scope.prefix else ""
    return wanted in {key(n) for n in identity.names_of(scope)} or bool(
        remote and "/" in wanted and f"/{remote}".endswith(f"/{wanted}")
    )


def narrowed(boards: Sequence[Board], wanted: str) -> tuple[Board, ...]:
    """The signboards of what goes by a key: those of its own distribution when the project has several.

    Who asks for one module of several asks for no other.
    """
    meant = [b for b in boards if b.key == wanted]
    homes = {_folder(b.path) for b in boards if b.board == "distribution"}
    bases = {_home(_folder(b.path), homes) for b in meant}
    near = [b for b in boards if _home(_folder(b.path), homes) in bases]
    if all(b.board == "import" for b in meant):
        near = [b for b in near if b.board != "import" or b.key == wanted]
    return tuple(near)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _home(folder: str, homes: set[str]) -> str:
    """The nearest folder with a distribution of its own, at or above a folder; the folder itself without one."""
    at = folder
    while True:
        if at in homes:
            return at
        if not at:
            return folder if not homes else ""
        at = _folder(at)


@dataclass(slots=True)
class Directory:
    """All names of all projects, for finding what a declaration, an import or a command leads to."""

    distributions: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    names: set[str] = field(default_factory=set)  # of distributions
    imports: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    stems: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # of what may be imported
    commands: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    remotes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    scopes: dict[str, Scope] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    own: dict[str, set[tuple[str, str]]] = field(default_factory=dict)  # by project: what boards say, and its key

    def enter(self, scope: Scope, boards: Sequence[Board]) -> None:
        """Adds a project."""
        self.scopes[scope.id] = scope
        self.roots[scope.root] = scope.id
        self.own[scope.id] = {(b.board, b.key) for b in boards}
        if scope.remote and not scope.prefix and (place := repository(scope.remote)):
            self.remotes[place].add(scope.id)
        for board in boards:
            if board.board == "command":
                self.commands[board.key].add(scope.id)
                continue
            if board.board == "distribution":
                self.distributions[board.ecosystem, board.key].add(scope.id)
                self.names.add(board.key)
            if board.importable:
                self.imports[board.ecosystem, board.key].add(scope.id)
                for stem in stems(board.name):
                    self.stems[stem].add(scope.id)

    def has_distribution(self, name: str) -> bool:
        """Whether some project may go by a key, or by what it begins with: a Go module's packages have its path."""
        return name in self.names or (name.count("/") > 1 and any(part in self.names for part in _beginnings(name)))

    def of_distribution(self, ecosystem: str, name: str) -> set[str]:
        """The projects whose distribution a key names."""
        found = self.distributions.get((ecosystem, name))
        if found or ecosystem != "go":
            return found or set()
        tries = (self.distributions.get((ecosystem, part)) for part in _beginnings(name))
        return next((ids for ids in tries if ids), set())

    def of_module(self, name: str, language: str) -> set[str]:
        """The projects that provide what a source imports under a name."""
        spelling = BY_LANGUAGE.get(language)
        return self.imports.get((spelling.ecosystem, key(name)), set()) if spelling else set()

    def provided(self, modules: Iterable[str], scope: Scope) -> list[str]:
        """The modules that another project may provide: cheap, and never one too few."""
        foreign = {stem for stem, ids in self.stems.items() if ids != {scope.id}}
        return [module for module in modules if not foreign.isdisjoint(stems(module))]

    def of_folder(self, path: str) -> set[str]:
        """The innermost project that holds a folder."""
        while path and path not in self.roots:
            path = _folder(path)
        return {self.roots[path]} if path else set()

    def others(self, ids: Iterable[str], scope: Scope) -> list[Scope]:
        """Those of the projects that are not this one, nor another work tree of it; one of several work trees."""
        kept: dict[tuple[str, str], Scope] = {}
        for id in sorted(ids):
            other = self.scopes[id]
            if _repository(other) != _repository(scope):
                before = kept.setdefault(_repository(other), other)
                if _is_main(other) and not _is_main(before):
                    kept[_repository(other)] = other
        return list(kept.values())


def _beginnings(name: str) -> list[str]:
    """What a key with several parts begins with, longest first; two parts at the least."""
    parts = name.split("/")
    return ["/".join(parts[:n]) for n in range(len(parts) - 1, 1, -1)]


def _repository(scope: Scope) -> tuple[str, str]:
    """What work trees of one repository share."""
    return (scope.common_dir or scope.root, scope.prefix)


def _is_main(scope: Scope) -> bool:
    return scope.git_dir == scope.common_dir
