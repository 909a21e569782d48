"""Results of the slower commands -> text. Pure: values in, text out."""

from loci_client.render import Look, age, maps, table
from loci_client.wire import Body


def scopes(result: Body, look: Look) -> str:
    """A row a scope; a sentence when there is none."""
    found = maps(result.get("scopes"))
    if not found:
        return "no scopes: `loci scan DIR` registers the repositories under a directory\n"
    rows = [["scope", "groups", "state", "files", "chunks", "age", "root"]]
    for scope in found:
        rows.append(
            [
                label(scope),
                ", ".join(str(name) for name in scope.get("groups") or []) or "-",
                word(scope.get("state")),
                word(scope.get("files")),
                word(scope.get("chunks")),
                age(scope["age_ms"]) if isinstance(scope.get("age_ms"), int | float) else "-",
                word(scope.get("root")),
            ]
        )
    return table(rows, look, drop=("files",), shrink=("root", "groups", "scope"))


def owned(result: Body) -> str:
    """The scopes by owner, yours first and those that git tells nothing of last; a line a scope, new ones marked."""
    found = maps(result.get("scopes"))
    new = set(result.get("added") or [])
    lines = []
    for owner in sorted({_owner(s) for s in found}, key=lambda name: (name != "me", name == NOBODY, name)):
        rows = [s for s in found if _owner(s) == owner]
        lines.append("yours:\n" if owner == "me" else f"{owner}:\n")
        lines += [f"  {'+' if s.get('id') in new else ' '} {word(s.get('id'))}  {word(s.get('root'))}\n" for s in rows]
    return "".join(lines)


NOBODY = "git does not tell whose"


def _owner(scope: Body) -> str:
    return str(scope.get("owner", "me") or NOBODY)


def are(number: int) -> str:
    """`is` for one, `are` for more."""
    return "is" if number == 1 else "are"


def label(scope: Body) -> str:
    """The scope's name, with its aliases."""
    aliases = ", ".join(str(alias) for alias in scope.get("aliases") or [])
    name = str(scope.get("id") or scope.get("name"))
    return f"{name} ({aliases})" if aliases else name


def word(value: object) -> str:
    """The value as a cell; `-` for none."""
    return "-" if value is None or value == "" else str(value)


def counted(number: int, noun: str) -> str:
    """`1 scope`, `2 scopes`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def groups(result: Body, look: Look) -> str:
    """A row a group with its mode and members, then the default mode; a sentence when there is none."""
    found = maps(result.get("groups"))
    rows = [["group", "mode", "members"]]
    for group in found:
        members = [str(id) for id in group.get("members") or []]
        members += [f"{id} (gone)" for id in group.get("gone") or []]
        rows.append([word(group.get("name")), word(group.get("mode")), ", ".join(members)])
    none = "no groups: `loci group add SCOPE NAME` makes one\n"
    return (table(rows, look, shrink=("group",), wrap=True) if found else none) + default_mode(result)


def default_mode(result: Body) -> str:
    """The mode of the groups that none was set for, and the groups that one was set for."""
    chosen = [str(group.get("name")) for group in maps(result.get("groups")) if group.get("chosen")]
    but = f"; of its own: {', '.join(chosen)}" if chosen else ""
    return f"default mode: {word(result.get('default'))}{but}\n"


def inferred(result: Body, dry_run: bool) -> str:
    """A line a scope whose owner is, or would be, another now."""
    changed = maps(result.get("changed"))
    rows = [(row.get("id"), row.get("was") or "nobody's", row.get("owner") or "nobody's") for row in changed]
    lines = [f"{id}: {was} -> {owner}\n" for id, was, owner in rows]
    if not lines:
        return "nothing changes: owners are as git tells them\n"
    return "".join(lines) + ("nothing was written: leave out --dry-run to take this over\n" if dry_run else "")


def indexed(result: Body) -> str:
    """A line a scope: what changed and how long it took."""
    found = maps(result.get("scopes"))
    if result.get("queued"):
        return f"queued: {', '.join(str(scope.get('id')) for scope in found) or 'nothing'}\n"
    return "".join(_indexed(scope) for scope in found) or "no scopes: `loci scan DIR` registers some\n"


def _indexed(scope: Body) -> str:
    if scope.get("failed"):
        return f"{scope.get('id')}: not indexed: {scope['failed']}\n"
    files = scope.get("files")
    counts = files if isinstance(files, dict) else {}
    parts = [f"{counts[key]} {key}" for key in ("new", "changed", "removed", "skipped") if counts.get(key)]
    return f"{scope.get('id')}: {', '.join(parts) or 'up to date'} ({age(scope.get('ms'))})\n"


def embedded(result: Body) -> str:
    """How many vectors are there, of which model, and how long the rest takes."""
    done, total = result.get("done"), result.get("total")
    if not total and not result.get("model"):
        return "no vectors: this daemon has no encoder, answers are found by their words\n"
    line = f"{done} of {total} vectors"
    if result.get("model"):
        line += f" ({result['model']})"
    if isinstance(result.get("eta_ms"), int | float) and done != total:
        line += f", {age(result['eta_ms'])} to go"
    return line + "\n"


def doctor(result: Body, look: Look) -> str:
    """A finding a line with its fix; what is fine is only counted."""
    checks = maps(result.get("checks"))
    rows = [check for check in checks if check.get("level") != "ok"]
    lines = [_finding(check, look) for check in rows]
    fine = len(checks) - len(rows)
    if fine or not rows:
        checked = f"{counted(fine, 'other check' if rows else 'check')} ok"
        lines.append(look.dim(checked) if rows else look.good(checked))
    return "\n".join(lines) + "\n"


def _finding(check: Body, look: Look) -> str:
    level = str(check.get("level"))
    paint = {"note": look.dim, "warning": look.warn}.get(level, look.bad)
    where = f"{check['scope']}: " if check.get("scope") else ""
    line = f"{paint(level)} {where}{check.get('check')}: {check.get('finding')}"
    return line + (f"\n    fix: {look.bold(str(check['fix']))}" if check.get("fix") else "")


def uses(result: Body, name: str | None, look: Look) -> str:
    """A row a relation with its place; then what was read, so that nothing found is not taken for nothing there."""
    found = maps(result.get("relations"))
    read = maps(result.get("read"))
    rows = [["from", "uses", "how", "at"]]
    rows += [
        [word(r.get("from")), word(r.get("to")), word(r.get("how")), f"{r.get('path')}:{r.get('line')}"] for r in found
    ]
    lines = table(rows, look) if found else f"no project was seen to use {name or 'another'}\n"
    manifests = sum(int(row.get("manifests") or 0) for row in read)
    counts = f"{counted(manifests, 'manifest')}, the imports and the commands of {counted(len(read), 'project')}"
    lines += look.dim(f"read: {counts}") + "\n"
    for row in maps(result.get("unread")):
        what = ": ".join(str(row[key]) for key in ("scope", "path", "reason") if row.get(key))
        lines += look.warn(f"not read: {what}") + "\n"
    return lines


def settings(result: Body) -> str:
    """A line a setting, as the file would have it, with its default when it is another; the file's path last."""
    lines = []
    for row in maps(result.get("settings")):
        default = f"  (default {row.get('default')})" if row.get("value") != row.get("default") else ""
        lines.append(f"{row.get('key')} = {row.get('value')}{default}\n")
    return "".join(lines) + (f"in {result.get('file')}\n" if len(lines) > 1 else "")


def status(result: Body, look: Look) -> str:
    """The daemon in three lines, then a row a scope."""
    head = (
        f"locid {result.get('version')} (pid {result.get('pid')}), up {age(result.get('uptime_ms'))}, "
        f"{word(result.get('rss_mb'))} of {word(result.get('budget_mb'))} MB, "
        f"{word(result.get('cpu_s'))} s of CPU\n"
    )
    lines = [head]
    found = maps(result.get("scopes"))
    for key in ("warm", "queue", "limits"):
        if result.get(key):
            told = f"{len(result[key])} of {counted(len(found), 'scope')}" if key == "warm" else plain(result[key])
            lines.append(f"{key}: {told}\n")
    return "".join(lines) + ("\n" + _standing(found, look) if found else "no scopes\n")


def _standing(found: list[Body], look: Look) -> str:
    rows = [["scope", "state", "gen", "at", "files", "chunks", "pending", "last", "root"]]
    for scope in found:
        last = scope.get("last")
        cause = f"{last.get('cause')}, {last.get('files')} files" if isinstance(last, dict) else None
        state = word(scope.get("state")) + (f" ({scope['reason']})" if scope.get("reason") else "")
        commit = f"{scope.get('branch') or 'detached'}@{str(scope['commit'])[:8]}" if scope.get("commit") else None
        at = word(commit) + ("+" if scope.get("dirty") else "")
        cells = [
            scope.get("generation"),
            at,
            scope.get("files"),
            scope.get("chunks"),
            scope.get("pending"),
            cause,
        ]
        rows.append([word(scope.get("id")), state, *(word(cell) for cell in cells), word(scope.get("root"))])
    return table(rows, look, drop=("root", "pending", "gen", "files"), shrink=("root", "last", "state", "scope"))


def plain(value: object) -> str:
    """Lists and maps as words."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {plain(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(plain(item) for item in value)
    return str(value)
