"""The text of an answer: inside its budget, with lines that are the hit's."""

from hypothesis import given
from hypothesis import strategies as st

from locid.ask import assemble
from locid.route.question import parse
from locid.values import Hit, Route, Scope, ScopeAnswer, ScoredScope, Stamp

SCOPE = ScoredScope(Scope("proj", "/code/proj"), 1.0, ())
STAMP = Stamp("a" * 40, "main", False, 3, 10)


def answer(*hits: Hit) -> ScopeAnswer:
    return ScopeAnswer(SCOPE, STAMP, hits)


def hit(text: str, score: float = 1.0, start: int = 10) -> Hit:
    return Hit("code", "src/a.py", start, start + text.count("\n"), text, score)


@given(st.lists(st.text(max_size=3000), min_size=1, max_size=12), st.integers(50, 3000))
def test_the_text_never_exceeds_its_budget(texts, budget):
    """Whatever the hits hold, the estimate of the text is at most the budget."""
    route = Route("q", "one", (SCOPE,), (SCOPE,))
    text = assemble.answered(route, [answer(*map(hit, texts))], parse("alpha beta"), budget)
    assert assemble.estimate(text) <= budget


@given(st.lists(st.sampled_from(["alpha", "beta", "", "gamma delta", "  indented"]), min_size=1, max_size=60))
def test_an_excerpt_is_a_run_of_the_hits_lines(lines):
    """The excerpt's lines stand in the text at the offset that it names."""
    text = "\n".join(lines)
    start, shown = assemble.excerpt(text, {"alpha", "gamma"}, 12)
    assert shown == text.split("\n")[start : start + len(shown)] and 1 <= len(shown) <= 12


def test_the_excerpt_holds_the_question_s_words():
    """Of a long passage the lines that the question is about are shown, under their own line numbers."""
    text = "\n".join(["filler"] * 30 + ["def retry_delay(attempt):", "    return 2**attempt"])
    shown = assemble.answered(Route("q", "one", (SCOPE,), ()), [answer(hit(text))], parse("retry delay attempt"), 500)
    assert "def retry_delay(attempt):" in shown
    assert "src/a.py:30-41" in shown


def test_hits_stand_in_one_order_over_scopes():
    """The best hit stands first, whichever scope it is from, and says which."""
    other = ScopeAnswer(ScoredScope(Scope("other", "/code/other"), 0.5, ()), STAMP, (hit("beta", 9.0),))
    text = assemble.answered(Route("q", "one", (), ()), [answer(hit("alpha", 1.0)), other], parse("alpha beta"), 500)
    assert text.index("other: src/a.py") < text.index("proj: src/a.py")
