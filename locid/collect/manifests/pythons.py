"""Manifests of Python: pyproject.toml, requirements, setup.cfg, setup.py, Pipfile, tox.ini. Pure; nothing is run."""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from locid.collect.manifests.located import TomlLines, table, texts
from locid.manifest import Board, Declaration, Kind, Manifest, Signboard

# The name that a requirement begins with (PEP 508); its extras, versions and markers say nothing of who provides it.
_REQUIREMENT = re.compile(
    r"^\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?:@\s*(\S+)|(?=[<>=!~;,(#]|--|$))"
)
_EGG = re.compile(r"[#&]egg=([\w.-]+)")
_DEV = re.compile(r"dev|test|lint|doc|type|typing|check|ci\b|format|build", re.I)
_MAX_DEPTH = 60  # of an expression in setup.py
_ACCOUNT = re.compile(r"^\s+#")  # a comment below a requirement, as resolvers write them
_VIA = re.compile(r"\s#\s*(via\b.*)$")
_OPTION = re.compile(r"^\s*(?:-e|--editable)(?:\s+|=)(\S.*)")


def pyproject(text: str) -> Manifest:
    """What pyproject.toml tells, in the words of the standard, of Poetry, PDM, uv and Hatch."""
    data = tomllib.loads(text)
    lines = TomlLines(text)
    declared = [*_standard(data, lines), *_poetry(data, lines), *_by_tools(data, lines)]
    declared += [Declaration(name, "tool", "settings", lines.of("tool", name)) for name in table(data, "tool")]
    return Manifest("pyproject.toml", tuple(declared), tuple(_boards(data, lines)))


def _standard(data: Mapping[str, object], lines: TomlLines) -> Iterator[Declaration]:
    lists: list[tuple[tuple[str, ...], Kind]] = [(("project", "dependencies"), "runtime")]
    lists += [
        (("project", "optional-dependencies", g), _group(g)) for g in table(data, "project", "optional-dependencies")
    ]
    lists += [(("dependency-groups", group), "dev") for group in table(data, "dependency-groups")]
    lists.append((("build-system", "requires"), "build"))
    yield from _lists(data, lines, lists)
    for name, source in table(data, "tool", "uv", "sources").items():
        if isinstance(source, dict):
            yield Declaration(name, "python", "runtime", lines.of("tool", "uv", "sources", name), _source(source))
    for member in texts(table(data, "tool", "uv", "workspace").get("members")):
        place = lines.of_item(member, "tool", "uv", "workspace", "members")
        yield Declaration(member, "path", "workspace", place, member)


def _lists(
    data: Mapping[str, object], lines: TomlLines, lists: list[tuple[tuple[str, ...], Kind]]
) -> Iterator[Declaration]:
    for path, kind in lists:
        for text in texts(table(data, *path[:-1]).get(path[-1])):
            yield from requirement(text, kind, lines.of_item(text, *path))


def _poetry(data: Mapping[str, object], lines: TomlLines) -> Iterator[Declaration]:
    base = ("tool", "poetry")
    groups: list[tuple[tuple[str, ...], Kind]] = [
        ((*base, "dependencies"), "runtime"),
        ((*base, "dev-dependencies"), "dev"),
    ]
    groups += [((*base, "group", group, "dependencies"), "dev") for group in table(data, *base, "group")]
    for path, kind in groups:
        for name, wanted in table(data, *path).items():
            if name.lower() != "python":
                target = _source(wanted) if isinstance(wanted, dict) else ""
                yield Declaration(name, "python", kind, lines.of(*path, name), target)


def _by_tools(data: Mapping[str, object], lines: TomlLines) -> Iterator[Declaration]:
    lists: list[tuple[tuple[str, ...], Kind]] = [(("tool", "uv", "dev-dependencies"), "dev")]
    lists += [
        (("tool", "pdm", "dev-dependencies", group), "dev") for group in table(data, "tool", "pdm", "dev-dependencies")
    ]
    for env in table(data, "tool", "hatch", "envs"):
        lists += [(("tool", "hatch", "envs", env, f"{more}dependencies"), "dev") for more in ("", "extra-")]
    yield from _lists(data, lines, lists)


def _boards(data: Mapping[str, object], lines: TomlLines) -> Iterator[Signboard]:
    for base in (("project",), ("tool", "poetry")):
        name = table(data, *base).get("name")
        if isinstance(name, str):
            yield Signboard(name, "python", "distribution", lines.of(*base, "name"))
        for scripts in ("scripts", "gui-scripts"):
            for command in table(data, *base, scripts):
                yield Signboard(command, "python", "command", lines.of(*base, scripts, command))


def _source(wanted: Mapping[str, object]) -> str:
    """Where a dependency comes from, when not from a registry."""
    for name in ("path", "git", "url"):
        if isinstance(value := wanted.get(name), str):
            return value
    return ""


def _group(name: str) -> Kind:
    return "dev" if _DEV.search(name) else "optional"


def requirement(text: str, kind: Kind, line: int) -> Iterator[Declaration]:
    """The declaration of one requirement, none for what is no requirement."""
    found = _REQUIREMENT.match(text)
    if found:
        yield Declaration(found[1], "python", kind, line, _target(found[2] or ""))


def _target(url: str) -> str:
    return url.removeprefix("file://") if url.startswith("file://") else url


def dev_requirements(text: str) -> Manifest:
    """What a requirements file tells that says by its name that it is for development."""
    return requirements(text, "dev")


def requirements(text: str, kind: Kind = "runtime") -> Manifest:
    """What a requirements file tells; other files that it includes are read for themselves.

    Where a resolver wrote it, comments say on whose account each line is there: without `-r` it is another's need.
    """
    declared: list[Declaration] = []
    accounts: dict[int, str] = {}
    number, pending = 0, ""
    for at, line in enumerate(text.split("\n"), 1):
        if _ACCOUNT.match(line):
            accounts[number] = accounts.get(number, "") + line
            continue
        number = number if pending else at
        pending += line.rstrip("\r")
        if pending.endswith("\\"):
            pending = pending[:-1] + " "
            continue
        declared += _required(pending, number, kind)
        if via := _VIA.search(line):
            accounts[number] = via[1]
        pending = ""
    words = {line: account.split() for line, account in accounts.items()}
    others = {line for line, said in words.items() if "via" in said and "-r" not in said}
    return Manifest("requirements", tuple(replace(d, kind="indirect") if d.line in others else d for d in declared))


def _required(text: str, line: int, kind: Kind) -> Iterator[Declaration]:
    text = re.sub(r"(?:^|\s)#.*", "", text) if "egg=" not in text else text
    if option := _OPTION.match(text):
        text = option[1].strip()
    elif text.lstrip().startswith("-"):
        return
    address = re.match(r"^\s*((?:\.{0,2}/|[a-z+]+://|[a-z]+\+|git@)\S*|\.)", text)
    if address:
        egg = _EGG.search(address[1])
        path = re.sub(r"\[[^\]]*\]$", "", address[1].partition("#")[0].removeprefix("file://"))
        if path.rstrip("/") not in (".", ""):
            yield Declaration(egg[1] if egg else path.rstrip("/"), "python" if egg else "path", kind, line, path)
        return
    yield from requirement(text, kind, line)


def setup_cfg(text: str) -> Manifest:
    """What setup.cfg tells; sections of other tools are their settings."""
    parser = _ini(text)
    lines = _IniLines(text)
    declared: list[Declaration] = []
    for section in parser.sections():
        for option in parser.options(section):
            kind = _SETUP_CFG.get((section, option)) or ("optional" if section == "options.extras_require" else None)
            if kind is not None:
                kind = _group(option) if section == "options.extras_require" else kind
                declared += _items(lines.block(section, option), kind)
        tool = section.removeprefix("tool:")
        if "." not in section and tool not in ("metadata", "options"):
            declared.append(Declaration(tool, "tool", "settings", lines.of(section)))
    boards = []
    if name := parser.get("metadata", "name", fallback=""):
        boards.append(Signboard(name, "python", "distribution", lines.of("metadata", "name")))
    for board, option in _ENTRIES:
        for line, entry in lines.block("options.entry_points", option):
            boards += _scripts(entry, board, line)
    return Manifest("setup.cfg", tuple(declared), tuple(boards))


_ENTRIES: tuple[tuple[Board, str], ...] = (("command", "console_scripts"), ("command", "gui_scripts"))
_SETUP_CFG: dict[tuple[str, str], Kind] = {
    ("options", "install_requires"): "runtime",
    ("options", "setup_requires"): "build",
    ("options", "tests_require"): "dev",
}


def tox(text: str) -> Manifest:
    """The requirements of tox's environments."""
    parser = _ini(text)
    lines = _IniLines(text)
    declared: list[Declaration] = []
    for section in parser.sections():
        declared += _items(lines.block(section, "deps"), "dev")
    return Manifest("tox.ini", (Declaration("tox", "tool", "settings", 1), *declared))


def _ini(text: str) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False, inline_comment_prefixes=("#",), delimiters=("=", ":"))
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from None
    return parser


class _IniLines:
    """The lines of sections and options."""

    def __init__(self, text: str) -> None:
        self._at: dict[tuple[str, ...], int] = {}
        self._blocks: dict[tuple[str, ...], list[tuple[int, str]]] = {}
        section, block = "", None
        for number, line in enumerate(text.split("\n"), 1):
            if header := re.match(r"^\[([^\]]+)\]", line):
                section, block = header[1], None
                self._at.setdefault((section,), number)
            elif option := re.match(r"^([^\s#;=:][^=:]*?)\s*[=:](.*)", line):
                path = (section, option[1].lower())
                self._at.setdefault(path, number)
                block = self._blocks.setdefault(path, [])
                block.append((number, option[2]))
            elif block is not None and line[:1] in (" ", "\t") and line.strip()[:1] not in ("", "#", ";"):
                block.append((number, line))

    def of(self, *path: str) -> int:
        """The line of a section or of an option in it; 1 without one."""
        return self._at.get(path) or self._at.get(path[:1]) or 1

    def block(self, *path: str) -> list[tuple[int, str]]:
        """The lines of an option's value, with their numbers; comments and blank lines are left out."""
        return self._blocks.get(path, [])


def _items(lines: list[tuple[int, str]], kind: Kind) -> Iterator[Declaration]:
    """The requirements of an option, one a line."""
    for number, text in lines:
        bare = re.sub(r"^[\w{},!.\s-]+:\s+", "", text)  # tox: `py39,py310: name`
        yield from requirement(bare, kind, number)


def _scripts(entry: str, board: Board, line: int) -> Iterator[Signboard]:
    name = entry.partition("=")[0].strip()
    if name and "=" in entry:
        yield Signboard(name, "python", board, line)


def pipfile(text: str) -> Manifest:
    """What a Pipfile tells."""
    data = tomllib.loads(text)
    lines = TomlLines(text)
    sections: tuple[tuple[str, Kind], ...] = (("packages", "runtime"), ("dev-packages", "dev"))
    declared = [
        Declaration(name, "python", kind, lines.of(section, name), _source(wanted) if isinstance(wanted, dict) else "")
        for section, kind in sections
        for name, wanted in table(data, section).items()
    ]
    return Manifest("Pipfile", tuple(declared))


_SETUP_PY: dict[str, Kind] = {
    "install_requires": "runtime",
    "extras_require": "optional",
    "setup_requires": "build",
    "tests_require": "dev",
}


def setup_py(text: str) -> Manifest:
    """What the call of `setup` in setup.py says in literals, and in names that the module gives literals."""
    tree = ast.parse(text)
    names = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    declared: list[Declaration] = []
    boards: list[Signboard] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "setup":
            for word in node.keywords:
                if word.arg in _SETUP_PY:
                    for text_, line, group in _literals(word.value, names):
                        kind = _group(group) if group and word.arg == "extras_require" else _SETUP_PY[word.arg]
                        declared += requirement(text_, kind, line)
                else:
                    boards += _board(word, names)
    return Manifest("setup.py", tuple(declared), tuple(boards))


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _board(word: ast.keyword, names: Mapping[str, ast.expr]) -> Iterator[Signboard]:
    found = list(_literals(word.value, names))
    if word.arg == "name" and found:
        yield Signboard(found[0][0], "python", "distribution", found[0][1])
    elif word.arg == "py_modules":
        yield from (Signboard(name, "python", "import", line) for name, line, _ in found)
    elif word.arg == "entry_points":
        for text, line, group in found:
            if group in ("", "console_scripts", "gui_scripts"):
                yield from _scripts(text, "command", line)


def _literals(node: ast.expr, names: Mapping[str, ast.expr], depth: int = 0) -> Iterator[tuple[str, int, str]]:
    """(text, line, key of the dict it stands under) of the strings in an expression; what is computed is passed over."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value, node.lineno, ""
    elif isinstance(node, ast.Name) and node.id in names:
        yield from _literals(names[node.id], {k: v for k, v in names.items() if k != node.id}, depth + 1)
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        for item in node.elts:
            yield from _literals(item, names, depth + 1)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _literals(node.left, names, depth + 1)
        yield from _literals(node.right, names, depth + 1)
    elif isinstance(node, ast.Dict):
        for name, value in zip(node.keys, node.values, strict=True):
            group = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
            yield from ((text, line, group) for text, line, _ in _literals(value, names, depth + 1))
