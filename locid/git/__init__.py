"""The only runner of git: it never prompts, locks, reaches the network, or runs what a repository names.

Entry: the functions below. Where git need not run it does not: `discover` and `head` read `.git` themselves. Paths come
back with `/` between the parts and bytes that are not UTF-8 percent-escaped (`escape`); messages have such bytes replaced.
Must never import: anything of ours but redact, values and errors.
"""

from locid.git.history import RawCommit, authors, identities, is_ancestor, log, new_commits
from locid.git.paths import escape, unescape
from locid.git.repository import Repo, discover, git_dir_of, head, without_credentials
from locid.git.tree import changed_paths, exclude_files, state, tracked_against_rules

__all__ = [
    "RawCommit",
    "Repo",
    "authors",
    "changed_paths",
    "discover",
    "escape",
    "exclude_files",
    "git_dir_of",
    "head",
    "identities",
    "is_ancestor",
    "log",
    "new_commits",
    "state",
    "tracked_against_rules",
    "unescape",
    "without_credentials",
]
