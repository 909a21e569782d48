"""`Client`: a typed method per method of the daemon, over one connection; a missing daemon is started.

Several requests may be in flight at once (`submit`, `wait`); replies are told apart by their ids.
"""

from time import monotonic

from . import __version__, wire
from .errors import (
    BadPeer,
    ConnectionLost,
    DeadlinePassed,
    LociError,
    NoDaemon,
    ProtocolMismatch,
    Silent,
    Stopping,
    from_reply,
)
from .paths import Paths
from .transport import Connection

HANDSHAKE_S = 1.2  # not the last word: a silent daemon is asked again, see health.answers_after_all
QUIET_S = 2.0  # a working daemon sends progress each 250 ms; after this much silence it is asked whether it lives
PROBE_S = 1.5
GRACE_S = 1.0  # the daemon keeps the deadline itself; its answer that time ran out gets this long to arrive
SHORT_MS = 10_000
ASK_MS = 30_000
LONG_MS = 3600 * 1000  # the most that a daemon grants; progress shows meanwhile that the work goes on

TYPE_CHECKING = False  # true for the type checker only: the lean path does without collections.abc
if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[wire.Body], None]
else:
    Progress = object


class Client:
    """The daemon of one home; `start` allows to start or replace it, `say` takes sentences about that."""

    def __init__(
        self,
        paths: Paths,
        *,
        start: bool = True,
        say: "Callable[[str], None] | None" = None,
        name: str = "loci",
    ) -> None:
        self.paths = paths
        self._start = start
        self._say = say or (lambda sentence: None)
        self._who = {"name": name, "version": __version__, "protocol": wire.PROTOCOL}
        self._connection: Connection | None = None
        self._last_id = 0
        self._begun = False  # the daemon has told progress of the last request
        self._early: dict[int, list[wire.Body]] = {}  # messages that came while another id was waited for

    def close(self) -> None:
        """Closes the connection; the next call opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._early.clear()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- one request

    def call(
        self, method: str, params: wire.Body, deadline_ms: int = SHORT_MS, on_progress: "Progress | None" = None
    ) -> wire.Body:
        """The result of one request, or LociError; each kind of failure is mended at most once."""
        mended: list[type[LociError]] = []
        while True:
            try:
                return self.wait(self.submit(method, params, deadline_ms), deadline_ms, on_progress)
            except (NoDaemon, ConnectionLost, Stopping, ProtocolMismatch, BadPeer, Silent) as error:
                self.close()
                ended = isinstance(error, Stopping) and self._begun  # somebody stopped it: it is not for us to undo
                if type(error) in mended or method == "stop" or ended:
                    raise
                mended.append(type(error))
                self._mend(error)

    def submit(self, method: str, params: wire.Body, deadline_ms: int = SHORT_MS) -> int:
        """Sends a request and returns its id, for `wait`."""
        if self._connection is None:
            self._connection = Connection(self.paths.socket(), self.paths.uid, HANDSHAKE_S)
        self._last_id += 1
        self._begun = False
        self._connection.send(wire.request(self._last_id, method, params, deadline_ms, self._who))
        self._early[self._last_id] = []
        return self._last_id

    def wait(self, id: int, deadline_ms: int = SHORT_MS, on_progress: "Progress | None" = None) -> wire.Body:
        """The result of the request with that id; a keyboard interrupt cancels it first."""
        try:
            return self._result(id, monotonic() + deadline_ms / 1000 + GRACE_S, on_progress)
        except (KeyboardInterrupt, DeadlinePassed):
            self.cancel(id)
            raise
        finally:
            self._early.pop(id, None)

    def cancel(self, id: int) -> None:
        """Tells the daemon to drop that request; no answer is waited for."""
        if self._connection is None:
            return
        self._last_id += 1
        try:
            self._connection.send(wire.request(self._last_id, "cancel", {"id": id}, 1000, self._who), 0.5)
        except LociError:
            self.close()

    def _result(self, id: int, end: float, on_progress: "Progress | None") -> wire.Body:
        while True:
            body = self._next(id, end)
            if "progress" in body:
                self._begun = True
                if on_progress is not None and isinstance(body["progress"], dict):
                    on_progress(body["progress"])
            elif "error" in body:
                raise from_reply(body["error"])
            elif isinstance(body.get("result"), dict):
                return dict(body["result"])
            else:
                raise BadPeer("the daemon's reply holds neither a result nor an error: `loci daemon restart`")

    def _next(self, id: int, end: float) -> wire.Body:
        """The next message for that id; DeadlinePassed at `end`, Silent when not even hello is answered."""
        if self._early[id]:
            return self._early[id].pop(0)
        asked = 0
        while True:
            wait = min(PROBE_S if asked else QUIET_S, end - monotonic())
            body = self._receive(max(wait, 0.0))
            if body is None:
                if monotonic() >= end:
                    raise DeadlinePassed("no answer within the deadline: `loci status` shows what the daemon does")
                if asked:
                    raise Silent("the daemon does not answer: `loci daemon stop --force` ends it")
                asked = self._ask_for_life()
                continue
            asked = 0
            if body.get("id") == id:
                return body
            if body.get("id") in self._early:
                self._early[int(body["id"])].append(body)

    def _receive(self, timeout: float) -> wire.Body | None:
        if self._connection is None:
            raise ConnectionLost("the connection was closed: ask again")
        return self._connection.receive(timeout)

    def _ask_for_life(self) -> int:
        """Sends hello, which never waits behind work; any message then proves life."""
        self._last_id += 1
        if self._connection is not None:
            self._connection.send(wire.request(self._last_id, "hello", {}, 1000, self._who))
        return self._last_id

    def _mend(self, error: LociError) -> None:
        """Starts, waits for or replaces the daemon as the error asks for, or raises."""
        from . import health, launch  # never needed while all is well

        if isinstance(error, Silent) and health.answers_after_all(self.paths):
            return
        if not self._start:
            raise health.explain(self.paths, error)
        if isinstance(error, ProtocolMismatch | BadPeer):
            launch.replace(self.paths, self._say)
        elif isinstance(error, Silent):
            launch.start_after_silence(self.paths, self._say)
        elif isinstance(error, Stopping):
            launch.start_after_drain(self.paths, self._say)
        else:
            launch.start(self.paths, self._say)

    # ---- the methods

    def hello(self) -> wire.Body:
        """{protocol, version, instance, pid, capabilities, warnings}"""
        return self.call("hello", {})

    def status(self) -> wire.Body:
        """The daemon and each scope as they stand."""
        return self.call("status", {})

    def ask(
        self,
        question: str,
        *,
        cwd: str | None = None,
        scope: list[str] | None = None,
        group: str | None = None,
        k: int = 10,
        budget: int = 2000,
        fast: bool = False,
        sync: str = "auto",
    ) -> wire.Body:
        """The cited answer, or an abstention."""
        params: wire.Body = {"question": question, "k": k, "budget": budget, "sync": sync}
        if cwd is not None:
            params["cwd"] = cwd
        if scope:
            params["scope"] = scope
        if group is not None:
            params["group"] = group
        if fast:
            params["fast"] = True
        return self.call("ask", params, ASK_MS)

    def route(
        self, question: str, *, cwd: str | None = None, group: str | None = None, explain: bool = False
    ) -> wire.Body:
        """Where the question belongs, with every signal when `explain`."""
        params: wire.Body = {"question": question}
        if cwd is not None:
            params["cwd"] = cwd
        if group is not None:
            params["group"] = group
        if explain:
            params["explain"] = True
        return self.call("route", params)

    def scopes_list(self, group: str | None = None) -> wire.Body:
        """{scopes, notes} of all scopes, or of the members of a group."""
        return self.call("scopes.list", {} if group is None else {"group": group})

    def scopes_scan(
        self,
        roots: list[str],
        *,
        split: bool = False,
        owner: str = "all",
        dry_run: bool = False,
        on_progress: "Progress | None" = None,
    ) -> wire.Body:
        """{scopes, notes, added} of the repositories under the roots; nothing is registered when `dry_run`."""
        params: wire.Body = {"roots": roots}
        for name, value in (("split", split), ("dry_run", dry_run), ("owner", owner if owner != "all" else None)):
            if value:
                params[name] = value
        return self.call("scopes.scan", params, LONG_MS, on_progress)

    def scopes_add(
        self,
        path: str,
        *,
        name: str | None = None,
        aliases: list[str] | None = None,
        globs: list[str] | None = None,
    ) -> wire.Body:
        """{scopes, notes, added} with the scope that was added, and those that its `.loci.json` names."""
        given = {"path": path, "name": name, "aliases": aliases, "globs": globs}
        return self.call("scopes.add", {key: value for key, value in given.items() if value}, 60_000)

    def scopes_remove(self, scope: str) -> wire.Body:
        """{scopes, notes} with the scope that was removed."""
        return self.call("scopes.remove", {"scope": scope}, 60_000)

    def scopes_purge(self, scope: str) -> wire.Body:
        """{scopes, notes} with the scope whose stores were deleted; it stays registered."""
        return self.call("scopes.purge", {"scope": scope}, 60_000)

    def groups_list(self) -> wire.Body:
        """{groups, default, notes}"""
        return self.call("groups.list", {})

    def groups_set(self, mode: str, group: str | None = None) -> wire.Body:
        """{groups, default, notes} after the mode of a group, or without one the default mode, was set."""
        return self.call("groups.set", {"mode": mode} | ({} if group is None else {"group": group}))

    def groups_add(self, group: str, scopes: list[str]) -> wire.Body:
        """{groups, default, notes} with the group that the scopes were put into."""
        return self.call("groups.add", {"group": group, "scopes": scopes})

    def groups_remove(self, group: str, scopes: list[str]) -> wire.Body:
        """{groups, default, notes} with the group, if any member is left."""
        return self.call("groups.remove", {"group": group, "scopes": scopes})

    def groups_infer(self, *, dry_run: bool = False, on_progress: "Progress | None" = None) -> wire.Body:
        """{groups, default, notes, changed: [{id, root, was, owner}]}; nothing is changed when `dry_run`."""
        return self.call("groups.infer", {"dry_run": True} if dry_run else {}, LONG_MS, on_progress)

    def index_run(
        self,
        scopes: list[str] | None = None,
        *,
        force: bool = False,
        wait: bool = False,
        on_progress: "Progress | None" = None,
    ) -> wire.Body:
        """{scopes: [{id, generation, files, ms}]}, or {scopes: [{id}], queued} when it does not wait."""
        given: wire.Body = {"scopes": scopes, "force": force, "wait": wait}
        params = {key: value for key, value in given.items() if value}
        return self.call("index.run", params, LONG_MS if wait else SHORT_MS, on_progress)

    def index_status(self) -> wire.Body:
        """As `status`."""
        return self.call("index.status", {})

    def embed_run(self, *, wait: bool = False, on_progress: "Progress | None" = None) -> wire.Body:
        """{model, done, total, rate, eta_ms}"""
        return self.call("embed.run", {"wait": True} if wait else {}, LONG_MS if wait else SHORT_MS, on_progress)

    def embed_status(self) -> wire.Body:
        """{model, done, total, rate, eta_ms}"""
        return self.call("embed.status", {})

    def doctor(self) -> wire.Body:
        """{ok, checks}"""
        return self.call("doctor", {}, 60_000)

    def calibrate(self, *, show: bool = False, on_progress: "Progress | None" = None) -> wire.Body:
        """{floor, default, bounds, wanted, fit, problem?}: after fitting anew, or as it stands when `show`."""
        if show:
            return self.call("calibrate", {"show": True})
        return self.call("calibrate", {}, LONG_MS, on_progress)

    def eval(self, on_progress: "Progress | None" = None) -> wire.Body:
        """{scopes, chance, floor, fitted, families, bands, separation, misses, took_ms}"""
        return self.call("eval", {}, LONG_MS, on_progress)

    def config(self, key: str | None = None, value: str | None = None, *, unset: bool = False) -> wire.Body:
        """{file, settings, problems, restart}: all settings or one; with a value, or to unset it, after the change."""
        given = {"key": key, "value": value, "unset": unset or None}
        return self.call("config", {name: word for name, word in given.items() if word is not None})

    def uses(self, scope: str | None = None) -> wire.Body:
        """{read, unread, relations}: among all projects, of one, or of what goes by that name."""
        return self.call("uses", {"scope": scope} if scope else {})

    def why(self, path: str) -> wire.Body:
        """{path, scope?, included, reason, rule?, sentence, fix?, indexed}"""
        return self.call("why", {"path": path})

    def stop(self) -> wire.Body:
        """{stopping: true}; the daemon ends after its answer. No daemon is started for it."""
        return self.call("stop", {})
