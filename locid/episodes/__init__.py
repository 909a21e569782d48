"""The episode store: passages of a scope and the words in them, searched by scores that compare across scopes.

Entry: `lexical.Writer` for the indexer, `passages.Passages` for questions. Must never import route, ask or refresh.
"""
