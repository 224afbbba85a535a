"""Nothing is posted inside the site's own network, whatever an address looks like, and no answer holds the worker up.

Planted faults these catch: an address that is checked before it is looked up, only the first address of a name checked,
a second look-up when the socket opens, a redirect that is followed, an answer read to its end.
"""

import socket
import ssl
import time
from unittest.mock import patch

import pytest

from tests.builders.receivers import WebServer
from tournaments.outbox import posting
from tournaments.outbox.posting import AddressRefused, NoAnswer, is_outer, post

OUTER = "93.184.215.14"


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.0.0.1",
            "192.168.1.1",
            "172.16.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",  # noqa: S104 - to be refused
            "224.0.0.1",
        ),
        *("240.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1", "fec0::1", "ff02::1", "::10.0.0.1"),
        *("::ffff:10.0.0.1", "::ffff:93.184.215.14", "2002:0a00:0001::", "2001:0:0a00:1::", "64:ff9b::10.0.0.1"),
        *("64:ff9b:1::a00:1", "2001:db8::1"),
    ],
)
def test_an_inner_address_is_inner_in_all_its_clothes(address):
    assert not is_outer(address)


@pytest.mark.parametrize("address", [OUTER, "8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"])
def test_an_address_of_the_internet_is_outer(address):
    assert is_outer(address)


@pytest.mark.parametrize(
    "url",
    [
        *("https://[::ffff:10.0.0.1]/", "https://2130706433/", "https://[::1]/", "https://0x7f.1/", "https://127.1/"),
        *("https://localhost/", "https://017700000001:8443/"),
    ],
)
def test_an_inner_address_is_refused_however_it_is_written(url):
    with (
        patch.object(socket, "socket", side_effect=AssertionError("a socket was opened")),
        pytest.raises(AddressRefused) as refused,
    ):
        post(url, b"{}", {})
    assert "inside this network" in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org/", "ftp://example.org/", "example.org", "https://", "https://user:secret@example.org/"),
        *(
            "https://example.org:0/",
            "https://example.org:99999/",
            "https://exa mple.org/",
            "https://example.org/a\r\nX: 1",
        ),
        *("https://example.org/ä", "http://2130706433/", "https://[::1/"),
    ],
)
def test_what_is_no_address_to_post_to_is_refused_before_anything_is_looked_up(url):
    with (
        patch.object(socket, "getaddrinfo", side_effect=AssertionError("a name was looked up")),
        pytest.raises(AddressRefused),
    ):
        post(url, b"{}", {})


def resolves_to(*addresses: str):
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]
    return patch.object(socket, "getaddrinfo", return_value=rows)


def test_a_name_with_one_inner_address_of_two_is_refused():
    with resolves_to(OUTER, "10.0.0.1"), pytest.raises(AddressRefused, match=r"10\.0\.0\.1"):
        post("https://hook.example/", b"{}", {})


def test_the_socket_opens_to_the_address_that_was_checked_and_no_name_is_looked_up_again():
    opened = []

    class Connection(socket.socket):
        def connect(self, address):
            opened.append(address)
            raise OSError("stop here")

    answers = iter([[(socket.AF_INET, socket.SOCK_STREAM, 6, "", (OUTER, 443))]])
    with (
        patch.object(socket, "getaddrinfo", side_effect=lambda *_, **__: next(answers)),
        patch.object(socket, "socket", Connection),
        pytest.raises(NoAnswer, match="stop here"),
    ):
        post("https://hook.example/", b"{}", {})
    assert opened == [(OUTER, 443)]


def test_a_redirect_is_an_answer_and_leads_nowhere():
    asked = []

    def redirect(request):
        asked.append(request.path)
        request.send_response(307)
        request.send_header("Location", "http://10.0.0.1/")
        request.end_headers()

    with WebServer(redirect) as server:
        answer = post(f"http://127.0.0.1:{server.port}/in?a=1", b"{}", {}, allows_inner=True)
    assert (answer.status, answer.is_success, asked) == (307, False, ["/in?a=1"])


def test_a_site_may_allow_inner_addresses_and_what_is_posted_arrives_whole():
    heard = {}

    def take(request):
        heard["body"] = request.rfile.read(int(request.headers["Content-Length"]))
        heard["headers"] = dict(request.headers)
        request.send_response(429)
        request.send_header("Retry-After", "120")
        request.end_headers()

    with WebServer(take) as server:
        url = f"http://127.0.0.1:{server.port}/"
        answer = post(url, b'{"a":1}', {"webhook-id": "msg_1"}, allows_inner=True)
        with pytest.raises(AddressRefused):
            post(url, b"{}", {})
    assert (answer.status, answer.retry_after) == (429, 120)
    assert heard["body"] == b'{"a":1}'
    assert heard["headers"]["webhook-id"] == "msg_1"
    assert heard["headers"]["Host"] == f"127.0.0.1:{server.port}"


@pytest.mark.parametrize("line", [b"HTTP/1.1 200 OK\r\n", b""])
def test_a_slow_answer_ends_at_the_deadline_although_bytes_keep_coming(line):
    def drip(request):
        request.wfile.write(line)
        for _ in range(200):
            try:
                request.wfile.write(b"X")
            except OSError:
                return
            time.sleep(0.02)

    began = time.monotonic()
    with WebServer(drip) as server, patch.object(posting, "SECONDS", 0.3), pytest.raises(NoAnswer):
        post(f"http://127.0.0.1:{server.port}/", b"{}", {}, allows_inner=True)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("part", [b"X-More: " + b"x" * 60_000 + b"\r\n", b"HTTP/1.1 200 " + b"x" * 100_000])
def test_an_endless_answer_is_cut(part):
    def pour(request):
        try:
            request.wfile.write(b"" if part.startswith(b"HTTP") else b"HTTP/1.1 200 OK\r\n")
            for _ in range(200):
                request.wfile.write(part)
        except OSError:
            return

    with WebServer(pour) as server, pytest.raises(NoAnswer):
        post(f"http://127.0.0.1:{server.port}/", b"{}", {}, allows_inner=True)


def test_the_body_of_an_answer_is_not_waited_for():
    def hang(request):
        request.send_response(200)
        request.send_header("Content-Length", "1000000")
        request.end_headers()
        time.sleep(0.5)

    began = time.monotonic()
    with WebServer(hang) as server:
        assert post(f"http://127.0.0.1:{server.port}/", b"{}", {}, allows_inner=True).is_success
        assert time.monotonic() - began < 0.4


def test_tls_is_verified_by_name():
    seen = {}

    class Context:
        def wrap_socket(self, connection, *, server_hostname):
            seen["name"] = server_hostname
            raise OSError("certificate verify failed")

    class Connection(socket.socket):
        def connect(self, address):
            seen["address"] = address

    with (
        resolves_to(OUTER),
        patch.object(socket, "socket", Connection),
        patch.object(ssl, "create_default_context", Context),
        pytest.raises(NoAnswer, match="verify failed"),
    ):
        post("https://hook.example/", b"{}", {})
    assert seen == {"name": "hook.example", "address": (OUTER, 443)}
