"""Detects hanging processes: a program reports that it is well to the process that started it (systemd's sd_notify).

The same messages reach the supervisor of `manage.py serve` and systemd, for both name the socket in `NOTIFY_SOCKET`.
Knows nothing of Django, nor of what being well means: the reporting program decides that.
"""

import os
import shutil
import socket
import tempfile
from pathlib import Path

ALIVE = "WATCHDOG=1"
READY = "READY=1"


def notify(state: str) -> None:
    """Report the state of this process to the one that started it; does nothing where that one does not listen."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # An address that begins with @ is abstract: a name that is in no folder.
    name = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        # A full buffer means that it has not been read for long: waiting for that reader would make us hang as well.
        sender.settimeout(0)
        try:
            sender.sendto(state.encode(), name)
        except OSError:
            return


class Watchdog:
    """The receiving end, for one program. A socket, not a file's date: setting the clock must end no program."""

    def __init__(self, *, seconds: float) -> None:
        self.seconds = seconds
        # Only we may access the folder, so no other user can report that our program is well.
        self._folder = Path(tempfile.mkdtemp(prefix="watchdog-"))
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.settimeout(0)
        self._socket.bind(str(self._folder / "notify"))
        self._heard_at = 0.0

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that the program needs."""
        return {"NOTIFY_SOCKET": str(self._folder / "notify")}

    def begin(self, *, now: float) -> None:
        """Start measuring: the program starts, or could not be heard for a while; earlier silence does not count."""
        self._drain()
        self._heard_at = now

    def is_overdue(self, *, now: float) -> bool:
        """Whether the program has been silent for too long."""
        if self._drain():
            self._heard_at = now
        return now - self._heard_at > self.seconds

    def close(self) -> None:
        """Remove socket and folder."""
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _drain(self) -> bool:
        """Read what has arrived; whether any of it reports that the program is well."""
        is_well = False
        while True:
            try:
                is_well = ALIVE in self._socket.recv(4_096).decode(errors="replace").split("\n") or is_well
            except BlockingIOError:
                return is_well
