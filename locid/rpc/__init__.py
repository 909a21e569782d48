"""The server side of the wire: a ROUTER loop, what a request may be, and the handlers.

Entry: `serve(fd, label, methods, control) -> Server`. The only importer of zmq; must never import lifecycle
or app.
"""

from locid.rpc.method import Handler, Method, Param
from locid.rpc.server import Server

serve = Server  # what lifecycle.run is given

__all__ = ["Handler", "Method", "Param", "Server", "serve"]
