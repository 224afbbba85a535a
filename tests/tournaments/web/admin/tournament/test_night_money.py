"""The money of an evening on its pages: what is settled, what failed, who must pay whom, and abandoning it."""

import re

import pytest
from django.test import Client

from scoring.events import wire
from scoring.messages import Message, say
from tests.builders.admin_tables import NOW
from tests.builders.admin_tournaments import Night, a_night, at, record
from tests.builders.page_text import html, refusal_of
from tournaments.models import Club, EveningSheet, Tournament
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.running.commands.settle import note_tournament_failure, settle_tournament

PLAN = {"stages": [{"smallest_table": 2}]}
CAST = ("Asha", "Bo")


def words(answer) -> str:
    """The text of the page without tags and line breaks."""
    return " ".join(re.sub(r"<[^>]+>", " ", html(answer)).split())


@pytest.fixture
def night(club: Club) -> Night:
    """Asha and Bo play for 100.00 each; only Asha has paid."""
    night = a_night(club, PLAN, entry_minor=10_000, fee_bp=1_000, is_published=True)
    asha, _ = night.enter(*CAST)
    night.record(wire.EntryPaid(player=asha, amount_minor=10_000))
    return night


def played(night: Night):
    (table,) = night.play_round()
    close_tournament(night.tournament.pk, context=at())
    return table


@pytest.mark.slow
def test_the_money_page_says_of_entries_and_prizes_where_they_stand_and_settles_them(dita: Client, night: Night):
    assert "Entries and prizes open" in words(dita.get(night.url("money")))
    played(night)
    assert "Entries and prizes settling" in words(dita.get(night.url("money")))
    answer = dita.post(night.url("settle"), {"table": "evening"}, follow=True)
    assert "Settled: 2 entries posted, 0 reversed." in html(answer)
    assert "Entries and prizes settled" in words(answer)


def test_a_settlement_that_failed_says_why_and_is_tried_again(dita: Client, night: Night):
    played(night)
    note_tournament_failure(night.tournament.pk, Message("Defect: the pool does not add up"))
    page = words(dita.get(night.url("money")))
    assert "Entries and prizes failed" in page
    assert "the pool does not add up" in page
    dita.post(night.url("settle"), {"table": "evening"})
    assert EveningSheet.objects.get().settle_problem == ""


@pytest.mark.slow
def test_who_has_not_paid_is_named_as_owing_on_both_pages_once_the_evening_is_over(dita: Client, night: Night):
    assert "Owe the club" not in words(dita.get(night.url()))
    played(night)
    settle_tournament(night.tournament.pk, now=NOW)
    assert "Bo −₹100.00 ₹0.00 ₹0.00 ₹0.00 owes the club ₹100.00" in words(dita.get(night.url("money")))
    assert "Owe the club 1 Bo ₹100.00" in words(dita.get(night.url()))


@pytest.mark.slow
def test_a_correction_after_the_prizes_is_said_and_turns_the_debt_round(dita: Client, night: Night):
    table = played(night)
    settle_tournament(night.tournament.pk, now=NOW)
    assert "Asha −₹100.00 ₹100.00 ₹180.00 ₹0.00 is owed ₹180.00" in words(dita.get(night.url("money")))
    for deal in (1, 2):
        outcomes = {"1": {"how": "loss", "count": 80}, "2": {"how": "show"}}
        record(table, {"kind": "deal_corrected", "deal": deal, "outcomes": outcomes, "reason": "mixed up"})
    settle_tournament(night.tournament.pk, now=NOW)
    page = words(dita.get(night.url("money")))
    assert "Entries and prizes corrected" in page
    assert "Corrected after it was settled." in page
    assert "Bo −₹100.00 ₹0.00 ₹180.00 ₹0.00 is owed ₹80.00" in page
    assert "Asha −" not in page


@pytest.mark.slow
def test_a_tournament_is_given_up_with_a_reason_and_says_so_everywhere(dita: Client, night: Night, client: Client):
    night.seat()
    assert f'href="{night.url("give-up")}"' in html(dita.get(night.url("change")))
    assert "enter a reason for abandoning the tournament" in refusal_of(
        dita.post(night.url("give-up"), {"reason": " "})
    )
    dita.post(night.url("give-up"), {"reason": "the lights went out"})
    tournament = Tournament.objects.get()
    assert tournament.is_cancelled
    assert "This tournament was abandoned." in html(dita.get(night.url()))
    public = f"/c/{tournament.club.slug}/t/{tournament.slug}/"
    assert "This tournament was abandoned." in html(client.get(public))
    assert client.get(f"{public}board.json").json()["is_cancelled"] is True


def test_the_night_board_of_a_tournament_given_up_leads_to_the_entries_and_then_to_the_board(
    dita: Client, night: Night
):
    dita.post(night.url("give-up"), {"reason": "nobody came"})
    suggested = dita.get(night.url()).context["suggested"].step
    assert str(suggested.button) == "Refund entry fees"
    dita.post(night.url("night/settle"))
    assert dita.get(night.url()).context["suggested"].step.title == say("Tournament abandoned")
    assert "Asha ₹0.00 ₹100.00 ₹0.00 ₹0.00 is owed ₹100.00" in words(dita.get(night.url("money")))
    reopen_tournament(night.tournament.pk, reason="they came", context=at())
    assert "abandoned" not in words(dita.get(night.url()))
