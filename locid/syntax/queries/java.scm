(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(compact_constructor_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @requirement
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(enum_constant name: (identifier) @name) @member
(line_comment) @attached
(block_comment) @attached
(import_declaration (_) @module . (asterisk) @imported) @import
(import_declaration (scoped_identifier scope: (_) @module name: (identifier) @imported) .) @import

; references
(method_invocation name: (identifier) @call)
(object_creation_expression type: [(type_identifier) @call (generic_type (type_identifier) @call)
  (scoped_type_identifier (type_identifier) @call .)])
(superclass [(type_identifier) @inherit (generic_type (type_identifier) @inherit)
  (scoped_type_identifier (type_identifier) @inherit .)])
(super_interfaces (type_list [(type_identifier) @inherit (generic_type (type_identifier) @inherit)]))
(extends_interfaces (type_list [(type_identifier) @inherit (generic_type (type_identifier) @inherit)]))
(marker_annotation name: (identifier) @decorate)
(annotation name: (identifier) @decorate)
(method_reference (identifier) @call .)
(type_identifier) @type
(argument_list (identifier) @use)
(method_invocation object: (identifier) @use)
(field_access object: (identifier) @use)
(return_statement (identifier) @use)
(variable_declarator value: (identifier) @use)
