"""Each check: the thing is broken, the row comes, the printed fix is run, and the row is gone."""

import glob
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

from locid.doctor import checks
from tests.conftest import WHO, Repository
from tests.daemons.homes import ROOT, wait_until


def rows(machine, check, scope=None):
    done = machine.loci("doctor", "--json")
    found = json.loads(done.stdout)["checks"]
    return [c for c in found if c["check"] == check and c["level"] != "ok" and scope in (None, c.get("scope"))]


def mend(machine, row):
    """Runs the fix as a person would, in a shell where `loci` is ours."""
    script = os.path.join(machine.dir, "ours", "loci")
    os.makedirs(os.path.dirname(script), exist_ok=True)
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"#!{sys.executable}\nfrom loci_client.cli.main import run\n\nrun()\n")
    os.chmod(script, 0o755)
    env = machine.env | WHO | {"PATH": os.path.dirname(script) + ":" + os.environ["PATH"], "EDITOR": "true"}
    env |= {"GIT_EDITOR": "echo why >", "GIT_ALLOW_PROTOCOL": "file"}
    done = subprocess.run(
        ["bash", "-c", row["fix"]], env=env, cwd=machine.dir, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, (row, done.stdout, done.stderr)


def mended(machine, check, scope=None):
    """The row of a broken thing, whose fix is run, after which there is none."""
    (row,) = rows(machine, check, scope)
    mend(machine, row)
    assert rows(machine, check, scope) == []
    return row


def test_never_indexed(machine):
    machine.run("scan", machine.repository("new").root)
    assert mended(machine, "indexed", "new")["level"] == "error"


def test_a_head_that_has_moved(machine, two):
    two[0].commit("Third: move on")
    assert mended(machine, "fresh", "queue")["level"] == "note"


def test_nothing_registered(machine):
    (row,) = rows(machine, "scopes")
    machine.repository("new").commit("one")
    mend(machine, {"fix": row["fix"].replace("DIR", machine.code)})
    assert rows(machine, "scopes") == []


def test_a_root_that_is_gone(machine, two):
    os.rename(two[0].root, two[0].root + "-moved")
    row = mended(machine, "root", "queue")
    assert row["level"] == "error" and "loci rm queue" in row["fix"]


def test_no_documentation(machine, two):
    (row,) = rows(machine, "documents", "queue")
    assert row["fix"] == f"write {two[0].root}/README.md" and rows(machine, "documents", "bakery") == []
    two[0].write("README.md", "# Queue\n\nWorkers take jobs from a queue and try again when it fails.\n")
    machine.run("index", "queue", "--wait")
    assert rows(machine, "documents") == []


def test_no_history(machine):
    machine.repository("new").write("a.md", "# A\n\nSome words about the north face.\n")
    machine.run("setup", machine.code, "-y")
    mended(machine, "history", "new")


def test_a_shallow_history(machine):
    """After the fix the older commits are known, although HEAD is the same."""
    deep = Repository(os.path.join(machine.dir, "deep"))
    for subject in ("dig a well for the goats", "second", "third"):
        deep.write("a.md", f"# {subject}\n\nWords about {subject}.\n")
        deep.commit(subject)
    deep.git("clone", "-q", "--depth", "1", f"file://{deep.root}", os.path.join(machine.code, "thin"))
    machine.run("setup", machine.code, "-y")
    mended(machine, "history", "thin")
    assert machine.json("status")["scopes"][0]["commits"] == 3


def test_a_language_without_a_grammar(machine, two):
    two[1].write("oven.hx", "class Oven {\n  function bake() {}\n}\n")
    machine.run("index", "bakery", "--wait")
    (row,) = rows(machine, "grammars")
    assert row["scope"] == "bakery" and "1 of Haxe" in row["finding"] and "fix" not in row


def test_quarantined_files(machine, two):
    """A file that an earlier version could not parse is read again by the fix."""
    machine.run("daemon", "stop")
    store = sqlite3.connect(os.path.join(machine.paths.base, "scopes/queue/store.db"))
    store.execute("delete from meta where key = 'summary'")
    store.execute("update files set skip = 'quarantined: ValueError' where path = 'src/retry.py'")
    store.commit()
    store.close()
    assert "1 left out: quarantined: ValueError" in mended(machine, "quarantine", "queue")["finding"]


def test_redactions(machine, two):
    two[0].write("src/key.py", "KEY = 'ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'\n")
    machine.run("index", "queue", "--wait")
    assert "1 " in rows(machine, "redaction", "queue")[0]["finding"]
    os.remove(os.path.join(two[0].root, "src/key.py"))
    machine.run("index", "queue", "--wait")
    assert rows(machine, "redaction") == []


def test_names_that_several_scopes_claim(machine):
    for place in ("one/api", "two/api", "three/api"):
        machine.repository(place).commit("one")
    machine.run("setup", machine.code, "-y")
    (row,) = rows(machine, "names")
    mend(machine, row)
    mended(machine, "names")
    assert rows(machine, "names") == []


def test_a_group_with_a_member_that_is_gone(machine, two):
    """It is kept, in case it comes back; when nobody else is in the group, that is said."""
    machine.run("group", "add", "queue", "bakery", "the team")
    machine.run("rm", "bakery")
    assert "empty" not in rows(machine, "groups")[0]["finding"]
    machine.run("rm", "queue")
    assert (
        "bakery, queue in the team: not registered any more, so the group is empty"
        in mended(machine, "groups")["finding"]
    )


def test_a_malformed_declaration(machine, two):
    """What is wrong is named; what is right and no scope yet is registered by the fix."""
    two[0].write(".loci.json", '{"scopes": [{"path": "src"}, {"path": "../bakery"}]}')
    wrong, new = sorted(rows(machine, "declaration", "queue"), key=lambda row: row["level"] == "note")
    assert "entry 2" in wrong["finding"] and wrong["fix"] == f"edit {two[0].root}/.loci.json"
    mend(machine, new)
    assert len(rows(machine, "declaration")) == 1
    two[0].write(".loci.json", '{"scopes": [{"path": "src"}]}')
    assert rows(machine, "declaration") == []
    assert "queue/src" in [s["id"] for s in machine.json("scopes")["scopes"]]


def test_a_scope_that_is_declared_no_more(machine, two):
    two[0].write(".loci.json", '{"scopes": [{"path": "src"}]}')
    machine.run("add", two[0].root)
    two[0].write(".loci.json", '{"scopes": []}')
    assert "does not name it any more" in mended(machine, "declaration", "queue/src")["finding"]
    assert [s["id"] for s in machine.json("scopes")["scopes"]] == ["bakery", "queue"]


def test_settings(machine):
    machine.run("config", "log_level", "debug")
    with open(os.path.join(machine.paths.base, "config.toml"), "a", encoding="utf-8") as file:
        file.write("colour = 1\n")
    assert "line 2" in mended(machine, "settings")["finding"]


def test_a_crash(machine, two):
    os.kill(machine.hello()["pid"], 9)
    wait_until(lambda: not machine.daemons(), "the end of the daemon")
    assert "crashed once" in mended(machine, "daemon")["finding"]


def test_a_socket_file_that_is_gone(machine):
    machine.run("daemon", "start")
    os.remove(machine.paths.socket_file)
    mended(machine, "socket")


def test_a_log_that_is_gone(machine):
    machine.run("daemon", "start")
    os.remove(machine.paths.log)
    mended(machine, "log")


def test_another_loci_first_on_the_path(machine):
    """The printed export puts ours first."""
    other = os.path.join(machine.dir, "other")
    os.mkdir(other)
    with open(os.path.join(other, "loci"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho another\n")
    os.chmod(os.path.join(other, "loci"), 0o755)
    machine.env["PATH"] = other + os.pathsep + os.environ["PATH"]
    ours = os.path.join(machine.dir, "ours", "loci")
    mend(machine, {"fix": "true"})

    def doctor(before=""):
        command = f"{before}\n{shlex.quote(ours)} doctor --json"
        done = subprocess.run(["bash", "-c", command], env=machine.env, capture_output=True, text=True, check=False)
        return re.findall(r'export PATH=\\"[^"]+\\":?[^"]*"?|"check": "path"', done.stdout), done.stdout

    found, text = doctor()
    assert '"check": "path"' in found and f"{other}/loci is another program" in text
    assert '"check": "path"' not in doctor(f'export PATH="{os.path.dirname(ours)}:$PATH"')[0]
    assert f"{os.path.dirname(ours)}:$PATH" in text


def test_little_disk_and_few_watches(tmp_path, monkeypatch):
    """Rows come below the limits and go above them."""
    inventory = SimpleNamespace(folders=80)
    standing = SimpleNamespace(
        layout=SimpleNamespace(base=str(tmp_path)),
        registry=SimpleNamespace(scopes=[SimpleNamespace(id="a")]),
        inventory=lambda id: inventory,
    )
    limit = tmp_path / "limit"
    monkeypatch.setattr(checks, "WATCH_LIMIT", str(limit))
    for watches, free, level in ((100, 5, 1), (200, 2_000_000_000, 0)):
        limit.write_text(f"{watches}\n")
        monkeypatch.setattr(shutil, "disk_usage", lambda path, free=free: SimpleNamespace(free=free))
        assert len(list(checks.watches(standing))) == len(list(checks.disk(standing))) == level
    limit.unlink()
    assert list(checks.watches(standing)) == []


def test_doctor_writes_nothing(machine, two):
    """No file of the home but the log changes."""

    def state():
        return {p: os.stat(p).st_mtime_ns for p in glob.glob(machine.paths.base + "/**", recursive=True)
                if "/log" not in p and not p.endswith(("-shm", "-wal"))}  # fmt: skip

    before = state()
    machine.loci("doctor")
    assert state() == before


def test_the_document_is_the_code():
    """Every check of the code is documented, and no other."""
    found = set()
    for path in ("locid/doctor/checks.py", "locid/lifecycle/health.py"):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            found |= set(re.findall(r'Check\(\s*"(\w+)"', file.read()))
    with open(os.path.join(ROOT, "docs/doctor.md"), encoding="utf-8") as file:
        assert set(re.findall(r"^\| `(\w+)`", file.read(), re.M)) == found | {"path"}


def test_never_calibrated(machine):
    machine.repository("new").commit("one")
    machine.run("scan", machine.code)
    assert rows(machine, "thresholds") == []  # with nothing indexed there is nothing to fit to
    machine.run("index", "--wait")
    assert mended(machine, "thresholds")["level"] == "note"


def test_thresholds_that_are_damaged(machine, two):
    path = os.path.join(machine.paths.base, "thresholds.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"format": 1, "floor"')
    machine.run("daemon", "restart")
    assert ["thresholds.json" in warning for warning in machine.hello()["warnings"]] == [True]
    row = mended(machine, "thresholds")
    assert row["level"] == "warning" and row["fix"] == "loci calibrate" and path in row["finding"]
    assert machine.hello()["warnings"] == []


def test_thresholds_of_other_projects(machine, two):
    machine.run("rm", "bakery")
    row = mended(machine, "thresholds")
    assert row["level"] == "note" and "other projects" in row["finding"]
