"""Money taken at the desk is posted at once, as the player's, and leaves the pool empty at the end."""

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock
from uuid import UUID

import pytest
from django.db.models import F

from scoring import ledger
from scoring.events import wire
from scoring.events.table import Event
from scoring.ledger import ledger_problems, trial_balance
from scoring.models import JournalEntry, Posting
from scoring.problems import EventNotAllowed
from tests.builders.entry_desk import ENTRY, Desk
from tests.builders.export_files import held_by_beancount
from tests.builders.playing import NOW, context, loses, new_club, new_tournament, show
from tests.builders.prize_evening import Evening
from tests.builders.tampering import undone, unguarded
from tests.builders.there import there
from tournaments.books.player_balances import means_of
from tournaments.books.queries import BookScope, Settlement, player_balances, scope_of, tournament_settlement
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk
from tournaments.integrity.audit import compare_books
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.people.players import add_players
from tournaments.printing.files import FileKind, write_journal
from tournaments.running.commands.close import cancel_tournament, close_tournament, reopen_tournament
from tournaments.running.commands.create import TournamentDraft, change_tournament
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament
from tournaments.running.commands.settle import problem_of_spending, settle_tournament, tournaments_to_settle

GIVE_BACK = replace(DESK_ACTS["give_back"], reason="asked")

pytestmark = pytest.mark.django_db


def withdraws(desk: Desk) -> None:
    desk.tell(wire.EntryWithdrawn(player=desk.asha))


def reenters(desk: Desk) -> None:
    desk.tell(wire.PlayerReentered(player=desk.asha, stage=1))


def pays(*amount: int, **how: Any) -> Callable[[Desk], object]:
    return lambda desk: desk.pays(*amount, **how)


@pytest.mark.parametrize(
    ("acts", "held"),
    [
        pytest.param([pays()], {"cash": -ENTRY, "the pool": ENTRY}, id="paid"),
        pytest.param([pays(4_000)], {"cash": -4_000, "the pool": 4_000}, id="too little is no debt before the end"),
        pytest.param([pays(13_000)], {"cash": -13_000, "the pool": ENTRY, "Asha": 3_000}, id="too much is theirs"),
        pytest.param([pays(13_000), reenters], {"cash": -13_000, "the pool": 13_000}, id="until it is owed"),
        pytest.param([pays(), withdraws], {"cash": -ENTRY, "Asha": ENTRY}, id="withdrawn"),
        pytest.param(
            [pays(place="till:user:7"), pays(place="bank", player=1)],
            {"cash user:7": -ENTRY, "bank": -ENTRY, "the pool": 2 * ENTRY},
            id="into a till and the bank",
        ),
        pytest.param(
            [pays(place="till:user:7"), lambda desk: desk.is_given(place="till:user:8")],
            {"cash user:7": -ENTRY, "cash user:8": ENTRY},
            id="given back out of another till",
        ),
    ],
)
def test_what_is_paid_at_the_desk_is_on_its_accounts_at_once(
    acts: list[Callable[[Desk], object]], held: dict[str, int]
):
    desk = Desk()
    for act in acts:
        act(desk)
    assert desk.held() == held
    assert compare_books().faults == ()


def enters_another(desk: Desk) -> Tournament:
    """Asha withdraws, and pays another tournament of the club from her balance."""
    withdraws(desk)
    other = new_tournament(desk.club, entry_minor=ENTRY)
    plan = wire.PlanMade(plan={"stages": [{"smallest_table": 2}]})
    paid = wire.EntryPaid(player=desk.asha, amount_minor=ENTRY, place="account")
    record_all_in_tournament(other.id, [plan, wire.PlayerEntered(player=desk.asha), paid], context=context())
    return other


def test_a_balance_pays_an_entry_without_moving_money():
    desk = Desk()
    desk.pays(2 * ENTRY)
    other = enters_another(desk)
    assert desk.held()["Asha"] == ENTRY
    act_at_desk(other.id, GIVE_BACK, desk.asha, context=context())
    assert desk.held() == {"cash": -2 * ENTRY, "Asha": 2 * ENTRY}
    assert compare_books().faults == ()


def test_money_that_is_a_players_no_more_is_not_given_back_a_second_time():
    """Planted fault it catches: a refund that only looks at what was paid for this entry."""
    desk = Desk()
    desk.pays()
    enters_another(desk)
    with pytest.raises(EventNotAllowed, match=r"may spend 0\.00 INR: not 100\.00 INR"):
        desk.is_given()


def test_nobody_pays_an_entry_from_a_balance_that_does_not_cover_it():
    desk = Desk()
    with pytest.raises(EventNotAllowed, match=r"Asha has 0.00 INR and may spend 0.00 INR: not 100.00 INR"):
        desk.pays(place="account")
    assert not JournalEntry.objects.exists()
    desk.pays(ENTRY + 1)
    has = means_of(desk.club.id, "INR", [desk.asha])[desk.asha]
    assert problem_of_spending(has, desk.asha, "INR", 1) is None
    problem = there(problem_of_spending(has, desk.asha, "INR", 2))
    assert (problem.code, problem.seat) == ("balance_too_low", desk.asha)


def test_one_balance_does_not_cover_two_entries_of_one_action():
    desk = Desk()
    desk.pays(2 * ENTRY)
    withdraws(desk)
    desk.is_given(ENTRY)
    desk.tell(wire.PlayerEntered(player=desk.asha))
    again = wire.EntryPaid(player=desk.asha, amount_minor=ENTRY, place="account")
    with pytest.raises(EventNotAllowed, match="may spend"):
        desk.tell(again, again)


def test_a_rehearsal_books_nothing():
    desk = Desk(is_rehearsal=True)
    desk.pays()
    desk.pays(place="account", player=1)
    assert not JournalEntry.objects.exists()
    assert compare_books().faults == ()


def test_a_plan_that_comes_after_the_money_leaves_the_entries_to_a_worker():
    club = new_club()
    tournament = new_tournament(club, entry_minor=ENTRY)
    (asha,) = (str(player.id) for player in add_players(club, ("Asha",)))
    events = [wire.PlayerEntered(player=asha), wire.EntryPaid(player=asha, amount_minor=ENTRY)]
    record_all_in_tournament(tournament.id, events, context=context())
    assert not JournalEntry.objects.exists()
    record_in_tournament(tournament.id, wire.PlanMade(plan={}), context=context())
    assert tournaments_to_settle() == [tournament.id]
    settle_tournament(tournament.id, now=NOW)
    pool = Posting.objects.get(account__kind="prize_pool")
    assert (pool.account.owner, pool.amount_minor) == (str(tournament.id), ENTRY)
    assert compare_books().faults == ()


@pytest.mark.slow
@pytest.mark.parametrize("causes", [("entry:", "tournament:"), ("entry:",)])
def test_a_row_that_says_it_waits_hides_no_changed_prize_and_no_entry(causes):
    """Planted fault: an evening that owes money is skipped until a worker has settled it."""
    evening = Evening()
    evening.paid().closed().settle()
    if "tournament:" not in causes:
        reopen_tournament(evening.tournament.id, context=context(), reason="too early")
    EveningSheet.objects.update(due_position=F("due_position") + 100)
    books = compare_books()
    assert books.waiting
    assert books.faults == ()
    with unguarded():
        for cause in causes:
            assert faults_of_a_changed_amount(cause) == [cause]


def test_another_entry_fee_is_booked_by_a_worker_and_until_then_the_entry_stands_as_the_fee_was():
    """Planted fault: what was posted before the fee was changed compared with the fee of today."""
    desk = Desk()
    desk.pays()
    values = {name: getattr(desk.tournament, name) for name in ("name", "preset", "starts_at", "fee_bp", "options")}
    change_tournament(desk.tournament, TournamentDraft(**values, entry_minor=8_000), context=context())
    assert compare_books().faults == ()
    with unguarded():
        assert faults_of_a_changed_amount("entry:") == ["entry:"]
    settle_tournament(desk.tournament.id, now=NOW)
    assert desk.held() == {"cash": -ENTRY, "the pool": 8_000, "Asha": 2_000}
    assert compare_books().faults == ()


def faults_of_a_changed_amount(cause):
    """The causes that the proof names after an amount of each was changed; it is then restored."""
    standing = Posting.objects.filter(entry__cause__startswith=cause, entry__reverses=None, entry__reversal=None)
    with undone():
        posting = standing.order_by("id")[0]
        Posting.objects.filter(id=posting.id).update(amount_minor=posting.amount_minor + 5)
        return [f"{fault.partition(':')[0]}:" for fault in compare_books().faults]


def test_what_a_lower_fee_leaves_is_refunded_before_a_worker_has_booked_it():
    """Planted fault: the desk compared a refund with a balance that the worker had still to credit."""
    desk = Desk()
    desk.pays()
    change_tournament(desk.tournament, change_of(desk.tournament, entry_minor=8_000), context=context())
    desk.is_given(2_000)
    assert desk.held() == {"cash": -8_000, "the pool": 8_000}
    settle_tournament(desk.tournament.id, now=NOW)
    assert desk.held() == {"cash": -8_000, "the pool": 8_000}
    assert compare_books().faults == ()


def test_what_a_lower_fee_leaves_is_not_refunded_where_it_was_spent_since():
    desk = Desk()
    desk.pays()
    change_tournament(desk.tournament, change_of(desk.tournament, entry_minor=8_000), context=context())
    settle_tournament(desk.tournament.id, now=NOW)
    other = new_tournament(desk.club, entry_minor=2_000)
    plan = wire.PlanMade(plan={"stages": [{"smallest_table": 2}]})
    paid = wire.EntryPaid(player=desk.asha, amount_minor=2_000, place="account")
    record_all_in_tournament(other.id, [plan, wire.PlayerEntered(player=desk.asha), paid], context=context())
    with pytest.raises(EventNotAllowed, match=r"may spend 0\.00 INR: not 20\.00 INR"):
        desk.is_given(2_000)


def change_of(tournament, **changed):
    values = {name: getattr(tournament, name) for name in ("name", "preset", "starts_at", "fee_bp", "is_published")}
    return TournamentDraft(**values | {"options": tournament.options} | changed)


def test_a_pasted_list_that_pays_is_booked_in_one_go():
    club = new_club()
    tournament = new_tournament(club, entry_minor=ENTRY)
    record_in_tournament(tournament.id, wire.PlanMade(plan={}), context=context())
    players = [str(player.id) for player in add_players(club, [f"Player {number}" for number in range(24)])]
    events: list[Event] = [wire.PlayerEntered(player=player) for player in players]
    events += [wire.EntryPaid(player=player, amount_minor=ENTRY) for player in players]
    with mock.patch("scoring.ledger.settle_many", wraps=ledger.settle_many) as booked:
        record_all_in_tournament(tournament.id, events, context=context())
    assert [len(call.args[1]) for call in booked.call_args_list] == [24]
    assert JournalEntry.objects.count() == 48


def test_an_event_that_moves_no_money_does_not_touch_the_books():
    desk = Desk()
    desk.pays()
    with mock.patch("scoring.ledger.settle_many") as booked:
        desk.tell(wire.CheckedIn(player=desk.asha))
    assert not booked.called


def test_at_the_end_who_has_not_paid_is_in_debt_and_the_pool_is_empty():
    evening = Evening().paid(2).closed()
    evening.settle()
    assert evening.balances() == [18_900, 8_100, -ENTRY]
    held = {line.kind.value: line.balance_minor for line in trial_balance(evening.club.id)}
    assert held == {"cash": -2 * ENTRY, "club_fee": 3_000, "player": 17_000, "prize_pool": 0}
    assert compare_books().faults == ()
    assert ledger_problems() == []


def test_an_evening_that_an_earlier_version_closed_before_anything_was_played_costs_nobody_anything():
    desk = Desk()
    desk.pays()
    with mock.patch("tournaments.running.commands.close.closing_problems", return_value=[]):
        close_tournament(desk.tournament.id, context=context())
    settle_tournament(desk.tournament.id, now=NOW)
    assert desk.held() == {"cash": -ENTRY, "Asha": ENTRY}
    assert compare_books().faults == ()


def test_a_correction_after_the_prizes_says_who_must_pay_whom():
    evening = Evening()
    evening.paid().closed().settle()
    assert there(tournament_settlement(Tournament.objects.get())).state is Settlement.SETTLED
    evening.exchange()
    assert there(tournament_settlement(Tournament.objects.get())).state is Settlement.SETTLING
    evening.settle()
    shown = there(tournament_settlement(Tournament.objects.get()))
    assert (shown.state, shown.problem) == (Settlement.CORRECTED, None)
    names = [(UUID(player), name) for player, name in zip(evening.players, ("Asha", "Bo", "Cy"), strict=True)]
    owed = player_balances(evening.tournament, names)
    assert [(one.name, one.balance_minor) for one in owed] == [("Cy", 8_100), ("Asha", 18_900)]


def test_prizes_that_were_never_paid_and_a_pool_with_money_left_in_it_are_found():
    Evening().paid().closed()
    EveningSheet.objects.update(settled_position=10**6)
    faults = compare_books().faults
    assert any(fault.startswith("tournament:") for fault in faults)
    assert any("prize pool of tournament" in fault for fault in faults)


def test_an_entry_that_the_log_does_not_know_is_found():
    desk = Desk()
    desk.pays()
    EveningSheet.objects.update(has_plan=False)
    assert any(fault.startswith("entry:") and "knows no such entry" in fault for fault in compare_books().faults)


def test_the_journal_of_a_tournament_names_its_entries():
    desk = Desk()
    desk.pays()
    causes = scope_of(BookScope(club=desk.club, tournament=desk.tournament)).causes
    assert set(JournalEntry.objects.values_list("cause", flat=True)) <= set(there(causes))


def test_another_program_reads_entries_from_every_place():
    """Planted fault it catches: the desk's account as the parent of the tills', which counts theirs as its own."""
    desk = Desk()
    desk.pays()
    desk.pays(place="till:user:7", player=1)
    desk.pays(place="bank", player=2)
    file = io.BytesIO()
    write_journal(file, BookScope(club=desk.club), FileKind.BEANCOUNT)
    held = held_by_beancount(file.getvalue().decode())
    assert {name.partition(":Id-")[0]: amount for (name, _), amount in held.items() if amount} == {
        "Assets:Cash:Desk": 100,
        "Assets:Cash:Hex-757365723a37": 100,
        "Assets:Bank": 100,
        "Liabilities:Prize-Pool": -300,
    }


# --- Abandoned ----------------------------------------------------------------------------------------------


def test_a_tournament_that_is_given_up_leaves_everybody_what_they_paid():
    evening = Evening().paid(2)
    evening.table.deal(1, show, loses(60), loses(80))
    cancel_tournament(evening.tournament.id, reason="the lights went out", context=context())
    evening.settle()
    assert evening.balances() == [ENTRY, ENTRY, 0]
    tournament = Tournament.objects.get()
    assert (tournament.is_cancelled, tournament.closed_at) == (True, NOW)
    assert Scoresheet.objects.get().is_cancelled
    assert there(tournament_settlement(tournament)).state is Settlement.CANCELLED
    assert compare_books().faults == ()


def test_a_tournament_is_given_up_once_and_what_was_paid_for_it_is_given_back_once():
    desk = Desk()
    desk.pays()
    for _ in range(2):
        cancel_tournament(desk.tournament.id, reason="nobody came", context=context(key="up"))
    with pytest.raises(EventNotAllowed, match="is closed"):
        cancel_tournament(desk.tournament.id, reason="nobody came", context=context())
    settle_tournament(desk.tournament.id, now=NOW)
    act_at_desk(desk.tournament.id, GIVE_BACK, desk.asha, context=context())
    assert desk.held() == {}
    assert act_at_desk(desk.tournament.id, GIVE_BACK, desk.asha, context=context()).is_replay
    with pytest.raises(EventNotAllowed, match="closed"):
        desk.pays()


def test_only_a_planned_tournament_is_given_up_and_only_with_a_reason():
    tournament = new_tournament()
    with pytest.raises(EventNotAllowed) as refused:
        cancel_tournament(tournament.id, reason=" ", context=context())
    assert [problem.code for problem in refused.value.problems] == ["no_plan", "missing_field"]


def test_a_tournament_with_fees_paid_and_nobody_seated_is_abandoned_and_not_closed():
    """Planted fault: only the dashboard asks whether anything was played, so that a program closes it."""
    desk = Desk()
    desk.pays()
    with pytest.raises(EventNotAllowed) as refused:
        close_tournament(desk.tournament.id, context=context())
    assert [problem.code for problem in refused.value.problems] == ["nothing_played"]
    desk.tournament.refresh_from_db()
    assert desk.tournament.closed_at is None
    cancel_tournament(desk.tournament.id, reason="too few players", context=context())
    settle_tournament(desk.tournament.id, now=NOW)
    assert desk.held() == {"cash": -ENTRY, "Asha": ENTRY}


def test_a_tournament_in_which_nobody_paid_may_be_closed_unplayed():
    desk = Desk()
    close_tournament(desk.tournament.id, context=context())
    desk.tournament.refresh_from_db()
    assert desk.tournament.closed_at is not None
