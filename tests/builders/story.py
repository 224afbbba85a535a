"""A club in which everything has happened once: each kind of event, and a row in each of our tables.

`tell()` writes it into the database of the current settings. The result is stored with each release
(`tests/builders/stored_databases.py`) and must migrate and prove for ever.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.core.management import call_command

from scoring.events import cash, wire
from scoring.events.table import Event
from tests.builders.playing import Playing, deal, finished_pool, loses, new_table, new_tournament, out, show
from tests.builders.seasons import played
from tests.builders.spreadsheets import imported
from tournaments.cash.commands import open_book, write_in_book
from tournaments.entries.commands.substitutes import undo_substitution
from tournaments.importing.run import undo_import
from tournaments.log.context import CommandContext
from tournaments.merging import merge_players, undo_merge
from tournaments.models import Club, ImportKind, Invitation, Membership, Player, Role, Table, Tournament
from tournaments.people.access import issue_token
from tournaments.people.invitations import invite
from tournaments.people.players import add_players
from tournaments.privacy import erase_player
from tournaments.running.commands.close import cancel_tournament, close_tournament, reopen_tournament
from tournaments.running.commands.create import TournamentDraft, change_tournament, make_plan
from tournaments.running.commands.cut import make_cut, settle_by_lots, withdraw_cut
from tournaments.running.commands.record import record_all_in_tournament, tournament_state
from tournaments.running.commands.screens import steer
from tournaments.running.screens import Steering
from tournaments.seasons.commands import SeasonDraft, close_season, create_season
from tournaments.seasons.commands.update import bring_up
from tournaments.seating.commands.draft import Wanted, make_draft
from tournaments.seating.commands.seat import change_seats, move_players, seat_round, undo_move, withdraw_seating
from tournaments.seating.drafts import KeptConstraints
from tournaments.tables.commands.table_tokens import issue_cards

START = datetime(2026, 1, 17, 14, 0, tzinfo=UTC)
LATER = datetime(2026, 6, 20, 9, 0, tzinfo=UTC)
SAM, DITA = "user:sam", "user:dita"
NAMES = ("Asha", "Bo", "Cy", "Dev", "Eli", "Fay", "Gus", "Hal", "Ivy Rao: {x}", "जया")
POT = {"name": "Jackpot", "contribution_minor": 1_000, "joins": "opt_in"}
PLAN = {
    "stages": [
        {"name": "Heats", "smallest_table": 2, "per_table": 1, "reentry_minor": 5_000, "reentry_until_round": 2},
        {"name": "Final", "smallest_table": 2},
    ],
    "member_minor": 8_000,
    "prizes_bp": [7_000, 3_000],
    "guaranteed_minor": 40_000,
    "levy_bp": 1_800,
    "levy_name": "GST",
    "levy_on": "fee",
    "side_pots": [POT],
}


def by(actor: str = DITA, now: datetime = START) -> CommandContext:
    return CommandContext(actor=actor, now=now)


def tell() -> None:
    """Write the whole story."""
    call_command("demo_data", verbosity=0)
    for players, preset in ((9, "pool_101"), (8, "points")):
        call_command("simulate_night", players=players, preset=preset, seed="a", real=True, club="simulated")
    tell_of_two_clubs()
    _tell_of_a_club_that_came(Club.objects.create(name="Mole club", slug="mole", keeps_limits=False))
    _settle_all()


def _tell_of_a_club_that_came(club: Club) -> None:
    """Balances and standings from another program, brought in, taken back, and brought in again; a table of totals."""
    add_players(club, ("Kim", "Lou"))
    dates: dict[str, Any] = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 5, 31)}
    season = create_season(club, SeasonDraft(name="Spring", formula={"place_points": [10, 6, 3]}, **dates))
    lists: list[tuple[str, ImportKind, dict[str, Any]]] = [
        ("Name;Amount\nKim;12.00\nLou;-3.50\n", ImportKind.BALANCES, {}),
        ("Name;Date;Place\nKim;2026-01-04;1\nLou;2026-01-04;2\n", ImportKind.STANDINGS, {"season": season}),
    ]
    for cells, kind, how in lists:
        undo_import(imported(club, cells, kind, **how).made, context=by())
        imported(club, cells, kind, **how)
    evening = _Evening(club, name="Totals")
    make_plan(evening.tournament.id, {"stages": [{"smallest_table": 2}]}, context=by())
    evening.say(*(wire.PlayerEntered(player=evening.ids[name]) for name in NAMES[:2]))
    (table,) = evening.seated(1, NAMES[:2])
    table.record({"kind": "totals_recorded", "totals": {"1": 7, "2": 101}, "out": {"2": 1}})
    swapped = {"totals": {"1": 101, "2": 7}, "out": {"1": 1}, "reason": "Asha and Bo were swapped"}
    table.record({"kind": "totals_corrected", **swapped})
    table.close()
    asha = evening.ids["Asha"]
    evening.say(
        wire.PlayerLeft(player=asha),
        wire.PlayerHidden(player=asha, reason="asked for it"),
        wire.PlayerShown(player=asha),
    )


def tell_of_two_clubs() -> None:
    """Two clubs with few players: a row in every table of ours."""
    club = Club.objects.create(name="Quay club", slug="quay", keeps_limits=False)
    people = _staff(club)
    _evening(club)
    _tables(club)
    _devices(club, people)
    _settle_all()
    _desk(club, closes=False)
    harbour = Club.objects.create(name="Harbour club", slug="harbour", keeps_limits=True)
    _desk(harbour, closes=True)
    _given_up(club)
    _seasons(club, harbour)
    _merged(harbour)
    erase_player(Player.objects.filter(club=club, name="Hal").earliest("created_at"), now=LATER, with_balance=True)
    _settle_all()


def _staff(club: Club) -> dict[str, Any]:
    people = {}
    for role in Role:
        user = get_user_model().objects.create_user(f"quay-{role.value}", password=uuid4().hex, is_staff=True)
        Membership.objects.create(user=user, club=club, role=role)
        people[role.value] = user
    return people


class _Evening:
    """A planned tournament and its entrants by name."""

    def __init__(self, club: Club, **extra: Any) -> None:
        self.tournament = new_tournament(club, entry_minor=10_000, fee_bp=1_000, **extra)
        self.ids = {player.name: str(player.id) for player in add_players(club, NAMES)}

    def say(self, *events: Event) -> None:
        for event in events:
            record_all_in_tournament(self.tournament.id, [event], context=by())

    def seated(self, round_number: int, *tables: tuple[str, ...], out_of_it: tuple[str, ...] = ()) -> list[Playing]:
        seats = tuple((n, tuple(self.ids[name] for name in names)) for n, names in enumerate(tables, 1))
        event = wire.RoundSeated(
            stage=tournament_state(self.tournament).stage,
            round=round_number,
            tables=seats,
            method="draw",
            seed="s",
            sitting_out=tuple(self.ids[name] for name in out_of_it),
        )
        return [
            Playing(row=row) for row in seat_round(self.tournament.id, event, context=by(), seats_absent=True).tables
        ]


def _evening(club: Club) -> None:
    """Heats of three tables, a cut, a final: with everything that can happen beside the tables."""
    evening = _Evening(club, name="Everything")
    tournament, ids = evening.tournament, evening.ids
    make_plan(tournament.id, PLAN, context=by())
    for name in NAMES[:9]:
        evening.say(wire.PlayerEntered(player=ids[name]))
    evening.say(
        wire.PlayerEntered(player=ids["जया"], is_standby=True),
        wire.EntryTermsSet(player=ids["Asha"], rate="member", pots=("Jackpot",), reason="joined on Monday"),
        wire.EntryPaid(player=ids["Asha"], amount_minor=9_000, place="bank"),
        wire.EntryPaid(player=ids["Bo"], amount_minor=4_000, place="bank"),
        wire.EntryRefunded(player=ids["Bo"], amount_minor=1_000, place="bank", reason="paid too much: {really}"),
        wire.EntryTermsSet(player=ids["Gus"], rate="free", reason="helps at the door"),
        wire.CheckedIn(player=ids["Asha"]),
        wire.CheckedIn(player=ids["Bo"]),
        wire.CheckInUndone(player=ids["Bo"]),
        *(wire.CheckedIn(player=ids[name]) for name in NAMES[1:9] if name != "Hal"),
        wire.MarkedAbsent(player=ids["Hal"]),
        wire.EntryWithdrawn(player=ids["Hal"], reason="called in sick"),
        wire.PlayerSubstituted(player=ids["Cy"], by=ids["जया"], reason="called away"),
    )
    undo_substitution(tournament.id, ids["Cy"], reason="is here after all", context=by())
    make_draft(
        tournament, Wanted(method="draw", constraints=KeptConstraints(), seed="K7QF-2M9X"), context=by(), expected=0
    )
    evening.seated(1, ("Asha", "Bo", "Cy"), ("Dev", "Eli", "Fay"), out_of_it=("Gus", "Ivy Rao: {x}"))
    swapped = tuple(
        (n, tuple(ids[name] for name in seats)) for n, seats in ((1, ("Asha", "Bo", "Dev")), (2, ("Cy", "Eli", "Fay")))
    )
    change_seats(
        tournament.id, wire.SeatsChanged(round=1, tables=swapped, reason="sat in each other's seats"), context=by()
    )
    withdraw_seating(tournament.id, 1, reason="two tables were too few", context=by())
    tables = evening.seated(1, ("Asha", "Bo", "Cy"), ("Dev", "Eli", "Fay"), ("Gus", "Ivy Rao: {x}"))
    _clock(evening)
    _heats(evening, tables)
    make_cut(tournament.id, context=by())
    withdraw_cut(tournament.id, 1, reason="one deal was wrong", context=by())
    make_cut(tournament.id, context=by())
    _final(evening)


def _clock(evening: _Evening) -> None:
    at = int(START.timestamp())
    evening.say(
        wire.ClockStarted(round=1, at=at, seconds=2_700),
        wire.ClockPaused(round=1, at=at + 600),
        wire.ClockStarted(round=1, at=at + 900),
        wire.TimeAdded(round=1, seconds=300, reason="cards were missing"),
        wire.LastDealCalled(round=1, at=at + 3_600),
        wire.LastCallUndone(round=1, reason="a minute too early"),
    )


def _heats(evening: _Evening, tables: list[Playing]) -> None:
    """Two tables are balanced, and that is undone; then all three are played to their end."""
    one, two, three = tables
    for table in (one, two):
        table.deal(1, show, loses(30), loses(80))
        table.deal(2, show, loses(10), loses(30))
    ids = evening.ids
    left = tuple(ids[name] for name in ("Asha", "Bo", "Dev", "Eli"))
    move = wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((4, left),), reason="short tables")
    moved = move_players(evening.tournament.id, move, context=by())
    undo_move(evening.tournament.id, moved.state.version, reason="they stay", context=by())
    evening.say(
        wire.PlayerReentered(player=ids["Cy"], stage=1),
        wire.ReentryUndone(player=ids["Cy"], stage=1),
        wire.PlayerLeft(player=ids["Fay"], reason="the last train"),
        wire.PlayerReturned(player=ids["Fay"]),
    )
    for table in (one, two):
        table.seen = table.sheet.version
        table.deal(3, show, loses(70), out)
        table.close()
    three.deal(1, show, loses(80))
    three.deal(2, loses(2), show)
    three.record({"kind": "deal_voided", "deal": 2, "reason": "fourteen cards"})
    three.record(deal(2, show, loses(40)))
    three.close()


def _final(evening: _Evening) -> None:
    ids, tournament = evening.ids, evening.tournament
    finalists = tuple(name for name, player in ids.items() if player in tournament_state(tournament).cuts[0].advancing)
    (final,) = evening.seated(2, finalists)
    final.deal(1, show, loses(60), loses(70))
    final.deal(2, show, loses(60), loses(60))
    final.close()
    evening.say(
        wire.SidePotWon(pot="Jackpot", players=(ids["Asha"],), reason="a pure hand"),
        wire.SidePotWinUndone(pot="Jackpot", reason="it had a joker"),
        wire.SidePotWon(pot="Jackpot", players=(ids["Asha"],), reason="it had none"),
    )
    close_tournament(tournament.id, context=by())
    _settle_all()
    reopen_tournament(tournament.id, reason="closed too early", context=by())
    close_tournament(tournament.id, context=by())


def _tables(club: Club) -> None:
    """What happens at tables alone, in several games."""
    points = new_table(new_tournament(club, preset="points", name="Points", point_value_minor=100), NAMES[:3])
    points.record({"kind": "bought_in", "seat": "1", "amount_minor": 20_000})
    points.deal(1, show, loses(34), {"how": "first_drop"})
    points.record({"kind": "penalty_given", "seat": "2", "points": 5, "reason": "Bo was late"})
    points.record({"kind": "fact_withdrawn", "version": points.seen, "reason": "was on time"})
    points.record({"kind": "seat_left", "seat": "3"})
    points.record(deal(1, show, loses(40), {"how": "first_drop"}, kind="deal_corrected", reason="counted again"))
    points.close()
    pool = new_table(new_tournament(club, name="Pool", entry_minor=30_000, fee_bp=1_000), NAMES[:4])
    pool.deal(1, show, loses(80), loses(30), loses(20))
    pool.deal(2, show, loses(30), loses(40), loses(40))
    pool.record({"kind": "rejoined", "seat": "2"})
    pool.deal(3, show, loses(2), loses(2), loses(50))
    pool.record({"kind": "split_agreed"})
    pool.close()
    level = new_table(new_tournament(club, preset="deals_best_of_2", name="Level"), NAMES[:2])
    level.deal(1, show, loses(20))
    level.deal(2, loses(20), show)
    level.record(deal(3, show, loses(5), kind="tiebreak_recorded"))
    level.close()
    finished_pool(club=club, name="Open").record({"kind": "table_cancelled", "reason": "cards were marked"})
    _disputed(club)
    _tied(club)


def _tied(club: Club) -> None:
    """Two losers of the same score, of whom one qualifies: by lots."""
    evening = _Evening(club, preset="points", name="Tied", point_value_minor=10)
    stages = [{"smallest_table": 2, "advancing": 3}, {"smallest_table": 2}]
    make_plan(evening.tournament.id, {"stages": stages, "tie_breaks": ["lots"]}, context=by())
    evening.say(*(wire.PlayerEntered(player=evening.ids[name]) for name in NAMES[:4]))
    for table in evening.seated(1, NAMES[:2], NAMES[2:4]):
        table.deal(1, show, loses(30))
        table.close()
    settle_by_lots(evening.tournament.id, [evening.ids["Bo"], evening.ids["Dev"]], seed="K7QF-2M9X", context=by())
    make_cut(evening.tournament.id, context=by())


def _disputed(club: Club) -> None:
    evening = _Evening(club, name="Two words")
    make_plan(evening.tournament.id, {"stages": [{"smallest_table": 2}], "confirmation": "second_seat"}, context=by())
    evening.say(*(wire.PlayerEntered(player=evening.ids[name]) for name in NAMES[:4]))
    first, second = evening.seated(1, NAMES[:2], NAMES[2:4])
    first.deal(1, show, loses(30))
    first.record({"kind": "deal_confirmed", "deal": 1, "seat": "2"}, actor="user:bo")
    second.deal(1, show, loses(30))
    second.record({"kind": "deal_disputed", "deal": 1, "reason": "I held 24"})
    second.record({"kind": "dispute_settled", "deal": 1, "reason": "counted once more"}, actor=DITA)


def _devices(club: Club, people: dict[str, Any]) -> None:
    director = people[Role.DIRECTOR.value]
    open_tables = Table.objects.filter(
        tournament__club=club, scoresheet__is_closed=False, scoresheet__is_cancelled=False
    )
    issue_cards(open_tables, key=uuid4(), user_id=director.id, now=START)
    issue_token(uuid4(), club, user_id=director.id, role=Role.SCORER, name="Tablet at the door")
    invite(Invitation(id=uuid4(), club=club, role=Role.SCORER, made_by=director, name="Ira"), now=START)
    steer(Tournament.objects.get(club=club, name="Two words"), Steering(message="Tea is served"), context=by())


def _desk(club: Club, *, closes: bool) -> None:
    """A cash book with a line of each kind, and the next one where it closes."""
    asha, bo = (str(player.id) for player in add_players(club, ("Asha at the desk", "Bo at the desk")))
    till = f"till:{SAM}"
    book = open_book(club.id, "INR", context=by(SAM))

    def write(event: Event) -> int:
        return write_in_book(book, event, context=by(SAM)).line

    write(cash.TillOpened(till=SAM, float_minor=20_000))
    write(cash.MoneyReceived(player=asha, amount_minor=50_000, place=till, payer=bo))
    slip = write(cash.MoneyReceived(player=bo, amount_minor=700, place=till))
    write(cash.CashEntryUndone(version=slip, reason="a slip"))
    write(cash.MoneyPaidOut(player=asha, amount_minor=1_000, place=till))
    write(cash.MoneyTransferred(player=asha, to=bo, amount_minor=500, reason="a friend"))
    write(cash.MoneyMoved(source=till, target="bank", amount_minor=9_000, reason="too much in it"))
    write(cash.CreditGranted(player=bo, limit_minor=90_000, reason="pays on Friday"))
    write(cash.MoneyPaidOut(player=bo, amount_minor=1_500, place=till))
    write(cash.DebtWrittenOff(player=bo, amount_minor=100, reason="moved away"))
    held = 20_000 + 50_000 - 1_000 - 9_000 - 1_500
    write(cash.TillCounted(till=SAM, pieces={"100": (held - 500) // 100}))
    write(cash.TillDifferenceBooked(till=SAM, amount_minor=-500, reason="nobody knows"))
    write(cash.TillClosed(till=SAM))
    if closes:
        write(cash.CashBookClosed())
        open_book(club.id, "INR", context=by(SAM))


def _given_up(club: Club) -> None:
    kept = new_tournament(club, name="Changed", entry_minor=100)
    draft = TournamentDraft(
        name="Changed", preset="pool_101", starts_at=START + timedelta(days=1), currency="INR", entry_minor=200
    )
    change_tournament(kept, draft, context=by())
    make_plan(kept.id, {"stages": [{"smallest_table": 2}]}, context=by())
    cancel_tournament(kept.id, reason="nobody came", context=by())


def _seasons(running: Club, over: Club) -> None:
    """An open season, and one that was closed with its standings."""
    fields: dict[str, Any] = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 5, 31), "is_published": True}
    create_season(running, SeasonDraft(name="Spring", formula={"place_points": [10, 6, 3]}, **fields))
    played(over, "Asha", "Bo", "Cy")
    season = create_season(over, SeasonDraft(name="Spring", formula={"place_points": [5, 1]}, **fields))
    bring_up(over.id, now=LATER)
    close_season(season, now=LATER)


def _merged(club: Club) -> None:
    """One player of the desk is a duplicate of one who played, merged with the balance; another was a mistake."""
    rows = {player.name: player for player in Player.objects.filter(club=club)}
    merge_players(rows["Asha at the desk"], rows["Asha"], context=by())
    merge_players(rows["Bo at the desk"], rows["Bo"], context=by())
    undo_merge(rows["Bo at the desk"], context=by())


def _settle_all() -> None:
    """Settle as a worker would."""
    from tournaments import tasks

    tasks.sweep_settlements()
    tasks.sweep_readings()
    tasks.seal_logs()
    tasks.store_heartbeat("celery@quay", at=LATER)
