(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression table: (_) @parent field: (identifier) @name)) @function
(function_declaration name: (method_index_expression table: (_) @parent method: (identifier) @name)) @method
(assignment_statement (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition))) @function
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @parent field: (identifier) @name))
  (expression_list . value: (function_definition))) @function
(field name: (identifier) @name value: (function_definition)) @function
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @variable)
(comment) @attached
(function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @module))
  (#eq? @_require "require")) @import

; references
(function_call name: [(identifier) @call (dot_index_expression field: (identifier) @call)
  (method_index_expression method: (identifier) @call)])
(arguments (identifier) @use)
(field value: (identifier) @use)
(dot_index_expression table: (identifier) @use)
