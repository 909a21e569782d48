"""Between frames and values: a message -> Request or Refusal, a result or an error -> bytes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from loci_client import wire
from locid.errors import BadRequest, LociError, TooLarge
from locid.rpc.method import MAX_ID, Method, checked, is_id

DEFAULT_DEADLINE_MS = 30_000
MAX_DEADLINE_MS = 3_600_000
MAX_CLIENT = 64  # characters of a client's name or version that we keep
FROZEN = ("hello", "status", "stop")  # they cross versions: a client of any protocol may send them

_REQ = "a REQ socket sends an empty frame before the body, which this protocol has not: use a DEALER socket"


class UnknownMethod(LociError):
    """No method has that name."""

    code = "unknown_method"


class ProtocolMismatch(LociError):
    """The client speaks another protocol: one of the two must be restarted or upgraded."""

    code = "protocol_mismatch"


@dataclass(frozen=True, slots=True)
class Request:
    """A request that passed every check."""

    id: int | str
    method: Method
    params: Mapping[str, Any]
    deadline_s: float
    client: str  # name and version


@dataclass(frozen=True, slots=True)
class Refusal:
    """A message that did not, with the id it had, if any, and the error to answer."""

    id: int | str | None
    error: LociError


@dataclass(frozen=True, slots=True)
class Identity:
    """Who we are, for a client of another protocol."""

    version: str
    instance: str


def read(frames: Sequence[bytes], methods: Mapping[str, Method], me: Identity) -> Request | Refusal:
    """The request in a message's frames (routing id left out), or why it is none."""
    body: object = None
    try:
        body = _body(frames)
        return _request(_map(body), methods, me)
    except LociError as error:
        return Refusal(_id(body), error)


def encode_result(id: int | str, result: Mapping[str, Any]) -> bytes:
    """The final reply; TooLarge over the limit of the wire, TypeError or ValueError without an encoding."""
    data: bytes = wire.encode(wire.reply(id, result))
    if len(data) > wire.MAX_MESSAGE:
        raise TooLarge(f"the answer is {len(data)} bytes and {wire.MAX_MESSAGE} are allowed: ask for less")
    return data


def encode_error(id: int | str | None, error: LociError) -> bytes:
    """The final reply of a request that failed; a detail without an encoding is left out."""
    try:
        data: bytes = wire.encode(wire.error(id, error.code, error.message, error.detail))
        if len(data) <= wire.MAX_MESSAGE:
            return data
    except (TypeError, ValueError, OverflowError):
        pass
    text = error.message[:4000].encode("utf-8", "backslashreplace").decode()
    plain: bytes = wire.encode(wire.error(id, error.code, text))
    return plain


def encode_progress(id: int | str, stage: Mapping[str, Any]) -> bytes:
    """A progress message; `stage` holds the arguments of wire.progress."""
    data: bytes = wire.encode(wire.progress(id, **stage))
    return data


def _body(frames: Sequence[bytes]) -> object:
    # An empty frame before the body is how REQ sockets speak. They are not supported: a REQ socket takes one
    # reply to a request, so the first progress would end it, and it cannot cancel.
    if len(frames) == 2 and not frames[0]:
        return {"id": _id(_decoded(frames[1])), "envelope": True}
    if len(frames) != 1:
        raise BadRequest(f"a request is one frame, this message has {len(frames)}")
    if len(frames[0]) > wire.MAX_MESSAGE:
        raise TooLarge(f"the request is {len(frames[0])} bytes and {wire.MAX_MESSAGE} are allowed")
    return _decoded(frames[0])


def _decoded(data: bytes) -> object:
    try:
        return wire.decode(data)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise BadRequest(f"the body is not one MessagePack message: {type(error).__name__}") from None


def _map(body: object) -> dict[Any, Any]:
    if not isinstance(body, dict):
        raise BadRequest("the body must be a map: {id, method, params, deadline_ms, client}")
    if body.get("envelope") is True and len(body) == 2:
        raise BadRequest(_REQ)
    return body


def _id(body: object) -> int | str | None:
    value = body.get("id") if isinstance(body, dict) else None
    return value if (isinstance(value, (int, str)) and is_id(value)) else None


def _request(body: dict[Any, Any], methods: Mapping[str, Method], me: Identity) -> Request:
    id = _id(body)
    if id is None:
        raise BadRequest(f"a request needs an `id`: an integer or a string of at most {MAX_ID} characters")
    name = body.get("method")
    if not isinstance(name, str):
        raise BadRequest("a request needs a `method`: a string")
    client = _client(name, body.get("client"), me)
    method = methods.get(name)
    if method is None:
        raise UnknownMethod(f"this daemon has no method {name[:80]!r}: its methods are {', '.join(methods)}")
    params = body.get("params")
    if params is not None and not isinstance(params, dict):
        raise BadRequest("`params` must be a map")
    return Request(id, method, checked(method, params or {}), _deadline(body.get("deadline_ms")), client)


def _client(method: str, client: object, me: Identity) -> str:
    given = client if isinstance(client, dict) else {}
    protocol = given.get("protocol")
    if method not in FROZEN:
        _check_protocol(protocol, me)
    words = [str(given[k])[:MAX_CLIENT] for k in ("name", "version") if isinstance(given.get(k), str)]
    return " ".join(words) or "unknown"


def _check_protocol(protocol: object, me: Identity) -> None:
    if not isinstance(protocol, int) or isinstance(protocol, bool):
        raise BadRequest("a request needs `client`: {name, version, protocol}, where protocol is an integer")
    if protocol != wire.PROTOCOL:
        raise ProtocolMismatch(
            f"this daemon ({me.version}) speaks protocol {wire.PROTOCOL} and the client {protocol}: "
            "run `loci daemon restart`",
            {"protocol": wire.PROTOCOL, "version": me.version, "instance": me.instance},
        )


def _deadline(value: object) -> float:
    if value is None:
        return DEFAULT_DEADLINE_MS / 1000
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_DEADLINE_MS:
        raise BadRequest(f"`deadline_ms` must be an integer from 1 to {MAX_DEADLINE_MS} (an hour)")
    return value / 1000
