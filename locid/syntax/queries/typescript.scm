(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
(abstract_class_declaration name: (_) @name) @class
(abstract_method_signature name: (_) @name) @method
(function_signature name: (identifier) @name) @function
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(import_require_clause (identifier) @whole source: (string (string_fragment) @module)) @import

; references
(extends_clause value: [(identifier) @inherit (member_expression property: (property_identifier) @inherit)])
(implements_clause [(type_identifier) @inherit (generic_type name: (type_identifier) @inherit)])
(extends_type_clause type: [(type_identifier) @inherit (generic_type name: (type_identifier) @inherit)])
(type_identifier) @type
