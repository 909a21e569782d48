"""What systemd wants to hear (sd_notify). Reads NOTIFY_SOCKET; silent without it."""

from __future__ import annotations

import contextlib
import os
import socket


def notify(state: str) -> None:
    """Sends a state such as `READY=1`; a manager that does not listen is no error."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock,
        contextlib.suppress(OSError),
    ):
        sock.sendto(state.encode(), address)
