"""Small files of ours: private directories, and files that are whole or absent."""

from __future__ import annotations

import contextlib
import os

from locid import atomic


class Unusable(Exception):
    """Something outside us keeps the daemon from starting; the sentence names it and says what to do."""


def private_dir(path: str) -> None:
    """Makes the directory and its parents, mode 0700; Unusable when it cannot be made or written."""
    if any("\ud800" <= c <= "\udfff" for c in path):  # the stores' libraries take text
        raise Unusable(f"{path!a} is not UTF-8: set LOCI_HOME to a directory whose path is")
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: str, error: OSError) -> Unusable:
    """The sentence for a file or directory that cannot be written."""
    return Unusable(
        f"{path} cannot be written ({error.strerror or error}): "
        "make it writable, free space on its disk, or set LOCI_HOME to another directory"
    )


def replace(path: str, text: str) -> None:
    """Writes the file whole, mode 0600: a reader sees the old or the new, also after a power cut."""
    try:
        atomic.write(path, os.fsencode(text))
    except OSError as error:
        raise unwritable(os.path.dirname(path), error) from error


def remove(path: str) -> None:
    """Removes the file; one that is gone, or cannot be removed, is no reason to fail at the end of a life."""
    with contextlib.suppress(OSError):
        os.unlink(path)
