"""hello, status, stop and cancel: answered on the loop's thread, so that they never wait behind work."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, cast

from loci_client import wire
from locid.control import Control, Task
from locid.rpc.method import Handler, Method, Param
from locid.rpc.tasks import RequestTask

Cancel = Callable[[bytes, "int | str"], bool]


def methods(control: Control, cancel: Cancel, draining: Callable[[], bool]) -> tuple[Method, ...]:
    """The methods that every daemon has; `cancel(peer, id)` says whether there was such a request."""
    id = Param("id", "id", required=True)
    return (
        Method("hello", _hello(control, draining), lane="loop"),
        Method("status", lambda params, task: control.status(), lane="loop"),
        Method("stop", _stop(control), lane="loop"),
        Method("cancel", _cancel(cancel), (id,), lane="loop"),
    )


def _hello(control: Control, draining: Callable[[], bool]) -> Handler:
    def hello(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        return {
            "protocol": wire.PROTOCOL,
            "version": control.version,
            "instance": control.instance,
            "pid": os.getpid(),
            "capabilities": list(wire.CAPABILITIES),
            "warnings": control.warnings(),
            "stopping": draining(),
        }

    return hello


def _stop(control: Control) -> Handler:
    def stop(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        control.stop(f"asked by {task.client}")
        return {"stopping": True, "pid": os.getpid(), "instance": control.instance}

    return stop


def _cancel(cancel: Cancel) -> Handler:
    def handler(params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        # A client cancels only what came over its own connection: ids of different clients may be equal.
        return {"cancelled": cancel(cast(RequestTask, task).peer, params["id"])}

    return handler
