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
(import_statement . (string (string_fragment) @module)) @import
(import_statement (import_clause (identifier) @default) source: (string (string_fragment) @module)) @import
(import_statement (import_clause (namespace_import (identifier) @whole))
  source: (string (string_fragment) @module)) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @imported !alias)))
  source: (string (string_fragment) @module)) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @imported alias: (_) @alias)))
  source: (string (string_fragment) @module)) @import
(export_statement source: (string (string_fragment) @module)) @import
(variable_declarator name: (identifier) @whole value: (call_expression function: (identifier) @_require
  arguments: (arguments . (string (string_fragment) @module))) (#eq? @_require "require")) @import
(variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @imported
    (pair_pattern key: (_) @imported value: (identifier) @alias)])
  value: (call_expression function: (identifier) @_require
    arguments: (arguments . (string (string_fragment) @module))) (#eq? @_require "require")) @import
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @module))) @import

; references
(call_expression function: [(identifier) @call (member_expression property: (property_identifier) @call)])
(new_expression constructor: [(identifier) @call (member_expression property: (property_identifier) @call)])
(decorator [(identifier) @decorate (call_expression function: (identifier) @decorate)])
(arguments (identifier) @use)
(pair value: (identifier) @use)
(shorthand_property_identifier) @use
(array (identifier) @use)
(variable_declarator value: (identifier) @use)
(assignment_expression right: (identifier) @use)
(return_statement (identifier) @use)
(member_expression object: (identifier) @use)
(ternary_expression (identifier) @use)
(export_specifier name: (identifier) @use)
