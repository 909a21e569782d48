"""A daemon's life in order: lock, sockets, build, serve, ready; then drain, close, the clean end's marks."""

from __future__ import annotations

import errno
import gc
import json
import logging
import os
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from loci_client import paths
from locid import __version__, config
from locid.config import Settings
from locid.control import Control
from locid.errors import LociError
from locid.layout import Layout
from locid.lifecycle import files, health, lock, log, marker, signals, sockets
from locid.lifecycle.files import Unusable
from locid.lifecycle.notify import notify
from locid.lifecycle.sockets import Listener
from locid.lifecycle.status import App, Daemon
from locid.settings import File

EXIT_LOCKED = 75  # EX_TEMPFAIL: another daemon of this home lives; connect to it
EXIT_CONFIG = 78  # EX_CONFIG: a person must change something first
SWITCH_S = 0.001  # instead of 5 ms: with four threads that compute, the loop's turn comes in 4 ms instead of 20

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says."""

    foreground: bool = False
    idle_exit: float | None = None  # seconds
    log_level: str | None = None
    config: str | None = None  # the settings file, instead of the platform's


class Server(Protocol):
    """What `serve` returns."""

    def run(self) -> None:
        """Blocks until stopped and drained."""
        ...

    def stop(self) -> None:
        """Asks for the end; returns at once."""
        ...


class Serve(Protocol):
    """rpc.serve, which lifecycle does not know."""

    def __call__(
        self,
        fd: int,
        label: str,
        methods: Sequence[Any],
        control: Control,
        *,
        idle_exit: float | None,
        busy: Callable[[], bool],
        log_file: str,
    ) -> Server:
        """A server on the listening socket."""
        ...


Build = Callable[[Settings, File, Layout, Control], App]


def run(options: Options, build: Build, serve: Serve) -> int:
    """Lives until stopped; exit status 0, 75 (another daemon has the home), 78 (a sentence on stderr)."""
    os.umask(0o077)
    directories = config.directories()
    file = File(os.path.abspath(options.config or os.path.join(directories.config, config.FILE)))
    settings = _settings(options, file)
    layout = Layout(directories.home)
    try:
        files.private_dir(layout.base)
        if lock.take(layout.lock) is None:  # never closed: the lock lasts as long as the process
            return EXIT_LOCKED
        log_file = log.start(directories.log, settings.log_level, options.foreground)
        _Life(options, settings, file, layout, log_file).live(build, serve)
        return 0
    except (Unusable, LociError) as error:
        if logger.hasHandlers():  # without a log, logging itself would print the sentence a second time
            logger.error("cannot start: %s", error)
        print(f"locid: {error}", file=sys.stderr)
        return EXIT_CONFIG


def _settings(options: Options, file: File) -> Settings:
    """What the file says; the command line's word counts more."""
    if options.config and not os.path.isfile(options.config):
        print(f"locid: {options.config} is not there: all settings have their defaults", file=sys.stderr)
    settings = file.load().settings
    return settings if options.log_level is None else replace(settings, log_level=options.log_level)


class _Life:
    """One life under the lock."""

    def __init__(self, options: Options, settings: Settings, file: File, layout: Layout, log_file: str) -> None:
        self._options = options
        self._settings, self._file = settings, file
        self._layout = layout
        self._log_file = log_file
        self._place = paths.find()
        self._daemon = Daemon(__version__, settings.memory_budget_mb)

    def live(self, build: Build, serve: Serve) -> None:
        """From the marker to its removal; an exception that is no sentence leaves it: that is a crash."""
        _raise_descriptor_limit()
        self._mark()
        signals.watch(self._daemon.stop)
        try:
            self._listen_and_serve(build, serve)
        except (Unusable, LociError):
            files.remove(self._layout.running)
            raise

    def _listen_and_serve(self, build: Build, serve: Serve) -> None:
        listener = sockets.listen(self._place)
        app = self._build(build)
        try:
            server = self._serve(serve, listener, app)
            self._ready(listener)
            server.run()
            notify("STOPPING=1")
        finally:
            app.close()  # also after a crash: its threads and children would keep the process, and so the lock
        self._leave(listener)

    def _mark(self) -> None:
        sockets.runtime_dir(self._place)
        crashed = marker.previous(self._layout.running)
        if crashed is not None:
            marker.count_crash(self._place.crashes, crashed)
        marker.write(self._layout.running, self._daemon.instance, self._daemon.version)

    def _build(self, build: Build) -> App:
        try:
            app = build(self._settings, self._file, self._layout, self._daemon)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES):
                raise files.unwritable(str(error.filename or self._layout.base), error) from error
            raise
        gc.collect()
        gc.freeze()  # what build made lives as long as we do: a collection need not look at it again
        sys.setswitchinterval(SWITCH_S)
        return app

    def _serve(self, serve: Serve, listener: Listener, app: App) -> Server:
        server = serve(
            listener.fd,
            listener.path,
            app.methods,
            self._daemon,
            idle_exit=self._options.idle_exit,
            busy=self._daemon.busy,
            log_file=self._log_file,
        )
        self._daemon.attach(app, server.stop)
        return server

    def _ready(self, listener: Listener) -> None:
        files.replace(self._layout.socket_file, listener.path + "\n")
        self._show_status()
        places = health.Places(self._place.crashes, self._layout.socket_file, listener.path, self._log_file)
        self._daemon.placed(places)
        notify("READY=1")
        who = f"locid {self._daemon.version}, instance {self._daemon.instance}, pid {os.getpid()}"
        logger.info("ready: %s, home %s, socket %s", who, self._layout.home, listener.path)

    def _leave(self, listener: Listener) -> None:
        self._show_status()
        files.remove(self._layout.socket_file)
        if listener.ours:
            files.remove(listener.path)
        files.remove(self._place.crashes)
        files.remove(self._layout.running)  # last: what fails before is a crash
        logger.info("stopped")

    def _show_status(self) -> None:
        """Writes the status for display; a full disk is no reason to end."""
        try:
            files.replace(self._layout.status, json.dumps(self._daemon.status(), default=str) + "\n")
        except Unusable as error:
            logger.warning("status: %s", error)


def _raise_descriptor_limit() -> None:
    # libzmq aborts the process when it runs out of descriptors, and each client takes one.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, 10_240):  # macOS has no hard limit and refuses more than OPEN_MAX
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
            return
        except (ValueError, OSError):
            continue
    logger.warning("the limit of open files stays at %d", soft)
