"""Points rummy: every deal is settled separately, at a price per point.

Rules: docs/rules/points.md, sections 2 (what a deal pays) and 3 (table stakes). Knows nothing of storage,
accounts or the web.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Amount, Message, Seat, Signed, say, words
from scoring.money.payouts import PaidDeal, Payout, divide, paid_points
from scoring.problems import Problem
from scoring.rules.table.fields import TotalsForm
from scoring.rules.table.refusals import (
    BuyIns,
    decided_in,
    left_already,
    not_played,
    too_often,
    value_problems,
    with_buy_ins,
)
from scoring.rules.table.standing import SeatStanding
from scoring.rules.table.variant import Note, Setup
from scoring.rules.variants.indian import IndianForm, deal_defaults
from scoring.rules.variants.indian.checks import Tally, added, blank, sheet_problems, with_points
from scoring.rules.variants.indian.outcomes import DealSheet, OutcomeKind, deal_result
from scoring.rules.variants.indian.points.options import FORMATS, POINTS, PointsOptions


class PointsGame(msgspec.Struct, frozen=True, kw_only=True):
    """`net` is points won less points lost; `bought` what each seat put on the table, in minor units.

    `buy_ins` are counted only where their number is limited: stored states of other tables stay as they are.
    """

    tally: Tally
    net: dict[str, int]
    gone: dict[str, int]
    bought: dict[str, int] = {}
    paid: tuple[PaidDeal, ...] = ()
    buy_ins: BuyIns = UNSET


class Points(IndianForm[PointsOptions, PointsGame]):
    """Cash by the point, deal after deal."""

    name = "points"
    title = "Points rummy"
    summary = "Each deal is paid at once: the winner takes every loser's points at the value of a point."
    announces_changes = True
    has_no_end = True
    race = "net_points"
    options_type = PointsOptions
    game_type = PointsGame
    presets = POINTS
    formats = FORMATS
    example = {"outcomes": {"1": {"how": "show"}, "2": {"how": "loss", "count": 34}, "3": {"how": "first_drop"}}}
    rehearsed_deals = 6

    def pays_while_open(self, setup: Setup[PointsOptions]) -> bool:
        return setup.options.settle == "per_deal"

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        return {**deal_defaults(given, seats), **given}

    def setup_problems(self, setup: Setup[PointsOptions]) -> list[Problem]:
        problems = super().setup_problems(setup) + value_problems(setup, Message(self.title))
        most, least = setup.options.max_buy_in, setup.options.min_buy_in
        if isinstance(most, int) and most < least:
            detail = say("the largest buy-in ({first}) cannot be below the smallest ({last})", first=most, last=least)
            problems.append(Problem("out_of_range", detail, field="max_buy_in"))
        return problems

    def deals_planned(self, setup: Setup[PointsOptions]) -> int | None:
        return setup.options.deals if isinstance(setup.options.deals, int) else None

    def start(self, setup: Setup[PointsOptions]) -> PointsGame:
        return PointsGame(tally=blank(setup.seats), net=dict.fromkeys(setup.seats, 0), gone={})

    def in_play(self, setup: Setup[PointsOptions], game: PointsGame) -> tuple[str, ...]:
        return tuple(seat for seat in setup.seats if seat not in game.gone)

    def check(self, setup: Setup[PointsOptions], game: PointsGame, event: Event) -> list[Problem]:
        match event:
            case wire.DealRecorded():
                return self._over(setup, game) or _deal_problems(setup, event.sheet, self.in_play(setup, game))
            case wire.SeatLeft():
                return self._over(setup, game) or left_already(game.gone, event.seat)
            case wire.BoughtIn():
                gone = left_already(game.gone, event.seat)
                return self._over(setup, game) or gone + _buy_in_problems(setup, game, event)
            case wire.PenaltyGiven() | wire.TableClosed():
                return []
        return not_played(event, self.title)

    def entry_problems(self, setup: Setup[PointsOptions], game: PointsGame, event: Event) -> list[Problem]:
        """A deal that was played counts, even where a correction shows that a player was short of money for it."""
        return _stake_problems(setup, game, event.sheet) if isinstance(event, wire.DealRecorded) else []

    def apply(self, setup: Setup[PointsOptions], game: PointsGame, event: Event) -> PointsGame:
        match event:
            case wire.DealRecorded():
                return _after_deal(setup, game, event)
            case wire.TotalsRecorded():
                return _after_totals(setup, game, event)
            case wire.SeatLeft():
                return msgspec.structs.replace(game, gone=game.gone | {event.seat: game.tally.last_deal})
            case wire.BoughtIn():
                return _after_buy_in(setup, game, event)
            case wire.PenaltyGiven():
                return _after_penalty(game, event)
        return game

    def why_no_totals(self, setup: Setup[PointsOptions]) -> Message | None:
        """A fee or levy is taken from each deal, so that only the deals tell how much it is."""
        stakes = setup.stakes
        if setup.options.settle == "per_deal":
            return say("each deal is paid at once here: enter it deal by deal")
        if stakes.fee_bp or stakes.fee_floor_minor or stakes.levy_bp:
            return say("the house fee or levy is taken from each deal here: enter it deal by deal")
        return None

    def totals_form(self, setup: Setup[PointsOptions]) -> TotalsForm:
        return TotalsForm(title=words("Net points"), adds_up_to=0)

    def seats(self, setup: Setup[PointsOptions], game: PointsGame) -> dict[str, SeatStanding]:
        return {
            seat: SeatStanding(
                rank_key=(-game.net[seat],),
                total=None if game.tally.is_of_totals else game.tally.points[seat],
                net_points=game.net[seat],
                is_in=seat not in game.gone,
                out_in_deal=game.gone.get(seat),
                has_left=seat in game.gone,
                **game.tally.counted(seat),
            )
            for seat in setup.seats
        }

    def is_finished(self, setup: Setup[PointsOptions], game: PointsGame) -> bool:
        """After a number of deals if the house sets one; else a table is over when it is closed."""
        return isinstance(setup.options.deals, int) and game.tally.deals >= setup.options.deals

    def _over(self, setup: Setup[PointsOptions], game: PointsGame) -> list[Problem]:
        detail = decided_in(game.tally.last_deal)
        return [Problem("table_finished", detail)] if self.is_finished(setup, game) else []

    def winners(self, setup: Setup[PointsOptions], game: PointsGame) -> tuple[str, ...]:
        """The seats with the most points; none where nothing was played."""
        if not game.paid:
            return ()
        best = max(game.net.values())
        return tuple(seat for seat in setup.seats if game.net[seat] == best)

    def at_stake(self, setup: Setup[PointsOptions], game: PointsGame) -> dict[str, int]:
        """What the next deal may cost a seat still in, or all that a seat which bought in has left on the table."""
        full = max(setup.options.cap, setup.options.wrong_show) * setup.stakes.point_value_minor
        staying = dict.fromkeys(self.in_play(setup, game), full)
        stacks = {seat: max(full, _stack(setup, game, seat)) for seat in game.bought if seat in staying}
        return dict.fromkeys(setup.seats, 0) | staying | stacks

    def payouts(self, setup: Setup[PointsOptions], game: PointsGame) -> tuple[Payout, ...]:
        """One payout a deal, or one for the whole session."""
        deals = tuple(paid_points(setup.stakes, paid, is_change=False) for paid in game.paid)
        if setup.options.settle == "per_deal" or not deals:
            return deals
        return (_session(setup, deals),)

    def story(
        self, setup: Setup[PointsOptions], before: PointsGame, event: Event, after: PointsGame
    ) -> tuple[Note, ...]:
        return tuple(
            Note(
                "net",
                say(
                    "{seat}: {first} {number} = {last} points",
                    seat=Seat(seat),
                    first=Signed(old),
                    number=Signed(after.net[seat] - old),
                    last=Signed(after.net[seat]),
                ),
            )
            for seat, old in before.net.items()
            if after.net[seat] != old
        )


def _deal_problems(setup: Setup[PointsOptions], sheet: DealSheet, staying: Sequence[str]) -> list[Problem]:
    if len(staying) > 1:
        return sheet_problems(sheet, setup.options, staying)
    return [Problem("too_few_seats", say("only one seat is left at the table: nobody to play with"), field="outcomes")]


def _after_deal(setup: Setup[PointsOptions], game: PointsGame, event: wire.DealRecorded[DealSheet]) -> PointsGame:
    """Losers' points go to the winner; a seat that left during the deal plays no further one.

    Where a correction has put the winner out of the deal there is no one to take the points, so no one pays.
    """
    staying = [seat for seat in setup.seats if seat not in game.gone]
    result = deal_result(event.sheet, setup.options, staying)
    points = result.points if result.takers else {}
    gains = divide(sum(points.values()), result.takers) if points else {}
    return msgspec.structs.replace(
        game,
        tally=added(game.tally, event.deal, result),
        net={seat: net + gains.get(seat, 0) - points.get(seat, 0) for seat, net in game.net.items()},
        gone=game.gone | dict.fromkeys(result.left, event.deal),
        paid=(*game.paid, PaidDeal(event.deal, points, result.takers)),
    )


def _after_totals(setup: Setup[PointsOptions], game: PointsGame, event: wire.TotalsRecorded) -> PointsGame:
    """The points of a whole session, and who pays them to whom: each seat comes out even, whoever is named."""
    net = game.net | event.totals
    deals = setup.options.deals if isinstance(setup.options.deals, int) else 1
    tally = msgspec.structs.replace(game.tally, deals=deals)
    return msgspec.structs.replace(game, tally=tally, net=net, paid=tuple(_paid_by_totals(net)))


def _paid_by_totals(net: Mapping[str, int]) -> Iterator[PaidDeal]:
    """One payment to each winner, by the losers in table order."""
    owed = {seat: -points for seat, points in net.items() if points < 0}
    for winner, won in net.items():
        if won <= 0:
            continue
        paid: dict[str, int] = {}
        for seat, left in owed.items():
            paid[seat] = min(left, won - sum(paid.values()))
        owed = {seat: left - paid[seat] for seat, left in owed.items()}
        yield PaidDeal(0, {seat: points for seat, points in paid.items() if points}, (winner,))


def _after_buy_in(setup: Setup[PointsOptions], game: PointsGame, event: wire.BoughtIn) -> PointsGame:
    amount = game.bought.get(event.seat, 0) + event.amount_minor
    buy_ins = with_buy_ins(setup.options.max_buy_ins, game.buy_ins, [event.seat])
    return msgspec.structs.replace(game, bought=game.bought | {event.seat: amount}, buy_ins=buy_ins)


def _after_penalty(game: PointsGame, event: wire.PenaltyGiven) -> PointsGame:
    """A penalty counts against the seat in the standings; it moves no money, for no deal was lost."""
    seat, points = event.seat, event.points
    return msgspec.structs.replace(
        game,
        tally=with_points(game.tally, seat, game.tally.points[seat] + points),
        net=game.net | {seat: game.net[seat] - points},
    )


def _session(setup: Setup[PointsOptions], deals: Sequence[Payout]) -> Payout:
    """All deals of a session in one payment; each deal keeps its own fee and levy."""
    charges: dict[str, int] = dict.fromkeys(setup.seats, 0)
    awards: dict[str, int] = dict.fromkeys(setup.seats, 0)
    for payout in deals:
        for seat, amount in payout.charges.items():
            charges[seat] += amount
        for seat, amount in payout.awards.items():
            awards[seat] += amount
    levy = sum(payout.house.get("levy", 0) for payout in deals)
    return Payout(
        slot="table",
        charges=charges,
        awards=awards,
        fee=sum(payout.fee for payout in deals),
        because=tuple(line for payout in deals for line in payout.because),
        house={"levy": levy} if levy else {},
    )


def _stack(setup: Setup[PointsOptions], game: PointsGame, seat: str) -> int:
    """What a seat has on the table: bought in, plus deals won, less deals lost, in minor units."""
    payouts = [paid_points(setup.stakes, paid, is_change=False) for paid in game.paid]
    changes = sum(payout.awards.get(seat, 0) - payout.charges.get(seat, 0) for payout in payouts)
    return game.bought[seat] + changes


def _stake_problems(setup: Setup[PointsOptions], game: PointsGame, sheet: DealSheet) -> list[Problem]:
    """Table stakes: a seat whose money is on the table must be able to pay a full count."""
    if not setup.options.table_stakes:
        return []
    needed = setup.options.cap * setup.stakes.point_value_minor
    problems = []
    for seat in game.bought:
        plays = seat in sheet.outcomes and sheet.outcomes[seat].how is not OutcomeKind.NOT_IN_DEAL
        stack = _stack(setup, game, seat)
        if plays and stack < needed:
            holds, costs = Amount(stack, setup.stakes.currency), Amount(needed, setup.stakes.currency)
            detail = say(
                "{seat} holds {amount}, and a full count costs {other}: buy in or sit out",
                seat=Seat(seat),
                amount=holds,
                other=costs,
            )
            problems.append(Problem("short_stack", detail, field="how"))
    return problems


def _buy_in_problems(setup: Setup[PointsOptions], game: PointsGame, event: wire.BoughtIn) -> list[Problem]:
    """The first buy-in has a minimum, each may have a maximum; and their number may be limited."""
    options = setup.options
    enough = too_often(options.max_buy_ins, game.buy_ins, [event.seat], field="seat")
    if enough:
        return enough
    full_count = options.cap * setup.stakes.point_value_minor
    least = 0 if event.seat in game.bought else options.min_buy_in * full_count
    paid = Amount(event.amount_minor, setup.stakes.currency)
    if event.amount_minor < least:
        limit_text = Amount(least, setup.stakes.currency)
        detail = say(
            "{seat} buys in for {amount}; the minimum is {other}", seat=Seat(event.seat), amount=paid, other=limit_text
        )
        return [Problem("buy_in_too_small", detail, field="amount_minor")]
    if isinstance(options.max_buy_in, int) and event.amount_minor > options.max_buy_in * full_count:
        limit_text = Amount(options.max_buy_in * full_count, setup.stakes.currency)
        detail = say(
            "{seat} buys in for {amount}; the maximum is {other}", seat=Seat(event.seat), amount=paid, other=limit_text
        )
        return [Problem("buy_in_too_large", detail, field="amount_minor")]
    return []


GAME = Points()
