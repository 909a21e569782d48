"""A commit's subject as a question: stripped of what no one would ask, refused when it says too little."""

import pytest

from locid.measure.subjects import said, topic


@pytest.mark.parametrize(
    ("subject", "question"),
    [
        ("fix(parser): keep comments before a token (#123)", "keep comments before a token"),
        ("feat!: drop the old cookie format", "drop the old cookie format"),
        ("[fish] Operate only on the line at the cursor", "Operate only on the line at the cursor"),
        ("Clarify match error of widget.raises (#13859)", "Clarify match error of widget.raises"),
        ("Teach widget about nested groups, fixes #12", "Teach about nested groups"),
        ("docs: Correct a try-catch example (fix #1558, #1777) (#2605)", "Correct a try-catch example"),
        ("Allow longer names in the Widget table", "Allow longer names in the table"),
        ("Add widget-extra to the plugin list", "Add widget-extra to the plugin list"),
        ("proxyutil: strip the port from the host header", "proxyutil: strip the port from the host header"),
        ("Respect the Python 3.14 rules for annotations", "Respect the Python 3.14 rules for annotations"),
    ],
)
def test_what_is_asked(subject, question):
    """Numbers, types of change and the project's own name go; words, identifiers and component names stay."""
    assert topic(subject, ["widget"]) == question


@pytest.mark.parametrize(
    "subject",
    [
        "Merge branch 'main' into stable/next",
        'Revert "Keep comments before a token"',
        "Bump actions/cache from 3 to 4",
        "build(deps): Bump serde from 1.0.1 to 1.0.2",
        "chore(deps): update dependency vite to v5.4.18 [security]",
        "Update cryptography from 42.0.5 to 42.0.6",
        "Version 0.23.0 (#1974)",
        "v2.28.1",
        "0.61.1",
        "release: v3.5.19",
        "Prepare the version for the next cycle",
        "Back to development: 4.1",
        "[pre-commit.ci] pre-commit autoupdate",
        "update all non-major dependencies",
        "Fix typos in several comments of the code",
        "fixup! keep comments before a token",
        "Fix widget",
        "use it",
        "—",
        "",
    ],
)
def test_what_is_not(subject):
    """Merges, reverts, releases, robots, typing errors, and subjects below three words that say something."""
    assert topic(subject, ["widget"]) is None


def test_a_subject_of_any_length_is_quick():
    """A subject that is a whole message is cut, whatever it is made of."""
    assert topic("prepare " * 20_000, ()) is None
    assert topic("fix: " * 20_000 + "a", ()) is None
    assert len(topic("alpha beta gamma " * 20_000, ()) or "") <= 300


def test_the_same_words_are_equal_however_written():
    """Case and punctuation do not tell texts apart, order does."""
    assert said("Keep `retry_limit`, always!") == said("keep retry_limit always")
    assert said("keep one") != said("one keep")
