"""Whose a repository is, as git tells: `me`, or `vendor:<org>` by the owner in its remote's URL, or nobody's to claim.

It is yours when you wrote a tenth of its newest commits, when its remote's owner is the dominant one, or when it has no
remote and nothing says otherwise. An organisation is dominant when it owns two fifths of all remotes and more than any
other, and you wrote in something of it, if you wrote anywhere at all. Where neither your hand nor a dominant
organisation shows what is yours, nothing shows what is another's either, and no claim is made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from locid import git
from locid.errors import Unavailable

ME, VENDOR = "me", "vendor:"
RECENT = 200  # newest commits that count
SHARE = 0.1  # of them that make a repository yours
DOMINANT = 0.4  # of all remotes, the least that makes an organisation yours
_URL = re.compile(r"^(?:[a-z+]+://(?:[^/@]*@)?[^/]+/|[^/@]+@[^/:]+:)(?P<path>.+)$", re.I)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What git says of one repository."""

    organisation: str  # '' when the remote names none
    commits: int = 0
    mine: int = 0
    known: bool = True  # whether git knows a name or address of the user's

    @property
    def wrote(self) -> bool | None:
        """Whether the user wrote a share of the newest commits; None when there are none, or git knows no user."""
        if self.commits == 0 or not self.known:
            return None
        return self.mine >= SHARE * self.commits


def read(repo: git.Repo, before: Evidence | None = None) -> Evidence:
    """What git says; of a repository that git cannot read, what it said `before`, or its remote alone."""
    organisation = owner_in(repo.remote or "")
    try:
        own = git.identities(repo.root)
        written = git.authors(repo.root, RECENT)
    except Unavailable:
        return before or Evidence(organisation, known=False)
    mine = sum(address in own or name in own for address, name in written)
    return Evidence(organisation, len(written), mine, bool(own))


def owners(evidence: Mapping[str, Evidence]) -> dict[str, str | None]:
    """`me`, `vendor:<org>` or None, where nothing can be claimed, for each repository, by the same key."""
    found = list(evidence.values())
    usual = dominant(found)
    settled = bool(usual) or any(e.wrote for e in found)
    return {key: _owner(e, usual, settled) for key, e in evidence.items()}


def owner_in(url: str) -> str:
    """The account or group that a remote's URL names first, in lower case; '' for a local path."""
    found = _URL.match(url)
    parts = [p for p in found["path"].split("/") if p and not p.startswith("~")] if found else []
    return parts[0].lower() if len(parts) > 1 else ""


def dominant(found: Sequence[Evidence]) -> str:
    """The organisation that is taken for the user's own; '' for none: a tie, less than two fifths, or no line of theirs."""
    counts = Counter(e.organisation for e in found if e.organisation)
    (first, most), (_, next_most) = [*counts.most_common(2), ("", 0), ("", 0)][:2]
    if most == next_most or most < DOMINANT * counts.total():
        return ""
    written = {e.organisation for e in found if e.wrote}
    return first if not written or first in written else ""


def _owner(found: Evidence, usual: str, settled: bool) -> str | None:
    if found.wrote or (usual and found.organisation == usual):
        return ME
    if found.organisation:
        return f"{VENDOR}{found.organisation}" if settled else None
    return None if found.wrote is False else ME
