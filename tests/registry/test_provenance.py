"""Whose a repository is."""

import pytest

from locid import git
from locid.registry import provenance
from locid.registry.provenance import Evidence
from locid.registry.survey import below


@pytest.mark.parametrize(
    ("url", "owner"),
    [
        ("https://github.com/Acme/thing.git", "acme"),
        ("git@github.com:acme/thing.git", "acme"),
        ("ssh://git@host:2222/group/sub/thing", "group"),
        ("/srv/git/thing.git", ""),
        ("https://host/thing", ""),
        ("", ""),
    ],
)
def test_the_remote_names_its_owner(url, owner):
    """The first part of the path, in lower case; a local path has none."""
    assert provenance.owner_in(url) == owner


def test_it_is_yours_by_authorship_or_by_the_usual_owner():
    """A tenth of the commits, the organisation of most of yours, or nothing that says otherwise."""
    found = provenance.owners(
        {
            "wrote": Evidence("tess", 200, 20),
            "also": Evidence("tess", 5, 5),
            "colleague": Evidence("tess", 50, 0),
            "patched": Evidence("acme", 200, 19),
            "new": Evidence(""),
            "stranger": Evidence("", 10, 0),
            "nameless": Evidence("", 10, 0, known=False),
        }
    )
    assert {k for k, v in found.items() if v == "me"} == {"wrote", "also", "colleague", "new", "nameless"}
    assert (found["patched"], found["stranger"]) == ("vendor:acme", "vendor:unknown")


def test_git_says_who_wrote_and_who_you_are(repository):
    """Addresses and names of the settings and of the newest commits, folded; a scan may keep yours alone."""
    mine, other = repository("mine"), repository("other")
    for repo, address in ((mine, "Tess@localhost"), (other, "someone@else")):
        repo.git("config", "user.email", address)
        repo.git("config", "user.name", address)
        repo.git("remote", "add", "origin", "https://host/acme/x.git" if repo is other else "https://host/tess/y.git")
        repo.commit("one")
    assert "tess@localhost" in git.identities(mine.root)
    assert git.authors(mine.root, 10) == [("tess@localhost", "tess")]
    top = mine.root.rpartition("/")[0]
    assert [s.scope.owner for s in below([top]).sights] == ["me", "vendor:acme"]
    assert [s.scope.root for s in below([top], only_mine=True).sights] == [mine.root]
