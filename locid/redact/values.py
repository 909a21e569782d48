"""Is this value a secret? What keys look like, and what stands in their place in manuals and code. Pure."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from urllib.parse import unquote

MARK = "[REDACTED:"  # what a redacted value begins with; its kind and a bracket follow
_STANDS_FOR = re.compile(r"x{4,}|X{4,}|\*{3,}|\.{3}|…|<|\$[({A-Za-z_]|\{|%[(sdv]|#\{|^[\[$%]")
_SAYS_SO = re.compile(r"your|example|placeholder|change.?me|dummy|sample|redacted|insert|mock|fake", re.I)
_PASSWORD_WORDS = re.compile(
    r"(?i)^(?:my|the|user|a|some|test|db|new|old|wrong|bad|super)?[-_]?"
    r"(?:password|passwd|passw|pass|pwd|pw|secret|token|key|credentials?|auth|basic)[-_\d]{0,3}$"
)
# A value of these words alone names what should stand there: `aws_secret_access_key`, `fake_pass`, `a secret`.
_NAMING = frozenset(
    """
    a an the my our some any this user username name test db new old wrong bad good fake mock real invalid valid
    password passwd passphrase pass pwd pw secret token key api access aws id client private public auth basic
    bearer credential credentials login here value string
    """.split()  # noqa: SIM905
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[^\W_]+")
_PAIRS = frozenset({("scott", "tiger")})  # users whose password every manual prints
# Words of our trade that have figures in them.
_TERMS = re.compile(
    r"o?auth2|base(?:32|58|64)|sha(?:1|256|384|512)|md5|utf(?:8|16|32)|u?int(?:8|16|32|64)|float(?:32|64)|x509|ipv[46]"
    r"|http2|ed25519|p(?:256|384|521)|aes(?:128|256)|pbkdf2|uuid4",
    re.I,
)
_THING = re.compile(r"arn:.*|[\w./-]*\.[a-z]{2,4}\d?", re.S)
_ATTRIBUTE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_FRAGMENT = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_PIECE = re.compile(r"[A-Za-z0-9]+")
_SHORT_FRAGMENT = 2.9  # mean length of the runs between changes of case and kind: words have 4 and more, keys 2
_UNSAID = re.compile(r"[bcdfghjklmnpqrstvwxz]{4}", re.I)
_LONGEST = 4096  # characters that are looked at
_STANDARD = str.maketrans("-_", "+/")  # the alphabet of base64 for addresses -> the plain one


def placeholder(value: str) -> bool:
    """True for what stands where a secret should: `xxxx`, `<token>`, `${TOKEN}`, `your-key`, `password1`."""
    value = value[:_LONGEST]
    if _monotonous(value) or _STANDS_FOR.search(value) or _PASSWORD_WORDS.match(value) or _named_so(value):
        return True
    words = _WORD.findall(unquote(value))
    return bool(words) and all(word.lower() in _NAMING for word in words)


def _monotonous(value: str) -> bool:
    return len(set(value)) <= (3 if len(value) < 12 else 4)


def _named_so(value: str) -> bool:
    """`your-key` and the like; a long key that ends in EXAMPLE is in doubt."""
    rest, found = _SAYS_SO.subn(" ", value)
    return bool(found) and not any(_random(piece, 12) for piece in _PIECE.findall(rest))


def no_placeholder(value: str) -> bool:
    """True for any value that is not plainly none."""
    return not placeholder(value)


def sample(user: str, password: str) -> bool:
    """True for a pair that manuals print: a placeholder, or a password that is the user's name."""
    return user == password or (user, password) in _PAIRS or placeholder(password)


def varied(value: str) -> bool:
    """True unless one sign stands for all others, as in `ghp_xxxxxxxxxxxx`: the shape alone is proof enough."""
    return len(set(value)) > 5 and "xxxxxx" not in value.lower()


def filled(value: str) -> bool:
    """As `varied`, and it does not say that something else belongs there, as in `sk-ant-your-key-goes-here`."""
    return varied(value) and not _named_so(value)


def mixed(value: str) -> bool:
    """Letters and digits both."""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def numbered(value: str) -> bool:
    """A digit somewhere, and no placeholder."""
    return any(c.isdigit() for c in value) and not placeholder(value)


def opaque(value: str) -> bool:
    """A value that reads like a key: some run in it is random, or all of them together; and it is no placeholder."""
    if placeholder(value):
        return False
    pieces = _PIECE.findall(value[:_LONGEST])
    return any(_random(p, 8) for p in pieces) or _random("".join(pieces), 20)


def names_something(value: str, literal: bool) -> bool:
    """A file or a resource in a cloud, or, where it is not written out, an attribute: no secret, whatever has it."""
    return bool(_THING.fullmatch(value)) or (not literal and bool(_ATTRIBUTE.fullmatch(value)))


def opaque_literal(value: str) -> bool:
    """As `opaque`, and keys made up by hand (`abcDEF123456ghi`): what is quoted is no name of a variable."""
    if opaque(value):
        return True
    figures = sum(c.isdigit() for c in value)
    longest = max(_PIECE.findall(value), key=len, default="")
    if placeholder(value) or not mixed(value):
        return False
    cased = longest != longest.lower() and longest != longest.upper()
    unsaid = figures >= 2 or bool(_UNSAID.search(longest))
    return (len(longest) >= 12 and figures >= 4) or (len(longest) >= 20 and cased and unsaid)


def key(value: str) -> bool:
    """Opaque, or of capitals, small letters and digits: for what only a short prefix tells from a name."""
    return (value != value.lower() and value != value.upper() and numbered(value)) or opaque(value)


def login(value: str) -> bool:
    """Base64 of `user:password`, and no sample; or opaque."""
    user, colon, password = decoded(value).partition(":")
    return not sample(user, password) if colon else opaque(value)


def snowflake(value: str) -> bool:
    """A token that begins with base64 of the digits of an id."""
    return decoded(value.partition(".")[0]).isdigit()


def encoded_key(value: str) -> bool:
    """Base64 of a private key in PEM; a certificate begins alike."""
    return "PRIVATE KEY" in decoded(value[:80])


def encoded_token(value: str) -> bool:
    """Base64 of a JSON web token."""
    return decoded(value[:400]).count("eyJ") > 1


def decoded(value: str) -> str:
    """What base64 of either alphabet says in ASCII, '' for anything else; an end that is cut off is left out."""
    whole = value.rstrip("=").translate(_STANDARD)
    whole = whole[: len(whole) - (len(whole) % 4 == 1)]
    try:
        return b64decode(whole + "=" * (-len(whole) % 4), validate=True).decode("ascii")
    except (Error, ValueError):
        return ""


def _random(run: str, least: int) -> bool:
    """A run that no one would say aloud: of `least` characters, and cut into short fragments by case and digits.

    Of one case it has longer fragments, but more numbers than a name has.
    """
    if len(run) < least or not (mixed(run) or len(run) >= 20):
        return False
    fragments = _FRAGMENT.findall(_TERMS.sub("Term", run))
    said = sum(min(len(f), 4) if f[0].isdigit() else len(f) for f in fragments)
    if said < _SHORT_FRAGMENT * len(fragments):
        return True
    numbers = sum(f[0].isdigit() for f in fragments)
    return len(run) >= 16 and (numbers > 2 or (numbers == 2 and bool(_UNSAID.search(run))))
