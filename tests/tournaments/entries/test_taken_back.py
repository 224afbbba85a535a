"""A substitution undone after the substitute was given a seat: the table is opened again for the player."""

import pytest

from scoring.events import wire
from scoring.problems import EventNotAllowed
from tests.builders.playing import CAST, Playing, context, loses, show
from tests.builders.stages import Night
from tournaments.entries.commands.substitutes import undo_substitution
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Scoresheet, Table
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_in_tournament, tournament_state

pytestmark = pytest.mark.django_db
BACK = "Asha was back in time"


@pytest.fixture
def evening():
    """Eli plays for Asha, and sits with Bo at table 1; Cy and Dev sit at table 2."""
    night = Night({"stages": [{"smallest_table": 2, "rounds": 2}]})
    tournament, (asha, *_) = night.tournament, night.players
    night.players += [str(player.id) for player in add_players(tournament.club, ("Eli",))]
    ids = dict(zip((*CAST, "Eli"), night.players, strict=True))
    called_away = wire.PlayerSubstituted(player=asha, by=ids["Eli"], reason="called away")
    record_in_tournament(tournament.id, called_away, context=context())
    return tournament, ids, [table.row for table in night.seat((4, 1), (2, 3))]


def sitting(number):
    return [seat.player.name for seat in Table.objects.get(number=number).seats.order_by("number")]


def test_the_table_is_opened_again_once_for_the_player_under_its_number(evening):
    tournament, ids, rows = evening
    # A deal at another table is nothing to it.
    Playing(row=rows[1]).deal(1, show, loses(5))
    same = context()
    undo_substitution(tournament.id, ids["Asha"], reason=BACK, context=same)
    assert sitting(1) == ["Asha", "Bo"]
    assert Scoresheet.objects.get(table=rows[0]).is_cancelled
    assert not Scoresheet.objects.get(table=rows[1]).is_cancelled
    before = tournament_state(tournament)
    assert undo_substitution(tournament.id, ids["Asha"], reason=BACK, context=same).is_replay
    assert tournament_state(tournament) == before
    Playing(row=Table.objects.get(number=1)).deal(1, show, loses(5))
    assert rebuild_differences() == []


def test_once_a_deal_was_recorded_with_the_substitute_it_stands(evening):
    tournament, ids, rows = evening
    Playing(row=rows[0]).deal(1, show, loses(5))
    with pytest.raises(EventNotAllowed, match="1 deal on its sheet"):
        undo_substitution(tournament.id, ids["Asha"], reason=BACK, context=context())
    assert sitting(1) == ["Eli", "Bo"]


def test_a_substitute_without_a_seat_gives_the_place_back_as_well(evening):
    tournament, ids, _ = evening
    (fay,) = add_players(tournament.club, ["Fay"])
    record_in_tournament(
        tournament.id, wire.PlayerSubstituted(player=ids["Cy"], by=str(fay.id), reason="-"), context=context()
    )
    undo_substitution(tournament.id, ids["Cy"], reason="Cy plays on", context=context())
    assert tournament_state(tournament).entrants[ids["Cy"]].plays
    assert sitting(2) == ["Cy", "Dev"]
