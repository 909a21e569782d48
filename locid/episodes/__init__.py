"""The episode store: passages of a scope and the words in them, searched by scores that compare across scopes.

Entry: `documents` and `lexical.ShelfWriter` for the indexer, `passages.Passages` and `history.History` for questions.
Must never import route, ask or refresh.
"""
