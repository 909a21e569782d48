"""What a scope is: which directories are registered, under which names, and which paths belong to which.

Entry: `store.Registry`. Must never import a store of a scope, the router or refresh.
"""
