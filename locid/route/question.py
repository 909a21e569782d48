"""A question taken apart: its tokens, those that weigh, and whether it points instead of naming. Pure.

The closed classes below are grammar, not vocabulary: no word stands here because a repository or a test uses it.
"""

from __future__ import annotations

import re

from locid import tokenizer
from locid.route import enumeration
from locid.values import Question

MAX_CHARS = 4_000  # more is no question, but a paste: its head says what it is about

POINTING = re.compile(
    r"\b(?:this|these|those|here|we|our|ours|us|"
    r"(?:the|this|that) (?:project|repo|repository|codebase|code base|code|app|application|package|directory|folder|"
    r"module|library|tool|service))\b",
    re.IGNORECASE,
)
"""Words that point at where the asker stands."""


PAST = re.compile(
    r"\b(?:why|when|who|commit(?:s|ted)?|chang(?:e|es|ed|ing)|history|introduced|added|removed|dropped|reverted|renamed|"
    r"fixed|broke|since)\b",
    re.IGNORECASE,
)
"""Words that ask what happened, and why."""

RECENT = re.compile(r"\b(?:recent(?:ly)?|latest|lately|last (?:commits?|changes?)|newest)\b", re.IGNORECASE)
"""Words that ask for what happened last."""

EXPLAINED = re.compile(
    r"^\W*(?:how (?:do|can|should|would|could) (?:i|we|you|one)\b|what(?: is| are|'s)\b|how (?:do|does|is|are) .*\bwork)",
    re.IGNORECASE,
)
"""Forms that ask for an explanation, which documentation gives, rather than for the place where something is done."""

_NAME = r"`?([A-Za-z_$][\w$.:]*)`?(?:\(\))?"
ABOUT_A_NAME = re.compile(
    rf"\b(?:(?:what|who|which \w+) (?:calls?|uses?|invokes?|imports?|references?|extends|implements|overrides|"
    rf"subclasses|inherits from) {_NAME}|where (?:is|are|do(?:es)? (?:we|i|it) (?:call|use)) {_NAME}|"
    rf"what (?:does|do|breaks if) {_NAME}|"
    rf"(?:callers|uses|usages|references|definitions?) (?:of|to) {_NAME})",
    re.IGNORECASE,
)
"""Forms that ask about one name of the code. Whether the word is a name is told by how it is written."""


def parse(text: str) -> Question:
    """The question's parts; the text itself is cut at MAX_CHARS."""
    head = text[:MAX_CHARS]
    topic = enumeration.topic(head)
    tokens = tuple(dict.fromkeys(tokenizer.tokens(topic or head)))
    content = tokenizer.content(topic or head)
    return Question(
        text=head,
        tokens=content or tokens,
        weighed=content,
        past=bool(PAST.search(head)),
        recent=bool(RECENT.search(head)),
        pointing=bool(POINTING.search(head)),
        explained=bool(EXPLAINED.search(head)),
        subject=subject(head),
        alternatives=tuple(enumeration.parts(topic)) if topic else (),
    )


def subject(text: str) -> str | None:
    """The name of the code that the question asks about, as its token; None where it asks about anything else."""
    found = ABOUT_A_NAME.search(text)
    if found is None:
        return None
    name = next(n for n in found.groups() if n)
    names = tokenizer.identifiers(re.split(r"[.:]+", name.strip(".:"))[-1])
    return names[0] if len(names) == 1 else None


def mentions(text: str, name: str) -> bool:
    """Whether a name stands in the text as whole tokens, in any case."""
    if not name or name.lower() not in text.lower():  # a pattern for each of many names costs more than the answer
        return False
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None
