"""The dashboard: one suggestion, the tables that wait, who is missing, and as many queries for any number of tables."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import Evening
from tests.builders.admin_tournaments import HEATS, TIMED, Night, a_night, at, play_out, record, start_clock
from tests.builders.flat import flat
from tests.builders.page_text import text_of
from tests.builders.there import there
from tournaments import release
from tournaments.books.commands import settle_table
from tournaments.entries.commands.bulk import BULK_ACTIONS
from tournaments.entries.queries import entries
from tournaments.models import Club, Role, Scoresheet, WorkerHeartbeat
from tournaments.running.commands.bulk import run_bulk
from tournaments.tables.commands.record import record_wire_event
from tournaments.tasks import store_heartbeat

CAST = ("Asha", "Bo", "Cy", "Dev")


def board(client: Client, night, **headers) -> str:
    answer = client.get(night.url(), **headers)
    assert answer.status_code == 200
    return answer.content.decode()


def suggestion(client: Client, night) -> str:
    return str(client.get(night.url()).context["suggested"].step.button)


def test_a_fresh_tournament_suggests_its_plan_and_links_there(dita: Client, club: Club):
    night = a_night(club)
    page = board(dita, night)
    assert suggestion(dita, night) == "Make plan"
    assert f'href="{night.url("plan")}"' in page
    assert "Open tables one by one" in page


def test_tables_keep_their_order_however_long_they_wait(dita: Client, club: Club):
    """Planted fault: a table that moved away under the finger when another one sent its deal."""
    night = a_night(club, HEATS)
    night.enter(*CAST)
    first, second = night.seat()
    moment = now()
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 30}}
    for table, minutes in ((first, 5), (second, 25)):
        deal = {"kind": "deal_recorded", "deal": 1, "outcomes": outcomes}
        context = at(now=moment - timedelta(minutes=minutes), actor="user:0")
        record_wire_event(table.pk, deal, expected=1, context=context)
    waiting = dita.get(night.url()).context["waiting"]
    assert [(table.sheet.table, table.summary.deals) for table, _ in waiting] == [(first, 1), (second, 1)]
    assert [table.scorer for table, _ in waiting] == ["deleted login", "deleted login"]


@pytest.mark.slow
def test_tables_that_have_become_short_lead_to_the_moves(dita: Client, club: Club):
    night = a_night(club, {"stages": [{"smallest_table": 2, "preferred_table": 4}]})
    night.enter(*CAST, "Eli", "Fay", "Gus", "Hal")
    first, _ = night.seat(size=4)
    assert dita.get(night.url()).context["dashboard"].short == []
    for deal, losses in ((1, {"2": 80, "3": 80, "4": 10}), (2, {"2": 30, "3": 30, "4": 10})):
        outcomes = {"1": {"how": "show"}} | {seat: {"how": "loss", "count": count} for seat, count in losses.items()}
        record_wire_event(
            first.pk, {"kind": "deal_recorded", "deal": deal, "outcomes": outcomes}, expected=deal, context=at()
        )
    shown = dita.get(night.url())
    assert [(table.sheet.table, table.still_in) for table in shown.context["dashboard"].short] == [(first, 2)]
    assert f'href="{night.url("moves")}">balance tables' in flat(shown.content.decode())


def names(named: list[tuple[str, str]]) -> list[str]:
    return [name for _, name in named]


def test_players_who_are_missing_or_owe_or_wait_are_named(dita: Client, club: Club):
    night = a_night(club, {**HEATS, "late_until_round": 3}, entry_minor=10_000)
    asha, _bo, cy, _dev = night.enter(*CAST)
    (eve,) = night.enter("Eve", is_here=False)
    night.record(wire.EntryPaid(player=asha, amount_minor=10_000), wire.MarkedAbsent(player=cy))
    (flo,) = night.enter("Flo", is_here=False)
    night.record(wire.EntryWithdrawn(player=flo), wire.PlayerEntered(player=flo, is_standby=True))
    shown = dita.get(night.url()).context["dashboard"]
    assert [names(who) for who in (shown.not_here, shown.absent, shown.unpaid, shown.standby)] == [
        ["Eve"],
        ["Cy"],
        ["Bo", "Dev", "Eve"],
        ["Flo"],
    ]
    night.record(wire.EntryWithdrawn(player=eve))
    night.seat(size=3)
    night.enter("Gus")
    assert names(dita.get(night.url()).context["dashboard"].late) == ["Gus"]


def marked(page: str) -> list[str]:
    return [there(tab.parent).text(deep=False).strip() for tab in LexborHTMLParser(page).css(".tabs .next-mark")]


@pytest.mark.slow
def test_the_tab_of_the_next_step_is_marked_and_moves_on_with_it(dita: Client, club: Club):
    """Planted fault: the mark on the page only, where it stays when the polled part shows something else."""
    night = a_night(club, HEATS)
    assert marked(board(dita, night)) == ["Players"]
    players = night.enter(*CAST, is_here=False)
    assert marked(board(dita, night)) == ["Players"]
    night.record(*(wire.CheckedIn(player=player) for player in players))
    part = dita.get(f"{night.url()}part/").content.decode()
    assert marked(part) == ["Rounds"]
    assert 'id="tabs-of-pages"' in part
    assert "hx-swap-oob" in part


@pytest.mark.slow
def test_an_entry_that_a_substitute_plays_on_stays_unpaid_until_it_is_paid(dita: Client, club: Club):
    """Planted fault: players who were replaced, or left, are not asked for their fee any more."""
    night = a_night(club, HEATS, entry_minor=10_000)
    asha, bo, cy, dev = night.enter(*CAST)
    (zoe,) = night.enter("Zoe", is_here=False)
    paid = [wire.EntryPaid(player=player, amount_minor=10_000) for player in (cy, dev)]
    night.record(wire.EntryWithdrawn(player=zoe), *paid)
    night.seat()
    night.record(wire.PlayerSubstituted(player=bo, by=zoe, reason="is ill"), wire.PlayerLeft(player=asha))
    assert names(dita.get(night.url()).context["dashboard"].unpaid) == ["Asha", "Bo (now Zoe)"]
    counts = entries(night.tournament).counts
    assert (counts.paid, counts.unpaid) == (2, 2)
    for page in ("desk", "entries/print", f"desk/{bo}", f"desk/{zoe}"):
        shown = dita.get(f"/admin/tournaments/tournament/{night.tournament.pk}/{page}/", follow=True).content.decode()
        assert "₹100.00" in shown, page
    assert "entry fee of <bdi>Bo</bdi>: ₹100.00 to pay" in flat(shown)
    night.record(wire.EntryPaid(player=bo, amount_minor=10_000))
    assert names(dita.get(night.url()).context["dashboard"].unpaid) == ["Asha"]
    assert entries(night.tournament).counts.paid == 3


def test_unpaid_entries_are_counted_once_for_lists_and_buttons(dita: Client, signed_in, club: Club):
    """Planted faults: *Not paid 2* beside a button for 1 after a player who was refunded left; fees of players who were
    replaced, which the button counts and its list does not have.
    """
    night = a_night(club, HEATS, entry_minor=10_000, starts_at=now())
    asha, bo, cy, dev = night.enter(*CAST)
    (zoe,) = night.enter("Zoe", is_here=False)
    paid = [wire.EntryPaid(player=player, amount_minor=10_000) for player in (asha, dev)]
    night.record(wire.EntryWithdrawn(player=zoe), *paid)
    night.seat()
    refunded = wire.EntryRefunded(player=asha, amount_minor=10_000, reason="goes home")
    night.record(refunded, wire.PlayerLeft(player=asha))
    night.record(wire.PlayerSubstituted(player=bo, by=zoe, reason="is ill"))
    board = dita.get(night.url())
    assert "Not paid 3" in text_of(board)
    assert "Take 3 entry fees" in text_of(board)
    assert "1 of 4 paid" in text_of(board)
    desk = signed_in(Role.CHECKIN, login="chandra")
    assert "Paid 1 of 4" in text_of(desk.get(night.url("desk")))
    assert "Entry fees: 1 of 4 paid." in text_of(desk.get(night.url("entries/print")))
    assert "Not paid (3): Asha" in text_of(desk.get("/admin/"))
    assert "3 entry fees are not paid" in text_of(dita.get(night.url("close")))
    rows = dita.get(night.url("all/take_entries")).context["ready"]
    ticked = {row.name: (row.is_ticked, row.asked) for row in rows}
    assert ticked == {"Asha": (False, ("Left.",)), "Bo": (False, ("Substituted.",)), "Cy": (True, ())}
    tournament, take = night.tournament.pk, BULK_ACTIONS["take_entries"]
    # Who takes them without choosing takes none from a player who may be gone.
    assert [one.key for one in run_bulk(tournament, take, context=at(key="all")).done] == [cy]
    assert "Take 2 entry fees" in text_of(dita.get(night.url()))
    assert {one.key for one in run_bulk(tournament, take, context=at(key="chosen"), only=[asha, bo]).done} == {asha, bo}
    assert "4 of 4 paid" in text_of(dita.get(night.url()))


def test_a_settlement_that_failed_is_reported_with_its_reason(dita: Client, pool: Evening):
    Scoresheet.objects.filter(table=pool.table).update(settle_problem="the books are locked", settle_attempts=3)
    night = Night(pool.tournament)
    assert "the books are locked" in board(dita, night)
    assert "Settlement failed the books are locked" in flat(dita.get("/admin/").content.decode())
    assert "the books are locked (3 attempts)" in flat(dita.get(night.url("money")).content.decode())


@pytest.mark.slow
def test_a_board_says_since_when_nothing_is_settled_and_what_to_do(dita: Client, club: Club):
    """Planted faults it catches: a worker that fell silent not checked; an open dashboard answered with 304 when
    it does.
    """
    night = a_night(club, HEATS)
    page = board(dita, night)
    assert "No worker has run yet." in page
    assert "Deals are saved; balances follow later. Start the service" in page
    store_heartbeat("worker", at=now())
    assert "Nothing is being settled" not in board(dita, night)
    tag = dita.get(night.url("night/part"))["ETag"]
    WorkerHeartbeat.objects.update(beat_at=now() - timedelta(minutes=12))
    again = dita.get(night.url("night/part"), headers={"if-none-match": tag})
    assert again.status_code == 200
    assert "No worker for 12 minutes." in again.content.decode()
    assert "No worker for 12 minutes." in dita.get("/admin/").content.decode()


@pytest.mark.slow
def test_a_board_says_when_settling_is_slow_because_the_broker_is_away(dita: Client, club: Club):
    """Another worker that reaches it is enough. Planted fault it catches: one worker shown as all of them."""
    night = a_night(club, HEATS)
    store_heartbeat("worker@one", at=now(), broker_down_since=now() - timedelta(minutes=3))
    assert "Message queue out of reach for 3 minutes." in board(dita, night)
    store_heartbeat("worker@gone", at=now() - timedelta(hours=1))
    assert "Message queue out of reach for 3 minutes." in board(dita, night)
    store_heartbeat("worker@two", at=now())
    assert "Message queue" not in board(dita, night)


def test_tables_opened_one_by_one_have_a_board_too(dita: Client, pool: Evening):
    night = Night(pool.tournament)
    assert suggestion(dita, night) == "Record the next deal at Table 1"
    assert "Players were seated table by table" in board(dita, night)


@pytest.mark.parametrize("part", ["night/part", "clock/part", "desk/list"])
def test_no_part_of_the_desk_from_before_an_update_holds_after_it(
    dita: Client, club: Club, monkeypatch: pytest.MonkeyPatch, part: str
):
    """Planted fault: ETags of parts of the admin that depended on their events alone."""
    night = a_night(club, HEATS)
    night.enter(*CAST)
    tag = dita.get(night.url(part))["ETag"]
    assert dita.get(night.url(part), headers={"if-none-match": tag}).status_code == 304
    monkeypatch.setattr(release, "release_stamp", lambda: "another")
    assert dita.get(night.url(part), headers={"if-none-match": tag}).status_code == 200


@pytest.mark.slow
def test_a_table_that_was_settled_changes_the_board_though_no_event_did(dita: Client, club: Club):
    night = a_night(club, HEATS)
    night.enter(*CAST)
    first, _ = night.seat()
    play_out(first)
    record(first, {"kind": "table_closed"})
    tag = dita.get(night.url("night/part"))["ETag"]
    Scoresheet.objects.filter(table=first).update(due_version=9)
    settle_table(first.pk, now=now())
    assert dita.get(night.url("night/part"), headers={"if-none-match": tag}).status_code == 200


@pytest.mark.slow
def test_when_time_is_up_the_board_asks_for_the_last_call_in_one_press(dita: Client, club: Club):
    night = a_night(club, TIMED)
    night.enter("Asha", "Bo")
    night.seat()
    assert suggestion(dita, night) == "Start the clock of round 1"
    dita.post(night.url("clock"), {"do": "start", "minutes": "45", "back": "night"})
    assert suggestion(dita, night) == "Record the next deal at Table 1"
    late = a_night(club, TIMED, name="Late")
    late.enter("Cy", "Dev")
    late.seat()
    start_clock(late, at_second=1_000, seconds=60)
    assert suggestion(dita, late) == "Call the last deal"
    assert dita.post(late.url("clock"), {"do": "last_deal", "back": "night"})["Location"] == late.url()
    assert late.state.clocks["1"].last_deal_at is not None
