(module name: [(constant) @name (scope_resolution) @name]) @module
(class name: [(constant) @name (scope_resolution) @name]) @class
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(assignment left: (constant) @name) @constant
(call method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name)
  (#match? @_attr "^attr_(reader|writer|accessor)$")) @field
(call method: (identifier) @_define arguments: (argument_list . (simple_symbol) @name)
  (#eq? @_define "define_method")) @function
(comment) @attached
(call method: (identifier) @_require arguments: (argument_list . (string (string_content) @module))
  (#any-of? @_require "require" "require_relative" "load" "autoload")) @import

; references
(call method: [(identifier) (constant)] @call)
(superclass [(constant) @inherit (scope_resolution name: (constant) @inherit)])
(call method: (identifier) @_mix arguments: (argument_list [(constant) @inherit
  (scope_resolution name: (constant) @inherit)]) (#any-of? @_mix "include" "extend" "prepend"))
(constant) @type
(argument_list (identifier) @use)
(body_statement (identifier) @use)
