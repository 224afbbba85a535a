"""A substitute is shown by name and with the place they play: on the score page, the sheets, the board and the room."""

import re
from html import unescape
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.events import wire
from scoring.problems import EventNotAllowed
from tests.builders.admin_tournaments import Night, a_night, at, record
from tests.builders.flat import flat
from tournaments.entries.commands.substitutes import StandIn, substitute, undo_substitution
from tournaments.entries.queries import entries
from tournaments.models import Club, Table

pytestmark = pytest.mark.django_db
PLAN = {"stages": [{"smallest_table": 2, "rounds": 2}]}
LOST = {"how": "loss", "count": 20}


@pytest.fixture
def night(club: Club) -> Night:
    """Asha and Bo at table 1, Cy and Dev at table 2, in the middle of round 1; an entry costs 100, and is not paid."""
    night = a_night(club, PLAN, entry_minor=10_000, is_published=True)
    night.enter("Asha", "Bo", "Cy", "Dev")
    for table in night.seat():
        deal = {"1": {"how": "show"}, "2": LOST}
        record(table, {"kind": "deal_recorded", "deal": 1, "outcomes": deal})
    return night


def replaces(night: Night, name: str, by: str) -> None:
    wanted = StandIn(player=player(night, name), by=by, reason="called away", adds_new=True)
    substitute(night.tournament.pk, wanted, context=at())


def player(night: Night, name: str) -> str:
    return next(line.player for line in entries(night.tournament).lines if line.name == name)


def table(night: Night, number: int = 1, round_number: int = 1) -> Table:
    return Table.objects.get(tournament=night.tournament, round=round_number, number=number)


def said_on(answer: Any) -> str:
    return unescape(re.sub("<[^>]+>|[\u2068\u2069]", "", flat(answer.content.decode())))


def public(night: Night, page: str = "", **how: Any) -> Any:
    return Client().get(f"/c/asha/t/{night.tournament.slug}/{page}", **how)


def test_every_page_says_for_whom_a_substitute_plays_until_that_is_undone_and_files_name_the_player(
    night: Night, dita: Client
):
    """Also a page that somebody has already. Planted fault: a sheet's ETag without its substitutes."""
    tags = {page: public(night, page)["ETag"] for page in ("", "r1/table-1/", "rounds/")}
    replaces(night, "Asha", "Zoe")
    for page in ("", "r1/table-1/", "rounds/", "seating/", "room/"):
        answer = public(night, page, headers={"If-None-Match": tags[page]} if page in tags else {})
        assert answer.status_code == 200, page
        assert "Zoe for Asha" in said_on(answer), page
    for page in ("score", "sheet"):
        said = said_on(dita.get(f"/admin/tournaments/table/{table(night).pk}/{page}/"))
        assert ("Zoe for Asha" in said, "Bo for" in said) == (True, False), page
    for file in ("board.csv", "r1/table-1/sheet.json"):
        assert "for Asha" not in public(night, file).content.decode(), file
    undo_substitution(night.tournament.pk, player(night, "Asha"), reason="came back", context=at())
    assert "for Asha" not in said_on(dita.get(f"/admin/tournaments/table/{table(night).pk}/score/"))
    call_command("prove", verbosity=0)


@pytest.mark.slow
def test_a_table_that_was_over_keeps_the_player_who_played_there(night: Night):
    for number in (1, 2):
        for deal, count in ((2, 60), (3, 80)):
            outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": count}}
            record(table(night, number), {"kind": "deal_recorded", "deal": deal, "outcomes": outcomes})
        record(table(night, number), {"kind": "table_closed"})
    replaces(night, "Asha", "Zoe")
    assert "for Asha" not in said_on(public(night, "r1/table-1/"))
    night.seat()
    assert any("Zoe for Asha" in said_on(public(night, f"r2/table-{number}/")) for number in (1, 2))


def test_a_substitute_who_came_in_during_the_round_can_leave_and_not_withdraw(night: Night):
    """Planted fault: the deals played since went to the player, although undoing the substitution is refused."""
    with pytest.raises(EventNotAllowed, match="round 7 is not being played"):
        night.record(wire.PlayerSubstituted(player=player(night, "Asha"), by="zoe", round=7, reason="x"))
    replaces(night, "Asha", "Zoe")
    record(table(night), {"kind": "deal_recorded", "deal": 2, "outcomes": {"1": {"how": "show"}, "2": LOST}})
    zoe = player(night, "Zoe")
    with pytest.raises(EventNotAllowed, match="seated already: mark the player as left"):
        night.record(wire.EntryWithdrawn(player=zoe))
    night.record(wire.PlayerLeft(player=zoe))
    assert "Zoe for Asha" in said_on(public(night))
