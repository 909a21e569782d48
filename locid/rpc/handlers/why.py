"""why: a path -> whether it is in, the reason, the rule, and what changes it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from locid import git
from locid.collect.why import Why, globbed, why
from locid.control import Task
from locid.errors import BadRequest
from locid.rpc.method import Method, Param
from locid.standing import Standing
from locid.values import Scope

# reason -> what it means, and what to do about it; {scope}, {at} (the path or a folder above) and {rule} are filled in
REASONS = {
    "no_scope": ("no scope holds it", "loci add {at}"),
    "missing": ("nothing is there", ""),
    "unavailable": ("the root of {scope} is not there", ""),
    "ignored": ("left out by {rule}", "a line `!…` for it in .lociignore"),
    "pruned": (
        "left out: a folder of that name holds what tools made or fetched ({rule})",
        "a line `!…` in .lociignore",
    ),
    "sub_scope": ("it belongs to another scope, whose root is {at}", ""),
    "nested_repository": ("it lies in a repository of its own, {at}, which is no scope yet", "loci add {at}"),
    "symlink": ("{at} is a link, and links are not followed", ""),
    "special": ("it is no plain file", ""),
    "secret_in_name": ("its path holds a secret, which is written nowhere: give it another name", ""),
    "secret_store": ("a file of that name holds secrets and is never opened", ""),
    "data": ("it is data, not text that people read", ""),
    "binary": ("it is binary", ""),
    "too_large": ("it is larger than max_file_bytes", "loci config max_file_bytes BYTES"),
    "empty": ("it holds nothing", ""),
    "minified": ("its lines are too long to have been written by a person", ""),
    "unreadable": ("it cannot be read: check its permissions", ""),
}


def methods(standing: Standing) -> tuple[Method, ...]:
    """The one method."""

    def handler(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        if not params["path"].startswith("/"):
            raise BadRequest(f"{params['path']} is no absolute path; a daemon has no working directory of yours")
        return explain(standing, params["path"], standing.settings.load().settings.max_file_bytes)

    return (Method("why", handler, (Param("path", required=True),), "work"),)


def explain(standing: Standing, path: str, max_file_bytes: int) -> dict[str, Any]:
    """{path, scope?, included, reason?, rule?, sentence, fix?, indexed}; links above the path are followed."""
    full = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path.rstrip("/"))).rstrip("/") or "/"
    scope = standing.registry.holding(os.path.dirname(full) if os.path.islink(full) else full)
    if scope is None:
        return _globbed(standing, full, max_file_bytes) or _told(full, None, Why("no_scope"), False)
    if not os.path.isdir(scope.root):
        return _told(full, scope, Why("unavailable"), False)
    relative = os.path.relpath(full, scope.root)
    found = why(scope, "" if relative == "." else relative, max_file_bytes)
    return _told(full, scope, found, _indexed(standing, scope, relative))


def _globbed(standing: Standing, full: str, max_file_bytes: int) -> dict[str, Any] | None:
    for scope in standing.registry.scopes:
        if (found := globbed(scope, full, max_file_bytes)) is not None:
            return _told(full, scope, found, _indexed(standing, scope, full))
    return None


def _indexed(standing: Standing, scope: Scope, path: str) -> bool:
    snapshot = standing.snapshots.view.snapshots.get(scope.id)
    return snapshot is not None and bool(snapshot.stats([git.escape(path)]))


def _told(full: str, scope: Scope | None, found: Why, indexed: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"path": full, "included": found.reason is None, "indexed": indexed and found.reason is None}
    if scope is not None:
        out |= {"scope": scope.id, "root": scope.root}
    if found.rule:
        out["rule"] = found.rule
    if found.reason is None:
        return out | {"sentence": f"in, by {found.rule}" if found.rule else "in"}
    at = os.path.join(scope.root, found.at) if scope and found.at else full
    if found.reason == "no_scope":
        at = os.path.dirname(full) if os.path.isfile(full) else full
    sentence, fix = REASONS.get(found.reason.partition(":")[0], (found.reason, ""))
    words = {"scope": scope.id if scope else "", "at": at, "rule": found.rule}
    out |= {"reason": found.reason, "sentence": sentence.format(**words)}
    return out | ({"fix": fix.format(**words)} if fix else {})
