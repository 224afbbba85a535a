"""The client address that a request is counted under: headers are trusted only as far as our own proxies wrote them."""

from types import SimpleNamespace
from typing import Any

import pytest

from tournaments.client_addresses import FORWARDED, MOST_HOPS, X_FORWARDED_FOR, client_network, read_proxies

PROXY, OTHER_PROXY, CLIENT, FORGED = "10.9.9.9", "10.9.9.8", "203.0.113.9", "192.0.2.1"


@pytest.fixture
def counted(settings: Any) -> Any:
    """The address used for limits, from the connection's address and the header of our proxies."""

    def network(proxies: str, address: str, told: str = "", header: str = X_FORWARDED_FOR) -> str:
        settings.PROXIES, settings.PROXY_HEADER = read_proxies(proxies), header
        name = "HTTP_FORWARDED" if header == FORWARDED else "HTTP_X_FORWARDED_FOR"
        return client_network(
            SimpleNamespace(META={"REMOTE_ADDR": address, name: told} if told else {"REMOTE_ADDR": address})
        )

    return network


def test_the_farthest_address_that_a_proxy_of_ours_has_seen_counts(counted: Any) -> None:
    for proxies, address, told, network in (
        ("0", CLIENT, "", CLIENT),
        ("0", CLIENT, FORGED, CLIENT),
        ("1", PROXY, CLIENT, CLIENT),
        ("1", PROXY, f"{FORGED}, {CLIENT}", CLIENT),
        ("2", PROXY, f"{FORGED}, {CLIENT}, {OTHER_PROXY}", CLIENT),
        # Fewer hops than proxies, or a hop that is not an address: the connection's own.
        ("2", PROXY, CLIENT, PROXY),
        ("1", PROXY, "", PROXY),
        ("1", PROXY, "unknown", PROXY),
        ("10.9.9.0/24", PROXY, f"{FORGED}, {CLIENT}", CLIENT),
        ("10.9.9.0/24", PROXY, f"{FORGED}, {CLIENT}, {OTHER_PROXY}", CLIENT),
        ("10.9.9.9", PROXY, f"{CLIENT}, {OTHER_PROXY}", OTHER_PROXY),
        ("10.9.9.9, 10.9.9.8", PROXY, f"{CLIENT}, {OTHER_PROXY}", CLIENT),
        ("10.9.9.0/24", CLIENT, FORGED, CLIENT),
        ("10.9.9.0/24", PROXY, f"{FORGED}, nonsense", PROXY),
        ("10.9.9.0/24", "", FORGED, "unknown"),
        ("10.9.9.0/24", PROXY, OTHER_PROXY, OTHER_PROXY),
        ("0", "", "", "unknown"),
    ):
        assert counted(proxies, address, told) == network, (proxies, address, told)


def test_the_standard_header_names_whom_the_nearest_proxy_heard_from(counted: Any) -> None:
    for told, network in (
        (f"for={FORGED};proto=https, for={CLIENT}", CLIENT),
        (f'proto=https; For="{CLIENT}:4711";by=10.0.0.1', CLIENT),
        ('for="[2001:db8:0:7:5::1]:4711"', "2001:db8:0:7::/64"),
        ("for=unknown", PROXY),
        (f"by={CLIENT}", PROXY),
        (CLIENT, PROXY),
    ):
        assert counted("1", PROXY, told, FORWARDED) == network, told


def test_an_address_is_one_customer_s_however_it_is_written(counted: Any) -> None:
    for address, network in (
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:4711", "192.0.2.1"),
        (' "192.0.2.1" ', "192.0.2.1"),
        ("2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"),
        ("[2001:db8:0:7::1]:4711", "2001:db8:0:7::/64"),
        ("[2001:db8:0:7::1]", "2001:db8:0:7::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.300", "unknown"),
        ("unknown", "unknown"),
    ):
        assert counted("0", address) == network, address


def test_no_header_is_read_to_its_beginning(counted: Any) -> None:
    """With as many proxies as are read from the header the client is still found, with one more not."""
    hops = ", ".join(f"192.0.2.{number}" for number in range(1, MOST_HOPS + 2))
    assert counted(str(MOST_HOPS), PROXY, hops) == "192.0.2.2"
    assert counted(str(MOST_HOPS + 1), PROXY, hops) == PROXY


def test_proxies_are_a_number_or_networks_and_nothing_else() -> None:
    assert (read_proxies(" 2 "), read_proxies(""), read_proxies(" , ")) == (2, (), ())
    assert [str(each) for each in read_proxies("10.0.0.5, 192.168.0.0/16,")] == ["10.0.0.5/32", "192.168.0.0/16"]  # type: ignore[union-attr]
    for nonsense in ("-1", "proxy", "10.0.0.300", "10.0.0.5/8", "1.5", "0.0.0.0/0", "::/0"):
        with pytest.raises(ValueError, match=r".+"):
            read_proxies(nonsense)
