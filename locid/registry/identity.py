"""Names of scopes: a fresh id that takes nobody else's, aliases, and whose a path is. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from locid.values import Scope


def fresh_id(root: str, taken: Collection[str]) -> str:
    """The shortest tail of the root's path that is no other scope's id."""
    parts = [p for p in root.split("/") if p] or ["root"]
    for length in range(1, len(parts) + 1):
        candidate = "/".join(parts[-length:])
        if candidate not in taken:
            return candidate
    return next(c for n in range(2, len(taken) + 3) if (c := f"{parts[-1]}~{n}") not in taken)


def names_of(scope: Scope) -> tuple[str, ...]:
    """All that a scope answers to: its id, its directory, its remote's name, the aliases given by hand.

    The remote is the whole repository's, so a project inside one does not go by it.
    """
    names = [scope.id, scope.name, *scope.aliases]
    if scope.remote and not scope.prefix:
        names.append(remote_name(scope.remote))
    return tuple(dict.fromkeys(n for n in names if n))


def remote_name(url: str) -> str:
    """The repository's name in a remote URL; '' without one."""
    return url.rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1].removesuffix(".git")


def inside(path: str, root: str) -> bool:
    """Whether a path is a root or lies below it."""
    return path == root or path.startswith(root.rstrip("/") + "/")


def deepest(path: str, scopes: Iterable[Scope]) -> Scope | None:
    """The innermost scope that holds a path."""
    holding = [s for s in scopes if inside(path, s.root)]
    return max(holding, key=lambda s: len(s.root), default=None)


def without_inner(scopes: Sequence[Scope]) -> list[Scope]:
    """The scopes, each told which subtrees are other scopes' and so not its own."""
    roots = sorted(s.root for s in scopes)
    return [replace(s, excluded=tuple(r for r in roots if r != s.root and inside(r, s.root))) for s in scopes]
