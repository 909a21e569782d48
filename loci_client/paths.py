"""Where everything lies: home, log, runtime directory, socket. By hand, for platformdirs costs 30 ms.

`<home>/locid/socket` records the socket's absolute path and is read first; the computed path is the fallback.
A socket's path may have 107 bytes, so a long runtime directory gives way to a short one under /tmp.
"""

import os
import sys

from .errors import CannotStart

# The type checker takes any name TYPE_CHECKING for true; the lean path does without collections.abc.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SOCKET_PATH = 107  # sun_path has 108 bytes with its terminator; macOS has 104, see `_limit`


def user_home(env: "Mapping[str, str]") -> str:
    """The user's home directory; a relative or missing $HOME counts as unset."""
    chosen = env.get("HOME", "")
    if chosen.startswith("/"):
        return chosen.rstrip("/")
    import pwd

    return pwd.getpwuid(os.getuid()).pw_dir.rstrip("/")


def _xdg(env: "Mapping[str, str]", name: str, default: str) -> str:
    chosen = env.get(name, "")
    return chosen if chosen.startswith("/") else user_home(env) + default


def default_home(env: "Mapping[str, str]", platform: str = sys.platform) -> str:
    """The home without $LOCI_HOME: what platformdirs calls the user's data directory."""
    default = "/Library/Application Support" if platform == "darwin" else "/.local/share"
    return os.path.join(_xdg(env, "XDG_DATA_HOME", default), "loci")


def home(env: "Mapping[str, str]", platform: str = sys.platform) -> str:
    """The home: $LOCI_HOME made absolute, or the default."""
    chosen = env.get("LOCI_HOME")
    return os.path.abspath(os.path.expanduser(chosen)) if chosen else default_home(env, platform)


def log_dir(env: "Mapping[str, str]", platform: str = sys.platform) -> str:
    """The log's directory: in the home when $LOCI_HOME is set, or what platformdirs says."""
    if env.get("LOCI_HOME"):
        return os.path.join(home(env, platform), "locid", "log")
    if platform == "darwin":
        return user_home(env) + "/Library/Logs/loci"
    return os.path.join(_xdg(env, "XDG_STATE_HOME", "/.local/state"), "loci", "log")


def short_dir(uid: int) -> str:
    """The runtime directory of last resort; short on purpose."""
    return f"/tmp/loci-{uid}"


def runtime_base(env: "Mapping[str, str]", uid: int) -> str:
    """The first that is ours of $XDG_RUNTIME_DIR, /run/user/<uid> and the short directory."""
    for candidate in (env.get("XDG_RUNTIME_DIR", ""), f"/run/user/{uid}"):
        if candidate.startswith("/") and _is_ours(candidate, uid):
            return candidate.rstrip("/")
    return short_dir(uid)


def _is_ours(path: str, uid: int) -> bool:
    try:
        return os.stat(path).st_uid == uid and os.access(path, os.W_OK | os.X_OK)
    except OSError:
        return False


def _digest(path: str) -> str:
    import hashlib

    return hashlib.blake2b(os.fsencode(path), digest_size=8).hexdigest()


class Paths:
    """The paths of one user and one home; reading them makes nothing, `ensure_runtime` does."""

    def __init__(self, env: "Mapping[str, str]", uid: int, platform: str = sys.platform) -> None:
        self.env = env
        self.uid = uid
        self.home = home(env, platform)
        self.base = os.path.join(self.home, "locid")
        self.socket_file = os.path.join(self.base, "socket")
        self.lock = os.path.join(self.base, "lock")
        self.running = os.path.join(self.base, "running")
        self.status = os.path.join(self.base, "status")
        self.log_dir = log_dir(env, platform)
        self.log = os.path.join(self.log_dir, "locid.log")
        self._default = default_home(env, platform)
        self._limit = 103 if platform == "darwin" else MAX_SOCKET_PATH

    def socket(self) -> str:
        """The socket to connect to: the recorded path, or the computed one."""
        return self.recorded_socket() or self.computed_socket()

    def recorded_socket(self) -> str | None:
        """The path in `<home>/locid/socket`, or None without one."""
        try:
            with open(self.socket_file, "rb") as file:
                path = os.fsdecode(file.readline(4096)).strip("\n")
        except OSError:
            return None
        return path if path.startswith("/") and "\0" not in path else None

    def computed_socket(self) -> str:
        """The path at which a daemon of this home listens unless it was handed a socket."""
        return os.path.join(self.runtime(), "locid.sock")

    def runtime(self) -> str:
        """The directory of the socket, the crash count and the launch lock of this home."""
        tail = "loci"
        if self.home != self._default and os.path.realpath(self.home) != os.path.realpath(self._default):
            tail = os.path.join("loci", _digest(os.path.realpath(self.home)))
        path = os.path.join(runtime_base(self.env, self.uid), tail)
        if len(os.fsencode(path)) + len("/locid.sock") > self._limit:
            path = os.path.join(short_dir(self.uid), tail)
        return path

    @property
    def crashes(self) -> str:
        """One line a crash: epoch seconds and which daemon."""
        return os.path.join(self.runtime(), "crashes")

    @property
    def launch_lock(self) -> str:
        """Held by the one client that starts or replaces the daemon."""
        return os.path.join(self.runtime(), "launch.lock")


def find(env: "Mapping[str, str] | None" = None, uid: int | None = None) -> Paths:
    """The paths for this user and environment."""
    return Paths(os.environ if env is None else env, os.getuid() if uid is None else uid)


def ensure_runtime(paths: Paths) -> str:
    """The runtime directory, made and ours alone (0700); CannotStart when it belongs to another user."""
    path = paths.runtime()
    for part in _our_parts(path, paths.uid):
        _ensure_private(part, paths.uid)
    return path


def _our_parts(path: str, uid: int) -> list[str]:
    """The directories down to `path` that are ours to make: from `loci`, or from the short directory, on."""
    parts = [path]
    while os.path.basename(parts[0]) != "loci":
        parts.insert(0, os.path.dirname(parts[0]))
    if os.path.dirname(parts[0]) == short_dir(uid):
        parts.insert(0, short_dir(uid))
    return parts


def _ensure_private(path: str, uid: int) -> None:
    """Makes the directory, or takes one that is ours; a link or another user's directory is refused."""
    try:
        if not os.path.lexists(path):
            os.makedirs(path, 0o700, exist_ok=True)  # another may have made it since
        found = os.lstat(path)
        if found.st_uid != uid or found.st_mode & 0o170000 != 0o040000:
            raise CannotStart(
                f"{path} is not a directory of yours (owner {found.st_uid}), so it is not used: "
                "remove it, or set XDG_RUNTIME_DIR to a directory of your own"
            )
        if found.st_mode & 0o077:
            os.chmod(path, 0o700)
    except OSError as error:
        raise CannotStart(
            f"the runtime directory {path} cannot be made ({error.strerror}): "
            "set XDG_RUNTIME_DIR to one that you can write"
        ) from error
