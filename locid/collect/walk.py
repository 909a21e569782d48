"""A scope's root -> the files that are in, and why each other one is not. Pruned: what is left out is never listed."""

from __future__ import annotations

import os
import stat as mode
from collections.abc import Iterator
from glob import iglob

from locid import git
from locid.collect.classes import treatment
from locid.errors import Unavailable
from locid.ignore import AMBIGUOUS, Ignore
from locid.redact import left_out
from locid.values import FileStat, Scope, Skip

MAX_FILE_BYTES = 1_000_000
_MAX_GLOBBED = 20_000  # files that one absolute glob may bring


def rules(scope: Scope) -> Ignore:
    """The one filter of a scope, for walking, watching and `loci why`. Raises Unavailable when git fails in it."""
    include = tuple(glob for glob in scope.globs if not glob.startswith("/"))
    if scope.git_dir is None or scope.common_dir is None:
        return Ignore(scope.root, include=include)
    beside = git.exclude_files(scope.root, scope.common_dir)
    return Ignore(scope.root, beside, git.tracked_against_rules(scope.root, AMBIGUOUS), include, scope.prefix)


def walk(scope: Scope, max_file_bytes: int = MAX_FILE_BYTES, ignore: Ignore | None = None) -> Iterator[FileStat | Skip]:
    """Every file of a scope that is in, and every path that is not with its reason; folders end in `/`.

    `unreadable` for a folder says that nothing is known of what it holds. Raises Unavailable when the root is.
    """
    ignore = rules(scope) if ignore is None else ignore
    try:
        first = _entries(scope.root)
    except OSError as error:
        raise Unavailable(f"{scope.root} cannot be read: {error.strerror}") from None
    seen = _Walk(scope, max_file_bytes, ignore)
    yield from seen.tree(first)
    yield from seen.globs()


def stat_file(scope: Scope, ignore: Ignore, path: str, max_file_bytes: int = MAX_FILE_BYTES) -> FileStat | Skip | None:
    """What the walk would say of one relative path (as `os` has it); None when nothing is there."""
    full = os.path.join(scope.root, path)
    try:
        info = os.lstat(full)
    except OSError:
        return None
    reason = _outside(scope, path) or ignore.reason(path)
    return Skip(git.escape(path), reason) if reason else _judge(git.escape(path), info, max_file_bytes)


def _outside(scope: Scope, path: str) -> str | None:
    """Why a path belongs to another scope or repository, or None."""
    folder = scope.root
    for part in path.split("/")[:-1]:
        folder = os.path.join(folder, part)
        if reason := foreign(scope, folder):
            return reason
    return None


def foreign(scope: Scope, folder: str) -> str | None:
    """Why a folder (absolute) below the root is another scope's or repository's, or None."""
    if folder in scope.excluded:
        return "sub_scope"
    if os.path.islink(folder):
        return "symlink"
    return "nested_repository" if os.path.lexists(os.path.join(folder, ".git")) else None


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _judge(path: str, info: os.stat_result, max_file_bytes: int) -> FileStat | Skip:
    """A file by its name, kind and size; its content is looked at later."""
    if mode.S_ISLNK(info.st_mode):
        return Skip(path, "symlink")
    if not mode.S_ISREG(info.st_mode):
        return Skip(path, "special")
    if reason := left_out(path):
        return Skip(path, reason)
    how = treatment(path)
    if how in ("data", "binary"):
        return Skip(path, how)
    if info.st_size > max_file_bytes:
        return Skip(path, "too_large")
    return FileStat(path, info.st_size, info.st_mtime_ns)


class _Walk:
    """One walk; `tree` yields what lies below the root, `globs` what absolute globs add."""

    def __init__(self, scope: Scope, max_file_bytes: int, ignore: Ignore) -> None:
        self.scope = scope
        self.limit = max_file_bytes
        self.ignore = ignore

    def tree(self, entries: list[os.DirEntry[str]]) -> Iterator[FileStat | Skip]:
        """Depth first, by name; folders wait in a list, so that depth is no limit."""
        waiting: list[str] = []
        yield from self._folder("", entries, waiting)
        while waiting:
            folder = waiting.pop()
            try:
                found = _entries(os.path.join(self.scope.root, folder))
            except OSError:
                yield Skip(git.escape(folder) + "/", "unreadable")
                continue
            yield from self._folder(folder + "/", found, waiting)

    def _folder(self, base: str, entries: list[os.DirEntry[str]], waiting: list[str]) -> Iterator[FileStat | Skip]:
        below: list[str] = []
        for entry in entries:
            path = base + entry.name
            if entry.is_dir(follow_symlinks=False):
                skip = self._enter(path)
                if skip is None:
                    below.append(path)
                else:
                    yield skip
            elif path != ".git":
                yield self._file(path, entry)
        waiting.extend(reversed(below))

    def _enter(self, path: str) -> Skip | None:
        """None for a folder to walk, else why not."""
        verdict = self.ignore.verdict(path, True)
        if verdict.reason and not verdict.walk:
            return Skip(git.escape(path) + "/", verdict.reason or "ignored")
        reason = foreign(self.scope, os.path.join(self.scope.root, path))
        return Skip(git.escape(path) + "/", reason) if reason else None

    def _file(self, path: str, entry: os.DirEntry[str]) -> FileStat | Skip:
        if reason := self.ignore.reason(path):
            return Skip(git.escape(path), reason)
        try:
            info = entry.stat(follow_symlinks=False)
        except OSError:
            return Skip(git.escape(path), "unreadable")
        return _judge(git.escape(path), info, self.limit)

    def globs(self) -> Iterator[FileStat | Skip]:
        """Files that absolute globs name, with absolute paths."""
        seen: set[str] = set()
        for pattern in self.scope.globs:
            if pattern.startswith("/"):
                yield from self._glob(pattern, seen)

    def _glob(self, pattern: str, seen: set[str]) -> Iterator[FileStat | Skip]:
        for full in iglob(pattern, recursive=True):
            full = os.path.normpath(full)
            if full in seen or full.startswith(self.scope.root + "/") or os.path.isdir(full):
                continue
            seen.add(full)
            if len(seen) > _MAX_GLOBBED:
                yield Skip(pattern, "too_many")
                return
            try:
                yield _judge(git.escape(full), os.lstat(full), self.limit)
            except OSError:
                yield Skip(git.escape(full), "unreadable")
