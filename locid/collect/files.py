"""One file -> its batch: read once, redacted whole, cut into passages. Whatever it holds, the result is a value."""

from __future__ import annotations

from hashlib import blake2b

from locid.chunk import Builder
from locid.collect import code, docs, manifests
from locid.collect.classes import file_class, generated_header, treatment
from locid.collect.invocations import invocations
from locid.collect.text import NotText, decode, read_bytes, real_path
from locid.collect.walk import MAX_FILE_BYTES
from locid.redact import left_out, redact
from locid.syntax import KINDS, Definition, Outline, language_of, outline
from locid.values import FileBatch, FileClass, FileStat, Symbol, total

DIGEST_BYTES = 16
MAX_UNKNOWN = 200_000  # bytes of a file whose name says nothing
MAX_JSON = 100_000  # larger ones are data
_MINIFIED_LINE = 20_000  # characters of the longest line
_MINIFIED_MEAN = 400  # characters of a line, in a file of 5,000 or more


def parse_file(root: str, stat: FileStat, max_file_bytes: int = MAX_FILE_BYTES) -> FileBatch:
    """All that a file contributes; `skip` says why it contributes nothing. Never raises for what a file holds."""
    if reason := left_out(stat.path):
        return _skipped(stat, reason)
    try:
        data, info = read_bytes(real_path(root, stat.path), max_file_bytes)
    except NotText as found:
        return _skipped(stat, str(found))
    except OSError:
        return _skipped(stat, "unreadable")
    now = FileStat(stat.path, info.st_size, info.st_mtime_ns)
    digest = blake2b(data, digest_size=DIGEST_BYTES).digest()
    try:
        return parse_bytes(now, data, digest)
    except (ValueError, IndexError, KeyError, RecursionError, MemoryError) as error:
        return _skipped(now, f"quarantined: {type(error).__name__}", digest)


def parse_bytes(stat: FileStat, data: bytes, digest: bytes) -> FileBatch:
    """The batch of a file whose bytes these are."""
    try:
        text, clean = decode(data)
    except NotText as error:
        return _skipped(stat, str(error), digest)
    how = treatment(stat.path)
    if reason := _data(stat, how, text, clean):
        return _skipped(stat, reason, digest)
    kind: FileClass = file_class(stat.path)
    if kind not in ("generated", "vendored") and generated_header(text):
        kind = "generated"
    source = redact(text)
    text = source.text
    builder = Builder(stat.path, "doc" if how == "doc" else "code", kind, source)
    name = language_of(stat.path, text)
    found_in = _fill(builder, name, text)
    manifest = manifests.read(stat.path, text)
    own = {d.name for d in found_in.definitions}
    runs = invocations(name, text, found_in.references, found_in.imports, own)
    return FileBatch(
        path=stat.path,
        size=stat.size,
        mtime_ns=stat.mtime_ns,
        digest=digest,
        file_class=kind,
        language=name or ("prose" if builder.kind == "doc" else ""),
        chunks=tuple(builder.chunks),
        redactions=tuple(total([*source.found, *builder.redactions]).items()),
        symbols=tuple(_symbol(d) for d in found_in.definitions if KINDS.get(d.kind, d.kind)),
        references=found_in.references,
        imports=found_in.imports,
        invocations=(*runs, *manifest.invocations) if manifest else runs,
        manifest=manifest,
    )


def _fill(builder: Builder, name: str, text: str) -> Outline:
    """Adds the passages of a text; returns its outline, empty for prose and for a source that we have no grammar for."""
    lines = text.split("\n")
    if builder.kind == "doc":
        docs.passages(builder, builder.path, lines)
        return Outline()
    # what a tool wrote refers to much and says little: its names are enough
    refer = builder.file_class != "generated"
    found = outline(name, text.encode("utf-8", "replace"), refer) if name else Outline()
    code.passages(builder, lines, found.definitions)
    return found


def _symbol(d: Definition) -> Symbol:
    return Symbol(d.name, d.qualified, KINDS.get(d.kind, d.kind), d.line_start, d.line_end, d.signature, d.doc)


def _data(stat: FileStat, how: str, text: str, clean: bool) -> str | None:
    """Why a text is not worth indexing, or None."""
    if not text or text.isspace():
        return "empty"
    if how in ("data", "binary"):
        return how
    if how == "unknown" and (not clean or stat.size > MAX_UNKNOWN):
        return "data"
    if stat.size > MAX_JSON and stat.path.lower().endswith((".json", ".jsonc", ".json5", ".xml")):
        return "data"
    longest = max(map(len, text.split("\n")))
    if longest > _MINIFIED_LINE or (
        len(text) > 5000 and how != "doc" and len(text) > _MINIFIED_MEAN * (text.count("\n") + 1)
    ):
        return "minified"
    return None


def _skipped(stat: FileStat, reason: str, digest: bytes = b"") -> FileBatch:
    return FileBatch(stat.path, stat.size, stat.mtime_ns, digest, file_class(stat.path), "", skip=reason)
