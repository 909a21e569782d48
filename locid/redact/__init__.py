"""What is secret: which files are never opened, and which parts of any text become `[REDACTED:<kind>]`.

Entry: `redact(text)`; `left_out(path)` for files; `KINDS`, all that a redaction may be called. Pure.
Must never import: anything of locid but values and errors.
"""

from locid.redact.clean import KINDS, Redacted, holds_nothing, redact, redact_all, unmarked
from locid.redact.files import left_out, secret_store
from locid.redact.values import MARK

__all__ = ["KINDS", "MARK", "Redacted", "holds_nothing", "left_out", "redact", "redact_all", "secret_store", "unmarked"]
