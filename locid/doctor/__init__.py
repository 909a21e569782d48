"""What is missing or stale, and the command that mends it. Writes nothing.

Entry: `run.examine`. A check is a function of the standing state; it must never start work or open a store.
"""
