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
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @declaration)
(translation_unit (declaration declarator: (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))])) @variable)
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(comment) @attached
(preproc_include path: (_) @module) @import

; references
(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call)])
(type_identifier) @type
(argument_list (identifier) @use)
(initializer_list (identifier) @use)
(initializer_pair value: (identifier) @use)
(init_declarator value: (identifier) @use)
(assignment_expression right: (identifier) @use)
(pointer_expression argument: (identifier) @use)
(return_statement (identifier) @use)
