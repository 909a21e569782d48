"""Definitions of each language we have a grammar for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locid.syntax import LANGUAGES, definitions, language_of

SOURCES = {
    "python": (
        """# about A
@dec
@dec2(
  1)
class A(B):
    x = 1

    @property
    def f(self):
        def g(): pass
        return g

Y = 3
""",
        ["A class 1-11", "A.x field 6-6", "A.f function 8-11", "A.f.g function 10-10", "Y variable 13-13"],
    ),
    "javascript": (
        """/** about
 */
export default class Foo {
  static async run() { const inner = () => 1; }
  handler = () => {};
}
const K = { a: function() {}, b() {} };
exports.qux = function () {};
""",
        ["Foo class 1-6", "Foo.run method 4-4", "Foo.run.inner function 4-4", "Foo.handler method 5-5",
         "K constant 7-7", "K.a method 7-7", "K.b method 7-7", "qux function 8-8"],
    ),
    "typescript": (
        """export interface I { a: string }
export type T = string;
export enum E { A }
namespace N { export function inner() {} }
abstract class Q { abstract foo(): void }
""",
        ["I interface 1-1", "T type 2-2", "E enum 3-3", "N module 4-4", "N.inner function 4-4", "Q class 5-5",
         "Q.foo method 5-5"],
    ),
    "tsx": ("export function C() { return <div>{x}</div> }\n", ["C function 1-1"]),
    "go": (
        """package x

// S is.
type S struct { a int }

// F does.
func (s *S) F() {}
func (s G[T]) H() {}
const (
	C1 = 1
)
""",
        ["S struct 3-4", "S.F method 6-7", "G.H method 8-8", "C1 constant 10-10"],
    ),
    "rust": (
        """/// about
#[derive(Debug)]
pub struct S<T> { a: T }
impl<T> Tr for S<T> {
    // note
    fn f(&self) {}
}
macro_rules! mm { () => {} }
""",
        ["S struct 1-3", "S impl 4-7", "S.f function 5-6", "mm macro_rules 8-8"],
    ),
    "c": (
        """#define X 1
/* about */
static int
foo(int a) { return 1; }
char *bar(void) { return 0; }
typedef struct node { int a; } node_t;
""",
        ["X macro 1-1", "foo function 2-4", "bar function 5-5", "node_t typedef 6-6", "node struct 6-6"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", SOURCES)
def test_definitions_are_found_with_what_stands_above_them(language: str) -> None:
    """Each has its qualified name, kind and lines, comments and decorators included."""
    source, expected = SOURCES[language]
    found = definitions(language, source.encode())
    assert [f"{d.qualified} {d.kind} {d.line_start}-{d.line_end}" for d in found] == expected


def test_every_language_is_named_by_its_extensions() -> None:
    """Every grammar has a test here and an extension that leads to it."""
    assert set(SOURCES) == set(LANGUAGES)
    assert all(language_of(f"a/b{ext}") == name for name, lang in LANGUAGES.items() for ext in lang.extensions)
    assert language_of("Makefile") == "" and language_of(".py") == ""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("unit", ["(", "{[(", "fn f() { ", "def f(", "x = f(", "/*", '"', "<div>"])
def test_deep_nesting_and_broken_text_end_quietly(language: str, unit: str) -> None:
    """A hundred thousand open brackets neither crash nor hang the parser."""
    assert isinstance(definitions(language, (unit * (100_000 // len(unit))).encode()), list)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(LANGUAGES)), st.binary(max_size=300))
def test_any_bytes_give_a_list(language: str, source: bytes) -> None:
    """Whatever the bytes, the result is a list of definitions inside the text."""
    for d in definitions(language, source):
        assert 1 <= d.line_start <= d.line_end <= source.count(b"\n") + 1
