"""What a path says of a file: its class (shipped, test …), and whether it is prose, code or data. Pure."""

from __future__ import annotations

import re
from typing import Literal

from locid.values import FileClass

Treatment = Literal["doc", "code", "data", "binary", "unknown"]

_VENDORED = frozenset({"vendor", "vendored", "_vendor", "third_party", "third-party", "thirdparty", "3rdparty"})
_GENERATED = frozenset({"dist", "generated", "__generated__", "gen", "out", "_site"})
_TEST = frozenset(
    """
    test tests testing __tests__ __mocks__ __snapshots__ spec specs testdata test-data test_data fixtures __fixtures__
    samples t e2e integration-tests unittests conformance testsuite
    """.split()  # noqa: SIM905
)
_EXAMPLE = frozenset(
    """
    example examples sample demo demos benchmark benchmarks bench playground playgrounds sandbox contrib tutorial
    tutorials cookbook snippets
    """.split()  # noqa: SIM905
)
_DOCS = frozenset({"doc", "docs", "documentation", "changelog", "changelogs", "wiki", "man", "website"})
_GENERATED_NAME = re.compile(
    r"\.pb\.|\.pb2\.|_pb2(?:_grpc)?\.|\.pb\.gw\.|[._]generated?\.|zz_generated|\.g\.dart$|\.designer\.|\.min\.|-min\."
    r"|\.bundle\.|^package-lock|pnpm-lock|^npm-shrinkwrap|\.lock$|\.sum$|^go\.work\.sum$"
)
_TEST_NAME = re.compile(r"^tests?[._-]|[._-]tests?\.|[._-]spec\.|^conftest\.|^tests?$|_testing\.")

_DOC_EXTENSIONS = frozenset(".md .markdown .mdx .mdc .rst .rest .txt .adoc .asciidoc .org .textile .mkd".split())  # noqa: SIM905
_DATA_EXTENSIONS = frozenset(
    """
    .csv .tsv .svg .lock .snap .map .sum .ndjson .jsonl .geojson .po .pot .xliff .xlf .log .output .drawio
    .excalidraw .ipynb .patch .diff .rej .orig .bak .min.js .min.css .min.mjs .bundle.js .crt .cer .csr .pub .asc
    .sig .pem .srt .vtt .tfstate .golden .approved .cast .har .dat .fasta .gcov .lcov .plist .pbxproj .xcscheme
    .storyboard .xib .ttl
    """.split()  # noqa: SIM905
)
_BINARY_EXTENSIONS = frozenset(
    """
    .png .jpg .jpeg .gif .bmp .ico .icns .webp .avif .tif .tiff .psd .ai .eps .pdf .ps .zip .gz .tgz .bz2 .xz .zst
    .7z .rar .tar .jar .war .ear .whl .egg .class .o .a .so .dylib .dll .exe .obj .lib .pyc .pyo .pyd .wasm .bin
    .img .iso .dmg .deb .rpm .apk .ipa .ttf .otf .woff .woff2 .eot .mp3 .mp4 .m4a .mov .avi .mkv .webm .wav .flac
    .ogg .db .sqlite .sqlite3 .mdb .parquet .arrow .feather .npy .npz .pkl .pickle .h5 .hdf5 .pt .pth .onnx
    .safetensors .gguf .ckpt .tflite .doc .docx .xls .xlsx .ppt .pptx .odt .ods .key .numbers .pages .sketch .fig
    .blend .fbx .glb .stl .mo .gmo .rlib .rmeta .node .nib .car .swp .dex .keystore .jks .p12 .pack .idx .lz4 .br
    .snappy .cur .ani .swf
    """.split()  # noqa: SIM905
)
_CODE_EXTENSIONS = frozenset(
    """
    .py .pyi .pyw .pyx .pxd .js .jsx .mjs .cjs .ts .mts .cts .tsx .go .rs .c .h .cc .cpp .cxx .hh .hpp .hxx .ipp
    .m .mm .java .kt .kts .scala .groovy .gradle .clj .cljs .cljc .edn .cs .fs .fsx .vb .swift .dart .rb .rake
    .gemspec .php .pl .pm .t .lua .r .jl .ex .exs .erl .hrl .hs .lhs .elm .ml .mli .re .nim .zig .v .d .pas .f
    .f90 .f95 .for .cob .asm .s .sh .bash .zsh .fish .ksh .ps1 .psm1 .bat .cmd .awk .sed .tcl .y .l .yy .ll .jq
    .vim .el .lisp .scm .rkt .svelte .vue .astro .html .htm .xhtml .css .scss .sass .less .styl .hbs .mustache
    .ejs .erb .j2 .jinja .jinja2 .tmpl .tpl .liquid .pug .haml .toml .yaml .yml .json .json5 .jsonc .ini .cfg
    .conf .properties .env .xml .xsd .xsl .proto .thrift .avsc .graphql .gql .sql .prisma .tf .hcl .nix .bzl
    .bazel .cmake .mk .mak .am .in .ac .m4 .service .socket .timer .rules .dockerfile .containerfile .sol .cu .cuh
    .glsl .hlsl .wgsl .metal .libsonnet .jsonnet .rego .cue .dhall .lean .coq .agda .idr .tla .sv .svh .vhd .vhdl
    .gd .cr .hx .wat .inc .def .ld .1 .2 .3 .5 .8 .ru .sc .sbt .inl .desktop .bats .expect .test
    """.split()  # noqa: SIM905
)
_DOC_NAMES = re.compile(
    r"^(?:readme|changes|changelog|history|news|authors|contributors|contributing|maintainers|install|todo|notice|notes"
    r"|copying|licen[cs]e|security|code_of_conduct|roadmap|faq|upgrading|release[_-]notes|thanks|credits)(?:[._-].*)?$"
)
_CODE_NAMES = frozenset(
    """
    makefile gnumakefile dockerfile containerfile rakefile gemfile procfile vagrantfile jenkinsfile justfile
    brewfile podfile fastfile pipfile cmakelists.txt build workspace buck tiltfile snakefile earthfile caddyfile
    sconstruct .gitignore .gitattributes .lociignore .dockerignore .editorconfig .gitmodules .babelrc .eslintrc
    .prettierrc .bashrc .zshrc .profile .vimrc .flake8 .pylintrc .coveragerc .clang-format .mailmap configure
    go.mod go.work codeowners requirements.txt constraints.txt
    """.split()  # noqa: SIM905
)
_REQUIREMENTS = re.compile(r"^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$")
_GENERATED_HEADER = re.compile(
    r"code generated .{0,200}do not edit|@generated\b|(?:auto|automatically)[ -]?generated (?:by|from|file|using|with)"
    r"|this file (?:is|was|has been) (?:auto|automatically)[ -]?generated|generated by the protocol buffer compiler"
    r"|do not (?:edit|modify)[^\n]{0,40}generated|generated[^\n]{0,60}do not (?:edit|modify)",
    re.I,
)


def extension(name: str) -> str:
    """The lowercased extension with its dot; '' when there is none."""
    name = name.rpartition("/")[2].lower()
    dot = name.rfind(".")
    return name[dot:] if dot > 0 else ""


def file_class(path: str) -> FileClass:
    """The class that a path tells."""
    *folders, name = path.lower().split("/")
    above = set(folders)
    if above & _VENDORED:
        return "vendored"
    if _GENERATED_NAME.search(name) or above & _GENERATED:
        return "generated"
    if above & _TEST or _TEST_NAME.search(name):
        return "test"
    if above & _EXAMPLE:
        return "example"
    if above & _DOCS or treatment(name) == "doc":
        return "docs"
    return "shipped"


def generated_header(text: str) -> bool:
    """True when the first lines say that a tool wrote the file."""
    return bool(_GENERATED_HEADER.search(text[:1500]))


def treatment(path: str) -> Treatment:
    """How a file of that name is read; `unknown` leaves it to the content."""
    name = path.rpartition("/")[2].lower()
    ext = extension(name)
    if name in _CODE_NAMES or _REQUIREMENTS.match(name) or "requirements/" in path.lower():
        return "code"
    if ext in _DATA_EXTENSIONS or name.endswith((".min.js", ".min.css", ".min.mjs", "-lock.json", "-lock.yaml")):
        return "data"
    if ext in _BINARY_EXTENSIONS:
        return "binary"
    if ext in _DOC_EXTENSIONS or (_DOC_NAMES.match(name) and ext not in _CODE_EXTENSIONS):
        return "doc"
    return "code" if ext in _CODE_EXTENSIONS else "unknown"
