"""Files that are left out for their names: stores of secrets, and names with a secret in them. Pure."""

from __future__ import annotations

import re

from locid.redact.clean import holds_nothing

# Files whose whole name says it.
_NAMES = frozenset(
    """
    .dev.vars .envrc .netrc _netrc .pgpass pgpass.conf .my.cnf .mylogin.cnf .npmrc .pypirc .htpasswd .htdigest
    .git-credentials .dockercfg .dockerconfigjson .vault-token .vault_pass .vault-password .s3cfg .boto
    .passwd-s3fs .terraformrc .ftpconfig .esmtprc .msmtprc .fetchmailrc kubeconfig credentials shadow
    terraform.tfstate terraform.tfstate.backup application_default_credentials.json
    """.split()  # noqa: SIM905
)
_SUFFIXES = tuple(
    """
    .pem .key .p12 .pfx .p8 .pkcs12 .jks .keystore .kdbx .kdb .ppk .gpg .pgp .tfvars .tfvars.json .ovpn .agekey
    """.split()  # noqa: SIM905
)
_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".docker", ".envs", ".gcloud", ".kube", ".password-store"})
_BACKUP = re.compile(r"(?:[._-](?:bak|backup|old|orig|save|swp)|~)$")
_ENV = re.compile(r"^(?:\.env(?![a-z]).*|.+\.env)$")
_ENV_SHOWN = re.compile(
    r"[._-](?:example|sample|template|tmpl|dist|defaults?|schema|tpl)$|\.(?:md|ts|js|d\.ts|py|go|rs)$"
)
_SSH = re.compile(r"^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|ssh_host_\w+_key)(?![\w-]*\.pub$)(?:[._-].*)?$")
_STORES = re.compile(
    r"^(?:.*[._-])?(?:secrets?|credentials?|client[_-]secrets?[\w.-]*|service[_-]account[\w-]*|passwords?)"
    r"(?:\.(?:local|dev|prod|production|staging|test|enc|sops|decrypted))*"
    r"\.(?:json|jsonc|ya?ml|toml|ini|cfg|conf|env|txt|properties|plist|csv|xml|tfvars|enc|gpg|db|sqlite3?)$"
)


def left_out(path: str) -> str | None:
    """Why a file is never opened: `secret_store`, or `secret_in_name` when its path may not be written; else None."""
    if secret_store(path):
        return "secret_store"
    return None if holds_nothing((path,)) else "secret_in_name"


def secret_store(path: str) -> bool:
    """True for a file that is never opened: `.env`, keys, credential stores; source code is never one."""
    *folders, name = path.lower().split("/")
    name = _BACKUP.sub("", name)
    if any(folder in _FOLDERS for folder in folders) or name in _NAMES:
        return True
    if _ENV.match(name):
        return not _ENV_SHOWN.search(name)
    return name.endswith(_SUFFIXES) or bool(_SSH.match(name)) or bool(_STORES.match(name))
