"""Where our files lie under a home, and the number of each format. Pure: it takes the home as a value, touches nothing."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import quote

# The number of each format; docs/storage.md gives the reason for each.
STORE_FORMAT = 5  # scopes/<id>/store.db: files, symbols, what is declared, blocks of chunks and commits, histories
LEXICAL_FORMAT = 3  # scopes/<id>/lexical-v<N>/: chunks, whole files and their past, commits; the table of terms
REGISTRY_FORMAT = 4  # registry.db: scopes, sub-projects, owners, every id ever given, groups and their modes
THRESHOLDS_FORMAT = 1  # thresholds.json: the floor of g, and what it was fitted from


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths of everything that a daemon keeps; all of it below `<home>/locid/`."""

    home: str

    @property
    def base(self) -> str:
        """Our folder in the home."""
        return os.path.join(self.home, "locid")

    @property
    def lock(self) -> str:
        """Held by the one daemon of this home for its whole life; never deleted."""
        return os.path.join(self.base, "lock")

    @property
    def socket_file(self) -> str:
        """One line: the absolute path of the socket that the daemon listens on."""
        return os.path.join(self.base, "socket")

    @property
    def running(self) -> str:
        """There while a daemon runs; gone after a clean exit, so that a crash can be told from one."""
        return os.path.join(self.base, "running")

    @property
    def status(self) -> str:
        """The last status, for display only."""
        return os.path.join(self.base, "status")

    @property
    def registry_db(self) -> str:
        """Scopes, roots, aliases."""
        return os.path.join(self.base, "registry.db")

    @property
    def registry_copy(self) -> str:
        """The registry as it was after its last change: nothing else knows what it holds."""
        return os.path.join(self.base, "registry.copy")

    @property
    def thresholds(self) -> str:
        """What calibrate fitted."""
        return os.path.join(self.base, "thresholds.json")

    @property
    def scopes(self) -> str:
        """The folder of all scopes' stores."""
        return os.path.join(self.base, "scopes")

    def scope(self, scope_id: str) -> str:
        """The folder of one scope's stores."""
        return os.path.join(self.scopes, quote(scope_id, safe=""))

    def store_db(self, scope_id: str) -> str:
        """The truth of one scope."""
        return os.path.join(self.scope(scope_id), "store.db")

    def lexical(self, scope_id: str) -> str:
        """The index derived from it."""
        return os.path.join(self.scope(scope_id), f"lexical-v{LEXICAL_FORMAT}")
