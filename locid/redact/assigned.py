"""Opaque values that are given to a name that says secret: `api_key = "…"`, `DB_PASSWORD=…`, `--token …`. Pure.

`places` finds such names cheaply, `secret_at` judges one: how the name is joined to its value, how far the value goes,
and whether it is written out (a literal) or may be code, of which only what is plainly random is a secret.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from locid.redact import values

KINDS = ("password", "secret")

_WORDS = (b"secret", b"pass", b"pwd", b"credential")
# `key` alone says nothing; after one of these it does.
_BEFORE_KEY = (
    b"api", b"access", b"private", b"auth", b"account", b"encryption", b"encrypt", b"signing", b"secret", b"master",
    b"service", b"license", b"app", b"subscription", b"shared", b"storage", b"hmac", b"jwt", b"session", b"webhook",
)  # fmt: skip
# `key` and `token` in one search, by the letter that is rare.
_WITH_K = re.compile(rb"k(?:(?<=[_\-%b]k)ey|(?<=tok)en)" % bytes({word[-1] for word in _BEFORE_KEY}))

_NAME = re.compile(
    r"""
    (?P<word>secret|pass(?:word|wd|phrase|code|w)?+|pwd|token|key|credential)
    (?P<rest>[\w.-]{0,40}+)                                   # the rest of the name
    (?P<close>\\?["'`]?\]?)
    (?P<op>[,\s]{1,60}\\?["']?value\\?["']?[ \t]{0,4}[:=][ \t]{0,4}  # as in lists of names and values
     | [ \t]{0,8}(?:=>|:=|\?=|[:=>]|,(?=[ ]?\\?["'`]))[ \t]{0,16} | [ \t]{1,2}(?=[^\s=:]))
    (?:(?:str|string|String|&str|&'static[ ]str|const[ ]char[ ]?\*)[ ]{0,2}=[ ]{0,2})?
    """,
    re.I | re.X,
)
_QUOTED = re.compile(
    r"""[rbf]{0,2}(?:\\(?P<escaped>["'`])[^\s"'`\\]{6,}+ | (?P<plain>["'`])(?:\\\S|(?!(?P=plain))[^\s\\]){6,}+)""",
    re.I | re.X,
)
_CLOSING = {
    **{quote: re.compile(rf"(?:\\.|[^\\\n{quote}]){{0,200}}(?={quote})") for quote in "\"'`"},
    **{"\\" + quote: re.compile(rf"[^\\\n]{{0,200}}(?=\\{quote})") for quote in "\"'`"},
}
_VARIABLE = re.compile(r"""(?:[^\s"'`<>]|["'`](?![\s,;)\]}]|\Z)){6,128}""")
_LINE = re.compile(r"""[^\s"'`<>]{6,128}(?=[ \t]*(?:\#[^\n]*)?(?:\n|\Z))""")
_BARE = re.compile(r"[A-Za-z0-9+/_.~!@\#$%^*?-]{8,}+={0,3}(?![(\[{=:])")
_TAIL = re.compile(r"""(?:[&;,](?![\w.-]{0,40}=|\s|\Z)|[^\s"'`<>&;,()\[\]{}|\\])*+""")
_CALL = re.compile(r"[\w.$]*[(\[{].*[)\]}][,;]?")


@dataclass(frozen=True, slots=True)
class Found:
    """Where a secret stands, and what it is called."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Value:
    """What a name is given, as far as it is judged."""

    start: int
    end: int
    literal: bool  # written out, so that it is no name of a variable
    alone: bool = False  # all that stands on its line
    rest: re.Pattern[str] | None = None  # what goes with it when it is a secret; long, so it is not looked for before


def places(low: bytes) -> list[int]:
    """Where a word that says secret begins in a text, given as bytes in small letters; in order."""
    out: list[int] = []
    for word in _WORDS:
        at = low.find(word)
        while at >= 0:
            out.append(at)
            at = low.find(word, at + len(word))
    for match in _WITH_K.finditer(low):
        at = match.start()
        if match[0] == b"ken":
            out.append(at - 2)
        elif low.endswith(_BEFORE_KEY, max(0, at - 12), at - (low[at - 1] in b"_-")):
            out.append(at)
    return sorted(out)


def secret_at(text: str, place: int) -> Found | None:
    """The secret, whole, that the name at this place is given, or None."""
    name = _NAME.match(text, place)
    if name is None or not (name["op"].strip() or _is_flag(text, place)) or _no_secret(text, name):
        return None
    for find in (_quoted, _variable, _line, _bare):
        value = find(text, name)
        if value is not None and _is_secret(text, name, value):
            rest = value.rest.match(text, value.end) if value.rest else None
            kind = "password" if _says_password(name) else "secret"
            return Found(kind, value.start, rest.end() if rest else value.end)
    return None


def _says_password(name: re.Match[str]) -> bool:
    return name["word"][0] in "pP"


# ---- how far a value goes


def _quoted(text: str, name: re.Match[str]) -> _Value | None:
    """What stands in quotes: judged to its first blank, it goes on to the closing quote."""
    found = _QUOTED.match(text, name.end())
    if found is None:
        return None
    quote = "\\" + found["escaped"] if found["escaped"] else found["plain"]
    start = found.end("escaped" if found["escaped"] else "plain")
    op = name["op"].strip()
    literal = op != "," or _is_setter(text, name.start())
    return _Value(start, found.end(), literal, rest=_CLOSING[quote])


def _variable(text: str, name: re.Match[str]) -> _Value | None:
    """`NAME=value` as in an environment file or a shell: capitals only, and no blanks around the sign."""
    if name["op"] != "=" or not _is_variable(text, name):
        return None
    found = _VARIABLE.match(text, name.end())
    if found is None or _CALL.fullmatch(found[0]):
        return None
    value = found[0].rstrip(",;" if any(bracket in found[0] for bracket in "([{") else ",;)]}")
    return _Value(found.start(), found.start() + len(value), True, rest=_TAIL)


def _line(text: str, name: re.Match[str]) -> _Value | None:
    """The rest of a line that holds nothing else, as in YAML and in settings."""
    if name["op"].strip() not in (":", "=") or not _begins_line(text, name.start()):
        return None
    found = _LINE.match(text, name.end())
    if found is None or _CALL.fullmatch(found[0]) or found[0][-1] in ",;([{":
        return None
    return _Value(found.start(), found.end(), False, alone=True)


def _bare(text: str, name: re.Match[str]) -> _Value | None:
    """A word without quotes; a literal after a flag, among names and values, in a query and a connection string."""
    found = _BARE.match(text, name.end())
    if found is None:
        return None
    op = name["op"].strip()
    listed = name["op"] == "=" and _IN_LIST.search(text, max(0, name.start() - 40), name.start())
    return _Value(found.start(), found.end(), not op or len(op) > 2 or bool(listed), rest=_TAIL)


# ---- is it one


def _is_secret(text: str, name: re.Match[str], value: _Value) -> bool:
    said = text[value.start : value.end]
    if values.MARK in said or "://" in said or values.placeholder(said):
        return False
    if values.names_something(said, value.literal):
        return False
    if _says_password(name) and not name["rest"].strip("_"):
        if value.literal:
            return values.mixed(said) or bool(_SIGN_INSIDE.fullmatch(said))
        if value.alone:
            return values.mixed(said) and bool(_ODD.search(said))
        if _ends(text, value.end) and name["op"].strip() in (":", "=") and _NO_CODE.fullmatch(said):
            return values.mixed(said)
    return values.opaque_literal(said) if value.literal else values.opaque(said)


_IN_LIST = re.compile(r"[?&;][\w-]{0,24}\Z")
_NAME_BEFORE = re.compile(r"\w*\Z")
_SIGN_INSIDE = re.compile(r"[A-Za-z][A-Za-z]*[!@#$%^&*][!-~]*")
_ODD = re.compile(r"[!@#$^&*?,;]")
# What may stand for a password without quotes: no identifier of code has its digits inside or a sign of these.
_NO_CODE = re.compile(r"[A-Za-z]*\d+[A-Za-z]+\d*[\w!@#$%^&*-]*|[\w]*[!@#$%^&][\w!@#$%^&*-]*")
_FLAG = re.compile(r"--[\w-]*\Z|\blogin[ \t]+\S{1,40}[ \t]+\Z")
_SETTER = re.compile(r"(?:set|set\w*|define|\w*env|put|header|append|add|insert)\([ \t]*\\?[\"'`][\w.-]*\Z", re.I)
_LINE_BEFORE = re.compile(r"(?:\A|\n)[ \t]*(?:-[ \t]+)?(?:export[ \t]+)?[\"']?[\w.-]*\Z")


# Tokens that are none: where a list goes on, what makes a request unique, what is public.
_HARMLESS = re.compile(
    r"(?:next|page|pagination|continuation|starting|backward|forward|idempotency|request|change|resume|public_?key)[_-]?\Z",
    re.I,
)


# `passed`, `groupAssociation`, `tokenizer`, `secretary`
_IN_WORD = re.compile(r"[Pp]ass(?!word|wd|w\b|phrase|code|es\b|key)[a-z]|pAss|[Tt]okeni[sz]|[Ss]ecretar")


def _no_secret(text: str, name: re.Match[str]) -> bool:
    """The name says secret and is something else: a harmless token, a type (`"A::ApiKey"`), a part of an address."""
    if _IN_WORD.match(text, name.start()):
        return True
    before = text[max(0, name.start() - 24) : name.start()]
    if name["word"].lower() == "token" and _HARMLESS.search(before):
        return True
    if name["close"]:
        return bool(re.search(r"::\w*\Z", before))
    return name["op"] == ":" and before.endswith(":")


def _is_flag(text: str, place: int) -> bool:
    """The name is a flag, or a word of a `.netrc`, so that a blank may stand before its value."""
    before = text[max(0, place - 60) : place]
    return ("--" in before or "login" in before) and bool(_FLAG.search(before))


def _is_setter(text: str, place: int) -> bool:
    """The name is the first of two arguments of what sets one."""
    return bool(_SETTER.search(text, max(0, place - 60), place))


def _is_variable(text: str, name: re.Match[str]) -> bool:
    before = _NAME_BEFORE.search(text, max(0, name.start() - 80), name.start())
    first = before.start() if before else name.start()
    return text[first : name.start("op")].isupper() and text[max(0, first - 1) : first] not in ("?", "&")


def _begins_line(text: str, place: int) -> bool:
    return bool(_LINE_BEFORE.search(text, max(0, place - 80), place))


def _ends(text: str, at: int) -> bool:
    """A value without quotes ends here: it is no part of a longer expression."""
    return at == len(text) or text[at] in "\r\n ;&,\"'"
