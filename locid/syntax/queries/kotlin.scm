(class_declaration "class" name: (identifier) @name) @class
(class_declaration "interface" name: (identifier) @name) @interface
(object_declaration name: (identifier) @name) @class
(companion_object name: (identifier) @name) @class
(function_declaration name: (identifier) @name) @function
(type_alias type: (identifier) @name) @type
(source_file (property_declaration (variable_declaration . (identifier) @name)) @variable)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @field)
(enum_entry (identifier) @name) @member
(line_comment) @attached
(block_comment) @attached
(import) @import @clause

; references
(call_expression . [(identifier) @call (navigation_expression (identifier) @call .)])
(constructor_invocation (user_type (identifier) @call))
(delegation_specifier (user_type (identifier) @inherit))
(delegation_specifier (constructor_invocation (user_type (identifier) @inherit)))
(annotation [(user_type (identifier) @decorate) (constructor_invocation (user_type (identifier) @decorate))])
(user_type (identifier) @type)
(callable_reference (identifier) @call .)
(value_argument (identifier) @use)
(navigation_expression . (identifier) @use)
