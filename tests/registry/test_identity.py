"""Names of scopes."""

from hypothesis import given
from hypothesis import strategies as st

from locid.registry import identity
from locid.values import Scope

PART = st.text(alphabet="abc", min_size=1, max_size=3)


@given(st.lists(st.lists(PART, min_size=1, max_size=4), min_size=1, max_size=12))
def test_fresh_ids_never_repeat(paths):
    """Each root in turn gets an id that nobody has, and one alone gets its directory's name."""
    taken: list[str] = []
    for parts in paths:
        id = identity.fresh_id("/" + "/".join(parts), taken)
        assert id not in taken
        assert taken or id == parts[-1]
        taken.append(id)


def test_the_remote_s_name():
    """A repository answers to its remote's last part, however the URL is written."""
    for url in ("https://host/org/thing.git", "git@host:org/thing.git", "git@host:thing", "/srv/thing.git/"):
        assert identity.remote_name(url) == "thing"


def test_an_outer_scope_leaves_out_the_inner_one():
    """A nested scope's subtree belongs to it alone; a sibling with a longer name is no child."""
    outer, inner, sibling = Scope("o", "/a"), Scope("i", "/a/b"), Scope("s", "/a-b")
    found = {s.id: s.excluded for s in identity.without_inner([outer, inner, sibling])}
    assert found == {"o": ("/a/b",), "i": (), "s": ()}
