"""The languages we have a grammar for, as data: extensions, where the grammar comes from, and what defines a name.

`definitions` is a tree-sitter query. A capture named after a kind (`@function`, `@class` …) is the extent of a
definition and `@name` its name; `@parent` names what it belongs to when the source nests it nowhere (Go's receivers).
`@attached` is what belongs to a definition that begins on the next line: comments, decorators, attributes.
"""

from __future__ import annotations

from dataclasses import dataclass

# Names for what is defined inside them (C's typedef), which is not theirs.
ALIASES = frozenset({"typedef"})
# Names worth finding, but too many and too small to begin a passage.
SMALL = frozenset({"constant", "variable", "macro", "field", "import"})


@dataclass(frozen=True, slots=True)
class Language:
    """One grammar and its rules."""

    name: str
    extensions: tuple[str, ...]
    module: str  # the package of the grammar
    function: str  # its function that returns the language
    definitions: str


_PYTHON = """
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(module (expression_statement (assignment left: (identifier) @name)) @variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @field))
(type_alias_statement left: (type (identifier) @name)) @type
(comment) @attached
(decorator) @attached
"""

_JAVASCRIPT = """
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(assignment_expression left: [(identifier) @name (member_expression property: (property_identifier) @name)]
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @constant)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @variable)
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name)) @constant))
(comment) @attached
(decorator) @attached
"""
_JAVASCRIPT_ONLY = """
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
"""
_TYPESCRIPT = (
    _JAVASCRIPT
    + """
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
(abstract_class_declaration name: (_) @name) @class
(abstract_method_signature name: (_) @name) @method
(function_signature name: (identifier) @name) @function
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
"""
)

_GO = """
(function_declaration name: (identifier) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @parent
    (pointer_type (type_identifier) @parent)
    (generic_type type: (type_identifier) @parent)
    (pointer_type (generic_type type: (type_identifier) @parent))]))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name
  type: [(type_identifier) (qualified_type) (pointer_type) (function_type) (map_type) (slice_type) (array_type)
    (channel_type) (generic_type)]) @type
(type_alias name: (type_identifier) @name) @type
(method_elem name: (field_identifier) @name) @field
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
(comment) @attached
"""

_RUST = """
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(union_item name: (type_identifier) @name) @struct
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(mod_item name: (identifier) @name body: (_)) @module
(macro_definition name: (identifier) @name) @macro_rules
(impl_item type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (scoped_type_identifier name: (type_identifier) @name)
    (reference_type type: (type_identifier) @name)]) @impl
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(line_comment) @attached
(block_comment) @attached
(attribute_item) @attached
"""

_C = """
(function_definition declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name)))]) @function
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @struct
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(type_definition declarator: (type_identifier) @name) @typedef
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @typedef
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @typedef
(translation_unit (declaration declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @field)
(translation_unit (declaration declarator: (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)])) @variable)
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(comment) @attached
"""

LANGUAGES = {
    language.name: language
    for language in (
        Language("python", (".py", ".pyi", ".pyw"), "tree_sitter_python", "language", _PYTHON),
        Language(
            "javascript",
            (".js", ".jsx", ".mjs", ".cjs"),
            "tree_sitter_javascript",
            "language",
            _JAVASCRIPT + _JAVASCRIPT_ONLY,
        ),
        Language("typescript", (".ts", ".mts", ".cts"), "tree_sitter_typescript", "language_typescript", _TYPESCRIPT),
        Language("tsx", (".tsx",), "tree_sitter_typescript", "language_tsx", _TYPESCRIPT),
        Language("go", (".go",), "tree_sitter_go", "language", _GO),
        Language("rust", (".rs",), "tree_sitter_rust", "language", _RUST),
        Language("c", (".c", ".h"), "tree_sitter_c", "language", _C),
    )
}
_BY_EXTENSION = {ext: language.name for language in LANGUAGES.values() for ext in language.extensions}


def language_of(path: str) -> str:
    """The language whose grammar reads files of that extension, '' when we have none."""
    name = path.rpartition("/")[2].lower()
    dot = name.rfind(".")
    return _BY_EXTENSION.get(name[dot:], "") if dot > 0 else ""
