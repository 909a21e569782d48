"""Manifests -> what they declare and what their project goes by, each with its line. One table of formats; nothing is run.

Entry: `read(path, text)`. Must never import anything of ours but `locid.manifest`.
"""

from locid.collect.manifests.formats import read

__all__ = ["read"]
