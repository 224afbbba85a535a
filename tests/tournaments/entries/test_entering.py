"""Entering players from lists, and the desk's actions: what is read, what is stored, and what a second tap does."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from scoring.problems import EventNotAllowed
from scoring.tournament.state import Standing
from tests.builders.playing import CAST, context, new_club, new_tournament
from tests.builders.samples import each
from tests.builders.sqlite_steps import counted_steps
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk, offered, take_or_give
from tournaments.entries.commands.checked import Change
from tournaments.entries.commands.enter import check_list, enter_list
from tournaments.entries.commands.lists import EntryRow, read_csv, read_pasted
from tournaments.entries.commands.substitutes import StandIn, substitute
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.merging import merge_players
from tournaments.models import Player
from tournaments.models.log import Event
from tournaments.models.public_names import telling_name
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.seating.commands.seat import seat_round

pytestmark = pytest.mark.django_db
FEE = 10_000


@pytest.fixture
def tournament():
    """A tournament with an entry fee; the cast belongs to the club, and nobody has entered."""
    club = new_club()
    add_players(club, CAST)
    return new_tournament(club, entry_minor=FEE)


def pasted(tournament, text, *, adds_new=False, shown=None, past_places=True, **extra):
    rows = read_pasted(text).rows
    asked = {"adds_new": adds_new, "shown": shown, "past_places": past_places}
    return enter_list(tournament.id, rows, context=context(**extra), **asked)


def entrant(tournament, name):
    player = Player.objects.get(club=tournament.club, name=name)
    return tournament_state(tournament).entrants.get(str(player.id))


def tap(tournament, name, act, **extra):
    wanted = replace(DESK_ACTS[act], reason="asked")
    return act_at_desk(tournament.id, wanted, entrant(tournament, name).player, context=context(**extra))


def details(refused):
    return [problem.text() for problem in refused.value.problems]


def begin(tournament, *names, **plan):
    """The first round is seated with these players, all others having withdrawn."""
    stage = {"smallest_table": 2, **plan.pop("stage", {})}
    record_in_tournament(tournament.id, wire.PlanMade(plan={"stages": [stage], **plan}), context=context())
    players = tuple(entrant(tournament, name).player for name in names)
    seated = wire.RoundSeated(stage=1, round=1, tables=((1, players),), method="by_hand")
    seat_round(tournament.id, seated, context=context())


def test_a_pasted_line_says_who_has_paid_and_who_waits_and_a_word_that_is_no_mark_is_reported():
    read = read_pasted("Asha; paid\n\n Bo ;standby; PAID\nCy\n")
    assert read.problems == ()
    assert [(row.number, row.name, row.is_paid, row.is_standby) for row in read.rows] == [
        (1, "Asha", True, False),
        (3, "Bo", True, True),
        (4, "Cy", False, False),
    ]
    (problem,) = read_pasted("Asha; paid\nBo; perhaps").problems
    assert problem.text() == (
        "row 2: 'perhaps' cannot be read; after the name write paid, standby, member, free, full, a "
        "pot such as +High hand, or nothing"
    )


def test_a_table_is_read_whatever_its_columns_and_separators():
    for text in (
        "paid,name\nyes,Asha\n,Bo\n",
        "name;paid\nAsha;x\nBo;\n",
        "Asha\tyes\nBo\tno\n",
        '"Asha","1"\n"Bo","0"\n',
    ):
        assert [(row.name, row.is_paid) for row in read_csv(text).rows] == [("Asha", True), ("Bo", False)], text


def test_a_quoted_name_may_hold_the_separator_and_an_open_quote_refuses_the_whole_table():
    assert [row.name for row in read_csv('name,paid\n"Rao, Asha",yes\n').rows] == ["Rao, Asha"]
    read = read_csv('name,paid\n"Asha,yes\n')
    assert read.rows == ()
    assert [problem.code for problem in read.problems] == ["not_a_list"]


def test_a_dry_run_tells_all_changes_and_stores_none(tournament):
    pasted(tournament, "Asha\nBo; standby")
    before = Event.objects.count()
    checked = check_list(tournament, read_pasted("Asha; paid\nBo\nCy\nDev; standby\nZoe").rows)
    assert [one.change for one in checked.rows] == [
        Change.PAYS,
        Change.PROMOTED,
        Change.ENTERS,
        Change.STANDS_BY,
        Change.ENTERS,
    ]
    assert checked.new_names == ("Zoe",)
    assert checked.rows[0].pays_minor == FEE
    assert (Event.objects.count(), Player.objects.filter(name="Zoe").exists()) == (before, False)


def test_one_unreadable_row_keeps_the_whole_list_out(tournament):
    with pytest.raises(EventNotAllowed) as refused:
        pasted(tournament, "Asha\nBo\nasha\nA\u0007b", adds_new=True)
    assert details(refused) == [
        "row 3: asha is in row 1 already; write asha (new) for another player",
        "row 4: a name cannot hold control characters",
    ]
    assert tournament_state(tournament).entrants == {}


def test_unknown_names_are_asked_about_all_at_once(tournament):
    with pytest.raises(EventNotAllowed) as refused:
        pasted(tournament, "Zoe\nAsha\nYan")
    assert [problem.field for problem in refused.value.problems] == ["row 1", "row 3"]
    pasted(tournament, "Zoe\nAsha\nYan", adds_new=True)
    assert len(tournament_state(tournament).entrants) == 3


def test_a_list_sent_twice_enters_everybody_once_and_takes_each_fee_once(tournament):
    same = {"adds_new": True, "key": "a" * 32}
    pasted(tournament, "Zoe; paid\nAsha; paid", **same)
    again = pasted(tournament, "Zoe; paid\nAsha; paid", **same)
    assert again.is_replay
    assert Player.objects.filter(name="Zoe").count() == 1
    assert [one.paid_minor for one in tournament_state(tournament).entrants.values()] == [FEE, FEE]


def test_a_list_is_not_stored_when_it_would_do_something_else_than_what_was_shown(tournament):
    shown = check_list(tournament, read_pasted("Asha; paid").rows).fingerprint
    pasted(tournament, "Asha; paid")
    with pytest.raises(EventNotAllowed) as refused:
        pasted(tournament, "Asha; paid", shown=shown)
    assert [problem.code for problem in refused.value.problems] == ["list_moved"]


def test_two_players_of_one_name_are_told_apart_by_letters_of_their_ids(tournament):
    first, second = add_players(tournament.club, ["Eva", "Eva"])
    told = telling_name("Eva", second.id)
    with pytest.raises(EventNotAllowed) as refused:
        pasted(tournament, "Eva")
    assert told in details(refused)[0]
    pasted(tournament, told)
    assert list(tournament_state(tournament).entrants) == [str(second.id)]
    assert str(first.id) != str(second.id)


def test_a_new_name_that_reads_like_a_known_one_is_pointed_out(tournament):
    add_players(tournament.club, ["José Rao"])
    checked = check_list(tournament, [EntryRow(number=1, name="rao, jose")])
    assert [one.is_new for one in checked.rows] == [True]
    assert [[name for _, name in question.players] for question in checked.questions] == [["José Rao"]]


@pytest.mark.slow
def test_two_hundred_names_are_entered_without_a_question_for_each(tournament):
    names = "\n".join(f"Player {number}; paid" for number in range(200))
    with CaptureQueriesContext(connection) as asked:
        pasted(tournament, names, adds_new=True)
    rest = [query["sql"] for query in asked.captured_queries if "SAVEPOINT" not in query["sql"]]
    assert len(rest) < 30
    evening = tournament_state(tournament)
    assert sum(one.paid_minor for one in evening.entrants.values()) == 200 * FEE
    assert rebuild_differences() == []


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="its steps are those of SQLite")
@pytest.mark.parametrize("name", each("Somebody {}", "Asha", "Player 7"))
def test_one_player_is_entered_without_passing_over_all_players_of_the_club(tournament, name):
    """Planted fault: all names of a club read, and compared with the new one, while nobody else could write."""
    steps = []
    for more in range(2):
        add_players(tournament.club, [f"Player {number}" for number in range(200 * more, 200 * (more + 1))])
        other = new_tournament(tournament.club, entry_minor=FEE, name=f"Saturday {more}")
        with counted_steps() as counted:
            enter_list(other.id, [EntryRow(number=1, name=name.format(more))], context=context(), adds_new=True)
        assert [one.standing for one in tournament_state(other).entrants.values()] == ["entered"]
        steps.append(counted.taken)
    # In tens. Where a row stands among others takes a few steps more or less; 200 rows passed over take a thousand.
    assert steps[1] < steps[0] + 30


def test_a_player_is_entered_by_the_name_of_a_row_that_was_merged_into_theirs(tournament):
    asha, bo = (Player.objects.get(club=tournament.club, name=name) for name in ("Asha", "Bo"))
    merge_players(bo, asha, context=context())
    pasted(tournament, "Bo")
    assert list(tournament_state(tournament).entrants) == [str(asha.id)]


def test_a_player_of_another_club_is_not_entered_by_their_id(tournament):
    (stranger,) = add_players(new_club(), ["Asha"])
    with pytest.raises(EventNotAllowed):
        enter_list(
            tournament.id, [EntryRow(number=1, name="Asha", player=str(stranger.id))], context=context(), adds_new=False
        )


def test_a_late_entry_is_taken_as_long_as_the_plan_says_and_then_refused_by_name_and_row(tournament):
    pasted(tournament, "Asha\nBo")
    begin(tournament, "Asha", "Bo", late_until_round=2, stage={"rounds": 3})
    pasted(tournament, "Cy")
    assert entrant(tournament, "Cy").since_round == 2
    other = new_tournament(tournament.club, entry_minor=FEE, name="Sunday")
    pasted(other, "Asha\nBo")
    begin(other, "Asha", "Bo")
    with pytest.raises(EventNotAllowed) as refused:
        pasted(other, "Cy")
    assert details(refused) == ["row 1: Cy is too late: entry closed after round 1, and round 2 is next"]
    pasted(other, "Cy; standby")


def test_two_desks_take_no_amount_twice_and_a_double_tap_on_paid_takes_only_what_is_still_due(tournament):
    pasted(tournament, "Asha")
    part = wire.EntryPaid(player=entrant(tournament, "Asha").player, amount_minor=4_000)
    take_or_give(tournament.id, part, seen_minor=0, context=context())
    with pytest.raises(EventNotAllowed) as refused:
        take_or_give(tournament.id, part, seen_minor=0, context=context())
    assert details(refused) == ["payments of Asha changed: check, save again"]
    tap(tournament, "Asha", "pay", key="b" * 32)
    for again in ({"key": "b" * 32}, {}):
        assert tap(tournament, "Asha", "pay", **again).is_replay
    assert entrant(tournament, "Asha").paid_minor == FEE


@pytest.mark.parametrize(
    ("entered", "act"),
    [
        *(("Asha", act) for act in ("check_in", "pay", "absent", "withdraw")),
        *(("Asha; standby", act) for act in ("promote", "withdraw")),
    ],
)
def test_every_tick_is_stored_once_and_can_be_taken_back(tournament, entered, act):
    pasted(tournament, entered)
    before = entrant(tournament, "Asha")
    done = tap(tournament, "Asha", act)
    assert entrant(tournament, "Asha") != before
    stored = Event.objects.count()
    assert tap(tournament, "Asha", act).is_replay
    assert Event.objects.count() == stored
    tap(tournament, "Asha", done.undo)
    assert entrant(tournament, "Asha") == before


def test_past_the_places_the_desk_is_asked_and_may_enter_all_the_same(tournament):
    """Planted fault: the desk's list counted without those who play already."""
    tournament.places = 2
    tournament.save()
    pasted(tournament, "Asha\nDev; standby", past_places=False)
    with pytest.raises(EventNotAllowed) as refused:
        pasted(tournament, "Bo\nCy", past_places=False)
    assert details(refused) == ["3 players would play, and there are 2 places: enter them anyway?"]
    pasted(tournament, "Bo\nCy; standby", past_places=False)
    assert len(standby_list(tournament)) == 2
    pasted(tournament, "Cy", past_places=True)
    assert entrant(tournament, "Cy").plays


def standby_list(tournament):
    """Names in the order of the standby list."""
    names = {str(player.id): player.name for player in Player.objects.all()}
    entrants = tournament_state(tournament).entrants.values()
    return [names[entrant.player] for entrant in entrants if entrant.standing is Standing.STANDBY]


@pytest.mark.parametrize("act", ["withdraw", "promote"])
def test_undoing_a_tick_gives_the_old_place_on_the_standby_list(tournament, act):
    """Planted fault: the undo is an entry like any other."""
    pasted(tournament, "Asha; standby\nBo; standby\nCy; standby")
    done = tap(tournament, "Asha", act)
    assert standby_list(tournament) == ["Bo", "Cy"]
    tap(tournament, "Asha", done.undo)
    assert standby_list(tournament) == ["Asha", "Bo", "Cy"]


@pytest.mark.parametrize(
    "acts", [("withdraw", "stand_by"), ("promote", "wait"), ("withdraw",), ("withdraw", "enter", "wait")]
)
def test_who_comes_back_to_the_standby_list_is_its_last(tournament, acts):
    """Planted fault: a second entry restores the first, with its place."""
    pasted(tournament, "Asha; standby\nBo; standby\nCy; standby")
    for act in acts:
        tap(tournament, "Asha", act)
    if len(acts) == 1:
        pasted(tournament, "Asha; standby")
    assert standby_list(tournament) == ["Bo", "Cy", "Asha"]
    assert not rebuild_differences()


def test_only_who_withdrew_from_the_standby_list_is_offered_the_old_place(tournament):
    pasted(tournament, "Asha; standby\nBo")
    for name, is_offered in (("Asha", True), ("Bo", False)):
        tap(tournament, name, "withdraw")
        acts = {act.name for act in offered(tournament, tournament_state(tournament), entrant(tournament, name).player)}
        assert ("undo_withdrawal" in acts) is is_offered
        assert "stand_by" in acts


def test_nothing_is_offered_that_would_be_refused(tournament):
    pasted(tournament, "Asha; paid\nBo\nCy; standby\nDev")
    tap(tournament, "Dev", "absent")
    begin(tournament, "Asha", "Bo", stage={"reentry_minor": 500, "reentry_until_round": 3})
    for name in CAST:
        evening = tournament_state(tournament)
        for act in offered(tournament, evening, entrant(tournament, name).player):
            tap(tournament, name, act.name)
            break
        else:
            pytest.fail(f"nothing is offered for {name}")


def test_a_player_who_was_seated_leaves_and_returns_but_does_not_withdraw(tournament):
    pasted(tournament, "Asha\nBo")
    begin(tournament, "Asha", "Bo")
    names = {act.name for act in offered(tournament, tournament_state(tournament), entrant(tournament, "Asha").player)}
    assert "left" in names
    assert "withdraw" not in names
    done = tap(tournament, "Asha", "left")
    tap(tournament, "Asha", done.undo)
    assert entrant(tournament, "Asha").plays


def test_a_reentry_makes_its_fee_due(tournament):
    pasted(tournament, "Asha; paid\nBo; paid")
    begin(tournament, "Asha", "Bo", stage={"rounds": 3, "reentry_minor": 500, "reentry_until_round": 3})
    tap(tournament, "Asha", "reenter")
    tap(tournament, "Asha", "pay")
    assert entrant(tournament, "Asha").paid_minor == FEE + 500


def test_a_substitute_may_be_somebody_new_to_the_club_and_nobody_who_plays_already(tournament):
    pasted(tournament, "Asha; paid\nBo")
    wish = {"player": entrant(tournament, "Asha").player, "by": "Zoe", "reason": "is ill"}
    with pytest.raises(EventNotAllowed) as refused:
        substitute(tournament.id, StandIn(**wish | {"by": "bo"}), context=context())
    assert details(refused) == ["Bo is or was already a player"]
    with pytest.raises(EventNotAllowed):
        substitute(tournament.id, StandIn(**wish), context=context())
    substitute(tournament.id, StandIn(**wish, adds_new=True), context=context())
    assert entrant(tournament, "Zoe").plays_for == wish["player"]
    zoe = entrant(tournament, "Zoe").player
    assert "pay" not in {act.name for act in offered(tournament, tournament_state(tournament), zoe)}


def test_nobody_is_ticked_who_has_not_entered(tournament):
    asha = Player.objects.get(club=tournament.club, name="Asha")
    with pytest.raises(EventNotAllowed) as refused:
        act_at_desk(tournament.id, DESK_ACTS["pay"], str(asha.id), context=context())
    assert details(refused) == ["Asha has not entered this tournament"]
