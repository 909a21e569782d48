"""The result of eval -> an SVG picture: accuracy a family, and the two bands of g with the floor between them. Pure.

Written by hand: a dozen shapes need no library, and a text file opens in every browser.
"""

from loci_client.render import maps, plain
from loci_client.wire import Body

from .measured import number, percent, title

WIDTH, LEFT, RIGHT = 760, 150, 130
ROW, BAR = 30, 18
STEP, TOP_G = 0.1, 3.0  # width of a column of the bands; what is beyond stands in the last one
BAND = 120  # height of the highest column
INK, FAINT, PAPER = "#1f2933", "#6b7783", "#ffffff"
YES, NO, LINE = "#2b6cb0", "#c05621", "#1f2933"  # told apart also without colour: one band stands, the other hangs
AXIS = "g: share of the question that one passage holds × √ of its words; heights: shares of each kind"
INNER = WIDTH - LEFT - RIGHT


def svg(result: Body) -> str:
    """The picture as one SVG document."""
    families = maps(result.get("families"))
    bands = result.get("bands")
    given = bands if isinstance(bands, dict) else {}
    upper, height = _families(families, result)
    lower, height = _bands(given, result, height + 40)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    style = ' font-family="system-ui, DejaVu Sans, sans-serif" font-size="13"'
    paper = f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    return "\n".join([f"{head}{style}>", paper, *upper, *lower, "</svg>"]) + "\n"


# ---- the families ------------------------------------------------------------------------------------------


def _families(families: list[Body], result: Body) -> tuple[list[str], int]:
    """The shapes, and where they end."""
    scopes, chance = result.get("scopes"), result.get("chance")
    shapes = [_text(20, 32, "How well questions find their project", size=17, weight="bold")]
    shapes.append(_text(20, 52, f"projects: {scopes}; questions with known answers; dashed: guessing", fill=FAINT))
    top = 72
    for row, family in enumerate(families):
        shapes += _row(family, top + ROW * row)
        if isinstance(chance, int | float) and family.get("scopes") is not None:  # what is refused is not guessed
            x, y = LEFT + INNER * chance, top + ROW * row
            shapes.append(_line(x, y - 3, x, y + BAR + 3, dash=True))
    return shapes, top + ROW * len(families)


def _row(family: Body, y: int) -> list[str]:
    n = int(family.get("n") or 0)
    share = int(family.get("correct") or 0) / n if n else 0.0
    return [
        _text(LEFT - 10, y + 14, title(family.get("family")), anchor="end"),
        _rect(LEFT, y, INNER, BAR, "#e8edf2"),
        _rect(LEFT, y, INNER * share, BAR, YES),
        _text(LEFT + INNER + 8, y + 14, f"{percent(share)} of {n}"),
    ]


# ---- the bands ---------------------------------------------------------------------------------------------


def _bands(bands: Body, result: Body, y: int) -> tuple[list[str], int]:
    """The shapes, and where they end: what should be answered stands on the axis, what should not hangs from it."""
    good, bad = _numbers(bands.get("routable")), _numbers(bands.get("unroutable"))
    highest = max([*_shares(good), *_shares(bad), 0.01])
    axis = y + 56 + BAND
    shapes = [_text(20, y, "What a question brings, and the floor", size=17, weight="bold")]
    shapes.append(_text(20, y + 20, _separated(result), fill=FAINT))
    shapes += _columns(_shares(good), axis, -BAND / highest, YES)
    shapes += _columns(_shares(bad), axis, BAND / highest, NO)
    shapes += _axis(axis)
    shapes += _floor(result.get("floor"), axis)
    shapes.append(_text(WIDTH - RIGHT, axis - BAND + 6, f"{len(good)} that should be answered", anchor="end", fill=YES))
    shapes.append(_text(WIDTH - RIGHT, axis + BAND, f"{len(bad)} that should be refused", anchor="end", fill=NO))
    shapes.append(_text(LEFT, axis + BAND + 44, AXIS, fill=FAINT, size=11))
    return shapes, axis + BAND + 62


def _separated(result: Body) -> str:
    share = result.get("separation")
    return f"in {percent(share)} of pairs the question that should be answered brings more" if share else ""


def _columns(shares: list[float], axis: float, scale: float, fill: str) -> list[str]:
    """A column a step of g, upwards for a negative scale."""
    width = _x(STEP) - _x(0)
    shapes = []
    for place, share in enumerate(shares):
        height = abs(share * scale)
        if height:
            y = axis - height if scale < 0 else axis
            shapes.append(_rect(_x(place * STEP) + 0.5, y, width - 1, height, fill))
    return shapes


def _axis(axis: float) -> list[str]:
    shapes = [_line(_x(0), axis, _x(TOP_G), axis)]
    for half in range(int(TOP_G * 2) + 1):
        g = half / 2
        label = f"{g:g}" if g < TOP_G else f"{g:g} and more"
        shapes.append(_text(_x(g), axis + BAND + 22, label, anchor="middle", fill=FAINT, size=11))
        shapes.append(_line(_x(g), axis + BAND + 6, _x(g), axis + BAND + 10))
    return shapes


def _floor(floor: object, axis: float) -> list[str]:
    if not isinstance(floor, int | float):
        return []
    x, top = _x(floor), axis - BAND - 14
    label = f"refused below the floor, {number(floor)}"
    return [_line(x, top + 4, x, axis + BAND, dash=True), _text(x - 6, top + 12, label, anchor="end", size=12)]


def _shares(values: list[float]) -> list[float]:
    """The share of values in each step of g; what lies beyond the axis is in the last one."""
    steps = round(TOP_G / STEP)
    counts = [0] * steps
    for value in values:
        counts[max(0, min(steps - 1, int(value / STEP + 1e-9)))] += 1
    return [count / max(1, len(values)) for count in counts]


def _numbers(value: object) -> list[float]:
    return [float(item) for item in value if isinstance(item, int | float)] if isinstance(value, list | tuple) else []


def _x(g: float) -> float:
    return LEFT + INNER * g / TOP_G


# ---- shapes ------------------------------------------------------------------------------------------------


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, dash: bool = False) -> str:
    dashes = ' stroke-dasharray="4 3"' if dash else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{LINE}"{dashes}/>'


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", fill: str = INK, size: int = 13, weight: str = "normal"
) -> str:
    safe = plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="{fill}" font-size="{size}" font-weight="{weight}">{safe}</text>'
