"""Chunks of code and prose: what they cover, where they are cut, what they are called."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locid import chunk
from locid.chunk import Builder
from locid.collect import code, docs
from locid.syntax import definitions

_LINES = st.lists(
    st.sampled_from(
        ["", "  ", "x = 1", "def f():", "    return 2", "class A:", "    def m(self):", "        def inner():",
         "            pass", "# note", "@dec", "\x0c", "y" * 300, "z" * 2500, "a\rb", "é " * 40]
    ),
    max_size=160,
)  # fmt: skip


def cut(lines: list[str], language: str = "python") -> list[chunk.Chunk]:
    builder = Builder("a.py", "code", "shipped")
    code.passages(builder, lines, definitions(language, "\n".join(lines).encode()) if language else [])
    return builder.chunks


@settings(max_examples=150, deadline=None)
@given(_LINES, st.sampled_from(["python", ""]))
def test_code_is_covered_once_in_order(lines: list[str], language: str) -> None:
    """Each line that is not blank lies in exactly one range, ranges ascend, and a text is its lines."""
    chunks = cut(lines, language)
    ranges = list(dict.fromkeys((c.line_start, c.line_end) for c in chunks))
    covered = [n for start, end in ranges for n in range(start, end + 1)]
    assert covered == sorted(set(covered))
    assert {n for n, line in enumerate(lines, 1) if line.strip()} <= set(covered)
    for c in chunks:
        whole = "\n".join(lines[c.line_start - 1 : c.line_end])
        assert c.text == whole or (c.line_start == c.line_end and c.text in whole)
        assert len(c.text) <= code.MAX_CHARS and c.line_end - c.line_start < code.MAX_LINES
    assert len({c.id for c in chunks}) == len(chunks)


def test_a_chunk_begins_at_a_definition_and_is_called_by_it() -> None:
    """Functions of some length have a chunk each; short ones share one; the symbol is qualified."""
    body = ["        x = 1"] * 8
    lines = ["import os", "", "class A:", "    '''Doc.'''", "    def one(self):", *body, "    def two(self):", *body]
    chunks = cut(lines)
    assert [(c.line_start, c.symbol, c.names) for c in chunks] == [
        (1, "A", ("A", "one")),
        (14, "A.two", ("A", "two")),
    ]


def test_a_function_that_fits_is_never_cut() -> None:
    """Not at functions inside it, not for what stands before it, not for a bracket after it."""
    inner = ["def outer():", *["    a = 1"] * 8, "    def inner():", *["        b = 2"] * 8, "    return inner"]
    assert [(c.line_start, c.line_end) for c in cut(inner)] == [(1, 19)]
    short = ["def short():", "    pass", "", "def whole():", *["    x = 1"] * 38]
    assert [(c.line_start, c.line_end, c.symbol) for c in cut(short)] == [(1, 2, "short"), (4, 42, "whole")]
    java = ["class A {", *["    int x;"] * 6, "  void f() {", *["    x();"] * 38, "  }", "}"]
    assert [(c.line_start, c.line_end) for c in cut(java, "java")] == [(1, 7), (8, 47), (48, 48)]


def test_methods_begin_passages_however_deep_their_class_lies() -> None:
    """Modules and classes around a method do not count as depth."""
    body = [f"        x{n}()" for n in range(8)]
    ruby = ["module M", "  module N", "    class A", "      def one", *body, "      end", "      def two", *body, "      end",
            "    end", "  end", "end"]  # fmt: skip
    assert [(c.line_start, c.symbol) for c in cut(ruby, "ruby")] == [(1, "M.N.A"), (14, "M.N.A.two")]


def test_a_long_function_is_cut_at_inner_definitions_and_blank_lines() -> None:
    """A forced cut falls on an inner definition, or after a blank line, and keeps the symbol."""
    lines = ["def long():", *["    a = 1"] * 30, "", *["    b = 2"] * 30]
    assert [(c.line_start, c.line_end, c.symbol) for c in cut(lines)] == [(1, 31, "long"), (33, 62, "long")]
    lines = ["def long():", *["    a = 1"] * 25, "    def inner():", *["        b = 2"] * 30]
    assert [c.line_start for c in cut(lines)] == [1, 27]


def test_ids_do_not_depend_on_lines_and_equals_are_counted() -> None:
    """A line inserted above re-keys nothing; two equal passages of a file have two ids."""
    before, after = (
        cut(["", *["def f():", *["    x = 1"] * 7] * 3]),
        cut(["", "", "", *["def f():", *["    x = 1"] * 7] * 3]),
    )
    assert [c.id for c in before] == [c.id for c in after] and len({c.id for c in before}) == 3
    assert before[0].line_start != after[0].line_start
    one, _ = chunk.make("p", "doc", "t", 1, 1, "docs", heading="h")
    two, _ = chunk.make("q", "doc", "t", 1, 1, "docs", heading="h")
    assert one.id != two.id and len(one.id) == 16


MARKDOWN = """---
title: The page
---
Some words before any heading at all, quite a few of them.

# Install

Run the installer and wait for it to be done with everything.

```sh
# not a heading
echo hello, this is a shell block in a fence
```

Setup
-----
Set it up with the file that the installer left for you there.

### Deep
Deep words follow here, enough of them to be more than a stub.

# Links
- [a](b)
- [c](d)
- <https://x.y>

# Empty
"""
RST = """=====
Title
=====

Some introduction that is long enough to be worth a passage.

Usage
-----

.. code-block:: python

    Not a heading
    -------------

More words about the usage, so that it is worth something.

Deep
~~~~
The deep section has its own words, and they are enough too.

Next
----
+------+------+
| a    | b    |
+------+------+
A table above is no heading, and this is text enough for it.
"""


def read(path: str, text: str) -> list[tuple[str, int, int]]:
    builder = Builder(path, "doc", "docs")
    docs.passages(builder, path, text.split("\n"))
    return [(c.heading, c.line_start, c.line_end) for c in builder.chunks]


def test_markdown_is_cut_at_its_headings() -> None:
    """ATX and setext headings give the path; fences hide theirs; link lists and bare headings are left out."""
    assert read("a.md", MARKDOWN) == [
        ("The page", 1, 4),
        ("The page > Install", 6, 13),
        ("The page > Install > Setup", 15, 17),
        ("The page > Install > Setup > Deep", 19, 20),
    ]


def test_rst_is_cut_at_its_adornments() -> None:
    """Underlines with and without overline have levels by their order; code and tables are none."""
    assert read("a.rst", RST) == [
        ("Title", 1, 5),
        ("Title > Usage", 7, 15),
        ("Title > Usage > Deep", 17, 19),
        ("Title > Next", 21, 26),
    ]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.adoc", "= Top\n\n== Sub\n----\n== no\n----\nwords enough to stand as a passage", [("Top > Sub", 3, 7)]),
        ("a.org", "* Top\n** Sub\nwords enough to stand as a passage here", [("Top > Sub", 2, 3)]),
        ("NOTES.txt", "Title here\n==========\nwords enough to stand as a passage here", [("Title here", 1, 3)]),
        ("README", "just words without a heading, and enough of them", [("", 1, 1)]),
    ],
)
def test_other_markups_have_headings_too(path: str, text: str, expected: list[tuple[str, int, int]]) -> None:
    """AsciiDoc, Org and underlined plain text."""
    assert read(path, text) == expected


_PROSE = st.lists(
    st.sampled_from(
        ["", "# One", "## Two", "Three", "=====", "-----", "```", "~~~", "words " * 5, "a line of prose, not too long.",
         "long " * 60, "w" * 4500, "* item", "| a | b |", "> quote", "---"]
    ),
    max_size=140,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(_PROSE, st.sampled_from(["a.md", "a.rst", "a.txt", "a.adoc", "a.org"]))
def test_prose_passages_are_exact_and_bounded(lines: list[str], path: str) -> None:
    """A passage is its lines, at most 40 of them and 2,000 characters; ranges overlap by a short line at most."""
    builder = Builder(path, "doc", "docs")
    docs.passages(builder, path, lines)
    last = 0
    for c in builder.chunks:
        whole = "\n".join(lines[c.line_start - 1 : c.line_end])
        assert c.text == whole or (c.line_start == c.line_end and c.text in whole)
        assert len(c.text) <= code.MAX_CHARS and c.line_end - c.line_start < code.MAX_LINES
        assert c.line_start >= last and (
            c.line_start > last or len(lines[last - 1]) <= docs.OVERLAP or len(whole) > code.MAX_CHARS
        )
        last = c.line_end
    assert len({c.id for c in builder.chunks}) == len(builder.chunks)


def test_long_prose_takes_up_a_short_line() -> None:
    """A cut inside a paragraph repeats the line before it, when that is short."""
    lines = ["# Head", *[f"line number {n} of a paragraph that goes on" for n in range(60)]]
    found = read("a.md", "\n".join(lines))
    assert [(start, end) for _, start, end in found] == [(1, 40), (40, 61)]
    assert all(re.fullmatch("Head", heading) for heading, _, _ in found)
