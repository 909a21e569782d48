(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(package_object name: (_) @name) @module
(trait_definition name: (_) @name) @trait
(enum_definition name: (_) @name) @enum
(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @requirement
(given_definition name: (_) @name) @function
(type_definition name: (_) @name) @type
(template_body (val_definition pattern: (identifier) @name) @field)
(template_body (var_definition pattern: (identifier) @name) @field)
(compilation_unit (val_definition pattern: (identifier) @name) @variable)
(simple_enum_case name: (identifier) @name) @member
(comment) @attached
(block_comment) @attached
(annotation) @attached
(import_declaration) @import @clause

; references
(call_expression function: [(identifier) @call (field_expression field: (identifier) @call)
  (generic_function function: [(identifier) @call (field_expression field: (identifier) @call)])])
(instance_expression [(type_identifier) @call (generic_type type: (type_identifier) @call)])
(extends_clause type: [(type_identifier) @inherit (generic_type type: (type_identifier) @inherit)])
(annotation name: (type_identifier) @decorate)
(type_identifier) @type
(infix_expression operator: (identifier) @use)
(arguments (identifier) @use)
(field_expression value: (identifier) @use)
