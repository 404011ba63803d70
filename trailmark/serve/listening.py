"""A socket that listens."""

from __future__ import annotations

import socket

from trailmark.errors import InputError

WAITING = 256
"""Connections that wait to be taken."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Host and port -> a socket that listens already, so that the address works the moment it is printed."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(WAITING)
    except OSError as error:
        listener.close()
        raise InputError(
            f"Port {port} on {host} can't be had ({error.strerror}); choose another one with --port."
        ) from error
    return listener
