"""The daemon's life: one per home, reachable, stoppable, and telling a crash from a clean end.

Entry: `run(options, build, serve) -> exit status`. Must never import rpc, app or any store.
"""

from locid.lifecycle.run import Options, run

__all__ = ["Options", "run"]
