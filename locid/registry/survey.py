"""What lies below directories: a scope without an id for each repository and each project inside one, and whose it is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from locid import git
from locid.errors import Unavailable
from locid.registry import discover, provenance, subprojects
from locid.registry.provenance import Evidence
from locid.values import Scope


@dataclass(frozen=True, slots=True)
class Sight:
    """A project that was found; `above` is the root of the project that it was found in by name, not by git."""

    scope: Scope  # its id is empty
    above: str | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """All that was found, outer projects before inner ones, and what to tell of it."""

    sights: tuple[Sight, ...]
    notes: tuple[str, ...]
    evidence: Mapping[str, Evidence]  # what git says of each repository, by its common directory


def below(
    directories: Sequence[str],
    known: Mapping[str, Evidence],
    *,
    split: bool = False,
    only_mine: bool = False,
) -> Survey:
    """Every project at or below the directories; with `split` also packages one level down in a repository.

    `known` is the evidence on what is registered: alone, a repository cannot show which organisation is the user's.
    """
    repos: dict[str, git.Repo] = {}
    unread: list[str] = []
    odd: list[str] = []
    for directory in directories:
        for repo in discover.repositories(directory, unread):
            if encodable(repo.root):
                repos[repo.root] = repo
            else:
                odd.append(repo.root)
    evidence = {repo.common_dir: provenance.read(repo, known.get(repo.common_dir)) for repo in repos.values()}
    owners = provenance.owners({**known, **evidence})
    sights: dict[str, Sight] = {}
    notes = [f"{folder} cannot be read; what lies in it was not looked at" for folder in unread]
    notes += [f"{root!a} is left out: its name is not UTF-8" for root in odd]
    for root, repo in repos.items():
        owner = owners[repo.common_dir]
        if only_mine and owner != provenance.ME:
            continue
        for sight in _project(replace(scope_at(root, repo), owner=owner), split, notes):
            if sight.above is None or sight.scope.root not in repos:
                sights.setdefault(sight.scope.root, sight)
    return Survey(tuple(sights.values()), (*(() if odd else _nothing(repos, directories)), *notes), evidence)


def one(root: str, known: Mapping[str, Evidence]) -> Survey:
    """A directory, git or not, and the projects that its `.loci.json` names; `known` as in `below`."""
    repo = git.discover(root)
    evidence = {} if repo is None else {repo.common_dir: provenance.read(repo, known.get(repo.common_dir))}
    owner = None if repo is None else provenance.owners({**known, **evidence})[repo.common_dir]
    notes: list[str] = []
    sights = list(_project(replace(scope_at(root, repo), owner=owner), False, notes))
    return Survey(tuple(sights), tuple(notes), evidence)


def scope_at(root: str, repo: git.Repo | None) -> Scope:
    """The scope of a directory, without an id; `repo` is the innermost work tree that holds it."""
    if repo is None:
        return Scope(id="", root=root)
    prefix = os.path.relpath(root, repo.root) if root != repo.root else ""
    return Scope(id="", root=root, git_dir=repo.git_dir, common_dir=repo.common_dir, remote=repo.remote, prefix=prefix)


def _project(scope: Scope, split: bool, notes: list[str]) -> Iterator[Sight]:
    """A project, then those inside it: declared ones first, for they may lie anywhere."""
    yield Sight(scope)
    found = subprojects.declared(scope.root)
    notes += [f"{scope.root}/{problem}" for problem in found.problems]
    roots = [*found.roots]
    if split and not scope.prefix:
        roots += subprojects.split(scope.root, _exclude_files(scope))
    for root in filter(encodable, dict.fromkeys(roots)):
        inner = scope_at(root, git.discover(root))
        yield Sight(replace(inner, owner=scope.owner, declared=root in found.roots), scope.root)


def encodable(text: str) -> bool:
    """Whether a path is UTF-8: it stands in answers, which are."""
    return not any("\ud800" <= c <= "\udfff" for c in text)


def _exclude_files(scope: Scope) -> tuple[str, ...]:
    try:
        return git.exclude_files(scope.root, scope.common_dir) if scope.common_dir else ()
    except Unavailable:  # without git a package is taken that the user's own rules would leave out
        return ()


def _nothing(repos: dict[str, git.Repo], directories: Sequence[str]) -> tuple[str, ...]:
    if repos:
        return ()
    return (f"no git repository below {', '.join(directories)}; `loci add PATH` takes any directory",)


def sub_id(parent: str, root: str, above: str) -> str:
    """The id of a project inside another: the parent's id and the path below it."""
    return f"{parent}/{os.path.relpath(root, above)}"
