"""Secrets of every kind, made up anew at each run, so that the repository holds none that a scanner would stop."""

from __future__ import annotations

import base64
import random
import re
import string
from dataclasses import dataclass

_ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "h": "0123456789abcdef",
    "9": string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
}
_UUID = "<h8>-<h4>-<h4>-<h4>-<h12>"

# (kind, the shapes of its secrets): `<A36>` is 36 letters and digits.
_SHAPES: dict[str, tuple[str, ...]] = {
    "1password": ("ops_eyJzaWduSW5BZGRyZXNz<b240>", "A3-<U6>-<U11>-<U5>-<U5>-<U5>"),
    "adobe": ("p8e-<l32>",),
    "age": ("AGE-SECRET-KEY-1<U58>",),
    "airtable": ("pat<A14>.<h64>",),
    "alibaba": ("LTAI<A20>",),
    "anthropic": ("sk-ant-api03-<w93>AA", "sk-ant-admin01-<w93>AA"),
    "artifactory": ("AKCp<A69>", "cmVmd<A59>"),
    "atlassian": ("ATATT3xFfGF0<w180>=<U8>", "ATBB<A32>", "BBDC-<w44>"),
    "aws": ("AKIA<U16>", "ASIA<U16>", "ABSKQmVkcm9ja0FQSUtleS<b90>"),
    "azure": ("<A3>8Q~<w34>",),
    "buildkite": ("bkua_<h40>",),
    "circleci": ("CCIPAT_<A22>_<h40>",),
    "clojars": ("CLOJARS_<l60>",),
    "cloudflare": ("cfut_<A40><h8>", "v1.0-<h24>-<h146>"),
    "contentful": ("CFPAT-<w43>",),
    "databricks": ("dapi<h32>",),
    "digitalocean": ("dop_v1_<h64>", "doo_v1_<h64>"),
    "docker": ("dckr_pat_<w27>",),
    "doppler": ("dp.pt.<A43>", "dp.audit.<A43>"),
    "duffel": ("duffel_live_<w43>",),
    "dynatrace": ("dt0c01.<U24>.<U64>",),
    "easypost": ("EZAK<A54>",),
    "facebook": ("EAAM<A120>",),
    "figma": ("figd_<w40>",),
    "flutterwave": ("FLWSECK_TEST-<h32>-X",),
    "fly": ("fo1_<w43>", "fm2_lJPECAAAAAAAAAAAAAAAAAAA<b100>"),
    "frameio": ("fio-u-<w64>",),
    "github": ("ghp_<A36>", "gho_<A36>", "ghs_<A36>", "github_pat_<A22>_<A59>"),
    "gitlab": ("glpat-<w20>", "glpat-<w27>.<l2>.<l9>", "glrt-<w20>", "glptt-<h40>", "GR1348941<w20>"),
    "google": ("AIza<w35>", "ya29.<w60>", "GOCSPX-<w28>"),
    "grafana": ("glsa_<A32>_<h8>", "glc_eyJvIjoiMTIzNDU2Iiwi<A60>", "eyJrIjoi<A72>"),
    "groq": ("gsk_<A52>",),
    "harness": ("pat.<A22>.<A24>.<A20>",),
    "heroku": ("HRKU-AA<w58>",),
    "huggingface": ("hf_<A34>", "api_org_<A34>"),
    "infracost": ("ico-<A32>",),
    "jwt": ("eyJhbGciOiJIUzI1NiJ9.eyJ<w60>.<w43>",),
    "langsmith": ("lsv2_pt_<h32>_<h10>",),
    "launchdarkly": (f"sdk-{_UUID}",),
    "linear": ("lin_api_<A40>",),
    "mailchimp": ("<h32>-us21",),
    "mailgun": ("key-<h32>",),
    "mapbox": ("sk.eyJ1<A60>.<A22>",),
    "maxmind": ("<A6>_<A29>_mmk",),
    "netlify": ("nfp_<A36>",),
    "newrelic": ("NRAK-<U27>", "NRII-<w32>"),
    "notion": ("secret_<A43>", "ntn_<911><A35>"),
    "npm": ("npm_<A36>",),
    "nvidia": ("nvapi-<w64>",),
    "octopus": ("API-<U26>",),
    "openai": ("sk-<A20>T3BlbkFJ<A20>", "sk-proj-<w74>T3BlbkFJ<w74>"),
    "openshift": ("sha256~<w43>",),
    "perplexity": ("pplx-<A48>",),
    "pinecone": ("pcsk_<A6>_<A63>",),
    "plaid": (f"access-production-{_UUID}",),
    "planetscale": ("pscale_tkn_<w43>", "pscale_pw_<w43>"),
    "posthog": ("phx_<A43>",),
    "postman": ("PMAK-<h24>-<h34>",),
    "prefect": ("pnu_<A36>",),
    "pulumi": ("pul-<h40>",),
    "pypi": ("pypi-AgEIcHlwaS5vcmc<w80>",),
    "razorpay": ("rzp_live_<A14>",),
    "readme": ("rdme_<l70>",),
    "replicate": ("r8_<A37>",),
    "rubygems": ("rubygems_<h48>",),
    "scalingo": ("tk-us-<w48>",),
    "sendgrid": ("SG.<w22>.<w43>",),
    "sendinblue": ("xkeysib-<h64>-<A16>",),
    "sentry": ("sntryu_<h64>", "sntrys_eyJpYXQiOjE3<A60>"),
    "shippo": ("shippo_live_<h40>",),
    "shopify": ("shpat_<h32>", "shpss_<h32>"),
    "slack": ("xoxb-<912>-<913>-<A24>", "xoxe.xoxp-1-<U40>", "xapp-1-<U11>-<913>-<h64>"),
    "sonarqube": ("squ_<h40>",),
    "sourcegraph": ("sgp_<h16>_<h40>", "sgp_<h40>"),
    "square": ("EAAA<w60>", "sq0atp-<w22>", "sq0csp-<w43>"),
    "stripe": ("sk_live_<A24>", "rk_test_<A24>", "whsec_<A32>"),
    "supabase": ("sbp_<h40>", "sb_secret_<w31>"),
    "tailscale": ("tskey-auth-<A12>-<A32>",),
    "telegram": ("<910>:AA<w33>",),
    "terraform": ("<A14>.atlasv1.<w67>",),
    "twilio": ("SK<h32>", "AC<h32>"),
    "typeform": ("tfp_<w44>",),
    "vault": ("hvs.<w95>", "hvb.<w140>"),
    "xai": ("xai-<A80>",),
    "yandex": ("AQVN<w36>",),
    "zoho": ("1000.<h32>.<h32>",),
}  # fmt: skip

# (kind, the shape of the secret, the text around it)
_PLACES = (
    ("azure", "<b20>%2B<A20>%3D", "https://acct.blob.core.windows.net/c?sp=r&sig={}"),
    ("basic", "<A24>", 'curl -H "Authorization: Basic {}"'),
    ("bearer", "<A12>.<w24>", "Authorization: Bearer {}"),
    ("bearer", "<h40>", 'req.Header.Set("Authorization", "token {}")'.replace('", "token', ": token")),
    ("discord", "<w68>", "https://discord.com/api/webhooks/<918>/{}"),
    ("password", "<A4>&<A3>;<A4>!<99>", "DB_PASSWORD={}"),
    ("password", "<A4>&<A3>(<A4>!<92>", "export DB_PASSWORD={}"),
    ("password", "<A5>@<A4>,<A4><92>", "  password: {}"),
    ("password", "<l6><92>", 'password = "{}"'),
    ("password", "<A4><92>'<A4>", 'pwd: "{}"'),
    ("password", "<A6><92> <A5> <A3>", 'passphrase = "{}"'),
    ("password", "<A10><92>", "define('DB_PASSWORD', '{}');"),
    ("password", "<A10><92>", '<add name="Password" value="{}" />'),
    ("password", "<A10><92>", "- name: DB_PASSWORD\n  value: {}"),
    ("password", "<A10><92>", "machine example.org login bob password {}"),
    ("password", "<A10><92>&<A3>", "Server=db;User Id=app;Password={};Encrypt=yes"),
    ("secret", "<A32>", 'client_secret = "{}"'),
    ("secret", "<h32>", '"apiKey": "{}",'),
    ("secret", "<b40>", "AWS_SECRET_ACCESS_KEY={}"),
    ("secret", "<b86>==", "AccountName=x;AccountKey={};EndpointSuffix=y"),
    ("secret", "<A24>", "curl 'https://api.example.org/v1?access_token={}&page=2'"),
    ("secret", _UUID, "token: {}"),
    ("secret", "<A28>", '{{\\"refresh_token\\": \\"{}\\"}}'),
    ("slack", "T<U8>/B<U8>/<A24>", "https://hooks.slack.com/services/{}"),
    ("teams", f"{_UUID}@{_UUID}/IncomingWebhook/<h32>/{_UUID}", "https://acme.webhook.office.com/webhookb2/{}"),
    ("url_password", "<l9><92>", "postgres://app:{}@db.internal:5432/app"),
    ("url_password", "<l9><92>", "redis://:{}@cache:6379/0"),
    ("url_password", "<h40>", "git clone https://{}@git.example.org/a/b.git"),
    ("zapier", "<97>/<l7>", "https://hooks.zapier.com/hooks/catch/{}/"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """A secret with a line that holds it."""

    kind: str
    secret: str
    text: str

    @property
    def parts(self) -> list[str]:
        """What no store may hold: the lines of the secret."""
        return [line for line in self.secret.split("\n") if not line.startswith("-----")]


def plant(choice: random.Random) -> list[Planted]:
    """One secret of each shape that is known, each in a text of its own."""
    found = [
        Planted(kind, secret, f"the robot uses {secret} since then")
        for kind, shapes in _SHAPES.items()
        for secret in (_made(shape, choice) for shape in shapes)
    ]
    for kind, shape, around in _PLACES:
        secret = _made(shape, choice)
        if kind == "basic":
            secret = base64.b64encode(f"bot:{secret}".encode()).decode()
        found.append(Planted(kind, secret, _made(around, choice).format(secret)))
    return [*found, *_encoded(choice)]


def _made(shape: str, choice: random.Random) -> str:
    return re.sub(r"<(\w)(\d+)>", lambda m: _run(_ALPHABETS[m[1]], int(m[2]), choice), shape)


def _run(alphabet: str, length: int, choice: random.Random) -> str:
    """Random characters that begin with a letter and a digit, where there are both, and end with either."""
    while True:
        run = "".join(choice.choices(alphabet, k=length))
        letters = any(c.isalpha() for c in run) or not any(c.isalpha() for c in alphabet)
        if run[-1].isalnum() and run[0].isalnum() and letters and (length < 2 or any(c.isdigit() for c in run)):
            return run


def _encoded(choice: random.Random) -> list[Planted]:
    bot = base64.b64encode(_run("123456789", 18, choice).encode()).decode()
    discord = f"{bot}.{_run(_ALPHABETS['A'], 6, choice)}.{_run(_ALPHABETS['A'], 38, choice)}"
    lines = [_run(_ALPHABETS["b"], 64, choice) for _ in range(6)]
    keys = [
        "\n".join([f"-----BEGIN {name}PRIVATE KEY-----", *lines, f"-----END {name}PRIVATE KEY-----"])
        for name in ("RSA ", "", "OPENSSH ")
    ]
    inside = base64.b64encode(keys[0].encode()).decode()
    jwt = (
        base64.b64encode(f"eyJhbGciOiJIUzI1NiJ9.eyJ{_run(_ALPHABETS['A'], 60, choice)}.x".encode()).decode().rstrip("=")
    )
    return [
        Planted("discord", discord, f"client.login('{discord}')"),
        *(Planted("private_key", key, f'KEY = """{key}"""') for key in keys),
        Planted("private_key", inside, f"tls.key {inside}"),
        Planted("jwt", jwt, f"say {jwt}"),
    ]
