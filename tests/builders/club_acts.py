"""Actions in a club, each with players and values drawn at random.

An action may be refused: random choices ask for much that is not allowed.
"""

import random
from dataclasses import replace
from typing import Any, Literal
from uuid import UUID

from scoring.events import wire
from scoring.events.table import Event
from scoring.problems import RummyError
from scoring.sheets.snapshots import load_table
from tests.builders.playing import context
from tournaments.entries.commands.seats import LateSeat, get_up, last_change, seat_late, undo_seats
from tournaments.entries.commands.substitutes import StandIn, substitute, undo_substitution
from tournaments.models import Club, Player, Scoresheet, Tournament
from tournaments.running.commands import close
from tournaments.running.commands.create import TournamentDraft, change_tournament, make_plan
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.seating.commands.seat import seat_round, withdraw_seating
from tournaments.tables.commands.record import record_wire_event

POT = {"name": "Jackpot", "entry_minor": 500}
STAGE = {"smallest_table": 2, "reentry_minor": 3_000, "reentry_until_round": 9}
PLAN = {"stages": [STAGE], "prizes_bp": [7_000, 3_000], "levy_bp": 300, "late_until_round": 9, "member_minor": 7_001}
TILL, REASON = "user:sam", "because"
NAMES = ("Asha", "Bo", "Cy", "Dev", "Asha R.", "Eli")
AMOUNTS = (1, 500, 3_000, 9_999, 10_000, 25_000)
PLACES = ("", "bank", "account", f"till:{TILL}")
HOLDERS = ("bank", "owner", "levy", f"till:{TILL}", "till:nobody")


class Acts:
    """A club, its open cash book, and the players and values of an action."""

    club: Club
    book: UUID
    chance: random.Random

    def night(self) -> Tournament:
        return self.chance.choice(list(Tournament.objects.filter(club=self.club).order_by("created_at")))

    def player(self) -> Player:
        return self.chance.choice(list(Player.objects.filter(club=self.club).order_by("created_at", "name")))

    def sheet(self) -> Scoresheet:
        found = list(Scoresheet.objects.filter(club=self.club).order_by("-table__created_at")[:6])
        if not found:
            raise RummyError("no table")
        return self.chance.choice(found)

    def tell(self, event: Event) -> None:
        record_in_tournament(self.night().id, event, context=context())

    def at_table(self, event: dict[str, Any], sheet: Scoresheet | None = None) -> None:
        sheet = sheet or self.sheet()
        record_wire_event(sheet.table_id, event, expected=sheet.version, context=context(actor="user:0"))

    def seat_name(self, sheet: Scoresheet) -> str:
        return self.chance.choice(load_table(sheet.state).setup.seats)


class EveningActs(Acts):
    """Entries, seats, plans, and the ends of tournaments."""

    def do_enter(self) -> None:
        self.tell(wire.PlayerEntered(player=str(self.player().id), is_standby=self.chance.random() < 0.1))

    def do_enter_all(self) -> None:
        for player in Player.objects.filter(club=self.club, merged_into=None)[:6]:
            try:
                self.tell(wire.PlayerEntered(player=str(player.id)))
            except RummyError:
                continue

    def do_check_in(self) -> None:
        self.tell(wire.CheckedIn(player=str(self.player().id)))

    def do_pay(self) -> None:
        event = wire.EntryPaid(
            player=str(self.player().id), amount_minor=self.chance.choice(AMOUNTS), place=self.chance.choice(PLACES)
        )
        self.tell(event)

    do_pay_again = do_pay

    def do_refund(self) -> None:
        amount, place = self.chance.choice(AMOUNTS), self.chance.choice(PLACES)
        self.tell(wire.EntryRefunded(player=str(self.player().id), amount_minor=amount, place=place, reason=REASON))

    def do_withdraw(self) -> None:
        self.tell(wire.EntryWithdrawn(player=str(self.player().id)))

    def do_absent(self) -> None:
        self.tell(wire.MarkedAbsent(player=str(self.player().id)))

    def do_return(self) -> None:
        self.tell(wire.PlayerReturned(player=str(self.player().id)))

    def do_leave(self) -> None:
        self.tell(wire.PlayerLeft(player=str(self.player().id), reason=REASON))

    def do_reenter(self) -> None:
        self.tell(wire.PlayerReentered(player=str(self.player().id), stage=1))

    def do_unreenter(self) -> None:
        self.tell(wire.ReentryUndone(player=str(self.player().id), stage=1))

    def do_terms(self) -> None:
        rates: tuple[Literal["full", "member", "free"], ...] = ("full", "member", "free")
        rate = self.chance.choice(rates)
        self.tell(wire.EntryTermsSet(player=str(self.player().id), rate=rate, reason="asked"))

    def do_substitute(self) -> None:
        stand_in = StandIn(player=str(self.player().id), by=self.player().name, reason=REASON)
        substitute(self.night().id, stand_in, context=context())

    def do_unsubstitute(self) -> None:
        undo_substitution(self.night().id, str(self.player().id), reason=REASON, context=context())

    def do_plan(self) -> None:
        plan = {
            **PLAN,
            "levy_bp": self.chance.choice((0, 300, 1_800)),
            "prizes_bp": self.chance.choice(([10_000], [7_000, 3_000], [5_000, 3_000, 2_000])),
            "side_pots": self.chance.choice(([], [POT])),
        }
        make_plan(self.night().id, plan, reason=REASON, context=context())

    def do_seat_late(self) -> None:
        wanted = LateSeat(
            name=self.player().name,
            table=self.chance.choice((None, 1, 1, 2)),
            is_paid=self.chance.random() < 0.5,
            extends=self.chance.random() < 0.5,
        )
        seat_late(self.night().id, wanted, context=context())

    def do_get_up(self) -> None:
        why: Any = self.chance.choice(("absent", "left", "sits_out"))
        get_up(self.night().id, str(self.player().id), why, context=context())

    def do_unseat(self) -> None:
        night = self.night()
        undo_seats(night.id, last_change(night), context=context())

    def do_seat_round(self) -> None:
        night = self.night()
        evening = tournament_state(night)
        field = list(evening.field())
        self.chance.shuffle(field)
        size = self.chance.choice((2, 3, 6))
        tables = [tuple(field[first : first + size]) for first in range(0, len(field), size)]
        spare = tables.pop() if tables and len(tables[-1]) < 2 else ()
        seating = wire.RoundSeated(
            stage=evening.stage,
            round=evening.next_round,
            tables=tuple(enumerate(tables, 1)),
            method="draw",
            seed="s",
            sitting_out=spare,
        )
        seat_round(night.id, seating, context=context())

    do_seat_another_round = do_seat_round

    def do_withdraw_seating(self) -> None:
        night = self.night()
        withdraw_seating(night.id, tournament_state(night).next_round - 1, reason=REASON, context=context())

    def do_pot_won(self) -> None:
        self.tell(wire.SidePotWon(pot="Jackpot", players=(str(self.player().id),), reason=REASON))

    def do_close_night(self) -> None:
        close.close_tournament(self.night().id, context=context())

    def do_reopen(self) -> None:
        close.reopen_tournament(self.night().id, reason=REASON, context=context())

    def do_abandon(self) -> None:
        close.cancel_tournament(self.night().id, reason=REASON, context=context())

    def do_delete_it(self) -> None:
        close.delete_tournament(self.night().id, context=context())

    def do_restore_it(self) -> None:
        close.restore_tournament(self.night().id, is_published=True, context=context())

    def do_change(self) -> None:
        row = self.night()
        names = TournamentDraft.__dataclass_fields__
        now = TournamentDraft(**{name: getattr(row, name) for name in names})
        entry = self.chance.choice((row.entry_minor, 0, 10_000, 12_345))
        currency = self.chance.choice((row.currency, row.currency, "EUR", "JPY"))
        draft = replace(
            now, entry_minor=entry, currency=currency, is_published=self.chance.random() < 0.7, starts_at=row.starts_at
        )
        change_tournament(row, draft, context=context())
