(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(union_item name: (type_identifier) @name) @struct
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(mod_item name: (identifier) @name body: (_)) @module
(macro_definition name: (identifier) @name) @macro_rules
(impl_item type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (scoped_type_identifier name: (type_identifier) @name)
    (reference_type type: (type_identifier) @name)]) @impl
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(line_comment) @attached
(block_comment) @attached
(attribute_item) @attached
(use_declaration argument: (_) @clause) @import
(extern_crate_declaration name: (identifier) @module) @import

; references
(call_expression function: [
  (identifier) @call
  (scoped_identifier name: (identifier) @call)
  (field_expression field: (field_identifier) @call)
  (generic_function function: [(identifier) @call (scoped_identifier name: (identifier) @call)
    (field_expression field: (field_identifier) @call)])])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (identifier) @call)])
(impl_item trait: [(type_identifier) @inherit (generic_type type: (type_identifier) @inherit)
  (scoped_type_identifier name: (type_identifier) @inherit)])
(trait_bounds [(type_identifier) @type (generic_type type: (type_identifier) @type)])
(attribute_item (attribute (identifier) @decorate))
(type_identifier) @type
(scoped_identifier path: (identifier) @use)
(arguments [(identifier) @use (scoped_identifier name: (identifier) @use)])
(token_tree (identifier) @use)
(field_expression value: (identifier) @use)
