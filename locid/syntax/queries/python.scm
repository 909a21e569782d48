(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(module (expression_statement (assignment left: (identifier) @name)) @variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @field))
(type_alias_statement left: (type (identifier) @name)) @type
(comment) @attached
(decorator) @attached
(class_definition body: (block . (expression_statement (string) @doc)))
(function_definition body: (block . (expression_statement (string) @doc)))
(import_statement name: (dotted_name) @module) @import
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module name: (dotted_name) @imported) @import
(import_from_statement module_name: (_) @module
  name: (aliased_import name: (dotted_name) @imported alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module (wildcard_import) @imported) @import

; references
(call function: [(identifier) @call (attribute attribute: (identifier) @call)])
(class_definition superclasses: (argument_list
  [(identifier) @inherit (attribute attribute: (identifier) @inherit) (subscript value: (identifier) @inherit)]))
(decorator [(identifier) @decorate (attribute attribute: (identifier) @decorate)
  (call function: [(identifier) @decorate (attribute attribute: (identifier) @decorate)])])
(type (identifier) @type)
(type (generic_type (identifier) @type))
(type (attribute attribute: (identifier) @type))
(raise_statement (identifier) @type)
(except_clause value: (identifier) @use)
(argument_list (identifier) @use)
(keyword_argument value: (identifier) @use)
(assignment right: (identifier) @use)
(return_statement (identifier) @use)
(list (identifier) @use)
(tuple (identifier) @use)
(pair value: (identifier) @use)
(attribute object: (identifier) @use)
(subscript value: (identifier) @use)
