"""Questions with known answers, made from real stores and from closed lists."""

from locid.measure import cases
from locid.measure.cases import HALVES, half_of
from locid.measure.hiding import Sources
from locid.measure.probes import DAILY, POINTING, TECHNOLOGY, probes
from locid.route import router
from locid.route.question import parse
from tests.conftest import Repository

from .conftest import RIDDLES


class Holding:
    """A source that holds words: scope -> its words."""

    def __init__(self, **given):
        self.given = given

    def holders(self, question):
        return {t: tuple(id for id, words in self.given.items() if t in words) for t in question.weighed}


def test_the_lists_are_what_they_should_be():
    """No probe twice, each about words that weigh in it, and enough in either half; questions that point do point."""
    found = [*probes(DAILY), *probes(TECHNOLOGY)]
    assert len({p.text for p in found}) == len(found)
    assert len(probes(DAILY)) >= 40
    for probe in found:
        assert probe.subject and set(probe.subject) <= set(parse(probe.text).weighed), probe
        assert len(parse(probe.text).weighed) >= 3 and "*" not in probe.text, probe
    assert all(sum(half_of(p.text) == half for p in found) > 60 for half in HALVES)
    assert all(parse(text).pointing for text in POINTING)


def test_what_a_project_may_be_about_is_not_asked():
    """A scope that holds all of a probe's words may answer it; words spread over scopes may not."""
    asked = {half: {c.text for c in cases.unanswerable(half, [Holding()])} for half in HALVES}
    assert not asked["fit"] & asked["report"]
    kettle = next(p.text for p in probes(DAILY) if p.subject == ("descale", "kettle"))
    half = half_of(kettle)
    assert kettle in asked[half]
    spread = Holding(tea={"kettle"}, robot={"descale"})
    one = Holding(tea={"kettle", "descale"})
    assert kettle in {c.text for c in cases.unanswerable(half, [spread])}
    assert kettle not in {c.text for c in cases.unanswerable(half, [Holding(), one])}


def stores(told):
    return told.measuring()._asker.ground()


def test_history_is_asked_in_disjoint_halves(told):
    """Every case names its commit and its project, subjects are asked once, and nothing is in both halves."""
    view, scopes = stores(told)
    halves = {half: list(cases.hidden_commits(half, view, scopes, 1000)) for half in HALVES}
    texts = {half: [c.text for c in found] for half, found in halves.items()}
    assert not set(texts["fit"]) & set(texts["report"])
    assert len(texts["fit"] + texts["report"]) == len(set(texts["fit"] + texts["report"])) == 167
    for case in halves["fit"] + halves["report"]:
        (id,) = case.right
        assert view.snapshot(id).messages([case.commit])[case.commit].subject == case.text


def test_the_newest_come_first_and_each_scope_gives_as_many(told):
    """Of each scope the newest subjects of the half."""
    view, scopes = stores(told)
    few = list(cases.hidden_commits("fit", view, scopes, 5))
    assert [sorted(c.right) for c in few] == [["ledger"]] * 5 + [["parser"]] * 5
    every = list(cases.hidden_commits("fit", view, scopes, 1000))
    times = [view.snapshot("ledger").messages([c.commit])[c.commit].time for c in every if "ledger" in c.right]
    assert times == sorted(times, reverse=True) and [c.text for c in few[:5]] == [c.text for c in every[:5]]


def test_what_gives_the_answer_away_is_hidden(told):
    """What stands in its own message and in the changelog only is not found, and is found when nothing is hidden."""
    view, scopes = stores(told)
    found = [c for half in HALVES for c in cases.hidden_commits(half, view, scopes, 1000) if c.text in RIDDLES]
    assert len(found) == len(RIDDLES)
    sources = Sources(view, scopes)
    for case in found:
        open_ = router.gate(case.text, scopes, view.passages), router.gate(case.text, scopes, view.history)
        files, history = sources.of(case)
        hidden = router.gate(case.text, scopes, files), router.gate(case.text, scopes, history())
        assert all(coverage > 0.999 for _, coverage in open_)
        assert [coverage for _, coverage in hidden] == [0.0, 0.0], case.text


def test_signatures_are_a_projects_own_words(told):
    """Each question holds words of one passage of the scope, and that scope is the right one."""
    view, scopes = stores(told)
    found = list(cases.signatures(view, scopes, 4))
    assert [sorted(c.right)[0] for c in found] == ["ledger"] * 4 + ["parser"] * 4
    for case in found:
        words = parse(case.text).weighed[:3]
        (id,) = case.right
        texts = [chunk.text.lower() for chunk in view.snapshot(id).sample(1000)]
        assert any(all(word in text for word in words) for text in texts)


def test_a_commit_of_several_work_trees_belongs_to_all(told):
    """Who shares a history shares the right answer; the question is asked once."""
    repo = next(s for s in told.json("scopes")["scopes"] if s["id"] == "parser")
    tree = f"{told.code}/parser-next"
    Repository(repo["root"]).git("worktree", "add", "-q", tree, "-b", "next")
    told.run("add", tree)
    told.run("index", "parser-next", "--wait")
    view, scopes = stores(told)
    shared = [c for c in cases.hidden_commits("report", view, scopes, 1000) if "parser" in c.right]
    assert shared and all(c.right == {"parser", "parser-next"} for c in shared)
    told.run("rm", "parser-next")
