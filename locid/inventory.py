"""What kinds of files a scope's store holds, counted: for doctor, which opens no store of its own."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from locid import db
from locid.errors import LociError
from locid.layout import STORE_FORMAT, Layout


@dataclass(frozen=True, slots=True)
class Inventory:
    """Counts over the files that are indexed."""

    documents: int = 0
    unparsed: Mapping[str, int] = field(default_factory=dict)  # extension -> files cut without a grammar
    folders: int = 0  # that hold an indexed file, or lead to one


def take(layout: Layout, scope: str) -> Inventory:
    """The inventory of a scope; an empty one when its store cannot be read."""
    try:
        connection = db.open_reader(layout.store_db(scope), STORE_FORMAT)
    except (LociError, db.Damaged):
        return Inventory()
    try:
        rows = connection.execute("select path, language from files where skip is null").fetchall()
    finally:
        connection.close()
    unparsed = Counter(os.path.splitext(path)[1].lower() for path, language in rows if not language)
    folders = {""}
    for path, _ in rows:
        folder = os.path.dirname(path)
        while folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)
    return Inventory(sum(language == "prose" for _, language in rows), dict(unparsed), len(folders))
