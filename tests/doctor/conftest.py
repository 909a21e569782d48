"""A machine with the real daemon, and two projects on it."""

from tests.whole.conftest import machine, two

__all__ = ["machine", "two"]
