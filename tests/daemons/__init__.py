"""Real daemons and real clients for tests: a home of its own for each, ended with the test."""

from tests.daemons.clients import Dealer, Ours, call, request
from tests.daemons.homes import Home, wait_until

__all__ = ["Dealer", "Home", "Ours", "call", "request", "wait_until"]
