"""The pot of a pool table: what the winner takes, and how seats that are left may divide it.

Rules: docs/rules/pool.md, sections 4 (splits) and 6 (money). Knows nothing of accounts.
"""

from collections.abc import Sequence

from scoring.money.amounts import format_minor
from scoring.money.payouts import FeeTerms, Payout, divide, house_takes
from scoring.problems import Problem
from scoring.rules.table.variant import Setup
from scoring.rules.variants.indian.pool.game import MOST_SPLITTERS, PoolGame, lowest_of_all, seats_in
from scoring.rules.variants.indian.pool.options import PoolOptions


def winners(setup: Setup, game: PoolGame) -> tuple[str, ...]:
    """Whoever is left in; where everyone crossed, the lowest total among those who went out last."""
    return seats_in(setup, game) or lowest_of_all(setup, game)


def paid_in(setup: Setup, game: PoolGame) -> dict[str, int]:
    """What each seat has put into the pot."""
    return {seat: entry * (1 + game.rejoins.get(seat, 0)) for seat, entry in setup.entries.items()}


def pot(setup: Setup, game: PoolGame) -> Payout:
    """Every entry and rejoin in, the prize and the fee out. Leftover units go to the better totals."""
    entry, charges = setup.stakes.entry_minor, paid_in(setup, game)
    gross = sum(charges.values())
    taken = house_takes(gross, setup.stakes.fee_bp, setup.stakes)
    heirs = sorted(winners(setup, game), key=lambda seat: (game.tally.points[seat], setup.seats.index(seat)))
    ahead = _equalising(setup, game, heirs) if game.split == "manual" else dict.fromkeys(heirs, 0)
    parts = divide(taken.net - sum(ahead.values()), heirs)
    because = (
        f"{len(setup.seats)} entries and {sum(game.rejoins.values())} rejoins of {entry} make {gross}",
        *taken.because,
        *(f"seat {seat}: {ahead[seat]} for drops left and {parts[seat]} as an equal part" for seat in heirs),
    )
    awards = {seat: ahead[seat] + parts[seat] for seat in heirs}
    return Payout(slot="table", charges=charges, awards=awards, fee=taken.fee, because=because, house=taken.house)


def split_problems(setup: Setup, game: PoolGame) -> list[Problem]:
    """Why the seats still in may not split the pot by agreement now; none when they may."""
    options: PoolOptions = setup.options
    left = seats_in(setup, game)
    problems = []
    if options.splits not in ("manual", "auto_and_manual"):
        problems.append(Problem(code="split_not_allowed", detail="this table does not split by agreement"))
    if not 2 <= len(left) <= MOST_SPLITTERS:
        detail = f"{len(left)} {'seat is' if len(left) == 1 else 'seats are'} in; a split is for two or three"
        problems.append(Problem(code="split_wrong_number", detail=detail))
    if options.split_needs_fewer_than_started and len(left) >= len(setup.seats):
        detail = f"all {len(left)} seats are still in; a split needs fewer than started"
        problems.append(Problem(code="split_nobody_out", detail=detail))
    return problems or _split_money_problems(setup, game, left)


def _split_money_problems(setup: Setup, game: PoolGame, left: Sequence[str]) -> list[Problem]:
    """The pot must pay for the drops by which the seats differ."""
    options: PoolOptions = setup.options
    drops = [options.drops_left(game.tally.points[seat]) for seat in left]
    difference, most = max(drops) - min(drops), options.split_most_drop_difference
    problems = []
    if most is not None and len(left) == MOST_SPLITTERS and difference > most:
        detail = f"drops left differ by {difference}; this table splits among three up to {most}"
        problems.append(Problem(code="split_drops_differ", detail=detail))
    rest = _net_pot(setup, game) - sum(_equalising(setup, game, left).values())
    least = setup.stakes.entry_minor if options.split_pool_left == "one_entry" else 0
    if rest < least:
        holds, needs = (format_minor(amount, setup.stakes.currency) for amount in (rest, least))
        detail = f"after equalising drops the pot would hold {holds}; a split needs {needs}"
        problems.append(Problem(code="split_pot_too_small", detail=detail))
    return problems


def _net_pot(setup: Setup, game: PoolGame) -> int:
    gross = setup.stakes.entry_minor * (len(setup.seats) + sum(game.rejoins.values()))
    return house_takes(gross, setup.stakes.fee_bp, setup.stakes).net


def _equalising(setup: Setup, game: PoolGame, left: Sequence[str]) -> dict[str, int]:
    """What each seat gets ahead of the equal parts: one net entry fee for each drop above the fewest.

    Floor and cap of the fee are those of the whole pot, so that one entry is only less its share of fee and levy.
    """
    options: PoolOptions = setup.options
    entry = setup.stakes.entry_minor
    share = FeeTerms(levy_bp=setup.stakes.levy_bp, levy_on=setup.stakes.levy_on)
    net_entry = house_takes(entry, setup.stakes.fee_bp, share).net
    drops = {seat: options.drops_left(game.tally.points[seat]) for seat in left}
    fewest = min(drops.values())
    return {seat: (count - fewest) * net_entry for seat, count in drops.items()}
