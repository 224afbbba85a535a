"""A whole tournament in one step: with its plan and its players, or as a copy of one that is over."""

import pytest
from django.utils.timezone import now

from scoring.events import wire
from scoring.problems import OptionsRejected
from tests.builders.playing import context, new_tournament
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.set_up import WholeDraft, people_of, repeat_tournament, set_up
from tournaments.models import Player, Tournament
from tournaments.privacy import erase_player
from tournaments.running.commands.create import TournamentDraft, make_plan
from tournaments.running.commands.record import record_in_tournament, tournament_state

pytestmark = pytest.mark.django_db
SIX = {"smallest_table": 4, "largest_table": 6, "preferred_table": 6}
PLAN = {"stages": [{**SIX, "name": "Rounds", "advancing": 6}, {**SIX, "name": "Final"}], "member_minor": 5_000}


def rows(*names: str) -> list[EntryRow]:
    return [EntryRow(number=number, name=name) for number, name in enumerate(names, 1)]


def played(count: int = 18) -> Tournament:
    tournament = new_tournament()
    make_plan(tournament.id, PLAN, context=context())
    enter_list(tournament.id, rows(*(f"Player {n}" for n in range(1, count + 1))), context=context(), adds_new=True)
    return tournament


def draft(**fields: object) -> TournamentDraft:
    return TournamentDraft(name="Friday", preset="pool_101", starts_at=now(), entry_minor=10_000, **fields)  # type: ignore[arg-type]


def test_a_tournament_its_plan_and_its_players_are_one_step_and_sent_twice_one_tournament():
    before = played()
    whole = WholeDraft(tournament=draft(), plan=PLAN, players=people_of(before), rows=rows("Zoya"), expected=19)
    once = context()
    done, again = (set_up(before.club, whole, context=once) for _ in range(2))
    evening = tournament_state(done.tournament)
    assert (done.entered, done.gone) == (19, 0)
    assert (again.tournament, again.entered) == (done.tournament, 19)
    assert evening.plan is not None
    assert [stage.name for stage in evening.plan.stages] == ["Rounds", "Final"]


def test_a_plan_that_stops_makes_no_tournament_at_all():
    before = played()
    count = Tournament.objects.count()
    plan = {"stages": [{**SIX, "per_table": 1}, SIX]}
    with pytest.raises(OptionsRejected, match="with 18 players"):
        set_up(before.club, WholeDraft(tournament=draft(), plan=plan, rows=rows("New"), expected=18), context=context())
    assert Tournament.objects.count() == count
    assert not Player.objects.filter(name="New").exists()


def test_members_enter_at_their_rate():
    before = played()
    Player.objects.filter(club=before.club, name="Player 1").update(is_member=True)
    done = set_up(before.club, WholeDraft(tournament=draft(), plan=PLAN, players=people_of(before)), context=context())
    rates = [entrant.rate for entrant in tournament_state(done.tournament).entrants.values()]
    assert rates.count("member") == 1


def test_a_repeat_has_the_rules_the_plan_and_the_people_and_sent_twice_is_one_tournament():
    before = played()
    first, second, *_ = (str(player) for player in people_of(before))
    record_in_tournament(before.id, wire.EntryWithdrawn(player=first), context=context())
    record_in_tournament(before.id, wire.MarkedAbsent(player=second), context=context())
    once = context()
    done = repeat_tournament(before, context=once)
    assert repeat_tournament(before, context=once).tournament == done.tournament, "sent twice it is one"
    evening = tournament_state(done.tournament)
    assert done.tournament != before
    assert evening.plan == tournament_state(before).plan
    assert list(evening.entrants) == [str(player) for player in people_of(before)]
    assert first not in evening.entrants
    assert second in evening.entrants
    assert all(not entrant.paid_minor and not entrant.is_checked_in for entrant in evening.entrants.values())
    assert (done.tournament.options, done.tournament.entry_minor) == (before.options, before.entry_minor)


def test_a_repeat_goes_on_without_people_who_were_erased_and_says_how_many():
    before = played()
    gone = Player.objects.get(club=before.club, name="Player 7")
    erase_player(gone, now=now(), with_balance=True)
    done = repeat_tournament(before, context=context())
    assert (done.entered, done.gone) == (17, 1)
    assert str(gone.pk) not in tournament_state(done.tournament).entrants
