"""What registry.db keeps for groups: who was put where by hand, modes, and what git said of each repository.

A scan writes the last of the three only, so it can take away neither a member nor a mode. Every call is made under the
registry's lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from locid import db
from locid.registry.groups import Mode, Policy, Said
from locid.registry.provenance import Evidence

TABLES = """
    create table members (grp text not null, scope text not null, held integer not null,
        primary key (grp, scope)) without rowid;
    create table modes (grp text primary key, mode text not null) without rowid;
    create table provenance (repository text primary key, organisation text not null, commits integer not null,
        mine integer not null, known integer not null) without rowid
    """
DEFAULT = ""  # the row of the default mode: no group has an empty name


def said(connection: db.Connection) -> Said:
    """Members and those who are none, by hand; also of scopes that are gone, who may come back."""
    return {(group, scope): bool(held) for group, scope, held in connection.execute("select * from members")}


def policy(connection: db.Connection) -> Policy:
    """The modes that were set."""
    modes = cast(dict[str, Mode], dict(connection.execute("select grp, mode from modes").fetchall()))
    default = modes.pop(DEFAULT, None)
    return Policy(default, modes) if default else Policy(modes=modes)


def say(connection: db.Connection, group: str, scopes: Iterable[str], held: bool) -> None:
    """Writes that scopes are, or are not, in a group."""
    rows = [(group, scope, held) for scope in scopes]
    connection.executemany("insert or replace into members values (?, ?, ?)", rows)


def unsay(connection: db.Connection, group: str, scopes: Iterable[str]) -> None:
    """Forgets what was said of scopes and a group."""
    connection.executemany("delete from members where grp = ? and scope = ?", [(group, s) for s in scopes])


def set_mode(connection: db.Connection, group: str, mode: Mode | None) -> None:
    """Sets the mode of a group, or the DEFAULT; None takes it back."""
    if mode is None:
        connection.execute("delete from modes where grp = ?", (group,))
    else:
        connection.execute("insert or replace into modes values (?, ?)", (group, mode))


def evidence(connection: db.Connection) -> dict[str, Evidence]:
    """What git said of each repository, by its common directory."""
    rows = connection.execute("select repository, organisation, commits, mine, known from provenance")
    return {repo: Evidence(org, commits, mine, bool(known)) for repo, org, commits, mine, known in rows}


def keep_evidence(connection: db.Connection, found: Mapping[str, Evidence]) -> None:
    """Writes what git says now, and forgets repositories of which nothing is registered any more."""
    rows = [(repo, e.organisation, e.commits, e.mine, e.known) for repo, e in found.items()]
    connection.executemany("insert or replace into provenance values (?, ?, ?, ?, ?)", rows)
    connection.execute(
        "delete from provenance where repository not in (select common_dir from scopes where common_dir is not null)"
    )
