"""In how many passages of a scope each term stands: a sorted table in one file a generation, adjusted by differences.

It gives document frequencies over all scopes, exact for what is there now, in one search of a mapped array per scope:
the index itself would take a lookup per term and segment, and it counts deleted passages until they are merged away.

    file `terms-<generation>`: magic, generation, number of terms, number of passages (u64 each), the terms' keys (u64,
    ascending), their counts (u32)
"""

from __future__ import annotations

import glob
import mmap
import os
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from locid import atomic
from locid.errors import Unavailable

MAGIC = 0x31534D5245544C
HEADER = 4  # numbers of 8 bytes
_CACHED = 500_000  # keys remembered of each field
Keys = NDArray[np.uint64]
Counts = NDArray[np.int64]

_keys: dict[str, dict[str, int]] = {}


def keys(field: str, terms: Iterable[str]) -> list[int]:
    """The numbers that stand for terms of a field."""
    known = _keys.setdefault(field, {})
    if len(known) >= _CACHED:
        known.clear()
    return [known[t] if t in known else known.setdefault(t, _key(field, t)) for t in terms]


def key_array(field: str, terms: Iterable[str]) -> Keys:
    """The keys of terms of one field, as an array."""
    return np.array(keys(field, terms), np.uint64)


def _key(field: str, term: str) -> int:
    digest = blake2b(f"{field}\0{term}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts by key, of some number of passages."""

    keys: Keys
    counts: Counts
    passages: int

    @staticmethod
    def none() -> Tally:
        """The tally of nothing."""
        return Tally(np.empty(0, np.uint64), np.empty(0, np.int64), 0)

    def negated(self) -> Tally:
        """What takes this tally back."""
        return Tally(self.keys, -self.counts, -self.passages)


def total(parts: Iterable[Tally]) -> Tally:
    """The sum, keys ascending; what sums to 0 is left out."""
    held = list(parts)
    if not held:
        return Tally.none()
    keys = np.concatenate([p.keys for p in held])
    unique, place = np.unique(keys, return_inverse=True)
    counts = np.zeros(len(unique), np.int64)
    np.add.at(counts, place, np.concatenate([p.counts for p in held]))
    stays = counts > 0
    return Tally(unique[stays], counts[stays], sum(p.passages for p in held))


class TermsWriter:
    """The writing side of one scope's table."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._changes: list[Tally] = []
        newest = max((_generation(p) for p in _files(folder)), default=-1)
        self._held, self._generation = Tally.none(), 0
        try:
            if newest >= 0:
                self._held, self._generation = _read(folder, newest), newest
        except Unavailable:  # derived, so it is built anew: its generation is not the store's
            self._generation = -1

    @property
    def generation(self) -> int:
        """The generation of the last commit; 0 for an empty table, -1 for a damaged one."""
        return self._generation

    def change(self, tally: Tally) -> None:
        """Adds a tally, or takes one back that was negated."""
        self._changes.append(tally)

    def clear(self) -> None:
        """Forgets everything, before it is built anew."""
        self._held, self._changes = Tally.none(), []

    def commit(self, generation: int) -> None:
        """Writes the table of a generation; the one before it stays for who is opening it."""
        self._held, self._changes = total([self._held, *self._changes]), []
        _write(self._folder, generation, self._held)
        for path in glob.glob(os.path.join(glob.escape(self._folder), "terms-*")):  # what a kill left, too
            if _generation(path) not in (generation, self._generation):
                os.unlink(path)
        self._generation = generation


class TermsReader:
    """One scope's table at one generation, mapped."""

    def __init__(self, folder: str, generation: int) -> None:
        held = _read(folder, generation)
        self.passages = held.passages
        self._keys, self._counts = held.keys, held.counts

    def counts(self, keys: Keys) -> Counts:
        """In how many passages each term stands."""
        if not len(self._keys):
            return np.zeros(len(keys), np.int64)
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[place] == keys, self._counts[place], 0)


def _files(folder: str) -> list[str]:
    return [p for p in glob.glob(os.path.join(glob.escape(folder), "terms-*")) if _generation(p) >= 0]


def _generation(path: str) -> int:
    number = path.rpartition("-")[2]
    return int(number) if number.isdigit() else -1


def _write(folder: str, generation: int, held: Tally) -> None:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, f"terms-{generation}")
    head = np.array([MAGIC, generation, len(held.keys), held.passages], np.uint64)
    atomic.write(path, head.tobytes() + held.keys.tobytes() + held.counts.astype(np.uint32).tobytes())


def _read(folder: str, generation: int) -> Tally:
    path = os.path.join(folder, f"terms-{generation}")
    try:
        with open(path, "rb") as source:
            data = mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as problem:
        raise Unavailable(f"{path} cannot be read ({problem}); `loci index` rebuilds it") from None
    whole = len(data) >= 8 * HEADER
    head = [int(n) for n in np.frombuffer(data, np.uint64, HEADER)] if whole else [0] * HEADER
    if head[:2] != [MAGIC, generation] or len(data) != 8 * HEADER + 12 * head[2]:
        raise Unavailable(f"{path} is damaged; `loci index` rebuilds it")
    keys = np.frombuffer(data, np.uint64, head[2], 8 * HEADER)
    counts = np.frombuffer(data, np.uint32, head[2], 8 * HEADER + 8 * head[2])
    return Tally(keys, counts, head[3])  # type: ignore[arg-type]
