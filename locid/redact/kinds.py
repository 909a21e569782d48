"""Tokens that are known by their shape: by how they begin, or by the address or header they stand in. Pure.

`suspected` tells cheaply which rules may find something in a text. A token holds a run of 20 characters of
`[A-Za-z0-9_-]`, and a word of that run, or before a point before it, begins as the token does: so the words there, a
tenth of a source, are looked up by their first letters, and only the rules that they lead to are tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from locid.redact import values


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A token; group `v` of the pattern is the secret, or the whole match without such a group.

    A word of it is one of `heads`, cut to four letters, or begins with the three letters of one of `opens`; `probe` is
    what its run must hold besides.
    """

    kind: str
    pattern: re.Pattern[str]
    accept: Callable[[str], bool] = values.varied
    heads: frozenset[str] = frozenset()
    opens: frozenset[str] = frozenset()
    probe: re.Pattern[str] = re.compile("")


_B = r"(?<![A-Za-z0-9])"  # not inside a longer run
_E = r"(?![A-Za-z0-9])"
_HEX = "0123456789abcdef"
_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"


def _token(kind: str, starts: str, body: str, accept: Callable[[str], bool] = values.varied, before: str = _B) -> Rule:
    """A token that begins with one of `starts` (blanks between them), and goes on with `body`."""
    words = starts.split()
    start = f"{before}(?:{'|'.join(map(re.escape, words))})"
    pattern = re.compile(start + body)
    opens = frozenset(word for word in words if len(word) == 3 and word.isalnum())
    heads = frozenset(re.split("[^A-Za-z0-9]", word)[0][:4] for word in words) - opens
    return Rule(kind, pattern, accept, heads, opens, re.compile(start + _in_one_run(body)))


def _in_one_run(body: str) -> str:
    """The beginning of a pattern that is sure to lie in one run."""
    first = re.split(r"\\\.|\(", body)[0]
    return "" if "+/" in first or "." in first else first


def _around(kind: str, heads: str, pattern: str) -> Rule:
    """A token that is known by a word in it."""
    return Rule(kind, re.compile(pattern), values.varied, frozenset(heads.split()))


def _each(*parts: Sequence[str]) -> list[str]:
    return ["".join(part) for part in product(*parts)]


_TOKENS = (
    _token("1password", "ops_eyJ", r"[A-Za-z0-9+/]{40,}={0,3}"),
    _token("1password", "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}" + _E),
    _token("adobe", "p8e-", r"[A-Za-z0-9]{32}" + _E),
    _token("age", "AGE-SECRET-KEY-1", r"[A-Z0-9]{30,}"),
    _token("airtable", "pat", r"[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _token("alibaba", "LTAI", r"[A-Za-z0-9]{16,24}" + _E, values.mixed),
    _token("anthropic", "sk-ant-", r"[\w-]{20,}", values.filled),
    _token("artifactory", "AKCp cmVmd", r"[A-Za-z0-9]{50,}"),
    _token("atlassian", "ATATT3 ATCTT3", r"[\w=-]{40,}"),
    _token("atlassian", "ATBB", r"[A-Za-z0-9]{24,}", values.mixed),
    _token("atlassian", "BBDC-", r"[A-Za-z0-9+/@_-]{40,50}"),
    _token("aws", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}" + _E),
    _token("aws", "ABSK", r"[A-Za-z0-9+/]{60,}={0,2}"),
    _token("buildkite", "bkua_", r"[a-z0-9]{40}"),
    _token("circleci", "CCIPAT_", r"[A-Za-z0-9]{20,}_[a-fA-F0-9]{40}"),
    _token("clojars", "CLOJARS_", r"[a-z0-9]{60}"),
    _token("cloudflare", "cfut_ cfat_", r"[A-Za-z0-9]{40,}"),
    _token("cloudflare", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{100,}"),
    _token("contentful", "CFPAT-", r"[\w-]{40,}"),
    _token("databricks", "dapi", r"[a-f0-9]{32}"),
    _token("digitalocean", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{40,}"),
    _token("discord", " ".join(_each("MNO", "DTjz", "AEIMQUYcgk")), r"[\w-]{20,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])",
           values.snowflake, r"(?<![\w.-])"),
    _token("docker", "dckr_pat_ dckr_oat_", r"[\w-]{20,}"),
    _token("doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[\w.-]{30,}"),
    _token("duffel", "duffel_live_ duffel_test_", r"[\w=-]{40,}"),
    _token("dynatrace", "dt0", r"[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _token("easypost", "EZAK EZTK", r"[A-Za-z0-9]{50,}"),
    _token("facebook", "EAAM EAAC", r"[A-Za-z0-9]{90,}", values.varied, r"(?<![A-Za-z0-9+/=])"),
    _token("figma", "figd_ figp_ figo_", r"[\w-]{20,}"),
    _token("flutterwave", "FLWSECK- FLWSECK_TEST-", r"[A-Za-z0-9]{12,}"),
    _token("fly", "fo1_ fm1r_ fm1a_ fm2_", r"[\w+/-]{40,}={0,3}"),
    _token("frameio", "fio-u-", r"[\w=-]{50,}"),
    _token("github", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{30,}"),
    _token("github", "github_pat_", r"[A-Za-z0-9_]{30,}"),
    _token("gitlab", "glpat- gldt- glrt- glptt- glcbt- glsoat- glagent- glft- glffct- glimt- gloas- GR1348941",
           r"[\w-]{16,}(?:(?:\.[a-z0-9]{2})?\.[a-z0-9]{9}(?![A-Za-z0-9]))?", values.filled),
    _token("google", "AIza", r"[\w-]{35}"),
    _token("google", "ya29. GOCSPX- APA91b", r"[\w-]{20,}", values.filled),
    _token("grafana", "glc_", r"[A-Za-z0-9+/]{32,}={0,3}"),
    _token("grafana", "glsa_", r"[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
    _token("grafana", "eyJrIjoi", r"[A-Za-z0-9]{60,}={0,3}"),
    _token("groq", "gsk_", r"[A-Za-z0-9]{40,}"),
    _token("harness", "pat. sat.", r"[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    _token("heroku", "HRKU-AA", r"[\w-]{50,}"),
    _token("huggingface", "hf_ api_org_", r"[A-Za-z0-9]{30,}"),
    _token("infracost", "ico-", r"[A-Za-z0-9]{32}" + _E, values.mixed),
    _token("jwt", "eyJ", r"[\w-]{8,}+\.eyJ[\w-]{8,}+(?:\.[\w-]*+)?", values.varied, r"(?<![\w-])"),
    _token("jwt", "ZXlK", r"[A-Za-z0-9+/_-]{60,}={0,2}", values.encoded_token),
    _token("langsmith", "lsv2_pt_ lsv2_sk_", r"[a-f0-9]{32}_[a-f0-9]{10}"),
    _token("launchdarkly", "api- sdk-", _UUID),
    _token("linear", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{30,}"),
    _around("mailchimp", " ".join(f"us{n}" for n in range(1, 100)), _B + r"[0-9a-f]{32}-us[0-9]{1,2}" + _E),
    _token("mailgun", "key- pubkey-", r"[0-9a-f]{32}" + _E),
    _token("mapbox", "sk.eyJ", r"[\w-]{20,}\.[\w-]{20,}"),
    _around("maxmind", "mmk", _B + r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk" + _E),
    _token("netlify", "nfp_", r"[A-Za-z0-9_]{36}"),
    _token("newrelic", "NRAK- NRII- NRIQ- NRJS- NRBR-", r"[A-Za-z0-9_-]{19,}"),
    _token("notion", "secret_ ntn_", r"[A-Za-z0-9]{40,}"),
    _token("npm", "npm_", r"[A-Za-z0-9]{30,}"),
    _token("nvidia", "nvapi-", r"[\w-]{50,}"),
    _token("octopus", "API-", r"[A-Z0-9]{25,}" + _E, values.mixed),
    _token("openai", "sk-", r"(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}", values.key),
    _token("perplexity", "pplx-", r"[A-Za-z0-9]{40,}"),
    _token("pinecone", "pcsk_", r"[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}"),
    _token("plaid", "access-sandbox- access-development- access-production-", _UUID),
    _token("planetscale", "pscale_tkn_ pscale_oauth_ pscale_pw_", r"[\w=.-]{32,}"),
    _token("posthog", "phx_", r"[A-Za-z0-9_]{40,}"),
    _token("postman", "PMAK-", r"[A-Za-z0-9-]{50,}"),
    _token("prefect", "pnu_", r"[A-Za-z0-9]{36}"),
    _token("private_key", "LS0tLS1CRUdJTi", r"[A-Za-z0-9+/]{40,}={0,2}", values.encoded_key),
    _token("pulumi", "pul-", r"[a-f0-9]{40}"),
    _token("pypi", "pypi-", r"[A-Za-z0-9_-]{40,}", values.filled),
    _token("razorpay", "rzp_live_ rzp_test_", r"[A-Za-z0-9]{14,}"),
    _token("readme", "rdme_", r"[a-z0-9]{60,}"),
    _token("replicate", "r8_", r"[A-Za-z0-9]{37}(?![\w-])"),
    _token("rubygems", "rubygems_", r"[a-f0-9]{48}"),
    _token("scalingo", "tk-us-", r"[\w-]{40,}"),
    _token("sendgrid", "SG.", r"[\w-]{16,64}\.[\w-]{16,}"),
    _token("sendinblue", "xkeysib-", r"[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _token("sentry", "sntrys_eyJ sntryu_", r"[\w+/=-]{40,}"),
    _token("shippo", "shippo_live_ shippo_test_", r"[a-fA-F0-9]{40}"),
    _token("shopify", "shpat_ shpca_ shppa_ shpss_", r"[a-fA-F0-9]{32,}"),
    _token("slack", "xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-", r"[A-Za-z0-9.-]{15,}", values.numbered),
    _token("sonarqube", "squ_ sqp_ sqa_", r"[a-f0-9]{40}"),
    _token("sourcegraph", "sgp_", r"(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}"),
    _token("square", "sq0atp- sq0csp-", r"[\w-]{22,}"),
    _token("square", "EAAA", r"[\w-]{60}(?![\w+/=-])", values.mixed, r"(?<![A-Za-z0-9+/=])"),
    _token("stripe", " ".join(_each(("sk_", "rk_", "pk_"), ("live_", "test_", "prod_"))), r"[A-Za-z0-9]{16,}"),
    _token("stripe", "whsec_", r"[A-Za-z0-9+/=]{14,}"),
    _token("supabase", "sbp_ sb_secret_", r"[A-Za-z0-9_-]{30,}"),
    _token("tailscale", "tskey-", r"[a-z]{2,12}-[A-Za-z0-9_-]{16,}"),
    _around("terraform", "atla", _B + r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}"),
    _token("twilio", " ".join(_each(("SK", "AC"), _HEX)), r"[0-9a-f]{31}" + _E),
    _token("typeform", "tfp_", r"[\w.=-]{40,}"),
    _token("vault", "hvs. hvb. hvr.", r"[\w-]{24,}", values.filled),
    _token("xai", "xai-", r"[A-Za-z0-9_]{60,}"),
    _token("yandex", "AQVN", r"[\w-]{35,}"),
    _token("zoho", "1000.", r"[a-f0-9]{32}\.[a-f0-9]{32}"),
    # its digits and colon stand before the run
    Rule("telegram", re.compile(r"(?<![0-9])[0-9]{6,12}:AA[\w-]{33}(?![\w-])"), values.varied,
         frozenset(["AA"]), frozenset(_each(("AA",), _ALNUM)), re.compile(r"(?<![\w-])AA[\w-]{33}(?![\w-])")),
)  # fmt: skip
_HEADS = frozenset(head.encode() for rule in _TOKENS for head in rule.heads)
_OPENS = frozenset(head.encode() for rule in _TOKENS for head in rule.opens)
_BY_HEAD = {
    head: [rule for rule in _TOKENS if head.decode() in rule.heads | rule.opens] for head in sorted(_HEADS | _OPENS)
}

# With a sign that few texts hold.
_TILDES = (
    Rule("azure", re.compile(r"(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])")),
    Rule("openshift", re.compile(r"(?<![A-Za-z0-9])sha256~[\w-]{43}(?![\w-])")),
)

_ADDRESS = re.compile(rb":(?=//)")  # searched by its colon: slashes are everywhere
# In addresses: (what the text must hold), rule.
_HOOKS = (
    (b"hooks.slack.com/",
        Rule("slack", re.compile(r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<v>[\w/-]{20,})"), values.filled)),
    (b"/api/webhooks/",
        Rule("discord", re.compile(r"discord(?:app)?\.com/api/webhooks/\d{1,30}/(?P<v>[\w-]{30,})"), values.filled)),
    (b"webhook.office.com/",
        Rule("teams", re.compile(r"webhook\.office\.com/webhookb2/(?P<v>[\w@/-]{60,})"), values.filled)),
    (b"hooks.zapier.com/",
        Rule("zapier", re.compile(r"hooks\.zapier\.com/hooks/catch/(?P<v>\d+/[a-z0-9]{6,})"))),
)  # fmt: skip
_SAS = Rule("azure", re.compile(r"sig=(?P<v>[A-Za-z0-9%+/]{40,}=*)"))
# Before the host of one.
_USER = re.compile(rb"://[^\s/\"'<>`\\]{0,300}@")
_USERS = (
    Rule("url_password", re.compile(
        r"://(?P<user>[^\s/:@\"'<>`\[\]\\]{0,100}):(?P<v>[^\s/\"'<>`\\]{1,200})@(?=[\w\[$%{])"), values.no_placeholder),
    Rule("url_password", re.compile(r"://(?P<v>[\w-]{20,200})(?::x-oauth-basic)?@(?=\w)"), values.opaque),
)  # fmt: skip

# In a header: (what the text must hold, in small letters), rules.
_HEADERS = (
    (b"bearer", (
        Rule("bearer", re.compile(r"(?i:\bbearer)[ \t]{1,4}(?P<v>[A-Za-z0-9._~+/-]{16,}+=*)"), values.key),
    )),
    (b"authorization", (
        Rule("basic", re.compile(r"(?i:authorization\W{1,6}basic)[ \t]{1,4}(?P<v>[A-Za-z0-9+/]{8,}={0,2})"), values.login),
        Rule("bearer", re.compile(
            r"(?i:authorization\W{1,6}(?:token|apikey)[ \t=]{1,4})(?P<v>[\w.~+/-]{16,}+=*)"), values.key),
        Rule("bearer", re.compile(
            r"(?i:authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?)(?P<v>[\w.~+/-]{20,}+=*)"), values.opaque),
    )),
)  # fmt: skip

_ALL = (
    *_TOKENS,
    *_TILDES,
    *_USERS,
    _SAS,
    *(rule for _, rule in _HOOKS),
    *(rule for _, some in _HEADERS for rule in some),
)
KINDS = tuple(sorted({rule.kind for rule in _ALL}))

SHORTEST_RUN = 20  # characters
_BEFORE_RUN = 18  # characters before a run that are looked at: what stands before a point belongs to some tokens
_RUN = b"a" * SHORTEST_RUN
_RUN_TABLE = bytes(ord("a") if chr(i) in f"{_ALNUM}_-" else ord(" ") for i in range(256))
_WORD_TABLE = bytes(i if chr(i) in _ALNUM else ord(" ") for i in range(256))


def suspected(raw: bytes, low: bytes) -> list[Rule]:
    """The rules that may find something in a text, given as ASCII bytes, as they are and in small letters."""
    rules = by_runs(raw)
    if b"~" in raw and (b"Q~" in raw or b"sha256~" in raw):
        rules += _TILDES
    if _ADDRESS.search(raw):
        rules += [rule for sign, rule in _HOOKS if sign in raw] if b"hook" in raw else ()
        rules += [_SAS] if b"sig=" in raw else ()
        rules += _USERS if b"@" in raw and _USER.search(raw) else ()
    return rules + [rule for word, found in _HEADERS if word in low for rule in found]


def by_runs(raw: bytes) -> list[Rule]:
    """The rules whose tokens may be among the long runs."""
    runs = _long_runs(raw)
    if not runs:
        return []
    heads = {word[:4] for word in b" ".join(runs).translate(_WORD_TABLE).split()}
    met = (_HEADS & heads) | (_OPENS & {head[:3] for head in heads})
    if not met:
        return []
    text = b" ".join(run for run in runs if any(head in run for head in met)).decode("ascii")
    wanted = {rule for head in met for rule in _BY_HEAD[head]}
    return [rule for rule in _TOKENS if rule in wanted and rule.probe.search(text)]


def _long_runs(raw: bytes) -> list[bytes]:
    """The long runs in order, each with what stands before it."""
    mapped, out = raw.translate(_RUN_TABLE), []
    at = mapped.find(_RUN)
    while at >= 0:
        end = mapped.find(b" ", at + len(_RUN))
        end = len(raw) if end < 0 else end
        out.append(raw[max(0, at - _BEFORE_RUN) : end])
        at = mapped.find(_RUN, end)
    return out
