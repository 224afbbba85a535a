"""The director controls the projectors: manual or automatic, one screen held, one on, and a line of text."""

from typing import Any

import pytest
from django.test import Client

from tests.builders.admin_tournaments import TIMED, Night, a_night
from tests.builders.page_forms import opened, sent
from tests.builders.page_text import refusal_of
from tournaments.models import Club, ScreenProgramme

pytestmark = pytest.mark.django_db

FORM = {"do": "save", "by": "hand", "chosen": ["seating", "address"], "seconds-seating": "40", "lines": "14"}


@pytest.fixture
def night(club: Club) -> Night:
    night = a_night(club, TIMED, is_published=True)
    night.enter("Asha", "Bo", "Cy", "Dev")
    night.seat()
    return night


def on_screen(client: Client, night: Night) -> list[tuple[str, int]]:
    path = f"/c/{night.tournament.club.slug}/t/{night.tournament.slug}/screen/part/"
    return [(page.screen, page.seconds) for page in client.get(path).context["pages"]]


@pytest.mark.slow
def test_a_programme_by_hand_reaches_every_projector_with_its_seconds_and_its_message(
    dita: Client, client: Client, night: Night
):
    assert sent(dita, night.url("screens"), {**FORM, "message": "  Round 3   starts at 21:15 "}).status_code == 302
    assert on_screen(client, night) == [("seating", 40), ("address", 12)]
    stored = ScreenProgramme.objects.get()
    assert (stored.message, stored.lines, stored.is_automatic) == ("Round 3 starts at 21:15", 14, False)
    assert stored.club == night.tournament.club
    sent(dita, night.url("screens"), {"do": "save", "by": "state"})
    assert on_screen(client, night) == [("seating", 15), ("address", 12), ("clock", 12)]


def test_a_screen_is_held_until_it_is_let_go_and_the_programme_is_as_it_was(dita: Client, client: Client, night: Night):
    sent(dita, night.url("screens"), FORM)
    page = dita.post(night.url("screens"), {"do": "hold", "screen": "clock"}, follow=True).content.decode()
    assert on_screen(client, night) == [("clock", 12)]
    assert "On every projector: Clock." in page
    assert "Back to the programme" in page
    dita.post(night.url("screens"), {"do": "let_go"})
    assert on_screen(client, night) == [("seating", 40), ("address", 12)]


def test_each_press_sends_the_projectors_one_screen_on(dita: Client, night: Night):
    for _ in range(3):
        dita.post(night.url("screens"), {"do": "skip"})
    assert ScreenProgramme.objects.get().skips == 3


def test_what_cannot_be_shown_is_refused_and_stays_in_the_form(dita: Client, night: Night):
    tries: tuple[tuple[dict[str, Any], str], ...] = (
        ({"seconds-seating": "2"}, "Seconds for Seating A to Z: Ensure this value is greater than or equal to 3."),
        ({"seconds-seating": "soon"}, "Enter a whole number."),
        ({"chosen": []}, "choose at least one screen"),
        ({"message": "x" * 161}, "at most 160 characters"),
        ({"message": "see \u202euoy"}, "can reverse text (U+202E): type it again"),
        ({"message": "\u2066see\u2069 \u200byou\u2066"}, "(U+2066, U+2069, U+200B): type it again"),
    )
    for wrong, said in tries:
        typed = {**FORM, "message": "see you", **wrong}
        answer = sent(dita, night.url("screens"), typed)
        assert answer.status_code == 422
        page = answer.content.decode()
        assert said in page
        assert f'value="{typed["message"]}"' in page
        assert f'value="{typed["seconds-seating"]}"' in page
    assert not ScreenProgramme.objects.exists()


@pytest.mark.slow
def test_a_message_in_any_script_and_with_pictures_is_shown_as_it_was_typed(dita: Client, night: Night):
    for message in ("राउंड 3 क्\u200dष", "चाय ☕ 👩\u200d👧", "عشاء", "Tea ☕\ufe0f"):
        assert sent(dita, night.url("screens"), {**FORM, "message": message}).status_code == 302
        assert ScreenProgramme.objects.get().message == message


def test_a_form_that_says_nothing_changes_nothing(dita: Client, night: Night):
    for empty in ({}, {"do": "dance"}, {"do": "hold", "screen": "dragons"}):
        assert dita.post(night.url("screens"), empty).status_code == 302
    assert not ScreenProgramme.objects.exists()


@pytest.mark.slow
def test_the_message_of_one_survives_the_seconds_of_another(dita: Client, night: Night):
    """Planted fault: the programme stored as the older page shows it."""
    url = night.url("screens")
    old = opened(dita, url)
    sent(dita, url, {**opened(dita, url).values(), "message": "Tea at nine"})
    said = dita.post(url, {**old.values(), "seconds-clock": "44"}, follow=True).content.decode()
    stored = ScreenProgramme.objects.get()
    assert (stored.message, stored.seconds) == ("Tea at nine", {"clock": 44})
    assert "Projector saved. Changed: Seconds for Clock." in said


def test_a_message_typed_twice_is_asked_about(dita: Client, night: Night):
    url = night.url("screens")
    old = opened(dita, url)
    sent(dita, url, {**opened(dita, url).values(), "message": "Tea at nine"})
    page = refusal_of(dita.post(url, {**old.values(), "message": "Tea at ten"}), 409)
    assert "Tea at nine" in page
    assert 'value="Tea at ten"' in page
    assert ScreenProgramme.objects.get().message == "Tea at nine"
