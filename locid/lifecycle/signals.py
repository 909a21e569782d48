"""Signals: SIGTERM and SIGINT drain, a second one ends at once, SIGHUP is ignored.

A thread reads them from the wake-up descriptor: a Python handler runs only between two bytecodes of the main
thread, which may be deep in a library, or wedged, when the owner of the machine asks for the end.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

STOPPING = (signal.SIGTERM, signal.SIGINT)


def watch(stop: Callable[[str], None]) -> None:
    """Calls `stop(reason)`, from a thread of its own, at the first signal; the main thread calls this."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    for number in STOPPING:
        signal.signal(number, lambda *_: None)  # without a handler there is no byte
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_read, args=(reader, stop), name="signals", daemon=True).start()


def _read(reader: socket.socket, stop: Callable[[str], None]) -> None:
    seen = False
    while data := reader.recv(1):
        if data[0] not in STOPPING:
            continue
        name = signal.Signals(data[0]).name
        if seen:
            log.warning("%s again: ending at once", name)
            logging.shutdown()
            os._exit(128 + data[0])
        seen = True
        stop(name)
