"""Ends connections whose client takes nothing: the kernel does, once it is told after how long.

granian sets no limit for sending. A connection gets TCP_USER_TIMEOUT from the socket on which it was accepted: when a
client has left no room for what is sent, or has not confirmed it, for so long, the kernel drops the connection.
"""

import asyncio
import logging
import os
import resource
import socket
from pathlib import Path

MOST_CONNECTIONS = 1024
# Beside connections: the database, the log, libraries, files on their way.
OTHER_FILES = 256
SILENCE_SECONDS = 30
AGAIN_SECONDS = 0.05
TRIES = 100
OPEN_FILES = Path("/proc/self/fd")

logger = logging.getLogger(__name__)


def allow_connections() -> None:
    """Let this process open as many files as it takes connections; most systems allow more than they give at first."""
    wanted = MOST_CONNECTIONS + OTHER_FILES
    given, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if given == resource.RLIM_INFINITY or given >= wanted:
        return
    allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    if allowed < wanted:
        logger.warning("this process may open only %s files; %s connections need %s", allowed, MOST_CONNECTIONS, wanted)


def bound_silence(tries: int = TRIES) -> None:
    """Set it on the sockets on which this process listens; granian opens them just after it has started us."""
    if not hasattr(socket, "TCP_USER_TIMEOUT") or not OPEN_FILES.exists():
        logger.warning("this system cannot end connections whose client does not read")
        return
    found = [one for one in _sockets() if _is_listening(one)]
    for one in found:
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE_SECONDS * 1000)
    if not found and tries:
        asyncio.get_running_loop().call_later(AGAIN_SECONDS, bound_silence, tries - 1)


def _sockets() -> list[socket.socket]:
    """Every TCP socket of this process, each by a number of its own that is closed with the object."""
    found = []
    for entry in OPEN_FILES.iterdir():
        try:
            if entry.readlink().name.startswith("socket:"):
                found.append(socket.socket(fileno=os.dup(int(entry.name))))
        except OSError:
            continue
    return [one for one in found if one.family in {socket.AF_INET, socket.AF_INET6}]


def _is_listening(one: socket.socket) -> bool:
    return one.type == socket.SOCK_STREAM and bool(one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
