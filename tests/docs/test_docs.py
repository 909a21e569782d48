"""The documents say what the code does."""

import pathlib
import re
import tomllib

import loci_client
import locid
from loci_client.cli import parser, texts
from locid import layout
from locid.redact import KINDS

ROOT = pathlib.Path(__file__).resolve().parents[2]


def page(name: str) -> str:
    return (ROOT / name).read_text()


def commands() -> set[str]:
    """Every command that the parsers know."""
    families = {name for action in parser.build()._actions for name in (action.choices or ())}
    return families | set(texts.HELP)


def test_every_command_that_the_readme_names_exists():
    """`loci X` in the README is a command of the command line."""
    named = set(re.findall(r"^\| `loci ([a-z]+)", page("README.md"), re.M))
    named |= set(re.findall(r"^(?:\$ )?(?:~\S*/)?loci ([a-z]+)", page("README.md"), re.M))
    assert named and named <= commands()


def test_format_numbers():
    """docs/storage.md gives each format the number that the code has."""
    rows = dict(re.findall(r"^\| (\S+) \| (\d+) \|", page("docs/storage.md"), re.M))
    assert rows == {
        "registry.db": str(layout.REGISTRY_FORMAT),
        "store.db": str(layout.STORE_FORMAT),
        "lexical-vN": str(layout.LEXICAL_FORMAT),
        "thresholds.json": str(layout.THRESHOLDS_FORMAT),
    }


def test_the_layers_of_the_document_are_those_that_the_linter_holds():
    """docs/architecture.md and pyproject.toml name the same layers in the same order."""
    contracts = tomllib.loads(page("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    held = next(c["layers"] for c in contracts if c["name"] == "layers of the daemon")
    told = re.search(r"^    __main__ > .*?errors$", page("docs/architecture.md"), re.M | re.S)
    assert told and [part.strip() for part in " ".join(told.group().split()).split(">")] == held


def test_kinds_of_secrets():
    """docs/security.md names each kind that a redaction may have, and no other."""
    told = page("docs/security.md").partition("| kind |")[2].partition("A value that may be")[0]
    table = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", told, re.M)
    assert set(re.findall(r"`(\w+)`", " ".join([*table, told.partition("Vendors:")[2]]))) == set(KINDS)


def test_one_version():
    """Daemon and client are of one version."""
    assert locid.__version__ == loci_client.__version__


def test_links_between_documents():
    """Every relative link in README and docs leads to a file."""
    for name in ["README.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page(name)):
            assert (ROOT / name).parent.joinpath(target).exists(), (name, target)
