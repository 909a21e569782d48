"""config: the settings, shown and set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from locid import settings
from locid.config import KEYS, Settings
from locid.control import Task
from locid.errors import BadRequest
from locid.rpc.method import Handler, Method, Param
from locid.settings import File


def methods(file: File, running: Settings, follow: Callable[[Settings], None]) -> tuple[Method, ...]:
    """The one method; `follow` takes on at once what a running daemon can."""
    params = (Param("key", max_length=200), Param("value", max_length=1000), Param("unset", "bool", default=False))
    return (Method("config", _config(file, running, follow), params, "work"),)


def _config(file: File, running: Settings, follow: Callable[[Settings], None]) -> Handler:
    def config(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        key, value, unset = params["key"], params["value"], params["unset"]
        if key is None and (value is not None or unset):
            raise BadRequest("config needs a key to set: `loci config` lists them")
        if unset:
            file.unset(key)
        elif key is not None:
            settings.known(key)
            if value is not None:
                file.set(key, value)
        if unset or value is not None:
            follow(file.load().settings)
        return _shown(file, running, None if unset and key not in KEYS else key)

    return config


def _shown(file: File, running: Settings, key: str | None) -> dict[str, Any]:
    loaded = file.load()
    names = [key] if key else list(KEYS)
    rows = [
        {
            "key": name,
            "value": getattr(loaded.settings, name),
            "default": KEYS[name].default,
            "takes": KEYS[name].expected,
            "set": name in loaded.given,
            "restart": KEYS[name].restart and getattr(loaded.settings, name) != getattr(running, name),
        }
        for name in names
    ]
    problems = [p.sentence for p in loaded.problems]
    return {"file": file.path, "settings": rows, "problems": problems, "restart": any(r["restart"] for r in rows)}
