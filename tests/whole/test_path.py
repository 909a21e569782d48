"""From a fresh home to a cited answer, with the real command, the real daemon, real git and real stores."""

import json
import os
import subprocess
import sys

import pytest

from tests.daemons.homes import LOCI, wait_until


def lines_of(root, hit):
    with open(os.path.join(root, hit["path"]), encoding="utf-8") as file:
        return "\n".join(file.read().split("\n")[hit["line_start"] - 1 : hit["line_end"]])


def test_an_answer_cites_lines_that_are_there(machine, two):
    """The question goes to the project it is about, and every hit's range holds the hit's text."""
    answer = machine.ask("how long is the wait between attempts after a broken connection?")
    assert answer["outcome"] == "answered"
    scope = answer["scopes"][0]
    assert scope["id"] == "queue" and scope["root"] == two[0].root
    files = [h for h in scope["hits"] if h["path"]]
    assert files[0]["path"] == "src/retry.py"
    assert all(lines_of(scope["root"], h) == h["text"] for h in files)
    assert "src/retry.py:" in answer["text"]


def test_the_stamp_names_what_was_indexed(machine, two):
    """Commit, branch and generation of the stamp are the repository's, and the answer is not stale."""
    stamp = machine.ask("how is the sourdough proofed in a basket?")["scopes"][0]["stamp"]
    head = two[1].git("rev-parse", "HEAD").strip()
    assert (stamp["commit"], stamp["branch"], stamp["dirty"], stamp["stale"]) == (head, "main", False, False)
    assert stamp["generation"] > 0 and stamp["age_ms"] >= 0


def test_history_answers_why(machine, two):
    """A commit's message is cited with its hash and no path."""
    answer = machine.ask("why did the broker fall over when workers came back at once?")
    commits = [h for h in answer["scopes"][0]["hits"] if h["kind"] == "commit"]
    assert [h["commit"] for h in commits] == [two[0].git("rev-parse", "HEAD").strip()]
    assert commits[0]["path"] is None and "broker fell over" in commits[0]["text"]


def test_what_nobody_holds_is_refused(machine, two):
    """An abstention ends with 1, has a reason and advice, and cites nothing."""
    answer = machine.ask("when is the next meteor shower visible from Europe?", status=1)
    assert (answer["outcome"], answer["reason"], answer["scopes"]) == ("abstained", "no_evidence", [])
    assert answer["advice"]


def test_a_place_settles_what_points(machine, two):
    """`here` needs a place: without one it is refused, inside a project it is that project's."""
    assert machine.ask("how is the delay computed here?", status=1)["reason"] == "deictic"
    inside = os.path.join(two[0].root, "src")
    assert machine.ask("how is the delay computed here?", cwd=inside)["scopes"][0]["id"] == "queue"


def test_a_change_is_told_and_then_indexed(machine, two):
    """A cited file that changed makes the answer stale and is named; after `index` the new text is cited."""
    question = "how long is the wait between attempts after a broken connection?"
    two[0].write("src/retry.py", RETRY_SLOWER)
    stamp = machine.ask(question)["scopes"][0]["stamp"]
    assert stamp["stale"] and "src/retry.py" in stamp["pending"]
    (row,) = machine.json("index", "queue", "--wait")["scopes"]
    assert row["files"]["changed"] == 1 and row["files"]["new"] == 0
    scope = machine.ask(question)["scopes"][0]
    assert not scope["stamp"]["stale"] and scope["stamp"]["dirty"]
    assert "quarter of a minute" in scope["hits"][0]["text"]


RETRY_SLOWER = '''def retry_delay(attempt):
    """The wait between attempts after a broken connection is a quarter of a minute."""
    return 15.0
'''


def test_a_restart_reads_nothing_again(machine, two):
    """After a restart the same question is answered at the same generation, and no indexer ran."""
    question = "how is the sourdough proofed in a basket?"
    before = machine.ask(question)["scopes"][0]["stamp"]["generation"]
    machine.run("daemon", "restart")
    assert machine.ask(question)["scopes"][0]["stamp"]["generation"] == before
    assert all(s["last"] is None for s in machine.json("status")["scopes"])


def test_nothing_is_written_into_a_repository(machine, two):
    """Files, modification times and git's own index are what they were before indexing and asking."""
    before = [tree(r.root) for r in two]
    machine.run("index", "--force", "--wait")
    machine.ask("how is the sourdough proofed in a basket?")
    assert [tree(r.root) for r in two] == before


def tree(root):
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            info = os.lstat(os.path.join(folder, name))
            found[os.path.join(folder, name)] = (info.st_size, info.st_mtime_ns, info.st_ino)
    return found


def test_a_removed_scope_is_gone(machine, two):
    """After `rm` the scope is no longer listed, asked or stored; the repository is untouched."""
    before = tree(two[1].root)
    machine.run("rm", "bakery")
    assert [s["id"] for s in machine.json("scopes")["scopes"]] == ["queue"]
    assert os.listdir(os.path.join(machine.paths.base, "scopes")) == ["queue"]
    assert machine.ask("how is the sourdough proofed in a basket?", status=1)["outcome"] == "abstained"
    assert tree(two[1].root) == before
    machine.run("add", two[1].root)
    machine.run("index", "--wait")
    assert machine.ask("how is the sourdough proofed in a basket?")["scopes"][0]["id"] == "bakery"


def test_secrets_reach_neither_answers_nor_disk(machine):
    """A key in code and in a commit message stands in no file of the home, no log and no answer."""
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    repo = machine.repository("leaky")
    repo.write("deploy.py", f'def deploy():\n    """Deploys with the token of the robot."""\n    token = "{key}"\n')
    repo.commit(f"Rotate the robot's token\n\nIt was {key} before.")
    machine.run("setup", machine.code, "-y")
    answer = machine.ask("where is the token of the robot that deploys?")
    assert "[REDACTED:" in json.dumps(answer) and key not in json.dumps(answer)
    machine.ask(f"what is {key}", status=1)
    found = subprocess.run(["grep", "-rl", key, machine.paths.home], capture_output=True, text=True, check=False)
    assert found.stdout == ""
    (row,) = machine.json("status")["scopes"]
    assert sum(row["redactions"].values()) >= 2
    assert any(c["check"] == "redaction" for c in machine.json("doctor")["checks"])


def test_the_main_job_needs_no_network(machine):
    """With the network cut, setup, index and ask work."""
    cut = ["unshare", "-n"] if os.getuid() == 0 else ["unshare", "-rn"]
    if subprocess.run([*cut, "true"], capture_output=True, check=False).returncode:
        pytest.skip("unshare -n is not allowed here")
    repo = machine.repository("island")
    repo.write("a.py", "def lighthouse_keeper():\n    return 'alone with the fog horn'\n")
    repo.commit("Build a lighthouse")
    for args in (["setup", machine.code, "-y"], ["ask", "what calls lighthouse_keeper?", "--cwd", "/"]):
        done = subprocess.run([*cut, *LOCI, *args], env=machine.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (done.stdout, done.stderr)
    assert "a.py:" in done.stdout


def test_an_indexer_that_is_killed_is_started_again(machine, two):
    """kill -9 of the indexer in the middle of a run loses nothing: the run is tried again, and the daemon lives."""
    for number in range(600):
        two[0].write(f"many/f{number}.py", "\n".join(f"def made_{number}_{i}():\n    return {i}\n" for i in range(60)))
    daemon = machine.hello()["pid"]
    running = machine.loci_begin("index", "queue", "--wait", "--json")
    wait_until(lambda: machine.is_indexing("queue"), "the run")
    os.kill(wait_until(lambda: machine.child("indexer"), "an indexer"), 9)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 0, (out, err)
    assert machine.hello()["pid"] == daemon
    assert machine.ask("what calls made_599_59?")["scopes"][0]["hits"][0]["path"] == "many/f599.py"
    assert "died" in machine.log()


def test_children_end_with_the_daemon(machine, two):
    """After kill -9 of the daemon its indexer and parsers are gone too, and the next question is answered."""
    machine.run("index", "--force", "--wait")
    assert machine.child("indexer") and machine.child("parser")
    os.kill(machine.hello()["pid"], 9)
    wait_until(lambda: not machine.daemons(), "the end of the children")
    assert machine.ask("how is the sourdough proofed in a basket?")["outcome"] == "answered"


def test_stop_while_indexing_ends_soon_and_goes_on_later(machine, two):
    """`stop` in the middle of a run leaves no process; the next daemon's run ends with everything indexed."""
    for number in range(600):
        two[0].write(f"many/f{number}.py", "\n".join(f"def made_{number}_{i}():\n    return {i}\n" for i in range(60)))
    running = machine.loci_begin("index", "queue", "--wait")
    wait_until(lambda: machine.is_indexing("queue"), "the run")  # not before: what comes after a stop starts a daemon
    machine.run("daemon", "stop")
    running.communicate(timeout=120)
    assert running.returncode in (0, 3)  # a short run may end while the daemon drains
    wait_until(lambda: not machine.daemons(), "the end of all processes")  # nor does the client start another
    machine.run("index", "queue", "--wait")
    assert machine.ask("what calls made_599_59?")["scopes"][0]["hits"][0]["path"] == "many/f599.py"


def test_the_same_interpreter_runs_the_children(machine, two):
    """Children are started by the daemon's own interpreter, without the asker's folder on their path."""
    machine.run("index", "--force", "--wait")
    with open(f"/proc/{machine.child('indexer')}/cmdline", "rb") as file:
        words = file.read().split(b"\0")
    assert words[:4] == [os.fsencode(sys.executable), b"-P", b"-m", b"locid"]


@pytest.mark.parametrize("damage", ["empty", "half", "noise", "directory"])
def test_a_damaged_store_harms_no_other_and_heals(machine, two, damage):
    """With one scope's store.db destroyed the other answers at once, and the next index run rebuilds it."""
    machine.run("daemon", "stop")
    path = os.path.join(machine.paths.base, "scopes", "bakery", "store.db")
    with open(path, "rb") as file:
        data = file.read()
    os.remove(path)
    if damage == "directory":
        os.mkdir(path)
    else:
        with open(path, "wb") as file:
            file.write({"empty": b"", "half": data[: len(data) // 2], "noise": os.urandom(len(data))}[damage])
    assert machine.ask("how long is the wait between attempts after a broken connection?")["scopes"][0]["id"] == "queue"
    machine.run("index", "--wait")
    assert machine.ask("how is the sourdough proofed in a basket?")["scopes"][0]["id"] == "bakery"


def test_a_damaged_registry_is_moved_aside(machine, two):
    """A registry that SQLite cannot read is kept, its copy takes its place, and the daemon says so."""
    machine.run("daemon", "stop")
    with open(os.path.join(machine.paths.base, "registry.db"), "wb") as file:
        file.write(b"no database at all" * 1000)
    assert [scope["id"] for scope in machine.json("scopes")["scopes"]] == ["bakery", "queue"]
    assert any("registry" in warning for warning in machine.hello()["warnings"])
    assert any("damaged" in name for name in os.listdir(machine.paths.base))
    assert machine.ask("how is the sourdough proofed in a basket?")["scopes"][0]["id"] == "bakery"


def test_rm_in_the_middle_of_a_run_and_add_again(machine, two):
    """A scope that is removed while it is indexed, and added again at once, ends indexed."""
    for number in range(400):
        two[0].write(f"many/f{number}.py", "\n".join(f"def made_{number}_{i}():\n    return {i}\n" for i in range(60)))
    running = machine.loci_begin("index", "queue", "--wait")
    wait_until(lambda: machine.is_indexing("queue"), "the run")
    machine.run("rm", "queue")
    running.communicate(timeout=120)
    machine.run("add", two[0].root)
    machine.run("index", "queue", "--wait")
    assert machine.ask("what calls made_399_59?")["scopes"][0]["hits"][0]["path"] == "many/f399.py"
    assert sorted(os.listdir(os.path.join(machine.paths.base, "scopes"))) == ["bakery", "queue"]


def test_the_whole_machine_is_no_project(machine):
    """`add /` is refused with a sentence that says what to do instead."""
    done = machine.loci("add", "/")
    assert done.returncode == 2 and "loci scan /" in done.stderr


def test_the_first_question_after_a_start_is_answered(machine, two):
    """A question that starts the daemon waits for what is indexed; it never says that nothing is."""
    for _ in range(5):
        machine.run("daemon", "stop")
        assert machine.ask("how is the sourdough proofed in a basket?")["outcome"] == "answered"


def test_what_changed_recently_is_told_newest_first(machine, two):
    """Asked inside a project what changed recently, the newest commits come first."""
    two[0].commit("Third: bring the zebra")
    machine.run("index", "queue", "--wait")
    answer = machine.ask("what changed recently here?", cwd=two[0].root)
    assert answer["scopes"][0]["hits"][0]["text"].startswith("Third")


def test_an_overview_begins_with_the_readme(machine, two):
    """A question that says nothing but `this project` gets how the README begins."""
    answer = machine.ask("what is this?", cwd=two[1].root)
    assert answer["scopes"][0]["hits"][0]["path"] == "README.md"


def test_sync_brings_the_index_up_to_date_first(machine, two):
    """With --sync an answer sees an edit that nobody indexed."""
    two[0].write("src/retry.py", RETRY_SLOWER)
    question = "how long is the wait between attempts after a broken connection?"
    scope = machine.json("ask", question, "--cwd", "/", "--sync")["scopes"][0]
    assert "quarter of a minute" in scope["hits"][0]["text"] and not scope["stamp"]["stale"]


def test_a_copy_is_cited_once(machine, two):
    """Passages of a second work tree of the same repository are not cited twice."""
    two[1].git("worktree", "add", "-q", os.path.join(machine.code, "bakery2"), "-b", "other")
    machine.run("setup", machine.code, "-y")
    answer = machine.ask("how is the sourdough proofed in a basket?")
    texts = [h["text"] for s in answer["scopes"] for h in s["hits"]]
    assert len(texts) == len(set(texts))


def test_control_characters_are_shown_not_obeyed(machine):
    """Escape sequences in a file's text and name reach no terminal."""
    repo = machine.repository("evil")
    repo.write("a\x1b]0;name\x07.py", "def walrus_feeder():\n    return '\x1b]0;pwned\x07\x1b[2J'\n")
    repo.commit("Feed the walrus\n\n\x1b[31mred")
    machine.run("setup", machine.code, "-y")
    for args in (["ask", "what calls walrus_feeder?", "--cwd", "/"], ["scopes"], ["route", "walrus_feeder"]):
        done = machine.loci(*args)
        assert "\x1b" not in done.stdout and "\x07" not in done.stdout
