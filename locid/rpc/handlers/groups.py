"""groups.*: labels over scopes and what they do to a question, over the wire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from locid.control import Task
from locid.registry.groups import MAX_NAME, MODES, Group
from locid.registry.store import Registry
from locid.rpc.method import Handler, Method, Param
from locid.standing import Standing


def methods(standing: Standing) -> tuple[Method, ...]:
    """The methods that list and change groups."""
    registry = standing.registry
    name = Param("group", required=True, max_length=MAX_NAME)
    members = (name, Param("scopes", "list[str]", required=True, max_items=1000))
    mode = Param("mode", "choice", required=True, choices=MODES)
    return (
        Method("groups.list", lambda params, task: result(registry, registry.groups)),
        Method("groups.set", _set(registry), (Param("group", max_length=MAX_NAME), mode), "work"),
        Method("groups.add", _add(registry), members, "work"),
        Method("groups.remove", _remove(registry), members, "work"),
        Method("groups.infer", _infer(registry), (Param("dry_run", "bool", default=False),), "work"),
    )


def _set(registry: Registry) -> Handler:
    def set_(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        group = registry.set_mode(params["group"], params["mode"])
        return result(registry, [group] if group else registry.groups)

    return set_


def _add(registry: Registry) -> Handler:
    def add(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        return result(registry, [registry.group_add(params["group"], params["scopes"])])

    return add


def _remove(registry: Registry) -> Handler:
    def remove(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        left = registry.group_remove(params["group"], params["scopes"])
        notes = () if left else (f"{params['group']} has no member any more, and is no group",)
        return result(registry, [left] if left else [], notes)

    return remove


def _infer(registry: Registry) -> Handler:
    def infer(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        changed = registry.infer(dry_run=params["dry_run"])
        rows = [{"id": s.id, "root": s.root, "was": s.owner, "owner": owner} for s, owner in changed]
        return {**result(registry, registry.groups), "changed": rows}

    return infer


def result(registry: Registry, groups: Iterable[Group], notes: Iterable[str] = ()) -> dict[str, Any]:
    """Groups as the wire has them."""
    return {"groups": [_row(g) for g in groups], "default": registry.default_mode, "notes": list(notes)}


def _row(group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "mode": group.mode,
        "chosen": group.chosen,
        "origin": group.origin,
        "members": list(group.members),
        "gone": list(group.gone),
    }
