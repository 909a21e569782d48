"""Stores of older formats: what is in them is there after the migration, in the new form."""

import json
import os
import sqlite3
import zlib

import msgpack
import pytest

from locid import db
from locid.formats import MIGRATIONS
from locid.histories import key_of
from locid.scopestore import Batch, Reader, Store
from locid.values import Chunk, Commit, FileBatch, Reference, Symbol

CHUNK = Chunk(b"k" * 16, "a.py", "code", 3, 9, "def a():\n    'ü\udc80'", "shipped", "a", "", ("a", "b"))
COMMIT = Commit("c" * 40, 1_700_000_000, "subject", "body", ("a.py",), (("jwt", 2),))


def of_format(tmp_path, number, fill):
    """A store as that format had it."""
    path = str(tmp_path / "store.db")
    raw = sqlite3.connect(path)
    for statements in MIGRATIONS[:number]:
        raw.executescript(statements)
    raw.execute(f"pragma user_version = {number}")
    raw.execute("insert into files values (1, 'a.py', 5, 6, x'01', 'shipped', 'python', null, null)")
    text = zlib.compress(CHUNK.text.encode("utf-8", "surrogateescape"))
    row = (CHUNK.id, 1, "code", 3, 9, "a", "", "a\nb", text, len(CHUNK.text))
    raw.execute(f"insert into chunks values (1, {','.join('?' * len(row))})", row)
    raw.execute("insert into meta values ('generation', 7)")
    fill(raw)
    raw.commit()
    raw.close()
    return path


def second(raw):
    """What format 2 holds beside."""
    rest = zlib.compress(json.dumps([COMMIT.body, COMMIT.files]).encode())
    row = (bytes.fromhex(COMMIT.hash), COMMIT.time, COMMIT.subject, rest, json.dumps(dict(COMMIT.redactions)))
    raw.execute("insert into commits values (1, ?, ?, ?, ?, ?)", row)
    raw.executemany("insert into names values (?, ?)", [(1, ""), (2, "a"), (3, "b"), (9, "far")])
    raw.execute("insert into symbols values (1, 0, 2, 1, 'function', 3, 9)")
    raw.execute("insert into details values (1, ?)", (zlib.compress(b"def a()\tSays a."),))
    for name, line in ((3, 4), (9, 5)):
        raw.execute("insert into refs values (?, 1, ?)", (name, msgpack.packb([line, 0, 1])))


@pytest.mark.parametrize("number", [2, 3])
def test_an_older_format_is_packed(tmp_path, number):
    """Passages, messages, symbols and references are all there; a file that is removed takes its own with it."""
    path = of_format(tmp_path, number, second)
    writer = Store(path)
    reader = Reader(path)
    assert reader.generation == 7
    (found,) = reader.chunks([CHUNK.id]).values()
    given = (found.path, found.line_start, found.line_end, found.text, found.symbol, found.names)
    assert given == ("a.py", 3, 9, CHUNK.text, "a", ("a", "b"))
    assert reader.commits([COMMIT.hash]) == {COMMIT.hash: COMMIT}
    assert reader.facts().redactions == {"jwt": 2}
    assert dict(writer.histories([key_of("a.py")])) == {key_of("a.py"): (COMMIT.hash,)}
    assert [at.symbol for at in reader.symbols_named("a")] == [Symbol("a", "a", "function", 3, 9, "def a()", "Says a.")]
    assert [at.reference for at in reader.references_to("far")] == [Reference("far", "call", 5, "a")]
    writer.apply(Batch(removed=["a.py"]))
    assert Reader(path).references_to("far") == Reader(path).references_to("b") == []
    assert Reader(path).facts().chunks == 0


def test_format_1_is_filled_again_and_answers_meanwhile(tmp_path):
    """It keeps its passages, but each of its files counts as never read, and the history is read again."""
    path = of_format(tmp_path, 1, lambda raw: None)
    writer = Store(path)
    (known,) = writer.known().values()
    assert (known.size, known.mtime_ns, known.digest) == (5, -1, b"")
    assert Reader(path).chunks([CHUNK.id])[CHUNK.id].text == CHUNK.text
    writer.apply(
        Batch(files=[FileBatch("a.py", 1, 2, b"d", "shipped", "python", symbols=(Symbol("x", "x", "f", 1, 1),))])
    )
    assert len(Reader(path).symbols_named("x")) == 1


def test_what_an_older_format_took_is_given_back(tmp_path):
    """The file of a migrated store has no pages that nothing uses."""

    def much(raw):
        second(raw)
        for number in range(2, 3000):
            text = zlib.compress(os.urandom(300).hex().encode())
            row = (number.to_bytes(16, "big"), 1, "code", 1, 1, "", "", "", text, 600)
            raw.execute(f"insert into chunks values ({number}, {','.join('?' * len(row))})", row)

    path = of_format(tmp_path, 2, much)
    Store(path).close()
    with sqlite3.connect(path) as raw:
        assert raw.execute("pragma freelist_count").fetchone() == (0,)


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path):
    """A passage that cannot be read ends it; the steps before it hold, and the store is whole."""
    path = of_format(tmp_path, 2, second)
    raw = sqlite3.connect(path)
    raw.execute("update chunks set text = x'00'")
    raw.commit()
    with pytest.raises(db.Damaged):
        Store(path)
    assert raw.execute("pragma user_version").fetchone() == (3,)
    assert raw.execute("select count(*) from commits").fetchone() == (1,)
