"""Brings one scope's stores to what lies on disk: walk, parse what is new, one transaction a batch, then the index.

Steps. survey: what is there, by size and time. plan: what changed, what is gone. files: parse and store, by batches.
history: commits that are new, commits that a rewrite dropped. finish: the work tree's state and the counts.
Nothing is removed but what a completed walk proves gone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from locid import collect, git, histories, scopestore
from locid.episodes import documents, lexical
from locid.errors import Unavailable
from locid.layout import Layout
from locid.refresh import messages
from locid.refresh.derived import Derived, bare
from locid.refresh.messages import PreparedCommit, PreparedFile
from locid.refresh.workers import Reply, Request
from locid.scopestore import Batch, Known, Store
from locid.values import Commit, FileBatch, FileStat, GitState, Scope, Skip

FILES_A_REQUEST, BYTES_A_REQUEST = 48, 400_000
COMMITS_A_REQUEST, MESSAGE_BYTES_A_REQUEST = 500, 1_000_000
MESSAGE_CHARS = 200_000  # of a body; a longer one is a pasted log
FILES_A_BATCH = 3_000  # a transaction costs two syncs, a commit of the index a dozen
COMMITS_A_BATCH = 40_000
UNFINISHED: Mapping[str, object] = {"unfinished": 1}  # stands in the store from a run's first batch to its end

Progress = Callable[[str, int, int], None]


class Parsers(Protocol):
    """Where parsing happens."""

    def map(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Replies in any order."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run did."""

    generation: int
    new: int
    changed: int
    removed: int
    skipped: int


@dataclass(slots=True)
class Survey:
    """What the walk saw."""

    stats: dict[str, FileStat] = field(default_factory=dict)
    skips: list[Skip] = field(default_factory=list)

    def unproven(self, path: str) -> bool:
        """Whether a path may still be there although the walk did not see it: its folder could not be read."""
        return any(s.reason == "unreadable" and path.startswith(s.path.rstrip("/") + "/") for s in self.skips)


class Reindex:
    """One run over one scope."""

    def __init__(self, layout: Layout, scope: Scope, parsers: Parsers, progress: Progress, max_file_bytes: int) -> None:
        self._scope, self._parsers, self._progress, self._cap = _as_found(scope), parsers, progress, max_file_bytes
        lexical.discard_others(layout.lexical(scope.id))
        self._store = Store(layout.store_db(scope.id))
        self._derived = Derived(layout.lexical(scope.id))
        self._said: dict[str, str] = {}  # commit -> the stems of its message, of this run

    def run(self, force: bool = False) -> Outcome:
        """Brings the stores up to date; Unavailable when the root is missing or cannot be read."""
        self._progress("walk", 0, 0)  # whoever waits hears of each step, and would take a long silence for a hang
        state = _state(self._scope)
        self._heal()
        survey = self._survey()
        known = {} if force else self._store.known()
        changed = [s for s in survey.stats.values() if not _same(s, known.get(s.path))]
        gone = self._gone(survey)
        problem = self._history(state)  # before the files, whose documents hold their past
        counts = self._files(changed, known, gone)
        self._finish(state, survey, problem)
        return Outcome(self._store.generation, *counts, skipped=len(survey.skips))

    def close(self) -> None:
        """Releases the stores."""
        self._derived.close()
        self._store.close()

    def _heal(self) -> None:
        """Rebuilds what is not of its store's generation, as after a kill between the two commits.

        The store is committed first: one that is behind its index has lost its log, and with it maybe parts of pages.
        """
        if (self._derived.files_generation or 0) > self._store.generation > 0:
            self._store.check()
        if self._derived.history_generation != self._history_generation():
            self._derived.forget_history()
            for number, commit in enumerate(self._store.commits()):
                self._progress("rebuild", number, 0)
                self._derived.add_commit(commit, documents.of_commit(commit))
            self._derived.commit_history(self._history_generation())
        if self._derived.files_generation != self._store.generation:
            self._derived.forget_files()
            known = self._store.known()
            pasts = self._pasts(known)
            for number, (path, chunks) in enumerate(self._store.chunks()):
                self._progress("rebuild", number, len(known))
                file = bare(path, chunks)
                self._derived.replace(file, documents.of_file(file), self._messages(pasts.get(path, ())))
            self._derived.commit_files(self._store.generation)

    def _survey(self) -> Survey:
        if not os.path.isdir(self._scope.root):
            raise Unavailable(
                f"{self._scope.root} is not there; its index is kept, `loci rm {self._scope.id}` drops it"
            )
        survey = Survey()
        for seen in collect.walk(self._scope, self._cap):
            if isinstance(seen, Skip):
                survey.skips.append(seen)
            else:
                survey.stats[seen.path] = seen
            if len(survey.stats) % 1000 == 0:
                self._progress("walk", len(survey.stats), 0)
        handed_over = any(s.reason == "sub_scope" for s in survey.skips)  # then the tree is there, and others' by now
        if not survey.stats and not handed_over and self._store.known():
            raise Unavailable(f"{self._scope.root} is empty or unreadable; its index is kept until files are back")
        return survey

    def _gone(self, survey: Survey) -> list[str]:
        missing = [path for path in self._store.known() if path not in survey.stats]
        return [path for path in missing if not survey.unproven(path)]

    def _files(self, changed: list[FileStat], known: dict[str, Known], gone: list[str]) -> tuple[int, int, int]:
        new = edited = done = 0
        pending: list[PreparedFile] = []
        touched: list[FileBatch] = []
        removed = gone
        for reply in self._parsers.map(_requests(self._scope.root, changed, self._cap)):
            for row in reply["files"]:
                file = messages.unpack_file(row)
                before = known.get(file.batch.path)
                if before and before.digest == file.batch.digest and file.batch.digest:
                    touched.append(file.batch)
                else:
                    pending.append(file)
                    new, edited = new + (before is None), edited + (before is not None)
                done += 1
            self._progress("parse", done, len(changed))
            if len(pending) >= FILES_A_BATCH:
                self._apply(pending, touched, removed)
                pending, touched, removed = [], [], []
        if pending or touched or removed:
            self._apply(pending, touched, removed)
        return new, edited, len(gone)

    def _apply(self, files: list[PreparedFile], touched: list[FileBatch], removed: list[str]) -> None:
        self._progress("store", 0, len(files))
        self._derived.withdraw(self._store.chunks_of([*removed, *(f.batch.path for f in files)]))
        batch = Batch(files=[f.batch for f in files], touched=touched, removed=removed, meta=UNFINISHED)
        generation = self._store.apply(batch)
        for path in removed:
            self._derived.remove(path)
        pasts = self._pasts(file.batch.path for file in files)
        for file in files:
            self._derived.replace(file.batch, file.words, self._messages(pasts.get(file.batch.path, ())))
        self._derived.commit_files(generation)

    def _retell(self, changed: Iterable[Commit]) -> None:
        """Gives the files that commits tell of, as far as they are indexed, the document of their whole anew."""
        told = {path for commit in changed for path in histories.told_of(commit)}.intersection(self._store.known())
        pasts = self._pasts(told)
        for path, chunks in self._store.chunks_of(told):
            words = documents.of_file(bare(path, chunks))
            self._derived.replace_whole(histories.key_of(path), words, self._messages(pasts.get(path, ())))

    def _pasts(self, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The newest commits of each file that has any; what they say is at hand afterwards."""
        keys = {histories.key_of(path): path for path in paths}
        found = {keys[key]: commits for key, commits in self._store.histories(keys)}
        unread = {hash for commits in found.values() for hash in commits} - self._said.keys()
        self._said.update((c.hash, documents.of_commit(c).stems) for c in self._store.commits_of(unread))
        return found

    def _messages(self, commits: Iterable[str]) -> Iterator[str]:
        """The stems of commits' messages."""
        return (self._said.get(hash, "") for hash in commits)

    def _history(self, state: GitState | None) -> str | None:
        """Why the history could not be read, when git could not; the files stand without it."""
        try:
            self._read_history(state)
        except Unavailable as problem:
            return problem.message
        return None

    def _read_history(self, state: GitState | None) -> None:
        old = self._store.meta().get("history_head")
        cut = _shallow(self._scope)
        deepened = bool(self._store.meta().get("history_cut")) and not cut
        if state is None or state.commit is None or (state.commit == old and not deepened):
            return
        linear = isinstance(old, str) and not deepened and git.is_ancestor(self._scope.root, old, state.commit)
        raw = git.log(self._scope.root, str(old) if linear else None, within=bool(self._scope.prefix))
        have = set() if linear else self._store.commit_hashes()
        seen: set[str] = set()
        fresh = (c for c in raw if not (seen.add(c.hash) or c.hash in have))  # type: ignore[func-returns-value]
        self._store_commits(fresh)
        dropped = [] if linear else sorted(have - seen)
        self._close_history(dropped, {"history_head": state.commit, "history_cut": int(cut)})

    def _store_commits(self, fresh: Iterable[git.RawCommit]) -> None:
        pending: list[PreparedCommit] = []
        done = 0
        for reply in self._parsers.map(_commit_requests(fresh)):
            pending += [messages.unpack_commit(row) for row in reply["commits"]]
            done += len(reply["commits"])
            self._progress("commits", done, 0)
            if len(pending) >= COMMITS_A_BATCH:
                self._apply_commits(pending, [], {})
                pending = []
        if pending:
            self._apply_commits(pending, [], {})

    def _close_history(self, dropped: list[str], meta: dict[str, object]) -> None:
        if dropped:
            self._apply_commits([], dropped, meta)
        else:
            self._store.record(meta)

    def _apply_commits(self, fresh: list[PreparedCommit], dropped: list[str], meta: dict[str, object]) -> None:
        """The chunks' index follows the generation too: one number stands for the whole scope."""
        lacking = self._store.lacks([p.commit.hash for p in fresh])  # a run that was killed may have had some of them
        fresh = [p for p in fresh if p.commit.hash in lacking]
        generation = self._store.generation + 1
        batch = Batch(
            commits=[p.commit for p in fresh],
            dropped_commits=dropped,
            meta={**UNFINISHED, **meta, "history_generation": generation},
        )
        changed = [*self._store.commits_of(dropped), *(p.commit for p in fresh)]
        self._store.apply(batch)
        for prepared in fresh:
            self._derived.add_commit(prepared.commit, prepared.words)
        for hash in dropped:
            self._derived.drop_commit(hash)
        self._derived.commit_history(generation)
        self._said.update((p.commit.hash, p.words.stems) for p in fresh)
        self._retell(changed)
        self._derived.commit_files(generation)

    def _finish(self, state: GitState | None, survey: Survey, problem: str | None) -> None:
        if self._store.generation == 0:  # an empty project is a whole index too
            self._derived.commit_files(self._store.apply(Batch()))
        if self._derived.history_generation != self._history_generation():
            self._derived.commit_history(self._history_generation())
        reasons: dict[str, int] = {}
        for skip in survey.skips:
            reasons[skip.reason] = reasons.get(skip.reason, 0) + 1
        if problem is not None:
            reasons[f"history: {problem}"] = 1
        done = {"complete": 1, "unfinished": 0}
        meta = {**scopestore.git_meta(state), **self._store.summary(reasons), **done}
        self._store.record(meta)

    def _history_generation(self) -> int:
        found = self._store.meta().get("history_generation", 0)
        return found if isinstance(found, int) else 0


def _as_found(scope: Scope) -> Scope:
    """The scope without its git directory, when its root is no repository any more."""
    return scope if os.path.lexists(os.path.join(scope.work_tree, ".git")) else replace(scope, git_dir=None)


def _state(scope: Scope) -> GitState | None:
    """Where the work tree stands; without its changes when git cannot tell them."""
    if not scope.git_dir:
        return None
    try:
        return git.state(scope.root)
    except Unavailable:
        return GitState(*git.head(scope.git_dir, scope.common_dir or scope.git_dir))


def _shallow(scope: Scope) -> bool:
    """Whether the repository holds only its newest commits; more may be fetched later, under the same HEAD."""
    return bool(scope.git_dir) and os.path.exists(os.path.join(scope.common_dir or "", "shallow"))


def _same(stat: FileStat, known: Known | None) -> bool:
    return known is not None and known.size == stat.size and known.mtime_ns == stat.mtime_ns


def _requests(root: str, stats: list[FileStat], cap: int) -> Iterator[Request]:
    part: list[FileStat] = []
    size = 0
    for stat in stats:
        part.append(stat)
        size += stat.size
        if len(part) >= FILES_A_REQUEST or size >= BYTES_A_REQUEST:
            yield _file_request(root, part, cap)
            part, size = [], 0
    if part:
        yield _file_request(root, part, cap)


def _file_request(root: str, part: list[FileStat], cap: int) -> Request:
    return {"op": "files", "root": root, "stats": messages.pack_stats(part), "max_file_bytes": cap}


def _commit_requests(commits: Iterable[git.RawCommit]) -> Iterator[Request]:
    part: list[tuple[object, ...]] = []
    size = 0
    for commit in commits:
        body = commit.body[:MESSAGE_CHARS]
        part.append((commit.hash, commit.time, commit.subject[:MESSAGE_CHARS], body, commit.files))
        size += len(body)
        if len(part) >= COMMITS_A_REQUEST or size >= MESSAGE_BYTES_A_REQUEST:
            yield {"op": "commits", "commits": part}
            part, size = [], 0
    if part:
        yield {"op": "commits", "commits": part}
