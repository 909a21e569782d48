"""Questions about all projects that do something: which of my projects retry, have I ever written a parser. Pure.

What uses what is told by `relation` first; what is left here is decided by the passages of each project alone.
"""

from __future__ import annotations

import re

from locid.route.relation import FRAME, LISTING

MOST_PARTS = 4
_PLURAL = r"(?:projects|repos|repositories|code ?bases)"
_OWN = r"(?:(?:of|all|the|these|those|other|registered|else) )*(?:(?:my|our) (?:own )?(?:other )?)"
_MANY = rf"(?:{_OWN}(?:{FRAME})|(?:(?:of|the|these|those|all|other|registered|else) )*{_PLURAL})"
_DO = r"(?: (?:do|does|did|is|are|has|have|can)\b)?(?: (?:i|we)\b)?"
_FRAMES = (
    rf"(?:in )?(?:which|what|how many) {_MANY}\b(?: that| which| where)?{_DO}",
    rf"{LISTING} {_MANY}\b(?: that| which| where| with)?",
    rf"(?:do|does|did|is|are|has|have) (?:any|some|all)(?: of)? {_MANY}\b",
    r"where else\b(?: (?:do|did|have|am|are) (?:i|we)\b)?",
    r"(?:have|did) (?:i|we) ever\b",
)
_TAIL = rf"(?: (?:in|by|across) (?:any|another|some|all)(?: other)?(?: of)? {_MANY}| anywhere(?: else)?| before)"
_ENUMERATING = re.compile(rf"^\W*(?:{'|'.join(_FRAMES)})(?P<topic>.+?){_TAIL}?\W*$", re.IGNORECASE | re.DOTALL)
_SCATTERED = re.compile(
    r"^\W*(?:(?:have|did|do|am|are) (?:i|we)\b)?(?P<topic>.+?)"
    rf" (?:in|by|across) (?:any|all)(?: other)?(?: of)? (?:project|repo|{_MANY})\W*$",
    re.IGNORECASE | re.DOTALL,
)


def topic(text: str) -> str | None:
    """What the enumerated projects are asked about, without the frame; None for a question that enumerates nothing."""
    found = _ENUMERATING.match(text) or _SCATTERED.match(text)
    said = found.group("topic").strip() if found else ""
    return said or None


def parts(topic: str) -> list[str]:
    """The alternatives of a topic: `workers or D1` is either."""
    return re.split(r"\s+or\s+", topic, maxsplit=MOST_PARTS - 1)
