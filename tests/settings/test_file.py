"""config.toml: what is wrong costs a sentence with its line; an edit keeps everything else."""

import os
import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locid.config import KEYS, Settings, directories
from locid.errors import BadRequest, Refused
from locid.settings import File
from tests.daemons.homes import ROOT

TEXT = """# mine
log_level = "debug"   # while I look # into it

# big files
'max_file_bytes' = 5_000

[later]
log_level = "x"
"""


@pytest.fixture
def file(tmp_path):
    return File(str(tmp_path / "config.toml"))


def write(file, text):
    with open(file.path, "w", encoding="utf-8", errors="surrogateescape") as out:
        out.write(text)


def read(file):
    with open(file.path, encoding="utf-8") as lines:
        return lines.read()


def test_without_a_file_the_defaults_hold(file):
    assert file.load().settings == Settings() and file.load().problems == ()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('\nlog_levle = "info"\n', 2, "there is no setting log_levle"),
        ('log_level = "loud"\n', 1, "must be one of debug"),
        ("max_file_bytes = 10\n", 1, "from 1000 to"),
        ("# x\nmax_file_bytes = true\n", 2, "not true"),
        ("max_file_bytes = 2000.5\n", 1, "a whole number"),
        ("max_file_bytes = nan\n", 1, "a whole number"),
        ("indexer_linger_s = nan\n", 1, "a number"),
        ("memory_budget_mb = [1]\n", 1, "a whole number"),
        ("max_file_bytes = 2000\n[max]\na = 1\n", 2, "there is no setting max"),
    ],
)
def test_what_is_wrong_is_one_sentence_with_its_line(file, text, line, words):
    """The other settings hold, and the wrong one has its default."""
    write(file, text)
    loaded = file.load()
    (problem,) = loaded.problems
    assert f"config.toml, line {line}: " in problem.sentence and words in problem.sentence
    assert "\n" not in problem.sentence
    assert getattr(loaded.settings, problem.key, None) in (KEYS[problem.key].default if problem.key in KEYS else None,)


@pytest.mark.parametrize(
    ("text", "words"), [("a = 1\nb = = 2\n", "line 2 is no TOML"), ("a = '", "is no TOML"), ("\udcff", "UTF-8")]
)
def test_a_file_that_is_no_toml_counts_as_empty(file, text, words):
    """One sentence; all defaults hold; and it is not edited."""
    write(file, text)
    loaded = file.load()
    assert loaded.settings == Settings() and len(loaded.problems) == 1 and words in loaded.problems[0].sentence
    with pytest.raises((Refused, Exception), match=words):
        file.set("log_level", "info")


def test_an_edit_keeps_comments_order_and_tables(file):
    """One line changes, with its comment; a new key goes before the first table; --unset takes a line out."""
    write(file, TEXT)
    file.set("log_level", "warning")
    file.set("max_file_bytes", "7000")
    file.set("indexer_linger_s", "2")
    assert read(file) == TEXT.replace('"debug"', '"warning"', 1).replace("5_000\n", "7000\nindexer_linger_s = 2.0\n")
    file.unset("indexer_linger_s")
    file.unset("later")
    assert "later" not in read(file) and file.load().problems == ()


def test_a_line_that_only_a_person_should_edit_is_refused(file):
    """A key inside a text of several lines is not the key."""
    write(file, 'note = """\nlog_level = 1\n"""\nlog_level = "info"\n')
    with pytest.raises(Refused, match="by hand"):
        file.set("log_level", "debug")
    assert file.load().settings.log_level == "info"


@given(st.sampled_from(sorted(KEYS)), st.text(max_size=20))
def test_no_value_breaks_the_file(tmp_path_factory, key, value):
    """Whatever is typed, it is refused or the file says it."""
    file = File(str(tmp_path_factory.mktemp("c") / "config.toml"))
    write(file, TEXT)
    try:
        file.set(key, value)
    except BadRequest:
        assert read(file) == TEXT
        return
    assert tomllib.loads(read(file))[key] == file.load().given[key]


def test_a_link_to_the_file_stays_one(file, tmp_path):
    """As people do who keep their settings in a repository."""
    os.symlink(tmp_path / "real.toml", file.path)
    file.set("log_level", "debug")
    assert os.path.islink(file.path) and (tmp_path / "real.toml").read_text() == 'log_level = "debug"\n'


def test_the_document_is_the_code():
    """Every key with its type, default, what it takes and when it is followed; no other."""
    with open(os.path.join(ROOT, "docs/configuration.md"), encoding="utf-8") as text:
        rows = re.findall(r"^\| `(\w+)` \| (\w+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|", text.read(), re.M)
    kept = [
        (k.name, k.kind.__name__, str(k.default), k.expected, "restart" if k.restart else "at once")
        for k in KEYS.values()
    ]
    assert [tuple(map(str.strip, row)) for row in rows] == kept


def test_the_settings_lie_in_the_home_that_was_chosen(tmp_path):
    assert directories({"LOCI_HOME": str(tmp_path)}).config == str(tmp_path / "locid")
    assert directories({}).config.endswith("loci")
