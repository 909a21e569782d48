"""A question taken apart: its tokens, those that weigh, and whether it points instead of naming. Pure.

The closed classes below are grammar, not vocabulary: no word stands here because a repository or a test uses it.
"""

from __future__ import annotations

import re

from locid import tokenizer
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


def parse(text: str) -> Question:
    """The question's parts; the text itself is cut at MAX_CHARS."""
    head = text[:MAX_CHARS]
    tokens = tuple(dict.fromkeys(tokenizer.tokens(head)))
    content = tokenizer.content(head)
    return Question(
        text=head,
        tokens=content or tokens,
        weighed=content,
        past=bool(PAST.search(head)),
        recent=bool(RECENT.search(head)),
        pointing=bool(POINTING.search(head)),
    )


def mentions(text: str, name: str) -> bool:
    """Whether a name stands in the text as whole tokens, in any case."""
    if (
        not name or name.lower() not in text.lower()
    ):  # a pattern for each of a thousand names costs more than the answer
        return False
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None
