"""Manifests in XML: pom.xml, and the project files of .NET. Pure; entities are refused."""

from __future__ import annotations

from collections.abc import Iterator

from locid.collect.manifests.located import Element, xml
from locid.manifest import Declaration, Kind, Manifest, Signboard

_SCOPES: dict[str, Kind] = {"test": "dev", "provided": "peer", "import": "managed"}


def pom(text: str) -> Manifest:
    """What a pom tells; a property of the project itself is filled in, others stay as they are written."""
    root = xml(text)
    own = {"artifactId": root.value("artifactId"), "groupId": root.value("groupId") or root.value("parent", "groupId")}
    lists: tuple[tuple[tuple[str, ...], Kind], ...] = (
        (("dependencies", "dependency"), "runtime"),
        (("dependencyManagement", "dependencies", "dependency"), "managed"),
        (("build", "plugins", "plugin"), "build"),
        (("build", "plugins", "plugin", "dependencies", "dependency"), "build"),
        (("profiles", "profile", "dependencies", "dependency"), "optional"),
        (("parent",), "build"),
    )
    declared = [d for path, kind in lists for found in root.find(*path) for d in _artifact(found, kind, own)]
    for module in root.find("modules", "module"):
        declared.append(Declaration(module.text.strip(), "path", "workspace", module.line, module.text.strip()))
    boards = []
    if own["artifactId"]:
        line = next(e.line for e in root.find("artifactId"))
        boards.append(Signboard(f"{own['groupId']}:{own['artifactId']}", "maven", "distribution", line))
    return Manifest("pom.xml", tuple(declared), tuple(boards))


def _artifact(found: Element, kind: Kind, own: dict[str, str]) -> Iterator[Declaration]:
    """The line is that of the artifact's own name."""
    name = next(found.find("artifactId"), None)
    if name is None or not name.text.strip():
        return
    group = found.value("groupId") or ("org.apache.maven.plugins" if found.name == "plugin" else "")
    for prefix in ("project.", "pom.", ""):
        group = group.replace(f"${{{prefix}groupId}}", own["groupId"])
    stated = _SCOPES.get(found.value("scope"), kind) if kind == "runtime" else kind
    yield Declaration(f"{group}:{name.text.strip()}", "maven", stated, name.line)


def dotnet(text: str) -> Manifest:
    """What a project file of .NET, or packages.config, tells."""
    root = xml(text)
    declared: list[Declaration] = []
    for element in _all(root):
        name = element.attributes.get("Include") or element.attributes.get("id") or element.attributes.get("Update")
        if not name:
            continue
        if element.name in ("PackageReference", "package"):
            declared.append(Declaration(name, "nuget", "runtime", element.line))
        elif element.name == "PackageVersion":
            declared.append(Declaration(name, "nuget", "managed", element.line))
        elif element.name == "ProjectReference":
            path = name.replace("\\", "/")
            declared.append(Declaration(path, "path", "runtime", element.line, path))
    boards = [Signboard(e.text.strip(), "nuget", "distribution", e.line) for e in _all(root) if e.name == "PackageId"]
    return Manifest("csproj", tuple(declared), tuple(boards))


def _all(root: Element) -> Iterator[Element]:
    todo = [root]
    while todo:
        element = todo.pop()
        yield element
        todo += reversed(element.children)
