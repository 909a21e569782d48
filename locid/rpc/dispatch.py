"""Requests in flight: admitted, handed to lanes, ended by answer, deadline, cancel, vanished client or stop.

Everything here runs on the loop's thread, but for `_work`, which runs on a lane's. Knows no sockets: messages
leave through `send(peer, body, optional)`, finished work comes back through `post(task, body)` and `finish`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from locid.errors import BadRequest, Busy, Cancelled, Deadline, LociError, Stopping
from locid.rpc import convert
from locid.rpc.convert import Identity, Refusal, Request
from locid.rpc.lanes import Lane
from locid.rpc.method import Method
from locid.rpc.tasks import PROGRESS_S, RequestTask

log = logging.getLogger(__name__)

Key = tuple[bytes, "int | str"]
_STOPPING = "the daemon is stopping: ask again in a moment"


class Dispatch:
    """The table of requests in flight and what may happen to one."""

    def __init__(
        self,
        methods: Iterable[Method],
        lanes: Mapping[str, Lane],
        me: Identity,
        send: Callable[[bytes, bytes, bool], None],
        post: Callable[[RequestTask, bytes], None],
        log_file: str,
    ) -> None:
        self._methods = {m.name: m for m in methods}
        self._lanes = lanes
        self._me = me
        self._send = send
        self._post = post
        self._log_file = log_file
        self._flying: dict[Key, RequestTask] = {}
        self.draining = False
        self.last_request = time.monotonic()  # of work asked for or finished; hello and its like do not count

    @property
    def in_flight(self) -> int:
        """How many requests have no answer yet."""
        return len(self._flying)

    def receive(self, peer: bytes, frames: Sequence[bytes]) -> None:
        """Answers the message, or starts the work that will."""
        request = convert.read(frames, self._methods, self._me)
        if isinstance(request, Refusal):
            log.debug("refused: %s: %s", request.error.code, request.error.message)
            self._send(peer, convert.encode_error(request.id, request.error), False)
            return
        task = RequestTask(peer, request.id, request.method.name, request.client, time.monotonic(), request.deadline_s)
        if request.method.lane == "loop":
            self._send(peer, self._answer(task, request), False)
            return
        error = self._admit(task, request)
        if error is not None:
            self._send(peer, convert.encode_error(request.id, error), False)

    def finish(self, task: RequestTask, body: bytes) -> None:
        """Sends a finished request's answer, unless the request was ended before."""
        key = (task.peer, task.id)
        if self._flying.get(key) is not task:  # ended, and its id may be in use again
            return
        del self._flying[key]
        self.last_request = now = time.monotonic()
        log.debug("%s for %s in %.1f ms", task.method, task.client, (now - task.started) * 1000)
        self._send(task.peer, body, False)

    def cancel(self, peer: bytes, id: int | str) -> bool:
        """Whether that client had a request of that id in flight; it is ended."""
        task = self._flying.get((peer, id))
        if task is not None:
            self._end(task, Cancelled("cancelled by the client"))
        return task is not None

    def drop(self, peer: bytes, why: str) -> None:
        """Ends every request of a client that is lost; nothing is sent to it."""
        lost = [task for key, task in self._flying.items() if key[0] == peer]
        for task in lost:
            del self._flying[(peer, task.id)]
            task.end(Cancelled("the client is gone"))
        names = ", ".join(f"{task.method} of {task.client}" for task in lost) or "nothing in flight"
        log.info("client dropped, %s: %s", why, names)

    def end_all(self, error: LociError) -> None:
        """Ends every request in flight with the error."""
        for task in list(self._flying.values()):
            self._end(task, error)

    def tick(self, now: float) -> None:
        """Ends what is overdue and sends progress that is due."""
        for task in list(self._flying.values()):
            if now >= task.deadline:
                seconds = f"{task.deadline - task.started:g}"
                self._end(task, Deadline(f"{task.method} took longer than its deadline of {seconds} s"))
            elif now >= task.next_progress:
                task.next_progress = max(task.next_progress + PROGRESS_S, now)
                self._send(task.peer, convert.encode_progress(task.id, task.stage), True)

    def next_tick(self) -> float | None:
        """When `tick` is due; None with nothing in flight."""
        times = [min(task.deadline, task.next_progress) for task in self._flying.values()]
        return min(times, default=None)

    def _admit(self, task: RequestTask, request: Request) -> LociError | None:
        """None when the work was started, or the error to answer."""
        key = (task.peer, task.id)
        if self.draining:
            return Stopping(_STOPPING)
        if key in self._flying:
            return BadRequest(f"a request with id {task.id!r} is in flight already: give each its own")
        lane = self._lanes[request.method.lane]
        if not lane.offer(lambda: self._work(task, request)):
            return Busy(f"{lane.waiting} requests wait for a free thread already: try again in a moment")
        self._flying[key] = task
        self.last_request = task.started
        return None

    def _work(self, task: RequestTask, request: Request) -> None:
        if not task.ended:  # cancelled while it stood in line
            self._post(task, self._answer(task, request))

    def _answer(self, task: RequestTask, request: Request) -> bytes:
        """The encoded answer of the handler; encoding can fail too, so it is not left to the loop."""
        try:
            return convert.encode_result(request.id, request.method.handler(request.params, task))
        except LociError as error:
            return convert.encode_error(request.id, error)
        except BaseException:  # the one broad catch; a panic of a Rust library is no Exception
            log.exception("%s for %s failed", task.method, task.client)
            sentence = f"{task.method} failed inside the daemon: the traceback is in {self._log_file}"
            return convert.encode_error(request.id, LociError(sentence))

    def _end(self, task: RequestTask, error: LociError) -> None:
        if self._flying.pop((task.peer, task.id), None) is None:
            return
        task.end(error)
        self.last_request = time.monotonic()
        log.info("%s for %s ended: %s", task.method, task.client, error.code)
        self._send(task.peer, convert.encode_error(task.id, error), False)
