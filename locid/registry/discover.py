"""Repositories below a directory: a walk that enters neither pruned folders nor git's own."""

from __future__ import annotations

import os
from collections.abc import Iterator

from locid import git, ignore


def repositories(directory: str, unread: list[str] | None = None) -> Iterator[git.Repo]:
    """Every repository at or below a directory, outer ones before inner ones, in a stable order.

    Work trees, submodules and nested clones are repositories of their own. Folders that cannot be read go to `unread`.
    """
    pending = [directory]
    while pending:
        folder = pending.pop()
        entries = _folders(folder, [] if unread is None else unread)
        if os.path.lexists(os.path.join(folder, ".git")):
            repo = git.discover(folder)
            if repo is not None and repo.root == os.path.realpath(folder):
                yield repo
        pending += reversed([os.path.join(folder, name) for name in entries])


def _folders(folder: str, unread: list[str]) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return sorted(e.name for e in found if e.is_dir(follow_symlinks=False) and e.name not in ignore.PRUNED)
    except OSError:  # nothing of it can be registered, and that is said
        unread.append(folder)
        return []
