"""Answers and errors -> text for a terminal, text for a pipe, JSON. Pure: values in, text out.

An answer is the daemon's own `text`, which keeps its token budget; on a terminal its lines are set apart and its
citations open from where the user stands. An abstention is laid out in both.
"""

from .errors import LociError
from .wire import Body

PIPE_BUDGET, TERMINAL_BUDGET = 2000, 700  # tokens: what a model reads, and what a person does
CONTROLS = {c: 0x2400 + c for c in range(32) if c not in (9, 10)} | {0x7F: 0x2421}  # shown, never obeyed


class Look:
    """How text is to look: in colour or not, from which directory paths are read, and how many columns there are."""

    def __init__(self, terminal: bool = False, colour: bool = False, cwd: str = "", width: int = 0) -> None:
        self.terminal = terminal
        self.colour = colour
        self.cwd = cwd
        self.width = width  # 0: no limit, as on a pipe

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


def ask(answer: Body, look: Look) -> str:
    """The answer, or the abstention with its reason, its advice and its candidates."""
    if answer.get("outcome") == "abstained":
        return abstention(answer, look)
    text = str(answer.get("text") or "nothing found").rstrip("\n")
    parts = [_laid_out(text, answer, look) if look.terminal else text]
    partial = answer.get("partial")
    if isinstance(partial, dict):
        parts.append(look.warn(f"partial: {partial.get('stage')} {partial.get('done')} of {partial.get('total')}"))
    return "\n".join(parts) + "\n"


def _laid_out(text: str, answer: Body, look: Look) -> str:
    """The text for a person: the headline bold, citations that open from here, passages indented."""
    heads = _heads(answer)
    first, *rest = text.split("\n")
    lines = [look.bold(first)]
    shown, after_blank = 0, False
    for line in rest:
        head = next((h for h in heads if after_blank and line.startswith(h)), None)
        if head is None:
            lines.append(f"    {line}".rstrip() if shown else line)
        else:
            shown += 1
            lines.append(look.cite(_opening(line, head, heads[head], look.cwd)))
        after_blank = not line
    return "\n".join([*lines, *_more(answer, shown, look)])


def _heads(answer: Body) -> dict[str, str]:
    """How a citation's line begins -> the root that its path is relative to; '' for a commit."""
    heads = {}
    for scope in maps(answer.get("scopes")):
        root, several = str(scope.get("root") or ""), f"{scope.get('id')}: "
        for hit in maps(scope.get("hits")):
            place = f"{hit['path']}:" if hit.get("path") else f"commit {str(hit.get('commit') or '')[:10]}"
            for head in (place, several + place):
                heads[head] = root if hit.get("path") else ""
    return heads


def _opening(line: str, head: str, root: str, cwd: str) -> str:
    """The line with its path as it opens from the directory."""
    if not root:
        return line
    path = head.rsplit(": ", 1)[-1]
    return line.replace(path, _near(path, root, cwd), 1)


def _more(answer: Body, shown: int, look: Look) -> list[str]:
    found = sum(len(maps(scope.get("hits"))) for scope in maps(answer.get("scopes")))
    if found <= shown:
        return []
    return ["", look.dim(f"{found - shown} more: --budget {2 * TERMINAL_BUDGET} shows more of them, --json all")]


def citation(hit: Body, root: str, cwd: str) -> str:
    """`path:start-end` as it opens from `cwd`, or `commit <hash>` for a hit without a path."""
    path = hit.get("path")
    if not path:
        return f"commit {str(hit.get('commit') or '?')[:10]}"
    shown = _near(str(path), root, cwd)
    first, last = hit.get("line_start"), hit.get("line_end")
    return f"{shown}:{first}" if first == last else f"{shown}:{first}-{last}"


def _near(path: str, root: str, cwd: str) -> str:
    """A path below a root as it opens from a directory: relative below it, absolute elsewhere."""
    full = path if path.startswith("/") else f"{root.rstrip('/')}/{path}"
    near = cwd.rstrip("/") + "/"
    return full[len(near) :] if cwd and full.startswith(near) else full


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
    """The signals that weigh, in words and in their order: `alias (loci), evidence (router, gate), outside team`."""
    words = []
    for signal in [signal for signal in signals if signal.get("weight")][:4]:
        terms = ", ".join([str(term) for term in signal.get("terms") or []][:5])
        name = WORDS.get(str(signal.get("name")), str(signal.get("name")))
        if name == "group":
            words.append(f"{'in' if signal.get('value') else 'outside'} {terms}")
        else:
            words.append(f"{name} ({terms})" if terms else name)
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
    lines = [f"{look.warn('ABSTAINED')} ({reason}): {REASONS.get(reason, 'the question was not answered')}"]
    if answer.get("advice"):
        lines.append(str(answer["advice"]))
    candidates = maps(answer.get("candidates"))
    if candidates:
        lines.append("candidates:")
    width = max((len(str(c.get("id"))) for c in candidates), default=0)
    for candidate in candidates:
        terms = ", ".join(str(term) for term in candidate.get("terms") or [])
        lines.append(f"  {look.bold(plain(candidate.get('id')).ljust(width))}  {look.dim(terms)}".rstrip())
    return "\n".join(lines) + "\n"


# ---- route -------------------------------------------------------------------------------------------------


def route(found: Body, look: Look, explain: bool) -> str:
    """Where the question belongs and why; with `explain` every signal of every scope."""
    scopes = maps(found.get("scopes"))
    selected = [str(id) for id in found.get("selected") or []]
    chosen = [scope for scope in scopes if str(scope.get("id")) in selected]
    parts = [_routed(scope, look) for scope in chosen] or [abstention(found, look)]
    if found.get("mode") == "set" and chosen:
        parts.insert(0, look.bold("ENUMERATED -> " + ", ".join(str(scope.get("id")) for scope in chosen)) + "\n")
    if explain and scopes:
        parts.append("\n" + signal_table(scopes, selected, look))
    return "".join(parts)


def _routed(scope: Body, look: Look) -> str:
    why = reasons(maps(scope.get("signals")))
    return f"{look.bold(plain(scope.get('id')))}  {plain(scope.get('root'))}  {look.dim(why)}".rstrip() + "\n"


def signal_table(scopes: list[Body], selected: list[str], look: Look) -> str:
    """A row a signal that weighs, with what is behind it; then a row of the measures that only inform."""
    rows = [["", "scope", "score", "signal", "value", "weight", "behind it"]]
    for scope in scopes:
        mark = "*" if str(scope.get("id")) in selected else ""
        head = [mark, str(scope.get("id")), _number(scope.get("score"))]
        signals = maps(scope.get("signals")) or [{}]
        measures = [signal for signal in signals if _only_informs(signal)]
        for signal in [signal for signal in signals if not _only_informs(signal)]:
            named = [str(signal.get("name") or ""), _number(signal.get("value")), _number(signal.get("weight"))]
            rows.append([*head, *named, _behind(signal)])
            head = ["", "", ""]
        if measures:
            told = ", ".join(f"{signal.get('name')} {_number(signal.get('value'))}" for signal in measures)
            rows.append([*head, "", "", "", told])
    return table(rows, look, shrink=("scope",), wrap=True)


def _only_informs(signal: Body) -> bool:
    return signal.get("weight") == 0 and not signal.get("terms") and not signal.get("passage")


def _behind(signal: Body) -> str:
    words = [str(term) for term in signal.get("terms") or []]
    passage = signal.get("passage")
    if isinstance(passage, dict):
        words.append(citation(passage, "", "").lstrip("/"))
    return " ".join(words)


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, int | float) else ""


# ---- shared ------------------------------------------------------------------------------------------------


LEAST = 12  # columns that a shortened cell keeps


def table(
    rows: list[list[str]],
    look: Look,
    drop: tuple[str, ...] = (),
    shrink: tuple[str, ...] = (),
    wrap: bool = False,
) -> str:
    """The rows in aligned columns, the first one as their heads.

    On a terminal that is too narrow, the first of `shrink` is shortened (text ends in an ellipsis, a path begins with
    it), then columns are left out in the order of `drop`, then the others of `shrink` are shortened; with `wrap` the last
    column goes on below itself.
    """
    rows = _fitting([[plain(cell) for cell in row] for row in rows], look.width, drop, shrink, wrap)
    widths = _widths(rows)
    if wrap and look.width:
        widths[-1] = min(widths[-1], max(LEAST, look.width - _whole(widths[:-1]) - 2))
        rows = [line for row in rows for line in _wrapped(row, widths[-1])]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([look.dim(lines[0]), *lines[1:]]) + "\n"


def _fitting(
    rows: list[list[str]], width: int, drop: tuple[str, ...], shrink: tuple[str, ...], wrap: bool
) -> list[list[str]]:
    """The rows without the columns that have no room, and with shortened cells."""
    for name in drop:
        spare = sum(max(0, w - LEAST) for w, head in zip(_widths(rows), rows[0], strict=True) if head in shrink[:1])
        if width and name in rows[0] and _whole(_widths(rows)) - spare > width:
            at = rows[0].index(name)
            rows = [row[:at] + row[at + 1 :] for row in rows]
    for name in shrink:
        widths = _widths(rows)
        over = _whole(widths[:-1]) + 2 + min(widths[-1], LEAST) - width if wrap else _whole(widths) - width
        if width and over > 0 and name in rows[0]:
            at = rows[0].index(name)
            most = max(LEAST, widths[at] - over)
            rows = [[*row[:at], _short(row[at], most), *row[at + 1 :]] for row in rows]
    return rows


def _widths(rows: list[list[str]]) -> list[int]:
    return [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]


def _whole(widths: list[int]) -> int:
    return sum(widths) + 2 * (len(widths) - 1)


def _short(cell: str, most: int) -> str:
    """The cell in at most that many characters; of a path the end is kept."""
    if len(cell) <= most:
        return cell
    return "\u2026" + cell[1 - most :] if "/" in cell and " " not in cell else cell[: most - 1] + "\u2026"


def _wrapped(row: list[str], width: int) -> list[list[str]]:
    """The row, and a row for each further line of its last cell."""
    lines = [""]
    for word in [_short(word, width) for word in row[-1].split(" ")]:
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        lines = [*lines, word] if len(joined) > width else [*lines[:-1], joined]
    first = [*row[:-1], lines[0]]
    return [first, *([""] * (len(row) - 1) + [line] for line in lines[1:])]


def plain(value: object) -> str:
    """The value as text, with control characters shown, not obeyed."""
    return str(value).translate(CONTROLS).replace("\n", "\u240a")


def maps(value: object) -> list[Body]:
    """The maps in what should be a list of maps: a newer daemon must not break the printing."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list | tuple) else []
