"""Whether a daemon that was started on demand should leave. Pure."""

from __future__ import annotations


def should_exit(now: float, in_flight: int, busy: bool, last_request: float, limit: float) -> bool:
    """Whether nothing is in flight or at work, and no request has come for `limit` seconds."""
    return not in_flight and not busy and now - last_request >= limit


def next_look(now: float, last_request: float, limit: float) -> float:
    """When to look again: as the limit ends, or soon after when it has ended and work still runs."""
    due = last_request + limit
    return due if due > now else now + min(limit, 1.0)
