"""Whose a repository is, as git tells: `me`, or `vendor:<org>` by the owner in its remote's URL.

It is yours when you wrote a tenth of its newest commits, when its remote's owner is the one that most of your
repositories have, or when nothing says otherwise: no commit of another's, or neither a remote nor a name of yours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from locid import git
from locid.errors import Unavailable

ME = "me"
RECENT = 200  # newest commits that count
SHARE = 0.1  # of them that make a repository yours
_URL = re.compile(r"^(?:[a-z+]+://(?:[^/@]*@)?[^/]+/|[^/@]+@[^/:]+:)(?P<path>.+)$", re.I)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What git says of one repository."""

    organisation: str  # '' when the remote names none
    commits: int = 0
    mine: int = 0
    known: bool = True  # whether git knows a name or address of the user's

    @property
    def written_by_me(self) -> bool:
        """Whether the user wrote a share of the newest commits."""
        return self.commits > 0 and self.mine >= SHARE * self.commits


def read(repo: git.Repo) -> Evidence:
    """What git says; a repository that git cannot read says nothing but its remote."""
    organisation = owner_in(repo.remote or "")
    try:
        own = git.identities(repo.root)
        written = git.authors(repo.root, RECENT)
    except Unavailable:
        return Evidence(organisation, known=False)
    mine = sum(address in own or name in own for address, name in written)
    return Evidence(organisation, len(written), mine, bool(own))


def owners(evidence: Mapping[str, Evidence]) -> dict[str, str]:
    """`me` or `vendor:<org>` for each repository, by the same key."""
    usual = _usual(list(evidence.values()))
    return {key: _owner(found, usual) for key, found in evidence.items()}


def owner_in(url: str) -> str:
    """The account or group that a remote's URL names first, in lower case; '' for a local path."""
    found = _URL.match(url)
    parts = [p for p in found["path"].split("/") if p and not p.startswith("~")] if found else []
    return parts[0].lower() if len(parts) > 1 else ""


def _usual(evidence: Sequence[Evidence]) -> str:
    """The organisation of most repositories that the user wrote in; '' when two have as many."""
    counts = Counter(e.organisation for e in evidence if e.written_by_me and e.organisation).most_common(2)
    if not counts or (len(counts) == 2 and counts[0][1] == counts[1][1]):
        return ""
    return counts[0][0]


def _owner(found: Evidence, usual: str) -> str:
    if found.written_by_me or (usual and found.organisation == usual):
        return ME
    if found.organisation:
        return f"vendor:{found.organisation}"
    return ME if found.commits == 0 or not found.known else "vendor:unknown"
