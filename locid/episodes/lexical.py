"""The lexical index of one scope: the only importer of tantivy.

Terms. A *shelf* is one tantivy index; a scope has two, its chunks and its commits, since average length is kept a shelf
and a message is not as long as a passage. An *owner* is what is replaced as a whole: a file, or a commit. Each text field
stands twice, as exact tokens and as English stems of them. The *marker* is a stored document that carries the generation,
replaced in the same commit, because tantivy-py has no payload for a commit.
"""

from __future__ import annotations

import glob
import hashlib
import math
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tantivy

from locid.errors import Unavailable
from locid.values import Chunk, ChunkKind, Commit, FileClass

CLASSES: tuple[FileClass, ...] = ("shipped", "test", "example", "generated", "vendored", "docs")
KINDS: tuple[ChunkKind, ...] = ("doc", "code", "commit", "note")
SHELVES = ("chunks", "commits")
EXACT = {"body": "body_x", "names": "names_x", "path": "path_x"}
GRAMS = "grams"  # trigrams of names, headings and the file's name; documents only, since a name is short
STEMS = {"body": "body_s", "names": "names_s", "path": "path_s"}
HEAP_BYTES = 64_000_000  # tantivy wants 15 MB at least; merges of a first index are four times slower with that
EVERY = "1"  # the term that every document holds: its doc_freq is tantivy's own count, deleted documents included

Address = tantivy.DocAddress
Query = tantivy.Query
Near = Mapping[tuple[str, ...], float]  # the trigrams of a name that nothing holds -> what it would weigh
NEAR = 0.7  # share of a name's trigrams that make another name likely to be meant: one letter of ten changes three of eleven
_NONE: Near = {}


@dataclass(frozen=True, slots=True)
class Entry:
    """One document to index, its texts tokenised and joined by blanks."""

    id: str
    kind: int  # index into KINDS
    file_class: int  # index into CLASSES
    body: str
    names: str
    path: str
    grams: str = ""


def owner_of(path: str) -> str:
    """The key by which all documents of a file are replaced."""
    return hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def entry(chunk: Chunk, body: str, names: str, path: str, grams: str) -> Entry:
    """The document of a chunk, from its tokens."""
    return Entry(chunk.id.hex(), KINDS.index(chunk.kind), CLASSES.index(chunk.file_class), body, names, path, grams)


def commit_entry(commit: Commit, body: str, path: str) -> Entry:
    """The document of a commit, from the tokens of its message and of the paths it touched."""
    return Entry(commit.hash, KINDS.index("commit"), CLASSES.index("shipped"), body, "", path)


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("owner", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("every", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("generation", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("kind", fast=True, indexed=False)
    builder.add_unsigned_field("class", fast=True, indexed=False)
    for field in EXACT.values():
        builder.add_text_field(field, tokenizer_name="blanks", index_option="freq")
    builder.add_text_field(GRAMS, tokenizer_name="blanks", index_option="basic")
    for field in STEMS.values():
        builder.add_text_field(field, tokenizer_name="stems", index_option="freq")
    return builder.build()


SCHEMA = _schema()
_BLANKS = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
_STEMS = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).filter(tantivy.Filter.stemmer("english")).build()


def stems(tokens: Sequence[str]) -> list[str]:
    """The English stem of each token, as the index holds it."""
    return list(_STEMS.analyze(" ".join(tokens))) if tokens else []


def _register(index: tantivy.Index) -> tantivy.Index:
    index.register_tokenizer("blanks", _BLANKS)
    index.register_tokenizer("stems", _STEMS)
    return index


class ShelfWriter:
    """The writing side of one shelf; the indexer alone opens it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._index = _open_or_create(path)
        self._writer = self._new_writer()

    @property
    def generation(self) -> int:
        """The generation of the last commit; 0 for an empty shelf."""
        self._index.reload()
        return _generation(self._index.searcher())

    def replace(self, owner: str, entries: Iterable[Entry]) -> None:
        """Replaces what an owner contributed."""
        self._writer.delete_documents_by_term("owner", owner)
        for e in entries:
            self._writer.add_document(_document(owner, e))

    def add(self, owner: str, item: Entry) -> None:
        """Adds a document of an owner that the shelf cannot hold yet."""
        self._writer.add_document(_document(owner, item))

    def remove(self, owner: str) -> None:
        """Removes what an owner contributed."""
        self._writer.delete_documents_by_term("owner", owner)

    def commit(self, generation: int) -> None:
        """Makes all changes visible and durable, marked with the store's generation."""
        self._writer.delete_documents_by_term("id", "generation")
        marker = {"id": "generation", "every": EVERY, "generation": str(generation)}
        self._writer.add_document(tantivy.Document.from_dict(marker, SCHEMA))
        try:
            self._writer.commit()
        except ValueError:  # an orphan of a killed writer is in the way; collected, the commit goes through
            self._writer.garbage_collect_files()
            self._writer.commit()

    def close(self) -> None:
        """Waits for merges and releases the lock."""
        self._writer.wait_merging_threads()

    def _new_writer(self) -> tantivy.IndexWriter:
        writer = self._index.writer(heap_size=HEAP_BYTES, num_threads=1)
        writer.garbage_collect_files()  # a kill can leave a `.del` file that makes every later commit fail
        return writer


class ShelfReader:
    """The reading side of one shelf at one generation."""

    def __init__(self, path: str) -> None:
        try:
            self._index = _register(tantivy.Index.open(path))
        except ValueError as problem:
            raise Unavailable(f"{path} is missing or damaged ({problem}); `loci index` rebuilds it") from None
        self.searcher = self._index.searcher()
        self.generation = _generation(self.searcher)
        self.total = self.searcher.doc_freq("every", EVERY)
        self._frequencies: dict[tuple[str, str], int] = {}

    def frequency(self, field: str, term: str) -> int:
        """In how many documents a term stands, deleted ones counted until they are merged away."""
        key = (field, term)
        found = self._frequencies.get(key)
        if found is None:
            found = self._frequencies[key] = self.searcher.doc_freq(field, term)
        return found

    def search(self, query: Query, limit: int) -> list[tuple[float, Address]]:
        """Scores and addresses, best first."""
        return self.searcher.search(query, limit, count=False).hits

    def ids(self, addresses: Sequence[Address]) -> list[tuple[str, str]]:
        """The id and the owner of each document."""
        found = []
        for address in addresses:
            document = self.searcher.doc(address)
            found.append((str(document.get_first("id")), str(document.get_first("owner"))))
        return found

    def codes(self, field: str, addresses: Sequence[Address]) -> list[int]:
        """The kind or class of each document, as an index into KINDS or CLASSES."""
        return [int(v or 0) for v in self.searcher.fast_field_values(field, list(addresses))]


class Hiding(ShelfReader):
    """A shelf that finds all but some documents; they still count in its statistics."""

    def __init__(self, shelf: ShelfReader, ids: frozenset[str]) -> None:
        self.__dict__.update(shelf.__dict__)  # the same searcher, the same cache
        self._hidden = ids

    def search(self, query: Query, limit: int) -> list[tuple[float, Address]]:
        """Scores and addresses, best first."""
        found = super().search(query, limit + len(self._hidden))
        ids = self.ids([address for _, address in found])
        return [hit for hit, (id, _) in zip(found, ids, strict=True) if id not in self._hidden][:limit]


def weighted(reader: ShelfReader, weights: Mapping[tuple[str, str], float], near: Near = _NONE) -> Query | None:
    """Sum of BM25 parts whose document frequencies are those of all scopes; None when the shelf holds no term.

    `weights` gives field and term the global inverse document frequency times the field's weight; dividing by the
    shelf's own frequency takes that one out of tantivy's score.
    """
    clauses = []
    for (field, term), weight in weights.items():
        df = reader.frequency(field, term)
        if df and weight > 0:
            part = tantivy.Query.term_query(SCHEMA, field, term, "freq")
            clauses.append((tantivy.Occur.Should, tantivy.Query.boost_query(part, weight / idf(reader.total, df))))
    clauses += _near(near)
    return tantivy.Query.boolean_query(clauses) if clauses else None


def covering(reader: ShelfReader, weights: Mapping[tuple[str, str], float], near: Near = _NONE) -> Query | None:
    """Sum of the weights of the terms that a document holds; None when the shelf holds no term."""
    clauses = []
    for (field, term), weight in weights.items():
        if weight > 0 and reader.frequency(field, term):
            part = tantivy.Query.term_query(SCHEMA, field, term, "basic")
            clauses.append((tantivy.Occur.Should, tantivy.Query.const_score_query(part, weight)))
    clauses += _near(near)
    return tantivy.Query.boolean_query(clauses) if clauses else None


def _near(near: Near) -> list[tuple[tantivy.Occur, Query]]:
    """For each name's trigrams: the share of its weight that a document holds, when it holds enough of them."""
    found = []
    for grams, weight in near.items():
        each = weight / len(grams)
        parts = [tantivy.Query.term_query(SCHEMA, GRAMS, gram, "basic") for gram in grams]
        clauses = [(tantivy.Occur.Should, tantivy.Query.const_score_query(part, each)) for part in parts]
        least = math.ceil(NEAR * len(grams))
        found.append((tantivy.Occur.Should, tantivy.Query.boolean_query(clauses, least)))
    return found


def idf(total: int, df: int) -> float:
    """BM25's inverse document frequency, as tantivy computes it."""
    return math.log(1.0 + (total - df + 0.5) / (df + 0.5))


def discard_others(folder: str) -> None:
    """Removes the indexes of other formats that stand beside this one."""
    for path in glob.glob(os.path.join(glob.escape(os.path.dirname(folder)), "lexical-v*")):
        if path != folder:
            shutil.rmtree(path, ignore_errors=True)


def discard(path: str) -> None:
    """Removes a shelf, to be built anew from the store."""
    shutil.rmtree(path, ignore_errors=True)


def _document(owner: str, e: Entry) -> tantivy.Document:
    fields: dict[str, Any] = {
        "id": e.id,
        "owner": owner,
        "every": EVERY,
        "kind": e.kind,
        "class": e.file_class,
    }
    if e.grams:
        fields[GRAMS] = e.grams
    for name, text in (("body", e.body), ("names", e.names), ("path", e.path)):
        if text:
            fields[EXACT[name]] = text
            fields[STEMS[name]] = text
    return tantivy.Document.from_dict(fields, SCHEMA)


def _generation(searcher: tantivy.Searcher) -> int:
    query = tantivy.Query.term_query(SCHEMA, "id", "generation", "basic")
    hits = searcher.search(query, 1, count=False).hits
    return int(str(searcher.doc(hits[0][1]).get_first("generation"))) if hits else 0


def _open_or_create(path: str) -> tantivy.Index:
    os.makedirs(path, mode=0o700, exist_ok=True)
    try:
        return _register(tantivy.Index(SCHEMA, path=path))
    except ValueError:  # damaged, or of another schema: it is derived, so it is built anew
        discard(path)
        os.makedirs(path, mode=0o700)
        return _register(tantivy.Index(SCHEMA, path=path))
