"""The lexical index of one scope: the only importer of tantivy.

Terms. A *shelf* is one tantivy index. A scope has three: `chunks`; `files`, where each file has one document for the
whole of it and its past; `commits`. An *owner* is what is replaced as a whole: a file, or a commit. The *marker* is a
stored document that carries the generation, replaced in the same commit, because tantivy-py has no payload for a commit.

Chunks and files are scored by presence alone: each term that a document holds counts its weight, so that scores compare
over all scopes and one query serves them all. Commits are scored by BM25, since messages are one line or a page.
"""

from __future__ import annotations

import glob
import math
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import tantivy

from locid.errors import FULL, NoSpace, Unavailable
from locid.values import ChunkKind, FileClass

CLASSES: tuple[FileClass, ...] = ("shipped", "test", "example", "generated", "vendored", "docs")
KINDS: tuple[ChunkKind, ...] = ("doc", "code", "commit", "note")
GRAMS = "grams"  # trigrams of names, headings and the file's name; documents only, since a name is short
WHOLE = ("whole_1", "whole_2", "whole_3", "whole_4")
PAST = ("past_1", "past_2", "past_3")
HEAP_BYTES = 64_000_000  # tantivy wants 15 MB at least; merges of a first index are four times slower with that
META, MANAGED = "meta.json", ".managed.json"  # tantivy's lists of segments, and of the files that it may delete
EVERY = "1"  # the term that every document holds: its doc_freq is tantivy's own count, deleted documents included

Address = tantivy.DocAddress
Query = tantivy.Query
Near = Mapping[tuple[str, ...], float]  # the trigrams of a name that nothing holds -> what it would weigh
Weights = Mapping[tuple[str, str], float]  # (field, term) -> what it counts, or (stem, stem) for a pair
NEAR = 0.7  # share of a name's trigrams that make another name likely to be meant: one letter of ten changes three of eleven
_NEAR: Near = {}
_PAIRS: Weights = {}


class Broken(Unavailable):
    """The index cannot be read or written. It is derived: discarded, it is built anew from the store."""


@contextmanager
def _telling(path: str) -> Iterator[None]:
    """tantivy's errors, all of them ValueErrors, as NoSpace or Broken."""
    try:
        yield
    except ValueError as problem:
        raise _told(path, str(problem)) from None


def _told(path: str, problem: str) -> Unavailable:
    """A writer's thread that ended says nothing of why: with less than its buffer left, it was for want of space."""
    ended = "worker thread" in problem.lower() and shutil.disk_usage(os.path.dirname(path)).free < HEAP_BYTES
    if ended or any(f"os error {number})" in problem for number in FULL):
        return NoSpace(path)
    if "LockBusy" in problem:
        return Unavailable(f"{path}: another process writes into it; end that one")
    return Broken(f"{path} is missing or damaged ({problem}); `loci index` rebuilds it")


@dataclass(frozen=True, slots=True)
class Shelf:
    """The name of a shelf and its schema."""

    name: str
    schema: tantivy.Schema


def _schema(indexed: Mapping[str, str]) -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_bytes_field("id", stored=True, indexed=False)
    builder.add_text_field("owner", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("every", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("generation", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("marker", tokenizer_name="raw", index_option="basic")
    for field in ("file", "kind", "class"):
        builder.add_unsigned_field(field, fast=True, indexed=False)
    for field, option in indexed.items():
        builder.add_text_field(field, tokenizer_name="blanks", index_option=option)
    return builder.build()


def _basic(*fields: str) -> dict[str, str]:
    return dict.fromkeys(fields, "basic")


CHUNKS = Shelf("chunks", _schema({**_basic("body_x", "names_x", "names_s", GRAMS), "body_s": "position"}))
FILES = Shelf("files", _schema(_basic("path_x", "path_s", *WHOLE, *PAST)))
COMMITS = Shelf("commits", _schema(dict.fromkeys(("body_x", "body_s", "path_x", "path_s"), "freq")))

_BLANKS = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
_STEMS = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).filter(tantivy.Filter.stemmer("english")).build()


def stems(tokens: Sequence[str]) -> list[str]:
    """The English stem of each token."""
    return list(_STEMS.analyze(" ".join(tokens))) if tokens else []


@dataclass(frozen=True, slots=True)
class Entry:
    """One document: its id, the file it belongs to, and the text of each field, tokens joined by blanks."""

    id: bytes
    texts: Mapping[str, str]
    file: int = 0
    kind: ChunkKind = "code"
    file_class: FileClass = "shipped"

    def document(self, owner: str, shelf: Shelf) -> tantivy.Document:
        """The document as tantivy takes it."""
        fields: dict[str, Any] = {
            "id": self.id,
            "owner": owner,
            "every": EVERY,
            "file": self.file,
            "kind": KINDS.index(self.kind),
            "class": CLASSES.index(self.file_class),
        }
        fields.update((name, text) for name, text in self.texts.items() if text)
        return tantivy.Document.from_dict(fields, shelf.schema)


class ShelfWriter:
    """The writing side of one shelf; the indexer alone opens it."""

    def __init__(self, folder: str, shelf: Shelf) -> None:
        self._shelf, self._path = shelf, os.path.join(folder, shelf.name)
        with _telling(self._path):
            self._index = _open_or_create(self._path, shelf)
            self._writer = self._new_writer()

    @property
    def generation(self) -> int:
        """The generation of the last commit; 0 for an empty shelf, -1 for one that cannot be read."""
        try:
            self._index.reload()
            return _generation(self._index.searcher(), self._shelf)
        except ValueError:  # a file of it is gone
            return -1

    def replace(self, owner: str, entries: Iterable[Entry]) -> None:
        """Replaces what an owner contributed."""
        self.remove(owner)
        for entry in entries:
            self.add(owner, entry)

    def add(self, owner: str, entry: Entry) -> None:
        """Adds a document of an owner that the shelf cannot hold yet."""
        document = entry.document(owner, self._shelf)
        with _telling(self._path):
            self._writer.add_document(document)

    def remove(self, owner: str) -> None:
        """Removes what an owner contributed."""
        with _telling(self._path):
            self._writer.delete_documents_by_term("owner", owner)

    def commit(self, generation: int) -> None:
        """Makes all changes visible and durable, marked with the store's generation; NoSpace, Broken."""
        marker = {"id": b"", "marker": EVERY, "every": EVERY, "generation": str(generation)}
        with _telling(self._path):
            self._writer.delete_documents_by_term("marker", EVERY)
            self._writer.add_document(tantivy.Document.from_dict(marker, self._shelf.schema))
            try:
                self._writer.commit()
            except ValueError as problem:
                if "FileAlreadyExists" not in str(problem):  # what was added is lost, and would be to a second try
                    raise
                self._writer.garbage_collect_files()  # an orphan of a killed writer was in the way
                self._writer.commit()

    def close(self) -> None:
        """Waits for merges and releases the lock."""
        with suppress(ValueError):  # a merge that failed, on a full disk say, took nothing from what is committed
            self._writer.wait_merging_threads()

    def _new_writer(self) -> tantivy.IndexWriter:
        writer = self._index.writer(heap_size=HEAP_BYTES, num_threads=1)
        writer.garbage_collect_files()  # a kill can leave a `.del` file that makes every later commit fail
        return writer


class ShelfReader:
    """The reading side of one shelf at one generation."""

    def __init__(self, folder: str, shelf: Shelf) -> None:
        path = os.path.join(folder, shelf.name)
        self.shelf = shelf
        with _telling(path):
            self._index = _register(tantivy.Index.open(path))
            self.searcher = self._index.searcher()
            self.generation = _generation(self.searcher, shelf)
            self.total = self.searcher.doc_freq("every", EVERY)

    def frequency(self, field: str, term: str) -> int:
        """In how many documents a term stands, deleted ones counted until they are merged away."""
        return int(self.searcher.doc_freq(field, term))

    def search(self, query: Query, limit: int) -> list[tuple[float, Address]]:
        """Scores and addresses, best first."""
        return self.searcher.search(query, limit, count=False).hits

    def ids(self, addresses: Sequence[Address]) -> list[str]:
        """The id of each document, in hex."""
        return [bytes(self.searcher.doc(a).get_first("id")).hex() for a in addresses]  # type: ignore[arg-type]

    def numbers(self, field: str, addresses: Sequence[Address]) -> list[int]:
        """The file, kind or class of each document; the last two as an index into KINDS or CLASSES."""
        return [int(v or 0) for v in self.searcher.fast_field_values(field, list(addresses))]


class Hiding(ShelfReader):
    """A shelf that finds all but some documents; they still count in its statistics."""

    def __init__(self, shelf: ShelfReader, ids: frozenset[str]) -> None:
        self.__dict__.update(shelf.__dict__)  # the same searcher
        self._hidden = ids

    def search(self, query: Query, limit: int) -> list[tuple[float, Address]]:
        """Scores and addresses, best first."""
        found = super().search(query, limit + len(self._hidden))
        ids = self.ids([address for _, address in found])
        return [hit for hit, id in zip(found, ids, strict=True) if id not in self._hidden][:limit]


def present(shelf: Shelf, weights: Weights, pairs: Weights = _PAIRS, near: Near = _NEAR) -> Query | None:
    """Sum of the weights of what a document holds: terms, adjacent pairs of stems, names by their trigrams; None for none.

    It depends on no shelf's statistics: one query serves all scopes.
    """
    clauses = [_constant(_term(shelf, field, term), weight) for (field, term), weight in weights.items() if weight > 0]
    clauses += [_constant(_adjacent(shelf, pair), weight) for pair, weight in pairs.items() if weight > 0]
    clauses += [(tantivy.Occur.Should, _alike(shelf, grams, weight)) for grams, weight in near.items()]
    return tantivy.Query.boolean_query(clauses) if clauses else None


def weighted(reader: ShelfReader, weights: Weights) -> Query | None:
    """Sum of BM25 parts whose document frequencies are those of all scopes; None when the shelf holds no term.

    `weights` gives field and term the global inverse document frequency times the field's weight; dividing by the
    shelf's own frequency takes that one out of tantivy's score.
    """
    clauses = []
    for (field, term), weight in weights.items():
        df = reader.frequency(field, term)
        if df and weight > 0:
            part = tantivy.Query.boost_query(_term(reader.shelf, field, term, "freq"), weight / idf(reader.total, df))
            clauses.append((tantivy.Occur.Should, part))
    return tantivy.Query.boolean_query(clauses) if clauses else None


def idf(total: int, df: int) -> float:
    """BM25's inverse document frequency, as tantivy computes it."""
    return math.log(1.0 + (total - df + 0.5) / (df + 0.5))


def discard_others(folder: str) -> None:
    """Removes the indexes of other formats that stand beside this one."""
    for path in glob.glob(os.path.join(glob.escape(os.path.dirname(folder)), "lexical-v*")):
        if path != folder:
            shutil.rmtree(path, ignore_errors=True)


def discard(folder: str, shelf: Shelf) -> None:
    """Removes a shelf, to be built anew from the store."""
    shutil.rmtree(os.path.join(folder, shelf.name), ignore_errors=True)


def _term(shelf: Shelf, field: str, term: str, option: str = "basic") -> Query:
    return tantivy.Query.term_query(shelf.schema, field, term, option)


def _constant(query: Query, weight: float) -> tuple[tantivy.Occur, Query]:
    return tantivy.Occur.Should, tantivy.Query.const_score_query(query, weight)


def _adjacent(shelf: Shelf, pair: tuple[str, str]) -> Query:
    """Two stems side by side, in either order."""
    orders = (list(pair), list(reversed(pair)))
    phrases = [tantivy.Query.phrase_query(shelf.schema, "body_s", [*words]) for words in orders]
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, phrase) for phrase in phrases])


def _alike(shelf: Shelf, grams: Sequence[str], weight: float) -> Query:
    """A name's trigrams: the share of its weight that a document holds, when it holds enough of them."""
    clauses = [_constant(_term(shelf, GRAMS, gram), weight / len(grams)) for gram in grams]
    return tantivy.Query.boolean_query(clauses, math.ceil(NEAR * len(grams)))


def _register(index: tantivy.Index) -> tantivy.Index:
    index.register_tokenizer("blanks", _BLANKS)
    return index


def _generation(searcher: tantivy.Searcher, shelf: Shelf) -> int:
    hits = searcher.search(_term(shelf, "marker", EVERY), 1, count=False).hits
    return int(str(searcher.doc(hits[0][1]).get_first("generation"))) if hits else 0


def _open_or_create(path: str, shelf: Shelf) -> tantivy.Index:
    known = os.path.exists(os.path.join(path, META))
    if known and not os.path.exists(os.path.join(path, MANAGED)):  # without its list no old file is ever deleted
        shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path, mode=0o700, exist_ok=True)
    try:
        return _register(tantivy.Index(shelf.schema, path=path))
    except ValueError as problem:  # damaged, or of another schema: it is derived, so it is built anew
        if isinstance(_told(path, str(problem)), NoSpace):
            raise
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path, mode=0o700)
    return _register(tantivy.Index(shelf.schema, path=path))
