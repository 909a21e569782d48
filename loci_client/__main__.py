"""`python -m loci_client`: the same as the `loci` command."""

from .cli.main import run

run()
