"""The clock's page: the server's time counts, a second tap changes nothing, extra time has a reason."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from tests.builders.admin_tables import NOW
from tests.builders.admin_tournaments import TIMED, Night, a_night
from tournaments.models import Club

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def night(club: Club) -> Night:
    night = a_night(club, TIMED)
    night.enter("Asha", "Bo", "Cy", "Dev")
    night.seat()
    return night


def press(client: Client, night: Night, do: str, **typed: str):
    return client.post(night.url("clock"), {"do": do, **typed})


def left(client: Client, night: Night) -> int:
    return int(client.get(night.url("clock")).context["clock"].clock.left)


def test_before_a_round_there_is_nothing_to_time(dita: Client, club: Club):
    night = a_night(club, TIMED)
    assert b"No round is seated yet" in dita.get(night.url("clock")).content
    assert press(dita, night, "start", minutes="45").status_code == 422


def test_the_minutes_of_the_stage_are_offered_and_count_from_the_first_press(dita: Client, night: Night):
    with time_machine.travel(NOW, tick=False) as clock:
        assert 'value="45"' in dita.get(night.url("clock")).content.decode()
        press(dita, night, "start", minutes="45")
        clock.shift(timedelta(minutes=5))
        assert press(dita, night, "start", minutes="45").status_code == 302
        assert left(dita, night) == 40 * 60
    assert night.state.clocks["1"].running_since == int(NOW.timestamp())


def test_a_form_that_is_sent_twice_is_stored_once(dita: Client, night: Night):
    """A double click. Planted fault: the moment belongs to the request, and the second one was "other data"."""
    with time_machine.travel(NOW, tick=False) as clock:
        for do in ("start", "pause", "last_deal"):
            for _ in range(2):
                clock.shift(timedelta(seconds=3))
                assert press(dita, night, do, minutes="45", key=f"{do:0>32}").status_code == 302


@pytest.mark.slow
def test_a_pause_holds_the_time_and_going_on_gives_it_back(dita: Client, night: Night):
    with time_machine.travel(NOW, tick=False) as clock:
        press(dita, night, "start", minutes="45")
        clock.shift(timedelta(minutes=10))
        press(dita, night, "pause")
        clock.shift(timedelta(minutes=20))
        assert left(dita, night) == 35 * 60
        press(dita, night, "start")
        assert left(dita, night) == 35 * 60


def test_extra_time_needs_a_reason_and_is_given_once_to_a_table_or_to_the_round(dita: Client, night: Night):
    press(dita, night, "start", minutes="45")
    refused = press(dita, night, "more", table="2", minutes="5")
    assert refused.status_code == 422
    assert refused.context["forms"]["more"].errors["reason"]
    for _ in range(2):
        press(dita, night, "more", table="2", minutes="5", reason="a torn card", key=KEY)
    assert night.state.clocks["1"].extra == {"2": 300}
    press(dita, night, "more", minutes="10", reason="the lights went out")
    assert night.state.clocks["1"].seconds == 55 * 60


@pytest.mark.slow
def test_minutes_that_are_none_and_a_table_that_is_not_running_are_refused_at_their_fields(dita: Client, night: Night):
    press(dita, night, "start", minutes="45")
    wrong = {"minutes": ("", "0", "601", "-5", "4.5", "many", "9" * 30), "table": ("9", "two", "9" * 30)}
    for field, texts in wrong.items():
        for text in texts:
            answer = press(dita, night, "more", **{"minutes": "5", "reason": "why not", field: text})
            assert answer.status_code == 422, text
            assert answer.context["forms"]["more"].errors[field]


def test_the_last_deal_is_called_taken_back_and_called_again(dita: Client, night: Night):
    with time_machine.travel(NOW, tick=False):
        press(dita, night, "start", minutes="45")
        press(dita, night, "last_deal")
        page = dita.get(night.url("clock")).content.decode()
        assert "Last deal called at 01:00" in page
        assert "Finish the deal in play, start no other." in page
        press(dita, night, "call_off", reason="the wrong button")
        page = dita.get(night.url("clock")).content.decode()
        assert "Last-deal call undone: the round continues." in page
        assert 'id="last-deal"' in page
        press(dita, night, "last_deal")
    assert night.state.clocks["1"].last_deal_at is not None


@pytest.mark.slow
def test_an_unchanged_clock_is_answered_with_304(dita: Client, night: Night):
    press(dita, night, "start", minutes="45")
    tag = dita.get(night.url("clock/part"))["ETag"]
    assert dita.get(night.url("clock/part"), headers={"if-none-match": tag}).status_code == 304
    press(dita, night, "pause")
    assert dita.get(night.url("clock/part"), headers={"if-none-match": tag}).status_code == 200
