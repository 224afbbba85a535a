"""Rummy Royal: chips on a board of nine boxes, won card by card; the last deal divides what is left on it.

Rules: docs/rules/rummy_royal.md. The chips are the money here: bought at the start, cashed at the end. Knows nothing of
storage, accounts or the web.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Seat, say, say_many
from scoring.money.payouts import Payout
from scoring.money.reasons import ChipsKept, Made
from scoring.problems import Problem
from scoring.rules.chance import Chance
from scoring.rules.table.fields import SheetField
from scoring.rules.table.refusals import leaving_problems, left_already, not_played, too_often, with_buy_ins
from scoring.rules.table.standing import SeatStanding
from scoring.rules.table.variant import Note, Panel, Setup, Variant, Wire, chips_moved
from scoring.rules.variants.western.entry import pot
from scoring.rules.variants.western.rummy_royal.checks import (
    buying_problems,
    closing_problems,
    over_problems,
    payee_problems,
    penalty_problems,
    royal_problems,
    short_problems,
)
from scoring.rules.variants.western.rummy_royal.game import (
    Chips,
    RoyalGame,
    RoyalSheet,
    after_last_deal,
    after_play,
    before_play,
    board_panel,
    boxes_won,
    chips_text,
    divided_equally,
    opened,
)
from scoring.rules.variants.western.rummy_royal.options import RUMMY_ROYAL, RoyalOptions, board_problems, box_title
from scoring.rules.variants.western.rummy_royal.sheets import (
    read_royal_sheet,
    royal_fields,
    simulated_deal,
    simulated_end,
)


class RummyRoyal(Variant[RoyalOptions, RoyalGame]):
    """Rummy Royal, on its own board or on one of the Tripoley family."""

    name = "rummy_royal"
    title = "Rummy Royal"
    summary = "Chips are won box by box; going out wins the kitty, and the dealer also the pot."
    presets = RUMMY_ROYAL
    example = {
        "dealer": "1",
        "out": "3",
        "boxes": {"AH": "2", "10H": "1"},
        "cards_left": {"1": 3, "2": 1},
        "extra_hand": "sold",
        "buyer": "2",
        "price": 4,
    }
    misread = ("cards_left",)
    rehearsed_deals = 5
    race = "chips"
    pays_dealer = True
    seats_allowed = range(2, 10)
    options_type = RoyalOptions
    game_type = RoyalGame
    sheet_type = RoyalSheet

    def read_sheet(self, raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[RoyalSheet | None, list[Problem]]:
        return read_royal_sheet(raw, seats)

    def entry_form(self, setup: Setup[RoyalOptions], game: RoyalGame, *, is_extra: bool) -> tuple[SheetField, ...]:
        return royal_fields(setup.options, game.chips)

    def chips_text(self, game: RoyalGame) -> str:
        return chips_text(game.chips)

    def simulate(
        self, setup: Setup[RoyalOptions], game: RoyalGame, *, dealer: str, chance: Chance, is_last: bool
    ) -> Wire:
        seats = self.in_play(setup, game)
        if is_last and not setup.options.divides_equally:
            return simulated_end(setup.options, seats, chance)
        return simulated_deal(setup.options, game.chips, seats, dealer=dealer, chance=chance)

    def blank_sheet(self, playing: Sequence[str]) -> RoyalSheet:
        return RoyalSheet(dealer=playing[0], out=playing[0])

    def panels(self, setup: Setup[RoyalOptions], game: RoyalGame) -> tuple[Panel, ...]:
        """The board while chips are on it."""
        return (board_panel(setup.options, game.chips),) if game.chips.on_board else ()

    def setup_problems(self, setup: Setup[RoyalOptions]) -> list[Problem]:
        """A board that can be laid out. Where no one may buy more, every seat must be able to pay the first ante."""
        options = setup.options
        problems = list(board_problems(options.holding("board"))) or payee_problems(options)
        if problems:
            return problems
        needed = options.spaces * max(options.ante_each, options.ante_dealer)
        if options.cannot_pay != "out" or options.start_chips >= needed:
            return []
        detail = say("a seat needs {number} chips for the first ante, and is out when it cannot pay", number=needed)
        return [Problem("out_of_range", detail, field="start_chips")]

    def start(self, setup: Setup[RoyalOptions]) -> RoyalGame:
        return RoyalGame(chips=opened(setup.options, setup.seats), won=dict.fromkeys(setup.seats, 0))

    def in_play(self, setup: Setup[RoyalOptions], game: RoyalGame) -> tuple[str, ...]:
        return tuple(seat for seat in setup.seats if seat not in game.gone and seat not in game.broke)

    def check(self, setup: Setup[RoyalOptions], game: RoyalGame, event: Event) -> list[Problem]:
        match event:
            case wire.DealRecorded():
                return over_problems(game) or royal_problems(setup.options, self.in_play(setup, game), event.sheet)
            case wire.SeatLeft():
                return over_problems(game) or leaving_problems(self.in_play(setup, game), event.seat)
            case wire.BoughtIn():
                return over_problems(game) or buying_problems(setup, game, event)
            case wire.PenaltyGiven():
                return over_problems(game) or left_already(game.gone, event.seat)
            case wire.TableClosed():
                return closing_problems(setup.options, game)
        return not_played(event, self.title)

    def entry_problems(self, setup: Setup[RoyalOptions], game: RoyalGame, event: Event) -> list[Problem]:
        """A seat short of chips buys some first; a played deal counts even where a correction shows a shortage."""
        if isinstance(event, wire.PenaltyGiven):
            return penalty_problems(setup.options, game.chips, event)
        if not isinstance(event, wire.DealRecorded) or event.sheet.is_last or game.is_dealt_out:
            return []
        playing = self.in_play(setup, game)
        often = too_often(setup.options.max_buy_ins, game.buy_ins, event.sheet.buyers, field="bought")
        return often + short_problems(setup.options, game.chips, event.sheet, playing)

    def apply(self, setup: Setup[RoyalOptions], game: RoyalGame, event: Event) -> RoyalGame:
        match event:
            case wire.DealRecorded():
                return _after_deal(setup, game, event, self.in_play(setup, game))
            case wire.SeatLeft():
                return msgspec.structs.replace(game, gone=game.gone | {event.seat: game.last_deal})
            case wire.BoughtIn():
                chips = game.chips.bought({event.seat: event.amount_minor // setup.stakes.point_value_minor})
                buy_ins = with_buy_ins(setup.options.max_buy_ins, game.buy_ins, [event.seat])
                return _with_broke(setup, msgspec.structs.replace(game, chips=chips, buy_ins=buy_ins))
            case wire.PenaltyGiven():
                chips = game.chips.paid(event.seat, event.points, setup.options.collecting)
                return _with_broke(setup, msgspec.structs.replace(game, chips=chips))
            case wire.TableClosed():
                return _closed(setup, game, self.in_play(setup, game))
        return game

    def seats(self, setup: Setup[RoyalOptions], game: RoyalGame) -> dict[str, SeatStanding]:
        """`chips` is a seat's stack, `net_points` what it has won: the stack less all chips it bought."""
        net = _net(game.chips)
        return {
            seat: SeatStanding(
                rank_key=(-net[seat],),
                chips=game.chips.stacks[seat],
                net_points=net[seat],
                is_in=seat not in game.gone and seat not in game.broke,
                out_in_deal=game.gone.get(seat, game.broke.get(seat)),
                has_left=seat in game.gone,
                deals_won=game.won[seat],
            )
            for seat in setup.seats
        }

    def is_finished(self, setup: Setup[RoyalOptions], game: RoyalGame) -> bool:
        """The board was dealt out; nothing is left to play for."""
        return game.is_dealt_out or game.is_closed

    def winners(self, setup: Setup[RoyalOptions], game: RoyalGame) -> tuple[str, ...]:
        """The seats that have won most chips; none where nothing was played."""
        net = _net(game.chips)
        return tuple(seat for seat in setup.seats if net[seat] == max(net.values())) if game.deals else ()

    def at_stake(self, setup: Setup[RoyalOptions], game: RoyalGame) -> dict[str, int]:
        """The entry, and the value of every chip that was bought or is owed."""
        chips, value = game.chips, setup.stakes.point_value_minor
        spent = {seat: issued + max(0, -chips.stacks[seat]) for seat, issued in chips.issued.items()}
        return {seat: entry + spent[seat] * value for seat, entry in setup.entries.items()}

    def payouts(self, setup: Setup[RoyalOptions], game: RoyalGame) -> tuple[Payout, ...]:
        """At the end chips are cashed, and the pot of entry fees goes to the seat that won most."""
        if not self.is_finished(setup, game):
            return ()
        return (*_cashed(setup, game.chips), *pot(setup, self.winners(setup, game)))

    def story(self, setup: Setup[RoyalOptions], before: RoyalGame, event: Event, after: RoyalGame) -> tuple[Note, ...]:
        """Which boxes were won, how the chips moved, and who owes or is out."""
        notes: list[Note] = []
        if isinstance(event, wire.DealRecorded) and not event.sheet.is_last:
            notes += [
                Note("box", say("{seat} takes {what}", seat=Seat(seat), what=box_title(box)))
                for box, seats in boxes_won(setup.options, event.sheet).items()
                for seat in seats
            ]
        return (*notes, *_chip_notes(before, after))


def _after_deal(
    setup: Setup[RoyalOptions], game: RoyalGame, event: wire.DealRecorded[RoyalSheet], playing: Sequence[str]
) -> RoyalGame:
    sheet = event.sheet
    if sheet.is_last:
        chips = after_last_deal(setup.options, game.chips, sheet, playing)
    else:
        chips = before_play(setup.options, game.chips, sheet, playing)
        chips = after_play(setup.options, chips, sheet, playing)
    after = msgspec.structs.replace(
        game,
        chips=chips,
        buy_ins=with_buy_ins(setup.options.max_buy_ins, game.buy_ins, sheet.buyers),
        won={seat: count + int(seat == sheet.out and seat in playing) for seat, count in game.won.items()},
        deals=game.deals + 1,
        last_deal=event.deal,
        is_dealt_out=game.is_dealt_out or sheet.is_last,
    )
    return _with_broke(setup, after)


def _closed(setup: Setup[RoyalOptions], game: RoyalGame, playing: Sequence[str]) -> RoyalGame:
    """A closed table; where the house plays so the chips left on its board are divided."""
    chips = game.chips
    if setup.options.divides_equally and chips.on_board and playing:
        chips = divided_equally(setup.options, chips, playing)
    return msgspec.structs.replace(game, chips=chips, is_closed=True)


def _with_broke(setup: Setup[RoyalOptions], game: RoyalGame) -> RoyalGame:
    """Where the house plays so, seats that cannot pay the next ante are out until they buy chips.

    A deal after which no seat could pay it puts no one out: some seat must be there when the board is divided.
    """
    if setup.options.cannot_pay != "out" or game.is_dealt_out:
        return game
    needed = setup.options.spaces * setup.options.ante_each
    broke = {
        seat: game.broke.get(seat, game.last_deal)
        for seat, stack in game.chips.stacks.items()
        if stack < needed and seat not in game.gone
    }
    if len(broke) + len(game.gone) == len(setup.seats):
        broke = {seat: deal for seat, deal in broke.items() if seat in game.broke}
    return msgspec.structs.replace(game, broke=broke)


def _net(chips: Chips) -> dict[str, int]:
    return {seat: stack - chips.issued[seat] for seat, stack in chips.stacks.items()}


def _cashed(setup: Setup[RoyalOptions], chips: Chips) -> tuple[Payout, ...]:
    """Every chip bought is paid for, every chip held is paid out, and the rest goes to the house."""
    value = setup.stakes.point_value_minor
    if not value or chips.on_board:
        return ()
    charges = {seat: (chips.issued[seat] + max(0, -stack)) * value for seat, stack in chips.stacks.items()}
    awards = {seat: stack * value for seat, stack in chips.stacks.items() if stack > 0}
    issued = sum(chips.issued.values())
    house_reasons = (ChipsKept(chips.house),) if chips.house else ()
    because = (Made(issued, "chips", value), *house_reasons)
    return (
        Payout(slot="chips", charges=charges, awards=awards, fee=chips.house * value, because=because, is_change=True),
    )


def _chip_notes(before: RoyalGame, after: RoyalGame) -> list[Note]:
    notes = chips_moved(before.chips.stacks, after.chips.stacks)
    for seat, stack in after.chips.stacks.items():
        if stack < 0 <= before.chips.stacks[seat]:
            text = say_many("{seat} owes {count} chip", "{seat} owes {count} chips", seat=Seat(seat), count=-stack)
            notes.append(Note("chips_below_zero", text))
    fresh = [seat for seat in after.broke if seat not in before.broke]
    return notes + [Note("out", say("{seat} cannot lay the next ante and is out", seat=Seat(seat))) for seat in fresh]


GAME = RummyRoyal()
