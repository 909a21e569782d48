"""The daemon of loci: routing, stores, indexing and the server. Entry: `locid.__main__`, built by `locid.app`.

Must never import loci_client, but for `wire` and `paths`, and those only from rpc and lifecycle.
"""

__version__ = "0.1.0"
