"""More actions in a club: at tables, at the cash desk, with players and seasons."""

from datetime import date, timedelta

from scoring import ledger
from scoring.events import cash
from scoring.events.table import Event
from scoring.money import AccountKind
from scoring.problems import Defect, RummyError
from scoring.rules.chance import Chance
from scoring.rules.table.dealing import next_deal
from scoring.sheets.snapshots import load_table
from tests.builders.club_acts import AMOUNTS, HOLDERS, REASON, TILL, Acts
from tests.builders.playing import NOW, context
from tournaments.cash.commands import open_book, write_in_book
from tournaments.merging import merge_players, undo_merge
from tournaments.models import CashBook, Season
from tournaments.people.players import add_players
from tournaments.privacy import erase_player, remove_player
from tournaments.seasons.commands import SeasonDraft, close_season, create_season
from tournaments.tasks import sweep_readings, sweep_settlements


class TableActs(Acts):
    """What a scorer or a director records at a table."""

    def do_deal(self) -> None:
        sheet = self.sheet()
        try:
            event = next_deal(load_table(sheet.state), Chance(str(self.chance.random())))
        except (Defect, IndexError) as error:
            raise RummyError("nobody is left") from error
        self.at_table({"kind": "deal_recorded", **event}, sheet)

    do_deal_2 = do_deal_3 = do_deal_4 = do_deal_5 = do_deal

    def do_correct(self) -> None:
        sheet = self.sheet()
        table = load_table(sheet.state)
        seats = list(table.setup.seats)
        self.chance.shuffle(seats)
        outcomes = {seat: {"how": "loss", "count": self.chance.randrange(2, 81)} for seat in seats}
        outcomes[seats[0]] = {"how": "show"}
        number = self.chance.randrange(1, max(2, table.next_deal))
        self.at_table({"kind": "deal_corrected", "deal": number, "outcomes": outcomes, "reason": REASON}, sheet)

    do_correct_again = do_correct

    def do_void(self) -> None:
        sheet = self.sheet()
        number = self.chance.randrange(1, max(2, load_table(sheet.state).next_deal))
        self.at_table({"kind": "deal_voided", "deal": number, "reason": REASON}, sheet)

    def do_rejoin(self) -> None:
        sheet = self.sheet()
        self.at_table({"kind": "rejoined", "seat": self.seat_name(sheet)}, sheet)

    do_rejoin_2 = do_rejoin

    def do_seat_left(self) -> None:
        sheet = self.sheet()
        self.at_table({"kind": "seat_left", "seat": self.seat_name(sheet)}, sheet)

    def do_split(self) -> None:
        self.at_table({"kind": "split_agreed"})

    def do_penalty(self) -> None:
        sheet = self.sheet()
        self.at_table({"kind": "penalty_given", "seat": self.seat_name(sheet), "points": 25, "reason": REASON}, sheet)

    def do_take_back(self) -> None:
        sheet = self.sheet()
        version = self.chance.randrange(1, sheet.version + 1)
        self.at_table({"kind": "fact_withdrawn", "version": version, "reason": REASON}, sheet)

    do_take_back_2 = do_take_back

    def do_close_table(self) -> None:
        self.at_table({"kind": "table_closed"})

    do_close_table_2 = do_close_table

    def do_cancel(self) -> None:
        self.at_table({"kind": "table_cancelled", "reason": REASON})


class DeskActs(Acts):
    """Money at the cash desk."""

    def at_desk(self, event: Event) -> None:
        if CashBook.objects.get(id=self.book).is_closed:
            self.book = open_book(self.club.id, "INR", context=context())
        write_in_book(self.book, event, context=context())

    def do_receive(self) -> None:
        place = self.chance.choice(("bank", f"till:{TILL}"))
        amount = self.chance.choice(AMOUNTS)
        self.at_desk(cash.MoneyReceived(player=str(self.player().id), amount_minor=amount, place=place))

    def do_pay_out(self) -> None:
        place = self.chance.choice(("bank", f"till:{TILL}"))
        amount = self.chance.choice(AMOUNTS)
        self.at_desk(cash.MoneyPaidOut(player=str(self.player().id), amount_minor=amount, place=place))

    def do_transfer(self) -> None:
        one, other = str(self.player().id), str(self.player().id)
        amount = self.chance.choice(AMOUNTS)
        self.at_desk(cash.MoneyTransferred(player=one, to=other, amount_minor=amount, reason=REASON))

    def do_move(self) -> None:
        source, target = self.chance.choice(HOLDERS), self.chance.choice(HOLDERS)
        self.at_desk(cash.MoneyMoved(source=source, target=target, amount_minor=self.chance.choice(AMOUNTS)))

    def do_write_off(self) -> None:
        amount = self.chance.choice(AMOUNTS)
        self.at_desk(cash.DebtWrittenOff(player=str(self.player().id), amount_minor=amount, reason=REASON))

    def do_credit(self) -> None:
        limit = self.chance.choice((0, 5_000, 50_000))
        self.at_desk(cash.CreditGranted(player=str(self.player().id), limit_minor=limit, reason=REASON))

    def do_undo_line(self) -> None:
        last = CashBook.objects.get(id=self.book).version
        self.at_desk(cash.CashEntryUndone(version=self.chance.randrange(1, last + 1), reason=REASON))

    do_undo_line_2 = do_undo_line

    def do_till(self) -> None:
        self.at_desk(cash.TillOpened(till=TILL, float_minor=self.chance.choice((0, 20_000))))

    def do_till_closed(self) -> None:
        held = -ledger.balances_of_kind(self.club.id, "INR", AccountKind.CASH).get(TILL, 0)
        self.at_desk(cash.TillCounted(till=TILL, pieces={"1": min(max(held, 0), 100_000)}))
        self.at_desk(cash.TillClosed(till=TILL))

    def do_book_closed(self) -> None:
        self.at_desk(cash.CashBookClosed())


class PeopleActs(Acts):
    """Players, seasons, and what workers do."""

    def do_merge(self) -> None:
        merge_players(self.player(), self.player(), context=context())

    def do_unmerge(self) -> None:
        undo_merge(self.player(), context=context())

    def do_erase(self) -> None:
        if self.chance.random() < 0.15:
            erase_player(self.player(), now=NOW, with_balance=True)

    def do_remove(self) -> None:
        remove_player(self.player())

    def do_add(self) -> None:
        add_players(self.club, [f"P {self.chance.randrange(10**6)}"])

    def do_season(self) -> None:
        draft = SeasonDraft(
            name="Spring", starts_on=date(2026, 1, 1), ends_on=date(2026, 1, 31), formula={"place_points": [10, 6, 3]}
        )
        create_season(self.club, draft)

    def do_close_season(self) -> None:
        season = Season.objects.filter(club=self.club, closed_at=None).first()
        if season is not None:
            close_season(season, now=NOW + timedelta(days=60))

    def do_settle(self) -> None:
        sweep_settlements()

    def do_read(self) -> None:
        sweep_readings()
