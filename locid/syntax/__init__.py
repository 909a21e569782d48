"""Source text -> definitions, references and imports, by tree-sitter; grammars load when first asked for.

Entry: `outline(language, source)`; `language_of(path, text)` names the language. A file that cannot be parsed has none.
Must never import: collect, chunk, tokenizer, git, ignore. Only importer of tree_sitter and its grammars.
"""

from locid.syntax.grammar import MAX_BYTES
from locid.syntax.languages import EMBEDDED, FUNCTIONS, KINDS, LANGUAGES, language_of
from locid.syntax.parse import Definition, Outline, definitions, outline

__all__ = [
    "EMBEDDED",
    "FUNCTIONS",
    "KINDS",
    "LANGUAGES",
    "MAX_BYTES",
    "Definition",
    "Outline",
    "definitions",
    "language_of",
    "outline",
]
