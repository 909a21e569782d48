"""Fault 18: an answer from the wrong project, by something ambient, by half a name, or because projects are alike."""

import json
import threading

from loci_client.client import Client

QUESTIONS = 500  # of each client

POINTS = "what does this project keep?"
TOPIC = {"harbour": "how are the moorings let?", "orchard": "how are the ladders let?"}


def told(machine, name, word):
    """A project about one thing, in words that the other one uses of another."""
    repo = machine.repository(name)
    repo.write(
        "README.md",
        f"# {name}\n\nThis project keeps the {word}. The {word} are let by the season, and paid in spring.\n",
    )
    repo.write("let.py", f"def let_{word}(season):\n    return register('{word}', season)\n")
    repo.commit(f"Keep the {word}")
    return repo.root


def test_two_clients_leak_nothing_into_each_other(machine):
    """A thousand interleaved questions from two places: each is answered by what it named or stood in, and by that alone."""
    roots = {"harbour": told(machine, "harbour", "moorings"), "orchard": told(machine, "orchard", "ladders")}
    machine.run("setup", machine.code, "-y")
    wrong = []

    def keep_asking(here):
        with Client(machine.paths, start=False) as client:
            for n in range(QUESTIONS):
                if n % 2:
                    answer, right = client.route(POINTS, cwd=roots[here]), here
                else:
                    right = ("harbour", "orchard")[(n // 2) % 2]
                    answer = client.route(TOPIC[right], cwd=roots[here])
                if answer["selected"][:1] != [right]:
                    wrong.append((here, n, answer["selected"]))

    clients = [threading.Thread(target=keep_asking, args=(here,)) for here in roots]
    for client in clients:
        client.start()
    for client in clients:
        client.join(300)
    assert not any(client.is_alive() for client in clients)
    assert wrong == []


def test_a_name_inside_a_word_is_no_name(machine):
    """`orchard` is not meant by `orchardist`, and leads when it stands alone."""
    told(machine, "harbour", "moorings")
    told(machine, "orchard", "ladders")
    machine.run("setup", machine.code, "-y")
    meant = machine.json("route", "in orchard, what is let by the season?", "--cwd", "/")
    assert meant["selected"] == ["orchard"]
    done = machine.loci("route", "orchardist moorings let by the season", "--cwd", "/", "--explain", "--json")
    loose = json.loads(done.stdout)
    assert loose["selected"][:1] != ["orchard"] and len(loose["scopes"]) == 2
    assert not any(s["name"] == "alias" for scope in loose["scopes"] for s in scope["signals"])


PARTS = ("retry queue", "session cookie", "rate limit", "config loader", "health probe", "shutdown hook")


def test_services_that_are_alike_are_told_apart_or_refused(machine):
    """Of fourteen services made from one template, each with one thing of its own, few questions are answered wrongly.

    A question about what they share belongs to none of them more than to another; one about a thing of its own names it.
    """
    own = [f"{a}{b}" for a in ("lumen", "quartz", "tidal", "maple", "onyx", "raven", "sable") for b in ("gate", "post")]
    for name in own:
        repo = machine.repository(f"svc-{name}")
        for part in PARTS:
            stem = part.replace(" ", "_")
            body = f"def {stem}(request):\n    '''The {part} of the service, shared by all of them.'''\n    return run('{part}', request)\n"
            repo.write(f"src/{stem}.py", body)
        repo.write(
            "src/own.py",
            f"def settle_{name}(order):\n    '''Settles {name} orders at the end of the day.'''\n    return post(order)\n",
        )
        repo.write(
            "README.md",
            f"# svc-{name}\n\nSettles {name} orders. It has a retry queue and a session cookie like every service.\n",
        )
        repo.commit(f"Settle {name} orders")
    machine.run("setup", machine.code, "-y")
    asked = [(f"how are {name} orders settled at the end of the day", f"svc-{name}") for name in own]
    asked += [(f"where is the {part} run", None) for part in PARTS]
    wrong = [q for q, right in asked if (got := first(machine, q)) is not None and got != right]
    assert len(wrong) <= 0.05 * len(asked), wrong


def first(machine, question):
    """The scope that an answer leads with, None for an abstention."""
    done = machine.loci("route", question, "--cwd", "/", "--json")
    return next(iter(json.loads(done.stdout)["selected"]), None)
