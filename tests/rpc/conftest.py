from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.daemons import Dealer, Home, Ours


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """One daemon for the tests of a module."""
    home = Home()
    home.start("--log-level", "debug")
    yield home
    home.close()


@pytest.fixture
def own_home() -> Iterator[Home]:
    """A home for one test; it starts the daemon itself."""
    home = Home()
    yield home
    home.close()


@pytest.fixture(params=[Ours, Dealer])
def client(request: pytest.FixtureRequest, home: Home) -> Iterator[Ours | Dealer]:
    """Each client in turn, connected."""
    client = request.param(home.paths.socket())
    yield client
    client.close()


@pytest.fixture
def dealer(home: Home) -> Iterator[Dealer]:
    client = Dealer(home.paths.socket())
    yield client
    client.close()
