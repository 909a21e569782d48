(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(method_declaration name: (name) @name) @method
(function_definition name: (name) @name) @function
(const_declaration (const_element . (name) @name)) @constant
(property_declaration (property_element name: (variable_name (name) @name))) @field
(enum_case name: (name) @name) @member
(comment) @attached
(attribute_list) @attached
(namespace_use_declaration !body (namespace_use_clause . [(qualified_name) (name)] @module !alias)) @import
(namespace_use_declaration !body (namespace_use_clause . [(qualified_name) (name)] @module alias: (name) @alias)) @import
(namespace_use_declaration (namespace_name) @group body: (namespace_use_group
  (namespace_use_clause . (_) @imported !alias))) @import
(namespace_use_declaration (namespace_name) @group body: (namespace_use_group
  (namespace_use_clause . (_) @imported alias: (name) @alias))) @import
(require_once_expression (string (string_content) @module)) @file
(require_expression (string (string_content) @module)) @file
(include_once_expression (string (string_content) @module)) @file
(include_expression (string (string_content) @module)) @file

; references
(function_call_expression function: [(name) @call (qualified_name (name) @call)])
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression [(name) @call (qualified_name (name) @call)])
(base_clause [(name) @inherit (qualified_name (name) @inherit)])
(class_interface_clause [(name) @inherit (qualified_name (name) @inherit)])
(use_declaration [(name) @inherit (qualified_name (name) @inherit)])
(attribute [(name) @decorate (qualified_name (name) @decorate)])
(named_type [(name) @type (qualified_name (name) @type)])
(scoped_call_expression scope: [(name) @type (qualified_name (name) @type)])
(class_constant_access_expression . [(name) @type (qualified_name (name) @type)])
(binary_expression right: (name) @type)
