"""`python old_daemon.py KIND LOCK SOCKET`: what a client may find in the place of its daemon. Prints `ready`.

old       an earlier protocol: answers hello and stop, refuses the rest, drains at once
deaf      the same, but it does not act on stop, nor on SIGTERM
newer     a later protocol, with a hello of more fields
garbage   accepts and sends bytes that are no ZMTP
silent    accepts and says nothing
noise     speaks ZMTP and answers everything with what is no reply
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import sys
import time
from typing import Any

import zmq

from loci_client import wire


def main(kind: str, lock: str, path: str) -> None:
    """Holds the lock and serves until it is ended."""
    fd = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    if kind == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if kind in ("garbage", "silent"):
        _accept(path, b"\x00HTTP/1.1 400 Bad Request\r\n" * 20 if kind == "garbage" else b"")
    else:
        _serve(kind, path)


def _accept(path: str, data: bytes) -> None:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen()
    print("ready", flush=True)
    kept = []
    while True:
        peer = listener.accept()[0]
        kept.append(peer)
        if data:
            peer.send(data)


def _serve(kind: str, path: str) -> None:
    router = zmq.Context().socket(zmq.ROUTER)
    router.bind(f"ipc://{path}")
    print("ready", flush=True)
    while True:
        peer, data = router.recv_multipart()
        body = wire.decode(data)
        assert isinstance(body, dict)
        router.send_multipart([peer, b"\xc1noise" if kind == "noise" else wire.encode(_reply(kind, body))])
        if body["method"] == "stop" and kind in ("old", "newer"):
            time.sleep(0.2)  # the reply leaves
            return


def _reply(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    number = 2 if kind == "newer" else 0
    if body["method"] == "hello":
        return wire.reply(
            body["id"], {"protocol": number, "version": "x", "instance": "i", "pid": os.getpid(), "new": 1}
        )
    if body["method"] == "stop":
        return wire.reply(body["id"], {})
    detail = {"protocol": number, "version": "x", "instance": "i"}
    return wire.error(body["id"], "protocol_mismatch", "another protocol", detail)


if __name__ == "__main__":
    main(*sys.argv[1:])
