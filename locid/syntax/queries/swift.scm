(class_declaration ["class" "actor"] name: (type_identifier) @name) @class
(class_declaration "struct" name: (type_identifier) @name) @struct
(class_declaration "enum" name: (type_identifier) @name) @enum
(class_declaration "extension" name: (user_type (type_identifier) @name .)) @impl
(protocol_declaration name: (type_identifier) @name) @interface
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @requirement
(init_declaration "init" @name) @method
(deinit_declaration "deinit" @name) @method
(subscript_declaration "subscript" @name) @method
(typealias_declaration name: (type_identifier) @name) @type
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field)
(enum_entry name: (simple_identifier) @name) @member
(comment) @attached
(multiline_comment) @attached
(import_declaration (identifier) @module) @import

; references
(call_expression . [(simple_identifier) @call
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call))])
(inheritance_specifier inherits_from: (user_type (type_identifier) @inherit .))
(attribute (user_type (type_identifier) @decorate))
(type_identifier) @type
(value_argument value: (simple_identifier) @use)
(navigation_expression target: (simple_identifier) @use)
