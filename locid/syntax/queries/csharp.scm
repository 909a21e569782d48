(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(namespace_declaration name: (_) @name) @module
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(destructor_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
(property_declaration name: (identifier) @name) @property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(enum_member_declaration name: (identifier) @name) @member
(comment) @attached
(using_directive !name . (_) @module .) @import
(using_directive "static" (_) @module .) @import
(using_directive name: (identifier) @whole (_) @module .) @import

; references
(invocation_expression function: [
  (identifier) @call
  (generic_name (identifier) @call)
  (member_access_expression name: [(identifier) @call (generic_name (identifier) @call)])
  (conditional_access_expression (member_binding_expression name: (identifier) @call))])
(object_creation_expression type: [(identifier) @call (generic_name (identifier) @call)
  (qualified_name name: (identifier) @call)])
(base_list [(identifier) @inherit (generic_name (identifier) @inherit) (qualified_name name: (identifier) @inherit)])
(attribute name: [(identifier) @decorate (qualified_name name: (identifier) @decorate)])
(variable_declaration type: [(identifier) @type (generic_name (identifier) @type)])
(parameter type: [(identifier) @type (generic_name (identifier) @type)])
(method_declaration returns: [(identifier) @type (generic_name (identifier) @type)])
(property_declaration type: [(identifier) @type (generic_name (identifier) @type)])
(type_argument_list [(identifier) @type (generic_name (identifier) @type)])
(cast_expression type: (identifier) @type)
(typeof_expression type: (identifier) @type)
(argument (identifier) @use)
(member_access_expression expression: (identifier) @use)
(return_statement (identifier) @use)
