"""Questions about what uses what, read by their grammar: who uses X, what X depends on, what my projects use of one another.

The closed classes below are the grammar; docs/routing.md shows them as a table whose examples are the tests. What is asked
about (X) is taken as it stands; whether anything uses it is for manifests and imports to say, not for this module. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["users", "dependencies", "edges"]
Among = Literal["projects", "mine", "anything"]

MAX_CHARS = 300  # a longer text is no question of this kind
MOST = 6  # things asked about at once
MOST_WORDS = 3  # of a name; more are a description

_IES = r"(?:y|ies)"
FRAME = rf"(?:(?:project|repo|code ?base|package|app|application|service|scope)s?|repositor{_IES}|librar{_IES})"
"""What is enumerated: scaffolding of the question, not its topic."""

LISTING = r"(?:list|show|find|name|give me|tell me)(?: me)?(?: which| what)?"
"""What asks for an enumeration without a question."""

_OF = r"(?:(?:of|my|our|the|these|those|all|any|each|some|every|other|own|registered|else) )*"
_ADVERB = r"(?:(?:still|also|already|currently|even|ever|actually|directly|else|all) )*"
USES = (
    r"(?:us(?:e|es|ed|ing)|depend(?:s|ed|ing|ent)? (?:up)?on|rel(?:y|ies|ied|ying) on|requir(?:e|es|ed|ing)"
    r"|import(?:s|ed|ing)?|need(?:s|ed|ing)?|buil(?:d|ds|t|ding) (?:up)?(?:on|with)|made with|consum(?:e|es|ed|ing)"
    r"|includ(?:e|es|ed|ing)|pull(?:s|ed|ing)? in|invok(?:e|es|ed|ing)|run(?:s|ning)? on"
    r"|ha(?:s|ve) (?:a )?dependenc(?:y|ies) on|declar(?:e|es|ed|ing))"
)
"""What a project does with what it depends on."""

_DOES = r"(?:(?:do|does|did|is|are|was|were|has|have|can|could|would) )?"
_ANOTHER = (
    r"(?:another|any other|some other|each other|one another|others?|one|any|some)"
    rf"(?: of)?(?: my| our)?(?: own)?(?: other)?(?: {FRAME})?(?: of (?:mine|ours))?(?: too| also)?"
)
"""What stands for a project of the asker's own without naming it."""

_WHICH = rf"(?:which|what|how many) (?:else )?{_OF}{FRAME}"
_IN_ANY = rf"(?:in|by) (?:any|another|some)(?: other)?(?: of)? {_OF}{FRAME}"
_WE = "(?:i|we)"
_RULES: tuple[tuple[Kind, Among, str], ...] = (
    # kind, what is asked to use it, pattern; X is the group `x`
    ("edges", "projects", rf"(?:am|are) {_WE} {_ADVERB}using {_ANOTHER}(?: here| anywhere)?"),
    ("edges", "projects", rf"(?:do|does|did) {_OF}(?:this |that |the )?{FRAME} {_ADVERB}{USES} {_ANOTHER}"),
    ("edges", "projects", rf"{_WHICH} {_DOES}{_ADVERB}{USES} {_ANOTHER}"),
    (
        "edges",
        "projects",
        rf"how (?:are|do) {_OF}{FRAME} (?:related?|connect(?:ed)?|depend on (?:each other|one another))",
    ),
    ("edges", "projects", rf"(?:which|what) {_OF}{FRAME} (?:do|does|am|are|is) (?P<x>.+?) {_ADVERB}{USES}"),
    ("users", "projects", rf"(?:in )?{_WHICH}(?: that| which)? {_DOES}(?:{_WE} )?{_ADVERB}{USES} (?P<x>.+)"),
    ("users", "projects", rf"{_WHICH} ha(?:s|ve) (?P<x>.+?) (?:as|among) (?:a |an |its |their )?dependenc{_IES}"),
    (
        "users",
        "projects",
        rf"(?:do|does|did|is|are) (?:any|some|all|one)(?: of)? {_OF}{FRAME} {_ADVERB}{USES} (?P<x>.+)",
    ),
    (
        "users",
        "projects",
        rf"{LISTING} {_OF}{FRAME}(?: that| which)? {_DOES}{_ADVERB}{USES} (?P<x>.+)",
    ),
    ("users", "projects", rf"{_OF}{FRAME} (?:that |which )?{USES} (?P<x>.+)"),
    ("users", "mine", rf"(?:where|when) (?:else )?(?:do|did|have|am|are) {_WE} {_ADVERB}{USES} (?P<x>.+)"),
    (
        "users",
        "mine",
        rf"(?:have|did|do|am|are) {_WE} {_ADVERB}{USES} (?P<x>.+?) (?:before|anywhere|elsewhere|somewhere|yet|{_IN_ANY})",
    ),
    (
        "users",
        "anything",
        r"(?:where|is) (?:else )?(?:is |are )?(?P<x>.+?) (?:being )?(?:used|imported|required|declared|depended on)"
        rf"(?: anywhere| elsewhere| somewhere)?(?: {_IN_ANY})?",
    ),
    (
        "dependencies",
        "anything",
        r"what (?:else )?(?:do|does|is|are) (?P<x>.+?) "
        rf"{_ADVERB}(?:depend(?:ing)? (?:up)?on|rely(?:ing)? on|import|require)",
    ),
    ("dependencies", "anything", rf"what (?:are|is) (?:the |all )*dependenc{_IES} of (?P<x>.+)"),
    ("dependencies", "anything", rf"what (?:are|is) (?P<x>.+?)(?:'s|’s) dependenc{_IES}"),
    (
        "users",
        "anything",
        rf"(?:what|who|anything|does anything|does anyone)(?: else)? {_DOES}{_ADVERB}{USES} (?P<x>.+)",
    ),
)
RULES = tuple((kind, among, re.compile(pattern + r"\Z", re.IGNORECASE)) for kind, among, pattern in _RULES)

_PLACES = (
    rf"anywhere|somewhere|elsewhere|already|at all|right now|nowadays|now|today|currently|before|too|directly|please"
    rf"|as (?:a |an )?(?:direct |dev )?dependenc{_IES}|here"
    rf"|(?:in|across|among|of|by) (?:all |any |some |each |every |which )*{_OF}{FRAME}"
)
_TAIL = re.compile(rf"(?:[\s,]+(?:{_PLACES}))+$", re.IGNORECASE)
_PURPOSE = re.compile(
    r"\s+(?:for|to|as|with|via|when|because|while|instead|and why|and where|and how)\b.*$", re.IGNORECASE
)
_ARTICLE = re.compile(r"^(?:the|a|an|any|some|my|our)\s+", re.IGNORECASE)
_SORT = re.compile(
    r"\s+(?:package|librar(?:y|ies)|module|crate|gem|framework|tool|dependency|command|plugin|cli|sdk|project|repo|repository)$",
    re.IGNORECASE,
)
_POINTING = re.compile(
    rf"^(?:this|it|that|here|we|i|us|(?:this|the|that|my|our) (?:{FRAME}|code|tool))$", re.IGNORECASE
)
_STANDING = re.compile(r"^(?:am|are) |\b(?:this|here)\b", re.IGNORECASE)
_OR, _AND = (
    re.compile(r"\s*,?\s+or\s+|\s*/\s+|\s*,\s+", re.IGNORECASE),
    re.compile(r"\s*,?\s+(?:and|&)\s+|\s*,\s+", re.IGNORECASE),
)
_QUOTES = "`'\"“”‘’«»"
_POLITE = re.compile(
    r"^(?:(?:so|and|ok|okay|hey|please|can you tell me|could you tell me|tell me|do you know|i wonder)[\s,]+)+", re.I
)
_NAME = re.compile(r"^[\w@][\w@./:+#-]*$")


@dataclass(frozen=True, slots=True)
class Relation:
    """A question about what uses what."""

    kind: Kind
    subjects: tuple[str, ...]  # what is asked about, as it is written; empty for all of the asker's projects
    pointing: bool = False  # the subject is the project that the asker stands in
    among: Among = "projects"  # what is asked to use it: `which projects`, `where do I`, `what`
    every: bool = False  # of several subjects, all are asked for together: `a and b`


def parse(text: str) -> Relation | None:
    """The relation that a question asks for, None for a question of any other kind."""
    if len(text) > MAX_CHARS or "\n" in text.strip():
        return None
    asked = _POLITE.sub("", " ".join(text.split()).rstrip(" ?!.")).strip()
    for kind, among, rule in RULES:
        if found := rule.match(asked):
            if "x" not in rule.groupindex:
                return Relation(kind, (), bool(_STANDING.search(asked)), among)
            return _relation(kind, among, found["x"].strip())
    return None


def _relation(kind: Kind, among: Among, subject: str) -> Relation | None:
    subject = subject if kind != "users" else _PURPOSE.sub("", _TAIL.sub("", subject))
    subject = subject.strip(" ,")
    if _POINTING.match(subject):
        return Relation(kind, (), True, among)
    if _quoted(subject):
        return Relation(kind, (subject.strip(_QUOTES),), False, among)
    every = bool(_AND.search(subject)) and not re.search(r"\s+or\s+", subject, re.I)
    names = [_bare(part) for part in (_AND if every else _OR).split(subject)]
    names = list(dict.fromkeys(name for name in names if name))
    if not names or len(names) > MOST or max(len(name.split()) for name in names) > MOST_WORDS:
        return None
    return Relation(kind, tuple(names), False, among, every and len(names) > 1)


def _quoted(subject: str) -> bool:
    return len(subject) > 2 and subject[0] in _QUOTES and subject[-1] in _QUOTES


def _bare(part: str) -> str:
    """A subject without its article and what it is said to be: `the `rich` package` -> rich."""
    part = _ARTICLE.sub("", part.strip())
    short = _SORT.sub("", part)
    return (short or part).strip(_QUOTES + " ,")


def is_name(subject: str) -> bool:
    """Whether a subject has the shape of a package's name rather than of a word or a phrase: `react-native`, `a/b`."""
    return bool(_NAME.match(subject)) and any(sign in subject[1:] for sign in "-./@:")
