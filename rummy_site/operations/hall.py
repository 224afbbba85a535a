"""The network of a hall: which addresses phones reach this machine at, and how its site answers there without TLS."""

import io
import ipaddress
import socket
from collections.abc import Iterator, Sequence

import ifaddr
import segno

EVERYWHERE = "0.0.0.0"  # noqa: S104 (a hall's phones have to reach it)
# Any other machine: nothing is sent there, the kernel only says by which address it would go.
ELSEWHERE = ("192.0.2.254", 9)
NEEDS_HTTPS = (
    "Without HTTPS a score page that is open keeps its deals without network. To open it again without network, "
    "HTTPS is needed."
)


def addresses() -> list[str]:
    """This machine's IPv4 addresses in networks that are not the internet; first the one that leads out of it."""
    found = {str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4}
    usual = _leading_out()
    return sorted((each for each in found if _is_of_a_hall(each)), key=lambda each: (each != usual, _rank(each), each))


def environment(hosts: Sequence[str], allowed: Sequence[str]) -> dict[str, str]:
    """Settings with which a site answers phones at these hosts by plain HTTP."""
    name = socket.gethostname()
    known = dict.fromkeys([*allowed, *hosts, name, f"{name}.local"])
    return {"ALLOWED_HOSTS": ",".join(known), "SECURE_SSL_REDIRECT": "false", "SECURE_HSTS_SECONDS": "0"}


def code_of(address: str) -> Iterator[str]:
    """The lines of a QR code for a terminal of either colour."""
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
    """Homes and halls use 192.168 and 10; 172.16 is rather a container's, and 169.254 means that nobody gave one."""
    return next((at for at, start in enumerate(("192.168.", "10.", "172.")) if address.startswith(start)), 3)
