"""`running`: there while a daemon lives and gone after a clean exit: so the next one can tell a crash."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from dataclasses import dataclass

from loci_client import wire
from locid.lifecycle import files

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Crashed:
    """A daemon that left its marker behind; '?' for what cannot be read."""

    instance: str = "?"
    pid: str = "?"


def previous(path: str) -> Crashed | None:
    """The daemon before this one, if it crashed; None after a clean exit."""
    try:
        with open(path, "rb") as file:
            said = json.loads(file.read(4096))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return Crashed()
    if not isinstance(said, dict):
        return Crashed()
    instance = "".join(c for c in str(said.get("instance", "?")) if c.isalnum())[:64]
    return Crashed(instance or "?", str(said.get("pid", "?"))[:20])


def write(path: str, instance: str, version: str) -> None:
    """Writes the marker of this process."""
    body = {
        "pid": os.getpid(),
        "start": process_start(),
        "instance": instance,
        "version": version,
        "protocol": wire.PROTOCOL,
    }
    files.replace(path, json.dumps(body) + "\n")


def count_crash(crashes: str, before: Crashed) -> None:
    """Appends a line to the file of crashes, which clients read before they start yet another daemon."""
    log.warning("the daemon before this one (%s, pid %s) crashed", before.instance, before.pid)
    try:
        with open(crashes, "a+", encoding="utf-8", errors="replace") as file:
            file.seek(0)
            # A client that started it and saw it die has counted it already, by its pid.
            if f" pid-{before.pid}\n" not in file.read():
                file.write(f"{int(time.time())} {before.instance}\n")
    except OSError as error:
        raise files.unwritable(os.path.dirname(crashes), error) from error


def process_start() -> str:
    """When this process started, as the system tells it: with the pid it names a process for good."""
    if sys.platform == "linux":
        with open("/proc/self/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[19].decode()  # field 22; the name may hold spaces
    command = ["ps", "-o", "lstart=", "-p", str(os.getpid())]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
