"""store.db: what goes in comes out, whole, at one generation."""

import sqlite3

import pytest

from locid.errors import Refused, Unavailable
from locid.scopestore import Batch, Reader, Store, git_meta
from locid.values import Chunk, Commit, FileBatch, GitState


def chunk(path: str, text: str, start: int = 1) -> Chunk:
    end = start + text.count("\n")
    return Chunk(text.encode().ljust(16, b"\0")[:16], path, "code", start, end, text, "shipped", "f", "", ("f", "g"))


def file(path: str, *texts: str, digest: bytes = b"d") -> FileBatch:
    chunks = tuple(chunk(path, t) for t in texts)
    return FileBatch(path, 10, 20, digest, "shipped", "python", chunks, redactions=(("jwt", 1),))


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "scope" / "store.db")


def test_a_file_is_replaced_whole(path):
    """A second batch for a file leaves nothing of the first."""
    store = Store(path)
    assert store.apply(Batch(files=[file("a.py", "one", "two")])) == 1
    assert store.apply(Batch(files=[file("a.py", "three")])) == 2
    reader = Reader(path)
    assert reader.chunks([b"one".ljust(16, b"\0")]) == {}
    (found,) = reader.chunks([b"three".ljust(16, b"\0")]).values()
    assert (found.path, found.text, found.names, found.file_class) == ("a.py", "three", ("f", "g"), "shipped")
    assert reader.facts().chunks == 1


def test_a_reader_sees_one_generation(path):
    """What is committed after a reader was opened stays invisible to it."""
    store = Store(path)
    store.apply(Batch(files=[file("a.py", "one")]))
    reader = Reader(path)
    store.apply(Batch(removed=["a.py"]))
    assert reader.generation == 1 and reader.facts().files == 1
    assert Reader(path).generation == 2 and Reader(path).facts().files == 0


def test_a_failed_batch_changes_nothing(path):
    """An error in the middle of a batch leaves generation and rows as they were."""
    store = Store(path)
    store.apply(Batch(files=[file("a.py", "one")]))
    with pytest.raises(ValueError):
        store.apply(Batch(removed=["a.py"], files=[file("b.py", "two")], commits=[Commit("no hash", 1, "", "", ())]))
    assert store.generation == 1
    assert set(store.known()) == {"a.py"}


def test_commits_and_meta_come_back(path):
    """A commit's body and files, and the work tree's state, are what was stored."""
    store = Store(path)
    commit = Commit("c" * 40, 1_700_000_000, "subject", "body\nmore", ("a.py", "ü.py"))
    store.apply(Batch(commits=[commit], meta=git_meta(GitState("c" * 40, "main", dirty=True))))
    store.record(store.summary({"ignored": 3}))
    reader = Reader(path)
    assert reader.commits(["c" * 40]) == {"c" * 40: commit}
    facts = reader.facts()
    assert (facts.branch, facts.dirty, facts.commits, facts.skipped) == ("main", True, 1, {"ignored": 3})
    store.apply(Batch(dropped_commits=["c" * 40]))
    assert Reader(path).commits(["c" * 40]) == {}


def test_a_newer_format_is_left_alone(path):
    """A store of an unknown newer number is refused with a sentence, by reader and writer, and not changed."""
    Store(path).close()
    raw = sqlite3.connect(path)
    raw.execute("pragma user_version = 99")
    raw.close()
    for opened in (Reader, Store):
        with pytest.raises(Refused, match="newer loci"):
            opened(path)


def test_a_missing_store_is_told(path):
    """Reading a store that is not there says what builds it."""
    with pytest.raises(Unavailable, match="loci index"):
        Reader(path)
