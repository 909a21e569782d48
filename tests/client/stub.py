"""A stub daemon for the client's tests: a real ROUTER on a real socket, answers by method; optionally with the lock.

Run as a process: `python stub.py HOME SOCKET [--protocol N] [--lock] [--ignore-term] [--deaf] [--garbage]`;
prints `ready`.
"""

import argparse
import fcntl
import json
import os
import signal
import threading

import zmq

from loci_client import process, wire

HIT = {
    "kind": "code",
    "path": "src/retry.py",
    "line_start": 3,
    "line_end": 4,
    "heading": "",
    "symbol": "Retry.delay",
    "text": "def delay(self):\n    return 2 ** self.n",
    "score": 1.5,
    "signals": [],
}
SCOPE = {
    "id": "httpx",
    "name": "httpx",
    "root": "/src/httpx",
    "score": 7.5,
    "why": [{"name": "alias", "value": 1.0, "weight": 6.0, "terms": ["httpx"]}],
    "stamp": {
        "commit": "0123456789abcdef",
        "branch": "main",
        "dirty": True,
        "generation": 4,
        "age_ms": 61000,
        "stale": False,
        "pending": [],
    },
    "hits": [HIT],
    "structure": [],
    "facts": [],
}
ANSWER = {
    "outcome": "answered",
    "mode": "one",
    "question": "q",
    "scopes": [SCOPE],
    "candidates": [],
    "text": "httpx (named in the question; 0123456789 on main; /src/httpx)\n\n"
    "src/retry.py:3-4  Retry.delay\ndef delay(self):\n    return 2 ** self.n\n",
    "tokens": 12,
    "took_ms": {"route": 1.0, "search": 1.0, "total": 2.0},
}
ABSTAINED = {
    "outcome": "abstained",
    "mode": "one",
    "question": "q",
    "reason": "ambiguous",
    "advice": "say which with --scope httpx or --scope requests",
    "scopes": [],
    "candidates": [{"id": "httpx", "name": "httpx", "terms": ["retry", "delay"]}],
    "text": "",
    "tokens": 0,
    "took_ms": {"route": 1.0, "search": 0.0, "total": 1.0},
}
ROUTE = {
    "question": "q",
    "mode": "one",
    "selected": ["httpx"],
    "candidates": [],
    "scopes": [
        {
            "id": "httpx",
            "name": "httpx",
            "root": "/src/httpx",
            "score": 7.5,
            "signals": [
                {"name": "alias", "value": 1.0, "weight": 6.0, "terms": ["httpx"]},
                {
                    "name": "passages",
                    "value": 1.5,
                    "weight": 1.0,
                    "passage": {"path": "a.py", "line_start": 1, "line_end": 9},
                },
            ],
        }
    ],
    "took_ms": 1.0,
}


def hello(protocol=wire.PROTOCOL):
    """The hello of a stub."""
    return {
        "protocol": protocol,
        "version": "0.0.stub",
        "instance": "stub",
        "pid": os.getpid(),
        "capabilities": [],
        "warnings": [],
    }


def answers(request):
    """The messages that answer one request, as a plain daemon would."""
    id, method = request["id"], request["method"]
    results = {
        "hello": hello(),
        "ask": ANSWER,
        "route": ROUTE,
        "stop": {"stopping": True},
        "scopes.list": {"scopes": [], "notes": []},
        "doctor": {"ok": True, "checks": [{"check": "daemon", "level": "ok", "finding": "ready"}]},
    }
    if method in results:
        return [wire.reply(id, results[method])]
    return [wire.error(id, "unknown_method", f"there is no method {method}: update the daemon")]


class Stub:
    """A ROUTER in a thread. `handler(request)` returns the messages to send; `seen` holds every request."""

    def __init__(self, path, handler=answers):
        self.seen = []
        self.handler = handler
        self._context = zmq.Context()
        self._router = self._context.socket(zmq.ROUTER)
        self._router.setsockopt(zmq.LINGER, 0)
        self._router.bind(f"ipc://{path}")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while not self._stop.is_set():
            if not self._router.poll(20):
                continue
            peer, body = self._router.recv_multipart()
            request = wire.decode(body)
            self.seen.append(request)
            for message in self.handler(request):
                data = message if isinstance(message, bytes) else wire.encode(message)
                self._router.send_multipart([peer, data])

    def close(self):
        """Ends the thread and the socket."""
        self._stop.set()
        self._thread.join(10)
        self._router.close()
        self._context.term()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def arguments():
    """The flags of the stub as a process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("home")
    parser.add_argument("socket")
    parser.add_argument("--protocol", type=int, default=wire.PROTOCOL)
    parser.add_argument("--lock", action="store_true")
    parser.add_argument("--ignore-term", action="store_true")
    parser.add_argument("--deaf", action="store_true", help="answers nothing, not even stop")
    parser.add_argument("--garbage", action="store_true", help="answers everything with what is no message")
    parser.add_argument("--note", help="a file that gets a line for each start")
    return parser.parse_args()


def take_lock(base):
    """Holds the lock for life and writes the marker; ends with 75 when another holds it."""
    fd = os.open(os.path.join(base, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(75) from None
    with open(os.path.join(base, "running"), "w") as file:
        json.dump({"pid": os.getpid(), "start": process.start_time(os.getpid()), "instance": "stub"}, file)


def handler_for(args, over):
    """Answers as the flags say; `stop` sets `over`."""

    def handler(request):
        if args.deaf:
            return []
        if args.garbage:
            return [b"\xc1"]
        if request["method"] == "stop":
            over.set()
        if request["method"] == "hello":
            return [wire.reply(request["id"], hello(args.protocol))]
        if request["client"]["protocol"] != args.protocol:
            detail = {"protocol": args.protocol, "version": "0.0.stub", "instance": "stub"}
            return [wire.error(request["id"], "protocol_mismatch", "this daemon is another version", detail)]
        return answers(request)

    return handler


def main():
    """The stub as a process."""
    args = arguments()
    base = os.path.join(args.home, "locid")
    os.makedirs(base, exist_ok=True)
    os.makedirs(os.path.dirname(args.socket), exist_ok=True)
    if args.ignore_term:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if args.lock:
        take_lock(base)
    over = threading.Event()
    with Stub(args.socket, handler_for(args, over)):
        with open(os.path.join(base, "socket"), "w") as file:
            file.write(args.socket + "\n")
        if args.note:
            with open(args.note, "a") as file:
                file.write("started\n")
        print("ready", flush=True)
        over.wait()
    if args.lock:
        os.unlink(os.path.join(base, "running"))


if __name__ == "__main__":
    main()
