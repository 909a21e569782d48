"""The reading joint: a Route on a View becomes a cited Answer inside its token budget.

Entry: `ask.Asker`. Must never import refresh or rpc.
"""
