"""Extensions of programming languages, with their names: those that a grammar would read better than blank lines do."""

SOURCES = {
    f".{extension}": name
    for name, extensions in {
        "Ada": "adb ads", "Assembly": "asm s", "C": "c h", "C#": "cs", "C++": "cc cpp cxx hh hpp hxx",
        "Clojure": "clj cljs cljc",
        "Crystal": "cr", "D": "d", "Dart": "dart", "Elixir": "ex exs", "Elm": "elm", "Erlang": "erl hrl", "F#": "fs fsx",
        "Fortran": "f f90 f95 for", "GDScript": "gd", "Go": "go", "Groovy": "groovy gradle", "Haskell": "hs lhs",
        "Haxe": "hx", "Java": "java", "JavaScript": "js jsx mjs cjs", "Julia": "jl", "Kotlin": "kt kts", "Lean": "lean",
        "Lisp": "el lisp scm rkt", "Lua": "lua", "Nim": "nim", "OCaml": "ml mli", "Objective-C": "m mm", "PHP": "php",
        "Pascal": "pas", "Perl": "pl pm", "PowerShell": "ps1 psm1", "Python": "py pyi pyw", "R": "r", "Ruby": "rb rake",
        "Rust": "rs", "Scala": "scala", "Shell": "sh bash zsh fish ksh", "Solidity": "sol", "Svelte": "svelte",
        "Swift": "swift", "TypeScript": "ts mts cts tsx", "V": "v", "Verilog": "sv svh", "Visual Basic": "vb", "Vue": "vue",
        "Zig": "zig",
    }.items()
    for extension in extensions.split()
}  # fmt: skip
