"""The protocol as data: its number, the shape of each message, encoding and decoding. No logic, no input or output.

`docs/protocol.md` is the authority; a test compares the two.
"""

import msgpack

PROTOCOL = 1
MAX_MESSAGE = 4 * 1024 * 1024
CAPABILITIES = ("ask", "route", "scopes", "index", "embed", "doctor", "progress", "cancel")

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
    "index.run",
    "index.status",
    "embed.run",
    "embed.status",
    "doctor",
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


def request(id, method, params, deadline_ms, client):
    """The body of a request; `client` is {name, version, protocol}."""
    return {"id": id, "method": method, "params": params, "deadline_ms": deadline_ms, "client": client}


def reply(id, result):
    """The body of a final reply."""
    return {"id": id, "result": result}


def error(id, code, message, detail=None):
    """The body of a final reply that failed; `code` is a key of ERROR_CODES."""
    body = {"code": code, "message": message}
    if detail is not None:
        body["detail"] = detail
    return {"id": id, "error": body}


def progress(id, stage, done, total, scope=None, unit=None, eta_ms=None):
    """The body of a progress message; any number of them precede the final reply."""
    data = {"stage": stage, "done": done, "total": total}
    for name, value in (("scope", scope), ("unit", unit), ("eta_ms", eta_ms)):
        if value is not None:
            data[name] = value
    return {"id": id, "progress": data}


def encode(body):
    """The body as MessagePack bytes; lone surrogates (non-UTF-8 paths) survive."""
    return msgpack.packb(body, use_bin_type=True, unicode_errors="surrogateescape")


def decode(data):
    """The body from MessagePack bytes; ValueError for anything that is not one whole message."""
    return msgpack.unpackb(data, raw=False, strict_map_key=False, unicode_errors="surrogateescape")
