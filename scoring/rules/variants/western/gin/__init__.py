"""Gin rummy: knock, gin and undercut, boxes and game bonus; Oklahoma, Hollywood and partners as options.

Rules: docs/rules/gin.md. The difference at the end is antisymmetric, so what one side wins the other loses. Knows
nothing of storage, accounts or the web.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Message, Seat, say, say_many
from scoring.money.payouts import FULL_COUNT, PaidDeal, Payout, paid_points
from scoring.problems import Problem
from scoring.rules.chance import Chance
from scoring.rules.table.fields import SheetField
from scoring.rules.table.questions import Asked, CardRuling, HandShown
from scoring.rules.table.refusals import not_played, nothing_played
from scoring.rules.table.standing import SeatStanding
from scoring.rules.table.variant import Note, Panel, Setup, Variant, Wire
from scoring.rules.variants.western.entry import pot
from scoring.rules.variants.western.gin.game import (
    GinColumn,
    GinHand,
    GinSheet,
    SideResult,
    Sides,
    ahead_by,
    entered,
    final_scores,
    games_panel,
    illegal_knocks,
    is_shutout,
    side_result,
)
from scoring.rules.variants.western.gin.judging import JUDGE, hands_in_cards, ruled
from scoring.rules.variants.western.gin.options import GIN, GinOptions, read_upcard
from scoring.rules.variants.western.gin.sheets import deadwood_problems, gin_fields, gin_problems, read_gin_sheet
from scoring.rules.variants.western.gin.simulation import simulated_deal

MOST_ALONE = 2


class GinGame(msgspec.Struct, frozen=True, kw_only=True):
    """Games side by side, hands won and illegal knocks of each seat, and penalties of each side."""

    columns: tuple[GinColumn, ...]
    won: dict[str, int]
    knocks: dict[str, int]
    penalties: Sides = (0, 0)
    deals: int = 0
    last_deal: int = 0
    is_closed: bool = False


class Gin(Variant[GinOptions, GinGame]):
    """Gin rummy for two, or for two sides of partners."""

    name = "gin"
    title = "Gin rummy"
    summary = "Knock with little deadwood and win the difference; boxes, game bonus and shutout decide the end."
    presets = GIN
    example = {"knocker": "1", "ending": "knock", "knocker_deadwood": 5, "defender_deadwood": 31}
    seats_allowed = range(2, 7, 2)
    judge = JUDGE
    options_type = GinOptions
    game_type = GinGame
    sheet_type = GinSheet

    def read_sheet(self, raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[GinSheet | None, list[Problem]]:
        return read_gin_sheet(raw, seats)

    def entry_form(self, setup: Setup[GinOptions], game: GinGame, *, is_extra: bool) -> tuple[SheetField, ...]:
        return gin_fields(setup.options, setup.seats)

    def simulate(self, setup: Setup[GinOptions], game: GinGame, *, dealer: str, chance: Chance, is_last: bool) -> Wire:
        return {**simulated_deal(setup.options, setup.seats, chance), "dealer": dealer}

    def blank_sheet(self, playing: Sequence[str]) -> GinSheet:
        return GinSheet(hands=(GinHand(knocker=None, ending="dead"),))

    def cards_ruled(self, setup: Setup[GinOptions], asked: Asked, typed: Wire) -> CardRuling:
        return ruled(setup.options, asked, read_upcard(typed.get("upcard")))

    def hands_shown(self, setup: Setup[GinOptions], sheet: GinSheet) -> tuple[HandShown, ...]:
        """The knocker's melds as they were laid; what the opponent laid off on them and melded."""
        return tuple(hand_shown for hand in sheet.hands if hand.is_in_cards for hand_shown in hands_in_cards(hand))

    def finish_line(self, setup: Setup[GinOptions]) -> int | None:
        return setup.options.target if setup.options.all_games == 1 else None

    def panels(self, setup: Setup[GinOptions], game: GinGame) -> tuple[Panel, ...]:
        """Each game with its points and boxes, and its difference as of now."""
        return (games_panel(setup.options, setup.seats, game.columns),) if game.deals else ()

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """More than two seats play as partners."""
        return {"partnership": seats > MOST_ALONE, **given}

    def setup_problems(self, setup: Setup[GinOptions]) -> list[Problem]:
        options = setup.options
        problems = []
        if options.partnership != (len(setup.seats) > MOST_ALONE):
            detail = say(
                "without partners two seats play, with partners four or six, not {number}", number=len(setup.seats)
            )
            problems.append(Problem("wrong_number_of_seats", detail, field="partnership"))
        if options.spades_double != "none" and not options.oklahoma:
            detail = say("a spade can only double where a card is turned up: that is Oklahoma gin")
            problems.append(Problem("not_a_choice", detail, field="spades_double"))
        return problems

    def start(self, setup: Setup[GinOptions]) -> GinGame:
        zero = dict.fromkeys(setup.seats, 0)
        return GinGame(columns=(GinColumn(),) * setup.options.games, won=zero, knocks=zero)

    def in_play(self, setup: Setup[GinOptions], game: GinGame) -> tuple[str, ...]:
        return setup.seats

    def check(self, setup: Setup[GinOptions], game: GinGame, event: Event) -> list[Problem]:
        match event:
            case wire.DealRecorded():
                return _over_problems(game) or gin_problems(setup.options, setup.seats, event.sheet)
            case wire.PenaltyGiven():
                return []
            case wire.TableClosed():
                return _closing_problems(game, event)
        return not_played(event, self.title)

    def typing_problems(self, setup: Setup[GinOptions], event: Event) -> list[Problem]:
        return deadwood_problems(event.sheet) if isinstance(event, wire.DealEvent) else []

    def apply(self, setup: Setup[GinOptions], game: GinGame, event: Event) -> GinGame:
        match event:
            case wire.DealRecorded():
                return _after_deal(setup, game, event)
            case wire.PenaltyGiven():
                first, second = game.penalties
                side = _side(setup, event.seat)
                both = (first + event.points, second) if side == 0 else (first, second + event.points)
                return msgspec.structs.replace(game, penalties=both)
            case wire.TableClosed():
                return msgspec.structs.replace(game, is_closed=True)
        return game

    def seats(self, setup: Setup[GinOptions], game: GinGame) -> dict[str, SeatStanding]:
        """`total` is the points of a seat's side in all games; `net_points` by how much the side is ahead."""
        net = _net(setup, game)
        points = [sum(column.points[side] for column in game.columns) - game.penalties[side] for side in (0, 1)]
        return {
            seat: SeatStanding(
                rank_key=(-net[_side(setup, seat)],),
                total=points[_side(setup, seat)],
                net_points=net[_side(setup, seat)],
                deals_won=game.won[seat],
                wrong_shows=game.knocks[seat],
            )
            for seat in setup.seats
        }

    def is_finished(self, setup: Setup[GinOptions], game: GinGame) -> bool:
        """All games are won, or time was called."""
        return game.is_closed or _is_over(game)

    def winners(self, setup: Setup[GinOptions], game: GinGame) -> tuple[str, ...]:
        """The side that is ahead in total; both where neither is, and none where nothing was played."""
        best = max(_net(setup, game))
        return (
            tuple(seat for seat in setup.seats if _net(setup, game)[_side(setup, seat)] == best) if game.deals else ()
        )

    def at_stake(self, setup: Setup[GinOptions], game: GinGame) -> dict[str, int]:
        """The entry, and where points are money what a deal may cost and what a side is behind."""
        value, winners = setup.stakes.point_value_minor, self.winners(setup, game)
        behind = {seat: 0 if seat in winners else max(_net(setup, game)) for seat in setup.seats}
        return {seat: entry + (FULL_COUNT + behind[seat]) * value for seat, entry in setup.entries.items()}

    def payouts(self, setup: Setup[GinOptions], game: GinGame) -> tuple[Payout, ...]:
        """At the end each loser pays the difference at the value of a point, and the winners share the pot."""
        if not self.is_finished(setup, game):
            return ()
        winners, difference = self.winners(setup, game), max(_net(setup, game))
        prizes = pot(setup, winners)
        if not setup.stakes.point_value_minor or not difference:
            return prizes
        owed = {seat: difference for seat in setup.seats if seat not in winners}
        return (paid_points(setup.stakes, PaidDeal(0, owed, winners), slot="points"), *prizes)

    def story(self, setup: Setup[GinOptions], before: GinGame, event: Event, after: GinGame) -> tuple[Note, ...]:
        """The value of the deal, which games are won and the final difference."""
        notes = _deal_notes(setup, event) if isinstance(event, wire.DealRecorded) else []
        already = [number for number, column in enumerate(before.columns, start=1) if column.winner is not None]
        for number, new in enumerate(after.columns, start=1):
            if new.winner is not None and number not in already:
                notes.append(_game_note(setup, number, new))
        if self.is_finished(setup, after) and not self.is_finished(setup, before):
            text = say_many(
                "The total difference is {count} point",
                "The total difference is {count} points",
                count=max(_net(setup, after)),
            )
            notes.append(Note("difference", text))
        return tuple(notes)


def _after_deal(setup: Setup[GinOptions], game: GinGame, event: wire.DealRecorded[GinSheet]) -> GinGame:
    """A deal is entered for its winner; a dead one changes nothing."""
    won = side_result(setup.options, setup.seats, event.sheet)
    columns, hands = game.columns, game.won
    if won is not None and not _is_over(game):
        columns = entered(setup.options, columns, won)
        hands = {seat: count + int(_side(setup, seat) == won.side) for seat, count in hands.items()}
    return msgspec.structs.replace(
        game,
        columns=columns,
        won=hands,
        knocks=illegal_knocks(game.knocks, event.sheet),
        deals=game.deals + 1,
        last_deal=event.deal,
    )


def _side(setup: Setup[GinOptions], seat: str) -> int:
    """Partners sit alternately: the first, third and fifth seat are one side."""
    return setup.seats.index(seat) % 2


def _net(setup: Setup[GinOptions], game: GinGame) -> Sides:
    """By how much each side is ahead as of now, penalties subtracted."""
    ahead = ahead_by(setup.options, game.columns) - game.penalties[0] + game.penalties[1]
    return ahead, -ahead


def _is_over(game: GinGame) -> bool:
    return all(column.winner is not None for column in game.columns)


def _deal_notes(setup: Setup[GinOptions], event: wire.DealRecorded[GinSheet]) -> list[Note]:
    """Who won what; nothing is scored for a dead hand."""
    won = side_result(setup.options, setup.seats, event.sheet)
    if won is None and event.sheet.keeps_dealer:
        return [Note("dead", say("Nothing is scored; the same dealer deals again"))]
    if won is None:
        return [Note("dead", say("The sides are equal, and nothing is scored"))]
    is_plain = won.boxes == 1 and setup.options.all_games == 1
    winners = [seat for seat in setup.seats if _side(setup, seat) == won.side]
    return [Note("won" if is_plain else "entered", _won_message(seat, won), seat=seat) for seat in winners]


def _won_message(seat: str, won: SideResult) -> Message:
    if won.boxes == 1:
        return say_many("{seat} wins {count} point", "{seat} wins {count} points", seat=Seat(seat), count=won.points)
    return say("{seat} wins {points} points and {number} boxes", seat=Seat(seat), points=won.points, number=won.boxes)


def _game_note(setup: Setup[GinOptions], number: int, column: GinColumn) -> Note:
    side = column.winner or 0
    final = final_scores(setup.options, column)
    seat, first, last = setup.seats[side], final[side], final[1 - side]
    text = say(
        "Game {number} goes to {seat}: {first} to {last} with bonus and boxes",
        number=number,
        seat=Seat(seat),
        first=first,
        last=last,
    )
    if is_shutout(column):
        text = say(
            "Game {number} goes to {seat}, and is a shutout: {first} to {last} with bonus and boxes",
            number=number,
            seat=Seat(seat),
            first=first,
            last=last,
        )
    return Note("game", text)


def _over_problems(game: GinGame) -> list[Problem]:
    detail = say("the table was decided in deal {deal}", deal=game.last_deal)
    return [Problem("table_finished", detail)] if _is_over(game) else []


def _closing_problems(game: GinGame, event: wire.TableClosed) -> list[Problem]:
    """Before the last game is won the table closes only when time was called: more points then win, without bonus."""
    if _is_over(game):
        return []
    if not event.time_called:
        detail = say_many(
            "{count} deal is played and no side has reached the target in every game",
            "{count} deals are played and no side has reached the target in every game",
            count=game.deals,
        )
        return [Problem("not_finished", detail)]
    return nothing_played(game.deals)


GAME = Gin()
