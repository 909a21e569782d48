"""Blocks of passages and messages: whatever goes in comes out, and a block is rewritten without what left it."""

import os
import random
import tempfile

from hypothesis import given, settings
from hypothesis import strategies as st

from locid import db, texts
from locid.layout import STORE_FORMAT
from locid.scopestore import Batch, Reader, Store
from locid.values import Chunk, Commit, FileBatch


def commit(number, time=None, message=""):
    return Commit(f"{number:040x}", number if time is None else time, f"subject {number}", message, (f"f{number}.py",))


def store(tmp_path):
    path = str(tmp_path / "scope" / "store.db")
    return path, Store(path)


def blocks(path, kind):
    """How many rows each block of a kind has."""
    connection = db.open_reader(path, STORE_FORMAT)
    return [row[0] for row in connection.execute(f"select rows from {kind.name} order by id")]


def test_a_few_commits_join_the_newest_block(tmp_path):
    """Two hundred runs of one commit each end in as many blocks as one run of all would."""
    path, writer = store(tmp_path)
    for number in range(200):
        writer.apply(Batch(commits=[commit(number)]))
    assert blocks(path, texts.COMMITS) == [64, 64, 64, 8]
    assert Reader(path).commits([f"{n:040x}" for n in range(200)]) == {f"{n:040x}": commit(n) for n in range(200)}


def test_dropped_commits_leave_their_blocks(tmp_path):
    """What is left of a block is found as before; a block of which nothing is left is gone."""
    path, writer = store(tmp_path)
    writer.apply(Batch(commits=[commit(n) for n in range(150)]))
    gone = {*range(64), 70, 149}
    writer.apply(Batch(dropped_commits=[f"{n:040x}" for n in gone]))
    left = {f"{n:040x}" for n in range(150) if n not in gone}
    assert writer.commit_hashes() == left == Reader(path).commits(left).keys()
    assert sum(blocks(path, texts.COMMITS)) == len(left) and len(blocks(path, texts.COMMITS)) == 2
    assert writer.lacks([f"{n:040x}" for n in range(66)]) == {f"{n:040x}" for n in range(64)}


def test_the_newest_commits(tmp_path):
    """They come by their time, wherever they stand, and never more than asked for."""
    path, writer = store(tmp_path)
    numbers = list(range(300))
    random.Random(3).shuffle(numbers)
    for start in range(0, 300, 75):
        writer.apply(Batch(commits=[commit(n) for n in numbers[start : start + 75]]))
    for count in (0, 1, 5, 100, 400):
        assert [c.time for c in Reader(path).newest(count)] == list(range(299, -1, -1))[:count]


def test_a_large_file_has_several_blocks(tmp_path):
    """Its passages come back in their order, each found by its key."""
    path, writer = store(tmp_path)
    chunks = tuple(
        Chunk(n.to_bytes(16, "big"), "a.md", "doc", n, n, os.urandom(1000).hex(), "docs") for n in range(200)
    )
    writer.apply(Batch(files=[FileBatch("a.md", 1, 1, b"d", "docs", "prose", chunks)]))
    assert len(blocks(path, texts.CHUNKS)) > 4
    assert list(dict(writer.chunks())["a.md"]) == list(chunks)
    assert [c.key for c in Reader(path).beginning("A", 3)] == [c.id for c in chunks[:3]]
    assert Reader(path).chunks([chunks[150].id])[chunks[150].id].text == chunks[150].text


def test_keys_that_begin_alike_are_told_apart(tmp_path):
    """The index holds the first eight bytes; the key decides."""
    path, writer = store(tmp_path)
    keys = [b"same-beg" + bytes([n]) * 8 for n in range(6)]
    files = [
        FileBatch(f"{n}.py", 1, 1, b"d", "shipped", "", (Chunk(key, f"{n}.py", "code", 1, 1, str(n), "shipped"),))
        for n, key in enumerate(keys)
    ]
    writer.apply(Batch(files=files))
    writer.apply(Batch(removed=["2.py"]))
    found = Reader(path).chunks([*keys, b"same-beg" + b"z" * 8])
    assert {key: chunk.text for key, chunk in found.items()} == {k: str(n) for n, k in enumerate(keys) if n != 2}


TEXT = st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from("\udc80\udcff")), max_size=30)
PASSAGE = st.tuples(
    st.sampled_from(["code", "doc"]), st.integers(0, 2**40), TEXT, TEXT, st.lists(st.sampled_from("ab"))
)
MESSAGE = st.builds(
    Commit,
    st.integers(0, 2**160 - 1).map(lambda n: f"{n:040x}"),
    st.integers(0, 2**40),
    TEXT,
    TEXT,
    st.lists(TEXT).map(tuple),
    st.lists(st.tuples(st.just("jwt"), st.integers(1, 9)), max_size=1).map(tuple),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(PASSAGE), st.lists(MESSAGE, unique_by=lambda c: c.hash))
def test_whatever_is_said_comes_back(passages, messages):
    """Any text, bytes that are no UTF-8 and line ends among it, is stored and read as it is."""
    chunks = tuple(
        Chunk(n.to_bytes(16, "little"), "a.py", kind, line, line, said, "shipped", symbol, "", tuple(names))
        for n, (kind, line, said, symbol, names) in enumerate(passages)
    )
    with tempfile.TemporaryDirectory() as folder:
        writer = Store(os.path.join(folder, "store.db"))
        writer.apply(Batch(files=[FileBatch("a.py", 1, 1, b"d", "shipped", "", chunks)], commits=messages))
        assert dict(writer.chunks()) == {"a.py": chunks}
        assert {c.hash: c for c in writer.commits()} == {c.hash: c for c in messages}
        writer.close()
