"""A pool of parse workers, which survives what a file does to a parser: it is tried alone, then quarantined."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from locid.episodes.documents import CommitWords, FileWords
from locid.errors import Unavailable
from locid.refresh import messages
from locid.refresh.children import Child
from locid.refresh.messages import PreparedCommit, PreparedFile
from locid.values import Commit, FileBatch

REPLY_SECONDS = 120.0  # for one batch; a parser that takes longer is stuck
WAITING_SECONDS = 2.0
WINDOW = 2  # requests under way a worker

Request = dict[str, Any]
Reply = dict[str, Any]


class Pool:
    """Parse workers, started when first needed."""

    def __init__(self) -> None:
        self.waiting: Callable[[], None] = lambda: None  # called while a reply is waited for
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
        """The replies, in whatever order they come; Unavailable when no worker can be started."""
        flying = 0
        for request in requests:
            self._requests.put(request)
            flying += 1
            if flying >= WINDOW * len(self._threads):
                yield self._reply()
                flying -= 1
        for _ in range(flying):
            yield self._reply()

    def _reply(self) -> Reply:
        while (reply := self._next()) is None:
            self.waiting()
        if "problem" in reply:
            raise Unavailable(f"parsing failed: {reply['problem']}")
        return reply

    def _next(self) -> Reply | None:
        try:
            return self._replies.get(timeout=WAITING_SECONDS)
        except queue.Empty:
            return None

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
            try:
                child, reply = _ask(child, request)
            except OSError as problem:  # no process, no memory: the run fails, the pool stays
                child, reply = None, {"problem": str(problem)}
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
    rows, replies = PARTS[request["op"]]
    if len(request[rows]) == 1:
        return None, {replies: [QUARANTINE[request["op"]](request[rows][0])]}
    fresh: Child | None = None
    parts: list[Any] = []
    for row in request[rows]:
        fresh, part = _ask(fresh, {**request, rows: [row]})
        parts += part[replies]
    return fresh, {replies: parts}


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


def _quarantined_file(row: tuple[str, int, int]) -> tuple[Any, ...]:
    path, size, mtime_ns = row
    batch = FileBatch(path, size, mtime_ns, b"", "shipped", "", skip="quarantined: the parser died on it")
    return messages.pack_file(PreparedFile(batch, FileWords((), (), "", "", b"", b"")))


def _quarantined_commit(row: tuple[str, int, str, str, tuple[str, ...]]) -> tuple[Any, ...]:
    hash, time, *_ = row
    commit = Commit(hash, time, "(the parser died on this message)", "", ())
    return messages.pack_commit(PreparedCommit(commit, CommitWords("", "", "", "")))


PARTS = {"files": ("stats", "files"), "commits": ("commits", "commits")}  # op -> its rows in request and reply
QUARANTINE: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "files": _quarantined_file,
    "commits": _quarantined_commit,
}
