"""Answers and errors -> text for a terminal, text for a pipe, JSON. Pure: values in, text out.

On a pipe an answer is the daemon's own `text`, which keeps its token budget; a terminal gets the same
evidence laid out for reading. An abstention is laid out in both.
"""

from .errors import LociError
from .wire import Body

SNIPPET_LINES = 12
BYTES_PER_TOKEN = 4  # the daemon's own estimate


class Look:
    """How text is to look: in colour or not, and from which directory paths are read."""

    def __init__(self, terminal: bool = False, colour: bool = False, cwd: str = "") -> None:
        self.terminal = terminal
        self.colour = colour
        self.cwd = cwd

    def _set(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def bold(self, text: str) -> str:
        """The text, bold on a terminal with colour."""
        return self._set("1", text)

    def dim(self, text: str) -> str:
        """The text, dim on a terminal with colour."""
        return self._set("2", text)

    def cite(self, text: str) -> str:
        """The text in the colour of citations."""
        return self._set("36", text)

    def warn(self, text: str) -> str:
        """The text in the colour of warnings."""
        return self._set("33", text)

    def bad(self, text: str) -> str:
        """The text in the colour of errors."""
        return self._set("31", text)

    def good(self, text: str) -> str:
        """The text in the colour of success."""
        return self._set("32", text)


def to_json(value: object) -> str:
    """The value as JSON, with a line end; text stays readable, what JSON has no form for becomes a string."""
    import json

    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"


def error_line(error: LociError, look: Look) -> str:
    """The error as one line for stderr (more only when a log is quoted)."""
    return f"{look.bad('loci:')} {error.message}\n"


def error_json(error: LociError) -> str:
    """The error as JSON: {error: {code, message, detail?}}."""
    body: Body = {"code": error.code, "message": error.message}
    if error.detail:
        body["detail"] = error.detail
    return to_json({"error": body})


# ---- ask ---------------------------------------------------------------------------------------------------


def ask(answer: Body, look: Look, budget: int) -> str:
    """The answer, or the abstention with its reason, its advice and its candidates."""
    if answer.get("outcome") == "abstained":
        return abstention(answer, look)
    text = str(answer.get("text") or "")
    if text and not look.terminal:
        return text.rstrip("\n") + "\n"
    return _answer(answer, look, budget)


def _answer(answer: Body, look: Look, budget: int) -> str:
    scopes = maps(answer.get("scopes"))
    parts: list[str] = []
    if answer.get("mode") == "set":
        parts.append(look.bold("ENUMERATED -> " + ", ".join(str(scope.get("name")) for scope in scopes)) + "\n")
    share = budget * BYTES_PER_TOKEN // max(len(scopes), 1)
    parts += [_scope(scope, look, share) for scope in scopes]
    partial = answer.get("partial")
    if isinstance(partial, dict):
        parts.append(look.warn(f"partial: {partial.get('stage')} {partial.get('done')} of {partial.get('total')}\n"))
    return "\n".join(parts) or "nothing found\n"


def _scope(scope: Body, look: Look, room: int) -> str:
    """One scope: why it was chosen, its stamp, its hits, as many with their lines as there is room for."""
    why = reasons(maps(scope.get("why")))
    lines = [f"{look.bold(str(scope.get('name')))}  {look.dim(why)}".rstrip()]
    stamp = scope.get("stamp")
    if isinstance(stamp, dict):
        lines.append(look.dim(f"{scope.get('root')}  {stamp_words(stamp)}"))
    for hit in maps(scope.get("hits")):
        shown, used = _hit(hit, str(scope.get("root") or ""), look, room)
        room -= used
        lines += shown
    for key in ("note", "weak"):
        if isinstance(scope.get(key), str):
            lines.append(look.warn(f"{key}: {scope[key]}"))
    if scope.get("weak") is True:
        lines.append(look.warn("weak evidence: check it before you rely on it"))
    return "\n".join(lines) + "\n"


def _hit(hit: Body, root: str, look: Look, room: int) -> tuple[list[str], int]:
    """The lines of one hit and the bytes its snippet took; only the citation when there is no room."""
    title = str(hit.get("symbol") or hit.get("heading") or "")
    snippet = str(hit.get("text") or "").strip("\n").split("\n")
    if len(snippet) > SNIPPET_LINES:
        snippet = [*snippet[: SNIPPET_LINES - 1], "…"]
    size = sum(len(line.encode("utf-8", "replace")) + 1 for line in snippet)
    head = f"{look.cite(citation(hit, root, look.cwd))}  {title}".rstrip()
    if size > room:
        return [head], 0
    return ["", head, *(f"    {line}".rstrip() for line in snippet)], size


def citation(hit: Body, root: str, cwd: str) -> str:
    """`path:start-end` as it opens from `cwd`, or `commit <hash>` for a hit without a path."""
    path = hit.get("path")
    if not path:
        return f"commit {str(hit.get('commit') or '?')[:12]}"
    full = str(path) if str(path).startswith("/") else f"{root.rstrip('/')}/{path}"
    near = cwd.rstrip("/") + "/"
    shown = full[len(near) :] if cwd and full.startswith(near) else full
    first, last = hit.get("line_start"), hit.get("line_end")
    return f"{shown}:{first}" if first == last else f"{shown}:{first}-{last}"


def stamp_words(stamp: Body) -> str:
    """Where the answer was read: branch and commit, whether dirty, how old, what is pending."""
    words = []
    if stamp.get("commit"):
        words.append(f"{stamp.get('branch') or 'detached'}@{str(stamp['commit'])[:8]}")
    if stamp.get("dirty"):
        words.append("dirty")
    words.append(f"{age(stamp.get('age_ms'))} old")
    pending = stamp.get("pending")
    if stamp.get("stale"):
        words.append("stale" + (f" ({len(pending)} files pending)" if isinstance(pending, list) and pending else ""))
    return ", ".join(words)


def age(ms: object) -> str:
    """A duration for people: 3 s, 5 min, 2 h, 4 d."""
    if not isinstance(ms, int | float):
        return "of unknown age"
    seconds = ms / 1000
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1 else f"{ms:.0f} ms"


WORDS = {"cwd": "you are in it"}


def reasons(signals: list[Body]) -> str:
    """The signals that weigh, in words and in their order: `alias (loci), evidence (router, gate)`."""
    words = []
    for signal in [signal for signal in signals if signal.get("weight")][:4]:
        terms = [str(term) for term in signal.get("terms") or []][:5]
        name = WORDS.get(str(signal.get("name")), str(signal.get("name")))
        words.append(f"{name} ({', '.join(terms)})" if terms else name)
    return ", ".join(words)


REASONS = {
    "deictic": "the question points at something that it does not name",
    "no_evidence": "no project holds enough of what the question asks for",
    "out_of_group": "the project it belongs to is outside the group",
    "ambiguous": "several projects fit about equally well",
    "nothing_found": "the project it belongs to holds nothing on it",
}


def abstention(answer: Body, look: Look) -> str:
    """Why there is no answer, what settles it, and the candidates with the terms that put them there."""
    reason = str(answer.get("reason") or "no_evidence")
    lines = [f"{look.warn('ABSTAIN')} {reason}: {REASONS.get(reason, 'the question was not answered')}"]
    if answer.get("advice"):
        lines.append(str(answer["advice"]))
    candidates = maps(answer.get("candidates"))
    if candidates:
        lines.append("candidates:")
    width = max((len(str(c.get("name"))) for c in candidates), default=0)
    for candidate in candidates:
        terms = ", ".join(str(term) for term in candidate.get("terms") or [])
        lines.append(f"  {look.bold(str(candidate.get('name')).ljust(width))}  {look.dim(terms)}".rstrip())
    return "\n".join(lines) + "\n"


# ---- route -------------------------------------------------------------------------------------------------


def route(found: Body, look: Look, explain: bool) -> str:
    """Where the question belongs and why; with `explain` every signal of every scope."""
    scopes = maps(found.get("scopes"))
    selected = [str(id) for id in found.get("selected") or []]
    chosen = [scope for scope in scopes if str(scope.get("id")) in selected]
    parts = [_routed(scope, look) for scope in chosen] or [abstention(found, look)]
    if found.get("mode") == "set" and chosen:
        parts.insert(0, look.bold("ENUMERATED -> " + ", ".join(str(scope.get("name")) for scope in chosen)) + "\n")
    if explain and scopes:
        parts.append("\n" + signal_table(scopes, selected, look))
    return "".join(parts)


def _routed(scope: Body, look: Look) -> str:
    why = reasons(maps(scope.get("signals")))
    return f"{look.bold(str(scope.get('name')))}  {scope.get('root')}  {look.dim(why)}".rstrip() + "\n"


def signal_table(scopes: list[Body], selected: list[str], look: Look) -> str:
    """A row a signal: scope, score, signal, value, weight, the terms and the passage behind it."""
    rows = [["", "scope", "score", "signal", "value", "weight", "behind it"]]
    for scope in scopes:
        mark = "*" if str(scope.get("id")) in selected else ""
        head = [mark, str(scope.get("name")), _number(scope.get("score"))]
        for signal in maps(scope.get("signals")) or [{}]:
            named = [
                str(signal.get("name") or ""),
                _number(signal.get("value")),
                _number(signal.get("weight")),
            ]
            rows.append([*head, *named, _behind(signal)])
            head = ["", "", ""]
    return table(rows, look)


def _behind(signal: Body) -> str:
    words = [str(term) for term in signal.get("terms") or []]
    passage = signal.get("passage")
    if isinstance(passage, dict):
        words.append(citation(passage, "", "").lstrip("/"))
    return " ".join(words)


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, int | float) else ""


# ---- shared ------------------------------------------------------------------------------------------------


def table(rows: list[list[str]], look: Look) -> str:
    """The rows in aligned columns, the first one as their heads."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([look.dim(lines[0]), *lines[1:]]) + "\n"


def maps(value: object) -> list[Body]:
    """The maps in what should be a list of maps: a newer daemon must not break the printing."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list | tuple) else []
