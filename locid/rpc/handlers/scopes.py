"""scopes.*: the registry over the wire."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from locid.control import Task
from locid.errors import BadRequest
from locid.registry import groups
from locid.rpc.method import Method, Param
from locid.standing import Standing
from locid.values import Scope

_SCAN = (
    Param("split", "bool", default=False),
    Param("owner", "choice", default="all", choices=("mine", "all")),
    Param("dry_run", "bool", default=False),
)


def methods(standing: Standing) -> tuple[Method, ...]:
    """The methods that list and change what is registered."""
    paths = Param("roots", "list[str]", required=True, max_items=1000)
    names = (Param("aliases", "list[str]", default=[], max_items=100, max_length=200),)
    globs = (Param("globs", "list[str]", default=[], max_items=100),)
    return (
        Method("scopes.list", _list(standing), (Param("group", max_length=groups.MAX_NAME),)),
        Method("scopes.scan", _scan(standing), (paths, *_SCAN), "work"),
        Method(
            "scopes.add",
            _add(standing),
            (Param("path", required=True), Param("name", max_length=200), *names, *globs),
            "work",
        ),
        Method("scopes.remove", _remove(standing), (Param("scope", required=True),), "work"),
        Method("scopes.purge", _purge(standing), (Param("scope", required=True),), "work"),
    )


def _list(standing: Standing) -> Any:
    def list_(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        registry = standing.registry
        found = registry.scopes
        if params["group"] is not None:
            members = groups.find(registry.groups, params["group"]).members
            found = tuple(s for s in found if s.id in members)
        notes = (f"{params['group']} has no member that is registered",) if params["group"] and not found else ()
        return result(standing, found, notes)

    return list_


def _scan(standing: Standing) -> Any:
    def scan(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        for root in params["roots"]:
            _absolute(root)
        mine = params["owner"] == "mine"
        found = standing.scan(params["roots"], split=params["split"], only_mine=mine, dry_run=params["dry_run"])
        return {**result(standing, found.scopes, found.notes), "added": [s.id for s in found.added]}

    return scan


def _add(standing: Standing) -> Any:
    def add(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        _absolute(params["path"])
        found = standing.add(params["path"], params["name"], params["aliases"], params["globs"])
        return {**result(standing, found.scopes, found.notes), "added": [s.id for s in found.added]}

    return add


def _remove(standing: Standing) -> Any:
    def remove(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        scope = standing.remove(params["scope"])
        return result(standing, [scope], (f"{scope.id} is no scope any more; nothing in {scope.root} was touched",))

    return remove


def _purge(standing: Standing) -> Any:
    def purge(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        scope = standing.purge(params["scope"])
        note = f"nothing of {scope.id} is stored any more; `loci index {scope.id} --wait` reads it again"
        return result(standing, [scope], (note,))

    return purge


def result(standing: Standing, scopes: Iterable[Scope], notes: Iterable[str]) -> dict[str, Any]:
    """Scopes as the wire has them."""
    return {"scopes": [_row(standing, s) for s in scopes], "notes": list(notes)}


def _row(standing: Standing, scope: Scope) -> dict[str, Any]:
    facts = standing.facts(scope.id)
    return {
        "id": scope.id,
        "name": scope.name,
        "root": scope.root,
        "owner": scope.owner,
        "parent": scope.parent,
        "groups": [g.name for g in groups.carried(standing.registry.groups, scope.id)],
        "aliases": list(scope.aliases),
        "state": standing.state(scope)[0],
        "files": facts.files if facts else 0,
        "chunks": facts.chunks if facts else 0,
        "age_ms": int((time.time() - facts.indexed_at) * 1000) if facts else None,
    }


def _absolute(path: str) -> None:
    if not path.startswith("/"):
        raise BadRequest(f"{path} is no absolute path; a daemon has no working directory of yours")
