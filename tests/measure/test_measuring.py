"""calibrate and eval through the command, on real stores; what stops them, and what that leaves."""

import json
import os
import shutil
import xml.etree.ElementTree as ET

import pytest

from locid.errors import Busy, Cancelled
from locid.route.thresholds import FLOOR, HIGHEST, LOWEST, loads
from tests.daemons.clients import Dealer, call, request
from tests.daemons.homes import wait_until

from .conftest import RIDDLES


class Asked:
    """A task that ends at the `last` question, when there is one."""

    def __init__(self, last=None, then=None):
        self.last, self.then, self.seen = last, then, []

    def check(self):
        pass

    def progress(self, stage, done, total, *, scope=None, unit=None):
        self.seen.append((stage, done, total, unit))
        if self.then and done == self.last:
            self.then()


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def test_setup_fits_and_says_so(told):
    """After setup the floor is fitted to the history of all scopes, kept on disk, and doctor has nothing to say of it."""
    shown = told.json("calibrate", "--show")
    fit = shown["fit"]
    assert shown["floor"] == loads(text(told.file)).floor and LOWEST <= shown["floor"] <= HIGHEST
    assert fit["routable"] >= 50 and fit["unroutable"] >= 50 and fit["scopes"] == ["ledger", "parser"]
    assert fit["quantile"] is not None and 0.9 < fit["abstained"] <= 1.0
    assert not [c for c in told.json("doctor")["checks"] if c["check"] == "thresholds"]
    assert os.stat(told.file).st_mode & 0o777 == 0o600


def test_the_same_stores_give_the_same(told):
    """Fitting twice, and measuring twice, ask the same questions and find the same."""
    first, second = told.json("calibrate"), told.json("calibrate")
    assert first["fit"].pop("at") <= second["fit"].pop("at") and first == second
    once, again = told.json("eval"), told.json("eval")
    assert once.pop("took_ms") > 0 and again.pop("took_ms") > 0 and once == again


def test_a_restart_keeps_what_was_fitted(told):
    """The next daemon reads it, and needs no fitting."""
    before = told.json("calibrate", "--show")
    told.run("daemon", "restart")
    assert told.json("calibrate", "--show") == before


def test_eval_measures_every_family(told):
    """Known answers, how many scopes came back, chance, and misses that name what was right."""
    found = told.json("eval")
    rows = {row["family"]: row for row in found["families"]}
    assert list(rows) == ["deictic_cwd", "deictic_nocwd", "unanswerable", "signature", "hidden_commit"]
    assert (found["scopes"], found["chance"], found["fitted"]) == (2, 0.5, True)
    assert rows["deictic_cwd"]["n"] == 2 * rows["deictic_nocwd"]["n"] == 16
    assert rows["unanswerable"]["correct"] > 0.9 * rows["unanswerable"]["n"] > 40
    assert rows["signature"]["n"] == 20 and rows["signature"]["correct"] == 20
    assert rows["signature"]["scopes"] >= 1 and rows["unanswerable"]["scopes"] is None
    assert sum(r["n"] - r["correct"] for r in rows.values()) == len(found["misses"])
    assert len(found["bands"]["routable"]) == rows["hidden_commit"]["n"] > 60
    assert len(found["bands"]["unroutable"]) == rows["unanswerable"]["n"]


def test_a_commit_does_not_answer_for_itself(told):
    """What only its own message and the changelog hold is refused in eval, though asked plainly it is answered."""
    misses = {m["question"]: m for m in told.json("eval")["misses"]}
    riddles = [q for q in RIDDLES if q in misses]
    assert riddles
    for question in riddles:
        assert (misses[question]["got"], misses[question]["right"]) == ([], ["ledger"])
        assert told.ask(question)["scopes"][0]["id"] == "ledger"


def test_the_floor_decides(told):
    """What a higher floor refuses a lower one answers; the file in the home is what a new daemon goes by."""
    questions = [f"{words} {noise}" for words in ("lexer comment", "voucher refund locks") for noise in NOISE]
    refused = {}
    for floor in (LOWEST, HIGHEST):
        told.run("daemon", "stop")
        content = {**json.loads(text(told.file)), "floor": floor}
        with open(told.file, "w", encoding="utf-8") as file:
            json.dump(content, file)
        assert told.json("calibrate", "--show")["floor"] == floor
        routes = {q: told.loci("route", q, "--cwd", "/", "--json") for q in questions}
        refused[floor] = {q for q, done in routes.items() if json.loads(done.stdout)["selected"] == []}
    assert refused[LOWEST] < refused[HIGHEST]
    told.run("calibrate")


NOISE = ("lock", "lock mottled", "summary mottled", "mottled", "early mottled ferrous", "printed ferrous", "lock a b c")


def test_the_table_and_the_misses_are_readable(told):
    """People read a row a family, the line of chance, and each miss with where it belongs."""
    shown = told.run("eval", "--misses")
    assert "guessing at random would be right in 50.0 %" in shown
    assert all(name in shown for name in ("deictic + cwd", "hidden commit", "upper bound"))
    assert "right: ledger" in shown
    assert "none labelled by hand" in told.run("calibrate")


def test_a_picture_is_drawn(told, tmp_path):
    """An SVG with a bar a family and both bands; anything else is refused before anything is measured."""
    path = str(tmp_path / "picture.svg")
    result = told.json("eval", "--plot", path)
    tree = ET.parse(path).getroot()
    assert tree.tag.endswith("svg")
    words = " ".join(node.text or "" for node in tree.iter() if node.tag.endswith("text"))
    assert "signature" in words and f"{result['floor']:.2f}" in words
    for wrong in ("picture.png", str(tmp_path), str(tmp_path / "no" / "picture.svg")):
        done = told.loci("eval", "--plot", wrong)
        assert (done.returncode, done.stdout) == (2, "") and "--plot" in done.stderr


def test_what_is_cancelled_leaves_everything_as_it_was(told, tmp_path):
    """A request that ends under way writes nothing, and the next one runs."""

    def cancel():
        raise Cancelled("enough")

    path = str(tmp_path / "thresholds.json")
    measuring = told.measuring(path)
    with pytest.raises(Cancelled):
        measuring.calibrate(Asked(20, cancel))
    assert measuring.fitted.fit is None and os.listdir(tmp_path) == []
    task = Asked()
    found = measuring.calibrate(task)
    assert measuring.fitted.fit == found == loads(text(path))
    total = found.routable + found.unroutable
    assert task.seen[0] == ("calibrate", 0, 0, "questions") and task.seen[-1] == (
        "calibrate",
        total - 1,
        total,
        "questions",
    )


def test_a_deadline_ends_it_in_the_daemon(told):
    """The daemon answers when time runs out, keeps what was fitted, and can be asked again."""
    before = text(told.file)
    client = Dealer(told.paths.socket())
    try:
        reply, _ = call(client, request("calibrate", deadline_ms=1))
        assert reply["error"]["code"] == "deadline"
        assert wait_until(lambda: "result" in call(client, request("eval", id=2))[0], "the end of the first")
    finally:
        client.close()
    assert text(told.file) == before


def test_two_at_once_are_refused(told, tmp_path):
    """The second is told to wait; the first goes on."""
    measuring = told.measuring(str(tmp_path / "thresholds.json"))

    def second():
        with pytest.raises(Busy, match="under way"):
            measuring.evaluate(Asked())

    assert measuring.calibrate(Asked(5, second)) == measuring.fitted.fit


def test_a_file_that_cannot_be_written_leaves_the_old_in_force(told):
    """One sentence, and the thresholds that were fitted before still hold."""
    before = told.json("calibrate", "--show")
    shutil.move(told.file, told.file + ".kept")
    os.mkdir(told.file)
    try:
        error = told.json("calibrate", status=3)["error"]
        assert error["code"] == "unavailable" and told.file in error["message"] and "still" in error["message"]
        assert told.json("calibrate", "--show")["floor"] == before["floor"]
    finally:
        os.rmdir(told.file)
        shutil.move(told.file + ".kept", told.file)


def test_too_little_history_keeps_the_default(machine, two):
    """Two projects with a commit each have nothing to fit to: said so, kept, and no reason for doctor to ask again."""
    shown = machine.json("calibrate", "--show")
    assert (shown["floor"], shown["fit"]["quantile"], shown["fit"]["routable"] < 5) == (FLOOR, None, True)
    assert "too little history" in machine.run("calibrate")
    assert not [c for c in machine.json("doctor")["checks"] if c["check"] == "thresholds"]
    folder = os.path.join(machine.dir, "notes")
    os.mkdir(folder)
    with open(os.path.join(folder, "a.md"), "w", encoding="utf-8") as file:
        file.write("# Notes\n\nWords of a folder that is no repository.\n")
    machine.run("add", folder)
    machine.run("index", "notes", "--wait")
    assert machine.json("eval")["scopes"] == 3 and machine.json("calibrate")["fit"]["scopes"][1] == "notes"


def test_nothing_to_measure(machine):
    """Without a project, and without an index, one sentence says what to do."""
    assert machine.json("calibrate", status=1)["error"]["code"] == "not_indexed"
    assert "loci setup" in machine.json("eval", status=1)["error"]["message"]
