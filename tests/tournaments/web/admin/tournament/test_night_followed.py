"""A new director clicks only the suggested button, from "tournament created" to "prizes settled"."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.ledger.audit import ledger_problems
from scoring.models import JournalEntry
from scoring.tournament.steps import Target
from tests.builders.admin_tables import sheet
from tests.builders.admin_tournaments import Night, a_night, play_out, record
from tests.builders.buttons import form_that
from tests.builders.page_text import refusal_of
from tournaments.models import Club, EveningSheet, Scoresheet, Standing
from tournaments.web.admin.tournament.checklist import ShownStep

GUESTS = ("Asha", "Bo", "Cy", "Dev", "Eve", "Flo", "Gus", "Hari")
MOST_PRESSES = 60
TIED = {
    "stages": [{"smallest_table": 2, "preferred_table": 2, "advancing": 3}, {"smallest_table": 2}],
    "tie_breaks": ["high_card"],
}


class Director:
    """A user who follows the button, and does the one thing that its page is for."""

    def __init__(self, client: Client, night: Night) -> None:
        self.client, self.night = client, night
        self.pressed: list[str] = []
        self.deeds: dict[Target, Callable[[ShownStep], Any]] = {
            Target.PLAN: lambda step: self.post(step, do="format", format="winners_go_on", players="8"),
            Target.ENTRIES: self.enter,
            Target.CHECK_IN: self.check_in,
            Target.SEATING: self.seat,
            Target.SCORE: self.score,
            Target.CLOSE_TABLE: self.close_table,
            Target.TIES: self.settle_ties,
            Target.CUT: lambda step: self.post(step, do="cut"),
            Target.CLOSE: self.post,
            Target.MONEY: self.post,
        }

    def follow(self) -> None:
        """Click until the dashboard says that the evening is over."""
        for _ in range(MOST_PRESSES):
            step = self.client.get(self.night.url()).context["suggested"]
            if step.step.target is Target.BOARD:
                return
            assert step.url, step.step.button
            assert self.client.get(step.url).status_code in (200, 405), step.step.button
            self.pressed.append(step.step.name)
            self.deeds[step.step.target](step)
        raise AssertionError(f"pressed in a circle: {self.pressed[-8:]}")

    def post(self, step: ShownStep, **typed: Any) -> None:
        answer = self.client.post(step.url, typed)
        assert answer.status_code == 302, (step.step.button, answer.context["problems"])

    def enter(self, step: ShownStep) -> None:
        """Eight people who have paid; the club has no till."""
        self.client.post(self.night.url("till"), {"do": "none"})
        for name in GUESTS:
            self.post(step, do="one", name=name, adds_new="on", is_paid="on")

    def check_in(self, step: ShownStep) -> None:
        ready = self.client.get(step.url).context["ready"]
        self.post(step, do="do", who=[row.key for row in ready])

    def seat(self, step: ShownStep) -> None:
        """Draw, and publish what was drawn."""
        for deed in ("draw", "publish"):
            form = form_that(self.client.get(step.url).content.decode(), deed)
            self.post(step, **{**form.values, "do": deed})

    def score(self, step: ShownStep) -> None:
        """Seat 1 shows, all others still in lose 80."""
        row = Scoresheet.objects.get(table_id=step.step.table)
        seats = Standing.objects.filter(table_id=row.pk, is_in=True).exclude(seat_number=1)
        typed = {f"c{seat}": "80" for seat in seats.values_list("seat_number", flat=True)}
        self.post(step, **sheet(row.version, deal=row.deals + 1, key=uuid4().hex, s1="show", **typed))

    def close_table(self, step: ShownStep) -> None:
        row = Scoresheet.objects.get(table_id=step.step.table)
        self.post(step, version=str(row.version), key=uuid4().hex)

    def settle_ties(self, step: ShownStep) -> None:
        """A card each, as drawn from a pack."""
        tie = self.client.get(step.url).context["ties"][0]
        cards = {f"card-{player}": f"{rank}h" for (player, _), rank in zip(tie.players, "KQJ98765", strict=False)}
        self.post(step, tie=" ".join(tie.task.players), method="high_card", **cards)


@pytest.mark.slow
def test_a_user_who_follows_the_button_gets_from_created_to_settled(dita: Client, club: Club):
    night = a_night(club, entry_minor=10_000, fee_bp=1_000)
    director = Director(dita, night)
    director.follow()
    first = dict.fromkeys(director.pressed)
    order = ["plan", "enter", "check_in", "seat", "play", "close_tables", "cut", "close", "settle"]
    assert list(first) == order
    row = EveningSheet.objects.get(tournament=night.tournament)
    assert night.state.is_closed
    assert (row.settled_position >= row.due_position > 0, row.settle_problem) == (True, "")
    assert ledger_problems(club.pk) == []
    assert JournalEntry.objects.filter(cause=f"tournament:{night.tournament.pk}").exists()


@pytest.mark.slow
def test_level_players_at_the_cut_are_settled_on_the_way(dita: Client, club: Club):
    night = a_night(club, TIED)
    night.enter(*GUESTS[:4])
    night.play_round()
    director = Director(dita, night)
    director.follow()
    assert director.pressed[:2] == ["ties", "cut"]
    assert len(night.state.cuts[0].advancing) == 3


def test_a_tie_that_is_sent_again_after_the_cut_gets_its_first_answer(dita: Client, club: Club):
    night = a_night(club, TIED)
    night.enter(*GUESTS[:4])
    night.play_round()
    tie = dita.get(night.url("ties")).context["ties"][0]
    cards = {f"card-{player}": card for (player, _), card in zip(tie.players, ("Kh", "9h"), strict=True)}
    sent = {"tie": " ".join(tie.task.players), "method": "high_card", "key": uuid4().hex, **cards}
    assert dita.post(night.url("ties"), sent).status_code == 302
    dita.post(night.url("cut"), {"do": "cut"})
    before = night.state
    assert dita.post(night.url("ties"), sent).status_code == 302
    assert night.state == before
    swapped = dict(zip(cards, reversed(cards.values()), strict=True))
    assert (
        "form already sent with other data: check and try again"
        in dita.post(night.url("ties"), {**sent, **swapped}).content.decode()
    )


def test_before_a_stage_is_played_there_is_no_cut_and_no_tie_to_settle(dita: Client, club: Club):
    night = a_night(club, TIED)
    night.enter(*GUESTS[:4])
    for page in ("cut", "ties"):
        assert dita.get(night.url(page)).status_code == 200
    for typed in ({}, {"tie": "0"}, {"tie": "9", "method": "lots"}, {"tie": "x", "method": "y"}):
        assert dita.post(night.url("ties"), typed).status_code == 422, typed


def test_a_cut_is_refused_while_a_table_is_open_shows_scores_and_is_taken_back_with_a_reason(dita: Client, club: Club):
    """Planted fault it catches: names alone, so that the director opens the leaderboard to see how close it was."""
    night = a_night(club, {**TIED, "stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2}]})
    night.enter(*GUESTS[:4])
    tables = night.seat()
    assert "Table 1 (round 1) is still open after 0 deals" in refusal_of(dita.post(night.url("cut"), {"do": "cut"}))
    for table in tables:
        play_out(table)
        record(table, {"kind": "table_closed"})
    page = dita.get(night.url("cut"))
    scores = {name: score for name, score, _ in page.context["going_on"]} | dict(page.context["staying"])
    assert len(page.context["going_on"]) == len(page.context["staying"]) == 2
    board = dita.get(reverse("api:leaderboard", kwargs={"tournament_id": night.tournament.pk})).json()["rows"]
    assert scores == {row["name"]: str(row["total"]) for row in board}
    assert "Not qualified" in page.content.decode()
    dita.post(night.url("cut"), {"do": "cut"})
    assert len(night.state.cuts) == 1
    assert dita.post(night.url("cut"), {"do": "withdraw"}).status_code == 422
    dita.post(night.url("cut"), {"do": "withdraw", "reason": "a deal was corrected"})
    assert not night.state.cuts
