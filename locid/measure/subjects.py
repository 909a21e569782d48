"""A commit's subject -> the question that it answers, or None when it says too little of what was done. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from locid import tokenizer

FEWEST_WORDS = 3  # that are not closed-class
MAX_CHARS = 300  # a longer one is a whole message without a blank line

_TYPES = "feat|feature|fix|bugfix|hotfix|docs?|chore|refactor|tests?|perf|ci|build|style|revert|deps|security|breaking"
_PREFIX = re.compile(rf"^(?:\s*\[[^\]]{{1,40}}\]\s*|\s*(?:{_TYPES})(?:\([^()]{{0,60}}\))?!?:\s*)+", re.IGNORECASE)
_VERBS = "fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see|gh|issue|pr"
_NUMBER = re.compile(rf"\(?\b(?:(?:{_VERBS})\b[\s:-]*)?(?<!\w)(?:#|gh-)\d+\b\)?|\(?(?<!\w)#\d+\b\)?", re.IGNORECASE)
_VERSION = r"v?\d+(?:\.\d+)+\S*"
_NO_TOPIC = re.compile(
    rf"""^(?: merge\b | revert\b | reapply\b | back\s?port\b | fixup! | squash! | amend! | wip\b
       | (?:release|version)\b | {_VERSION}\s*(?:release)?$ | bump\b | \w+\s+version\s+bump\b
       | (?:prepare|cut|start|begin|tag|publish|back\s+to)\b.*\b(?:version|release|development|{_VERSION})
       | (?:set|update|increase|increment)\s+(?:the\s+)?version\b
       | (?:update|upgrade|pin|lock|bump)\b.*\bto\s+v?\d
       | (?:update|upgrade)\b.*\b(?:dependenc(?:y|ies)|deps|lock\s?files?|submodules?|changelog|authors)\b )
     | \btypos?\b | \bpre-commit\b.*\b(?:autoupdate|hooks)\b | \bdependabot\b | \brenovate\b | \bco-authored-by\b""",
    re.IGNORECASE | re.VERBOSE,
)
_WORD = re.compile(r"\w+")


def topic(subject: str, names: Iterable[str]) -> str | None:
    """The subject without numbers, prefixes and the project's names; None for merges, reverts, releases and the like."""
    subject = subject[:MAX_CHARS].strip()
    text = _NUMBER.sub(" ", _PREFIX.sub("", subject))
    if _NO_TOPIC.search(subject) or _NO_TOPIC.search(text.strip()):
        return None
    for name in sorted(set(names), key=lambda n: (-len(n), n)):
        text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", " ", text, flags=re.IGNORECASE)
    text = " ".join(text.split()).strip(" .:,;-")
    return text if len(_content_words(text)) >= FEWEST_WORDS else None


def said(text: str) -> str:
    """A text as its tokens, so that what is written differently and says the same is equal."""
    return " ".join(tokenizer.tokens(text))


def _content_words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text) if tokenizer.content(word)}
