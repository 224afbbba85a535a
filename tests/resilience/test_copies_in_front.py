"""A real nginx with the shipped example, over a folder of published copies."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders.nginx import Front, in_front
from tests.builders.public_tables import a_club, a_tournament, seat
from tournaments.web.publishing import publish_owed

pytestmark = pytest.mark.django_db
HOME = "/c/circle/t/friday"
SHORT, LONG = "public, max-age=2", "public, max-age=86400, immutable"


@pytest.fixture
def front(tmp_path: Path, settings: Any) -> Iterator[Front]:
    copies = tmp_path / "copies"
    settings.PUBLISH_TO = str(copies)
    seat(a_tournament(a_club(slug="circle"))).deal("show", 34, 12, "first_drop")
    assert list(publish_owed()) == [f"{HOME[1:]}/"]
    (copies / HOME[1:] / ".half.json").write_text("{")
    with in_front("published-copies.conf", tmp_path / "nginx", {"root /srv/rummy-copies;": f"root {copies};"}) as front:
        yield front


@pytest.mark.slow
def test_each_file_is_served_as_what_it_is_and_kept_as_long_as_it_may(front: Front):
    """Planted fault: a header set outside the location that answers, which nginx then drops."""
    head = json.loads(front.get(f"{HOME}/head.json")[1])
    expected = {
        "/": ("text/html; charset=utf-8", SHORT),
        "/de/": ("text/html; charset=utf-8", SHORT),
        "/hi/rounds/": ("text/html; charset=utf-8", SHORT),
        "/head.json": ("application/json", SHORT),
        "/board.json": ("application/json", SHORT),
        f"/{head['board']}": ("application/json", LONG),
        "/de/podium.png": ("image/png", SHORT),
    }
    for path, wanted in expected.items():
        status, body, said = front.get(f"{HOME}{path}")
        assert (path, status, (said["content-type"], said["cache-control"])) == (path, 200, wanted)
        assert (bool(body), said["access-control-allow-origin"]) == (True, "*")
        assert front.get(f"{HOME}{path}", **{"If-None-Match": said["etag"]})[0] == 304
    # What is large is packed, and what is half written is nobody's.
    plain = front.get(f"{HOME}/board.json")[1]
    _, packed, said = front.get(f"{HOME}/board.json", **{"Accept-Encoding": "gzip"})
    assert (said["content-encoding"], gzip.decompress(packed)) == ("gzip", plain)
    assert [front.get(f"{HOME}/{name}")[0] for name in (".half.json", "v/9-9.json", "nothing/")] == [404, 404, 404]
    # A page of another site is told so, and not that it may not ask.
    assert front.get(f"{HOME}/v/9-9.json")[2]["access-control-allow-origin"] == "*"
