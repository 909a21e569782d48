from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.daemons import Home
from tests.whole.conftest import machine, two

__all__ = ["home", "machine", "two"]


@pytest.fixture
def home() -> Iterator[Home]:
    home = Home()
    yield home
    home.close()
