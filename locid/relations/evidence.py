"""What a place at which something is used is worth: use, or a mere trace of it. Pure."""

from __future__ import annotations

from locid.usage import Use

# Folders of what tests are run on: what stands there says what the tests are about, not what the project uses.
_FIXTURES = frozenset(
    "fixtures __fixtures__ testdata test-data test_data samples __snapshots__ snapshots".split()  # noqa: SIM905
)
_TRACES = frozenset({"managed", "indirect", "workspace", "settings"})
_ORDER = {"declared": 0, "imported": 1, "invoked": 2}
_KINDS = {"runtime": 0, "peer": 1, "optional": 2, "build": 3, "dev": 4, "submodule": 1}
_SHIPPED = {"shipped": 0, "docs": 1, "test": 2, "generated": 3, "example": 4}


def strong(use: Use) -> bool:
    """Whether it shows that the project itself uses it.

    A version without a need, what only a dependency needs, settings of a tool (which outlive it), vendored sources and data
    of tests are traces: they are told, and answer only where there is nothing better. What a tool writes into a manifest (a
    resolver, a release) may be declared there and nowhere else; what it writes into sources is its own.
    """
    written = use.file_class == "generated" and use.how != "declared"
    data = _FIXTURES.intersection(use.path.split("/")[:-1])
    return use.kind not in _TRACES and use.file_class != "vendored" and not written and not data


def rank(use: Use) -> tuple[object, ...]:
    """The order of places: what says most first."""
    return (
        _ORDER[use.how],
        _SHIPPED.get(use.file_class, 5),
        _KINDS.get(use.kind, 5),
        use.path.count("/"),
        use.path,
        use.line,
    )
