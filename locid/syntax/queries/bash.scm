(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @variable)
(comment) @attached
(command name: (command_name (word) @_source) . argument: (_) @module (#any-of? @_source "source" ".")) @import

; references
(command name: (command_name (word) @call))
