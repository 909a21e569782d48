"""The `loci` command: `main` is the entry and the lean path, `parser` leads to the slower commands.

Entry: `main.run`. Must never import rich outside `pretty`, nor in `main` what ask and route do not need.
"""
