"""Side pots, levies and guarantees in the books: a jackpot without a winner is carried over to the next night."""

import pytest

from scoring.ledger import ledger_problems, trial_balance
from scoring.problems import OptionsRejected
from tests.builders.playing import context, new_tournament
from tests.builders.side_pots import JACKPOT, settled
from tests.builders.there import there
from tests.builders.untranslated import left_in_english
from tournaments.running.commands.create import TournamentDraft, change_tournament, make_plan
from tournaments.running.commands.record import tournament_state
from tournaments.running.prize_money import carried_in_pots

pytestmark = pytest.mark.django_db


def test_what_the_club_adds_the_levy_and_side_pots_stand_on_their_accounts():
    evening = settled()
    found: dict[str, int] = {}
    for line in trial_balance(evening.club.id):
        found[line.kind.value] = found.get(line.kind.value, 0) + line.balance_minor
    assert (found["club_fee"], found["levy"], found["guarantee"]) == (3_000, 540, -13_540)
    assert found["side_pot"] == 3_000
    assert found.get("prize_pool", 0) == 0
    assert ledger_problems() == []


def test_a_jackpot_that_nobody_won_is_found_by_the_plan_of_the_next_night_and_kept_when_it_is_changed():
    evening = settled()
    following = new_tournament(evening.club, name="Next night", entry_minor=10_000)
    assert carried_in_pots(following, ["Jackpot", "High hand"]) == {"Jackpot": 3_000}
    assert carried_in_pots(evening.tournament, ["Jackpot", "High hand"]) == {}
    for contribution in (1_000, 2_000):
        make_plan(following.id, {"side_pots": [JACKPOT | {"contribution_minor": contribution}]}, context=context())
        (pot,) = there(tournament_state(following).plan).side_pots
        assert (pot.contribution_minor, pot.carried_minor) == (contribution, 3_000)


def test_what_a_pot_brings_does_not_become_as_much_of_another_currency():
    """Planted fault: 30.00 rupees of earlier nights become 3,000 yen."""
    evening = settled()
    following = new_tournament(evening.club, name="Next night", entry_minor=10_000)
    make_plan(following.id, {"side_pots": [JACKPOT]}, context=context())
    yen = TournamentDraft(
        name="Next night", preset=following.preset, starts_at=following.starts_at, currency="JPY", entry_minor=300
    )
    with pytest.raises(OptionsRejected, match="side pots bring INR from earlier tournaments") as refused:
        change_tournament(following, yen, context=context())
    assert left_in_english(problem.message for problem in refused.value.problems) == set()
    make_plan(following.id, {}, context=context())
    change_tournament(following, yen, context=context())
    following.refresh_from_db()
    make_plan(following.id, {"side_pots": [JACKPOT]}, context=context())
    plan = there(tournament_state(following).plan)
    assert plan.side_pots[0].carried_minor == 0
