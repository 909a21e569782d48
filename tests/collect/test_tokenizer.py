"""Identifiers whole and in parts, the same for indexing and asking."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locid.tokenizer import MAX_LENGTH, STOP, content, split, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getHTTPResponse_v2", ["gethttpresponse_v2", "get", "http", "response"]),
        ("snake_case_name", ["snake_case_name", "snake", "case", "name"]),
        ("OAuth macOS GraphQL", ["oauth", "auth", "macos", "mac", "os", "graphql", "graph", "ql"]),
        ("d1 h2 s3 x", ["d1", "h2", "s3"]),
        ("utf8.decode()", ["utf8", "utf", "decode"]),
        ("__init__", ["init"]),
        ("da39a3ee5e6b4b0d3255bfef95601890afd80709 deadbeef", ["deadbeef"]),
        ("使用Python编程", ["使用", "python", "编程"]),
        ("こんにちは", ["こん", "んに", "にち", "ちは"]),
        ("cafe\u0301 naïve", ["café", "naïve"]),
        ("Привет", ["привет"]),
        ("x" * 41, []),
        ("don't", ["don"]),
    ],
)
def test_words_become_themselves_and_their_parts(text: str, expected: list[str]) -> None:
    """The whole identifier comes first, then its parts when it has several."""
    assert tokens(text) == expected


@given(st.text(max_size=200))
def test_tokens_are_short_lowercase_and_repeatable(text: str) -> None:
    """Any text gives tokens within the length limits, the same ones each time."""
    found = tokens(text)
    assert found == tokens(text)
    assert all(1 <= len(t) <= MAX_LENGTH and (len(t) > 1 or not t.isascii()) for t in found)
    assert all(t == t.lower() for t in found if t.isascii())


@given(st.lists(st.from_regex(r"[a-z][a-z_]{0,12}[a-z]", fullmatch=True), max_size=10))
def test_texts_add_up(words: list[str]) -> None:
    """The tokens of a text are those of its words in order."""
    assert tokens(" ".join(words)) == [t for word in words for t in tokens(word)]


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_]{1,30}", fullmatch=True))
def test_parts_of_a_name_are_among_its_tokens(name: str) -> None:
    """Asking by a part of a name finds the name."""
    assert set(split(name)) <= set(tokens(name)) or not tokens(name)


def test_content_leaves_out_closed_class_words_and_repeats() -> None:
    """A question's content is each distinct token once, in order, without function words."""
    assert content("How does the retry of a retry_policy work?") == ("retry", "retry_policy", "policy", "work")
    assert {"the", "which", "between", "doesn"} <= STOP and not STOP & {"use", "add", "fix", "file"}
