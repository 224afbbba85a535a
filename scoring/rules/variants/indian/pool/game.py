"""The state of a pool table: totals, who is out, who may still rejoin, and how a deal changes that.

Rules: docs/rules/pool.md, sections 2 (limits), 3 (rejoining) and 4 (splits). Knows nothing of money.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from scoring.events import wire
from scoring.messages import Amount, Seat, say, say_many
from scoring.money.payouts import FeeTerms, Payout, divide, house_takes
from scoring.money.reasons import EqualPart, Made
from scoring.problems import Problem
from scoring.rules.table.variant import Setup
from scoring.rules.variants.indian.checks import Tally, added, blank, with_points
from scoring.rules.variants.indian.outcomes import DealSheet, deal_result
from scoring.rules.variants.indian.pool.options import PoolOptions

MOST_SPLITTERS = 3
WON = (0, -1, 0)
Split = Literal["none", "auto", "manual"]


class Exit(msgspec.Struct, frozen=True, array_like=True):
    """The deal in which, or after which, a seat went out, and how many deals had counted by then.

    The number of a deal does not tell when it was played: a voided one may be played again after later ones. At a
    table that was entered by its totals it is 0, and `counted` the number in its order of elimination.
    """

    deal: int
    counted: int


class PoolGame(msgspec.Struct, frozen=True):
    """Totals are in `tally.points`; `gone` are the seats that are out because they left.

    `fresh` went out by score since the last deal began, and `back` have rejoined since then, above `highest`: the
    highest total of the seats that were not out.
    """

    tally: Tally
    out: dict[str, Exit]
    gone: dict[str, int]
    rejoins: dict[str, int] = {}
    split: Split = "none"
    fresh: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    highest: int = 0


def new_game(setup: Setup[PoolOptions]) -> PoolGame:
    """Nothing played yet; seats that come from an earlier table keep their totals."""
    tally = blank(setup.seats)
    return PoolGame(msgspec.structs.replace(tally, points=tally.points | setup.carried), {}, {})


def seats_in(setup: Setup[PoolOptions], game: PoolGame) -> tuple[str, ...]:
    """Seats that are still in, in table order."""
    out = game.out
    return tuple([seat for seat in setup.seats if seat not in out]) if out else setup.seats


def is_decided(setup: Setup[PoolOptions], game: PoolGame) -> bool:
    """One seat is left, or the pot is split."""
    return game.split != "none" or len(setup.seats) - len(game.out) <= 1


def after_deal(setup: Setup[PoolOptions], game: PoolGame, event: wire.DealRecorded[DealSheet]) -> PoolGame:
    """Points added, every seat over the limit out at once, and the auto split checked."""
    options = setup.options
    playing = seats_in(setup, game)
    result = deal_result(event.sheet, options, playing)
    tally = added(game.tally, event.deal, result)
    total, leavers, most = tally.points, result.left, options.highest_in
    crossed = tuple([seat for seat in playing if total[seat] > most and seat not in leavers])
    if not crossed and not leavers:
        return PoolGame(tally, game.out, game.gone, game.rejoins, _split_of(setup, tally, game.out))
    out = game.out | dict.fromkeys((*crossed, *leavers), Exit(event.deal, tally.deals))
    gone = game.gone | dict.fromkeys(leavers, event.deal)
    highest = max([0, *(total[seat] for seat in playing if seat not in out)])
    return PoolGame(tally, out, gone, game.rejoins, _split_of(setup, tally, out), crossed, highest=highest)


def after_totals(setup: Setup[PoolOptions], game: PoolGame, event: wire.TotalsRecorded) -> PoolGame:
    """The totals of all deals at once, in which nobody rejoined, and the auto split checked."""
    points = game.tally.points | event.totals
    tally = msgspec.structs.replace(game.tally, deals=max(event.out.values(), default=1), points=points)
    out = {seat: Exit(0, event.out[seat]) for seat in setup.seats if seat in event.out}
    highest = max([0, *(points[seat] for seat in setup.seats if seat not in out)])
    return PoolGame(tally, out, {}, split=_split_of(setup, tally, out), highest=highest)


def totals_problems(setup: Setup[PoolOptions], game: PoolGame, event: wire.TotalsRecorded) -> list[Problem]:
    """Totals and order of elimination that do not fit each other, or with which no table ends."""
    limit, most, numbers = setup.options.limit, setup.options.highest_in, sorted({*event.out.values()})
    problems: list[Problem] = []
    for seat, total in event.totals.items():
        if total > most and seat not in event.out:
            detail = say("{seat} is out with {points} points: enter when", seat=Seat(seat), points=total)
            problems.append(Problem("out_of_order", detail, field="out"))
        if total <= most and seat in event.out:
            detail = say(
                "{seat} has {points} points, and is out only with {most}: a table that a player left is entered deal "
                "by deal",
                seat=Seat(seat),
                points=total,
                most=most + 1,
            )
            problems.append(Problem("out_of_order", detail, field="out"))
    if not problems and numbers != list(range(1, len(numbers) + 1)):
        detail = say("the order of elimination must be 1, 2, 3 without a gap")
        problems.append(Problem("out_of_order", detail, field="out"))
    if problems or len(event.totals) < len(setup.seats):
        return problems
    after = after_totals(setup, game, event)
    left = seats_in(setup, after)
    if not left and list(event.out.values()).count(numbers[-1]) == 1:
        detail = say("nobody is left in: if the last ones went out together, give them the same number")
        return [Problem("no_winner", detail, field="out")]
    # Without a pot time may be called; a pot needs its last seat, or a split.
    is_open = not is_decided(setup, after) and setup.stakes.entry_minor > 0
    if is_open and split_problems(setup, after):
        detail = say("{number} players are below {limit}, and the pot cannot be split", number=len(left), limit=limit)
        return [Problem("two_winners", detail, field="totals")]
    return []


def after_rejoin(setup: Setup[PoolOptions], game: PoolGame, seat: str) -> PoolGame:
    """Back in at the highest survivor's total plus one; all who rejoin after one deal get the same."""
    return msgspec.structs.replace(
        game,
        tally=with_points(game.tally, seat, game.highest + 1),
        out={other: exit_ for other, exit_ in game.out.items() if other != seat},
        fresh=tuple(other for other in game.fresh if other != seat),
        rejoins=game.rejoins | {seat: game.rejoins.get(seat, 0) + 1},
        back=(*game.back, seat),
    )


def after_leaving(setup: Setup[PoolOptions], game: PoolGame, seat: str) -> PoolGame:
    """A seat that leaves is out, whatever its total; those who stay may have no drop left."""
    gone = game.gone | {seat: game.tally.last_deal}
    return _reseated(setup, msgspec.structs.replace(game, out=game.out | {seat: _exit_now(game)}, gone=gone))


def after_penalty(setup: Setup[PoolOptions], game: PoolGame, event: wire.PenaltyGiven) -> PoolGame:
    """Penalty points count like hand points; they can put a seat out."""
    options = setup.options
    tally = with_points(game.tally, event.seat, game.tally.points[event.seat] + event.points)
    out, fresh = game.out, game.fresh
    if tally.points[event.seat] > options.highest_in:
        out, fresh = out | {event.seat: _exit_now(game)}, (*fresh, event.seat)
    return _reseated(setup, msgspec.structs.replace(game, tally=tally, out=out, fresh=fresh))


def rank_key(setup: Setup[PoolOptions], game: PoolGame, seat: str) -> tuple[int, ...]:
    """Winners of the table first, then in before out, later out before earlier, lower totals first.

    Winners of decided tables are tied with each other, however many points they won with: a leaderboard over many
    tables would otherwise put a player who has only just sat down before one who has won.
    """
    if seat in game.out:
        won_all = len(game.out) == len(setup.seats) and seat in lowest_of_all(setup, game)
        return WON if won_all else (1, -game.out[seat].counted, game.tally.points[seat])
    has_won = game.split != "none" or len(game.out) == len(setup.seats) - 1
    return WON if has_won else (0, 0, game.tally.points[seat])


def lowest_of_all(setup: Setup[PoolOptions], game: PoolGame) -> tuple[str, ...]:
    """Where no seat is left in, the lowest total among those that went out last wins; seats that left do not."""
    last = max(exit_.counted for exit_ in game.out.values())
    rivals = [seat for seat in setup.seats if game.out[seat].counted == last and seat not in game.gone]
    return tuple(
        seat for seat in rivals if game.tally.points[seat] == min(game.tally.points[other] for other in rivals)
    )


def _exit_now(game: PoolGame) -> Exit:
    return Exit(game.tally.last_deal, game.tally.deals)


def _reseated(setup: Setup[PoolOptions], game: PoolGame) -> PoolGame:
    """What follows when the seats that are in, or their totals, change between two deals."""
    totals = [game.tally.points[seat] for seat in seats_in(setup, game) if seat not in game.back]
    if game.back:
        # All who rejoin after one deal get the same number, even if others have left since.
        totals.append(game.highest)
    split = _split_of(setup, game.tally, game.out)
    return msgspec.structs.replace(game, highest=max([0, *totals]), split=split)


def _split_of(setup: Setup[PoolOptions], tally: Tally, out: Mapping[str, Exit]) -> Split:
    """Auto split when two or three are left, fewer than started, and none of them can drop again."""
    options = setup.options
    started = len(setup.seats)
    count = started - len(out)
    if not 2 <= count <= MOST_SPLITTERS or options.splits not in ("auto", "auto_and_manual"):
        return "none"
    if options.split_needs_fewer_than_started and count >= started:
        return "none"
    least = min(tally.points[seat] for seat in setup.seats if seat not in out)
    return "auto" if least >= options.auto_split_total else "none"


# The pot of a pool table: the winner's prize, and how remaining seats may split it.


def winners(setup: Setup[PoolOptions], game: PoolGame) -> tuple[str, ...]:
    """The seat left in; where all are over the limit, the lowest total among those that went out last."""
    return seats_in(setup, game) or lowest_of_all(setup, game)


def paid_in(setup: Setup[PoolOptions], game: PoolGame) -> dict[str, int]:
    """What each seat has put into the pot."""
    return {seat: entry * (1 + game.rejoins.get(seat, 0)) for seat, entry in setup.entries.items()}


def pot(setup: Setup[PoolOptions], game: PoolGame) -> Payout:
    """Every entry and rejoin in, the prize and the fee out. Leftover units go to the better totals."""
    entry, charges = setup.stakes.entry_minor, paid_in(setup, game)
    gross = sum(charges.values())
    house_share = house_takes(gross, setup.stakes.fee_bp, setup.stakes)
    heirs = sorted(winners(setup, game), key=lambda seat: (game.tally.points[seat], setup.seats.index(seat)))
    ahead = _equalising(setup, game, heirs) if game.split == "manual" else dict.fromkeys(heirs, 0)
    parts = divide(house_share.net - sum(ahead.values()), heirs)
    because = (
        Made(len(setup.seats), "entries", entry, rejoins=sum(game.rejoins.values())),
        *house_share.because,
        *(EqualPart(seat, parts[seat], ahead[seat]) for seat in heirs),
    )
    awards = {seat: ahead[seat] + parts[seat] for seat in heirs}
    return Payout(
        slot="table", charges=charges, awards=awards, fee=house_share.fee, because=because, house=house_share.house
    )


def split_problems(setup: Setup[PoolOptions], game: PoolGame) -> list[Problem]:
    """Why the seats still in may not split the pot by agreement now; none when they may."""
    options = setup.options
    remaining_seats = seats_in(setup, game)
    problems = []
    if options.splits not in ("manual", "auto_and_manual"):
        problems.append(Problem("split_not_allowed", say("this table does not split by agreement")))
    if not 2 <= len(remaining_seats) <= MOST_SPLITTERS:
        detail = say_many(
            "{count} seat is in; a split is for two or three",
            "{count} seats are in; a split is for two or three",
            count=len(remaining_seats),
        )
        problems.append(Problem("split_wrong_number", detail))
    if options.split_needs_fewer_than_started and len(remaining_seats) >= len(setup.seats):
        detail = say("all {number} seats are still in; a split needs fewer than started", number=len(remaining_seats))
        problems.append(Problem("split_nobody_out", detail))
    return problems or _split_money_problems(setup, game, remaining_seats)


def _split_money_problems(setup: Setup[PoolOptions], game: PoolGame, left: Sequence[str]) -> list[Problem]:
    """The pot must be large enough to pay for the drops by which the seats differ."""
    options = setup.options
    drops = [options.drops_left(game.tally.points[seat]) for seat in left]
    difference, most = max(drops) - min(drops), options.split_most_drop_difference
    problems = []
    if most is not None and len(left) == MOST_SPLITTERS and difference > most:
        detail = say(
            "drops left differ by {number}; this table splits among three up to {most}", number=difference, most=most
        )
        problems.append(Problem("split_drops_differ", detail))
    rest = _net_pot(setup, game) - sum(_equalising(setup, game, left).values())
    least = setup.stakes.entry_minor if options.split_pool_left == "one_entry" else 0
    if rest < least:
        holds, needs = (Amount(amount, setup.stakes.currency) for amount in (rest, least))
        detail = say(
            "after equalising drops the pot would hold {amount}; a split needs {other}", amount=holds, other=needs
        )
        problems.append(Problem("split_pot_too_small", detail))
    return problems


def _net_pot(setup: Setup[PoolOptions], game: PoolGame) -> int:
    gross = setup.stakes.entry_minor * (len(setup.seats) + sum(game.rejoins.values()))
    return house_takes(gross, setup.stakes.fee_bp, setup.stakes).net


def _equalising(setup: Setup[PoolOptions], game: PoolGame, left: Sequence[str]) -> dict[str, int]:
    """What each seat gets before the equal parts: one net entry fee for each drop above the fewest.

    Minimum and maximum of the fee are those of the whole pot, so that one entry is only less its share of fee and levy.
    """
    options = setup.options
    entry = setup.stakes.entry_minor
    share = FeeTerms(levy_bp=setup.stakes.levy_bp, levy_on=setup.stakes.levy_on)
    net_entry = house_takes(entry, setup.stakes.fee_bp, share).net
    drops = {seat: options.drops_left(game.tally.points[seat]) for seat in left}
    fewest = min(drops.values())
    return {seat: (count - fewest) * net_entry for seat, count in drops.items()}
