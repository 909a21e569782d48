"""The lexical index: replaced by owner, marked with its generation, scored alike over all scopes."""

import os

import pytest

from locid import tokenizer
from locid.chunk import Builder
from locid.episodes import documents, lexical
from locid.episodes.lexical import Entry, ShelfReader, ShelfWriter
from locid.episodes.passages import Passages, ScopeIndex
from locid.episodes.statistics import Statistics
from locid.episodes.terms import TermsReader
from locid.errors import Unavailable
from locid.refresh.derived import Derived, bare
from locid.route.question import parse
from locid.values import Scope


def entry(id: str, body: str) -> Entry:
    return Entry(id.encode(), {"body_x": body, "body_s": body})


def scope(folder, files, past=None, classes=None):
    """A scope's derived stores made of files: path -> texts of its chunks; a chunk's name is its first word."""
    derived = Derived(str(folder))
    for path, texts in files.items():
        builder = Builder(path, "code", (classes or {}).get(path, "shipped"))
        for text in texts:
            builder.add(text, 1, 1, symbol=text.split()[0], names=[text.split()[0]])
        batch = bare(path, tuple(builder.chunks))
        derived.replace(batch, documents.of_file(batch), (past or {}).get(path, ()))
    derived.commit_files(1)
    derived.close()
    return str(folder)


def passages(**folders):
    indexes = {
        id: ScopeIndex(ShelfReader(f, lexical.CHUNKS), ShelfReader(f, lexical.FILES)) for id, f in folders.items()
    }
    return Passages(indexes, Statistics({id: TermsReader(f, 1) for id, f in folders.items()}))


def scopes(*ids):
    return [Scope(id, f"/x/{id}") for id in ids]


def paths(found, folders):
    """The file of each passage, from its owner."""
    from locid.histories import key_of

    known = {str(int(key_of(p), 16)): p for p in folders}
    return [known[p.owner] for p in found]


def test_an_owner_is_replaced_and_removed(tmp_path):
    """Replacing an owner leaves only its new documents; removing it leaves none."""
    writer = ShelfWriter(str(tmp_path), lexical.CHUNKS)
    writer.replace("a", [entry("1", "alpha"), entry("2", "beta")])
    writer.replace("b", [entry("3", "alpha")])
    writer.commit(1)
    writer.replace("a", [entry("4", "gamma")])
    writer.remove("b")
    writer.commit(2)
    writer.close()
    reader = ShelfReader(str(tmp_path), lexical.CHUNKS)
    assert reader.generation == 2
    assert found(reader, "gamma") == [b"4".hex()]
    assert found(reader, "alpha") == []


def found(reader, token):
    query = lexical.present(reader.shelf, {("body_x", token): 1.0})
    return reader.ids([address for _, address in reader.search(query, 10)])


def test_a_damaged_index_is_told_and_built_anew(tmp_path):
    """Without its meta file an index is unavailable to a reader, and empty to the next writer."""
    writer = ShelfWriter(str(tmp_path), lexical.CHUNKS)
    writer.commit(1)
    writer.close()
    os.remove(tmp_path / "chunks" / "meta.json")
    with pytest.raises(Unavailable, match="loci index"):
        ShelfReader(str(tmp_path), lexical.CHUNKS)
    writer = ShelfWriter(str(tmp_path), lexical.CHUNKS)
    assert writer.generation == 0
    writer.close()


def test_scores_compare_across_scopes(tmp_path):
    """The same file gets the same score in a scope where its word is common and in one where it is rare."""
    hit = {"hit.py": ["socket closes early"]}
    rare = scope(tmp_path / "r", {**hit, **{f"r{i}.py": [f"filler text {i}x"] for i in range(40)}})
    common = scope(tmp_path / "c", {**hit, **{f"c{i}.py": [f"socket text {i}x"] for i in range(40)}})
    held = passages(rare=rare, common=common)
    best = [held.search(id, parse("socket closes early"), 5)[0] for id in ("rare", "common")]
    assert best[0].key == best[1].key
    assert best[0].score == pytest.approx(best[1].score, rel=1e-6)


def test_coverage_is_the_share_of_the_weight_in_one_passage(tmp_path):
    """Words that meet in one passage cover the question; the same words apart do not."""
    apart = scope(tmp_path / "a", {"a.py": ["x cookie jar", "x expired domain"]})
    together = scope(tmp_path / "t", {"a.py": ["x cookie domain", "x expired jar"]})
    held = passages(apart=apart, together=together).evidence(parse("the cookie domain"), scopes("apart", "together"))
    assert held["together"].coverage >= 1.0
    assert held["apart"].coverage == pytest.approx(0.5, abs=0.05)


def test_neighbours_count(tmp_path):
    """Of two passages with the same words the one where two stand side by side comes first, in either order."""
    files = {"far.py": ["x hash unrelated collision"], "near.py": ["x unrelated collision hash"]}
    held = passages(s=scope(tmp_path / "s", files))
    assert paths(held.search("s", parse("hash collisions"), 5), files) == ["near.py", "far.py"]


def test_a_file_answers_for_its_chunks(tmp_path):
    """Of two equal passages the one whose file says the rest of the question elsewhere comes first."""
    files = {"a.py": ["x retry", "x banana"], "b.py": ["x retry", "x jitter"]}
    held = passages(s=scope(tmp_path / "s", files))
    assert paths(held.search("s", parse("jitter of the retry"), 5), files)[0] == "b.py"


def test_the_past_of_a_file_counts(tmp_path):
    """Of two equal files the one whose commits told of the question's words comes first."""
    files = {"a.py": ["x retry"], "b.py": ["x retry"]}
    held = passages(s=scope(tmp_path / "s", files, past={"b.py": ["avoid thunder herd", "retri"]}))
    assert paths(held.search("s", parse("retry thunder"), 5), files)[0] == "b.py"


def test_tests_weigh_less(tmp_path):
    """Of two equal passages the shipped one stands before the test's."""
    files = {"a.py": ["x retry delay"], "b.py": ["x retry delay"]}
    held = passages(s=scope(tmp_path / "s", files, classes={"a.py": "test"}))
    assert paths(held.search("s", parse("retry delay"), 2), files) == ["b.py", "a.py"]


def test_a_misspelt_identifier_finds_its_chunk(tmp_path):
    """An identifier that nothing holds is looked for by its trigrams, and covers what it was meant to."""
    near = {"hit.py": ["retry_delay seconds"], "other.py": ["retry_all later"]}
    far = {f"f{i}.py": [f"name_{i}x retry text"] for i in range(30)}
    held = passages(near=scope(tmp_path / "n", near), far=scope(tmp_path / "f", far))
    for text in ("retry_delai", "what is retryDelay", "where is retry_dellay set"):
        question = parse(text)
        assert paths(held.search("near", question, 5), near)[0] == "hit.py"
        evidence = held.evidence(question, scopes("near", "far"))
        assert evidence["near"].coverage > 0.5 > evidence["far"].coverage


def test_what_is_held_is_not_looked_for_by_trigrams(tmp_path):
    """A question whose identifiers are held, or which has none, scores as if there were no trigrams."""
    files = {"a.py": ["retry_delay x"], "b.py": ["retry_delax words"]}
    held = passages(s=scope(tmp_path / "s", files))
    assert paths(held.search("s", parse("retry_delay"), 5), files)[0] == "a.py"
    assert held._near(parse("delais retri_ng")) != {} == held._near(parse("retry_delay words delais"))


def test_only_likely_scopes_are_looked_at(tmp_path):
    """Among many scopes passages are read of those that hold the words, and of those that must be."""
    many = {f"s{i}": scope(tmp_path / f"s{i}", {"a.py": [f"word{i} common text"]}) for i in range(30)}
    held = passages(**many)
    looked_at = held.evidence(parse("word7 of the text"), scopes(*many), ["s29"])
    assert {"s7", "s29"} <= set(looked_at) and len(looked_at) <= 17
    assert max(looked_at, key=lambda id: looked_at[id].best) == "s7"


def test_frequencies_follow_what_is_replaced_and_removed(tmp_path):
    """Counts of terms are exact after a file was replaced and another removed, and after the table was opened again."""
    folder = scope(tmp_path, {"a.py": ["alpha one", "alpha two"], "b.py": ["alpha three"]})
    derived = Derived(folder)
    old = {"a.py": ["alpha one", "alpha two"], "b.py": ["alpha three"]}
    for path, texts in old.items():
        derived.withdraw([(path, chunks_of(path, texts))])
    batch = bare("a.py", chunks_of("a.py", ["beta alpha"]))
    derived.replace(batch, documents.of_file(batch), ())
    derived.remove("b.py")
    derived.commit_files(2)
    derived.close()
    table = TermsReader(folder, 2)
    from locid.episodes.terms import key_array

    assert table.passages == 1
    assert list(table.counts(key_array("x", ["alpha", "beta", "one", "three"]))) == [1, 1, 0, 0]


def chunks_of(path, texts):
    builder = Builder(path, "code", "shipped")
    for text in texts:
        builder.add(text, 1, 1, symbol=text.split()[0], names=[text.split()[0]])
    return tuple(builder.chunks)


def test_a_damaged_table_of_terms_is_told(tmp_path):
    """A table that is cut short or gone is unavailable to a reader, and its writer says that it must be built anew."""
    folder = scope(tmp_path, {"a.py": ["alpha one"]})
    path = os.path.join(folder, "terms-1")
    with open(path, "r+b") as file:
        file.truncate(40)
    with pytest.raises(Unavailable, match="loci index"):
        TermsReader(folder, 1)
    derived = Derived(folder)
    assert derived.files_generation is None
    derived.close()


def test_levels_follow_how_much_a_stem_stands_out():
    """A stem that a short text repeats is in a higher level than one that a long text says once."""
    low = next(i for i, level in enumerate(documents.WHOLE.of(["x"] + ["y"] * 900)) if "x" in level.split())
    high = next(i for i, level in enumerate(documents.WHOLE.of(["x"] * 6 + ["y"] * 3)) if "x" in level.split())
    assert low < high == len(documents.WHOLE.least) - 1


def test_tokens_of_a_chunk_are_those_of_a_question():
    """What a question is made of is found in what a chunk is made of."""
    words = documents.of_file(bare("a.py", chunks_of("a.py", ["getHTTPResponse retries running"]))).chunks[0]
    question = parse("getHTTPResponse retry runs")
    assert set(tokenizer.tokens("getHTTPResponse")) <= set(words.exact.split())
    assert set(documents.stemmed(question.weighed)) <= set(words.stems.split())


def test_hidden_passages_are_found_by_nothing_and_counted_as_before(tmp_path):
    """What is hidden neither ranks nor covers, the rest keeps its scores, and the open passages see all of it."""
    files = {"best.py": ["x socket closes early"], "next.py": ["x socket closes"], "other.py": ["x filler text"]}
    held = passages(a=scope(tmp_path / "a", files), b=scope(tmp_path / "b", {"far.py": ["x socket"]}))
    question = parse("socket closes early")
    scores = {p.key: p.score for p in held.search("a", question, 5)}
    best = held.search("a", question, 1)[0].key
    hidden = held.without({"a": frozenset([best])})
    found = {p.key: p.score for p in hidden.search("a", question, 5)}
    assert found == {key: score for key, score in scores.items() if key != best}
    before, after = (h.evidence(question, scopes("a", "b")) for h in (held, hidden))
    assert before["a"].coverage >= 1.0 and 0 < after["a"].coverage < 0.9
    assert after["b"] == before["b"] and hidden.rarity(question) == held.rarity(question)
