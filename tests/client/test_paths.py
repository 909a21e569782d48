"""The client computes the directories that platformdirs gives the daemon, and a socket's path that fits."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import platformdirs
import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from loci_client import paths
from loci_client.errors import CannotStart
from locid import config

ENVIRONMENTS: list[dict[str, str]] = [
    {"HOME": "/home/me"},
    {"HOME": "/home/me/"},
    {"HOME": "/home/me", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"},
    {"HOME": "/home/me", "XDG_DATA_HOME": "relative", "XDG_STATE_HOME": ""},
    {"HOME": "/home/me", "LOCI_HOME": "/elsewhere/loci"},
    {"HOME": "/home/me", "LOCI_HOME": "~/loci"},
    {"HOME": "/home/me", "LOCI_HOME": "rel/ative"},
    {},
]


@pytest.mark.parametrize(("platform", "dirs"), [("linux", Unix), ("darwin", MacOS)])
@pytest.mark.parametrize("env", ENVIRONMENTS)
def test_the_same_directories_as_the_daemon(
    monkeypatch: pytest.MonkeyPatch, platform: str, dirs: type, env: dict[str, str]
) -> None:
    """Home and log are those of locid.config on Linux and macOS, whatever the environment."""
    for name in ("HOME", "LOCI_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(platformdirs, "PlatformDirs", dirs)
    theirs = config.directories()
    ours = paths.Paths(os.environ, 1000, platform)
    assert (ours.home, ours.log_dir) == (theirs.home, theirs.log)


def test_the_recorded_socket_comes_first(tmp_path: Path) -> None:
    """One line, absolute; anything else counts as no record."""
    place = paths.Paths({"LOCI_HOME": str(tmp_path), "HOME": "/home/me"}, os.getuid())
    os.mkdir(place.base)
    computed = place.computed_socket()
    assert place.socket() == computed
    for text, socket in [
        ("/run/x.sock\n", "/run/x.sock"),
        ("", computed),
        ("relative\n", computed),
        ("/a\0b", computed),
    ]:
        Path(place.socket_file).write_text(text)
        assert place.socket() == socket


def test_homes_have_sockets_of_their_own(tmp_path: Path) -> None:
    """The default home has the plain path, every other one its digest, by its real path."""
    run = tmp_path / "run"
    run.mkdir()
    base = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(run)}
    uid = os.getuid()
    default = paths.Paths(base, uid)
    named = paths.Paths({**base, "LOCI_HOME": default.home}, uid)
    other = paths.Paths({**base, "LOCI_HOME": str(tmp_path / "a")}, uid)
    (tmp_path / "link").symlink_to(tmp_path / "a")
    linked = paths.Paths({**base, "LOCI_HOME": str(tmp_path / "link")}, uid)
    assert default.runtime() == named.runtime() == f"{run}/loci"
    assert other.runtime() == linked.runtime()
    assert os.path.dirname(other.runtime()) == f"{run}/loci"
    assert len(os.path.basename(other.runtime())) == 16


def test_a_long_runtime_directory_gives_way(tmp_path: Path) -> None:
    """The socket's path never has more than 107 bytes."""
    run = tmp_path / ("r" * 100)
    run.mkdir()
    uid = os.getuid()
    place = paths.Paths({"HOME": "/home/" + "m" * 150, "XDG_RUNTIME_DIR": str(run), "LOCI_HOME": "/h" * 90}, uid)
    assert len(place.computed_socket()) <= paths.MAX_SOCKET_PATH
    assert place.runtime().startswith(f"/tmp/loci-{uid}/loci/")
    assert place.crashes.startswith(place.runtime()) and place.launch_lock.startswith(place.runtime())


def test_a_foreign_runtime_directory_is_not_used(tmp_path: Path) -> None:
    """$XDG_RUNTIME_DIR of another user (sudo leaves it) is passed over."""
    assert paths.runtime_base({"XDG_RUNTIME_DIR": str(tmp_path)}, os.getuid() + 1).endswith(f"-{os.getuid() + 1}")
    assert paths.runtime_base({"XDG_RUNTIME_DIR": str(tmp_path)}, os.getuid()) == str(tmp_path)
    assert paths.runtime_base({"XDG_RUNTIME_DIR": str(tmp_path / "none")}, 4242) == "/tmp/loci-4242"


def test_the_runtime_directory_is_made_for_us_alone(tmp_path: Path) -> None:
    """Mode 0700, also where it was looser; making it twice is no error."""
    place = paths.Paths({"HOME": "/h", "XDG_RUNTIME_DIR": str(tmp_path), "LOCI_HOME": "/x"}, os.getuid())
    os.mkdir(tmp_path / "loci", 0o755)
    for _ in range(2):
        made = paths.ensure_runtime(place)
        assert stat.S_IMODE(os.stat(made).st_mode) == 0o700
        assert stat.S_IMODE(os.stat(tmp_path / "loci").st_mode) == 0o700


def test_a_link_or_a_strangers_directory_is_refused(tmp_path: Path) -> None:
    """Somebody who plants our directory does not get our socket; the sentence names it."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "loci").symlink_to(tmp_path / "elsewhere")
    place = paths.Paths({"HOME": "/h", "XDG_RUNTIME_DIR": str(tmp_path)}, os.getuid())
    with pytest.raises(CannotStart, match=f"{tmp_path}/loci"):
        paths.ensure_runtime(place)
    (tmp_path / "loci").unlink()
    (tmp_path / "loci").mkdir()
    stranger = paths.Paths({"HOME": "/h", "XDG_RUNTIME_DIR": str(tmp_path)}, os.getuid())
    stranger.uid = os.getuid() + 1
    stranger.runtime = lambda: str(tmp_path / "loci")  # type: ignore[method-assign]
    with pytest.raises(CannotStart, match="owner"):
        paths.ensure_runtime(stranger)
