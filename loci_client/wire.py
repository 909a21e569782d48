"""The protocol as data: its number, the shape of each message, encoding and decoding. No logic, no I/O.

`docs/protocol.md` is the authority; a test compares the two.
"""

import msgpack

# The type checker takes any name TYPE_CHECKING for true; importing `typing` would cost a call 5 ms.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Body = dict[str, Any]
else:
    Body = dict

Id = int | str  # of a request

PROTOCOL = 1
MAX_MESSAGE = 4 * 1024 * 1024
CAPABILITIES = (
    "ask",
    "route",
    "scopes",
    "groups",
    "index",
    "embed",
    "doctor",
    "calibrate",
    "eval",
    "uses",
    "why",
    "config",
    "progress",
    "cancel",
)

METHODS = (
    "hello",
    "status",
    "stop",
    "cancel",
    "ask",
    "route",
    "scopes.list",
    "scopes.scan",
    "scopes.add",
    "scopes.remove",
    "scopes.purge",
    "groups.list",
    "groups.set",
    "groups.add",
    "groups.remove",
    "groups.infer",
    "index.run",
    "index.status",
    "embed.run",
    "embed.status",
    "doctor",
    "calibrate",
    "eval",
    "config",
    "uses",
    "why",
)

# code -> exit status of a command that ends with it (docs/protocol.md says what each means)
ERROR_CODES = {
    "bad_request": 2,
    "too_large": 2,
    "unknown_method": 2,
    "unknown_scope": 2,
    "unknown_group": 2,
    "ambiguous_name": 2,
    "conflict": 2,
    "refused": 2,
    "not_indexed": 1,
    "unavailable": 3,
    "stopping": 3,
    "protocol_mismatch": 3,
    "busy": 4,
    "deadline": 4,
    "cancelled": 4,
    "internal": 5,
}


def request(id: Id, method: str, params: Body, deadline_ms: int, client: Body) -> Body:
    """The body of a request; `client` is {name, version, protocol}."""
    return {"id": id, "method": method, "params": params, "deadline_ms": deadline_ms, "client": client}


def reply(id: Id, result: object) -> Body:
    """The body of a final reply."""
    return {"id": id, "result": result}


def error(id: Id | None, code: str, message: str, detail: Body | None = None) -> Body:
    """The body of a final reply that failed; `code` is a key of ERROR_CODES."""
    body: Body = {"code": code, "message": message}
    if detail is not None:
        body["detail"] = detail
    return {"id": id, "error": body}


def progress(
    id: Id,
    stage: str,
    done: int,
    total: int,
    scope: str | None = None,
    unit: str | None = None,
    eta_ms: int | None = None,
) -> Body:
    """The body of a progress message; any number of them precede the final reply."""
    data: Body = {"stage": stage, "done": done, "total": total}
    for name, value in (("scope", scope), ("unit", unit), ("eta_ms", eta_ms)):
        if value is not None:
            data[name] = value
    return {"id": id, "progress": data}


def encode(body: Body) -> bytes:
    """The body as MessagePack bytes; lone surrogates (non-UTF-8 paths) survive."""
    data: bytes = msgpack.packb(body, use_bin_type=True, unicode_errors="surrogateescape")
    return data


def decode(data: bytes) -> object:
    """The body from MessagePack bytes; ValueError for anything that is not one whole message."""
    try:
        body: object = msgpack.unpackb(data, raw=False, strict_map_key=False, unicode_errors="surrogateescape")
    except TypeError as error:  # a map whose key is a list or a map cannot be a dict
        raise ValueError(f"not a message: {error}") from error
    return body
