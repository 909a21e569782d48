"""Fault 14: what cannot be seen is not gone. An unreadable folder, an empty mount and a moved root keep what is stored."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.daemons.homes import ROOT

NOBODY = 65534


def counts(machine):
    """Files by scope."""
    return {s["id"]: s["files"] for s in machine.json("status")["scopes"]}


def test_a_root_that_moves_away_keeps_its_index(machine, two):
    """It is reported and stays registered; nothing outside is removed; it comes back unharmed."""
    before = counts(machine)
    os.rename(two[1].root, two[1].root + "-away")
    machine.loci("index", "--wait")
    assert counts(machine) == before
    states = {s["id"]: s["state"] for s in machine.json("scopes")["scopes"]}
    assert states == {"bakery": "unavailable", "queue": "ready"}
    assert [c["scope"] for c in machine.json("doctor", status=1)["checks"] if c["check"] == "root"] == ["bakery"]
    machine.run("scan", machine.code, "-y")
    assert machine.json("why", os.path.join(two[1].root, "README.md"), status=1)["reason"] == "unavailable"
    shutil.rmtree(two[1].root + "-away/.git")  # the copy that the scan has registered is another scope
    machine.loci("rm", "bakery-away")
    os.rename(two[1].root + "-away", two[1].root)
    machine.run("index", "bakery", "--wait")
    assert counts(machine) == before
    assert machine.ask("how is the sourdough proofed in a basket?")["scopes"][0]["id"] == "bakery"


def test_an_empty_mount_point_keeps_the_index(machine, two):
    """A root that is there and empty, as before a drive is mounted, removes nothing."""
    before = counts(machine)
    os.rename(two[1].root, two[1].root + "-away")
    os.mkdir(two[1].root)
    machine.loci("index", "bakery", "--wait")
    assert counts(machine) == before
    os.rmdir(two[1].root)
    os.rename(two[1].root + "-away", two[1].root)
    machine.run("index", "bakery", "--wait")
    assert counts(machine) == before


RUN = """
import os, sys
from locid.layout import Layout
from locid.refresh import parser
from locid.refresh.reindex import Reindex
from locid.registry.store import Registry
from locid.scopestore import Reader

class Inline:
    def map(self, requests):
        return (parser.answer(request) for request in requests)

root, home, user = sys.argv[1:]
os.setgroups([])
os.setgid(int(user))
os.setuid(int(user))  # only now: the interpreter may lie where another user cannot look
layout = Layout(home)
registry = Registry(layout)
scope = registry.add(root, None, (), ()).scopes[0]

def files():
    run = Reindex(layout, scope, Inline(), lambda *_: None, 1_000_000)
    run.run()
    run.close()
    reader = Reader(layout.store_db(scope.id))
    found = reader.facts().files
    reader.close()
    return found

closed = os.path.join(root, "closed")
print(files())
os.chmod(closed, 0)
os.remove(os.path.join(root, "open/b.md"))
print(files(), *registry.scan([root]).notes, sep="|")
os.chmod(closed, 0o700)
print(files())
"""


@pytest.mark.skipif(os.getuid() != 0, reason="drops to another user, which only root may")
def test_a_folder_that_cannot_be_read_keeps_its_files(tmp_path):
    """chmod 000: what lies in the folder stays stored and a scan names it; what is proven gone elsewhere goes."""
    work = tmp_path / "w"
    for name in ("closed/a.md", "open/b.md", "open/c.md"):
        (work / "code" / name).parent.mkdir(parents=True, exist_ok=True)
        (work / "code" / name).write_text(f"# {name}\n\nSome words about {name} and the sea.\n")
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_mode & 0o005 != 0o005 and str(folder) != "/":
            folder.chmod(folder.stat().st_mode | 0o055)
    subprocess.run(["chown", "-R", str(NOBODY), work], check=True)
    command = [sys.executable, "-c", RUN, str(work / "code"), str(work / "home"), str(NOBODY)]
    env = {**os.environ, "PYTHONPATH": ROOT, "HOME": str(work), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, env=env, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert (first, third) == ("3", "2")
    assert second.startswith("2|") and f"{work}/code/closed cannot be read" in second
