"""Fault 20: secrets are neither stored nor quoted back, and no real code is left out for its name."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import zlib
from collections.abc import Iterator

import pytest

from locid import tokenizer
from locid.episodes import lexical
from locid.episodes.lexical import ShelfReader
from locid.layout import Layout
from tests.collect.planted import Planted, plant
from tests.whole.conftest import Machine

CODE = {
    "tokens.css": ":root {\n  /* the palette of the dashboard: dusk, then dawn */\n  --dusk: #203040;\n}\n",
    "password-reset.ts": "// A reset mail expires after an hour, and a second one makes the first void.\n"
    "export function resetMail(user: string): string {\n  return render('reset', user)\n}\n",
    "internal/secrets/vault.go": "package secrets\n\n// Open unseals the vault with the shares of three custodians.\n"
    "func Open(shares []Share) (*Vault, error) {\n\treturn unseal(shares)\n}\n",
}
QUESTIONS = (
    "what does the robot use since then?",
    "which credentials are configured for the robot?",
    "where is the password of the database set?",
    "how does the robot log in?",
    "why was the robot's login rotated?",
)


def spread(secrets: list[Planted]) -> tuple[dict[str, str], list[str]]:
    """Files and commit messages that hold the secrets between them: a third each in files, docstrings and messages."""
    files: dict[str, str] = {}
    messages = []
    for n, planted in enumerate(secrets):
        if n % 3 == 0 or '"""' in planted.text:
            files[f"conf/robot_{n}.md"] = f"# Robot {n}\n\nHow the robot logs in at place {n}:\n\n{planted.text}\n"
        elif n % 3 == 1:
            doc = planted.text.replace("\\", "\\\\").replace("\n", "\n    ")
            files[f"src/robot_{n}.py"] = f'def robot_{n}():\n    """Logs in at place {n}.\n\n    {doc}\n    """\n'
        else:
            messages.append(f"Rotate the login of robot {n}\n\nBefore it was\n\n{planted.text}\n")
    return files, messages


@pytest.fixture(scope="module")
def leaky() -> Iterator[tuple[Machine, list[Planted]]]:
    """A machine that has indexed a repository full of secrets, and the secrets."""
    machine = Machine()
    secrets = plant(random.Random(20))
    token = next(p.secret for p in secrets if p.kind == "github")
    repo = machine.repository("leaky")
    files, messages = spread(secrets)
    stores = [".env", ".dev.vars", "server.key", "deploy.pem", "id_rsa", "secrets.json", "credentials.json", ".npmrc"]
    unopened = plant(random.Random(21))
    named = plant(random.Random(22))[0].secret
    for path, text in {**files, **CODE, ".env.example": "ROBOT_COLOUR=vermilion-lacquer\n"}.items():
        repo.write(path, text)
    for path in stores:
        repo.write(path, "\n".join(p.text for p in unopened))
    repo.write(f"dumps/{token}.md", f"# Dump\n\nA file whose name holds what nobody may read: {named}\n")
    repo.commit("Bring all of it")
    for message in messages:
        repo.commit(message)
    repo.git("checkout", "-q", "-b", f"fix/{token}")
    machine.run("config", "log_level", "debug")
    machine.run("setup", machine.code, "-y", "--no-service")
    yield machine, [*secrets, *unopened, Planted("name", named, "")]
    machine.end()


def leaks(text: str | bytes, secrets: list[Planted]) -> list[str]:
    """The secrets that stand in a text, in whatever case."""
    low = text.lower() if isinstance(text, str) else text.lower().decode("latin-1")
    return [part for planted in secrets for part in planted.parts if part.lower() in low]


def test_enough_is_planted() -> None:
    """50 secrets of 20 kinds at least, in files, docstrings and messages."""
    secrets = plant(random.Random(20))
    files, messages = spread(secrets)
    assert len(secrets) >= 50 and len({p.kind for p in secrets}) >= 20
    assert min(len([f for f in files if f.endswith(".py")]), len([f for f in files if f.endswith(".md")])) >= 20
    assert len(messages) >= 20
    every = "\n".join([*files.values(), *messages])
    assert all(part in every for p in secrets for part in p.parts if "\\" not in p.text and "\n" not in p.text)


def test_no_answer_quotes_a_secret(leaky: tuple[Machine, list[Planted]]) -> None:
    """Answers cite the places, as data and as text, and each secret in them is replaced by its kind."""
    machine, secrets = leaky
    said = []
    for question in QUESTIONS:
        said.append(json.dumps(machine.json("ask", question, "--scope", "leaky", "-k", "50", "--budget", "20000")))
        said.append(machine.run("ask", question, "--scope", "leaky", "-k", "50", "--budget", "20000"))
    assert "".join(said).count("[REDACTED:") > 100
    for text in [*said, machine.run("status"), machine.run("scopes", "--json"), machine.run("doctor")]:
        assert leaks(text, secrets) == []


def test_a_secret_in_a_question_goes_no_further(leaky: tuple[Machine, list[Planted]]) -> None:
    """It is neither echoed nor searched nor logged, and the rest of the question is answered."""
    machine, secrets = leaky
    token = next(p for p in secrets if p.kind == "github")
    answer = machine.ask(f"which custodians unseal the vault with {token.secret}?")
    assert answer["question"] == "which custodians unseal the vault with [REDACTED:github]?"
    assert "internal/secrets/vault.go" in {h["path"] for h in answer["scopes"][0]["hits"]}
    assert leaks(json.dumps(answer) + machine.log(), secrets) == []
    told = machine.json("route", f"which custodians unseal the vault with {token.secret}?", "--explain")
    assert leaks(json.dumps(told), secrets) == []
    assert "secret" in machine.loci("ask", token.secret).stderr


def test_redactions_are_told_by_kind(leaky: tuple[Machine, list[Planted]]) -> None:
    """Status and doctor count every kind that was planted."""
    machine, secrets = leaky
    (row,) = machine.json("status")["scopes"]
    kinds = {p.kind for p in secrets} - {"name"}
    assert kinds <= set(row["redactions"]) and sum(row["redactions"].values()) >= 150
    (finding,) = [c["finding"] for c in machine.json("doctor")["checks"] if c["check"] == "redaction"]
    assert all(kind in finding for kind in kinds)
    assert row["branch"] == "fix/[REDACTED:github]"


def test_code_is_not_left_out_for_its_name(leaky: tuple[Machine, list[Planted]]) -> None:
    """`tokens.css`, `password-reset.ts`, `internal/secrets/vault.go` and `.env.example` are indexed and cited."""
    machine, _ = leaky
    asked = {
        "tokens.css": "which palette has the dashboard at dusk and dawn?",
        "password-reset.ts": "when does a reset mail expire?",
        "internal/secrets/vault.go": "which custodians unseal the vault?",
        ".env.example": "what is vermilion lacquer?",
    }
    for path, question in asked.items():
        answer = machine.json("ask", question, "--scope", "leaky")
        assert path in {h["path"] for h in answer["scopes"][0]["hits"]}, path


def test_what_is_left_out_says_why(leaky: tuple[Machine, list[Planted]]) -> None:
    """A store of secrets, and a file whose name is one, are named by `why`."""
    machine, _ = leaky
    root = os.path.join(machine.code, "leaky")
    (dump,) = os.listdir(os.path.join(root, "dumps"))
    assert machine.json("why", os.path.join(root, "dumps", dump), status=1)["reason"] == "secret_in_name"
    assert machine.json("why", os.path.join(root, ".env"), status=1)["reason"] == "secret_store"


def test_no_byte_on_disk_is_a_secret(leaky: tuple[Machine, list[Planted]]) -> None:
    """Neither the stores, as they lie there and unpacked, nor indexes, logs, status files or anything else holds one."""
    machine, secrets = leaky
    machine.run("daemon", "stop")
    seen = set()
    for folder, _, names in os.walk(machine.dir):
        for name in names:
            path = os.path.join(folder, name)
            if path.startswith(machine.code) or not os.path.isfile(path):
                continue
            seen.add(name)
            assert leaks(path, secrets) == []
            with open(path, "rb") as file:
                assert leaks(file.read(), secrets) == [], path
    assert {"store.db", "registry.db", "locid.log", "meta.json"} <= seen


def test_no_row_and_no_term_is_a_secret(leaky: tuple[Machine, list[Planted]]) -> None:
    """Texts, messages, signatures and paths, unpacked, and the terms of the indexes hold none."""
    machine, secrets = leaky
    layout = Layout(machine.paths.home)
    rows = list(unpacked(layout.store_db("leaky")))
    assert sum(row.count("[REDACTED:") for row in rows) > 100
    assert leaks("\n".join(rows), secrets) == []
    for shelf, fields in ((lexical.CHUNKS, ("body_x", "names_x")), (lexical.COMMITS, ("body_x", "path_x"))):
        reader = ShelfReader(layout.lexical("leaky"), shelf)
        assert reader.frequency("body_x", "robot") > 20
        longest = {max(tokenizer.tokens(part), key=len, default="") for p in secrets for part in p.parts}
        found = [t for t in longest if len(t) > 11 for field in fields if reader.frequency(field, t)]
        assert found == []


def unpacked(path: str) -> Iterator[str]:
    """Every value of every row of a database, unpacked where it is packed."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        tables = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'")]
        assert {"texts", "history", "files", "names", "details"} <= set(tables)
        for table in tables:
            for row in db.execute(f"select * from {table}"):
                yield from (plain(value) for value in row)


def plain(value: object) -> str:
    """A value as text."""
    if not isinstance(value, bytes):
        return str(value)
    try:
        return zlib.decompress(value).decode("utf-8", "replace")
    except zlib.error:
        return value.decode("latin-1")
