"""`python -m rummy_site.server.granian`: granian, on the listening socket that `manage.py serve` keeps open.

granian opens its socket itself, and with its last process the port is closed. On a socket that outlives it, who
connects between two processes waits for the second. Without WEB_SOCKET, the number of that open file, it is granian as
it is.
"""

import multiprocessing
import os
from typing import Any

from granian._granian import SocketHolder
from granian.cli import entrypoint
from granian.server import Server


def listen_on(number: int) -> None:
    """Have granian's processes take connections from this socket, which they inherit."""
    holder: Any = SocketHolder
    granian: Any = Server

    def hold_given_socket(server: Any) -> None:
        # As granian does where one socket serves all its processes (`_init_shared_socket` in granian/server/mp.py).
        server._ssp, server._sso = None, None
        # Its number, that it is no Unix socket, and how many may wait.
        server._shd = holder(number, False, server.backlog)  # noqa: FBT003 (its own signature)

    interrupt = granian.signal_handler_interrupt

    def let_go(server: Any, *words: Any) -> None:
        # Its processes let go of theirs (ending.py): nobody may wait at a socket that this one alone holds.
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), number, inheritable=False)
        interrupt(server, *words)

    granian._init_shared_socket = hold_given_socket
    granian.signal_handler_interrupt = let_go
    # A process that is spawned inherits no files.
    multiprocessing.set_start_method("fork")


if __name__ == "__main__":
    if number := os.environ.get("WEB_SOCKET"):
        listen_on(int(number))
    entrypoint()  # type: ignore[no-untyped-call]
