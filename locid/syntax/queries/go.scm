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
(method_elem name: (field_identifier) @name) @requirement
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
(comment) @attached
(import_spec !name path: (_) @module) @import
(import_spec name: (package_identifier) @whole path: (_) @module) @import
(import_spec name: [(dot) (blank_identifier)] path: (_) @module) @import

; references
(call_expression function: [(identifier) @call (selector_expression field: (field_identifier) @call)])
(field_declaration !name type: [(type_identifier) @inherit (qualified_type name: (type_identifier) @inherit)
  (pointer_type (type_identifier) @inherit)])
(type_identifier) @type
(argument_list (identifier) @use)
(literal_element (identifier) @use)
(expression_list (identifier) @use)
(selector_expression operand: (identifier) @use)
