"""Groups on a real machine: what they do to a question, where they come from, and that a rescan takes nothing away."""

import json
import os

import pytest

QUESTION = "how does the gizmo parser emitter handle sprocket calibration"

VEND = """# Vend

The gizmo parser reads the token stream and hands each node to the emitter.

## Emitter

The gizmo parser emitter can handle sprocket calibration: it writes the calibration of each sprocket behind its node.
"""

ALPHA = """# Alpha

## Calibration

How the parser of our measuring rig does handle sprocket calibration: each sprocket is turned once against the reference
wheel, the emitter of the light barrier counts its teeth, and the sprocket calibration offset is stored.
"""

BETA = """# Beta

The warehouse counts wheels and chains. A sprocket is counted by its teeth, and the count is printed on a label.
"""


@pytest.fixture
def street(machine):
    """`alpha` and `beta` in group `team`, `vend` outside of it; git knows nobody, so nothing else is a group."""
    machine.env["HOME"] = machine.dir
    for name, text in (("alpha", ALPHA), ("beta", BETA), ("vend", VEND)):
        repo = machine.repository(name)
        repo.write("README.md", text)
        repo.git("remote", "add", "origin", f"git@host:org-{name}/{name}.git")
        repo.commit(f"Begin {name}")
    machine.run("setup", machine.code, "-y")
    machine.run("group", "add", "alpha", "beta", "team")
    return machine


def routed(machine, question=QUESTION, place=None, group=None):
    """Ids that were selected, or the reason and the candidates."""
    cwd = os.path.join(machine.code, place) if place else "/"
    done = machine.loci("route", question, "--cwd", cwd, "--json", *(["--group", group] if group else []))
    found = json.loads(done.stdout)
    assert done.returncode == (0 if found["selected"] else 1)
    return found["selected"] or (found["reason"], [c["id"] for c in found["candidates"]])


def test_one_question_four_policies(street):
    """Unconfined vend wins; named, all three modes drop it, and hard says that the best answer is outside."""
    assert routed(street) == ["vend", "alpha"]
    for mode, found in {
        "explicit": ["alpha"],
        "soft": ["alpha"],
        "hard": ("out_of_group", ["alpha", "beta"]),
    }.items():
        street.run("group", "set", "team", "--mode", mode)
        assert routed(street, group="team") == found


def test_from_inside_soft_demotes_and_does_not_confine(street):
    """The same question from inside alpha, without --group: alpha leads, and vend comes back with half its evidence."""
    here = os.path.join(street.code, "alpha")
    free = street.json("route", QUESTION, "--cwd", "/", "--explain")["scopes"]
    assert routed(street, place="alpha") == ["alpha", "vend"]
    found = street.json("route", QUESTION, "--cwd", here, "--explain")["scopes"]
    evidence = [{s["id"]: signal(s, "evidence")["value"] for s in scopes} for scopes in (free, found)]
    assert evidence[1] == pytest.approx(evidence[0] | {"vend": evidence[0]["vend"] / 2}, abs=1e-3)
    marks = {s["id"]: signal(s, "group") for s in found}
    assert (marks["vend"]["weight"], marks["alpha"]["weight"]) == (0.5, 1.0)
    assert marks["vend"]["terms"] == ["team"]
    shown = street.run("route", QUESTION, "--cwd", here, "--explain")
    assert "outside team" in shown and "group" in shown


def signal(scope, name):
    (found,) = [s for s in scope["signals"] if s["name"] == name]
    return found


NAMING = ["how does vend handle sprocket calibration", "where does Vend write the gizmo node", "what is vend for"]
VOCABULARY = [QUESTION, "gizmo parser emitter", "what does the gizmo parser hand to the emitter", "gizmo token stream"]


def test_hard_through_the_place_is_left_by_a_name_and_not_by_vocabulary(street):
    """From both members: each question that names vend abstains, none that only has its words does so for the group."""
    street.run("group", "set", "team", "--mode", "hard")
    for place in ("alpha", "beta"):
        assert [routed(street, q, place)[0] for q in NAMING] == ["out_of_group"] * len(NAMING)
        found = [routed(street, q, place) for q in VOCABULARY]
        assert all(f[0] != "out_of_group" for f in found)
        assert {id for f in found if isinstance(f, list) for id in f} <= {"alpha", "beta"}
        assert all("vend" not in f[1] for f in found if isinstance(f, tuple))
    assert routed(street, NAMING[0], "vend")[0] == "vend"  # outside of the group its mode is nobody's
    assert routed(street, "how does alpha handle sprocket calibration", "beta")[0] == "alpha"


def test_an_answer_out_of_the_group_is_an_abstention_that_can_be_acted_on(street):
    """Exit status 1, no hit, a reason, the members, and the command that answers, which does."""
    street.run("group", "set", "team", "--mode", "hard")
    here = os.path.join(street.code, "alpha")
    answer = street.ask(NAMING[0], cwd=here, status=1)
    assert (answer["outcome"], answer["reason"], answer["scopes"]) == ("abstained", "out_of_group", [])
    assert "--scope vend" in answer["advice"] and "outside team" in answer["text"]
    scope = street.json("ask", NAMING[0], "--cwd", here, "--scope", "vend")["scopes"][0]
    assert scope["id"] == "vend" and scope["hits"]
    named = street.json("ask", QUESTION, "--cwd", "/", "--group", "team", status=1)
    assert named["reason"] == "out_of_group"
    street.run("group", "set", "team", "--mode", "soft")
    inside = street.json("ask", QUESTION, "--cwd", "/", "--group", "TEAM")
    assert [s["id"] for s in inside["scopes"]] == ["alpha"]


def test_an_unknown_group_names_those_there_are(street):
    """Everywhere a group is asked for; exit status 2, one sentence, and with --json the code."""
    for argv in (["ask", "x y", "--group", "tame"], ["route", "x y", "--group", "tame"], ["scopes", "--group", "tame"],
                 ["group", "set", "tame", "--mode", "soft"], ["group", "rm", "alpha", "tame"]):  # fmt: skip
        done = street.loci(*argv)
        assert (done.returncode, done.stderr) == (2, "loci: no group is called tame; there are: team\n"), argv
    error = json.loads(street.loci("ask", "x", "--group", "tame", "--json").stdout)["error"]
    assert (error["code"], error["detail"]) == ("unknown_group", {"groups": ["team"]})
    both = street.loci("ask", QUESTION, "--group", "team", "--scope", "alpha")
    assert both.returncode == 2 and "exclude each other" in both.stderr


def test_a_group_of_which_nothing_is_indexed_is_said(street):
    """Not an abstention about the words of the question: its index is what is missing."""
    street.run("purge", "beta")
    street.run("group", "add", "beta", "empty")
    done = street.loci("ask", QUESTION, "--group", "empty")
    assert done.returncode == 1 and "nothing of empty is indexed" in done.stderr


def test_scopes_shows_groups_and_can_be_narrowed(street):
    """id, root, groups, aliases, chunks, age and state of each."""
    street.run("add", os.path.join(street.code, "alpha"), "--alias", "first")
    rows = {s["id"]: s for s in street.json("scopes")["scopes"]}
    assert {id: row["groups"] for id, row in rows.items()} == {"alpha": ["team"], "beta": ["team"], "vend": []}
    assert [s["id"] for s in street.json("scopes", "--group", "team")["scopes"]] == ["alpha", "beta"]
    head, first, *_ = street.run("scopes", "--group", "team").splitlines()
    assert head.split() == ["scope", "groups", "state", "files", "chunks", "age", "root"]
    assert first.startswith("alpha (first)  team") and first.endswith(rows["alpha"]["root"])


def test_groups_are_listed_with_their_modes(street):
    """Members, mode, whether it was set, and the default; an empty machine says how to make one."""
    street.run("group", "set", "--default", "--mode", "explicit")
    found = street.json("groups")
    row = {
        "name": "team",
        "mode": "explicit",
        "chosen": False,
        "origin": "hand",
        "members": ["alpha", "beta"],
        "gone": [],
    }
    assert found == {"groups": [row], "default": "explicit", "notes": []}
    street.run("group", "set", "team", "--mode", "hard")
    text = street.run("groups")
    assert text.splitlines()[1].split() == ["team", "hard", "alpha,", "beta"]
    assert text.endswith("default mode: explicit; of its own: team\n")
    street.run("group", "rm", "alpha", "beta", "team")
    assert "loci group add" in street.run("groups", status=1)


def test_policy_and_membership_survive_a_rescan_and_a_restart(street):
    """Membership lives with the scopes, the mode does not; neither is a scan's to change."""
    street.run("group", "set", "team", "--mode", "hard")
    before = street.json("groups")
    street.run("scan", street.code, "--split", "-y")
    street.run("groups", "infer")
    street.run("daemon", "restart")
    assert street.json("groups") == before
    assert routed(street, NAMING[0], "alpha")[0] == "out_of_group"


def identity(machine, address):
    """Whom git takes the user for."""
    with open(os.path.join(machine.dir, ".gitconfig"), "w", encoding="utf-8") as file:
        file.write(f"[user]\n\temail = {address}\n\tname = {address}\n")


def owned(machine, name, organisation, author):
    repo = machine.repository(name)
    repo.git("remote", "add", "origin", f"https://host/{organisation}/{name}.git")
    repo.git("commit", "-q", "--allow-empty", "-m", "one", "--author", f"{author} <{author}>")


@pytest.mark.parametrize(
    ("organisations", "found"),
    [
        # four of ten remotes are acme's: 40 %
        ("aaaabbbccd", {"me": 4, "vendor:b": 3, "vendor:c": 2, "vendor:d": 1}),
        ("aaaabbbccdd", {}),  # 36 %
        ("aabb", {}),  # a tie
    ],
)
def test_provenance_of_remotes(machine, organisations, found):
    """Nobody's hand is known: the dominant organisation is `me` from 40 % of the remotes on; else no claim is made."""
    machine.env["HOME"] = machine.dir
    for number, org in enumerate(organisations):
        owned(machine, f"{org}{number}", org, "x@elsewhere")
    machine.run("scan", machine.code, "-y")
    got = {g["name"]: len(g["members"]) for g in machine.json("groups", status=0 if found else 1)["groups"]}
    assert got == found


def test_provenance_of_hands_and_infer(machine):
    """Who wrote is who owns; `groups infer` takes over what has changed in git since, and only shows it with --dry-run."""
    machine.env["HOME"] = machine.dir
    identity(machine, "tess@localhost")
    for name, organisation, author in (
        ("mine", "tess", "tess@localhost"),
        ("work", "acme", "tess@localhost"),
        ("colleague", "acme", "kim@localhost"),
        ("lib", "bolt", "x@elsewhere"),
    ):
        owned(machine, name, organisation, author)
    machine.run("scan", machine.code, "-y")
    groups = {g["name"]: g["members"] for g in machine.json("groups")["groups"]}
    assert groups == {"me": ["colleague", "mine", "work"], "vendor:bolt": ["lib"]}  # acme has 2 of 4 remotes
    identity(machine, "x@elsewhere")
    dry = machine.run("groups", "infer", "--dry-run")
    assert "lib: vendor:bolt -> me" in dry and "nothing was written" in dry
    assert {g["name"]: g["members"] for g in machine.json("groups")["groups"]} == groups
    assert {c["id"] for c in machine.json("groups", "infer")["changed"]} == {"colleague", "lib", "mine", "work"}
    after = {g["name"]: g["members"] for g in machine.json("groups")["groups"]}
    assert after == {"me": ["lib"], "vendor:acme": ["colleague", "work"], "vendor:tess": ["mine"]}
    assert machine.run("groups", "infer") == "nothing changes: owners are as git tells them\n"


@pytest.mark.parametrize("how", ["declared", "split"])
def test_a_monorepo_s_group_reaches_the_code_that_no_package_claimed(machine, how):
    """`--group` with the monorepo's id asks its packages and itself, and nobody else who says it better."""
    machine.env["HOME"] = machine.dir
    mono = machine.repository("mono")
    mono.write("tools/release.md", "# Releasing\n\nThe release train is composed by the conductor script at dawn.\n")
    mono.write("client/package.json", "{}")
    mono.write("client/README.md", "# Client\n\nThe client paints the timetable board with a flapping font.\n")
    if how == "declared":
        mono.write(".loci.json", json.dumps({"scopes": [{"path": "client"}]}))
    mono.commit("Lay the tracks")
    rail = machine.repository("rail")
    rail.write("README.md", "# Rail\n\nThe release train: the conductor script composes the release train at dawn.\n")
    rail.commit("Compose the release train")
    machine.run("setup", machine.code, "-y", *(["--split"] if how == "split" else []))
    (group,) = [g for g in machine.json("groups")["groups"] if g["origin"] == "containment"]
    assert (group["name"], group["members"]) == ("mono", ["mono", "mono/client"])
    question = "how does the conductor script compose the release train at dawn"
    assert routed(machine, question)[0] == "rail"
    assert routed(machine, question, group="mono") == ["mono"]
    assert routed(machine, "who paints the timetable board with a flapping font", group="mono")[0] == "mono/client"
    machine.run("scan", machine.code, *(["--split"] if how == "split" else []), "-y")
    assert group in machine.json("groups")["groups"]
