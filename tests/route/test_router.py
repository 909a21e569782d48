"""The rules of the router, on evidence that a test makes up."""

from collections.abc import Mapping

import pytest

from locid.route import router
from locid.values import Evidence, Question, Scope


class Source:
    """Passages whose evidence is given: scope -> (best, coverage)."""

    def __init__(self, given: Mapping[str, tuple[float, float]], holders=None, own=0.0, similar=False):
        self.given, self.held, self.own, self.similar = given, holders, own, similar

    def evidence(self, question: Question, scopes, always=()):
        return {
            s.id: Evidence(s.id, 100, self.given[s.id][0], self.given[s.id][0], self.given[s.id][1], ())
            for s in scopes
            if s.id in self.given
        }

    def coverage(self, question: Question, scopes):
        return max(self.given[s.id][1] for s in scopes)

    def rarity(self, question: Question) -> float:
        return 25.0

    def alike(self, question: Question, scopes) -> bool:
        return self.similar

    def holders(self, question: Question):
        everyone = tuple(self.given)
        return {t: (self.held or {}).get(t, everyone) for t in question.weighed}

    def ownness(self, scope: str, name: str) -> float:
        return self.own


def scopes(*names):
    return [Scope(n, f"/code/{n}") for n in names]


def ids(route):
    return [s.scope.id for s in route.selected]


LONG = "how does the retry queue back off after a broken connection"


def test_evidence_alone_chooses():
    """Without a place or a name the scope with the best passages leads, and a far second is left out."""
    found = router.route(LONG, None, scopes("a", "b"), Source({"a": (20, 0.6), "b": (5, 0.2)}))
    assert ids(found) == ["a"] and found.reason is None


def test_the_gate_abstains_with_a_shortlist():
    """Little coverage abstains, and the shortlist holds only scopes with a distinctive term."""
    source = Source({"a": (3, 0.2), "b": (3, 0.2), "c": (3, 0.1)}, {"queue": ("b",)})
    found = router.route(LONG, None, scopes("a", "b", "c"), source)
    assert found.reason == "no_evidence" and ids(found) == []
    assert [(c.id, c.terms) for c in found.candidates] == [("b", ("queue",))]
    assert "--scope" in (found.advice or "")


def test_nonsense_has_no_shortlist():
    """A question of words that nobody holds abstains without candidates and points to doctor."""
    source = Source({"a": (0, 0.0), "b": (0, 0.0)}, dict.fromkeys(("xyzzy", "plugh", "frotz", "quuz"), ()))
    found = router.route("xyzzy plugh frotz quuz", None, scopes("a", "b"), source)
    assert found.reason == "no_evidence" and found.candidates == ()
    assert "loci doctor" in (found.advice or "")


def test_pointing_needs_a_place():
    """A question that points abstains without a place, and is settled by one."""
    source = Source({"a": (9, 0.5), "b": (10, 0.6)})
    assert router.route("how do I run the tests here?", None, scopes("a", "b"), source).reason == "deictic"
    assert ids(router.route("how do I run the tests here?", "/code/a/src", scopes("a", "b"), source))[0] == "a"


def test_the_place_yields_to_clearly_better_evidence():
    """From inside one project a question about another one goes there."""
    source = Source({"a": (4, 0.2), "b": (20, 0.7)})
    assert ids(router.route(LONG, "/code/a", scopes("a", "b"), source))[0] == "b"
    near = Source({"a": (16, 0.6), "b": (20, 0.7)})
    assert ids(router.route(LONG, "/code/a", scopes("a", "b"), near))[0] == "a"


def test_a_name_of_its_own_leads():
    """A scope named in the question leads against better evidence elsewhere; a common word that is a name does not."""
    given = {"a": (4, 0.4), "b": (20, 0.7)}
    asked = "where does a keep its retry queue after a broken connection"
    assert ids(router.route(asked, None, scopes("a", "b"), Source(given, own=4.0))) == ["a"]
    assert ids(router.route(asked, None, scopes("a", "b"), Source(given, own=0.0)))[0] == "b"


def test_names_match_whole_tokens_only():
    """`api` is not named by `apiary` nor by `rest-api`."""
    assert router.mentions("the api of it", "api")
    assert not router.mentions("the apiary", "api")
    assert not router.mentions("the rest-api", "api")


def test_the_deepest_scope_holds_the_place():
    """Of nested scopes only the innermost counts as where the asker stands."""
    nested = [Scope("outer", "/code"), Scope("inner", "/code/inner")]
    source = Source({"outer": (10, 0.6), "inner": (10, 0.6)})
    assert ids(router.route("how do I build it here", "/code/inner/src", nested, source))[0] == "inner"


def test_few_common_words_without_a_place_are_ambiguous():
    """Three words that every project holds do not choose among them."""
    source = Source(dict.fromkeys("abcd", (9, 1.0)))
    assert router.route("where is the main entry point?", None, scopes(*"abcd"), source).reason == "ambiguous"


@pytest.mark.parametrize("text", ["?", "the of and", "…", "a" * 100_000])
def test_a_question_without_content_abstains(text):
    """Nothing to weigh is an abstention, never an error."""
    found = router.route(text, None, scopes("a", "b"), Source({"a": (0, 0.0), "b": (0, 0.0)}))
    assert found.reason is not None


def test_the_same_question_gives_the_same_route():
    """Ties are broken by id, whatever the order of the scopes."""
    source = Source({"a": (10, 0.8), "b": (10, 0.8), "c": (10, 0.8)})
    forward, back = scopes("a", "b", "c"), scopes("c", "b", "a")
    assert ids(router.route(LONG, None, forward, source)) == ids(router.route(LONG, None, back, source))


def test_history_is_asked_when_the_files_do_not_answer():
    """What only a commit message holds is routed by it; nothing is asked of history when a passage answers."""
    weak, strong = Source({"a": (3, 0.2), "b": (3, 0.1)}), Source({"a": (3, 0.2), "b": (9, 0.6)})
    assert ids(router.route(LONG, None, scopes("a", "b"), weak, lambda: strong)) == ["b"]
    assert router.route(LONG, None, scopes("a", "b"), weak, lambda: weak).reason == "no_evidence"
    assert ids(router.route(LONG, None, scopes("a", "b"), strong, lambda: pytest.fail("asked"))) == ["b"]


CALLS = "what calls drain_retry_queue?"


def test_a_name_of_the_code_that_one_scope_holds_settles():
    """Asked about a name, the only scope that holds it leads, whatever the place and the passages elsewhere."""
    source = Source({"a": (4, 0.3), "b": (20, 0.9)}, {"drain_retry_queue": ("a",)})
    assert ids(router.route(CALLS, "/code/b", scopes("a", "b"), source)) == ["a"]


def test_a_name_of_the_code_that_nobody_holds_abstains():
    """Its parts may be known ever so well: the name is not there. A slip of the pen is searched for all the same."""
    given, nobody = {"a": (20, 0.9), "b": (4, 0.3)}, {"drain_retry_queue": ()}
    found = router.route(CALLS, "/code/a", scopes("a", "b"), Source(given, nobody))
    assert found.reason == "no_evidence" and "drain_retry_queue" in (found.advice or "")
    assert ids(router.route(CALLS, None, scopes("a", "b"), Source(given, nobody, similar=True)))[0] == "a"


def test_a_name_does_not_lead_away_from_much_better_evidence():
    """A project's name that is a word of the question yields to a place which answers far better."""
    source = Source({"a": (4, 0.3), "b": (20, 0.9)}, own=4.0)
    assert ids(router.route("share the retry queue across a", "/code/b", scopes("a", "b"), source))[0] == "b"
    assert ids(router.route("share the retry queue across a", None, scopes("a", "b"), source))[0] == "a"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("what calls run_turn?", "run_turn"),
        ("who uses `Session.send_all`", "send_all"),
        ("which function calls getResponse()", "getresponse"),
        ("where is parse_file defined", "parse_file"),
        ("what breaks if std::from_bytes changes", "from_bytes"),
        ("callers of runTurn", "runturn"),
        ("what uses workers?", None),
        ("where is the main entry point?", None),
        ("how does run_turn keep its state", None),
    ],
)
def test_questions_about_a_name(text, name):
    """The forms that ask about one name, told as a name by how it is written."""
    assert router.parse(text).subject == name


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("How do I upload a file?", True),
        ("What are signals?", True),
        ("how does cookie signing work?", True),
        ("what removes stored data?", False),
        ("where do we close the socket", False),
        ("close the socket when the peer is gone", False),
    ],
)
def test_questions_that_ask_for_an_explanation(text, explained):
    """How-to and what-is are answered by documentation first; other forms by code."""
    assert router.parse(text).explained is explained
