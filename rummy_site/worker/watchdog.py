"""Restarts what hangs: a program says that it is well, and whoever started it listens (systemd's sd_notify protocol).

The same words reach the supervisor of `manage.py serve` and systemd, for both name the socket in `NOTIFY_SOCKET`.
Knows nothing of Django, nor of what being well means: the program that says so has to know it.
"""

import os
import shutil
import socket
import tempfile
from pathlib import Path

ALIVE = "WATCHDOG=1"
READY = "READY=1"


def notify(state: str) -> None:
    """Progress whoever started this process how it is; nothing where nobody asked, or where nobody listens any more."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # An address that begins with @ is abstract: a name that stands in no folder.
    name = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        # A full buffer means that nobody has read for long: waiting for that reader would make us hang as well.
        sender.settimeout(0)
        try:
            sender.sendto(state.encode(), name)
        except OSError:
            return


class Watchdog:
    """The listening end, for one program. A socket, not the date of a file: setting the clock must end nobody."""

    def __init__(self, *, seconds: float) -> None:
        self.seconds = seconds
        # Only we may look into the folder, so nobody else can say that our program is well.
        self._folder = Path(tempfile.mkdtemp(prefix="watchdog-"))
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.settimeout(0)
        self._socket.bind(str(self._folder / "notify"))
        self._heard_at = 0.0

    @property
    def environment(self) -> dict[str, str]:
        """What the program needs to know."""
        return {"NOTIFY_SOCKET": str(self._folder / "notify")}

    def begin(self, *, now: float) -> None:
        """The program starts, or it could not be heard for a while: what was before does not count."""
        self._drain()
        self._heard_at = now

    def is_overdue(self, *, now: float) -> bool:
        """Whether the program has been silent for too long."""
        if self._drain():
            self._heard_at = now
        return now - self._heard_at > self.seconds

    def close(self) -> None:
        """Take socket and folder away."""
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _drain(self) -> bool:
        """Read what has come; whether one of it says that the program is well."""
        is_well = False
        while True:
            try:
                is_well = ALIVE in self._socket.recv(4_096).decode(errors="replace").split("\n") or is_well
            except BlockingIOError:
                return is_well
