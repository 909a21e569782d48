"""A run brings the stores to what lies on disk, reads only what changed, and loses nothing to what it cannot see."""

import os
import re
import shutil

import msgpack
import pytest

from locid import db
from locid.episodes import lexical
from locid.episodes.lexical import ShelfReader
from locid.episodes.terms import TermsReader, key_array
from locid.errors import Unavailable
from locid.layout import Layout
from locid.refresh import parser
from locid.refresh.reindex import Reindex
from locid.registry.store import Registry
from locid.scopestore import Reader
from locid.snapshot import Snapshots


class Inline:
    """The parse workers' code in this process, through the same bytes."""

    def __init__(self):
        self.files = 0

    def map(self, requests):
        for request in requests:
            self.files += len(request.get("stats", ()))
            reply = msgpack.packb(parser.answer(msgpack.unpackb(msgpack.packb(request))))
            yield msgpack.unpackb(reply)


class Indexed:
    """A registered scope and what a test asks of its stores."""

    def __init__(self, layout, scope):
        self.layout, self.scope, self.parsers = layout, scope, Inline()

    def run(self, **options):
        self.parsers.files = 0
        run = Reindex(self.layout, self.scope, self.parsers, lambda *progress: None, 1_000_000)
        try:
            return run.run(**options)
        finally:
            run.close()

    def shelf(self, shelf=lexical.CHUNKS):
        return ShelfReader(self.layout.lexical(self.scope.id), shelf)

    def told(self, stem):
        """Of how many files the past holds a stem."""
        query = lexical.present(lexical.FILES, {(field, stem): 1.0 for field in lexical.PAST})
        return len(self.shelf(lexical.FILES).search(query, 100))

    def counted(self, word):
        """In how many passages a word stands, as the table of terms has it."""
        table = TermsReader(self.layout.lexical(self.scope.id), self.reader().generation)
        return int(table.counts(key_array("x", [word]))[0])

    def reader(self):
        return Reader(self.layout.store_db(self.scope.id))

    def holds(self, word, shelf=lexical.CHUNKS):
        return self.shelf(shelf).frequency("body_x", word) > 0


@pytest.fixture
def repo(repository):
    made = repository()
    made.write("src/app.py", "def alpha_one():\n    return 1\n")
    made.write("README.md", "# Title\n\nSome words about zeppelins and their long slow flights over the sea.\n")
    made.commit("first: bring the zeppelins")
    return made


@pytest.fixture
def indexed(repo, tmp_path):
    layout = Layout(str(tmp_path / "home"))
    registry = Registry(layout)
    registry.scan([repo.root])
    made = Indexed(layout, registry.scopes[0])
    made.run()
    return made


def test_files_and_history_are_indexed(indexed):
    """After the first run source, documentation and commit messages are found, at the store's generation."""
    assert indexed.holds("alpha_one") and indexed.holds("zeppelins") and indexed.holds("bring", lexical.COMMITS)
    assert indexed.shelf().generation == indexed.reader().generation
    facts = indexed.reader().facts()
    assert (facts.files, facts.commits, facts.branch, facts.dirty) == (2, 1, "main", False)
    assert indexed.reader().complete


def test_a_second_run_reads_nothing(indexed):
    """Nothing changed, so nothing is parsed and the generation stays."""
    before = indexed.reader().generation
    outcome = indexed.run()
    assert (indexed.parsers.files, outcome.generation) == (0, before)


def test_only_what_changed_is_read(indexed, repo):
    """An edit, a new file and a deletion are one run over two files; the rest is not opened."""
    repo.write("src/app.py", "def beta_two():\n    return 2\n")
    repo.write("src/new.py", "def gamma_three():\n    return 3\n")
    os.remove(os.path.join(repo.root, "README.md"))
    outcome = indexed.run()
    assert indexed.parsers.files == 2
    assert (outcome.new, outcome.changed, outcome.removed) == (1, 1, 1)
    assert indexed.holds("beta_two") and indexed.holds("gamma_three")
    assert indexed.reader().facts().files == 2
    assert indexed.reader().facts().dirty


def test_a_touched_file_is_not_indexed_again(indexed, repo):
    """A new modification time with the same content changes no chunk."""
    before = indexed.reader().generation
    os.utime(os.path.join(repo.root, "src/app.py"), (1, 1))
    outcome = indexed.run()
    assert (outcome.new, outcome.changed) == (0, 0)
    assert indexed.reader().generation == before + 1
    assert indexed.run().generation == before + 1


def test_new_commits_are_added_and_rewritten_ones_dropped(indexed, repo):
    """A commit's message is found after it; after a rewrite the old one is gone and the new one there."""
    repo.write("src/app.py", "def alpha_one():\n    return 7\n")
    repo.commit("second: hurricane")
    indexed.run()
    assert indexed.holds("hurricane", lexical.COMMITS)
    repo.git("commit", "-q", "--amend", "-m", "second: tornado")
    indexed.run()
    assert indexed.holds("tornado", lexical.COMMITS)
    assert indexed.reader().facts().commits == 2


@pytest.mark.parametrize("damage", ["lexical", "meta", "commits", "files", "terms"])
def test_a_lost_index_is_rebuilt_from_the_store(indexed, damage):
    """Whatever of the derived index is deleted, the next run has it again, without reading a file."""
    folder = indexed.layout.lexical(indexed.scope.id)
    if damage == "lexical":
        shutil.rmtree(folder)
    elif damage == "meta":
        os.remove(os.path.join(folder, "chunks", "meta.json"))
    elif damage == "terms":
        os.remove(os.path.join(folder, f"terms-{indexed.reader().generation}"))
    else:
        shutil.rmtree(os.path.join(folder, damage))
    indexed.run()
    assert indexed.parsers.files == 0
    assert indexed.holds("alpha_one") and indexed.holds("bring", lexical.COMMITS)
    assert indexed.told("bring") == 2 and indexed.counted("alpha_one") == 1
    assert indexed.shelf().generation == indexed.reader().generation


def test_the_past_of_a_file_follows_its_commits(indexed, repo):
    """What commits said is told of the files that they touched, also when those were indexed before, until it is unsaid."""
    assert indexed.told("zeppelin") == 2
    repo.write("src/app.py", "def alpha_one():\n    return 7\n")
    indexed.run()
    repo.commit("second: hurricane")
    indexed.run()
    assert [indexed.told(w) for w in ("zeppelin", "hurrican")] == [2, 1]
    repo.git("commit", "-q", "--amend", "-m", "second: tornado")
    indexed.run()
    assert [indexed.told(w) for w in ("zeppelin", "hurrican", "tornado")] == [2, 0, 1]


def test_the_table_of_terms_follows_the_files(indexed, repo):
    """Counts are those of a fresh build after an edit, a deletion and a new file."""
    repo.write("src/app.py", "def beta_two():\n    return zeppelins\n")
    repo.write("src/new.py", "def gamma_three():\n    return zeppelins\n")
    os.remove(os.path.join(repo.root, "README.md"))
    indexed.run()
    assert [indexed.counted(w) for w in ("alpha_one", "beta_two", "zeppelins", "flights")] == [0, 1, 2, 0]


def test_any_file_of_the_index_may_be_lost(indexed):
    """Of each kind one is deleted: a daemon that starts opens the stores or asks for a run, which has all of it again."""
    folder = indexed.layout.lexical(indexed.scope.id)

    def files():
        found = [os.path.join(base, name) for base, _, names in os.walk(folder) for name in names]
        return {re.sub(r"[0-9a-f]{32}(\.\d+)?|(?<=terms-)\d+", "x", os.path.relpath(p, folder)): p for p in found}

    kinds = sorted(files())
    assert len(kinds) > 30
    for kind in kinds:
        if (path := files().get(kind)) is None:  # gone with what was rebuilt before
            continue
        os.remove(path)
        wanting = Snapshots(indexed.layout).load([indexed.scope.id])
        assert wanting in ([], [indexed.scope.id])
        indexed.run()
        assert indexed.parsers.files == 0, kind
        assert Snapshots(indexed.layout).load([indexed.scope.id]) == [], kind
        assert indexed.holds("alpha_one") and indexed.holds("bring", lexical.COMMITS) and indexed.told("bring"), kind


def test_a_store_ahead_of_its_index_is_healed(indexed, repo):
    """A kill between the two commits leaves the index behind; the next run brings it level."""
    from locid.scopestore import Batch, Store

    store = Store(indexed.layout.store_db(indexed.scope.id))
    store.apply(Batch(removed=["README.md"]))
    store.close()
    os.remove(os.path.join(repo.root, "README.md"))
    indexed.run()
    assert not indexed.holds("zeppelins") and indexed.holds("alpha_one")
    assert indexed.shelf().generation == indexed.reader().generation


def test_a_missing_root_keeps_its_index(indexed, repo):
    """A root that was moved away is unavailable; nothing of it is removed, and it comes back unharmed."""
    os.rename(repo.root, repo.root + ".away")
    with pytest.raises(Unavailable, match="is kept"):
        indexed.run()
    os.mkdir(repo.root)
    with pytest.raises(Unavailable, match="is kept"):
        indexed.run()
    assert indexed.holds("zeppelins")
    os.rmdir(repo.root)
    os.rename(repo.root + ".away", repo.root)
    assert indexed.run().removed == 0


def test_a_forced_run_reads_all_and_changes_no_answer(indexed):
    """`force` parses every file again and ends with the same passages."""
    before = indexed.reader().facts().chunks
    indexed.run(force=True)
    assert indexed.parsers.files == 2
    assert indexed.reader().facts().chunks == before


def test_the_log_of_the_store_does_not_grow_with_every_run(indexed, monkeypatch):
    """With a snapshot open all the time, as in a daemon, the write-ahead log is emptied again and again."""
    monkeypatch.setattr(db, "LOG_BYTES", 100_000)
    snapshots = Snapshots(indexed.layout)
    assert snapshots.load([indexed.scope.id]) == []
    sizes = []
    for _ in range(20):
        indexed.run(force=True)
        assert snapshots.refresh(indexed.scope.id)
        sizes.append(os.path.getsize(indexed.layout.store_db(indexed.scope.id) + "-wal"))
    assert max(sizes) <= 100_000 and sizes.count(0) > 1
    assert snapshots.view.snapshot(indexed.scope.id).generation == indexed.reader().generation


def test_odd_files_of_git_harm_nothing(indexed, repo):
    """A pipe in a ref's or the settings' place does not block, and the files are indexed without a history."""
    os.remove(os.path.join(repo.root, ".git/refs/heads/main"))
    os.mkfifo(os.path.join(repo.root, ".git/refs/heads/main"))
    from locid import git

    assert git.head(indexed.scope.git_dir, indexed.scope.common_dir) == (None, "main")
    os.remove(os.path.join(repo.root, ".git/config"))
    os.mkfifo(os.path.join(repo.root, ".git/config"))
    assert git.discover(repo.root).remote is None


def test_a_history_that_git_cannot_read_does_not_refuse_the_files(indexed, repo):
    """With a broken object in the history the files are still indexed, and the problem is told."""
    repo.write("src/new.py", "def delta_four():\n    return 4\n")
    repo.commit("third")
    for folder, _, names in os.walk(os.path.join(repo.root, ".git/objects")):
        for name in names:
            os.chmod(os.path.join(folder, name), 0o600)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(b"broken")
    indexed.run()
    assert indexed.holds("delta_four")
    assert any(reason.startswith("history") for reason in indexed.reader().facts().skipped)


def test_patterns_that_backtrack_do_not_hang(indexed, repo):
    """A rule that would take forever to match is left aside."""
    repo.write(".lociignore", "*a" * 30 + "x\n")
    repo.write("a" * 120 + ".py", "x = 1\n")
    assert indexed.run().new == 2
