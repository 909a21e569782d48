"""What is a secret and what is not. The planted keys are made up, and joined here so that no scanner stops them."""

from __future__ import annotations

import pathlib
import random
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locid import chunk
from locid.collect import commits
from locid.git import RawCommit
from locid.redact import KINDS, holds_nothing, left_out, redact, redact_all, secret_store
from locid.scopestore import git_meta
from locid.values import GitState
from tests.collect.planted import plant

_PEM = "-----BEGIN {0}PRIVATE KEY-----\n" + "\n".join(["MIIEpAIBAAKCAQEA7bq9fXQ2kzXo3n5vW1cYtGq0HkPz8sLmRb4uJdEa"] * 3)
_PEM += "\n-----END {0}PRIVATE KEY-----"

# (kind, the secret, the text around it)
PLANTED = [
    ("aws", "AKIA" + "IOSFODNN7REALKEY", "aws_access_key_id = {}"),
    ("aws", "ASIA" + "Y34FZKBOKMUTVV7A", "export KEY={}"),
    ("secret", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz12345678", "aws_secret_access_key = {}"),
    ("github", "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a", "git clone with {}"),
    ("github", "gho_" + "16C7e42F292c6912E7710c838347Ae178B4a", "({})"),
    ("github", "github_pat_" + "11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz0123456789ABCDEFG", "GH={}"),
    ("gitlab", "glpat-" + "abc123DEF456ghi789jk", "PRIVATE-TOKEN: {}"),
    ("npm", "npm_" + "1234567890abcdefghijABCDEFGHIJ123456", "//registry.npmjs.org/:_authToken={}"),
    ("slack", "xoxb-" + "123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx", "bot: {}"),
    ("slack", "T00000000/B00000000/" + "XyZ123abcXyZ123abcXyZ123", "https://hooks.slack.com/services/{}"),
    ("google", "AIza" + "SyD-1234567890abcdefghijklmnopqrstu", "maps?key={}"),
    ("google", "GOCSPX-" + "1a2b3c4d5e6f7g8h9i0jKLMN", "{}"),
    ("stripe", "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", 'stripe.api_key = "{}"'),
    ("stripe", "rk_test_" + "4eC39HqLyjWDarjtT1zdp7dc", "{}"),
    ("openai", "sk-" + "abcDEF123456ghiJKL789mnoPQR012stuVWX345yzABCDEF6", "OPENAI={}"),
    ("openai", "sk-proj-" + "abcDEF123456ghiJKL789mnoPQR012stuVWX", "key {}"),
    ("doppler", "dp.pt." + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2", "DOPPLER {}"),
    ("figma", "figd_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4", "{}"),
    ("notion", "ntn_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2", "{}"),
    ("anthropic", "sk-ant-" + "api03-AbCdEf123456-GhIjKl789012_MnOpQr345678", "{}"),
    (
        "jwt",
        "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "t={}",
    ),
    ("url_password", "hunter2", "postgres://admin:{}@db.example.com/x"),
    ("url_password", "p%40ss/w0rd".replace("/", "%2F"), "redis://:{}@cache:6379/0"),
    ("bearer", "abcDEF123456.ghiJKL-789", "Authorization: Bearer {}"),
    ("basic", "dXNlcjpodW50ZXIy", 'headers["Authorization"] = "Basic {}"'.replace('"] = "', ": ")),
    ("secret", "8f14e45fceea167a5a36dedd4bea2543", 'client_secret = "{}"'),
    ("secret", "b1946ac92492d2347c6235b4d2611184", '"apiKey": "{}"'),
    ("secret", "f3Kd93jfKs0dkfjWq2", "const apiToken = '{}';"),
    ("secret", "f3Kd93jfKs0dkfjWq2", 'os.environ["API_KEY"] = "{}"'),
    ("secret", "Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg==", "secret: {}"),
    ("secret", "f3Kd93jfKs0dkfjW", "curl --token={}"),
    ("password", "hunter2pass", "DB_PASSWORD={}"),
    ("password", "Tr0ub4dor&3", 'password: "{}"'),
    ("password", "f3Kd93jfKs0dkfjWq2", "<password>{}</password>"),
    ("password", "f3Kd93jfKs0dkfjWq2", 'setProperty("password", "{}")'),
    ("password", "hunter2xyz9Q", "mysql --password {}"),
    ("sendgrid", "SG." + "ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr", "{}"),
    ("huggingface", "hf_" + "abcdefghijABCDEFGHIJ0123456789abcd", "{}"),
    ("pypi", "pypi-" + "AgEIcHlwaS5vcmcCJGFiY2RlZmdoLWlqa2wtbW5vcC1xcnN0LXV2d3h5ejAxMjM0NQ", "{}"),
    ("digitalocean", "dop_v1_" + "0123456789abcdef" * 4, "{}"),
    ("twilio", "SK" + "0123456789abcdef0123456789abcdef", "sid {}"),
    ("vault", "hvs." + "CAESIJ1234567890abcdefghijklmnop", "{}"),
    ("private_key", _PEM.format("RSA "), 'KEY = """{}"""'),
    ("private_key", _PEM.format("OPENSSH "), "{}"),
    ("private_key", _PEM.format("").replace("\n", "\\n"), '{{"key": "{}\\n"}}'),
]

# Code, placeholders and plain words: none of it is a secret.
INNOCENT = """
password = get_password()
token: string
password = "xxxxxxxx"
api_key = "your-token-here"
token = os.environ["GITHUB_TOKEN"]
SECRET_KEY = env("SECRET_KEY")
password: str = "password"
const token = parser.nextToken2(x)
access_token_url = "https://api.example.com/oauth2/token"
password_hash_algorithm = "pbkdf2_sha256"
tokens = tokenizer.encode_v2_batch(x)
secretName: my-app-secret-v2
var secret uint64
credentials = 'same-origin'
token_type = "bearer2"
passed = test_results_2024
http://localhost:8080/a@b
amqp://${USER}:${PASSWORD}@host
postgres://user:password@localhost/db
private_key_path = "/etc/ssl/private/key1.pem"
"token": "<TOKEN>"
export TOKEN=$(cat file2)
raise ValueError("Bearer token is required")
"pkg/test_1.py::test_pass", "test_1", "test_2"
class="sk-folding-cube sk-cube-grid-animation"
commit 9fceb02d0ae598e95dc970b74767f19372d6
if "-----BEGIN PRIVATE KEY-----" in text:
password = f"{user}-{number}"
def test_password_reset_token_expires_2024(self):
broker_url = 'amqp://guest:guest@localhost:5672//'
result_backend = 'db+mysql://scott:tiger@localhost/foo'
elasticsearch+https://fake_user:fake_pass@localhost:9200/index
dynamodb://aws_access_key_id:aws_secret_access_key@region:port/table
http://user:pass%20pass@example.org/
Authorization: Basic dXNlcm5hbWU6cGFzc3dvcmQ=
token: OAuth2Token
api_key = settings.API_KEY2
PrivateKey = crypto.hpke.MLKEM768X25519PrivateKey
secret_arn: arn:aws:secretsmanager:us-west-2:123456789012:secret:MyDatabaseSecret-a1b2c3
"AWS::ApiGateway::ApiKey": "48205d4ffd7feba3",
"nextToken": "eyJOZXh0VG9rZW4iOiBudWxsLCAiYm90b190cnVuY2F0ZQ==",
GroupAssociation = "632889615ea7dc14"
publicKeyToken="1fc8b3b9a1e18e3b"
read_csv(join(pwd, './data/pcg64dxsm-testset-1.csv'))
PASSWORD=$(openssl rand -hex 32)
TOKEN=get_token2(settings)
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
export ANTHROPIC=sk-ant-your-key-goes-here-please
jsonschema/_keywords.py,sha256=r8_DrqAfn6QLwQnmXEggveiSU-UaIL2p2nuPINelfFc,14949
""".strip().split("\n")


@pytest.mark.parametrize(("kind", "secret", "around"), PLANTED)
def test_a_planted_secret_is_replaced_by_its_kind(kind: str, secret: str, around: str) -> None:
    """A known secret goes, its kind is told, the text around it and the number of lines stay."""
    text = f"before\n{around.format(secret)}\nafter"
    out, counts = redact(text)
    assert secret not in out
    assert dict(counts) == {kind: 1}
    assert f"[REDACTED:{kind}]" in out
    assert out.startswith("before\n" + around.split("{}")[0].replace("{{", "{"))
    assert out.count("\n") == text.count("\n") and out.endswith("\nafter")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("DB_PASSWORD=Tr0ub4dor&3x", "DB_PASSWORD=[]"),
        ("export DB_PASSWORD=p&ss(w0rd)1; run", "export DB_PASSWORD=[]; run"),
        ("?access_token=f3Kd93jfKs0dkfjWq2&page=2", "?access_token=[]&page=2"),
        ("Server=db;Password=Tr0ub4dor&3;Encrypt=yes", "Server=db;Password=[];Encrypt=yes"),
        ('password = "abc123@ % and more", next', 'password = "[]", next'),
        ('password = "it\'s4secret"', 'password = "[]"'),
        ("  password: p@ss,w0rd1 # old", "  password: [] # old"),
        ('["DB_PASSWORD=f3Kd93jfKs0dkfjW", "B=1"]', '["DB_PASSWORD=[]", "B=1"]'),
        ("f(API_KEY=f3Kd93jfKs0dkfjW, b=1)", "f(API_KEY=[], b=1)"),
        ("redis://app:p:ss@word@cache/0", "redis://app:[]@cache/0"),
    ],
)
def test_a_value_goes_whole_and_what_follows_stays(text: str, left: str) -> None:
    """No tail of a value is left behind, whatever signs are in it; what is no part of it is."""
    assert re.sub(r"\[REDACTED:\w+\]", "[]", redact(text).text) == left


@pytest.mark.parametrize("line", INNOCENT)
def test_code_and_placeholders_stay(line: str) -> None:
    """What is no secret is left as it is."""
    assert redact(line) == (line, ())


def test_a_key_that_is_cut_off_is_redacted_to_its_last_line() -> None:
    """A private key without its END loses its material, and the text after it stays."""
    text = "\n".join([*_PEM.format("EC ").split("\n")[:-1], "", "def after(): pass"])
    out, counts = redact(text)
    assert "MIIE" not in out and "def after(): pass" in out
    assert out.count("\n") == text.count("\n") and dict(counts) == {"private_key": 1}


def test_secrets_reach_neither_a_commit_nor_its_passage() -> None:
    """A message is redacted as one text before a commit or a passage is made of it."""
    for kind, secret, around in PLANTED:
        raw = RawCommit(
            "a" * 40, 0, f"fix: {around.format(secret)}".replace("\n", " "), f"x\n{around.format(secret)}", ("f",)
        )
        ((commit, passage),) = commits([raw])
        for text in (commit.subject, commit.body, passage.text):
            assert secret not in text, kind
        assert sum(n for _, n in commit.redactions) >= 1


def test_every_field_of_a_chunk_is_redacted() -> None:
    """Text, symbol, heading and names: none of them carries a secret into a chunk."""
    for _, secret, around in PLANTED:
        text = around.format(secret)
        made, found = chunk.make("p", "doc", text, 1, 1, "docs", symbol=text, heading=text, names=("a", text))
        assert found and secret not in repr(made)


def test_a_part_of_a_redacted_text_is_not_redacted_again() -> None:
    """`make` takes what stands in the source as it is, and redacts all else: other texts, and labels always."""
    _, secret, around = PLANTED[3]
    line = around.format(secret)
    clean = redact(f"first\n{line}\nlast")
    whole, found = chunk.make("p", "code", clean.text[6:], 2, 3, "shipped", source=clean, at=6)
    assert whole.text == clean.text[6:] and found == ()
    for text, at in ((line, 6), (line, 0), (clean.text[6:] + line, 6)):
        made, found = chunk.make("p", "code", text, 2, 3, "shipped", source=clean, at=at)
        assert secret not in made.text and dict(found)["github"] == 1
    made, found = chunk.make("p", "code", "first", 1, 1, "shipped", names=(secret,), source=clean)
    assert made.names == ("[REDACTED:github]",) and dict(found) == {"github": 1}


def test_only_redact_vouches_for_a_text() -> None:
    """Nothing outside the package makes a `Redacted` of a text that was not redacted."""
    sources = pathlib.Path(chunk.__file__).parent.rglob("*.py")
    made = [p.name for p in sources if p.parent.name != "redact" and re.search(r"Redacted\((?!\"\"\))", p.read_text())]
    assert made == []


def test_many_texts_are_redacted_as_each_would_be() -> None:
    """In one call or each by itself: nothing crosses from one text into the next."""
    texts = (
        [a.format(s) for _, s, a in PLANTED] + INNOCENT + ["password", "= hunter2pass", "", "x\n", "\n: hunter2pass9"]
    )
    assert redact_all(texts) == [redact(text) for text in texts]
    assert redact_all(INNOCENT) == [(text, ()) for text in INNOCENT] and holds_nothing(INNOCENT)
    assert not any(holds_nothing([a.format(s)]) for _, s, a in PLANTED)


_PARTS = st.sampled_from(
    [a.format(s) for _, s, a in PLANTED] + INNOCENT + ["\n", " ", '"', "'", "=", ": ", "\0", "é", "token", "-----BEGIN"]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PARTS, max_size=8).map("".join))
def test_redacting_twice_changes_nothing(text: str) -> None:
    """A redacted text holds nothing to redact, and has as many lines as before."""
    out, _ = redact(text)
    assert redact(out) == (out, ())
    assert out.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "unit",
    ["token", "PASSWORD=", "PASSWORD=(", "password,value:", "kind: secret\ndata:\n  a: b\n", "://a@", "token='\"`", "AA-",
     "?token=", "authorization: ", "login x password ", "sig=", "MDA.", "pat.", 'token="', "eyJ-", "eyJaaaaaaaaa.eyJ", "://a:b", "sk-", "-----BEGIN PRIVATE KEY-----", "AKIA", "a", " ",
     "bearer ", "api_key=", "authorization basic ", "SG.aaaaaaaaaaaaaaaa", "--password ",
     "-----BEGIN RSA PRIVATE KEY-----\nAAA"],
)  # fmt: skip
@pytest.mark.timeout(60)
def test_a_hostile_text_costs_linear_time(unit: str) -> None:
    """What a pattern could trip over, 200,000 characters of it, ends; were one quadratic, it would take hours."""
    text = unit * (200_000 // len(unit))
    assert redact(text)[0].count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "path",
    """.env .env.local .env.production prod.env app/.dev.vars key.pem a/server.key id_rsa .ssh/config id_ed25519.bak
    secrets.json secrets.yaml config/secrets.toml credentials.json client_secret_123.json .netrc .pgpass .npmrc .pypirc
    terraform.tfstate prod.tfvars .aws/credentials my-credentials.json release.keystore cert.p12 .git-credentials
    service-account.json .htpasswd .env~ .env_old .env.bak id_rsa.old secrets.yml~ .envs/.production""".split(),  # noqa: SIM905
)
def test_secret_stores_are_known_by_name(path: str) -> None:
    """A file that holds secrets by its name is never opened."""
    assert secret_store(path)


@pytest.mark.parametrize(
    "path",
    """.env.example .env.sample .env.template secrets.py internal/secrets/vault.go password-reset.ts tokens.css
    id_rsa.pub
    src/credentials.ts keys.go docs/secrets.md environment.py env.ts secret_test.go src/key.rs monkey.js token.json
    passwords.rs serviceaccount.go keyboard.py .envoy/config""".split(),  # noqa: SIM905
)
def test_source_code_of_such_a_name_is_read(path: str) -> None:
    """A filter by name drops no source code and no template."""
    assert not secret_store(path)


def test_every_kind_is_found_wherever_it_stands() -> None:
    """Secrets made up at random: each goes whole, is called by its kind, and takes no line with it."""
    choice = random.Random(20)
    for _ in range(20):
        for planted in plant(choice):
            out, counts = redact(f"before\n{planted.text}\nafter")
            assert not any(part in out for part in planted.parts), (planted, out)
            assert planted.kind in dict(counts), (planted, counts)
            assert out.count("\n") == planted.text.count("\n") + 2


def test_every_kind_is_planted() -> None:
    """No kind is without its example."""
    assert {planted.kind for planted in plant(random.Random(1))} == set(KINDS)


def test_a_manifest_of_secrets_keeps_its_names_alone() -> None:
    """All below `data` of a Kubernetes Secret goes, whatever it is called; a ConfigMap in the same file stays."""
    value = "bXlwYXNzd29yZA=="
    text = f"""apiVersion: v1
kind: ConfigMap
data:
  colour: {value}
---
apiVersion: v1
kind: Secret
metadata:
  name: web
data:
  first: {value}
  second: "{value}"
  third: |
    {value}
    {value}
  fourth: {{{{ .Values.fourth }}}}
type: Opaque
"""
    out, counts = redact(text)
    assert dict(counts) == {"secret": 4} and out.count(value) == 1
    assert out.count("\n") == text.count("\n") and "  first: [REDACTED:secret]\n" in out
    assert "  fourth: {{ .Values.fourth }}\ntype: Opaque\n" in out and redact(out) == (out, ())


def test_a_file_whose_path_holds_a_secret_is_left_out() -> None:
    """Its path may not be written; names that only look long are no secrets."""
    token = next(p.secret for p in plant(random.Random(3)) if p.kind == "github")
    assert left_out(f"dumps/{token}.txt") == left_out(f"{token}/a.py") == "secret_in_name"
    assert left_out("conf/.env") == "secret_store"
    for path in ("src/test_a_very_long_name_of_a_module.py", "docs/2024-01-31-passwords-and-tokens.md",
                 "migrations/0042_auto_20240131_1530.py", "assets/app.9f8e7d6c5b4a39281706f5e4d3c2b1a0.js"):  # fmt: skip
        assert left_out(path) is None


def test_paths_of_commits_and_branches_are_redacted() -> None:
    """A secret in the name of a file that a commit touched, or in a branch's name, is not kept."""
    token = next(p.secret for p in plant(random.Random(4)) if p.kind == "gitlab")
    raw = [RawCommit(f"{n:040}", 0, "Move files", "", (f"a/{n}.py", f"b/{token}.txt")) for n in range(300)]
    kept = [commit for commit, _ in commits(raw)]
    assert [c.files for c in kept] == [(f"a/{n}.py", "b/[REDACTED:gitlab].txt") for n in range(300)]
    assert git_meta(GitState("c" * 40, f"fix/{token}", False))["branch"] == "fix/[REDACTED:gitlab]"
    assert (
        git_meta(GitState("c" * 40, "fix/a-branch-with-a-long-name", False))["branch"]
        == "fix/a-branch-with-a-long-name"
    )


def test_a_line_of_the_log_is_redacted(tmp_path) -> None:
    """Whatever is logged, also a traceback, is written without its secrets."""
    token = next(p.secret for p in plant(random.Random(5)) if p.kind == "stripe")
    code = f"""
import logging, sys
from locid.lifecycle import log
log.start({str(tmp_path)!r}, "debug", False)
try:
    raise ValueError("refused " + sys.argv[1])
except ValueError:
    logging.getLogger("x").exception("with %s", sys.argv[1])
"""
    subprocess.run([sys.executable, "-c", code, token], check=True)
    written = (tmp_path / "locid.log").read_text()
    assert token not in written and written.count("[REDACTED:stripe]") == 2 and "ValueError: refused" in written
