"""The log: appended and rotated, one line an event; what kills a thread or the process stands there too."""

from __future__ import annotations

import faulthandler
import io
import logging
import os
import signal
import sys
import threading
from logging.handlers import RotatingFileHandler
from types import TracebackType

from locid.lifecycle import files
from locid.redact import redact

MAX_BYTES = 5_000_000
KEPT = 3
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
LEVELS = ("debug", "info", "warning", "error")

log = logging.getLogger(__name__)


class _Lines(logging.Formatter):
    """An event is one line; the lines of a traceback, or of a text from outside, are indented below it. No secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record)).text.replace("\n", "\n    ")


class _File(RotatingFileHandler):
    """The log file; a dump of all threads (SIGUSR1, a fatal signal) goes there, also after rotation."""

    def _open(self) -> io.TextIOWrapper:
        stream = super()._open()
        faulthandler.enable(stream)
        faulthandler.register(signal.SIGUSR1, stream)
        return stream


def start(directory: str, level: str, foreground: bool) -> str:
    """Begins to log; the file's path. Unusable when it cannot be written."""
    files.private_dir(directory)
    path = os.path.join(directory, "locid.log")
    try:
        handlers: list[logging.Handler] = [_File(path, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8")]
    except OSError as error:
        raise files.unwritable(directory, error) from error
    if foreground:
        handlers.append(logging.StreamHandler(sys.stderr))
    for handler in handlers:
        handler.setFormatter(_Lines(FORMAT))
    logging.basicConfig(level=level.upper(), handlers=handlers, force=True)
    logging.raiseExceptions = False  # a full disk must not turn each line into a traceback on stderr
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    return path


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.critical("the daemon ends by an error", exc_info=(kind, error, trace))
    sentence = f"locid: ended by {kind.__name__}: {error}; its log has the traceback"
    print(redact(sentence).text, file=sys.stderr)


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    name = args.thread.name if args.thread else "?"
    value = args.exc_value or args.exc_type()
    log.critical("thread %s ends by an error", name, exc_info=(args.exc_type, value, args.exc_traceback))
