from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.daemons import Home


@pytest.fixture
def home() -> Iterator[Home]:
    home = Home()
    yield home
    home.close()
