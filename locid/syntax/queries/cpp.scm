(class_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)] body: (_)) @class
(template_declaration (class_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)] body: (_))) @class
(template_declaration (struct_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)] body: (_))) @struct
(namespace_definition name: (_) @name) @module
(concept_definition name: (identifier) @name) @type
(alias_declaration name: (type_identifier) @name) @type
(function_definition declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))
    (operator_cast) @name]) @function
(function_definition declarator: [
    (function_declarator declarator: (qualified_identifier
      scope: [(namespace_identifier) @parent (template_type name: (type_identifier) @parent)] name: (_) @name))
    (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier
      scope: [(namespace_identifier) @parent (template_type name: (type_identifier) @parent)] name: (_) @name)))
    (reference_declarator (function_declarator declarator: (qualified_identifier
      scope: [(namespace_identifier) @parent (template_type name: (type_identifier) @parent)] name: (_) @name)))
    ]) @function
(template_declaration (function_definition declarator: [
    (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name))
    (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))
    (function_declarator declarator: (qualified_identifier
      scope: [(namespace_identifier) @parent (template_type name: (type_identifier) @parent)] name: (_) @name))
    ])) @function
(field_declaration declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
    (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))]) @requirement
(declaration_list (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable)
(using_declaration (_) @module) @import

; references
(call_expression function: [
  (qualified_identifier name: [(identifier) @call (template_function name: (identifier) @call)
    (qualified_identifier name: (identifier) @call)])
  (template_function name: (identifier) @call)
  (field_expression field: (template_method name: (field_identifier) @call))])
(new_expression type: [(type_identifier) @call (template_type name: (type_identifier) @call)
  (qualified_identifier name: (type_identifier) @call)])
(base_class_clause [(type_identifier) @inherit (template_type name: (type_identifier) @inherit)
  (qualified_identifier name: [(type_identifier) @inherit (template_type name: (type_identifier) @inherit)])])
