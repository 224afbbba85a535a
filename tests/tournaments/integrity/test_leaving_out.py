"""A log with an unreadable event: everything else is proven, the event is named, and there is a repair.

Each event is stored as an earlier version stored it, with right hashes, boards and books.
Planted faults: a proof that stops at the first unreadable event; a repair that leaves money where the event had put it;
a repair that works on an earlier version's read models instead of the log.
"""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from scoring import ledger
from scoring.events import cash, wire
from scoring.ledger import ledger_problems
from scoring.money import AccountKind, AccountRef
from scoring.problems import EventNotAllowed
from scoring.sheets.snapshots import load_table
from scoring.tournament import load_tournament_state
from tests.builders.cash_records import SAM, TILL
from tests.builders.cash_records import Desk as CashDesk
from tests.builders.entry_desk import ENTRY, Desk
from tests.builders.playing import NOW, Playing, context, finished_pool, new_table
from tests.builders.tampering import undone
from tests.builders.unreadable_events import an_earlier_version, proof, proved_but_for_what_cannot_be_read, told
from tests.builders.unreadable_tables import a_club_with_an_unreadable_table
from tournaments import log
from tournaments.books.commands import settle_table
from tournaments.integrity.leaving_out import NoSuchPosition, leave_out
from tournaments.log.following import unreadable_events
from tournaments.models import EveningSheet, Scoresheet, Standing, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.settle import settle_tournament
from tournaments.seasons.commands.update import bring_up

pytestmark = pytest.mark.django_db


def a_good_club() -> Playing:
    """A neighbour, whose table is closed and settled."""
    table = finished_pool()
    table.close()
    assert not settle_table(table.row.id, now=NOW).problem
    return table


def balance(playing: Playing) -> list[int]:
    """The balances of a table's players."""
    club = playing.row.tournament.club_id
    players = Standing.objects.filter(table=playing.row).order_by("seat_number").values_list("player_id", flat=True)
    refs = [AccountRef(kind=AccountKind.PLAYER, owner=str(player)) for player in players]
    held = ledger.balances(club, "INR", refs)
    return [held[ref] for ref in refs]


def cure(club: Any, position: int, reason: str = "nobody can read it") -> None:
    leave_out(club, position, reason=reason, context=context())


def all_proved() -> str:
    """What the proofs say, each of which holds."""
    holds, said = proof()
    assert holds, said
    return said


@pytest.mark.slow
def test_every_proof_names_what_cannot_be_read_and_proves_the_rest():
    good, (bad, stored) = a_good_club(), a_club_with_an_unreadable_table()
    slug = bad.row.tournament.club.slug
    said = proved_but_for_what_cannot_be_read()
    assert f"{slug}: position {stored.position} cannot be read: event 3 (penalty_given) of table {bad.row.id}" in said
    assert "first bad position" not in said, "what cannot be read was not changed"
    assert f"table {bad.row.id} of club" in said
    assert f"table:{bad.row.id} of club" in said
    assert str(good.row.id) not in said
    for name in ("verify_log: The log is as it was written, but 1 ", "rebuild: 1 events", "check_ledger: 1 events"):
        assert name in said


def test_a_change_beside_what_cannot_be_read_is_a_change():
    """Planted fault: a proof that takes every line for an unreadable event once there is one."""
    good, _ = a_good_club(), a_club_with_an_unreadable_table()
    assert proved_but_for_what_cannot_be_read()
    for change, name in (
        (lambda: Standing.objects.filter(table=good.row).delete(), "rebuild"),
        (lambda: Scoresheet.objects.filter(table=good.row).update(settled_version=1), "check_ledger"),
    ):
        with undone():
            change()
            holds, said = proof()
            assert not holds
            assert said.endswith(f"not proved: {name}"), said
    with pytest.raises(CommandError) as caught:
        call_command("prove", noted=["2-0000-0000-0000-0000"], stdout=StringIO())
    assert (caught.value.returncode, str(caught.value)) == (1, "not proved: verify_log")


def test_a_table_with_an_unreadable_event_is_shown_without_it_pays_nothing_and_takes_nothing_more():
    bad, _ = a_club_with_an_unreadable_table()
    told("rebuild")
    sheet = Scoresheet.objects.get(table=bad.row)
    assert sheet.has_conflict
    assert bad.totals() == [0, 10, 20, 30]
    with pytest.raises(EventNotAllowed, match="record 3 cannot be read"):
        bad.record({"kind": "deal_voided", "deal": 1, "reason": "misdeal"}, expected=sheet.version)


@pytest.mark.slow
def test_a_table_is_given_up_although_one_of_its_events_cannot_be_read():
    bad, stored = a_club_with_an_unreadable_table()
    assert balance(bad) != [0, 0, 0, 0]
    club = bad.row.tournament.club_id
    cure(club, stored.position)
    assert not settle_table(bad.row.id, now=NOW).problem
    assert balance(bad) == [0, 0, 0, 0]
    said = all_proved()
    left = f"event 3 (penalty_given) at position {stored.position} cannot be read and is left out by position"
    assert left in said
    assert not unreadable_events(club)
    assert Scoresheet.objects.get(table=bad.row).is_cancelled


def test_a_rebuild_goes_on_to_the_end_and_fails_with_everything_found():
    good, (bad, stored) = a_good_club(), a_club_with_an_unreadable_table()
    Standing.objects.filter(table=good.row).delete()
    holds, said = told("rebuild")
    assert not holds
    assert f"position {stored.position} cannot be read" in said
    assert Standing.objects.filter(table=good.row).count() == 4, "the neighbour's boards are written again"
    cure(bad.row.tournament.club_id, stored.position)
    assert told("rebuild")[0]


def test_only_what_cannot_be_read_is_left_out_with_a_reason_and_once():
    bad, stored = a_club_with_an_unreadable_table()
    club, asked = bad.row.tournament.club_id, context(key="k")
    with pytest.raises(EventNotAllowed) as caught:
        cure(club, stored.position - 1, reason=" ")
    assert [problem.code for problem in caught.value.problems] == ["missing_field", "nothing_to_leave_out"]
    with pytest.raises(NoSuchPosition):
        cure(a_good_club().row.tournament.club_id, 10_000)
    first = leave_out(club, stored.position, reason="why", context=asked)
    again = leave_out(club, stored.position, reason="why", context=asked)
    assert (again.position, again.is_replay) == (first.position, True)
    with pytest.raises(EventNotAllowed):
        cure(club, stored.position)


def test_an_entry_that_cannot_be_read_is_left_out_of_its_tournament_with_its_money():
    """Asha's payment went to a till whose name no present version reads."""
    desk = Desk()
    desk.pays(player=1)
    with an_earlier_version():
        desk.pays(place="till:user 7")
    [unread] = unreadable_events(desk.club.id)
    said = proved_but_for_what_cannot_be_read()
    assert f"position {unread.position} cannot be read" in said
    assert "does not stand" not in said
    with pytest.raises(EventNotAllowed, match="cannot be read"):
        close_tournament(desk.tournament.id, context=context())
    cure(desk.club.id, unread.position)
    assert not settle_tournament(desk.tournament.id, now=NOW).problem
    said = all_proved()
    assert f"position {unread.position} cannot be read and is left out" in said
    assert {name: held for name, held in desk.held().items() if name in ("Asha", "cash user 7")} == {}
    assert desk.held()["the pool"] == ENTRY, "what Bo has paid is in the pool"


def test_a_player_whom_nobody_can_read_takes_what_follows_along():
    """Their payment can be read, but refers to no entry: it is named as well, and left out as well."""
    desk = Desk()
    [dev] = add_players(desk.club, ("Dev",))
    with an_earlier_version(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(wire.PlayerEntered, "schema", 99)
        desk.tell(wire.PlayerEntered(player=str(dev.id)), wire.EntryPaid(player=str(dev.id), amount_minor=ENTRY))
    found = unreadable_events(desk.club.id)
    assert [event.kind for event in found] == ["player_entered", "entry_paid"]
    for event in found:
        cure(desk.club.id, event.position)
    assert not settle_tournament(desk.tournament.id, now=NOW).problem
    all_proved()
    assert desk.held() == {}


@pytest.fixture
def night() -> CashDesk:
    """A closed night whose till was counted in more kinds of notes and coins than any present version reads."""
    desk = CashDesk().opens()
    desk.takes(114_793_00)
    with an_earlier_version(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(cash, "MOST_PIECES", 10**9)
        desk.counts(p100=114_793)
    desk.writes(cash.TillClosed(till=SAM))
    desk.writes(cash.CashBookClosed())
    return desk


@pytest.mark.slow
def test_a_count_that_cannot_be_read_is_left_out_and_the_till_holds_what_it_held(night: CashDesk):
    [unread] = unreadable_events(night.club.id)
    assert unread.kind == "till_counted"
    said = proved_but_for_what_cannot_be_read()
    assert f"cash book {night.book_id} of club {night.club.id}: position {unread.position} cannot be read" in said
    assert night.holds(TILL) == 0
    cure(night.club.id, unread.position)
    assert night.holds(TILL) == 114_793_00, "the till was closed on a count that nobody can read"
    assert night.has(night.asha) == 114_793_00, "what was brought is still theirs"
    said = all_proved()
    assert f"at position {unread.position} cannot be read and is left out" in said


def test_a_payment_that_cannot_be_read_is_left_out_with_its_entry():
    desk = CashDesk().opens()
    with an_earlier_version():
        desk.writes(cash.MoneyReceived(player=str(desk.asha.id), amount_minor=10**12 + 1, place=TILL))
    desk.takes(500, desk.bo)
    [unread] = unreadable_events(desk.club.id)
    assert proved_but_for_what_cannot_be_read()
    cure(desk.club.id, unread.position)
    assert (desk.has(desk.asha), desk.has(desk.bo)) == (0, 500)
    all_proved()
    assert not ledger_problems()


def test_a_credit_that_cannot_be_read_is_as_it_was_granted_before():
    desk = CashDesk()
    granted = cash.CreditGranted(player=str(desk.asha.id), limit_minor=700, reason="a friend")
    desk.writes(granted)
    with an_earlier_version(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(cash.CreditGranted, "schema", 99)
        desk.writes(cash.CreditGranted(player=str(desk.asha.id), limit_minor=900, reason="a friend"))
    assert [credit.limit_minor for credit in desk.asha.credits.all()] == [900]
    [unread] = unreadable_events(desk.club.id)
    assert proved_but_for_what_cannot_be_read()
    cure(desk.club.id, unread.position)
    assert [credit.limit_minor for credit in desk.asha.credits.all()] == [700]
    all_proved()


def test_a_table_whose_opening_cannot_be_read_is_given_up_and_its_seats_stay():
    playing = new_table()
    row = playing.row
    with an_earlier_version(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("tournaments.tables.commands.record.new_limit_problems", lambda before, after: [])
        patch.setattr(wire.TableOpened, "schema", 99)
        bad = new_table(row.tournament, ("Gus", "Hal"), number=3)
    [unread] = unreadable_events(row.tournament.club_id)
    assert (unread.stream, unread.kind) == (bad.row.id, "table_opened")
    said = proved_but_for_what_cannot_be_read()
    assert str(playing.row.id) not in said
    cure(row.tournament.club_id, unread.position)
    all_proved()
    assert Scoresheet.objects.get(table=bad.row).is_cancelled


def a_plan_that_nobody_reads(desk: Desk) -> log.StoredEvent:
    """A plan without stages, as an earlier version might have stored it, in the log and in the evening's row."""
    sheet = EveningSheet.objects.get(tournament=desk.tournament)
    body = '{"plan":{"stages":[]}}'
    stored = log.append(
        log.StreamVersion(club_id=desk.club.id, stream_id=desk.tournament.id, expected=sheet.version),
        log.NewEvent(kind="plan_made", schema=1, body=body, occurred_at=NOW),
        request=context().request("ab" * 32),
        on_append=lambda stored: None,
    ).stored
    state = json.loads(sheet.state) | {"version": stored.version, "plan": {"stages": []}}
    EveningSheet.objects.filter(pk=sheet.pk).update(version=stored.version, state=json.dumps(state))
    Tournament.objects.filter(id=desk.tournament.id).update(board_position=stored.position)
    return stored


def test_a_plan_that_cannot_be_read_stops_neither_the_other_night_of_the_club_nor_its_seasons():
    """Planted fault: states read all at once, of which an unreadable one makes the others fail."""
    desk = Desk()
    other = finished_pool(club=desk.club)
    other.close()
    for tournament in (desk.tournament.id, other.row.tournament_id):
        close_tournament(tournament, context=context())
    stored = a_plan_that_nobody_reads(desk)
    said = proved_but_for_what_cannot_be_read()
    assert f"position {stored.position} cannot be read" in said
    assert str(other.row.id) not in said
    assert bring_up(desk.club.id, now=NOW).tournaments
    assert load_tournament_state(EveningSheet.objects.get(tournament=desk.tournament).state).unreadable
    cure(desk.club.id, stored.position)
    assert not settle_tournament(desk.tournament.id, now=NOW).problem
    assert not settle_table(other.row.id, now=NOW).problem
    assert bring_up(desk.club.id, now=NOW)
    all_proved()


def test_a_state_that_is_no_json_at_all_is_an_evening_that_waits_for_a_director():
    assert load_tournament_state("{").unreadable == (0,)


def test_a_score_sheet_that_an_earlier_version_kept_shows_the_rest_before_anybody_rebuilds():
    """Planted fault: a stored event that is read as text alone, so that the whole table is lost with it."""
    bad, _ = a_club_with_an_unreadable_table()
    table = load_table(Scoresheet.objects.get(table=bad.row).state)
    assert (table.unreadable, len(table.setup.seats), table.deals) == ((3,), 4, 1)
    assert table.payouts() == ()
