"""The thin side of loci: everything a client needs, on the standard library and msgpack alone.

Entry: `client.Client`, and `cli.main.run` for the command line. Must never import locid, numpy, tantivy,
sqlite3 or zmq.
"""

__version__ = "0.1.0"
