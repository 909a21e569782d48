"""One scope -> a stream of redacted chunks with line ranges: which files are in, what each one says, what commits say.

Entry: `walk(scope, max_file_bytes)`, `parse_file(root, stat)`, `commits(raw)`; `lines_of` gives the lines they count.
Must never import: registry, scopestore, episodes, structure, route, or anything above them.
"""

from locid.collect.classes import file_class
from locid.collect.commits import commits
from locid.collect.files import parse_file
from locid.collect.text import lines_of, read_lines
from locid.collect.walk import MAX_FILE_BYTES, rules, stat_file, walk

__all__ = [
    "MAX_FILE_BYTES",
    "commits",
    "file_class",
    "lines_of",
    "parse_file",
    "read_lines",
    "rules",
    "stat_file",
    "walk",
]
