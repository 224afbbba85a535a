"""Prints the site's address once it answers. Knows nothing of Django: it runs in the supervising process."""

import socket
from collections.abc import Callable, Iterator

HERE = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 (named here, to be told apart)
KNOCK_SECONDS = 0.3


class Announcement:
    """Prints the site's address once, when the web process answers, and where the first login is made.

    `setup_code` is empty where the site has a login.
    """

    def __init__(self, *, host: str, port: int, say: Callable[[str], None], setup_code: str = "") -> None:
        self.port, self._setup_code = port, setup_code
        self._host = HERE if host in EVERYWHERE else host
        self.address = self._address(self._host)
        self.is_made = False
        self._say = say

    def _address(self, host: str) -> str:
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    def when_open(self) -> None:
        """Request a page; the first answer of any kind means that the web process is up."""
        if self.is_made or not _answers(self._host, self.port):
            return
        self.is_made = True
        for line in ("", *self.lines(), *self._setup_lines(), "  Stop          Ctrl-C", ""):
            self._say(line)
        # A site that moves to another address is announced again; by then the code may be used.
        self._setup_code = ""

    def lines(self) -> Iterator[str]:
        """The lines to print once the site is up."""
        yield f"  Public pages  {self.address}"
        yield f"  Admin         {self.address}admin/"

    def _setup_lines(self) -> Iterator[str]:
        if self._setup_code:
            yield f"  First login   {self.main_address()}setup/#{self._setup_code}"

    def main_address(self) -> str:
        """The first of the addresses that are printed."""
        return self.address

    def web_settings(self) -> dict[str, str]:
        """Settings of the web process beyond those of the environment."""
        return {}

    def has_moved(self) -> bool:
        """Whether the site has other addresses now than when it was started."""
        return False


def _answers(host: str, port: int) -> bool:
    """Whether there is any answer at all. By socket: the requests library would be half of this process's memory."""
    try:
        with socket.create_connection((host, port), timeout=KNOCK_SECONDS) as line:
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return bool(line.recv(1))
    except OSError:
        return False
