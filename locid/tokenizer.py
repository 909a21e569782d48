"""Text and identifiers -> tokens, the same for indexing and for asking. Pure but for a cache of words.

A word is a run of letters and digits joined by underscores. It yields itself, lowercased, and then its
parts where case, underscores or digits divide it: `getHTTPResponse_v2` -> `gethttpresponse_v2 get http
response`. Tokens have 2 to 40 characters. Long hexadecimal runs (hashes) yield nothing. Scripts that put no
spaces between words (Han, kana, Hangul, Thai …) yield bigrams. Text is normalised to NFC first, so an
accent counts as one character.
"""

from __future__ import annotations

import re
from unicodedata import normalize

MIN_LENGTH = 2
MAX_LENGTH = 40  # longer runs are data, not names
_LONGEST_WORD = 200  # beyond it a run is data, and its parts too
_HEX_MIN = 16  # a hexadecimal run this long is a hash or an id
_CACHE_LIMIT = 500_000  # words; about 80 MB at the worst

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_BLANKS = {i: " " for i in range(128) if not (chr(i).isalnum() or chr(i) == "_")}
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_HEX = re.compile(r"[0-9a-fA-F]+")
# Scripts without spaces between words, and Hangul, whose words carry their particles with them.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U00020000-\U0003ffff]+"
)

# Closed-class words of English: articles, pronouns, prepositions, conjunctions, auxiliaries, question words, and
# what is left of contractions. A general stop list measured worse in the gate.
STOP = frozenset(
    """
    a an the this that these those some any each every either neither no none both all such same
    other another i me my mine myself we us our ours ourselves you your yours yourself yourselves he
    him his himself she her hers herself it its itself they them their theirs themselves one ones
    someone anyone everyone something anything everything nothing who whom whose which what when
    where why how whether whatever whichever whenever wherever of to in on at by for from with
    without within into onto out off over under above below about across after against along among
    around as before behind beneath beside besides between beyond despite down during except inside
    like near outside past per since than through throughout till toward towards until up upon via
    and or but nor so yet if then else because although though while unless once is am are was were
    be been being do does did doing done have has had having can could may might must shall should
    will would ought not don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn
    shouldn ll ve re there here also only just too very
    """.split()  # noqa: SIM905
)

_cache: dict[str, tuple[str, ...]] = {}


def tokens(text: str) -> list[str]:
    """Tokens in text order, repeats kept: each word whole, then its parts when it has several."""
    out: list[str] = []
    known = _cache
    for word in _words(text):
        found = known.get(word)
        if found is None:
            found = _remember(word)
        out += found
    return out


def content(text: str) -> tuple[str, ...]:
    """Distinct tokens in order, closed-class words left out."""
    return tuple(token for token in dict.fromkeys(tokens(text)) if token not in STOP)


def split(name: str) -> tuple[str, ...]:
    """The lowercased parts of an identifier, of 2 to 40 characters each."""
    parts = (p.lower() for piece in _pieces(name) for p in piece)
    return tuple(p for p in parts if MIN_LENGTH <= len(p) <= MAX_LENGTH)


def identifiers(text: str) -> tuple[str, ...]:
    """The whole runs, lowercased, that have several parts: what nobody writes who does not mean a name."""
    runs = dict.fromkeys(word.strip("_") for word in _words(text))
    return tuple(run.lower() for run in runs if MIN_LENGTH <= len(run) <= MAX_LENGTH and len(split(run)) > 1)


def grams(text: str) -> list[str]:
    """The distinct trigrams of whole runs, their ends marked: `id` -> `$id id$`."""
    out: dict[str, None] = {}
    for word in dict.fromkeys(_words(text)):
        low = f"${word.strip('_').lower()[:MAX_LENGTH]}$"
        out.update(dict.fromkeys(low[i : i + 3] for i in range(len(low) - 2)))
    return list(out)


def _words(text: str) -> list[str]:
    """Runs of letters, digits and underscores; the plain case without a pattern, which costs four times as much."""
    if text.isascii():
        return text.translate(_BLANKS).split()
    return _WORD.findall(normalize("NFC", text))


def _remember(word: str) -> tuple[str, ...]:
    if len(_cache) >= _CACHE_LIMIT:
        _cache.clear()
    found = _cache[word] = _expand(word.strip("_"))
    return found


def _expand(word: str) -> tuple[str, ...]:
    """The tokens of one word."""
    if len(word) > _LONGEST_WORD and word.isascii():
        return ()
    if _is_hash(word):
        return ()
    if not word.isascii() and _UNSPACED.search(word):
        return tuple(t for run in _runs(word) for t in run)
    return _latin(word)


def _latin(word: str) -> tuple[str, ...]:
    """Whole and parts of a word of a script with spaces between words."""
    low = word.lower()
    parts = [p for piece in _pieces(word) for p in piece]
    if len(word) > MAX_LENGTH and len(word) < 3 * len(parts):
        return ()  # an encoded blob: parts of one or two letters
    found = dict.fromkeys([low, *(p.lower() for p in parts)])
    return tuple(t for t in found if MIN_LENGTH <= len(t) <= MAX_LENGTH)


def _is_hash(word: str) -> bool:
    """A hash or an id in hexadecimal: 16 digits or more with a figure among them, or 32 of any kind."""
    if len(word) < _HEX_MIN or not _HEX.fullmatch(word):
        return False
    return len(word) >= 2 * _HEX_MIN or any(c.isdigit() for c in word)


def _pieces(name: str) -> list[list[str]]:
    """Parts of each underscore-free run of an identifier."""
    return [_parts(run) for run in name.split("_") if run]


def _parts(run: str) -> list[str]:
    if run.isascii():
        return _PART.findall(run)
    return _unicode_parts(run)


def _unicode_parts(run: str) -> list[str]:
    """Cut where letters meet digits and where a lower-case letter meets a capital."""
    parts, start = [], 0
    for i in range(1, len(run)):
        before, here = run[i - 1], run[i]
        if before.isdigit() != here.isdigit() or (here.isupper() and before.islower()):
            parts.append(run[start:i])
            start = i
    parts.append(run[start:])
    return parts


def _runs(word: str) -> list[tuple[str, ...]]:
    """A word that mixes scripts: bigrams of the unspaced runs, the rest as words."""
    out, at = [], 0
    for match in _UNSPACED.finditer(word):
        if match.start() > at:
            out.append(_latin(word[at : match.start()].strip("_")))
        out.append(_bigrams(match.group()))
        at = match.end()
    if at < len(word):
        out.append(_latin(word[at:].strip("_")))
    return out


def _bigrams(run: str) -> tuple[str, ...]:
    """Overlapping pairs; a lone character stands for itself, since it is a word there."""
    if len(run) == 1:
        return (run,)
    return tuple(run[i : i + 2] for i in range(len(run) - 1))
