"""Symbols, references and imports in store.db: what goes in comes out, per file, and leaves with it."""

import os
import sqlite3

from hypothesis import given, settings
from hypothesis import strategies as st

from locid.episodes.documents import FileWords
from locid.refresh import messages
from locid.refresh.messages import PreparedFile
from locid.scopestore import Batch, Reader, Store
from locid.values import FileBatch, Import, Reference, Symbol

SYMBOLS = (
    Symbol("A", "A", "class", 1, 9, "class A(B)", "Says A."),
    Symbol("run", "A.run", "method", 2, 5, "def run(self)"),
    Symbol("run", "run", "function", 11, 12, "def run()", "Tab\tinside."),
)
REFERENCES = (
    Reference("B", "inherit", 1, "A"),
    Reference("go", "call", 3, "A.run"),
    Reference("go", "call", 4, "A.run"),
    Reference("go", "use", 12, "elsewhere"),
    Reference("go", "call", 14),
)
IMPORTS = (Import("os.path", (("*", "p"), ("join", "")), 1), Import("sys", (), 2))


def file(path, symbols=SYMBOLS, references=REFERENCES, imports=IMPORTS):
    return FileBatch(path, 1, 2, b"d", "shipped", "python", symbols=symbols, references=references, imports=imports)


def store(tmp_path, *files):
    path = str(tmp_path / "scope" / "store.db")
    Store(path).apply(Batch(files=files))
    return path


def test_what_a_file_tells_comes_back(tmp_path):
    """Symbols by name with all that is known of them, references with the definition around them, imports in order."""
    reader = Reader(store(tmp_path, file("b.py"), file("a.py")))
    found = [(at.path, at.symbol) for at in reader.symbols_named("run")]
    assert found == [(path, s) for path in ("a.py", "b.py") for s in SYMBOLS[1:]]
    assert [at.symbol for at in reader.symbols_named("A.run")] == [SYMBOLS[1]] * 2
    assert [(at.path, at.reference) for at in reader.references_to("go")] == [
        (path, r) for path in ("a.py", "b.py") for r in REFERENCES[1:]
    ]
    assert [at.reference for at in reader.references_to("B")] == [REFERENCES[0]] * 2
    assert [at.imported for at in reader.imports()] == [*IMPORTS, *IMPORTS]
    assert reader.symbols_named("none") == reader.references_to("none") == []


def test_a_file_takes_all_it_told_with_it(tmp_path):
    """Replaced or removed, nothing is left of what its syntax told; the rest stays."""
    path = store(tmp_path, file("a.py"), file("b.py"))
    writer = Store(path)
    writer.apply(Batch(files=[file("a.py", SYMBOLS[:1], (), ())], removed=["b.py"]))
    reader = Reader(path)
    assert reader.symbols_named("run") == reader.references_to("go") == list(reader.imports()) == []
    assert [at.symbol for at in reader.symbols_named("A")] == [SYMBOLS[0]]
    writer.apply(Batch(removed=["a.py"]))
    raw = sqlite3.connect(path)
    for table in ("symbols", "details", "refs", "imports"):
        assert raw.execute(f"select count(*) from {table}").fetchone() == (0,)


_NAME = st.sampled_from(["a", "b", "Ab", "ü", "x" * 90])
_SYMBOL = st.builds(
    Symbol,
    _NAME,
    st.just(""),
    st.sampled_from(["class", "function"]),
    st.integers(1, 9),
    st.integers(9, 99),
    _NAME,
    _NAME,
)
_REFERENCE = st.builds(
    Reference, _NAME, st.sampled_from(["call", "use", "inherit", "decorate"]), st.integers(1, 70_000), _NAME
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(_SYMBOL, _NAME)), st.lists(_REFERENCE), st.booleans())
def test_any_outline_comes_back(symbols, references, nested):
    """Whatever a file tells comes back the same, over the pipe and from the store."""
    import tempfile

    given = tuple(
        Symbol(s.name, f"{p}.{s.name}" if nested else s.name, s.kind, s.line_start, s.line_end, s.signature, s.doc)
        for s, p in symbols
    )
    ordered = tuple(sorted(set(references), key=lambda r: (r.line, r.kind, r.within)))
    batch = file("a.py", given, ordered)
    packed = messages.msgpack.packb(messages.pack_file(PreparedFile(batch, FileWords((), (), "", "", b"", b""))))
    assert messages.unpack_file(messages.msgpack.unpackb(packed)).batch == batch
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "store.db")
        Store(path).apply(Batch(files=[batch]))
        reader = Reader(path)
        for name in {s.name for s in given}:
            assert [at.symbol for at in reader.symbols_named(name)] == [s for s in given if s.name == name]
        for name in {r.name for r in ordered}:
            assert [at.reference for at in reader.references_to(name)] == [r for r in ordered if r.name == name]
        reader.close()
