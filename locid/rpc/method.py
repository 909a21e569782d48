"""What a method is: name, handler, parameters, lane; and how parameters are checked. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from locid.control import Task
from locid.errors import BadRequest

Handler = Callable[[Mapping[str, Any], Task], Mapping[str, Any]]
LaneName = Literal["question", "work", "loop"]  # "loop" is for the server's own methods: they never wait behind work
Kind = Literal["str", "int", "bool", "list[str]", "choice", "id"]

MAX_TEXT = 16_384  # characters of one string: a question or a path, never a document
MAX_ITEMS = 10_000  # strings of one list
MAX_ID = 64  # characters of a request's id


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter; absent or nil, it takes its default."""

    name: str
    kind: Kind = "str"
    required: bool = False
    default: Any = None
    max_length: int = MAX_TEXT  # characters of a string, or of each string of a list
    max_items: int = MAX_ITEMS
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """One method of the wire."""

    name: str
    handler: Handler
    params: tuple[Param, ...] = ()
    lane: LaneName = "question"


def checked(method: Method, given: Mapping[Any, Any]) -> dict[str, Any]:
    """The parameters with defaults filled, unknown ones left out; BadRequest names the first wrong one."""
    return {p.name: _value(method.name, p, given.get(p.name)) for p in method.params}


def is_id(value: object) -> bool:
    """Whether the value may be a request's id: an integer, or a string of at most 64 characters."""
    if isinstance(value, str):
        return len(value) <= MAX_ID
    return isinstance(value, int) and not isinstance(value, bool)


def _value(method: str, param: Param, value: Any) -> Any:
    if value is None:
        if param.required:
            raise BadRequest(f"{method} needs `{param.name}`: {_expected(param)}")
        return list(param.default) if isinstance(param.default, list) else param.default
    if not _fits(param, value):
        raise BadRequest(f"{method}: `{param.name}` must be {_expected(param)}, not {_described(value)}")
    return value


def _fits(param: Param, value: Any) -> bool:
    match param.kind:
        case "str":
            return _text_fits(param, value)
        case "int":
            return _int_fits(param, value)
        case "bool":
            return isinstance(value, bool)
        case "choice":
            return isinstance(value, str) and value in param.choices
        case "id":
            return is_id(value)
        case "list[str]":
            whole = isinstance(value, list) and len(value) <= param.max_items
            return whole and all(_text_fits(param, item) for item in value)


def _text_fits(param: Param, value: Any) -> bool:
    # A NUL in a path raises ValueError deep inside os; no text of ours has one.
    return isinstance(value, str) and len(value) <= param.max_length and "\0" not in value


def _int_fits(param: Param, value: Any) -> bool:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    low = param.minimum is None or value >= param.minimum
    return low and (param.maximum is None or value <= param.maximum)


def _expected(param: Param) -> str:
    text = f"at most {param.max_length} characters without NUL"
    match param.kind:
        case "str":
            return f"a string of {text}"
        case "int":
            return "an integer" + _bounds(param)
        case "bool":
            return "true or false"
        case "choice":
            return "one of " + ", ".join(param.choices)
        case "id":
            return f"an integer or a string of at most {MAX_ID} characters"
        case "list[str]":
            return f"a list of at most {param.max_items} strings of {text}"


def _bounds(param: Param) -> str:
    if param.minimum is not None and param.maximum is not None:
        return f" from {param.minimum} to {param.maximum}"
    if param.minimum is not None:
        return f" of at least {param.minimum}"
    return "" if param.maximum is None else f" of at most {param.maximum}"


def _described(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f"a string of {len(value)} characters" if len(value) > 40 else repr(value)
    names = {list: "a list", dict: "a map", float: "a float", bytes: "bytes"}
    return names.get(type(value), f"a {type(value).__name__}")
