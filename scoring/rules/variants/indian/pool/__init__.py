"""Pool rummy: points add up; a seat that reaches the limit is out, and the last seat in takes the pot.

Rules: docs/rules/pool.md. The table's state, and its pot, is in `game`, the house's choices in `options`. Knows nothing
of storage, accounts or the web.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Amount, Message, Seat, say, say_many, words
from scoring.money.payouts import Payout
from scoring.problems import Problem
from scoring.rules.table.fields import TotalsForm
from scoring.rules.table.refusals import decided_in, not_played
from scoring.rules.table.standing import SeatStanding
from scoring.rules.table.variant import Note, Setup
from scoring.rules.variants.indian import STANDARD_CAP, IndianForm, deal_defaults, time_called_problems
from scoring.rules.variants.indian.checks import sheet_problems
from scoring.rules.variants.indian.pool.game import (
    PoolGame,
    after_deal,
    after_leaving,
    after_penalty,
    after_rejoin,
    after_totals,
    is_decided,
    new_game,
    paid_in,
    pot,
    rank_key,
    seats_in,
    split_problems,
    totals_problems,
    winners,
)
from scoring.rules.variants.indian.pool.options import HOUSE_ROWS, POOL, PoolOptions, limit_in_short


class Pool(IndianForm[PoolOptions, PoolGame]):
    """Pool 101, 201, 61, 51 or any other limit."""

    name = "pool"
    title = "Pool rummy"
    summary = "Points add up; a seat that reaches the limit is out, and the last one in takes the pot."
    adds_up = False
    counts_on = True
    plays_to_the_end = True
    options_type = PoolOptions
    game_type = PoolGame
    presets = POOL
    example = {"outcomes": {"1": {"how": "middle_drop"}, "2": {"how": "wrong_show"}, "3": {"how": "last_standing"}}}

    def finish_line(self, setup: Setup[PoolOptions]) -> int | None:
        return setup.options.limit

    def low_is_good(self, setup: Setup[PoolOptions]) -> bool:
        return True

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """The usual drops and counts for the limit."""
        limit = given.get("limit")
        row = HOUSE_ROWS.get(limit, {}) if isinstance(limit, int) else {}
        return {**row, **deal_defaults(given, seats, cap=row.get("cap", STANDARD_CAP)), **given}

    def rejoin_most(self, setup: Setup[PoolOptions]) -> int:
        return setup.options.rejoin_threshold

    def in_short(self, setup: Setup[PoolOptions]) -> Iterator[Message]:
        yield limit_in_short(setup.options)
        yield from super().in_short(setup)

    def start(self, setup: Setup[PoolOptions]) -> PoolGame:
        return new_game(setup)

    def in_play(self, setup: Setup[PoolOptions], game: PoolGame) -> tuple[str, ...]:
        return seats_in(setup, game)

    def check(self, setup: Setup[PoolOptions], game: PoolGame, event: Event) -> list[Problem]:
        match event:
            case wire.DealRecorded():
                return _over(setup, game) or sheet_problems(event.sheet, setup.options, seats_in(setup, game))
            case wire.Rejoined():
                return rejoin_problems(setup, game, event.seat)
            case wire.SplitAgreed():
                return _over(setup, game) or split_problems(setup, game)
            case wire.SeatLeft():
                return _over(setup, game) or _out_problems(game, event.seat)
            case wire.PenaltyGiven():
                return _split_over(game) or _out_problems(game, event.seat)
            case wire.TableClosed():
                return [] if is_decided(setup, game) else _closing_problems(setup, game, event)
        return not_played(event, self.title)

    def apply(self, setup: Setup[PoolOptions], game: PoolGame, event: Event) -> PoolGame:
        match event:
            case wire.DealRecorded():
                return after_deal(setup, game, event)
            case wire.TotalsRecorded():
                return after_totals(setup, game, event)
            case wire.Rejoined():
                return after_rejoin(setup, game, event.seat)
            case wire.SplitAgreed():
                return msgspec.structs.replace(game, split="manual")
            case wire.SeatLeft():
                return after_leaving(setup, game, event.seat)
            case wire.PenaltyGiven():
                return after_penalty(setup, game, event)
        return game

    def why_no_totals(self, setup: Setup[PoolOptions]) -> Message | None:
        return None

    def totals_form(self, setup: Setup[PoolOptions]) -> TotalsForm:
        return TotalsForm(title=words("Total"), least=0, has_order=True)

    def totals_problems(self, setup: Setup[PoolOptions], game: PoolGame, event: wire.TotalsRecorded) -> list[Problem]:
        return totals_problems(setup, game, event)

    def seats(self, setup: Setup[PoolOptions], game: PoolGame) -> dict[str, SeatStanding]:
        return {seat: _seat_view(setup, game, seat) for seat in setup.seats}

    def is_finished(self, setup: Setup[PoolOptions], game: PoolGame) -> bool:
        return is_decided(setup, game)

    def winners(self, setup: Setup[PoolOptions], game: PoolGame) -> tuple[str, ...]:
        return winners(setup, game)

    def at_stake(self, setup: Setup[PoolOptions], game: PoolGame) -> dict[str, int]:
        """An entry, and one more for each rejoin."""
        return paid_in(setup, game)

    def payouts(self, setup: Setup[PoolOptions], game: PoolGame) -> tuple[Payout, ...]:
        """The whole pot less the fee, once the table is decided."""
        return (pot(setup, game),) if is_decided(setup, game) else ()

    def story(self, setup: Setup[PoolOptions], before: PoolGame, event: Event, after: PoolGame) -> tuple[Note, ...]:
        """Who went out or left, who came back, who may rejoin, and whether the pot is split."""
        return (
            *_exit_notes(setup, before, after),
            *_return_notes(setup, before, after),
            *_split_notes(before, after),
        )


def rejoin_problems(setup: Setup[PoolOptions], game: PoolGame, seat: str) -> list[Problem]:
    """Why a seat may not rejoin now; none when it may."""
    options = setup.options
    problems = []
    if seat not in game.fresh or game.split != "none":
        detail = say("{seat} can rejoin only after going out by score, before the next deal", seat=Seat(seat))
        problems.append(Problem("rejoin_too_late", detail, field="seat"))
    if game.highest > options.rejoin_threshold:
        detail = say(
            "{seat} cannot rejoin: the highest total is {total}, above {most}",
            seat=Seat(seat),
            total=game.highest,
            most=options.rejoin_threshold,
        )
        problems.append(Problem("rejoin_over_threshold", detail, field="seat"))
    seat_count = len(seats_in(setup, game))
    if seat_count < (1 if options.rejoin_when_one_left else 2):
        detail = say("{seat} cannot rejoin: {number} left in, so the game is over", seat=Seat(seat), number=seat_count)
        problems.append(Problem("rejoin_game_over", detail, field="seat"))
    return problems + _rejoin_house_problems(setup, game, seat)


def _rejoin_house_problems(setup: Setup[PoolOptions], game: PoolGame, seat: str) -> list[Problem]:
    """Other house limits on rejoining: how often, and at which entry fee."""
    options = setup.options
    problems = []
    done = game.rejoins.get(seat, 0)
    if options.max_rejoins is not None and done >= options.max_rejoins:
        detail = say_many(
            "{seat} has rejoined {count} time; this table allows {most}",
            "{seat} has rejoined {count} times; this table allows {most}",
            count=done,
            seat=Seat(seat),
            most=options.max_rejoins,
        )
        problems.append(Problem("rejoin_used_up", detail, field="seat"))
    dearest = options.rejoin_entry_below_minor
    if dearest is not None and setup.stakes.entry_minor >= dearest:
        amount = Amount(dearest, setup.stakes.currency)
        detail = say("{seat} cannot rejoin: no rejoin from an entry fee of {amount} on", seat=Seat(seat), amount=amount)
        problems.append(Problem("rejoin_not_at_this_entry", detail, field="seat"))
    return problems


def _seat_view(setup: Setup[PoolOptions], game: PoolGame, seat: str) -> SeatStanding:
    options = setup.options
    total, gone_out = game.tally.points[seat], game.out.get(seat)
    drops = options.drops_left(total) if gone_out is None else 0
    return SeatStanding(
        rank_key=rank_key(setup, game, seat),
        total=total,
        is_in=gone_out is None,
        out_in_deal=None if gone_out is None or game.tally.is_of_totals else gone_out.deal,
        has_left=seat in game.gone,
        drops_left=drops if options.first_drop else None,
        may_rejoin=seat in game.fresh and not rejoin_problems(setup, game, seat),
        **game.tally.counted(seat),
    )


def _exit_notes(setup: Setup[PoolOptions], before: PoolGame, after: PoolGame) -> list[Note]:
    limit = setup.options.limit
    was, now = before.tally.points, after.tally.points
    notes: list[Note] = []
    for seat in after.out:
        if seat not in before.out and seat not in after.gone:
            text = say(
                "{seat}: {first} + {number} = {last}, out of {most}",
                seat=Seat(seat),
                first=was[seat],
                number=now[seat] - was[seat],
                last=now[seat],
                most=limit,
            )
            notes.append(Note("out", text))
    leavers = [seat for seat in after.gone if seat not in before.gone]
    return notes + [Note("left", say("{seat} left the table", seat=Seat(seat))) for seat in leavers]


def _return_notes(setup: Setup[PoolOptions], before: PoolGame, after: PoolGame) -> list[Note]:
    back = [seat for seat in before.out if seat not in after.out]
    may = [s for s in after.fresh if s not in before.fresh and not rejoin_problems(setup, after, s)]
    return [
        Note("rejoined", say("{seat} rejoined with {points}", seat=Seat(seat), points=after.tally.points[seat]))
        for seat in back
    ] + [Note("may_rejoin", say("{seat} may rejoin before the next deal", seat=Seat(seat))) for seat in may]


def _split_notes(before: PoolGame, after: PoolGame) -> list[Note]:
    if after.split in (before.split, "none"):
        return []
    how = say("nobody left can drop again") if after.split == "auto" else say("all seats left agreed")
    return [Note("split", say("The pot is split: {why}", why=how))]


def _over(setup: Setup[PoolOptions], game: PoolGame) -> list[Problem]:
    """Nothing more is played once one seat is left or the pot is split."""
    detail = decided_in(game.tally.last_deal)
    return [Problem("table_finished", detail)] if is_decided(setup, game) else []


def _split_over(game: PoolGame) -> list[Problem]:
    """A penalty may still be given to the last seat that is in, but not to seats that have split the pot."""
    return [Problem("table_finished", say("the pot is split: a penalty cannot follow"))] if game.split != "none" else []


def _out_problems(game: PoolGame, seat: str) -> list[Problem]:
    if seat not in game.out:
        return []
    return [Problem("seat_is_out", say("{seat} is already out", seat=Seat(seat)), field="seat")]


def _closing_problems(setup: Setup[PoolOptions], game: PoolGame, event: wire.TableClosed) -> list[Problem]:
    """An undecided table closes only when time was called, and only where there is no pot for its last seat."""
    seat_count = len(seats_in(setup, game))
    unfinished = say("{number} seats are still in: play on, call time, or cancel the table", number=seat_count)
    if setup.stakes.entry_minor:
        unfinished = say(
            "{number} seats are still in: play on, agree on a split, or cancel the table", number=seat_count
        )
    return time_called_problems(setup, game.tally.deals, event, unfinished)


GAME = Pool()
