"""docs/protocol.md is the authority: its methods, errors, bytes and numbers are those of the code."""

from __future__ import annotations

import os
import re

from loci_client import transport, wire

from .conftest import ROOT

with open(os.path.join(ROOT, "docs", "protocol.md"), encoding="utf-8") as file:
    TEXT = file.read()


def rows(section: str) -> list[list[str]]:
    """The cells of the table in a section, without its head."""
    body = TEXT.split(f"\n## {section}\n")[1].split("\n## ")[0]
    lines = [line for line in body.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_the_methods() -> None:
    """Every method of the wire is documented, and no other."""
    assert [row[0].strip("`") for row in rows("Methods")] == list(wire.METHODS)


def test_the_errors() -> None:
    """Every code with its exit status."""
    assert {row[0].strip("`"): int(row[2]) for row in rows("Errors")} == wire.ERROR_CODES


def test_the_numbers() -> None:
    """The protocol's number and the size of a message."""
    assert f"for protocol number {wire.PROTOCOL}." in TEXT
    assert f"({wire.MAX_MESSAGE} bytes)" in TEXT


def test_the_handshake() -> None:
    """The documented READY is the one that is sent."""
    block = re.search(r"    04 29 .*\n((?:    .+\n)+)", TEXT)
    assert block
    data = bytes([0x04, 0x29])
    for quoted, pair in re.findall(r'"([^"]+)"|\b([0-9a-f]{2})\b', block[1]):
        data += quoted.encode() if quoted else bytes.fromhex(pair)
    assert data == transport.READY
    assert len(transport.GREETING) == 64
