"""`python stub_daemon.py [locid's flags]`: a real daemon with a small app in place of locid.app.

Its methods: `echo`, and what a test needs a handler to do: wait, spin, answer too much, fail.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

import numpy

from locid import __main__ as entry
from locid import lifecycle, rpc
from locid.control import Task
from locid.errors import Conflict
from locid.rpc import Method, Param


class Panic(BaseException):
    """As pyo3's PanicException: no Exception."""


class StubApp:
    """The app: its methods, and whether it says that it is busy."""

    def __init__(self, layout: Any) -> None:
        self._busy_file = layout.base + "/busy"
        self._ended = layout.base + "/ended"  # a line for each wait that was cut short
        whole = Param("n", "int", default=1, minimum=0, maximum=10_000_000)
        text = Param("text", required=True)
        choice = Param("how", "choice", default="a", choices=("a", "b"))
        some = Param("some", "list[str]", default=())
        flag = Param("flag", "bool", default=False)
        self.methods = (
            Method("echo", lambda params, task: dict(params), (text, whole, choice, some, flag)),
            Method("wait", self._wait, (whole,), lane="work"),
            Method("ask.wait", self._wait, (whole,)),
            Method("spin", self._spin, (whole,)),
            Method("fill", lambda params, task: {"text": "x" * params["n"]}, (whole,)),
            Method("sleep", self._sleep, (whole,)),
            Method("fail", self._fail),
            Method("refuse", self._refuse),
            Method("panic", self._panic),
            Method("numpy", lambda params, task: {"score": numpy.float32(1.5)}),
        )

    def status(self) -> dict[str, object]:
        return {"warm": ["stub"]}

    def warnings(self) -> list[str]:
        return ["a stub"]

    def busy(self) -> bool:
        try:
            open(self._busy_file).close()
        except FileNotFoundError:
            return False
        with open(self._busy_file + ".looks", "a") as file:
            file.write("look\n")
        return True

    def close(self) -> None:
        with open(self._ended, "a") as file:
            file.write("closed\n")

    def _wait(self, params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        """Waits `n` ms in steps, with progress."""
        end = time.monotonic() + params["n"] / 1000
        try:
            while (left := end - time.monotonic()) > 0:
                task.progress("walk", numpy.int64(1), 2, scope="a")  # a numpy scalar, as real work records them
                task.wait(min(left, 0.05))
        except Exception as error:
            with open(self._ended, "a") as file:
                file.write(f"{type(error).__name__}\n")
            raise
        return {"waited": params["n"]}

    def _spin(self, params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        """Computes for `n` ms, or until the request ends."""
        end = time.monotonic() + params["n"] / 1000
        while time.monotonic() < end:
            sum(range(1000))
            task.check()
        return {}

    def _sleep(self, params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        """Waits `n` ms and never looks whether the request has ended."""
        time.sleep(params["n"] / 1000)
        return {}

    def _fail(self, params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        raise KeyError("a defect")

    def _panic(self, params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        raise Panic("in Rust")

    def _refuse(self, params: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
        raise Conflict("it is taken", {"by": "b"})


def build(settings: Any, file: Any, layout: Any, control: Any) -> StubApp:
    """The stub; the file `build` in the daemon's folder says how that goes wrong."""
    path = layout.base + "/build"
    while (how := _text(path)) == "hold":
        time.sleep(0.01)
    if how == "fail":
        raise RuntimeError("a defect")
    if how == "refuse":
        raise Conflict("the registry is of a later version: upgrade loci-daemon")
    return StubApp(layout)


def _text(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except FileNotFoundError:
        return ""


def main() -> int:
    options = entry._parser().parse_args()
    chosen = lifecycle.Options(options.foreground, options.idle_exit, options.log_level, options.config)
    return lifecycle.run(chosen, build=build, serve=rpc.serve)


if __name__ == "__main__":
    sys.exit(main())
