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
    """A tenth of the commits, the dominant organisation, or no remote and nothing that says otherwise."""
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
    assert (found["patched"], found["stranger"]) == ("vendor:acme", None)


def of(organisation, number=1, wrote=None):
    """Repositories of an organisation: written by the user, by others, or nobody knows."""
    known = wrote is not None
    return [Evidence(organisation, 10 if known else 0, 10 if wrote else 0, known)] * number


@pytest.mark.parametrize(
    ("found", "dominant"),
    [
        (of("a", 2) + of("b") + of("c") + of("d"), "a"),  # two of five: 40 %
        (of("a", 3) + of("b") + of("c", 2) + of("d", 2), ""),  # three of eight: less than 40 %
        (of("a", 2) + of("b", 2), ""),  # a tie
        (of("a", 2) + of("b", 2) + of("", 9), ""),
        (of("a", 2) + of("b") + of("", 9), "a"),  # what has no remote is no remote
        (of("a", 9, False) + of("b"), "a"),
        (of("a", 9, False) + of("b", 1, True), ""),  # who wrote elsewhere and never there does not own it
        (of("a", 8, False) + of("a", 1, True) + of("b", 3, True), "a"),
        (of("", 3), ""),
        ([], ""),
    ],
)
def test_an_organisation_is_dominant_from_two_fifths_of_all_remotes(found, dominant):
    """Not below, not in a tie, and not one that the user, who wrote elsewhere, never wrote in."""
    assert provenance.dominant(found) == dominant


def test_without_a_sign_of_what_is_yours_nothing_is_claimed():
    """No dominant organisation and nothing written: neither `me` nor a vendor; one written repository settles it."""
    street = dict(enumerate(of("a", 2) + of("b", 2) + of("c", 1, False)))
    assert set(provenance.owners(street).values()) == {None}
    settled = provenance.owners(street | {"mine": of("", 1, True)[0]})
    assert settled == {0: "vendor:a", 1: "vendor:a", 2: "vendor:b", 3: "vendor:b", 4: "vendor:c", "mine": "me"}


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
    assert [s.scope.owner for s in below([top], {}).sights] == ["me", "vendor:acme"]
    assert [s.scope.root for s in below([top], {}, only_mine=True).sights] == [mine.root]
