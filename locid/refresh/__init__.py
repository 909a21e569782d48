"""The writing joint: what changed goes through the indexer into a scope's stores, and a new Snapshot is swapped in.

Entry: `scheduler.Scheduler` in the daemon; `indexer.main` and `parser.main` in the child processes. Must never import
ask, route or rpc.
"""
