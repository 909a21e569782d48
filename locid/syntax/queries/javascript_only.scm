(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method

; references
(class_heritage [(identifier) @inherit (member_expression property: (property_identifier) @inherit)])
