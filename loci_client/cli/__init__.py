"""The `loci` command: `main` is the lean path and the entry, `parser` leads to the families of slower commands.

Entry: `main.run`. Must never import rich outside `pretty`, nor anything that main does not need before ask and route.
"""
