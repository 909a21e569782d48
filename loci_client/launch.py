"""Starts the daemon, waits until it is ready, replaces one that cannot serve us, gives up after 3 crashes.

Terms. Ready: hello is answered with our protocol number. Alive: its lock is held. Crash: a daemon that ended
without saying so, one line in the runtime directory's `crashes` each; the daemon adds one when it finds its
predecessor's running marker, we add one when the child we started dies before it is ready. One client at a
time starts or replaces, under the launch lock; the others wait for it and then find the daemon ready.
"""

import fcntl
import os
import sys
from collections.abc import Callable
from time import monotonic, sleep, time

from . import halt, process, wire
from .errors import BadPeer, CannotStart, ConnectionLost, NoDaemon, ServerError, Silent
from .health import HELLO_S, log_tail, probe, wedged
from .paths import Paths, ensure_runtime

READY_S = 15.0  # from spawn to an answered hello: a quarter of a second, on a busy machine ten times that
DRAIN_S = 10.0
LAUNCH_LOCK_S = 40.0  # the holder may first end a wedged daemon, then wait for a new one
YOUNG_S = 15.0  # a daemon listens before it has built its stores; until this age its silence is no fault
CRASH_LIMIT = 3
CRASH_WINDOW_S = 600.0
LOCK_LOST = 75  # EX_TEMPFAIL: another daemon holds the lock
CONFIG = 78  # EX_CONFIG: a person must change something first; the log's last sentence says what

Say = Callable[[str], None]


# ---- what callers ask for ----------------------------------------------------------------------------------


def start(paths: Paths, say: Say, *, forget_crashes: bool = False) -> wire.Body:
    """The hello of a ready daemon, started if there is none; CannotStart says why it could not be."""
    _prepare(paths)
    with _LaunchLock(paths):
        if forget_crashes:
            _forget_crashes(paths)
        return _ensure(paths, say)


def start_after_silence(paths: Paths, say: Say) -> wire.Body:
    """As `start`, unless the silent daemon is stopped or had time enough to answer: then CannotStart."""
    found = process.holder(paths)
    if found is not None and (process.is_stopped(found[0]) or not _is_young(paths)):
        raise wedged(paths)
    return start(paths, say)


def start_after_drain(paths: Paths, say: Say) -> wire.Body:
    """As `start`, once the daemon that said `stopping` has let its lock go."""
    if not process.wait_until_free(paths, DRAIN_S):
        raise wedged(paths, "is still draining")
    return start(paths, say)


def replace(paths: Paths, say: Say) -> wire.Body:
    """As `start`, which ends a daemon of another protocol, or one that talks nonsense, first."""
    return start(paths, say)


# ---- one client at a time ----------------------------------------------------------------------------------


class _LaunchLock:
    """Held while a daemon is started or replaced; freed by the kernel when its holder dies."""

    def __init__(self, paths: Paths) -> None:
        self._path = paths.launch_lock
        self._fd = -1

    def __enter__(self) -> None:
        self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        end = monotonic() + LAUNCH_LOCK_S
        while True:
            try:
                return fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() >= end:
                    os.close(self._fd)
                    raise CannotStart(
                        f"another client has been starting the daemon for {LAUNCH_LOCK_S:.0f} s: try again"
                    ) from None
            sleep(0.02)

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)


def _prepare(paths: Paths) -> None:
    """Makes the directories; CannotStart names the one that cannot be made or written."""
    ensure_runtime(paths)
    for folder in (paths.base, paths.log_dir):
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
        except OSError as error:
            raise _unwritable(folder, error) from error
    try:
        os.close(os.open(paths.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise _unwritable(paths.base, error) from error


def _unwritable(folder: str, error: OSError) -> CannotStart:
    return CannotStart(
        f"loci cannot write {folder} ({error.strerror}): make it writable, or set LOCI_HOME to a directory that is"
    )


# ---- start -------------------------------------------------------------------------------------------------


def _ensure(paths: Paths, say: Say) -> wire.Body:
    """A ready daemon, whatever stands there now. The launch lock is held."""
    try:
        found = probe(paths)
        if found.get("stopping") is True and process.wait_until_free(paths, DRAIN_S):
            return _spawn_until_ready(paths)
        if found.get("protocol") == wire.PROTOCOL:
            return found
        theirs = f"protocol {found.get('protocol')} (version {found.get('version')})"
        why = f"speaks {theirs}, this client speaks {wire.PROTOCOL}"
    except (NoDaemon, ConnectionLost):
        return _spawn_until_ready(paths) if process.lock_is_free(paths) else _await_other(paths)
    except Silent:
        if process.lock_is_free(paths):  # not a daemon of ours: the one we start takes the path over
            return _spawn_until_ready(paths)
        return _await_young(paths)
    except (BadPeer, ServerError):
        why = "gave no answer to hello that this client understands"
    _clear_the_way(paths, say, why)
    return _spawn_until_ready(paths)


def _clear_the_way(paths: Paths, say: Say, why: str) -> None:
    """Ends the daemon that cannot serve us, and says so; a listener without the lock is left alone."""
    if halt.end(paths, drain_s=3.0) == halt.NONE:
        say(f"loci: a daemon was started: what listened on the socket before {why}")
    else:
        say(f"loci: the daemon was restarted: the one that ran before {why}")


def _await_young(paths: Paths) -> wire.Body:
    """As `_await_other` for a daemon that listens and is silent, unless it had time enough to answer."""
    found = process.holder(paths)
    if found is None or process.is_stopped(found[0]) or not _is_young(paths):
        raise wedged(paths)
    return _await_other(paths)


def _await_other(paths: Paths) -> wire.Body:
    """The hello of a daemon that another has started; ours is started if that one goes away."""
    try:
        return _await(paths, None, READY_S if _is_young(paths) else HELLO_S)
    except _Ended:
        return _spawn_until_ready(paths)


def _is_young(paths: Paths) -> bool:
    age = process.marker_age(paths)
    return age is None or age < YOUNG_S


def _spawn_until_ready(paths: Paths) -> wire.Body:
    """The hello of the daemon we start. A crash is counted and tried again, up to the limit."""
    for _ in range(CRASH_LIMIT + 2):  # the count ends it; this bounds daemons that end cleanly at once
        _check_crashes(paths)
        pid = _spawn(paths)
        try:
            return _await(paths, pid)
        except _Ended as ended:
            if ended.status == CONFIG:
                raise CannotStart(_sentence(paths)) from None
            if ended.status not in (0, LOCK_LOST):
                _note_crash(paths, pid)
            last = ended.status
    raise CannotStart(_with_log(paths, f"locid ended at once (status {last}): `loci daemon start` tries again"))


def _spawn(paths: Paths) -> int:
    """The pid of a new daemon, in a session of its own, its output appended to the log.

    -P keeps the current directory off its module path: a repository's own json.py must not run in the daemon.
    """
    try:
        log = os.open(paths.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _unwritable(paths.log, error) from error
    argv = [sys.executable, "-P", "-m", "locid"]
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, log, 1),
        (os.POSIX_SPAWN_DUP2, log, 2),
    ]
    try:
        return os.posix_spawn(sys.executable, argv, paths.env, file_actions=actions, setsid=True)
    except NotImplementedError:  # a libc without POSIX_SPAWN_SETSID: a group of its own keeps Ctrl-C away at least
        return os.posix_spawn(sys.executable, argv, paths.env, file_actions=actions, setpgroup=0)
    except OSError as error:
        raise CannotStart(f"{sys.executable} cannot be run ({error.strerror}): reinstall loci-daemon") from error
    finally:
        os.close(log)


def _sentence(paths: Paths) -> str:
    """What the daemon said when it refused to start."""
    said = [line.removeprefix("locid: ") for line in log_tail(paths) if line.startswith("locid: ")]
    return said[-1] if said else _with_log(paths, "locid cannot start")


class _Ended(Exception):
    """The daemon that we waited for is gone; its exit status, or LOCK_LOST when it was not ours."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def _await(paths: Paths, child: int | None, seconds: float = READY_S) -> wire.Body:
    """The hello of a daemon within that time. `child` is watched meanwhile; without one the lock is."""
    end = monotonic() + seconds
    while True:
        try:
            found = probe(paths, min(HELLO_S, max(end - monotonic(), 0.1)))
            if child is None or found.get("protocol") == wire.PROTOCOL:
                return found
        except (NoDaemon, ConnectionLost, BadPeer, Silent, ServerError):
            pass  # not yet: what still listens may be what the new daemon is about to replace
        if child is not None:
            status = _status(child)
            if status == LOCK_LOST:
                child = None
            elif status is not None:
                raise _Ended(status)
        elif process.lock_is_free(paths):
            raise _Ended(LOCK_LOST)
        if monotonic() >= end:
            raise wedged(paths, f"was not ready within {seconds:.0f} s")
        sleep(0.01)


def _status(child: int) -> int | None:
    """The child's exit status, negative for a signal; None while it runs."""
    try:
        pid, status = os.waitpid(child, os.WNOHANG)
    except ChildProcessError:
        return 0
    return os.waitstatus_to_exitcode(status) if pid else None


# ---- crashes -----------------------------------------------------------------------------------------------


def recent_crashes(lines: list[str], now: float) -> int:
    """How many of the lines `<epoch seconds> <who>` are younger than the window."""
    count = 0
    for line in lines:
        word = line.split(" ", 1)[0]
        try:
            count += abs(now - float(word)) < CRASH_WINDOW_S  # both ways: a clock may be set back
        except ValueError:
            continue
    return count


def _check_crashes(paths: Paths) -> None:
    try:
        with open(paths.crashes, encoding="utf-8", errors="replace") as file:
            count = recent_crashes(file.read().splitlines(), time())
    except OSError:
        return
    if count >= CRASH_LIMIT:
        raise CannotStart(
            _with_log(paths, f"locid crashed {count} times within ten minutes: `loci daemon start` tries again")
        )


def _note_crash(paths: Paths, pid: int) -> None:
    with open(paths.crashes, "a", encoding="utf-8") as file:
        file.write(f"{int(time())} pid-{pid}\n")


def _forget_crashes(paths: Paths) -> None:
    try:
        os.unlink(paths.crashes)
    except FileNotFoundError:
        return


def _with_log(paths: Paths, sentence: str) -> str:
    lines = log_tail(paths)
    if not lines:
        return f"{sentence}; its log {paths.log} is empty"
    return f"{sentence}; the last lines of {paths.log}:\n" + "\n".join(f"  {line}" for line in lines)
