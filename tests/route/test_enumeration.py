"""Questions about all projects that do something: the frame is taken away, and each project must say enough by itself."""

import pytest

from locid.route import enumeration, router

from .test_router import Source, ids, scopes


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("which of my projects use Cloudflare workers or D1?", "use Cloudflare workers or D1"),
        ("which projects retry after a broken connection", "retry after a broken connection"),
        ("have I ever written a rate limiter?", "written a rate limiter"),
        ("list my repos that parse toml", "parse toml"),
        ("how many of my repos have a changelog?", "a changelog"),
        ("in which of our repositories do we validate JWTs", "validate JWTs"),
        ("where else do I debounce input?", "debounce input"),
        ("do any of my projects render markdown", "render markdown"),
        ("how do we sign cookies in any of my projects", "how do we sign cookies"),
        ("which of my apps render markdown", "render markdown"),
        ("how do I fix this bug?", None),
        ("what application factories are there", None),
        ("which packages does the parser import", None),
        ("which test runner does this project use?", None),
        ("how does this project sign cookies", None),
    ],
)
def test_the_frame_is_taken_away(text, topic):
    """What the projects are asked about stays; a question about one project enumerates nothing."""
    assert enumeration.topic(text) == topic


def test_every_scope_that_says_enough_is_returned():
    """No ratio to the best: a scope far behind it is in the set when it clears its share of the floor, one below is not."""
    source = Source({"a": (40, 1.0), "b": (9, 0.5), "c": (3, 0.2)})
    found = router.route("which projects retry after a broken connection", "/code/c", scopes("a", "b", "c"), source)
    assert (found.mode, ids(found)) == ("set", ["a", "b"])


def test_a_set_that_nothing_clears_abstains():
    """Where no project says enough the answer is an abstention, and never the best of the bad."""
    source = Source({"a": (3, 0.2), "b": (3, 0.1)})
    found = router.route("which projects retry after a broken connection", None, scopes("a", "b"), source)
    assert (found.reason, ids(found)) == ("no_evidence", [])


def test_eight_at_most():
    """A set that every project belongs to is cut at eight."""
    many = [f"s{i}" for i in range(12)]
    source = Source(dict.fromkeys(many, (20, 1.0)))
    assert len(ids(router.route("which projects retry after a broken connection", None, scopes(*many), source))) == 8


def test_alternatives_are_asked_one_by_one():
    """`workers or D1` is answered by who says either."""
    assert router.parse("which of my projects use workers or D1?").alternatives == ("use workers", "D1")


def test_each_alternative_may_be_looked_for_in_other_scopes():
    """Among many scopes each part is read where its words are; a scope that only one part was read in counts by that."""

    class Apart(Source):
        def evidence(self, question, scopes, always=()):
            seen = "a" if "workers" in question.text else "b"
            return {id: e for id, e in super().evidence(question, scopes, always).items() if id == seen}

    source = Apart({"a": (20, 0.9), "b": (20, 1.0)})
    found = router.route("which of my projects use workers or queues?", None, scopes("a", "b"), source)
    assert (found.mode, set(ids(found))) == ("set", {"a", "b"})
