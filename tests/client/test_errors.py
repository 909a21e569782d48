"""The three tables of errors agree, and a reply becomes the exception of its code."""

from __future__ import annotations

import pytest

from loci_client import errors, wire


def test_every_code_has_one_class_and_one_exit_status() -> None:
    """The client's classes have the codes and statuses of the wire, no more and no fewer."""
    assert {code: error.status for code, error in errors.TABLE.items()} == wire.ERROR_CODES


@pytest.mark.parametrize("code", wire.ERROR_CODES)
def test_a_reply_becomes_the_exception_of_its_code(code: str) -> None:
    """Code, sentence and detail survive."""
    error = errors.from_reply({"code": code, "message": "do this", "detail": {"a": 1}})
    assert (type(error), error.code, str(error), error.detail) == (errors.TABLE[code], code, "do this", {"a": 1})


@pytest.mark.parametrize("body", [None, [], {}, {"code": "from_the_future", "message": "x"}, {"code": 3, "detail": 4}])
def test_an_unknown_error_is_an_internal_one(body: object) -> None:
    """What a newer or broken daemon sends ends with status 5, and with a sentence."""
    error = errors.from_reply(body)
    assert (error.code, error.status) == ("internal", 5)
    assert str(error)


def test_what_the_client_meets_by_itself_has_its_status() -> None:
    """No daemon is 3, a passed deadline 4, a wrong command line 2."""
    assert {errors.NoDaemon.status, errors.CannotStart.status, errors.Silent.status, errors.BadPeer.status} == {3}
    assert errors.DeadlinePassed.status == 4
    assert errors.Usage.status == 2
