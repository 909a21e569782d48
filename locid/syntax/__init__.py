"""Source text -> definitions, by tree-sitter; grammars load when first asked for.

Entry: `definitions(language, source)`; `language_of(path)` names the language. A file that cannot be parsed has none.
Must never import: collect, chunk, tokenizer, git, ignore. Only importer of tree_sitter and its grammars.
"""

from locid.syntax.languages import LANGUAGES, language_of
from locid.syntax.parse import MAX_BYTES, Definition, definitions

__all__ = ["LANGUAGES", "MAX_BYTES", "Definition", "definitions", "language_of"]
