"""A site for the phones in this machine's own network: its addresses, and how it answers there without TLS.

Knows nothing of Django: it runs in the supervising process, and only where a hall is served.
"""

import io
import ipaddress
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import ifaddr

from rummy_site.operations.announcing import EVERYWHERE, Announcement

# How often a hall's address is checked: a restarted router may have given another one.
LOOK_SECONDS = 10.0
# Any other machine: nothing is sent there, the kernel only names the address it would use.
ELSEWHERE = ("192.0.2.254", 9)
NEEDS_HTTPS = (
    "Without HTTPS a score page that is open keeps its deals without network. To open it again without network, "
    "HTTPS is needed."
)


def hall_addresses() -> list[str]:
    """This machine's IPv4 addresses in private networks; first the one with the route to the internet."""
    addresses = {str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4}
    usual = _leading_out()
    return sorted(
        (address for address in addresses if _is_of_a_hall(address)),
        key=lambda each: (each != usual, _rank(each), each),
    )


def hall_settings(hosts: Sequence[str], allowed: Sequence[str]) -> dict[str, str]:
    """Settings with which a site answers phones at these hosts by plain HTTP."""
    name = socket.gethostname()
    allowed_hosts = dict.fromkeys([*allowed, *map(_as_sent, (*hosts, name, f"{name}.local"))])
    return {"ALLOWED_HOSTS": ",".join(allowed_hosts), "SECURE_SSL_REDIRECT": "false", "SECURE_HSTS_SECONDS": "0"}


def _as_sent(host: str) -> str:
    """A host as Django compares it: IPv6 addresses in brackets, names without a trailing dot."""
    return f"[{host}]" if ":" in host else host.rstrip(".")


def code_of(address: str) -> Iterator[str]:
    """The lines of a QR code for a terminal with a light or dark background."""
    import segno  # noqa: PLC0415 (a terminal alone shows it)

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, compact=True)
    return iter(drawn.getvalue().splitlines())


def _leading_out() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _is_of_a_hall(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return ip.is_private and not ip.is_loopback


def _rank(address: str) -> int:
    """Homes and halls use 192.168 and 10; 172.16 is more often a container, and 169.254 means none was assigned."""
    return next((at for at, start in enumerate(("192.168.", "10.", "172.")) if address.startswith(start)), 3)


class HallAnnouncement(Announcement):
    """For a site for the phones in this machine's own network, whose addresses may change in the meantime."""

    def __init__(
        self, *, host: str, port: int, allowed: Sequence[str], say: Callable[[str], None], setup_code: str = ""
    ) -> None:
        super().__init__(host=host, port=port, say=say, setup_code=setup_code)
        self._named = [] if host in EVERYWHERE else [host]
        self._allowed = allowed
        self._hosts = self._found()
        self._looked_at = time.monotonic()

    def _found(self) -> list[str]:
        return self._named or hall_addresses()

    def lines(self) -> Iterator[str]:
        """The addresses and a QR code of the first; or a note that this machine is in no network."""
        if not self._hosts:
            yield from super().lines()
            yield "  This machine is in no network: connect it to the hall's router. Phones reach it then."
            return
        first, *others = map(self._address, self._hosts)
        yield f"  Public pages  {first}"
        yield f"  Admin         {first}admin/"
        if others:
            yield f"  Or            {', '.join(others)}"
        if sys.stdout.isatty():
            yield from code_of(first)
        yield "  Phones have to be in the same network as this machine."
        yield f"  {NEEDS_HTTPS}"

    def main_address(self) -> str:
        """The address of the hall's network, where there is one: phones and this machine reach it."""
        return self._address(self._hosts[0]) if self._hosts else self.address

    def web_settings(self) -> dict[str, str]:
        """The hosts of the hall's own network, and cookies that work without TLS."""
        return hall_settings(self._hosts, self._allowed)

    def has_moved(self) -> bool:
        """Whether this machine's addresses have changed since they were last checked."""
        if time.monotonic() - self._looked_at < LOOK_SECONDS:
            return False
        self._looked_at = time.monotonic()
        if (hosts := self._found()) == self._hosts:
            return False
        self._hosts, self.is_made = hosts, False
        return True
