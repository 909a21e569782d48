"""Definitions, references and imports of each language we have a grammar for."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locid.syntax import EMBEDDED, LANGUAGES, definitions, language_of, outline
from locid.syntax.headers import MAX_DOC, MAX_SIGNATURE

SAMPLES = os.path.join(os.path.dirname(__file__), "outlines")
ALL = sorted([*LANGUAGES, *EMBEDDED.values()])


def told(language: str, source: str) -> list[str]:
    """The outline of a source as lines that a person can check."""
    found = outline(language, source.encode())
    out = []
    for d in found.definitions:
        out.append(
            f"{d.kind} {d.qualified} {d.line_start}-{d.line_end}: {d.signature}" + (f" -- {d.doc}" if d.doc else "")
        )
    for i in found.imports:
        names = ", ".join(f"{name} as {alias}" if alias else name for name, alias in i.names)
        out.append(f"import {i.line}: {i.module}" + (f" ({names})" if names else ""))
    for r in found.references:
        out.append(f"{r.kind} {r.line}: {r.name}" + (f" in {r.within}" if r.within else ""))
    return out


@pytest.mark.parametrize("language", ALL)
def test_an_outline_tells_what_a_source_defines_imports_and_refers_to(language: str) -> None:
    """Each sample of `outlines/` gives the lines below its `========`."""
    with open(os.path.join(SAMPLES, language + ".txt"), encoding="utf-8") as file:
        source, _, expected = file.read().partition("\n========\n")
    assert told(language, source) == expected.splitlines()


def test_every_language_is_named_by_its_files() -> None:
    """Extensions, names and `#!` lines lead to the grammar; nothing else does."""
    assert all(language_of(f"a/b{ext}") == name for name, lang in LANGUAGES.items() for ext in lang.extensions)
    assert all(language_of(f"a/{file}") == name for name, lang in LANGUAGES.items() for file in lang.names)
    assert language_of("a/B.vue") == "vue" and language_of("a/b.svelte") == "svelte"
    assert language_of("Makefile") == "" and language_of(".py") == "" and language_of("a.txt", "#!/bin/sh") == ""
    lines = {"#!/bin/sh\n": "shell", "#!/usr/bin/env python3.11\n": "python", "#! /usr/bin/env -S node x\n": "javascript",
             "#!/opt/x/ruby -w\n": "ruby", "#!/usr/bin/perl\n": "", "": ""}  # fmt: skip
    assert {line: language_of("bin/tool", line) for line in lines} == lines


def test_a_header_is_cpp_when_it_says_so() -> None:
    """`class`, `namespace`, `template` at the beginning of a line make a `.h` file C++; a struct does not."""
    assert language_of("a.h", "#pragma once\nnamespace x {\n}\n") == "cpp"
    assert language_of("a.h", "class Foo {\n public:\n};\n") == "cpp"
    assert language_of("a.h", "struct foo { int class_id; };\n// a template\n") == "c"


def test_kinds_and_headers_are_bounded() -> None:
    """A signature is one line of 200 characters at most; a docstring gives its first line that says something."""
    source = f"def f({', '.join(f'argument_{n}' for n in range(99))}):\n    '''\n\n    Says it.\n    More.\n    '''\n"
    (found,) = definitions("python", source.encode())
    assert found.signature.startswith("def f(argument_0, ") and len(found.signature) == MAX_SIGNATURE
    assert found.doc == "Says it."


@pytest.mark.parametrize("language", ALL)
@pytest.mark.parametrize(
    "unit", ["(", "{[(", "fn f() { ", "def f(", "x = f(", "/*", '"', "<div>", "if x; then ", "class A { "]
)
def test_deep_nesting_and_broken_text_end_quietly(language: str, unit: str) -> None:
    """A hundred thousand open brackets neither crash nor hang the parser."""
    assert isinstance(definitions(language, (unit * (100_000 // len(unit))).encode()), list)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(ALL), st.binary(max_size=300))
def test_any_bytes_give_an_outline(language: str, source: bytes) -> None:
    """Whatever the bytes, all lines lie inside the text, and no text is longer than it may be."""
    check(language, source)


# fmt: off
_WORDS = [
    "class", "A", "{", "}", "(", ")", "def", "f", "fn", "func", "function", ":", ";", "=", "=>", "import", "x", "from", "use",
    "#", "//", "/*", "*/", "'", "@a", "<", ">", "end", "do", "if", "then", "<script>", "</script>", "struct", "impl", "return",
    "a.b", ",", "[", "]", "namespace", "enum", "const", "let", "package", "::", "é", '"',
]
# fmt: on
_TOKENS = st.lists(st.sampled_from([*_WORDS, "\n"]), max_size=60)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(ALL), _TOKENS)
def test_words_of_source_in_any_order_give_an_outline(language: str, words: list[str]) -> None:
    """What looks like source, but is none, is read like any bytes."""
    check(language, " ".join(words).encode())


def check(language: str, source: bytes) -> None:
    lines = source.count(b"\n") + 1
    found = outline(language, source)
    for d in found.definitions:
        assert 1 <= d.line_start <= d.line_end <= lines
        assert "\n" not in d.signature + d.doc and len(d.signature) <= MAX_SIGNATURE and len(d.doc) <= MAX_DOC
    assert all(1 <= r.line <= lines and r.name for r in found.references)
    assert all(1 <= i.line <= lines for i in found.imports)
    assert [r.line for r in found.references] == sorted(r.line for r in found.references)
