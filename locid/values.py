"""Frozen values that cross packages, and the protocols through which packages meet. No behaviour, no input or output.

Lines are 1-based and inclusive. Paths are relative to the scope's root with `/` between the parts (absolute for what
an absolute glob matched); bytes that are not UTF-8 are percent-escaped. Times are seconds since the epoch, durations ms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from locid.manifest import Invocation, Manifest, Related

FileClass = Literal["shipped", "test", "example", "generated", "vendored", "docs"]
ChunkKind = Literal["doc", "code", "commit", "note"]
Outcome = Literal["answered", "abstained", "related"]
Reason = Literal["deictic", "no_evidence", "out_of_group", "ambiguous", "nothing_found"]
ScopeState = Literal["ready", "indexing", "polled", "unavailable", "empty"]
ReferenceKind = Literal["call", "use", "inherit", "decorate"]
Level = Literal["ok", "note", "warning", "error"]


# ---- what a scope is


@dataclass(frozen=True, slots=True)
class Scope:
    """One project: a name, a root, and what belongs to it."""

    id: str
    root: str  # real path
    aliases: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    git_dir: str | None = None  # this work tree's git directory; None when the scope is no repository
    common_dir: str | None = None  # shared by all work trees of a repository
    remote: str | None = None  # URL of origin, without credentials
    excluded: tuple[str, ...] = ()  # real paths of sub-scopes' roots, left out of this one
    prefix: str = ""  # the root's path below its repository's work tree; '' when it is the work tree, or in none
    parent: str | None = None  # id of the scope that this one was split from or declared in
    declared: bool = False  # whether its parent's `.loci.json` names it, or did
    owner: str | None = None  # `me` or `vendor:<org>`, as git told when it was registered

    @property
    def name(self) -> str:
        """The scope's last path component."""
        return self.root.rstrip("/").rsplit("/", 1)[-1] or "/"

    @property
    def work_tree(self) -> str:
        """The root of the repository that the scope is, or lies in; its own root without one."""
        return self.root.removesuffix("/" + self.prefix) if self.prefix else self.root


# ---- what is collected


@dataclass(frozen=True, slots=True)
class FileStat:
    """A file that the walk let in."""

    path: str
    size: int  # bytes
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Skip:
    """A path that was left out, and why."""

    path: str
    reason: str  # ignored | pruned | too_large | binary | secret_store | secret_in_name | unreadable | special | ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: built by `chunk.make` only, redacted."""

    id: bytes  # 16 bytes
    path: str | None  # None for a commit's message
    kind: ChunkKind
    line_start: int  # 0 for a commit
    line_end: int
    text: str
    file_class: FileClass
    symbol: str = ""  # the definition that the chunk holds or lies in, qualified by `.`
    heading: str = ""  # the heading path of a documentation chunk, joined by ` > `
    names: tuple[str, ...] = ()  # names defined or headed in the chunk, and those that enclose its start
    commit: str | None = None  # hash, for a commit's message


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition: a name to be found, and where it is."""

    name: str
    qualified: str  # after the names of the definitions around it, joined by `.`
    kind: (
        str  # function, method, class, struct, interface, trait, enum, type, constant, variable, field, macro, module …
    )
    line_start: int  # with the comments and decorators directly above
    line_end: int
    signature: str = ""  # its header on one line, 200 characters at most
    doc: str = ""  # the first line of its docstring or doc comment


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that stands for something defined elsewhere, or here."""

    name: str
    kind: ReferenceKind
    line: int
    within: str = ""  # qualified name of the definition around it, '' at the top of a file


@dataclass(frozen=True, slots=True)
class Import:
    """What one statement imports from one module."""

    module: str  # as the source spells it
    names: tuple[tuple[str, str], ...] = ()  # (name, alias or ''); `*` is all of it, `default` a default export
    line: int = 0


@dataclass(frozen=True, slots=True)
class FileBatch:
    """All that one file contributes, or why it contributes nothing."""

    path: str
    size: int
    mtime_ns: int
    digest: bytes  # blake2b-16 of the file's bytes; empty when it was not read
    file_class: FileClass
    language: str  # '' when unknown
    chunks: tuple[Chunk, ...] = ()
    skip: str | None = None  # reason, when the content was not indexed
    redactions: tuple[tuple[str, int], ...] = ()  # (kind, count)
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    invocations: tuple[Invocation, ...] = ()
    manifest: Manifest | None = None  # for a file that is one


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit, redacted."""

    hash: str
    time: int
    subject: str
    body: str
    files: tuple[str, ...]
    redactions: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class GitState:
    """Where a work tree stands."""

    commit: str | None  # None before the first commit
    branch: str | None  # None when HEAD is detached
    dirty: bool = False


# ---- what a store tells


@dataclass(frozen=True, slots=True)
class ScopeFacts:
    """What a scope's store says of itself at one generation."""

    generation: int
    commit: str | None
    branch: str | None
    dirty: bool
    indexed_at: float
    files: int
    chunks: int
    commits: int
    text_bytes: int
    skipped: Mapping[str, int] = field(default_factory=dict)
    redactions: Mapping[str, int] = field(default_factory=dict)
    symbols: int = 0
    manifests: int = 0  # that could be read
    languages: Mapping[str, int] = field(default_factory=dict)  # of shipped files, how many


# ---- questions and evidence


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart."""

    text: str
    tokens: tuple[str, ...]  # distinct content tokens in order, identifiers whole beside their parts
    weighed: tuple[str, ...]  # distinct tokens that the gate weighs: closed-class words left out
    past: bool = False  # asks what happened or why: a commit's message may be the answer
    recent: bool = False  # asks for what happened last
    pointing: bool = False  # points at where the asker stands (this, here, we, the project …) instead of naming it
    subject: str | None = None  # the name of the code that it asks about ("what calls X?"), as a token
    alternatives: tuple[str, ...] = ()  # it asks for all projects of which any of these is true; none: it asks for one
    explained: bool = False  # asks how to do something or what it is: documentation answers before code


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk or commit found for a question; its store knows the rest by the key."""

    scope: str
    key: str  # the chunk's id in hex, or the commit's hash
    owner: str  # equal for all passages of a file
    kind: ChunkKind
    file_class: FileClass
    score: float  # comparable across scopes


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one scope's passages say of a question; every number compares across scopes."""

    scope: str
    chunks: int  # live chunks of the scope
    best: float  # score of the best passage
    mean: float  # mean score of the best five
    coverage: (
        float  # largest share of the question's weight that one passage holds; above 1 where names and order agree
    )
    passages: tuple[Passage, ...]  # best first


class PassageSource(Protocol):
    """Where the router gets its evidence."""

    def evidence(
        self, question: Question, scopes: Sequence[Scope], always: Collection[str] = ()
    ) -> Mapping[str, Evidence]:
        """Evidence by scope id: of those of the scopes that are likely by their vocabulary, and of the ids in `always`."""
        ...

    def coverage(self, question: Question, scopes: Sequence[Scope]) -> float:
        """The largest coverage of those of the scopes that are likely: what the gate looks at, and no more."""
        ...

    def rarity(self, question: Question) -> float:
        """Sum of the inverse document frequencies (over all scopes) of the question's tokens."""
        ...

    def holders(self, question: Question) -> Mapping[str, tuple[str, ...]]:
        """For each token that the gate weighs, the ids of the scopes that hold it."""
        ...

    def ownness(self, scope: str, name: str) -> float:
        """How much likelier a name is in the scope than elsewhere, as a natural logarithm; 0 at the least."""
        ...

    def alike(self, question: Question, scopes: Sequence[Scope]) -> bool:
        """Whether any of the scopes has a name that one of the question's, which nothing holds, may be a slip of."""
        ...


@dataclass(frozen=True, slots=True)
class Signal:
    """One reason for a scope's score."""

    name: str
    value: float
    weight: float
    terms: tuple[str, ...] = ()
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scope that an abstention offers, with the terms that put it there."""

    id: str
    name: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoredScope:
    """A scope with its score and the signals behind it."""

    scope: Scope
    score: float
    signals: tuple[Signal, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """Where a question belongs, or why it belongs nowhere."""

    question: str
    mode: Literal["one", "set"]
    selected: tuple[ScoredScope, ...]
    scopes: tuple[ScoredScope, ...]  # all that hold evidence or were forced, best first
    candidates: tuple[Candidate, ...] = ()
    reason: Reason | None = None
    advice: str | None = None


# ---- answers


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an answer was computed on."""

    commit: str | None
    branch: str | None
    dirty: bool
    generation: int
    age_ms: int
    stale: bool = False
    pending: tuple[str, ...] = ()  # cited paths that changed since


@dataclass(frozen=True, slots=True)
class Hit:
    """One citation."""

    kind: str
    path: str | None
    line_start: int
    line_end: int
    text: str
    score: float
    heading: str = ""
    symbol: str = ""
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class ScopeAnswer:
    """One scope's part of an answer."""

    scope: ScoredScope
    stamp: Stamp
    hits: tuple[Hit, ...]
    note: str | None = None
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer, or an abstention that says why."""

    route: Route
    outcome: Outcome
    scopes: tuple[ScopeAnswer, ...]
    reason: Reason | None
    advice: str | None
    text: str
    tokens: int
    took_ms: Mapping[str, float]
    relations: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """A row of doctor."""

    check: str
    level: Level
    finding: str
    scope: str | None = None
    fix: str | None = None


def total(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Counts summed by kind."""
    out: dict[str, int] = {}
    for kind, n in counts:
        out[kind] = out.get(kind, 0) + n
    return out
