"""Settings and directories: the one reader of LOCI_HOME, and owner of platformdirs and of `config.toml`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields

import platformdirs

FILE = "config.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set; every field has a default. docs/configuration.md says what each does."""

    memory_budget_mb: int = 600
    log_level: str = "info"
    max_file_bytes: int = 1_000_000
    indexer_linger_s: float = 60.0
    indexer_silence_s: float = 300.0


@dataclass(frozen=True, slots=True)
class Key:
    """What one setting takes."""

    name: str
    kind: type  # int, float or str
    default: int | float | str
    least: float = 0
    most: float = 0
    choices: tuple[str, ...] = ()
    restart: bool = True  # whether a daemon that runs must be restarted to follow it

    @property
    def expected(self) -> str:
        """What a value must be, for a sentence."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        return f"{'a whole number' if self.kind is int else 'a number'} from {self.least:.12g} to {self.most:.12g}"


_BOUNDS: dict[str, tuple[float, float]] = {
    "memory_budget_mb": (200, 65_536),
    "max_file_bytes": (1_000, 100_000_000),
    "indexer_linger_s": (0.1, 86_400),
    "indexer_silence_s": (5, 86_400),
}
_CHOICES = {"log_level": ("debug", "info", "warning", "error")}
_AT_ONCE = frozenset({"log_level", "max_file_bytes", "indexer_linger_s", "indexer_silence_s"})


def _key(name: str, default: int | float | str) -> Key:
    least, most = _BOUNDS.get(name, (0, 0))
    return Key(name, type(default), default, least, most, _CHOICES.get(name, ()), name not in _AT_ONCE)


KEYS = {f.name: _key(f.name, f.default) for f in fields(Settings)}  # type: ignore[arg-type]  # all have one


@dataclass(frozen=True, slots=True)
class Directories:
    """Absolute paths of the home (data), the settings and the log."""

    home: str
    config: str
    log: str


def directories(env: Mapping[str, str] | None = None) -> Directories:
    """The directories for this user; `$LOCI_HOME` moves the home, and the settings and the log into it."""
    chosen = (os.environ if env is None else env).get("LOCI_HOME")
    if chosen:
        home = os.path.abspath(os.path.expanduser(chosen))
        return Directories(home, os.path.join(home, "locid"), os.path.join(home, "locid", "log"))
    home = platformdirs.user_data_dir("loci", appauthor=False)
    config = platformdirs.user_config_dir("loci", appauthor=False)
    return Directories(home, config, platformdirs.user_log_dir("loci", appauthor=False))
