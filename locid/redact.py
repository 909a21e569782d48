"""Credentials in text -> `[REDACTED:<kind>]`; `secret_store` knows the files that hold nothing else. Pure.

Three steps, each behind a cheap test, because the patterns alone cost forty times as much over clean text:
private-key blocks (the newlines stay, so that line numbers do), tokens with a shape of their own
(`_SHAPED`, in addresses and headers too), and opaque values assigned to a name that says secret. No pattern
retries inside what it has scanned, so that a hostile line costs linear time. When in doubt a value is
redacted; code, placeholders and plain words are not in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from locid.secretfiles import secret_store

__all__ = ["MARK", "redact", "secret_store"]

_PASSES = 6  # until nothing changes; two are the rule
MARK = "[REDACTED:"


@dataclass(frozen=True, slots=True)
class _Rule:
    """A token with a shape of its own; group `v` is the secret, or the whole match without such a group."""

    kind: str
    pattern: re.Pattern[str]
    accept: Callable[[str], bool] = lambda value: True


def _rule(kind: str, pattern: str, accept: Callable[[str], bool] = lambda value: True) -> _Rule:
    return _Rule(kind, re.compile(pattern), accept)


# ---- what is a placeholder, what is opaque -----------------------------------------------------------------

_PLACEHOLDER = re.compile(
    r"x{4,}|\*{3,}|\.{3}|…|your|example|placeholder|change.?me|dummy|sample|redacted|insert|<|\$[({A-Za-z_]|\{|%[(sdv]|#\{"
    r"|^[\[$%]",
    re.I,
)
_PASSWORD_WORDS = re.compile(
    r"(?i)^(?:my|the|user|a|some|test|db|new|old|wrong|bad|super)?[-_]?"
    r"(?:password|passwd|passw|pass|pwd|pw|secret|token|key|credentials?|auth|basic)[-_\d]{0,3}$"
)
_FRAGMENT = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_PIECE = re.compile(r"[A-Za-z0-9]+")
_SHORT_FRAGMENT = 2.9  # mean length of the runs between changes of case and kind: words have 4 and more, keys 2


def _placeholder(value: str) -> bool:
    return len(set(value)) <= 4 or bool(_PLACEHOLDER.search(value)) or bool(_PASSWORD_WORDS.match(value))


def _mixed(value: str) -> bool:
    """Letters and digits both."""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _all_cases(value: str) -> bool:
    """Capitals, small letters and digits, and no placeholder."""
    return value != value.lower() and value != value.upper() and _has_digit(value)


def _random(run: str, least: int) -> bool:
    """A run that no one would say aloud: of `least` characters, and cut into short fragments by case and digits."""
    if len(run) < least or not (_mixed(run) or len(run) >= 20):
        return False
    fragments = _FRAGMENT.findall(run)
    said = sum(min(len(f), 4) if f[0].isdigit() else len(f) for f in fragments)
    return said < _SHORT_FRAGMENT * len(fragments)


def _opaque(value: str) -> bool:
    """A value that reads like a key: some run in it is random, or all of them together; and it is no placeholder."""
    if _placeholder(value):
        return False
    pieces = _PIECE.findall(value[:4096])
    return any(_random(p, 8) for p in pieces) or _random("".join(pieces), 20)


def _opaque_literal(value: str) -> bool:
    """As `_opaque`, and keys made up by hand (`abcDEF123456ghi`): what is quoted is no name of a variable."""
    if _opaque(value):
        return True
    figures = sum(c.isdigit() for c in value)
    longest = max(map(len, _PIECE.findall(value)), default=0)
    return not _placeholder(value) and _mixed(value) and longest >= 12 and figures >= 4


def _has_digit(value: str) -> bool:
    return any(c.isdigit() for c in value) and not _placeholder(value)


def _not_placeholder(value: str) -> bool:
    return not _placeholder(value)


def _token(value: str) -> bool:
    return _all_cases(value) or _opaque(value)


# ---- tokens with a shape of their own ----------------------------------------------------------------------

_B = r"(?<![A-Za-z0-9])"  # not inside a longer run

# Each has 20 characters of `[A-Za-z0-9_.-]` in a row with one of `_PREFIXES` in them; other texts are not searched.
_SHAPED = (
    _rule("aws", _B + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _rule("github", _B + r"gh[pousr]_[A-Za-z0-9]{30,}"),
    _rule("github", _B + r"github_pat_[A-Za-z0-9_]{30,}"),
    _rule("gitlab", _B + r"gl(?:pat|dt|rt|ptt|cbt|soat|agent)-[\w-]{16,}"),
    _rule("npm", _B + r"npm_[A-Za-z0-9]{30,}"),
    _rule("slack", _B + r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{15,}", _has_digit),
    _rule("google", _B + r"AIza[\w-]{35}"),
    _rule("google", _B + r"ya29\.[\w-]{20,}"),
    _rule("google", _B + r"GOCSPX-[\w-]{20,}"),
    _rule("stripe", _B + r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}"),
    _rule("stripe", _B + r"whsec_[A-Za-z0-9+/=]{14,}"),
    _rule("anthropic", _B + r"sk-ant-[\w-]{20,}"),
    _rule("openai", _B + r"sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}", _token),
    _rule("huggingface", _B + r"hf_[A-Za-z0-9]{30,}"),
    _rule("pypi", _B + r"pypi-[A-Za-z0-9_-]{40,}"),
    _rule("sendgrid", _B + r"SG\.[\w-]{16,64}\.[\w-]{16,}"),
    _rule("twilio", _B + r"(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])"),
    _rule("digitalocean", _B + r"do[opr]_v1_[a-f0-9]{40,}"),
    _rule("shopify", _B + r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}"),
    _rule("vault", _B + r"hv[sbr]\.[\w-]{24,}"),
    _rule("databricks", _B + r"dapi[a-f0-9]{32}"),
    _rule("docker", _B + r"dckr_(?:pat|oat)_[\w-]{20,}"),
    _rule("linear", _B + r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}"),
    _rule("doppler", _B + r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,}"),
    _rule("figma", _B + r"figd_[\w-]{20,}"),
    _rule("notion", _B + r"(?:secret|ntn)_[A-Za-z0-9]{40,}"),
    _rule("age", r"AGE-SECRET-KEY-1[A-Z0-9]{30,}"),
    _rule("jwt", r"(?<![\w.-])eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+(?:\.[\w-]*+)?"),
)
_PREFIXES = re.compile(
    rb"A(?:KIA|SIA|BIA|CCA|Iza|C[0-9a-f]{32}|GE-SECRET)|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|npm_|xox|xapp-|ya29\."
    rb"|GOCSPX-|[srp]k_(?:live|test)_|whsec_|sk-[\w-]{20}|hf_|pypi-|S(?:G\.|K[0-9a-f]{32})|_v1_|shp[a-z]{2}_|hv[sbr]\.|dapi|dckr_|lin_|eyJ|dp\.[a-z]{2}|figd_|secret_|ntn_"
)
_RUN_TABLE = bytes(ord("a") if i < 128 and (chr(i).isalnum() or chr(i) in "_-.") else ord(" ") for i in range(256))
_RUN = b"a" * 20

# In an address; only texts with `://` are searched.
_IN_URL = (
    _rule("slack", r"hooks\.slack\.com/(?:services|workflows)/(?P<v>[A-Za-z0-9/_-]{20,})"),
    _rule("discord", r"discord(?:app)?\.com/api/webhooks/\d{1,30}/(?P<v>[\w-]{30,})"),
    _rule("telegram", r"api\.telegram\.org/(?:file/)?bot(?P<v>\d{6,12}:[\w-]{30,})"),
    _rule("azure", r"sig=(?P<v>[A-Za-z0-9%+/]{40,}=*)"),
    _rule(
        "url_password",
        r"://[^\s/:@\"'<>`\[\]\\]{0,100}:(?P<v>[^\s/\"'<>`\\]{1,200})@(?=[\w\[$%{])",
        _not_placeholder,
    ),
    _rule("url_password", r"://(?P<v>[\w-]{20,200})@(?=\w)", _opaque),
)

# In a header; only texts with the lowercased word are searched.
_IN_HEADER = (
    ("bearer", _rule("bearer", r"(?i:\bbearer)[ \t]{1,4}(?P<v>[A-Za-z0-9._~+/-]{16,}+=*)", _token)),
    (
        "authorization",
        _rule(
            "basic",
            r"(?i:authorization\W{1,6}basic)[ \t]{1,4}(?P<v>[A-Za-z0-9+/]{8,}={0,2})",
            _not_placeholder,
        ),
    ),
)


def _long_runs(text: str) -> bytes:
    """The runs of 20 or more token characters, joined: a tenth of source text, so that it is cheap to search."""
    raw = text.encode("utf-8", "surrogatepass")
    mapped, out = raw.translate(_RUN_TABLE), []
    at = mapped.find(_RUN)
    while at >= 0:
        end = mapped.find(b" ", at + len(_RUN))
        end = len(raw) if end < 0 else end
        out.append(raw[at:end])
        at = mapped.find(_RUN, end)
    return b" ".join(out)


def _apply(rule: _Rule, text: str, counts: dict[str, int]) -> str:
    """The text with the rule's matches replaced."""
    group: str | int = "v" if "v" in rule.pattern.groupindex else 0

    def replace(match: re.Match[str]) -> str:
        if not rule.accept(match[group]):
            return match[0]
        counts[rule.kind] = counts.get(rule.kind, 0) + 1
        at = match.start()
        return f"{match[0][: match.start(group) - at]}{MARK}{rule.kind}]{match[0][match.end(group) - at :]}"

    return rule.pattern.sub(replace, text)


def _redact_shaped(text: str, low: str, counts: dict[str, int]) -> str:
    """The text without tokens that have a shape of their own, in the open, in addresses and in headers."""
    rules: list[_Rule] = []
    runs = _long_runs(text)
    if _PREFIXES.search(runs):
        apart = b" ".join(run for run in runs.split(b" ") if _PREFIXES.search(run)).decode("ascii", "replace")
        rules += [rule for rule in _SHAPED if rule.pattern.search(apart)]
    if "://" in text:
        rules += _IN_URL
    rules += [rule for word, rule in _IN_HEADER if word in low]
    for rule in rules:
        text = _apply(rule, text, counts)
    return text


# ---- private keys ------------------------------------------------------------------------------------------

_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_MATERIAL = re.compile(r"[A-Za-z0-9+/=]{32,}")
_KEY_BODY = re.compile(r"(?:[\s\"'+,]|\\n|\\r|[A-Za-z0-9+/=]{16,})*+")  # what follows a block that is cut off
_KEY_LIMIT = 40_000  # characters from BEGIN to END


def _redact_keys(text: str, counts: dict[str, int]) -> str:
    """The text with private-key blocks replaced; each keeps its newlines."""
    out, at = [], 0
    while begin := _BEGIN.search(text, at):
        end = _key_end(text, begin)
        out.append(text[at : begin.start()])
        if _KEY_MATERIAL.search(text, begin.end(), end):
            counts["private_key"] = counts.get("private_key", 0) + 1
            out.append(f"{MARK}private_key]" + "\n" * text.count("\n", begin.start(), end))
        else:
            out.append(text[begin.start() : end])
        at = end
    out.append(text[at:])
    return "".join(out)


def _key_end(text: str, begin: re.Match[str]) -> int:
    """Where the block ends: after its END line, or after the last line of key material when it is cut off."""
    following = text.find("-----BEGIN", begin.end())
    limit = begin.end() + _KEY_LIMIT
    if end := _END.search(text, begin.end(), limit if following < 0 else min(limit, following)):
        return end.end()
    body = _KEY_BODY.match(text, begin.end())
    stop = body.end() if body else begin.end()
    return begin.end() + len(text[begin.end() : stop].rstrip())


# ---- opaque values assigned to a name that says secret -----------------------------------------------------

_WORDS = ("secret", "pass", "pwd", "token", "key", "credential")
# `key` alone says nothing; after one of these it does.
_SECRET_KEYS = tuple(
    word + joint
    for word in ("api access private auth account encryption signing secret master service license app").split()  # noqa: SIM905
    for joint in ("", "_", "-")
)
_ASSIGNED = re.compile(
    r"""
    (?P<word>secret|pass(?:word|wd|phrase|code|w)?+|pwd|token|key|credential)
    (?P<rest>[\w.-]{0,40}+)                                   # the rest of the name
    (?P<close>\\?["'`]?\]?)
    (?P<op>[ \t]{0,8}(?:=>|:=|\?=|[:=>]|,(?=[ ]?["'`]))[ \t]{0,16} | [ \t]{1,2}(?=[^\s=:]))
    (?:(?:str|string|String|&str|&'static[ ]str|const[ ]char[ ]?\*)[ ]{0,2}=[ ]{0,2})?
    (?:[rbfuRBFU]{0,2}(?P<quote>\\?["'`])(?P<quoted>[^\s"'`\\]{6,}+)
     | (?P<bare>[A-Za-z0-9+/_.~!@\#$%^*?-]{8,}+={0,3})(?![(\[{=:]))
    """,
    re.I | re.X,
)


def _lower(text: str) -> str:
    """Lowercased, and of the same length (one letter of Unicode grows when lowercased)."""
    low = text.lower()
    return low if len(low) == len(text) else text.replace("İ", "I").lower()


def _places(low: str) -> list[int]:
    """Where a word that says secret begins in the lowercased text, in order."""
    out = []
    for word in _WORDS:
        at = low.find(word)
        while at >= 0:
            if word != "key" or low.endswith(_SECRET_KEYS, max(0, at - 12), at):
                out.append(at)
            at = low.find(word, at + len(word))
    return sorted(out)


def _redact_assigned(text: str, low: str, counts: dict[str, int]) -> str:
    """The text with opaque values replaced where a name that says secret is given one; the name stays."""
    out, at = [], 0
    for place in _places(low):
        match = _ASSIGNED.match(text, place) if place >= at else None
        if match is None or not _is_secret(text, match):
            continue
        group = "quoted" if match["quoted"] else "bare"
        kind = "password" if match["word"].lower().startswith("p") else "secret"
        counts[kind] = counts.get(kind, 0) + 1
        out += [text[at : match.start(group)], f"{MARK}{kind}]"]
        at = match.end(group)
    return "".join([*out, text[at:]]) if out else text


def _is_secret(text: str, match: re.Match[str]) -> bool:
    value, op = match["quoted"] or match["bare"], match["op"].strip()
    if MARK in value or "://" in value or _placeholder(value):
        return False
    if not op and not _is_flag(text, match.start()):
        return False
    quoted = op != "," and bool(match["quoted"])
    literal = quoted or (match["op"] == "=" and _is_variable(text, match))
    if match["word"].lower().startswith("p") and not match["rest"].strip("_"):
        plain = op in (":", "=") and _ends(text, match.end("bare")) and len(value) >= 8
        if literal or (plain and _NO_CODE.fullmatch(value)):
            return _mixed(value)
    return _opaque_literal(value) if literal else _opaque(value)


_NAME_BEFORE = re.compile(r"\w*\Z")
# What may stand for a password without quotes: no identifier of code has its digits inside or a sign of these.
_NO_CODE = re.compile(r"[A-Za-z]*\d+[A-Za-z]+\d*[\w!@#$%^&*-]*|[\w]*[!@#$%^&][\w!@#$%^&*-]*")


def _is_flag(text: str, place: int) -> bool:
    """The name is a command-line flag, so that a blank may stand before its value."""
    name = text[max(0, place - 40) : place]
    return bool(re.search(r"--[\w-]*$", name))


def _is_variable(text: str, match: re.Match[str]) -> bool:
    """`NAME=value` as in an environment file: capitals only, no blanks around the sign, alone on its line."""
    before = _NAME_BEFORE.search(text, max(0, match.start() - 80), match.start())
    name = (before[0] if before else "") + text[match.start() : match.start("op")]
    return name.isupper() and _ends(text, match.end("bare"))


def _ends(text: str, at: int) -> bool:
    """A bare value ends here: it is no part of a longer expression."""
    return at == len(text) or text[at] in "\r\n ;&,\"'"


# ---- the entry ---------------------------------------------------------------------------------------------


def redact(text: str) -> tuple[str, tuple[tuple[str, int], ...]]:
    """The text without its secrets, of as many lines, and (kind, count) pairs; a second pass changes nothing."""
    counts: dict[str, int] = {}
    for _ in range(_PASSES):
        before, low = text, _lower(text)
        if "private key" in low:
            text = _redact_keys(text, counts)
        text = _redact_shaped(text, low, counts)
        text = _redact_assigned(text, low if text == before else _lower(text), counts)
        if text == before:
            break
    return text, tuple(counts.items())
