"""Errors named for what the caller can do; rpc maps each to its code on the wire."""

import errno

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})  # what the system says when nothing more may be written


class LociError(Exception):
    """A sentence that says what went wrong and what to do next; `detail` is data for a program."""

    code = "internal"

    def __init__(self, message: str, detail: dict[str, object] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class BadRequest(LociError):
    """The request is malformed: correct it and ask again."""

    code = "bad_request"


class TooLarge(LociError):
    """The request or its answer is over a limit that the message names."""

    code = "too_large"


class UnknownScope(LociError):
    """No scope has that name: `loci scopes` lists those there are."""

    code = "unknown_scope"


class UnknownGroup(LociError):
    """No group has that name."""

    code = "unknown_group"


class AmbiguousName(LociError):
    """Several scopes have that name: give the id."""

    code = "ambiguous_name"


class NotIndexed(LociError):
    """The scope has no store yet: `loci index` builds it."""

    code = "not_indexed"


class Unavailable(LociError):
    """Something outside us is missing: a directory, git, a lock that another holds."""

    code = "unavailable"


class NoSpace(Unavailable):
    """The disk of our files is full: free some space and ask again."""

    def __init__(self, path: str, then: str = "then try again") -> None:
        super().__init__(f"no space is left on the disk of {path}: free some, {then}")
        self.path = path


class Busy(LociError):
    """Too much in flight: try again."""

    code = "busy"


class Deadline(LociError):
    """The request's time ran out."""

    code = "deadline"


class Cancelled(LociError):
    """The client cancelled or vanished."""

    code = "cancelled"


class Stopping(LociError):
    """The daemon is draining: start it again."""

    code = "stopping"


class Conflict(LociError):
    """It contradicts what is registered already."""

    code = "conflict"


class Refused(LociError):
    """It is against a rule that the message names."""

    code = "refused"
