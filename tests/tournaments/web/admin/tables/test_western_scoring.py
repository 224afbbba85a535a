"""The scorer's page for games that name their own fields: what is typed, what is stored, what is shown."""

import re

import pytest
from django.test import Client

from tests.builders.admin_tables import person
from tests.builders.languages import in_language
from tests.builders.page_text import html, refusal_of, said
from tests.builders.western_pages import GAMES, fields, stored_sheet, tournament_state
from tests.builders.western_scoring import told_at
from tournaments.models import Club, Role
from tournaments.models.log import Event

EVERY_GAME = pytest.mark.parametrize("name", list(GAMES))


def test_who_went_out_is_marked_in_the_language_of_the_scorer(club: Club):
    """Planted fault: the word that a script writes into the row of a seat, handed over as the game names it."""
    table, sam = tournament_state(club, "rum"), person("sam", Role.SCORER, club)
    for language, mark in (("en-gb", "out"), ("de", "aus"), ("hi", "आउट")):
        assert f'data-mark="{mark}"' in html(in_language(language, sam).get(table.score_url))


@EVERY_GAME
def test_a_deal_is_asked_for_field_by_field_and_stored_once_as_a_program_would_store_it(
    sam: Client, club: Club, name: str
):
    by_page, by_program = tournament_state(club, name), tournament_state(club, name, name="Late")
    asked, typed = GAMES[name].typed, fields(1, GAMES[name].typed)
    page = html(sam.get(by_page.score_url))
    assert [field for field in asked if f'name="{field}"' not in page] == []
    assert "Not saved." in refusal_of(sam.post(by_page.score_url, fields(1, {})))
    started = {"out": "1"} if "out" in asked else dict([next(iter(asked.items()))])
    preview = html(sam.post(by_page.page("preview"), fields(1, started)))
    assert ("Still to fill in:" in preview, "errorlist" in preview) == (True, False)
    assert by_page.version == 1
    answer, again = sam.post(by_page.score_url, typed), sam.post(by_page.score_url, typed)
    by_program.record({"kind": "deal_recorded", "deal": 1, **GAMES[name].event})
    assert answer.status_code == 302
    assert stored_sheet(by_page, 2) == stored_sheet(by_program, 2)
    assert "Saved. Deal 1:" in said(answer)
    assert "Sent twice, saved once. Deal 1" in said(again)
    assert by_page.version == 2
    assert "Both sheets say the same" in refusal_of(sam.post(by_program.score_url, typed), 409)


@pytest.mark.slow
@EVERY_GAME
def test_a_correction_starts_from_the_stored_sheet_and_is_stored_as_one(dita: Client, club: Club, name: str):
    evening = tournament_state(club, name)
    evening.record({"kind": "deal_recorded", "deal": 1, **GAMES[name].event})
    page = dita.get(evening.page("correct/1"))
    typed = {name: text for name, text in page.context["typed"].items() if text and name not in ("kind", "deal")}
    assert html(page).count("checked") >= 1
    assert dita.post(evening.page("correct/1"), fields(2, {**typed, "reason": "misread"})).status_code == 302
    assert Event.objects.get(stream_id=evening.table.pk, version=3).kind == "deal_corrected"
    assert stored_sheet(evening, 3) == stored_sheet(evening, 2)


def test_every_problem_is_reported_at_its_field_and_nothing_typed_is_lost(sam: Client, club: Club):
    evening = tournament_state(club, "rummy500")
    typed = {"out": "1", "melded-1": "abc", "melded-2": "40", "in_hand-1": "5", "in_hand-2": "-3", "hands-3": "7x"}
    answer = sam.post(evening.score_url, fields(1, typed))
    page = html(answer).replace("&#x27;", "'")
    assert answer.status_code == 422
    assert "4 errors" in page
    assert told_at(answer) == {
        "melded-1": ["not_a_number"],
        "in_hand-1": ["winner_has_points"],
        "in_hand-2": ["negative_count"],
        "cards of 3": ["unknown_card"],
    }
    for kept in ('value="abc"', 'value="40"', 'value="-3"', 'value="7x"'):
        assert kept in page
    assert evening.version == 1


def test_a_problem_of_the_deal_stands_at_its_own_field(sam: Client, club: Club):
    evening = tournament_state(club, "rummy_royal")
    typed = {**GAMES["rummy_royal"].typed, "extra_hand": "sold", "buyer": "1", "price": "", "cards_left-2": "4"}
    answer = sam.post(evening.score_url, fields(1, typed))
    assert told_at(answer) == {
        "cards_left-2": ["winner_has_points"],
        "buyer": ["not_a_choice"],
        "price": ["missing_count"],
    }


def test_the_slower_scorer_sees_line_by_line_what_the_faster_wrote(sam: Client, club: Club):
    evening = tournament_state(club, "rum")
    evening.record({"kind": "deal_recorded", "deal": 1, "out": "2", "counts": {"1": 12, "3": 7}})
    page = refusal_of(
        sam.post(evening.score_url, fields(1, {"out": "-", "counts-1": "012", "counts-3": "8", "dealer": "1"})), 409
    )
    assert '<th scope="row"><bdi>Cy, hand points</bdi></th>' in page
    assert "<td>7</td><td>8</td>" in page
    assert 'value="012"' in page
    assert evening.page("correct/1") in page


@pytest.mark.slow
def test_what_the_slower_scorer_typed_can_be_handed_in_as_a_correction(dita: Client, club: Club):
    evening = tournament_state(club, "gin")
    evening.record({"kind": "deal_recorded", "deal": 1, **GAMES["gin"].event})
    mine = {**GAMES["gin"].typed, "hands.0.defender_deadwood": "71"}
    assert 'value="71"' in html(dita.post(evening.page("correct/1"), fields(1, mine, do="adopt")))
    assert dita.post(evening.page("correct/1"), fields(2, {**mine, "reason": "17"})).status_code == 302
    assert stored_sheet(evening, 3)["hands"][0]["defender_deadwood"] == 71


@pytest.mark.slow
def test_a_correction_shows_the_boxes_as_they_were_before_that_deal(dita: Client, club: Club):
    evening = tournament_state(club, "rummy_royal")
    evening.record({"kind": "deal_recorded", "deal": 1, **GAMES["rummy_royal"].event})
    notes = [
        {
            c.key: c.field.note
            for part in dita.get(evening.page(page)).context["parts"]
            for c in part.controls
            if c.field.note
        }
        for page in ("correct/1", "score")
    ]
    assert str(notes[0]["boxes.AH"]) == "0 chips"
    assert str(notes[1]["boxes.AH"]) == "4 chips"


def test_the_preview_of_a_board_shows_that_no_chip_is_made_or_lost(sam: Client, club: Club):
    evening = tournament_state(club, "rummy_royal")
    page = html(sam.post(evening.page("preview"), fields(1, GAMES["rummy_royal"].typed)))
    assert "= 400 chips issued" in page
    assert "Ready to save" in page


def test_a_dead_hand_leaves_the_dealer_and_a_knock_is_reported_with_what_it_was_worth(sam: Client, club: Club):
    evening = tournament_state(club, "gin")
    sam.post(evening.score_url, fields(1, {"hands.0.knocker": "-", "dealer": "2"}))
    assert sam.get(evening.score_url).context["typed"]["dealer"] == "2"
    knock = fields(2, GAMES["gin"].typed, deal=2, key="1" * 32)
    assert "Asha wins 13 points" in said(sam.post(evening.score_url, knock))


@pytest.mark.slow
def test_the_last_deal_of_the_evening_divides_the_board_through_the_page(sam: Client, club: Club):
    evening = tournament_state(club, "rummy_royal")
    sam.post(evening.score_url, fields(1, GAMES["rummy_royal"].typed))
    hearts = {
        f"last_hearts.{heart}": seat for heart, seat in zip(("10H", "JH", "QH", "KH", "AH"), "12341", strict=True)
    }
    answer = sam.post(evening.score_url, fields(2, {"dealer": "2", **hearts}, deal=2, key="1" * 32), follow=True)
    assert "Result" in html(answer)


@pytest.mark.slow
def test_level_seats_are_given_an_extra_deal_with_the_fields_of_the_game(sam: Client, club: Club):
    evening = tournament_state(club, "block", options={"tie": "extra_deal", "end": "rounds", "rounds": 1})
    sam.post(evening.score_url, fields(1, {"out": "-", "counts-1": "5", "counts-2": "5", "counts-3": "20"}))
    page = html(sam.get(evening.score_url))
    assert "Tie-break deal: tied players" in page
    assert 'name="counts-2"' in page
    assert 'name="counts-3"' not in page
    extra = {**fields(2, {"out": "2", "counts-1": "5"}, key="1" * 32), "kind": "tiebreak_recorded"}
    assert "Result" in html(sam.post(evening.score_url, extra, follow=True))


def test_the_score_sheet_says_what_ends_the_game(sam: Client, club: Club):
    """Planted fault: a target of a game called the limit of a pool, at which seats are out."""
    for name, end in (("rum", ["Target: 100 points"]), ("romme", [])):
        page = html(sam.get(tournament_state(club, name).page("sheet")))
        assert re.findall(r"Target: \d+ points", page) == end
