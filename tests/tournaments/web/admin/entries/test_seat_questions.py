"""Before a round or a final is published the page asks about who is not here, not paid, suspended or entered twice."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from tests.builders.admin_tournaments import HEATS, Night, a_night, at, record
from tests.builders.flat import flat
from tests.builders.page_text import refusal_of
from tournaments.entries.commands.substitutes import StandIn, substitute
from tournaments.models import Club, Player, Table
from tournaments.seating.commands.seat import seat_round

CAST = ("Asha", "Bo", "Cy", "Dev")
FEE = 10_000


@pytest.fixture
def night(club: Club) -> Night:
    """Four are here and have paid."""
    night = a_night(club, HEATS, entry_minor=FEE)
    pays(night, *night.enter(*CAST))
    return night


def pays(night: Night, *players: str) -> None:
    night.record(*(wire.EntryPaid(player=player, amount_minor=FEE) for player in players))


def asked(client: Client, night: Night) -> dict[str, list[str]]:
    """What the page of the draft asks, once the round is drawn."""
    page = client.post(night.url("seating"), {"do": "planned"}, follow=True)
    return dict(page.context["questions"])


def publish(client: Client, night: Night, **typed: str) -> int:
    """How many tables are open after the press."""
    version = client.get(night.url("seating")).context["envelope"].version
    client.post(night.url("seating"), {"do": "publish", "version": version, "round": night.state.next_round, **typed})
    return Table.objects.filter(tournament=night.tournament).count()


def penalised(night: Night, name: str) -> None:
    """A player at table 1 gets 5 points before the first deal."""
    night.seat(size=4)
    table = Table.objects.get(tournament=night.tournament)
    seat = table.seats.get(player__name=name).number
    record(table, {"kind": "penalty_given", "seat": str(seat), "points": 5, "reason": "came late"})


def the(night: Night, name: str) -> str:
    return str(Player.objects.get(club=night.tournament.club, name=name).pk)


def close_the_table(night: Night) -> None:
    table = Table.objects.get(tournament=night.tournament)
    table.scoresheet.is_closed = table.scoresheet.is_finished = True
    table.scoresheet.save()


@pytest.mark.slow
def test_each_doubt_is_named_and_one_tick_answers_all(dita: Client, night: Night):
    """Planted fault: a question unknown to the command, so that a click without the tick was accepted."""
    (eli,) = night.enter("Eli", is_here=False)
    (asha,) = night.enter("Asha (2)")
    pays(night, asha)
    Player.objects.filter(pk=the(night, "Bo")).update(is_suspended=True)
    assert asked(dita, night) == {
        "Not checked in": ["Eli"],
        "Not paid": ["Eli"],
        "Suspended": ["Bo"],
        "Same name, perhaps entered twice": ["Asha", "Asha (2)"],
    }
    version = dita.get(night.url("seating")).context["envelope"].version
    page = refusal_of(dita.post(night.url("seating"), {"do": "publish", "version": version, "round": "1"}))
    assert "Eli is not checked in" in page
    assert "Eli has not paid" in page
    assert publish(dita, night) == 0
    assert publish(dita, night, seats_absent="on") > 0
    assert eli in {player for table in night.state.rounds[0].tables for player in table.players}


@pytest.mark.slow
def test_a_player_who_was_asked_about_is_not_asked_about_again_in_the_stage_but_in_the_final(dita: Client, club: Club):
    plan = {"stages": [{**HEATS["stages"][0], "rounds": 2}, HEATS["stages"][1]]}
    night = a_night(club, plan, entry_minor=FEE)
    players = night.enter(*CAST)
    pays(night, *players[1:])
    assert asked(dita, night) == {"Not paid": ["Asha"]}
    publish(dita, night, seats_absent="on")
    close_the_table(night)
    assert asked(dita, night) == {}
    publish(dita, night)
    night.record(wire.CutMade(stage=1, advancing=tuple(players[:2])))
    assert asked(dita, night) == {"Not paid": ["Asha"]}


def test_a_program_that_publishes_is_not_asked(night: Night):
    (eli,) = night.enter("Eli", is_here=False)
    tables = ((1, (*night.state.field()[:3],)), (2, (night.state.field()[3], eli)))
    seating = wire.RoundSeated(stage=1, round=1, tables=tables, method="prepared")
    assert len(seat_round(night.tournament.pk, seating, context=at()).tables) == 2


@pytest.mark.slow
def test_the_questions_cost_the_same_for_8_players_and_for_24(dita: Client, club: Club):
    """Planted fault: a query for each player."""

    def cost(players: int) -> int:
        night = a_night(club, HEATS, name=f"{players} players", entry_minor=FEE)
        night.enter(*(f"{players}-{number}" for number in range(players)))
        assert asked(dita, night)
        with CaptureQueriesContext(connection) as caught:
            dita.get(night.url("seating"))
        return len(caught)

    assert cost(8) == cost(24)


def test_publish_and_its_question_stand_above_the_tables(dita: Client, night: Night):
    """Planted fault: the button below the tables, 1,300 pixels down the page at 40 players."""
    night.enter("Eli", is_here=False)
    page = dita.post(night.url("seating"), {"do": "planned"}, follow=True).content.decode()
    order = ("Seat these players?", "/all/mark_absent/", 'value="publish"', "seat-table")
    assert "Not checked in: <bdi>Eli</bdi>" in flat(page)
    assert [page.index(one) for one in order] == sorted(page.index(one) for one in order)


@pytest.mark.slow
def test_a_substitute_who_came_leaves_the_others_unasked_where_nobody_checks_in(dita: Client, club: Club):
    """Planted fault: the substitute, who is here without a check-in, taken for a sign that the others are not."""
    night = a_night(club, {"stages": [{**HEATS["stages"][0], "rounds": 2}, HEATS["stages"][1]], "late_until_round": 2})
    night.enter(*CAST, is_here=False)
    assert asked(dita, night) == {}
    publish(dita, night)
    substitute(night.tournament.pk, StandIn(player=the(night, "Bo"), by="Eli", reason="x", adds_new=True), context=at())
    night.record(wire.PlayerLeft(player=the(night, "Cy")), wire.PlayerReturned(player=the(night, "Cy")))
    close_the_table(night)
    night.enter("Fay", is_here=False)
    assert asked(dita, night) == {}


@pytest.mark.slow
def test_where_players_are_checked_in_a_late_one_is_asked_for_after_a_substitute_came_too(dita: Client, club: Club):
    night = a_night(club, {"stages": [{**HEATS["stages"][0], "rounds": 2}, HEATS["stages"][1]], "late_until_round": 2})
    night.enter(*CAST)
    assert asked(dita, night) == {}
    publish(dita, night)
    substitute(night.tournament.pk, StandIn(player=the(night, "Bo"), by="Eli", reason="x", adds_new=True), context=at())
    close_the_table(night)
    night.enter("Fay", is_here=False)
    assert asked(dita, night) == {"Not checked in": ["Fay"]}


def test_a_round_drawn_again_asks_about_the_penalty_of_a_player_without_a_seat(dita: Client, night: Night):
    """Planted fault: the penalty of a no-show dropped without a word."""
    penalised(night, "Bo")
    dita.post(night.url("seating"), {"do": "withdraw", "round": "1", "reason": "a no-show"})
    night.record(wire.CheckInUndone(player=the(night, "Bo")), wire.MarkedAbsent(player=the(night, "Bo")))
    label = "No seat now: a penalty or buy-in before the first deal will not count"
    assert asked(dita, night) == {label: ["Bo"]}
    assert publish(dita, night) == 1
    assert publish(dita, night, seats_absent="on") == 2


def test_cancelling_a_table_names_what_no_longer_counts(dita: Client, night: Night):
    penalised(night, "Bo")
    table = Table.objects.get(tournament=night.tournament)
    page = flat(dita.get(f"/admin/tournaments/table/{table.pk}/cancel/").content.decode())
    assert "Will no longer count:" in page
    assert re.search(r"<li>Penalty of 5 for .?Bo", page)
