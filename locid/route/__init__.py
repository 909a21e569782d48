"""Which scopes a question belongs to, or an abstention with its reason: deterministic, no model.

Entry: `router.Router`. Everything but the router is pure. Must never import a store, episodes, ask or refresh.
"""
