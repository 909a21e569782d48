"""The scripts of a Vue or Svelte component, at the lines where they stand. Pure."""

from __future__ import annotations

import re

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script\s*>", re.S | re.I)
_TYPED = re.compile(r"""\blang\s*=\s*["']?(?:ts|typescript|tsx)\b""", re.I)


def scripts(text: str) -> tuple[str, str]:
    """(language, source): all scripts of a component with as many lines before each as the file has; ('', '') for none."""
    out, lines, typed = [], 0, False
    for match in _SCRIPT.finditer(text):
        before = text.count("\n", 0, match.start(2))
        out.append("\n" * (before - lines) + match[2])
        lines = before + match[2].count("\n")
        typed = typed or bool(_TYPED.search(match[1]))
    if not out:
        return "", ""
    return "typescript" if typed else "javascript", "".join(out)
