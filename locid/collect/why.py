"""Why a path of a scope is in or out: what the walk and the reader of files would say of it, with the rule."""

from __future__ import annotations

import os
from dataclasses import dataclass
from glob import iglob

from locid import git
from locid.collect.files import parse_file
from locid.collect.walk import MAX_FILE_BYTES, foreign, rules, stat_file
from locid.values import FileStat, Scope, Skip


@dataclass(frozen=True, slots=True)
class Why:
    """`reason` is None for what is in; `rule` is the line or the folder's name that decided, after its file."""

    reason: str | None
    rule: str = ""
    at: str = ""  # the folder above that the reason is about, relative; '' when it is the path itself


def why(scope: Scope, path: str, max_file_bytes: int = MAX_FILE_BYTES) -> Why:
    """Of a path relative to the scope's root, as `os` has it. Raises Unavailable when git fails in the scope."""
    full = os.path.join(scope.root, path)
    if not os.path.lexists(full):
        return Why("missing")
    above = path.split("/")[:-1]
    for depth in range(1, len(above) + 1):
        folder = "/".join(above[:depth])
        if reason := foreign(scope, os.path.join(scope.root, folder)):
            return Why(reason, at=folder)
    is_folder = os.path.isdir(full) and not os.path.islink(full)
    ignore = rules(scope)
    verdict = ignore.verdict(path, is_folder)
    if verdict.reason and not (is_folder and verdict.walk):
        return Why(verdict.reason, verdict.rule)
    if is_folder:
        return Why(foreign(scope, full) if path else None)
    found = stat_file(scope, ignore, path, max_file_bytes)
    return Why(_content(scope, found, max_file_bytes))


def _content(scope: Scope, found: FileStat | Skip | None, max_file_bytes: int) -> str | None:
    if found is None:
        return "missing"
    if isinstance(found, Skip):
        return found.reason
    return parse_file(scope.root, found, max_file_bytes).skip


def globbed(scope: Scope, full: str, max_file_bytes: int = MAX_FILE_BYTES) -> Why | None:
    """Of an absolute path that an absolute glob of the scope brings in; None when none does."""
    for pattern in scope.globs:
        if pattern.startswith("/") and any(os.path.normpath(p) == full for p in iglob(pattern, recursive=True)):
            info = os.lstat(full)
            stat = FileStat(git.escape(full), info.st_size, info.st_mtime_ns)
            return Why(parse_file(scope.root, stat, max_file_bytes).skip, f"glob {pattern}")
    return None
