"""What a group does to a question: the two tables, on evidence that a test makes up."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locid.registry.groups import Group
from locid.route import policy, router, scoring
from locid.route.policy import OPEN, Bounds
from locid.values import Evidence
from tests.route.test_router import LONG, Source, ids, scopes

STREET = scopes("alpha", "beta", "vend")
GIVEN = {"alpha": (15, 0.6), "beta": (4, 0.3), "vend": (20, 0.7)}  # vend wins, alpha comes near, beta is far
NAMING = "how does vend handle the retry queue after a broken connection"


def team(mode, *members, name="team", origin="hand", chosen=True):
    return Group(name, mode, members or ("alpha", "beta"), origin, chosen=chosen)


def asked(mode=None, place=None, named=False, question=LONG, given=None, own=4.0, street=STREET):
    """Ids that were selected, or the reason."""
    group = team(mode) if mode else None
    here = next((s for s in street if s.id == place), None)
    limits = policy.bounds([group] if group else [], here, group if named else None)
    source = Source(given or GIVEN, own=own)
    found = router.route(question, here and here.root, street, source, limits=limits)
    return ids(found) or found.reason


def test_unconfined():
    """Without a group the best passages win, wherever they lie."""
    assert asked() == ["vend", "alpha"]


@pytest.mark.parametrize(("mode", "found"), [("explicit", ["alpha"]), ("soft", ["alpha"]), ("hard", "out_of_group")])
def test_named_all_three_modes_confine(mode, found):
    """With --group nobody outside answers; hard says so when the best answer is there, the others answer anyway."""
    assert asked(mode, named=True) == found


@pytest.mark.parametrize(
    ("mode", "found", "naming"),
    [
        ("explicit", ["vend", "alpha"], ["vend"]),
        ("soft", ["alpha", "vend"], ["vend"]),
        ("hard", ["alpha"], "out_of_group"),
    ],
)
def test_through_the_place(mode, found, naming):
    """Explicit does nothing, soft turns what was near and returns it all the same, hard leaves the group for a name only."""
    given = GIVEN | {"alpha": (9, 0.45)}
    assert asked(mode, "alpha", given=given)[:2] == found
    assert asked(mode, "alpha", question=NAMING, given=given) == naming


def test_outside_of_every_group_nothing_holds():
    """From a scope in no group, and from nowhere, all three modes do nothing."""
    for mode in ("explicit", "soft", "hard"):
        assert asked(mode) == asked() and asked(mode, "vend") == asked(None, "vend")


@pytest.mark.parametrize("named", [True, False])
def test_a_better_answer_outside_must_be_routable(named):
    """What nobody holds is no_evidence and what points is deictic, with a hard group as without."""
    nothing = dict.fromkeys(GIVEN, (0, 0.0)) | {"vend": (1, 0.1)}
    place = None if named else "alpha"
    assert asked("hard", place, named, "xyzzy plugh frotz quuz", nothing) == "no_evidence"
    if named:
        assert asked("hard", None, True, "how do I run the tests here?") == "deictic"


def test_a_group_that_wins_answers_in_every_mode():
    """Hard abstains only when the best answer is outside."""
    given = GIVEN | {"vend": (3, 0.2)}
    for mode in ("explicit", "soft", "hard"):
        assert asked(mode, named=True, given=given) == ["alpha"]


def test_the_abstention_names_the_winner_and_the_members():
    """Advice says where the answer is and how to get it; the candidates are members that hold any of its words."""
    limits = policy.bounds([], None, team("hard"))
    found = router.route(LONG, None, STREET, Source(GIVEN, {"retry": ("alpha", "vend")}), limits=limits)
    assert found.selected == () and "--scope vend" in found.advice and "outside team" in found.advice
    assert [c.id for c in found.candidates] == ["alpha", "beta"]
    assert {s.scope.id: s.signals[-1].value for s in found.scopes} == {"vend": 0.0, "alpha": 1.0, "beta": 1.0}


def test_an_abstention_inside_says_that_only_the_group_was_asked():
    """Who confined a question is told so when the members do not answer it."""
    given = GIVEN | {"alpha": (3, 0.2), "beta": (2, 0.1)}
    limits = policy.bounds([], None, team("soft"))
    found = router.route(LONG, None, STREET, Source(given), limits=limits)
    assert found.reason == "no_evidence" and found.advice.endswith(
        "only team was asked: without --group all projects are"
    )


def test_demotion_halves_what_is_shown_before_the_boosts():
    """Half of the evidence of each scope outside, nobody else's; the signal says so; a named scope keeps its lead."""
    source, here = Source(GIVEN, own=4.0), STREET[0]
    limits = policy.bounds([team("soft")], here, None)
    plain = {s.scope.id: s for s in router.route(LONG, here.root, STREET, source).scopes}
    after = {s.scope.id: s for s in router.route(LONG, here.root, STREET, source, limits=limits).scopes}
    shown = {id: next(s.value for s in found.signals if s.name == "evidence") for id, found in after.items()}
    before = {id: next(s.value for s in found.signals if s.name == "evidence") for id, found in plain.items()}
    assert shown == pytest.approx({"alpha": before["alpha"], "beta": before["beta"], "vend": before["vend"] / 2})
    marks = {id: found.signals[-1] for id, found in after.items()}
    assert {id: (s.name, s.value, s.weight, s.terms) for id, s in marks.items()} == {
        "alpha": ("group", 1.0, 1.0, ("team",)),
        "beta": ("group", 1.0, 1.0, ("team",)),
        "vend": ("group", 0.0, 0.5, ("team",)),
    }
    named = router.route(NAMING, here.root, STREET, source, limits=limits)
    assert named.selected[0].scope.id == "vend" and named.selected[0].score == pytest.approx(6.0 + shown["vend"])
    assert sum(s.value for found in after.values() for s in found.signals if s.name == "share") == pytest.approx(1.0)


def test_the_strictest_group_of_the_place_counts():
    """Hard before soft before explicit; those that are equally strict count together."""
    here = STREET[0]
    soft, mild, hard = team("soft", name="s"), team("explicit", "alpha", name="e"), team("hard", "alpha", name="h")
    assert policy.bounds([soft, mild, hard], here, None) == Bounds(("h",), "hard", False, frozenset({"alpha"}))
    assert policy.bounds([soft, mild], here, None).names == ("s",)
    assert policy.bounds([mild], here, None) == OPEN
    other = team("soft", "alpha", "vend", name="o")
    both = policy.bounds([soft, other], here, None)
    assert both.names == ("s", "o") and both.members == {"alpha", "beta", "vend"}
    assert policy.bounds([hard], STREET[2], None) == OPEN


def test_a_named_group_counts_instead_of_the_place():
    """--group is what the asker says now; the groups of the place do not narrow it."""
    named = team("soft", "vend", name="vendors")
    limits = policy.bounds([team("hard")], STREET[0], named)
    assert limits == Bounds(("vendors",), "soft", True, frozenset({"vend"}))
    assert ids(router.route(LONG, STREET[0].root, STREET, Source(GIVEN), limits=limits)) == ["vend"]


def test_a_lone_scope_that_git_labels_has_no_say_unless_it_was_given_one():
    """A soft group of nobody else adds nothing to the place; by hand, or of a mode of its own, it is taken at its word."""
    here = STREET[0]
    lone = {"name": "vendor:acme", "origin": "git"}
    assert policy.bounds([team("soft", "alpha", **lone, chosen=False)], here, None) == OPEN
    for group in (
        team("soft", "alpha", **lone, chosen=True),
        team("hard", "alpha", **lone, chosen=False),
        team("soft", "alpha"),
    ):
        assert policy.bounds([group], here, None).names == (group.name,)


def test_a_place_outside_of_the_named_group_is_none():
    """Of nested scopes the innermost holds the place: standing in a member's child that is none, `here` points nowhere."""
    nested = [*scopes("outer", "other"), *scopes("outer/inner")]
    source = Source({"outer": (10, 0.6), "other": (8, 0.6), "outer/inner": (10, 0.6)})
    limits = policy.bounds([], None, team("soft", "outer", "other"))
    inner = router.route("how do I build it here", "/code/outer/inner/src", nested, source, limits=limits)
    assert inner.reason == "deictic"
    assert ids(router.route("how do I build it here", "/code/outer/src", nested, source, limits=limits))[0] == "outer"


def test_words_of_others_make_no_word_common():
    """How many scopes hold a word is counted among those that are asked."""
    street = scopes(*"abcdef")
    source = Source(dict.fromkeys("abcdef", (9, 1.0)), {"parser": tuple("cdef"), "emitter": tuple("cdef")})
    limits = policy.bounds([], None, team("soft", "a", "b"))
    assert router.route("parser emitter", None, street, source, limits=limits).reason is None


EVIDENCE = st.tuples(st.floats(0, 40), st.floats(0, 1))


@given(
    st.fixed_dictionaries(dict.fromkeys("abcd", EVIDENCE)),
    st.sets(st.sampled_from("abcd"), min_size=1),
    st.sampled_from(["explicit", "soft", "hard"]),
    st.sampled_from([None, *"abcd"]),
    st.booleans(),
)
def test_what_confines_lets_nobody_else_answer(given, members, mode, place, named):
    """Whatever the evidence: selected and candidates are members, and an abstention selects nobody."""
    street = scopes(*"abcd")
    here = next((s for s in street if s.id == place), None)
    group = team(mode, *sorted(members))
    limits = policy.bounds([group], here, group if named else None)
    found = router.route(LONG, here and here.root, street, Source(given, own=4.0), limits=limits)
    if limits.confines:
        assert set(ids(found)) <= members and {c.id for c in found.candidates} <= members
    assert (found.reason is None) == bool(found.selected)
    if limits == OPEN:
        assert found == router.route(LONG, here and here.root, street, Source(given, own=4.0))


@given(st.fixed_dictionaries(dict.fromkeys("abcd", EVIDENCE)), st.sets(st.sampled_from("abcd")))
def test_demotion_changes_nothing_among_equals(given, out):
    """Half is taken from each outside and from nobody else, so on either side all stays in its order and distance."""
    found = {id: Evidence(id, 100, best, best, coverage, ()) for id, (best, coverage) in given.items()}
    plain = scoring.strengths(found, {}, 25.0)
    after = policy.demoted(plain, frozenset(out))
    for id, before in plain.items():
        assert after[id].shown == before.shown * (0.5 if id in out else 1.0)
        assert after[id].evidence == before.evidence
        for other in (o for o in plain if (o in out) == (id in out)):
            assert math.isclose(after[id].logit - after[other].logit, before.logit - plain[other].logit, abs_tol=1e-9)
            assert (after[id].m >= after[other].m) == (before.m >= plain[other].m)
    assert math.isclose(sum(s.probability for s in after.values()), 1.0)
