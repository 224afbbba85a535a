"""A director can download the pages of a finished tournament; no other role can."""

import io
from collections.abc import Callable
from zipfile import ZipFile

import pytest
from django.test import Client

from tests.builders.admin_tables import NOW, Evening
from tournaments.log.context import CommandContext
from tournaments.models import Club, Role, Tournament
from tournaments.running.commands.close import close_tournament
from tournaments.web.admin.tournament import dashboard_pages

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(pool: Evening) -> Evening:
    """Asha wins at once; the tournament is closed and public."""
    for number in (1, 2):
        pool.deal(number, show="1", s2=80, s3=80, s4=80)
    pool.record({"kind": "table_closed"})
    close_tournament(pool.tournament.pk, context=CommandContext(actor="user:1", now=NOW))
    Club.objects.update(is_published=True)
    Tournament.objects.update(is_published=True)
    return pool


def address(evening: Evening) -> str:
    return f"/admin/tournaments/tournament/{evening.tournament.pk}/static-site/"


@pytest.mark.slow
def test_a_director_gets_the_pages_as_a_zip_file_with_links_back_to_the_site(
    signed_in: Callable[..., Client], night: Evening
):
    director = signed_in(Role.DIRECTOR)
    form = director.get(f"/admin/tournaments/tournament/{night.tournament.pk}/paper/").content.decode()
    assert address(night) in form
    answer = director.get(address(night))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    slug = night.tournament.slug
    assert f'filename="{slug}.zip"' in answer["Content-Disposition"]
    with ZipFile(io.BytesIO(answer.getvalue())) as archive:
        board = archive.read(f"{slug}/index.html").decode()
    assert "Exported at position" in board
    assert f'href="http://testserver/en-gb/c/{night.club.slug}/"' in board


def test_what_cannot_be_exported_is_said_where_the_director_was(
    signed_in: Callable[..., Client], night: Evening, monkeypatch: pytest.MonkeyPatch
):
    director = signed_in(Role.OWNER)
    Tournament.objects.update(is_published=False)
    assert "Only what is published" in director.get(address(night), follow=True).content.decode()
    Tournament.objects.update(is_published=True)
    monkeypatch.setattr(dashboard_pages, "MOST_TABLES", 0)
    assert "manage.py export_site" in director.get(address(night), follow=True).content.decode()
