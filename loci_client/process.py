"""What can be known of the daemon's process from outside: its lock, its pid, whether that is still its own.

Liveness is the lock and an answered hello. A pid is for display, and for a signal only after its start time
was compared.
"""

import fcntl
import json
import os
import sys
from time import monotonic, sleep

from .paths import Paths


def lock_is_free(paths: Paths) -> bool:
    """Whether no daemon of this home lives; holds the lock for an instant itself."""
    try:
        fd = os.open(paths.lock, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True


def wait_until_free(paths: Paths, seconds: float) -> bool:
    """Whether the lock came free within that time."""
    end = monotonic() + seconds
    while not lock_is_free(paths):
        if monotonic() >= end:
            return False
        sleep(0.02)
    return True


def marker(paths: Paths) -> dict[str, object]:
    """The running marker {pid, start, instance, version, protocol}; empty without a readable one."""
    try:
        with open(paths.running, "rb") as file:
            found = json.loads(file.read(65536))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def marker_age(paths: Paths) -> float | None:
    """Seconds since the marker was written, or None without one."""
    from time import time

    try:
        return max(0.0, time() - os.stat(paths.running).st_mtime)
    except OSError:
        return None


def start_time(pid: int) -> str | None:
    """When the process started, as the system writes it; None when there is no such process."""
    if sys.platform == "linux":
        fields = _stat(pid)
        return fields[19] if len(fields) > 19 else None
    return _ps(pid, "lstart=") or None


def is_stopped(pid: int) -> bool:
    """Whether the process is stopped by a signal or a debugger."""
    if sys.platform == "linux":
        return _stat(pid)[:1] in (["T"], ["t"])
    return _ps(pid, "stat=").startswith("T")


def _stat(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat from the state on, past the name, which may hold blanks and brackets."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].decode("ascii").split()
    except OSError:
        return []


def _ps(pid: int, column: str) -> str:
    import subprocess

    shown = subprocess.run(["ps", "-o", column, "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.strip()


def holder(paths: Paths) -> tuple[int, str] | None:
    """Pid and start time of the process that holds the lock, or None when it cannot be told for sure."""
    if lock_is_free(paths):
        return None
    said = marker(paths)
    pid = said.get("pid")
    if isinstance(pid, int) and pid > 1 and start_time(pid) == str(said.get("start")):
        return pid, str(said["start"])
    return _holder_by_kernel(paths.lock)


def _holder_by_kernel(lock: str) -> tuple[int, str] | None:
    """The same from /proc/locks, believed only if that process has the lock file open (pids are reused)."""
    try:
        inode = os.stat(lock)
        with open("/proc/locks", encoding="ascii", errors="replace") as file:
            rows = [line.split() for line in file]
    except OSError:
        return None
    for row in rows:
        if len(row) > 5 and row[1] == "FLOCK" and row[5].rpartition(":")[2] == str(inode.st_ino) and row[4].isdigit():
            pid = int(row[4])
            start = start_time(pid)
            if start and _has_open(pid, inode):
                return pid, start
    return None


def _has_open(pid: int, wanted: os.stat_result) -> bool:
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    for name in names:
        try:
            found = os.stat(f"{folder}/{name}")
        except OSError:  # closed since it was listed
            continue
        if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino):
            return True
    return False


def send_signal(pid: int, start: str, number: int) -> bool:
    """Signals the process if it is still the one that started then; False when it is gone or another."""
    if pid <= 1 or start_time(pid) != start:
        return False
    try:
        os.kill(pid, number)
    except OSError:
        return False
    return True
