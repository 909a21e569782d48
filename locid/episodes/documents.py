"""What the lexical index takes of files and commits, as tokens and stems. Pure but for a cache of stems.

Three kinds of document answer for a file: its chunks, each alone; the whole of it; and its past, the messages of the
newest commits that touched it and few other files. In a chunk a term is there or is not: at most 40 lines say it, and
counting how often, or weighing by length, brought nothing. In a whole file and in its past it matters how much a stem
stands out, so each stem is put into one of several levels by its impact

    impact = tf x (K1 + 1) / (tf + K1 x (1 - b + b x length / TYPICAL))

which is BM25's, with a typical length that is the same for all scopes, so that what is indexed once compares everywhere.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from locid import tokenizer
from locid.episodes import lexical, terms
from locid.values import Chunk, Commit, FileBatch

K1 = 1.2
TOUCHED = 50  # paths of a commit that its own document holds
_CACHED = 500_000
_stems: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Levels:
    """How impacts are put into levels: the least impact of each level, and what it counts for."""

    b: float
    typical: float
    least: tuple[float, ...]
    worth: tuple[float, ...]

    def of(self, stems: Iterable[str]) -> tuple[str, ...]:
        """The stems of each level, joined by blanks."""
        counts = Counter(stems)
        norm = K1 * (1 - self.b + self.b * counts.total() / self.typical)
        # the tf whose impact is the least of each level
        enough = [norm * least / (K1 + 1 - least) for least in self.least]
        levels: list[list[str]] = [[] for _ in self.least]
        for stem, tf in counts.items():
            level = bisect_right(enough, tf) - 1
            if level >= 0:
                levels[level].append(stem)
        return tuple(" ".join(level) for level in levels)


WHOLE = Levels(0.6, 350.0, (0.25, 0.6, 1.1, 1.6), (0.42, 0.85, 1.35, 1.85))
PAST = Levels(0.5, 120.0, (0.4, 0.9, 1.4), (0.65, 1.15, 1.6))


@dataclass(frozen=True, slots=True)
class ChunkWords:
    """One chunk: its distinct tokens, its stems in order without closed-class words, its names, their trigrams."""

    exact: str
    stems: str
    names: str
    name_stems: str
    grams: str


@dataclass(frozen=True, slots=True)
class FileWords:
    """One file: its chunks, the levels of the whole, its path, and how many chunks hold each term."""

    chunks: tuple[ChunkWords, ...]
    whole: tuple[str, ...]
    path: str
    path_stems: str
    keys: bytes
    counts: bytes

    def tally(self) -> terms.Tally:
        """The terms with the number of chunks that hold them."""
        counts = np.frombuffer(self.counts, np.uint32).astype(np.int64)
        return terms.Tally(np.frombuffer(self.keys, np.uint64), counts, len(self.chunks))


@dataclass(frozen=True, slots=True)
class CommitWords:
    """One commit: the tokens of its message and of the paths it touched, and the stems of both."""

    body: str
    path: str
    stems: str
    path_stems: str


def of_file(batch: FileBatch) -> FileWords:
    """What is indexed of a file."""
    tokens = [tokenizer.tokens(c.text) for c in batch.chunks]
    exact, stems = [[*dict.fromkeys(each)] for each in tokens], [_content_stems(each) for each in tokens]
    rows = zip(batch.chunks, exact, stems, strict=True)
    chunks = tuple(_of_chunk(batch.path, *row) for row in rows)
    path = tokenizer.tokens(batch.path)
    keys, counts = _tally(exact, stems)
    whole = WHOLE.of(chain.from_iterable(stems))
    return FileWords(chunks, whole, " ".join(path), " ".join(stemmed(path)), keys, counts)


def of_commit(commit: Commit) -> CommitWords:
    """What is indexed of a commit."""
    tokens = tokenizer.tokens(f"{commit.subject}\n{commit.body}")
    path = tokenizer.tokens(" ".join(commit.files[:TOUCHED]))
    return CommitWords(" ".join(tokens), " ".join(path), " ".join(_content_stems(tokens)), " ".join(stemmed(path)))


def past(messages: Iterable[str]) -> tuple[str, ...]:
    """The levels of a file's past, from the stems of commit messages."""
    return PAST.of(stem for message in messages for stem in message.split())


def stemmed(tokens: Sequence[str]) -> list[str]:
    """The stem of each token."""
    lost = [t for t in dict.fromkeys(tokens) if t not in _stems]
    if lost:
        if len(_stems) >= _CACHED:
            _stems.clear()
            lost = list(dict.fromkeys(tokens))
        _stems.update(zip(lost, lexical.stems(lost), strict=True))
    return [_stems[t] for t in tokens]


def _of_chunk(path: str, chunk: Chunk, exact: Sequence[str], stems: Sequence[str]) -> ChunkWords:
    names = list(dict.fromkeys(tokenizer.tokens(" ".join((*chunk.names, chunk.heading)))))
    return ChunkWords(
        exact=" ".join(exact),
        stems=" ".join(stems),
        names=" ".join(names),
        name_stems=" ".join(stemmed(names)),
        grams=" ".join(_grams(path, chunk)),
    )


def _content_stems(tokens: Sequence[str]) -> list[str]:
    return stemmed([t for t in tokens if t not in tokenizer.STOP])


def _grams(path: str, chunk: Chunk) -> list[str]:
    """Trigrams of what a question may misspell: names, headings and the file's own name."""
    file = path.rpartition("/")[2].partition(".")[0]
    return tokenizer.grams(" ".join((*chunk.names, chunk.heading, file)))


def _tally(exact: Iterable[Sequence[str]], stems: Iterable[Sequence[str]]) -> tuple[bytes, bytes]:
    """Keys and counts of the terms of chunks: each once a chunk."""
    of_exact = Counter(chain.from_iterable(exact))
    of_stems = Counter(chain.from_iterable(map(set, stems)))
    keys = [*terms.keys("x", of_exact), *terms.keys("s", of_stems)]
    counts = [*of_exact.values(), *of_stems.values()]
    return np.array(keys, np.uint64).tobytes(), np.array(counts, np.uint32).tobytes()
