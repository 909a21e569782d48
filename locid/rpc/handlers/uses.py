"""uses: what projects use of one another, or who uses one thing, with what was read for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from locid.control import Task
from locid.errors import NotIndexed, UnknownScope
from locid.relations.projects import Projects
from locid.rpc.handlers.answers import related_map
from locid.rpc.method import Method, Param
from locid.standing import Standing
from locid.values import Scope


def methods(standing: Standing) -> tuple[Method, ...]:
    """The one method."""

    def handler(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        standing.snapshots.loaded()
        projects = Projects(standing.registry.scopes, standing.snapshots.view.snapshots)
        if not projects.scopes:
            raise NotIndexed(
                "nothing is indexed yet; `loci setup DIR` registers and indexes what lies below a directory"
            )
        return projects.asked(lambda readable: uses(standing, readable, params["scope"]))

    return (Method("uses", handler, (Param("scope", max_length=300),)),)


def uses(standing: Standing, projects: Projects, name: str | None) -> dict[str, Any]:
    """{read, unread, relations}: of one project to and from others, of all without a name, else who uses what has it."""
    scope = _scope(standing, name) if name else None
    found = projects.users(name).relations if name and scope is None else projects.edges(scope)
    read = projects.read()
    return {
        "read": [{"scope": id, "manifests": number} for id, number in read.manifests.items()],
        "unread": [{"scope": id, "path": path or None, "reason": reason} for id, path, reason in read.unread],
        "relations": [related_map(r.told) for r in found],
    }


def _scope(standing: Standing, name: str) -> Scope | None:
    """The registered project of a name; AmbiguousName for one of several, None for what is none."""
    try:
        return standing.registry.resolve(name)
    except UnknownScope:
        return None
