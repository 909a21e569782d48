"""The grammar of relations: the examples of docs/routing.md, what it leaves alone, and texts made to be slow."""

import pathlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locid.route.relation import MAX_CHARS, is_name, parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
STANDING, ALL = "the project one stands in", "all"


def examples() -> list[list[str]]:
    """The rows of the table in the document."""
    section = (ROOT / "docs" / "routing.md").read_text().split("\n## Relations\n")[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in section.split("\n") if line.startswith("|")
    ]
    return [row for row in rows if len(row) == 4 and row[0] in ("users", "edges", "dependencies", "none")]


@pytest.mark.parametrize(("kind", "among", "text", "subject"), examples())
def test_the_examples_of_the_document(kind, among, text, subject):
    """Each question is read as its row says, and those of no relation are left alone."""
    found = parse(text)
    if kind == "none":
        assert found is None
        return
    assert found is not None and (found.kind, found.among) == (kind, among)
    assert found.pointing == (subject == STANDING)
    expected = [] if subject in (STANDING, ALL) else re.split(" or | and ", subject)
    assert list(found.subjects) == expected
    assert found.every == (" and " in subject)


def test_there_are_examples_of_each_kind():
    """The document shows every relation and what is none."""
    assert {row[0] for row in examples()} == {"users", "edges", "dependencies", "none"}
    assert len(examples()) > 30


@pytest.mark.parametrize(
    "text",
    [
        "",
        "projects",
        "which of my projects use",
        "what uses the very long description of something that nobody would call a name?",
        "which of my projects use a\nb",
        "which of my projects use " + "x" * MAX_CHARS,
        "how do I run the tests here?",
        "what calls parse_config?",
        "which Zigbee channel does the thermostat bridge use?",
    ],
)
def test_what_is_no_relation(text):
    """No subject, a description, several lines, or another kind of question."""
    assert parse(text) is None


def test_what_is_said_around_the_name_is_not_the_name():
    """Quotes, articles, kinds, purposes, places and politeness fall away."""
    for text in (
        "please tell me which projects use `rich`?",
        "which of my projects use the rich library for tables?",
        "which projects already use rich directly?",
        'what uses "rich"?',
        "is rich used by any of my projects?",
        "which repos use rich as a direct dependency",
    ):
        found = parse(text)
        assert found is not None and found.subjects == ("rich",), text


def test_names_and_words():
    """A package's name has a sign inside that no word has; an identifier is a name of the code."""
    assert all(map(is_name, ("react-native", "a/b", "@rollup/plugin-x", "golang.org/x/sys", "a.b")))
    assert not any(map(is_name, ("diesel", "D1", "retry_delay", "-x", "two words", "a-b c")))


@pytest.mark.parametrize(
    "start", ["", "which of my projects ", "what ", "is ", "list ", "am i using another ", "do any "]
)
def test_no_text_is_read_over_and_over(start):
    """Words of the grammar repeated up to the limit are read at once: a pattern that runs back over them would not end."""
    words = (
        "all",
        "of my",
        "other",
        "use",
        "projects",
        "is",
        "which",
        "a, b",
        "another",
        "of mine",
        "already",
        "or",
        "and",
    )
    texts = [start + f"{word} " * ((MAX_CHARS - 30) // (len(word) + 1)) + "zz" for word in words]
    assert [len(text) <= MAX_CHARS and (parse(text), True)[1] for text in texts] == [True] * len(texts)


@given(st.text(max_size=120), st.sampled_from(["which of my projects use ", "what uses ", "where is ", ""]))
def test_any_text_is_read_or_not(text, start):
    """Whatever is asked, the result is a relation with what it is about, or none."""
    found = parse(start + text)
    if found is not None and found.kind == "users" and not found.pointing:
        assert found.subjects and all(name.strip() for name in found.subjects)
