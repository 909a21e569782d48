"""All that is derived from a scope's store, kept at the store's generation: three shelves and the table of terms.

Whoever changes the store says here what changed, then commits with the store's new generation. What does not carry that
generation afterwards, as after a kill between the two commits or when a file of it is lost, is built anew from the store.
"""

from __future__ import annotations

from collections.abc import Iterable

from locid.episodes import documents, lexical
from locid.episodes.documents import CommitWords, FileWords
from locid.episodes.lexical import Entry, Shelf, ShelfWriter
from locid.episodes.terms import TermsWriter
from locid.histories import key_of
from locid.values import Chunk, Commit, FileBatch


class Derived:
    """The writing side of what is derived from one scope's store."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._chunks = ShelfWriter(folder, lexical.CHUNKS)
        self._files = ShelfWriter(folder, lexical.FILES)
        self._commits = ShelfWriter(folder, lexical.COMMITS)
        self._terms = TermsWriter(folder)

    @property
    def files_generation(self) -> int | None:
        """The generation of what is derived from files; None when its parts disagree."""
        found = {self._chunks.generation, self._files.generation, self._terms.generation}
        return found.pop() if len(found) == 1 else None

    @property
    def history_generation(self) -> int:
        """The generation of the commits' shelf."""
        return self._commits.generation

    def replace(self, batch: FileBatch, words: FileWords, past: Iterable[str]) -> None:
        """A file's chunks, and the whole of it with its past; what it held before must have been withdrawn.

        `past` gives the stems of the messages of its newest commits.
        """
        key = key_of(batch.path)
        rows = zip(batch.chunks, words.chunks, strict=True)
        self._chunks.replace(key, [_chunk_entry(int(key, 16), chunk, each) for chunk, each in rows])
        self._terms.change(words.tally())
        self.replace_whole(key, words, past)

    def replace_whole(self, key: str, words: FileWords, past: Iterable[str]) -> None:
        """The whole of a file whose past alone has changed."""
        texts = {
            **dict(zip(lexical.WHOLE, words.whole, strict=True)),
            **dict(zip(lexical.PAST, documents.past(past), strict=True)),
            "path_x": words.path,
            "path_s": words.path_stems,
        }
        self._files.replace(key, [Entry(b"", texts, int(key, 16))])

    def withdraw(self, files: Iterable[tuple[str, tuple[Chunk, ...]]]) -> None:
        """Takes back what files that are about to be replaced or removed had told of terms."""
        for path, chunks in files:
            self._terms.change(documents.of_file(bare(path, chunks)).tally().negated())

    def remove(self, path: str) -> None:
        """All documents of a file that is gone; its terms must have been withdrawn."""
        key = key_of(path)
        self._chunks.remove(key)
        self._files.remove(key)

    def add_commit(self, commit: Commit, words: CommitWords) -> None:
        """A commit that the shelf does not hold yet."""
        texts = {"body_x": words.body, "body_s": words.stems, "path_x": words.path, "path_s": words.path_stems}
        self._commits.add(commit.hash, Entry(bytes.fromhex(commit.hash), texts, kind="commit"))

    def drop_commit(self, hash: str) -> None:
        """A commit that a rewrite of history dropped."""
        self._commits.remove(hash)

    def commit_files(self, generation: int) -> None:
        """Makes what files told visible, at the store's generation; the terms first, since a reader comes by the chunks."""
        self._terms.commit(generation)
        self._files.commit(generation)
        self._chunks.commit(generation)

    def commit_history(self, generation: int) -> None:
        """Makes the commits visible, at the generation at which commits last changed."""
        self._commits.commit(generation)

    def forget_files(self) -> None:
        """Drops what files told, before it is built anew."""
        self._chunks, self._files = self._anew(self._chunks, lexical.CHUNKS), self._anew(self._files, lexical.FILES)
        self._terms.clear()

    def forget_history(self) -> None:
        """Drops the commits' shelf, before it is built anew."""
        self._commits = self._anew(self._commits, lexical.COMMITS)

    def close(self) -> None:
        """Waits for merges and releases the locks."""
        for shelf in (self._chunks, self._files, self._commits):
            shelf.close()

    def _anew(self, writer: ShelfWriter, shelf: Shelf) -> ShelfWriter:
        writer.close()
        lexical.discard(self._folder, shelf)
        return ShelfWriter(self._folder, shelf)


def bare(path: str, chunks: tuple[Chunk, ...]) -> FileBatch:
    """A stored file with its chunks alone, which is all that documents are made of."""
    return FileBatch(path, 0, 0, b"", "shipped", "", chunks)


def _chunk_entry(file: int, chunk: Chunk, words: documents.ChunkWords) -> Entry:
    texts = {
        "body_x": words.exact,
        "body_s": words.stems,
        "names_x": words.names,
        "names_s": words.name_stems,
        lexical.GRAMS: words.grams,
    }
    return Entry(chunk.id, texts, file, chunk.kind, chunk.file_class)
