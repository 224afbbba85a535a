"""A board in a frame of another site: any site may frame it, only where published, and nothing else."""

import html
import re

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from tests.builders.public_tables import address
from tests.builders.signed_in import signed_in
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]

FRAMED = ("embed/", "embed/part/")
OTHERS = ("", "board/", "board.json", "board.xlsx", "proof/", "log.jsonl", "share/", "room/", "r1/table-1/")


def test_a_frame_may_stand_anywhere_and_loads_nothing_from_elsewhere_and_no_other_page_may_be_framed(
    client: Client, tournament: Tournament
):
    for part in FRAMED:
        answer = client.get(address(tournament, part))
        assert "X-Frame-Options" not in answer
        policy = dict(rule.strip().split(" ", 1) for rule in answer["Content-Security-Policy"].split(";"))
        assert policy.pop("frame-ancestors") == "*"
        assert set(policy.values()) == {"'none'", "'self'"}
    for part in OTHERS:
        answer = client.get(address(tournament, part))
        assert (answer.status_code, answer["X-Frame-Options"]) == (200, "DENY")
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("hidden", ["club", "tournament"])
def test_what_is_not_published_is_in_no_frame_whoever_looks(tournament: Tournament, hidden: str):
    one = tournament if hidden == "tournament" else tournament.club
    one.is_published = False
    one.save()
    owner = signed_in(tournament.club, "owner")
    for part in FRAMED:
        assert {client.get(address(tournament, part)).status_code for client in (owner, Client())} == {404}
    assert owner.get(address(tournament, "share/")).status_code == 200


def test_a_look_is_one_of_ours(client: Client, tournament: Tournament):
    text = client.get(address(tournament, "embed/?theme=dark&accent=gold")).content.decode()
    assert 'data-theme="dark"' in text
    assert 'data-accent="gold"' in text
    assert "embed/part/?theme=dark&amp;accent=gold" in text
    tags = {client.get(address(tournament, f"embed/{look}"))["ETag"] for look in ("", "?theme=dark")}
    assert len(tags) == 2
    text = client.get(address(tournament, 'embed/?theme="><script>&accent=url(x)')).content.decode()
    assert "data-theme" not in text
    assert 'data-accent="felt"' in text


def test_the_lines_to_paste_are_shown_as_text_and_lead_to_the_frame(client: Client, tournament: Tournament):
    Tournament.objects.update(name="\"><script>alert('x')</script>")
    text = client.get(address(tournament, "share/?theme=dark")).content.decode()
    assert "<script>alert" not in text
    pasted = html.unescape(re.findall(r"<textarea[^>]*>(.*?)</textarea>", text, re.DOTALL)[0])
    assert "<script>alert" not in pasted
    source = re.findall(r'<iframe src="http://testserver([^"]+)"', pasted)[0]
    assert client.get(html.unescape(source)).status_code == 200
    assert '<script src="http://testserver/static/tournaments/board_frame.js" async></script>' in pasted


def test_what_was_pasted_once_is_still_there_after_the_next_release(
    client: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
):
    """Planted fault: the script under the name with its digest, which the next release removes."""
    monkeypatch.setattr(staticfiles_storage, "url", lambda name: f"/static/of-this-release/{name}")
    text = html.unescape(client.get(address(tournament, "share/")).content.decode())
    assert "/static/of-this-release/tournaments/reading.css" in text
    assert 'src="http://testserver/static/tournaments/board_frame.js"' in text
