"""Handlers: parameters -> what the packages below answer -> the result's shape on the wire.

One file a family, each with `methods(...) -> tuple[Method, ...]`. Must never hold logic of its own, nor
import zmq.
"""
