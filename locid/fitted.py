"""thresholds.json: what calibrate fitted, kept across restarts. The daemon owns it; whatever is wrong in it costs one
sentence, and the defaults hold."""

from __future__ import annotations

import threading

from locid import atomic
from locid.errors import Unavailable
from locid.route import thresholds
from locid.route.thresholds import DEFAULTS, FLOOR, Fit, Thresholds

_MAX_BYTES = 1 << 22  # ids of tens of thousands of scopes
MENDS = "loci calibrate"


class Fitted:
    """The thresholds in force; safe to read from any thread."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._state: tuple[Fit | None, str | None] = (None, None)
        self.reload()

    @property
    def fit(self) -> Fit | None:
        """What was fitted; None when nothing was, or what lies there cannot be used."""
        return self._state[0]

    @property
    def problem(self) -> str | None:
        """A sentence on what is wrong with the file, when it cannot be used."""
        return self._state[1]

    @property
    def thresholds(self) -> Thresholds:
        """What the router takes."""
        return self.fit.thresholds if self.fit else DEFAULTS

    def reload(self) -> None:
        """Takes on what the file says now."""
        with self._lock:
            try:
                self._state = (thresholds.loads(self._text()), None)
            except FileNotFoundError:
                self._state = (None, None)
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                holds = f"the default floor {FLOOR} holds until `{MENDS}` fits it anew"
                self._state = (None, f"{self._path} cannot be used ({reason}); {holds}")

    def write(self, fit: Fit) -> None:
        """Puts a fit in force and keeps it, whole or not at all; Unavailable leaves the old one in force."""
        with self._lock:
            try:
                atomic.write(self._path, thresholds.dumps(fit).encode())
            except OSError as error:
                sentence = f"{self._path} cannot be written ({error.strerror}); what was in force before still is"
                raise Unavailable(sentence) from None
            self._state = (fit, None)

    def _text(self) -> str:
        with open(self._path, "rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise ValueError("it is far too large")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8") from None
