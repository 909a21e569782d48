"""A pool of parse workers, which survives what a file does to a parser: it is tried alone, then quarantined."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from locid.refresh import messages
from locid.refresh.children import Child
from locid.refresh.messages import PreparedFile
from locid.values import FileBatch

REPLY_SECONDS = 120.0  # for one batch; a parser that takes longer is stuck
WINDOW = 2  # requests under way a worker

Request = dict[str, Any]
Reply = dict[str, Any]


class Pool:
    """Parse workers, started when first needed."""

    def __init__(self) -> None:
        self._requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []

    def grow(self, count: int) -> None:
        """Brings the pool to at least `count` workers."""
        while len(self._threads) < count:
            thread = threading.Thread(target=self._work, name=f"parser-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def map(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """The replies, in whatever order they come, with a bounded number of requests under way."""
        flying = 0
        for request in requests:
            self._requests.put(request)
            flying += 1
            if flying >= WINDOW * len(self._threads):
                yield self._replies.get()
                flying -= 1
        for _ in range(flying):
            yield self._replies.get()

    def close(self) -> None:
        """Ends the workers."""
        for _ in self._threads:
            self._requests.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _work(self) -> None:
        child: Child | None = None
        while (request := self._requests.get()) is not None:
            child, reply = _ask(child, request)
            self._replies.put(reply)
        if child is not None:
            child.close()


def _ask(child: Child | None, request: Request) -> tuple[Child | None, Reply]:
    """The worker to go on with, and the reply; a batch that kills its worker is taken apart."""
    child = child or Child("parser")
    reply = _exchange(child, request)
    if reply is not None:
        return child, reply
    child.kill()
    if request["op"] != "files":
        raise RuntimeError("a parse worker died on commit messages")
    if len(request["stats"]) == 1:
        return None, {"files": [messages.pack_file(_quarantined(request["stats"][0]))]}
    fresh: Child | None = None
    files: list[Any] = []
    for row in request["stats"]:
        fresh, part = _ask(fresh, {**request, "stats": [row]})
        files += part["files"]
    return fresh, {"files": files}


def _exchange(child: Child, request: Request) -> Reply | None:
    """The reply, or None when the worker died or was stuck."""
    stuck = threading.Timer(REPLY_SECONDS, child.kill)
    stuck.start()
    try:
        child.channel.send(request)
        return child.channel.receive()
    except (BrokenPipeError, ValueError):  # it died before it read all, or the timer closed its pipes
        return None
    finally:
        stuck.cancel()


def _quarantined(row: tuple[str, int, int]) -> PreparedFile:
    path, size, mtime_ns = row
    batch = FileBatch(path, size, mtime_ns, b"", "shipped", "", skip="quarantined: the parser died on it")
    return PreparedFile(batch, (), (), "")
