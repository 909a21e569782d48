"""Spellings of imports by language, and the names under which a module may be provided."""

import pytest

from locid.relations.imports import head, heads, is_import_of, own_files, spellings, stems


@pytest.mark.parametrize(
    ("module", "language", "name"),
    [
        ("os.path", "python", "os"),
        ("my_tool.cli", "python", "My-Tool"),
        ("google.cloud.storage", "python", "google-cloud-storage"),
        ("react-dom/client", "typescript", "react-dom"),
        ("node:fs", "javascript", "fs"),
        ("golang.org/x/sys/unix", "go", "golang.org/x/sys"),
        ("serde_json::Value", "rust", "serde-json"),
        ("org.junit.jupiter.api", "java", "org.junit"),
        ("curl/curl.h", "c", "curl"),
        ("zlib.h", "cpp", "zlib"),
        ("Monolog\\Handler", "php", "monolog"),
        ("active_support/all", "ruby", "active_support"),
    ],
)
def test_what_is_an_import_of_a_name(module, language, name):
    """The package itself or a part of it, in the spelling of the language, in any case."""
    assert is_import_of(module, language, name)
    assert any(module.lower().removeprefix("node:").startswith(form.lower()) for form in spellings(name))


@pytest.mark.parametrize(
    ("module", "language", "name"),
    [
        ("ossaudiodev", "python", "os"),
        ("importlib.metadata", "python", "importlib-metadata"),
        ("react-dom", "javascript", "react"),
        ("golang.org/x/sysinfo", "go", "golang.org/x/sys"),
        ("serde_json", "rust", "serde"),
        ("os", "prose", "os"),
    ],
)
def test_what_is_none(module, language, name):
    """A name that only begins the same, a module of the language itself, a file that is no source."""
    assert not is_import_of(module, language, name)


def test_heads():
    """The name that another project may provide: none for relative modules and those of the language."""
    assert head("a.b.c", "python") == "a" and head("os.path", "python") == head("..x", "python") == ""
    assert head("@a/b/c", "typescript") == "@a/b" and head("./x", "tsx") == head("node:fs", "javascript") == ""
    assert head("tokio::net", "rust") == "tokio" and head("std::fmt", "rust") == head("crate::x", "rust") == ""
    assert list(heads("a.org/b/c/d", "go")) == ["a.org/b/c/d", "a.org/b/c", "a.org/b", "a.org"]
    assert list(heads("x", "unknown")) == []


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("a.b", "a"),
        ("@s/p/deep", "@s/p"),
        ("host.org/me/lib/pkg", "host.org/me/lib"),
        ("host.org/me/pkg", "host.org/me"),
        ("a/b", "a"),
        ("x::y", "x"),
        ("Name\\Space", "name"),
    ],
)
def test_stems_are_never_wrongly_apart(module, name):
    """A module and the name that provides it always share a stem."""
    assert set(stems(module)) & set(stems(name))


def test_where_a_module_of_ones_own_would_lie():
    """Beside the file, at the root and in its folders; nowhere for languages whose own modules have other names."""
    assert "pkg/x.py" in own_files("x.y", "python", "pkg/a.py") and "src/x/__init__.py" in own_files(
        "x", "python", "a.py"
    )
    assert "include/z.h" in own_files("z.h", "c", "a.c") and own_files("x", "typescript", "a.ts") == ()
