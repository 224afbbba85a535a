"""Corrections with their consequences on the desk's pages: shown before, and drawn again where that is wanted."""

from uuid import uuid4

import pytest
from django.utils import translation

from scoring.events import wire
from tests.builders.admin_tables import Evening, evening_at
from tests.builders.api_clients import Device
from tests.builders.confirming import evening_with
from tests.builders.cuts import a_cut_and_a_final
from tests.builders.page_text import refusal_of
from tests.builders.playing import context
from tournaments.models import Player, Role, Scoresheet
from tournaments.models.log import Event
from tournaments.rendering.i18n import formatting
from tournaments.running.commands.record import record_all_in_tournament, tournament_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(club) -> Evening:
    """Asha beat Bo by 10 and Cy beat Dev by 40; the winners are seated in the final. The table is Asha's and Bo's."""
    return a_cut_and_a_final(club)


def turned(night, do, **more):
    """The correction in which Bo showed and Asha lost 10."""
    return {
        "version": str(night.version),
        "key": str(uuid4()),
        "deal": "1",
        "do": do,
        "how-2": "show",
        "count-1": "10",
        "reason": "read the wrong way round",
        **more,
    }


def test_a_correction_tells_what_it_moves_before_it_is_stored_and_keeps_the_seating_by_itself(night, dita):
    assert "would be tied for 1 place" in dita.get(night.page("void/1")).content.decode()
    page = dita.post(night.page("correct/1"), turned(night, "check")).content.decode()
    for words in ("In the tournament", "qualified, but would not.", "has since been seated at table 1 of round 2"):
        assert words in page
    assert "₹10.00, then <b>−₹10.00</b>" in page
    assert "Save and redraw" in page
    preview = dita.post(night.page("preview"), turned(night, "check", kind="deal_corrected"))
    assert "The cut of stage 1 would change" in preview.content.decode()
    assert night.version == 3
    assert dita.post(night.page("correct/1"), turned(night, "save")).status_code == 302
    assert [seated.round for seated in tournament_state(night.tournament).rounds] == [1, 2]


def test_a_correction_that_moves_nobody_offers_no_new_draw(night, dita):
    """Planted fault: the offer wherever a round was seated since."""
    told = turned(night, "check") | {"how-1": "show", "count-2": "11"}
    page = dita.post(night.page("correct/1"), {k: v for k, v in told.items() if k not in ("how-2", "count-1")})
    assert "The settlement of this table will change" in page.content.decode()
    assert "Save and redraw" not in page.content.decode()


def cut_step(night, dita):
    """The line of the checklist about a cut that no longer fits, and whether it holds up what is next."""
    steps = dita.get(f"/admin/tournaments/tournament/{night.tournament.pk}/night/").context["steps"]
    return [
        (str(one.step.title), str(one.step.progress), one.step.is_next)
        for one in steps
        if one.step.name.startswith("outdated")
    ]


def test_a_cut_that_no_longer_fits_is_listed_until_it_does_or_is_made_again(night, dita):
    """Planted fault: a correction that keeps the seating and leaves no trace of who would have qualified."""
    assert cut_step(night, dita) == []
    dita.post(night.page("correct/1"), turned(night, "save"))
    expected = [("Heats: the cut no longer fits", "Bo would qualify, Asha would not", False)]
    assert cut_step(night, dita) == expected
    bo, asha = (str(Player.objects.get(name=name).pk) for name in ("Bo", "Asha"))
    record_all_in_tournament(night.tournament.pk, [wire.PlayerLeft(player=bo)], context=context())
    assert cut_step(night, dita) == expected
    back = turned(night, "save") | {"how-1": "show", "count-2": "10", "reason": "it was right"}
    dita.post(night.page("correct/1"), {name: text for name, text in back.items() if name not in ("how-2", "count-1")})
    assert cut_step(night, dita) == []
    record_all_in_tournament(night.tournament.pk, [wire.PlayerLeft(player=asha)], context=context())
    assert cut_step(night, dita) == []


def test_the_recorded_answer_of_a_correction_warns_that_the_cut_no_longer_fits(night):
    events = f"/api/v1/tables/{night.table.pk}/events/"
    outcomes = {"1": {"how": "loss", "count": 10}, "2": {"how": "show"}}
    event = {"kind": "deal_corrected", "deal": 1, "outcomes": outcomes, "reason": "read the wrong way round"}
    answer = Device(night.club, Role.DIRECTOR).send(events, {"expected_version": night.version, "event": event})
    assert answer.status_code == 201
    [warning] = answer.json()["warnings"]
    assert warning["code"] == "outdated_cut"
    assert warning["detail"] == "Bo would qualify, Asha would not"
    event = {**event, "outcomes": {"1": {"how": "show"}, "2": {"how": "loss", "count": 10}}}
    answer = Device(night.club, Role.DIRECTOR).send(events, {"expected_version": night.version, "event": event})
    assert "warnings" not in answer.json()


def test_drawing_again_takes_the_final_back_and_cuts_again(night, dita):
    answer = dita.post(night.page("correct/1"), turned(night, "redraw"), follow=True)
    page = answer.content.decode()
    assert "seat the round again" in page
    assert "The cut of stage 1 was recalculated from the corrected sheets." in page
    evening = tournament_state(night.tournament)
    assert [seated.round for seated in evening.rounds] == [1]


def test_an_exchange_of_seats_is_looked_at_and_then_stored_or_refused_with_everything_that_is_wrong(night, dita):
    wanted = {"version": str(night.version), "key": str(uuid4()), "one": "1", "other": "2", "deal": "1"}
    wrong = {"version": str(night.version), "key": str(uuid4()), "one": "1", "other": "1"}
    page = refusal_of(dita.post(night.page("exchange"), wrong))
    for words in ("choose the two seats that were mixed up", "choose the deals", "enter a reason"):
        assert words in page
    older = wanted | {"version": "2", "reason": "they had changed chairs"}
    assert "someone saved first" in refusal_of(dita.post(night.page("exchange"), older), 409)
    page = dita.post(night.page("exchange"), wanted | {"do": "check"}).content.decode()
    assert "qualified, but would not." in page
    assert night.version == 3
    assert dita.post(night.page("exchange"), wanted | {"reason": "they had changed chairs"}).status_code == 302
    assert Event.objects.filter(stream_id=night.table.pk, kind="deal_corrected").count() == 1


def test_an_exchange_can_draw_again_too(night, dita):
    wanted = {"version": str(night.version), "key": str(uuid4()), "one": "1", "other": "2", "deal": "1"}
    dita.post(night.page("exchange"), wanted | {"reason": "they had changed chairs", "do": "redraw"})
    assert [seated.round for seated in tournament_state(night.tournament).rounds] == [1]


def keyed(evening, do="compare", deal="1", **typed):
    return {"version": str(evening.version), "key": str(uuid4()), "deal": deal, "do": do, **typed}


@pytest.fixture
def sheet(club) -> Evening:
    evening = evening_at(club)
    evening.deal(1, show="1", s2=12, s3=45, s4=30)
    return evening


SAME = {"how-1": "show", "count-2": "12", "count-3": "45", "count-4": "30"}
OTHER = SAME | {"count-3": "54"}


def test_the_second_entry_sees_nothing_of_the_first_is_refused_where_it_cannot_be_and_may_agree(sheet, dita):
    page = dita.get(sheet.page("keying")).content.decode()
    assert "Enter deal 1 again" in page
    typed = page.split('class="deal-form"')[1].split("</form>")[0]
    assert 'value="45"' not in typed
    assert ">45<" not in typed
    answer = dita.post(sheet.page("keying"), keyed(sheet, **SAME | {"how-2": "show", "count-2": ""}))
    assert answer.status_code == 422
    assert "Loss" not in answer.content.decode().split("errornote")[1][:400]
    answer = dita.post(sheet.page("keying"), keyed(sheet, **SAME), follow=True)
    assert "Deal 1: the first entry was kept" in answer.content.decode()
    assert sheet.version == 2


def test_only_what_differs_is_shown_and_a_second_entry_that_is_right_becomes_a_correction(sheet, dita):
    page = dita.post(sheet.page("keying"), keyed(sheet, **OTHER)).content.decode()
    assert "Loss 45" in page
    assert "Loss 54" in page
    assert "Loss 30" not in page
    assert sheet.version == 2
    dita.post(sheet.page("keying"), keyed(sheet, "settle", **OTHER, **{"pick-3": "first"}))
    assert not Event.objects.filter(stream_id=sheet.table.pk, kind="deal_corrected").exists()
    dita.post(sheet.page("keying"), keyed(sheet, "settle", **OTHER, **{"pick-3": "second"}))
    stored = Event.objects.get(stream_id=sheet.table.pk, kind="deal_corrected")
    assert '"3":{"how":"loss","count":54}' in stored.body
    assert stored.note.text == "keyed twice"


def test_a_deal_that_waits_is_confirmed_by_an_equal_second_entry_of_somebody_else(sheet, signed_in):
    desk = signed_in(Role.DIRECTOR, login="dita2")
    first, own = (evening_with(sheet.club, "second_official") for _ in range(2))
    first.deal(1, show="1", s2=12, s3=45, s4=30)
    desk.post(first.page("keying"), keyed(first, **SAME))
    assert Scoresheet.objects.get(table=first.table).unconfirmed == 0
    own.deal(1, show="1", s2=12, s3=45, s4=30, actor=f"user:{desk.session['_auth_user_id']}")
    assert "you recorded deal 1: someone else must confirm it" in refusal_of(
        desk.post(own.page("keying"), keyed(own, **SAME))
    )


def test_a_game_of_fields_is_keyed_twice_field_by_field(club, dita):
    evening = evening_at(club, preset="rum", names=("Asha", "Bo", "Cy"), entry_minor=0)
    counts = {"2": 12, "3": 40}
    evening.record({"kind": "deal_recorded", "deal": 1, "out": "1", "counts": counts, "dealer": "1"})
    again = {"out": "1", "counts-2": "21", "counts-3": "40"}
    page = dita.post(evening.page("keying"), keyed(evening, **again)).content.decode()
    assert page.count("Second is right") == 1
    dita.post(evening.page("keying"), keyed(evening, "settle", **again, **{"pick-counts-2": "second"}))
    assert '"2":21' in Event.objects.get(stream_id=evening.table.pk, kind="deal_corrected").body


@pytest.mark.slow
@pytest.mark.parametrize(("language", "lost"), [("de", "Verloren {}"), ("hi", "हार {}")])
def test_two_sheets_and_the_history_are_read_in_the_language_of_the_page(sheet, dita, language, lost):
    """Planted fault: the log's English beside what was typed, so that every seat differs."""
    speaks = {"headers": {"accept-language": language}}
    keying = dita.post(sheet.page("keying"), keyed(sheet, **OTHER), **speaks).content.decode()
    with translation.override(language):
        first, second, same = (lost.format(formatting.number(count)) for count in (45, 54, 30))
    assert first in keying
    assert second in keying
    assert same not in keying
    typed = {"version": "1", "key": str(uuid4()), "deal": "1", "do": "save", **SAME, "count-3": "054"}
    stale = dita.post(sheet.page("score"), typed, **speaks).content.decode()
    assert first in stale
    assert second in stale
    assert stale.count('class="differs"') == 1
    assert first in dita.get(sheet.page("log"), **speaks).content.decode()
