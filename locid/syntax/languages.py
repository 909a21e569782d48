"""The languages we have a grammar for, as data: names of files, where the grammar comes from, and its queries.

`queries/*.scm` hold two tree-sitter queries each, above and below a line `; references`.

Above: what is defined and imported. A capture named after a kind (`@function`, `@class` …) is the extent of a definition
and `@name` its name; `@parent` names what it belongs to when the source nests it nowhere (Go's receivers). `@attached` is
what belongs to a definition that begins on the next line: comments, decorators, attributes. `@doc` is a docstring.
`@import` is an import whose `@module` is imported as a whole, or gives `@imported` (as `@alias`), its `@default` or all
of itself under one name (`@whole`); `@group` stands before what it imports; `@file` imports a path; a `@clause` is read
as text.

Below: what is referred to, by its name. `@call`, `@inherit`, `@decorate`; `@type` is a use that always counts, `@use` one
that counts when the file defines or imports that name, since locals would drown all else.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache

# Hold nothing: what is defined inside C's typedef is not its own, and members of an enum stand side by side.
ALIASES = frozenset({"typedef", "member"})
# Names worth finding, but too many and too small to begin a passage.
SMALL = frozenset({"constant", "variable", "macro", "field", "import", "declaration", "requirement", "member"})
# What is whole in one passage when it fits.
FUNCTIONS = frozenset({"function", "method", "property", "macro_rules"})
# Whose functions are methods.
HOLDERS = frozenset({"class", "struct", "interface", "trait", "enum", "impl"})
# Nodes that are bodies in grammars which do not call them so.
BODIES = frozenset({"class_body", "enum_class_body", "function_body"})
# A capture's kind -> a symbol's, where they differ; '' is no symbol.
KINDS = {"typedef": "type", "macro_rules": "macro", "impl": "", "requirement": "method", "property": "field"}

_MARK = "\n; references\n"
_FOLDER = os.path.join(os.path.dirname(__file__), "queries")


@dataclass(frozen=True, slots=True)
class Language:
    """One grammar and its rules."""

    name: str
    extensions: tuple[str, ...]
    module: str  # the package of the grammar
    queries: tuple[str, ...]  # files of `queries/`, joined
    function: str = "language"  # the package's function that returns the language
    separator: str = ""  # between the parts of an imported path whose last part is the imported name
    names: tuple[str, ...] = ()  # of files without an extension
    programs: tuple[str, ...] = ()  # that a `#!` line calls
    common: frozenset[str] = frozenset()  # types that every file has: no reference


_GO_TYPES = frozenset(
    """
    any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint
    uint8 uint16 uint32 uint64 uintptr
    """.split()  # noqa: SIM905
)
_JS, _TS = ("javascript", "javascript_only", "jsx"), ("javascript", "typescript")
LANGUAGES = {
    language.name: language
    for language in (
        Language("python", (".py", ".pyi", ".pyw"), "tree_sitter_python", ("python",), programs=("python",)),
        Language("javascript", (".js", ".jsx", ".mjs", ".cjs"), "tree_sitter_javascript", _JS, programs=("node",)),
        Language("typescript", (".ts", ".mts", ".cts"), "tree_sitter_typescript", _TS, "language_typescript"),
        Language("tsx", (".tsx",), "tree_sitter_typescript", (*_TS, "jsx"), "language_tsx"),
        Language("go", (".go",), "tree_sitter_go", ("go",), common=_GO_TYPES),
        Language("rust", (".rs",), "tree_sitter_rust", ("rust",), separator="::"),
        Language("c", (".c", ".h"), "tree_sitter_c", ("c",)),
        Language(
            "cpp",
            (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".inl", ".cu", ".cuh"),
            "tree_sitter_cpp",
            ("c", "cpp"),
        ),
        Language("java", (".java",), "tree_sitter_java", ("java",)),
        Language("csharp", (".cs",), "tree_sitter_c_sharp", ("csharp",)),
        Language(
            "ruby",
            (".rb", ".rake", ".gemspec", ".ru"),
            "tree_sitter_ruby",
            ("ruby",),
            names=("rakefile", "gemfile", "podfile", "brewfile", "vagrantfile", "fastfile"),
            programs=("ruby",),
        ),
        Language("php", (".php",), "tree_sitter_php", ("php",), "language_php", "\\", programs=("php",)),
        Language("kotlin", (".kt", ".kts"), "tree_sitter_kotlin", ("kotlin",), separator="."),
        Language("swift", (".swift",), "tree_sitter_swift", ("swift",)),
        Language("scala", (".scala", ".sc", ".sbt"), "tree_sitter_scala", ("scala",), separator="."),
        Language("lua", (".lua",), "tree_sitter_lua", ("lua",), programs=("lua",)),
        Language(
            "shell",
            (".sh", ".bash", ".zsh", ".ksh", ".bats"),
            "tree_sitter_bash",
            ("bash",),
            names=(".bashrc", ".bash_profile", ".zshrc", ".profile"),
            programs=("sh", "bash", "zsh", "ksh", "dash"),
        ),
    )
}
_BY_EXTENSION = {ext: language.name for language in LANGUAGES.values() for ext in language.extensions}
_BY_NAME = {name: language.name for language in LANGUAGES.values() for name in language.names}
_BY_PROGRAM = {program: language.name for language in LANGUAGES.values() for program in language.programs}
# Markup that holds a script: which grammar reads it stands in its tag.
EMBEDDED = {".vue": "vue", ".svelte": "svelte"}
_PROGRAM = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?(?:\S*/)?)?([a-z]+)")
# What a header says when it is C++: in C none of these stands at the beginning of a line.
_CPP = re.compile(
    r"^[ \t]*(?:namespace\b|class[ \t]+\w|template[ \t]*<|using[ \t]+\w|(?:public|private|protected)[ \t]*:)", re.M
)


def language_of(path: str, text: str = "") -> str:
    """The language of a file, by its extension or name, else by the first line of its text; '' when we know none."""
    name = path.rpartition("/")[2].lower()
    dot = name.rfind(".")
    ext = name[dot:] if dot > 0 else ""
    found = _BY_EXTENSION.get(ext) or EMBEDDED.get(ext) or _BY_NAME.get(name, "")
    if found == "c" and ext == ".h" and _CPP.search(text):
        return "cpp"
    if found or ext or not text.startswith("#!"):
        return found
    program = _PROGRAM.match(text)
    return _BY_PROGRAM.get(program[1], "") if program else ""


@cache
def queries(language: str) -> tuple[str, str]:
    """The two queries of a language: definitions with imports, and references."""
    above, below = [], []
    for name in LANGUAGES[language].queries:
        with open(os.path.join(_FOLDER, name + ".scm"), encoding="utf-8") as file:
            first, _, second = ("\n" + file.read()).partition(_MARK)
        above.append(first)
        below.append(second)
    return "\n".join(above), "\n".join(below)
