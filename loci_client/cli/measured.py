"""Results of calibrate and eval -> text. Pure: values in, text out."""

from loci_client.render import Look, maps, plain, table
from loci_client.wire import Body

from .text import counted

TITLES = {
    "deictic_cwd": "deictic + cwd",
    "deictic_nocwd": "deictic, no cwd",
    "unanswerable": "unanswerable",
    "signature": "signature",
    "hidden_commit": "hidden commit",
}
ROUNDED = 0.0011  # the floor has three digits, and lies at most so far below the quantile unless it was held
OVERLAP = (
    "! The two overlap: {overlapping} of the {routable} score no higher than the highest of the others ({highest:.2f}),\n"
    "  so no floor divides them cleanly (of a pair, the one that should be answered scores higher in {pairs}).\n"
    "  That tells of your projects, not of a defect: questions of all kinds use their words. Stand in a project\n"
    "  when you ask, or name it with --scope.\n"
)
BOUND = """\
signature takes the words from the project itself, so it is an upper bound: questions in words that projects share do
worse, and a low score means that projects are alike. hidden commit comes nearest to real questions; some subjects
name no topic, and those nobody can place.
"""


def title(family: object) -> str:
    """A family's name for people."""
    return TITLES.get(str(family), plain(family))


def percent(share: object, digits: int = 1) -> str:
    """A share of 0..1 as `97.5 %`; `-` for none."""
    return f"{100 * share:.{digits}f} %" if isinstance(share, int | float) else "-"


def number(value: object, digits: int = 2) -> str:
    """A number with so many digits after the point; `-` for none."""
    return f"{value:.{digits}f}" if isinstance(value, int | float) else "-"


# ---- calibrate ---------------------------------------------------------------------------------------------


def calibrated(result: Body, look: Look) -> str:
    """The floor, what it was fitted from, how well it divides, and whether the two kinds overlap."""
    fit = result.get("fit")
    lines = [look.warn(f"! {plain(result['problem'])}") + "\n"] if result.get("problem") else []
    if not isinstance(fit, dict):
        floor = number(result.get("floor"))
        return "".join([*lines, f"never calibrated: the default floor, {floor}, holds; `loci calibrate` fits it\n"])
    lines += [_floor(result, fit, look), _samples(result, fit), _judges(fit)]
    if fit.get("overlapping"):
        highest = float(fit.get("highest_unroutable") or 0)
        pairs = percent(fit.get("separation"))
        lines.append("\n" + OVERLAP.format(**{**fit, "highest": highest, "pairs": pairs}))
    return "".join(lines)


def briefly(result: Body) -> str:
    """One line for who did more than calibrate."""
    fit, floor = result.get("fit"), number(result.get("floor"))
    subjects = int(fit.get("routable") or 0) if isinstance(fit, dict) else 0
    if not isinstance(fit, dict) or fit.get("quantile") is None:
        return f"not calibrated: {subjects} commit subjects are too few; the default floor, {floor}, holds\n"
    return f"calibrated: floor {floor}, from {subjects} commit subjects; `loci eval` measures it\n"


def _floor(result: Body, fit: Body, look: Look) -> str:
    floor, default, quantile = float(result.get("floor") or 0), number(result.get("default")), fit.get("quantile")
    low, high = (result.get("bounds") or [0.0, 0.0])[:2]
    if quantile is None:
        how = "the default: too little history to fit it to"
    elif abs(quantile - floor) < ROUNDED:
        how = f"fitted; the default is {default}"
    else:
        how = f"fitted: {number(quantile)}, held to {number(low)} to {number(high)}; the default is {default}"
    return f"floor        {look.bold(number(floor))}  ({how})\n"


def _samples(result: Body, fit: Body) -> str:
    routable, wanted = int(fit.get("routable") or 0), int(result.get("wanted") or 0)
    few = f"; {wanted} of the first are wanted, so it is a rough fit" if 0 < routable < wanted else ""
    text = f"{routable} commit subjects that should be answered and {fit.get('unroutable')} questions that should not"
    return f"fitted from  {text}, none labelled by hand{few}\n"


def _judges(fit: Body) -> str:
    first, second = percent(fit.get("refused")), percent(fit.get("abstained"))
    return f"judges right {percent(fit.get('right'))} of them: refuses {first} of the first, {second} of the second\n"


# ---- eval --------------------------------------------------------------------------------------------------


def evaluated(result: Body, look: Look) -> str:
    """The table of families with the line of chance above it and the caveat below."""
    scopes = int(result.get("scopes") or 0)
    how = "fitted to your history" if result.get("fitted") else "the default: `loci calibrate` fits it to your history"
    head = f"{counted(scopes, 'project')}; guessing at random would be right in "
    head += f"{percent(result.get('chance'))}. The floor is {number(result.get('floor'))}, {how}.\n\n"
    rows = [["family", "n", "correct", "scopes", "what it measures"]]
    for family in maps(result.get("families")):
        n = int(family.get("n") or 0)
        share = percent(int(family.get("correct") or 0) / n) if n else "-"
        cells = [f"{n:>4}", f"{share:>7}", f"{number(family.get('scopes'), 1):>6}", plain(family.get("measures"))]
        rows.append([title(family.get("family")), *cells])
    return head + table(rows, look) + "\n" + look.dim(BOUND.rstrip("\n")) + "\n"


def misses(result: Body, look: Look) -> str:
    """A question a line that went wrong, by family: where it went, and where it belongs."""
    found = maps(result.get("misses"))
    if not found:
        return look.good("nothing went wrong") + "\n"
    lines = []
    for family in dict.fromkeys(str(miss.get("family")) for miss in found):
        lines.append(look.bold(title(family)) + "\n")
        lines += [_miss(miss, look) for miss in found if str(miss.get("family")) == family]
    return "".join(lines)


def _miss(miss: Body, look: Look) -> str:
    got = ", ".join(plain(id) for id in miss.get("got") or []) or f"refused ({plain(miss.get('reason'))})"
    right = ", ".join(plain(id) for id in miss.get("right") or []) or "to be refused"
    return f"  {plain(miss.get('question'))}\n      {look.dim(f'went: {got}; right: {right}')}\n"
