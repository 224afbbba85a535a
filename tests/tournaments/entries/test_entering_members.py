"""Members enter at their rate automatically, and a list may name another rate and the side pots of a player."""

from dataclasses import replace

import pytest

from scoring.problems import EventNotAllowed
from scoring.tournament.state.fees import due_minor
from tests.builders.playing import CAST, NOW, context, new_club, new_tournament
from tournaments.entries.commands.checked import Change
from tournaments.entries.commands.enter import check_list, enter_list
from tournaments.entries.commands.lists import EntryRow, read_csv, read_pasted
from tournaments.models import Player
from tournaments.models.log import Event
from tournaments.people.players import add_players
from tournaments.privacy import erase_player
from tournaments.running.commands.create import make_plan
from tournaments.running.commands.record import tournament_state

pytestmark = pytest.mark.django_db
FEE, MEMBERS = 10_000, 6_000
HIGH_HAND = {"name": "High hand", "contribution_minor": 2_000, "joins": "opt_in"}
JACKPOT = {"name": "Jackpot", "contribution_minor": 1_000, "joins": "opt_in"}
PLAN = {"member_minor": MEMBERS, "side_pots": [HIGH_HAND, JACKPOT]}


@pytest.fixture
def tournament():
    """Asha is a member of the club, the others are guests."""
    club = new_club()
    add_players(club, CAST)
    Player.objects.filter(club=club, name="Asha").update(is_member=True)
    return new_tournament(club, entry_minor=FEE)


def planned(tournament, **plan):
    make_plan(tournament.id, PLAN | plan, context=context())
    return tournament


def pasted(tournament, text, **extra):
    rows = [replace(row, reason="asked") for row in read_pasted(text).rows]
    return enter_list(tournament.id, rows, context=context(), adds_new=False, **extra)


def entrant(tournament, name):
    player = Player.objects.get(club=tournament.club, name=name)
    return tournament_state(tournament).entrants[str(player.id)]


def due(tournament, name):
    return due_minor(tournament_state(tournament), entrant(tournament, name), FEE)


def test_where_the_plan_has_no_rate_for_members_they_pay_what_everybody_pays(tournament):
    pasted(planned(tournament, member_minor=None), "Asha")
    assert (entrant(tournament, "Asha").rate, due(tournament, "Asha")) == ("full", FEE)


def test_a_rate_in_the_list_goes_before_what_the_club_knows(tournament):
    pasted(planned(tournament), "Asha; full\nBo; free\nCy; member")
    assert [due(tournament, name) for name in ("Asha", "Bo", "Cy")] == [FEE, 0, MEMBERS]


def test_a_tick_for_paid_takes_the_rate_of_a_member_and_the_pots_joined_and_a_guest_owes_the_full_fee(tournament):
    pasted(planned(tournament), "Asha; paid; +high hand; +Jackpot\nBo")
    found = entrant(tournament, "Asha")
    assert (found.paid_minor, found.pots) == (MEMBERS + 3_000, ("High hand", "Jackpot"))
    assert (due(tournament, "Asha"), due(tournament, "Bo")) == (0, FEE)


def test_a_dry_run_tells_rates_pots_and_sums_and_stores_none(tournament):
    planned(tournament)
    before = Event.objects.count()
    checked = check_list(tournament, read_pasted("Asha; paid\nBo; free; +Jackpot").rows)
    assert [(one.rate, one.pots, one.pays_minor) for one in checked.rows] == [
        ("member", (), MEMBERS),
        ("free", ("Jackpot",), 0),
    ]
    assert (checked.problems, Event.objects.count()) == ((), before)


def test_a_player_made_a_member_since_the_dry_run_is_looked_at_again(tournament):
    planned(tournament)
    shown = check_list(tournament, read_pasted("Bo").rows).fingerprint
    Player.objects.filter(name="Bo").update(is_member=True)
    with pytest.raises(EventNotAllowed, match="data changed: check, save again"):
        pasted(tournament, "Bo", shown=shown)


def test_a_list_changes_the_terms_of_whoever_has_entered_and_membership_alone_does_not(tournament):
    pasted(planned(tournament), "Asha; full\nBo")
    checked = check_list(tournament, read_pasted("Asha\nBo; free; +Jackpot").rows)
    assert [one.change for one in checked.rows] == [Change.NOTHING, Change.TERMS]
    pasted(tournament, "Asha\nBo; free; +Jackpot")
    assert (due(tournament, "Asha"), due(tournament, "Bo")) == (FEE, 1_000)


def test_a_list_sent_twice_stores_its_terms_once(tournament):
    planned(tournament)
    rows, key = read_csv("name,pots,rate,reason\nAsha,Jackpot,,\nBo,,free,guest").rows, context()
    enter_list(tournament.id, rows, context=key, adds_new=False)
    before = Event.objects.count()
    assert enter_list(tournament.id, rows, context=key, adds_new=False).is_replay
    assert Event.objects.count() == before


def test_a_free_entry_in_a_list_needs_a_reason(tournament):
    """Planted fault: a cashier alone made an entry free in one tap."""
    planned(tournament)
    with pytest.raises(EventNotAllowed) as refused:
        enter_list(tournament.id, read_pasted("Asha\nBo; free").rows, context=context(), adds_new=False)
    assert [(problem.code, problem.text()) for problem in refused.value.problems] == [
        ("missing_field", "row 2: enter a reason")
    ]


def test_a_rate_or_a_pot_that_the_plan_has_not_keeps_the_whole_list_out(tournament):
    planned(tournament, member_minor=None)
    with pytest.raises(EventNotAllowed) as refused:
        pasted(tournament, "Asha\nBo; member\nCy; +Low hand")
    told = [problem.text() for problem in refused.value.problems]
    assert told[0] == "row 2: the plan has no entry fee for members"
    assert told[1].startswith("row 3: ")
    assert "Low hand" in told[1]
    assert not tournament_state(tournament).entrants


def test_a_table_may_have_columns_for_rate_and_pots():
    read = read_csv("name,rate,side pots\nAsha,Member,High hand + Jackpot\nBo,,\n")
    assert read.problems == ()
    assert read.rows == (
        EntryRow(number=2, name="Asha", rate="member", pots=("High hand", "Jackpot")),
        EntryRow(number=3, name="Bo"),
    )


def test_a_rate_that_is_none_and_two_rates_for_one_player_are_told_with_their_row():
    problems = (*read_csv("name,rate\nAsha,half\n").problems, *read_pasted("Asha; member; free").problems)
    assert [problem.text() for problem in problems] == [
        "row 2: 'half' cannot be read; a rate is full, member, free or nothing",
        "row 1: one player enters at one rate, not at member and free",
    ]


def test_an_erased_player_is_a_member_no_longer(tournament):
    asha = Player.objects.get(name="Asha")
    erase_player(asha, now=NOW, with_balance=True)
    asha.refresh_from_db()
    assert not asha.is_member
