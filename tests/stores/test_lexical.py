"""The lexical index: replaced by owner, marked with its generation, scored by frequencies over all scopes."""

import math
import os

import pytest

from locid import tokenizer
from locid.episodes import lexical
from locid.episodes.lexical import Entry, ShelfReader, ShelfWriter
from locid.episodes.passages import Passages
from locid.errors import Unavailable
from locid.route.question import parse
from locid.values import Scope


def entry(id: str, body: str, names: str = "", path: str = "", file_class: int = 0) -> Entry:
    return Entry(id, 1, file_class, body, " ".join(tokenizer.tokens(names)), path, " ".join(tokenizer.grams(names)))


def shelf(path, entries, generation=1):
    writer = ShelfWriter(str(path))
    for e in entries:
        writer.replace(e.id, [e])
    writer.commit(generation)
    writer.close()
    return ShelfReader(str(path))


def test_an_owner_is_replaced_and_removed(tmp_path):
    """Replacing an owner leaves only its new documents; removing it leaves none."""
    writer = ShelfWriter(str(tmp_path))
    writer.replace("a", [entry("1", "alpha"), entry("2", "beta")])
    writer.replace("b", [entry("3", "alpha")])
    writer.commit(1)
    writer.replace("a", [entry("4", "gamma")])
    writer.remove("b")
    writer.commit(2)
    reader = ShelfReader(str(tmp_path))
    assert reader.generation == 2
    assert found(reader, "gamma") == [("4", "a")]
    assert found(reader, "alpha") == []


def found(reader, token):
    query = lexical.weighted(reader, {("body_x", token): 1.0})
    hits = reader.search(query, 10) if query else []
    return reader.ids([address for _, address in hits])


def test_a_damaged_index_is_told_and_built_anew(tmp_path):
    """Without its meta file an index is unavailable to a reader, and empty to the next writer."""
    shelf(tmp_path, [entry("1", "alpha")])
    os.remove(tmp_path / "meta.json")
    with pytest.raises(Unavailable, match="loci index"):
        ShelfReader(str(tmp_path))
    writer = ShelfWriter(str(tmp_path))
    assert writer.generation == 0
    writer.close()


def test_scores_compare_across_scopes(tmp_path):
    """The same passage gets nearly the same score in a scope where its word is common and in one where it is rare."""
    rare = [entry("hit", "socket closes early")] + [entry(f"r{i}", f"filler text {i}x") for i in range(40)]
    common = [entry("hit", "socket closes early")] + [entry(f"c{i}", f"socket text {i}x") for i in range(40)]
    shelves = {"rare": shelf(tmp_path / "r", rare), "common": shelf(tmp_path / "c", common)}
    passages = Passages(shelves)
    question = parse("socket closes early")
    best = {id: passages.search(id, question, 1)[0] for id in shelves}
    assert {b.key for b in best.values()} == {"hit"}
    assert best["rare"].score == pytest.approx(best["common"].score, rel=0.02)


def test_coverage_is_the_share_of_the_weight_in_one_passage(tmp_path):
    """Words that meet in one passage cover the question; the same words apart do not."""
    shelves = {
        "apart": shelf(tmp_path / "a", [entry("1", "cookie jar"), entry("2", "expired domain")]),
        "together": shelf(tmp_path / "t", [entry("1", "cookie domain"), entry("2", "expired jar")]),
    }
    scopes = [Scope(id, f"/x/{id}") for id in shelves]
    evidence = Passages(shelves).evidence(parse("the cookie domain"), scopes)
    assert evidence["together"].coverage == pytest.approx(1.0)
    assert evidence["apart"].coverage == pytest.approx(0.5, abs=0.05)


def test_every_boost_is_finite_and_positive(tmp_path):
    """Inverse document frequencies stay above 0 with most documents deleted, where num_docs would go wrong."""
    writer = ShelfWriter(str(tmp_path))
    for i in range(100):
        writer.replace(f"o{i}", [entry(f"{i}", "word")])
    writer.commit(1)
    for i in range(90):
        writer.remove(f"o{i}")
    writer.commit(2)
    reader = ShelfReader(str(tmp_path))
    weight = lexical.idf(reader.total, reader.frequency("body_x", "word"))
    assert math.isfinite(weight) and weight > 0


def test_tests_weigh_less(tmp_path):
    """Of two equal passages the shipped one stands before the test's."""
    test_class = lexical.CLASSES.index("test")
    reader = shelf(tmp_path, [entry("a", "retry delay", file_class=test_class), entry("b", "retry delay")])
    ranked = Passages({"s": reader}).search("s", parse("retry delay"), 2)
    assert [p.key for p in ranked] == ["b", "a"]


def test_a_misspelt_identifier_finds_its_chunk(tmp_path):
    """An identifier that nothing holds is looked for by its trigrams, and covers what it was meant to."""
    near = [entry("hit", "retry_delay retry delay seconds", "retry_delay"), entry("other", "retry later", "retry_all")]
    far = [entry(f"f{i}", f"retry text {i}x", f"name_{i}x") for i in range(30)]
    shelves = {"near": shelf(tmp_path / "n", near), "far": shelf(tmp_path / "f", far)}
    passages = Passages(shelves)
    scopes = [Scope(id, f"/x/{id}") for id in shelves]
    for text in ("retry_delai", "what is retryDelay", "where is retry_dellay set"):
        question = parse(text)
        assert passages.search("near", question, 1)[0].key == "hit"
        evidence = passages.evidence(question, scopes)
        assert evidence["near"].coverage > 0.5 > evidence["far"].coverage


def test_what_is_held_is_not_looked_for_by_trigrams(tmp_path):
    """A question whose identifiers are held, or which has none, scores as if there were no trigrams."""
    entries = [entry("a", "retry_delay retry delay", "retry_delay"), entry("b", "retry_delax words", "retry_delax")]
    reader = shelf(tmp_path, entries)
    passages = Passages({"s": reader})
    assert passages.search("s", parse("retry_delay"), 1)[0].key == "a"
    assert passages.search("s", parse("retrying delais"), 2)[0].key == "a"
    assert passages._near(parse("delais retri_ng")) != {} == passages._near(parse("retry_delay words delais"))


def test_hidden_passages_are_found_by_nothing_and_counted_as_before(tmp_path):
    """What is hidden neither ranks nor covers, the rest keeps its scores, and the open passages see all of it."""
    entries = [entry("best", "socket closes early"), entry("next", "socket closes"), entry("other", "filler text")]
    passages = Passages({"a": shelf(tmp_path / "a", entries), "b": shelf(tmp_path / "b", [entry("far", "socket")])})
    question, scopes = parse("socket closes early"), [Scope("a", "/a"), Scope("b", "/b")]
    hidden = passages.without({"a": frozenset(["best", "other"])})
    scores = {p.key: p.score for p in passages.search("a", question, 5)}
    assert {p.key: p.score for p in hidden.search("a", question, 1)} == {"next": scores["next"]}
    before, after = passages.evidence(question, scopes), hidden.evidence(question, scopes)
    assert before["a"].coverage == pytest.approx(1.0) and 0 < after["a"].coverage < 0.9
    assert after["b"] == before["b"] and hidden.rarity(question) == passages.rarity(question)
