"""No word of Django's back office or of the browser stands on a page that a club's people open."""

from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.test import Client
from playwright.sync_api import Page, expect

from tests.builders.admin_tables import club_called, person
from tests.builders.admin_tournaments import Night, a_night
from tests.builders.browser_checks import looks_right, sign_in
from tests.builders.page_text import text_of
from tournaments.models import Role, Tournament

WIDTHS = (1280, 360)


@pytest.fixture
def night(db: None) -> Night:
    return a_night(club_called("Asha's club", "asha"), {"stages": [{"smallest_table": 2}]})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "title", "empty"),
    [
        ("en", "History: Saturday", "No changes here yet."),
        ("de", "Verlauf: Saturday", "Noch keine Änderungen."),
        ("hi", "इतिहास: Saturday", "अभी तक कोई बदलाव नहीं।"),
    ],
)
def test_a_history_has_our_words_with_and_without_a_change(night: Night, language: str, title: str, empty: str):
    user = person("dita", Role.DIRECTOR, night.tournament.club)
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    page = client.get(night.url("history"))
    assert page.content.decode().count(title) == 1
    assert f"{title} | " in text_of(page)
    assert empty in text_of(page)
    LogEntry.objects.log_actions(user.pk, Tournament.objects.all(), CHANGE, [{"changed": {"fields": ["Name"]}}])
    assert empty not in text_of(client.get(night.url("history")))


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("language", "words"), [("en", "Choose file"), ("de", "Datei wählen")])
def test_a_file_field_speaks_the_language_of_the_page_and_names_the_file(
    transactional_db: None, live_server: Any, page: Page, language: str, words: str
):
    """Planted fault: "Choose File, No file chosen" of an English browser on a German page."""
    night = a_night(club_called("Asha's club", "asha"), {"stages": [{"smallest_table": 2}]})
    context = page.context
    context.set_extra_http_headers({"Accept-Language": language})
    sign_in(context, live_server.url, person("dita", Role.DIRECTOR, night.tournament.club))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{live_server.url}{night.url('entries')}")
        field = page.locator("input[type=file]")
        expect(field).to_have_css("color", "rgba(0, 0, 0, 0)")
        looks_right(page)
        with page.expect_file_chooser() as chooser:
            page.get_by_text(words, exact=True).click()
        chooser.value.set_files({"name": "players.csv", "mimeType": "text/csv", "buffer": b"name\nAsha Kiran\n"})
        expect(field).not_to_have_css("color", "rgba(0, 0, 0, 0)")
        looks_right(page)
    page.locator("button[value=look]").click()
    expect(page.locator("#content")).to_contain_text("Asha Kiran")
