"""Groups: what git, the filesystem and their owner say, and what no scan takes away."""

import json
import os
import sqlite3

import pytest

from locid.errors import BadRequest, Conflict, UnknownGroup, UnknownScope
from locid.layout import Layout
from locid.registry import groups
from locid.registry.groups import Policy
from locid.registry.store import MIGRATIONS, Registry
from locid.values import Scope


@pytest.fixture
def registry(tmp_path):
    made = Registry(Layout(str(tmp_path / "home")))
    yield made
    made.close()


def labels(registry):
    """The groups of each scope."""
    return {s.id: [g.name for g in groups.carried(registry.groups, s.id)] for s in registry.scopes}


def test_labels_overlap_over_a_flat_set():
    """A project of a monorepo carries its owner's label, the monorepo's and a customer's, who has another repository."""
    inner = {"git_dir": "/d/.git", "owner": "me", "parent": "delroy"}
    scopes = [
        Scope("delroy", "/d", git_dir="/d/.git", owner="me", excluded=("/d/client", "/d/glasses")),
        Scope("delroy/client", "/d/client", prefix="client", **inner),
        Scope("delroy/glasses", "/d/glasses", prefix="glasses", **inner),
        Scope("acme-api", "/acme", owner="me"),
        Scope("vendorlib", "/v", owner="vendor:someorg"),
        Scope("notes", "/n"),
    ]
    said = {("client:acme", "delroy/client"): True, ("client:acme", "acme-api"): True, ("me", "acme-api"): False}
    found = groups.of(scopes, said, Policy(modes={"client:acme": "hard"}))
    assert [(g.name, g.mode, g.origin, g.members) for g in found] == [
        ("me", "soft", "git", ("delroy", "delroy/client", "delroy/glasses")),
        ("vendor:someorg", "soft", "git", ("vendorlib",)),
        ("delroy", "soft", "containment", ("delroy", "delroy/client", "delroy/glasses")),
        ("client:acme", "hard", "hand", ("acme-api", "delroy/client")),
    ]
    assert [g.name for g in groups.carried(found, "delroy/client")] == ["me", "delroy", "client:acme"]


def test_the_default_mode_is_that_of_all_others():
    """Soft until it is set; a group of its own mode keeps it."""
    scopes = [Scope("a", "/a", owner="me"), Scope("b", "/b", owner="vendor:x")]
    modes = {g.name: (g.mode, g.chosen) for g in groups.of(scopes, {}, Policy("hard", {"me": "explicit"}))}
    assert modes == {"me": ("explicit", True), "vendor:x": ("hard", False)}


def test_names_are_found_in_any_case_and_unknown_ones_name_those_there_are():
    """Two that differ in case only are told apart by it."""
    scopes = [Scope("a", "/a", owner="me")]
    found = groups.of(scopes, {("Team", "a"): True, ("TEAM", "a"): True, ("Other", "a"): True}, Policy())
    assert groups.find(found, "OTHER").name == "Other" and groups.find(found, "Team").name == "Team"
    for name in ("team", "nobody"):
        with pytest.raises(UnknownGroup, match="there are: me, Other, TEAM, Team") as error:
            groups.find(found, name)
        assert error.value.detail == {"groups": ["me", "Other", "TEAM", "Team"]}
    with pytest.raises(UnknownGroup, match="there are none; `loci group add SCOPE NAME`"):
        groups.find((), "x")


@pytest.fixture
def street(registry, repository):
    """Three repositories, two of them in `team` by hand."""
    for name in ("alpha", "beta", "vend"):
        repository(name).commit("one")
    top = repository("alpha").root.rpartition("/")[0]
    registry.scan([top])
    registry.group_add("team", ["alpha", "beta"])
    registry.set_mode("team", "hard")
    registry.set_mode(None, "explicit")
    return top


def said(registry):
    return {g.name: (g.mode, g.members, g.gone) for g in registry.groups if g.origin == "hand"}


def test_membership_and_mode_survive_rescan_restart_and_absence(registry, street, tmp_path):
    """A scan, --split, infer and a new daemon take nothing away; a scope that was removed comes back as a member."""
    wanted = {"team": ("hard", ("alpha", "beta"), ())}
    registry.scan([street], split=True)
    registry.infer()
    assert said(registry) == wanted and registry.default_mode == "explicit"
    again = Registry(Layout(str(tmp_path / "home")))
    assert said(again) == wanted and again.default_mode == "explicit"
    again.close()
    registry.remove("beta")
    assert said(registry) == {"team": ("hard", ("alpha",), ("beta",))}
    registry.scan([street])
    assert said(registry) == wanted


def test_a_group_that_is_emptied_by_hand_is_gone_with_its_mode(registry, street):
    """Also by taking out a member that is no scope any more; nobody else's is touched."""
    registry.remove("beta")
    assert registry.group_remove("team", ["beta"]).gone == ()
    assert registry.group_remove("TEAM", ["alpha"]) is None
    assert said(registry) == {}
    assert registry.group_add("team", ["vend"]).mode == "explicit"


def test_bad_input_changes_nothing(registry, street):
    """One sentence each, and all scopes of a call or none."""
    before = registry.groups
    calls = [
        (UnknownScope, lambda: registry.group_add("team", ["vend", "none"])),
        (UnknownScope, lambda: registry.group_remove("team", ["alpha", "none"])),
        (Conflict, lambda: registry.group_remove("team", ["alpha", "vend"])),
        (UnknownGroup, lambda: registry.group_remove("none", ["alpha"])),
        (UnknownGroup, lambda: registry.set_mode("none", "hard")),
        *(
            (BadRequest, lambda name=name: registry.group_add(name, ["vend"]))
            for name in ("", " x", "-x", "a\nb", "x" * 201)
        ),
    ]
    for error, call in calls:
        with pytest.raises(error):
            call()
    assert registry.groups == before


def mono(repository):
    repo = repository("mono")
    for place in ("client/package.json", "server/go.mod", "docs/a.md", "services/api/x.py"):
        repo.write(place, "{}")
    repo.write(".loci.json", json.dumps({"scopes": [{"path": "services/api"}]}))
    repo.commit("all")
    return repo


def test_a_monorepo_is_in_its_own_group_with_all_inside_it(registry, repository):
    """Declared, split or added by hand; a nested clone is a neighbour, not a part."""
    repo = mono(repository)
    clone = repository("mono/lib/clone")
    clone.commit("other")
    registry.scan([repo.root])
    assert labels(registry)["mono"][-1] == "mono" and labels(registry)["clone"] == labels(registry)["mono"][:-1]
    registry.scan([repo.root], split=True)
    registry.add(f"{repo.root}/docs", "manual", (), ())
    (group,) = [g for g in registry.groups if g.origin == "containment"]
    assert group.name == "mono"
    assert group.members == ("manual", "mono", "mono/client", "mono/server", "mono/services/api")
    registry.remove("mono")
    assert not [g for g in registry.groups if g.origin == "containment"]


def test_what_is_said_by_hand_stands_over_what_was_found(registry, repository):
    """Taken out of a found group a scope stays out after a scan, put back it is in; others may join."""
    repo = mono(repository)
    other = repository("other")
    other.commit("one")
    registry.scan([repo.root, other.root])
    assert registry.group_remove("mono", ["mono/services/api"]).members == ("mono",)
    registry.group_add("mono", ["other"])
    registry.scan([repo.root, other.root])
    assert [g.members for g in registry.groups if g.name == "mono"] == [("mono", "other")]
    assert registry.group_add("mono", ["mono/services/api"]).members == ("mono", "mono/services/api", "other")


def test_a_registry_of_the_format_before_keeps_all_it_had(registry, repository, tmp_path):
    """Scopes, aliases, roots and owners are as they were; git is asked again by the next scan."""
    repo = repository("old")
    repo.git("remote", "add", "origin", "https://host/acme/old.git")
    repo.commit("one")
    registry.add(repo.root, None, ("elder",), ())
    registry.close()
    path = Layout(str(tmp_path / "home")).registry_db
    with sqlite3.connect(path) as db:
        db.executescript(
            "drop table members; drop table modes; drop table provenance; alter table scopes drop column declared; pragma user_version = 2"
        )
        db.execute("update scopes set owner = 'vendor:acme'")
    again = Registry(Layout(str(tmp_path / "home")))
    assert len(MIGRATIONS) == 4
    assert [(s.id, s.aliases, s.owner) for s in again.scopes] == [("old", ("elder",), "vendor:acme")]
    assert [g.name for g in again.groups] == ["vendor:acme"]
    another = repository("young")
    another.commit("one")
    again.add(another.root, None, (), ())
    assert again.resolve("old").owner == "vendor:acme"
    again.infer()
    assert again.resolve("old").owner == "me"  # the only organisation that any remote names
    again.close()


def identify(repo, address):
    repo.git("config", "user.email", address)
    repo.git("config", "user.name", address)


def remote(repository, name, organisation, *, mine=False):
    """A repository of an organisation; git knows Tess in all of them, and she wrote in it if it is hers."""
    repo = repository(name)
    identify(repo, "tess@localhost")
    repo.git("remote", "add", "origin", f"git@host:{organisation}/{name}.git")
    author = [] if mine else ["--author", "X <x@elsewhere>"]
    repo.git("commit", "-q", "--allow-empty", "-m", "one", *author)
    return repo


def owners(registry):
    return {s.id: s.owner for s in registry.scopes}


def test_one_more_repository_can_change_whose_the_others_are(registry, repository):
    """Owners follow from all remotes together, whatever was scanned last, and the groups with them."""
    for name in ("a1", "a2"):
        remote(repository, name, "acme")
    for name, org in (("b1", "bolt"), ("c1", "core")):
        remote(repository, name, org)
    top = repository("a1").root.rpartition("/")[0]
    registry.scan([f"{top}/c1"])
    registry.scan([top])
    assert owners(registry) == {"a1": "me", "a2": "me", "b1": "vendor:bolt", "c1": "vendor:core"}  # 2 of 4 remotes
    remote(repository, "b2", "bolt")
    registry.add(f"{top}/b2", None, (), ())
    assert set(owners(registry).values()) == {None} and registry.groups == ()  # a tie, and Tess wrote nowhere
    remote(repository, "t1", "tess", mine=True)
    registry.scan([f"{top}/t1"])
    vendors = {"a1": "vendor:acme", "a2": "vendor:acme", "b1": "vendor:bolt", "b2": "vendor:bolt", "c1": "vendor:core"}
    assert owners(registry) == vendors | {"t1": "me"}
    registry.remove("t1")
    assert set(owners(registry).values()) == {None}


def test_infer_reads_git_anew_and_a_dry_run_changes_nothing(registry, repository):
    """What has changed since is told with what it was; a repository that is not there keeps its owner."""
    mine, other = remote(repository, "mine", "tess", mine=True), remote(repository, "other", "acme")
    registry.scan([mine.root, other.root])
    assert owners(registry) == {"mine": "me", "other": "vendor:acme"}
    assert registry.infer() == []
    other.git("commit", "-q", "--allow-empty", "-m", "two", "--author", "Tess <tess@localhost>")
    (change,) = registry.infer(dry_run=True)
    assert (change[0].id, change[0].owner, change[1]) == ("other", "vendor:acme", "me")
    assert owners(registry)["other"] == "vendor:acme"
    assert [c[0].id for c in registry.infer()] == ["other"] and owners(registry)["other"] == "me"
    os.rename(mine.root, mine.root + "-away")
    assert registry.infer() == [] and owners(registry)["mine"] == "me"
