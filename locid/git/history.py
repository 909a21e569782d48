"""Commits as git tells them, and who makes them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from locid.git.paths import path_of
from locid.git.process import run, stream


@dataclass(frozen=True, slots=True)
class RawCommit:
    """One commit as git tells it, not yet redacted."""

    hash: str
    time: int  # of the commit, seconds since the epoch
    subject: str
    body: str
    files: tuple[str, ...]  # escaped paths; none for a merge


def log(root: str, since: str | None = None, within: bool = False) -> Iterator[RawCommit]:
    """Commits that HEAD has and `since` has not, newest first; none when HEAD is unborn. Raises Unavailable.

    `within` takes those that touched something below `root`, with their files there, relative to it. They come as git
    finds them; closing the iterator ends git.
    """
    if born(root):
        yield from new_commits(root, since, "HEAD", within)


def new_commits(root: str, old: str | None, new: str, within: bool = False) -> Iterator[RawCommit]:
    """Commits that `new` has and `old` has not, newest first. Raises Unavailable (an unknown commit, for one)."""
    mark = os.urandom(12).hex().encode()  # no message and no file name can forge it
    fields = b"%x00".join((mark + b"%H", b"%ct", b"%s", b"%b", b"")).decode()
    args = ["log", "-z", f"--format=tformat:{fields}", "--no-renames", "--name-only", "--diff-merges=off"]
    args += ["--no-ext-diff", "--no-textconv", "--no-notes", "--no-show-signature", "--no-color", "--root"]
    args += ["--relative"] if within else []
    args += ["--end-of-options", new, *([f"^{old}"] if old else []), "--", *(["."] if within else [])]
    rest, record = b"", list[bytes]()
    for piece in stream(root, args):
        *whole, rest = (rest + piece).split(b"\0")
        for field in whole:
            if field.startswith(mark) and record:
                yield _commit(record, len(mark))
                record = []
            record.append(field)
    if record:
        yield _commit(record, len(mark))


def _commit(record: list[bytes], mark: int) -> RawCommit:
    """Hash, time, subject and body, then an empty field and the files, a newline before the first."""
    head_, time, subject, body, *rest = record
    files = [field for field in rest if field]
    return RawCommit(
        hash=head_[mark:].decode("ascii"),
        time=_seconds(time),
        subject=subject.decode("utf-8", "replace"),
        body=body.decode("utf-8", "replace").strip("\n"),
        files=tuple(path_of(f if i else f.removeprefix(b"\n")) for i, f in enumerate(files)),
    )


def _seconds(text: bytes) -> int:
    """Seconds since the epoch; 0 for what a bad import wrote there."""
    value = int(text) if re.fullmatch(rb"-?\d{1,15}", text) else 0
    return value if 0 <= value < 1 << 40 else 0


def born(root: str) -> bool:
    """Whether HEAD has a commit. Raises Unavailable."""
    return run(root, ["rev-parse", "--verify", "--quiet", "HEAD"], ok=(0, 1))[0] == 0


def is_ancestor(root: str, a: str, b: str) -> bool:
    """True when commit `a` is `b` or comes before it; False also when the repository does not know them."""
    return run(root, ["merge-base", "--is-ancestor", a, b], ok=(0, 1, 128))[0] == 0


def identities(root: str) -> frozenset[str]:
    """Addresses and names that git would commit with here: the repository's settings and the user's own. Folded."""
    _, out = run(root, ["config", "-z", "--get-regexp", r"^user\.(email|name)$"], ok=(0, 1))
    return frozenset(path_of(row.partition(b"\n")[2]).casefold() for row in out.split(b"\0") if row) - {""}


def authors(root: str, limit: int) -> list[tuple[str, str]]:
    """(address, name) of the authors of the newest commits, folded; none before the first. Raises Unavailable."""
    if not born(root):
        return []
    _, out = run(root, ["log", "-z", f"--max-count={limit}", "--format=tformat:%ae%n%an", "--no-mailmap", "HEAD"])
    rows = [row.decode("utf-8", "replace").casefold().partition("\n") for row in out.split(b"\0") if row]
    return [(address, name) for address, _, name in rows]
