"""ask and route import nothing beyond what `import sys, os, _socket, msgpack` loads, built-ins, and our own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from .conftest import Place
from .stub import Stub

BASE = "import sys, os, _socket, msgpack; import json; print(json.dumps(sorted(sys.modules)))"
RUN = """
import sys
import loci_client.cli.main as main
status = main.main(sys.argv[1:])
seen = sorted(sys.modules)
import json
sys.stderr.write(json.dumps([status, seen]))
"""


def modules_of_json() -> set[str]:
    probe = "import sys, os, _socket, msgpack; a = set(sys.modules); import json; print(*(set(sys.modules) - a))"
    return set(subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True).stdout.split())


@pytest.mark.parametrize("argv", [["ask", "how does it retry"], ["route", "--explain", "retry"], ["route", "x"]])
def test_the_lean_path_stays_lean(place: Place, argv: list[str]) -> None:
    """The modules that are loaded after an answer are a subset of the allowed ones."""
    base = subprocess.run([sys.executable, "-c", BASE], capture_output=True, text=True, env=place.env)
    allowed = (set(json.loads(base.stdout)) - modules_of_json()) | set(sys.builtin_module_names)
    with Stub(place.socket()):
        done = subprocess.run([sys.executable, "-c", RUN, *argv], capture_output=True, text=True, env=place.env)
    status, seen = json.loads(done.stderr)
    extra = {name for name in seen if name not in allowed and name.split(".")[0] != "loci_client"}
    assert status == 0
    assert not extra
    assert not {name for name in seen if name.startswith("loci_client.") and name.split(".")[1] in ("launch", "halt")}
