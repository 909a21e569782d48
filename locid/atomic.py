"""Files that are whole or absent: written beside, synced, then renamed into their place."""

from __future__ import annotations

import os
from contextlib import suppress


def write(path: str, data: bytes) -> None:
    """Writes the file, mode 0600: a reader sees the old or the new, also after a power cut.

    Raises OSError, and leaves nothing beside it then: half a file must not keep a full disk full.
    """
    beside = f"{path}.new"
    try:
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        with suppress(OSError):
            os.unlink(beside)
        raise
