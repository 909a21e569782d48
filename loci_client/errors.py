"""What can go wrong, named for what the caller can do; each class has its code and its exit status.

A test compares the codes and statuses with `wire.ERROR_CODES`.
"""


class LociError(Exception):
    """A sentence that says what went wrong and what to do next; `detail` is data for a program."""

    code = "internal"
    status = 5

    def __init__(self, message: str, detail: dict[str, object] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail or {}


# ---- what the daemon answers -------------------------------------------------------------------------------


class ServerError(LociError):
    """The daemon's answer is an error; a code that this client does not know counts as internal."""


class BadRequest(ServerError):
    """The request is malformed."""

    code, status = "bad_request", 2


class TooLarge(ServerError):
    """The request or its answer is over a limit."""

    code, status = "too_large", 2


class UnknownMethod(ServerError):
    """The daemon has no such method."""

    code, status = "unknown_method", 2


class UnknownScope(ServerError):
    """No scope has that name."""

    code, status = "unknown_scope", 2


class UnknownGroup(ServerError):
    """No group has that name."""

    code, status = "unknown_group", 2


class AmbiguousName(ServerError):
    """Several scopes have that name."""

    code, status = "ambiguous_name", 2


class Conflict(ServerError):
    """It contradicts what is registered."""

    code, status = "conflict", 2


class Refused(ServerError):
    """It is against a rule."""

    code, status = "refused", 2


class NotIndexed(ServerError):
    """The scope has no store yet."""

    code, status = "not_indexed", 1


class Unavailable(ServerError):
    """Something outside loci is missing."""

    code, status = "unavailable", 3


class Stopping(ServerError):
    """The daemon drains; the next one will answer."""

    code, status = "stopping", 3


class ProtocolMismatch(ServerError):
    """The daemon speaks another protocol number; detail holds {protocol, version, instance}."""

    code, status = "protocol_mismatch", 3


class Busy(ServerError):
    """Too much is in flight."""

    code, status = "busy", 4


class Deadline(ServerError):
    """The request's time ran out in the daemon."""

    code, status = "deadline", 4


class Cancelled(ServerError):
    """The request was cancelled."""

    code, status = "cancelled", 4


class Internal(ServerError):
    """A defect of the daemon; its log has the rest."""

    code, status = "internal", 5


TABLE: dict[str, type[ServerError]] = {
    error.code: error
    for error in (
        BadRequest,
        TooLarge,
        UnknownMethod,
        UnknownScope,
        UnknownGroup,
        AmbiguousName,
        Conflict,
        Refused,
        NotIndexed,
        Unavailable,
        Stopping,
        ProtocolMismatch,
        Busy,
        Deadline,
        Cancelled,
        Internal,
    )
}


def from_reply(body: object) -> ServerError:
    """The exception for the `error` of a reply; unknown codes become a ServerError of status 5."""
    if not isinstance(body, dict):
        return ServerError("the daemon's error has no shape: `loci daemon restart`")
    detail = body.get("detail")
    error = TABLE.get(str(body.get("code")), ServerError)
    return error(str(body.get("message") or "no reason was given"), detail if isinstance(detail, dict) else None)


# ---- what the client meets by itself -----------------------------------------------------------------------


class NoDaemon(LociError):
    """Nothing listens on the socket."""

    code, status = "unavailable", 3


class BadPeer(LociError):
    """What listens on the socket does not speak our protocol."""

    code, status = "unavailable", 3


class ForeignPeer(LociError):
    """Another user's process listens on our socket."""

    code, status = "unavailable", 3


class ConnectionLost(LociError):
    """The daemon closed the connection before it answered."""

    code, status = "unavailable", 3


class Silent(LociError):
    """The daemon accepts and says nothing."""

    code, status = "unavailable", 3


class CannotStart(LociError):
    """No daemon could be started, or the one there is cannot be used; says why, and what to do."""

    code, status = "unavailable", 3


class DeadlinePassed(LociError):
    """The request's time ran out without an answer."""

    code, status = "deadline", 4


class OutputLost(LociError):
    """The answer could not be written: to stdout, or to a file that was asked for."""

    code, status = "internal", 5


class Usage(LociError):
    """The command line makes no sense."""

    code, status = "bad_request", 2
