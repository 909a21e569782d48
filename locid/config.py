"""Settings and directories: the one reader of LOCI_HOME and owner of platformdirs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

import platformdirs


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set; every field has a default."""

    memory_budget_mb: int = 600
    log_level: str = "info"
    max_file_bytes: int = 1_000_000
    indexer_linger_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Directories:
    """Absolute paths of the home (data), the settings and the log."""

    home: str
    config: str
    log: str


def directories(env: Mapping[str, str] | None = None) -> Directories:
    """The directories for this user; `$LOCI_HOME` moves the home, and the log into it."""
    chosen = (os.environ if env is None else env).get("LOCI_HOME")
    config = platformdirs.user_config_dir("loci", appauthor=False)
    if chosen:
        home = os.path.abspath(os.path.expanduser(chosen))
        return Directories(home, config, os.path.join(home, "locid", "log"))
    home = platformdirs.user_data_dir("loci", appauthor=False)
    return Directories(home, config, platformdirs.user_log_dir("loci", appauthor=False))
