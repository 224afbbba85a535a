"""Pool rummy: points pile up; whoever reaches the limit is out, and the last seat in takes the pot.

Rules: docs/rules/pool.md, sections 2 (limits), 3 (rejoining), 4 (splits) and 5 (edge cases).
Knows nothing of storage, accounts or the web.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from scoring.rules import events
from scoring.rules.deal_sheets import overcounts, read_sheet, sheet_problems
from scoring.rules.events import Fact
from scoring.rules.money import Payout, divide, house_fee
from scoring.rules.outcomes import DealSheet, deal_result
from scoring.rules.problems import Problem
from scoring.rules.table import Note, SeatView, Setup
from scoring.rules.tallies import Tally, added, blank, with_points
from scoring.rules.variants.pool_options import HOUSE_ROWS, PRESETS, PoolOptions

MOST_SPLITTERS = 3


class PoolGame(msgspec.Struct, frozen=True, kw_only=True):
    """Totals are in `tally.points`. `fresh` are the seats put out by score since the last deal began."""

    tally: Tally
    out: dict[str, int]
    gone: dict[str, int]
    fresh: tuple[str, ...] = ()
    rejoins: dict[str, int] = {}
    back: tuple[str, ...] = ()
    split: Literal["none", "auto", "manual"] = "none"


class Pool:
    """Pool 101, 201, 61, 51 or any other limit."""

    name = "pool"
    title = "Pool rummy"
    summary = "Points pile up; a seat that reaches the limit is out, and the last one in takes the pot."
    announces_changes = False
    seats_allowed = range(2, 11)
    adds_up = False
    race: Literal["total", "chips", "net_points"] = "total"
    options_type = PoolOptions
    game_type = PoolGame
    sheet_type = DealSheet
    presets = PRESETS

    def finish_line(self, setup: Setup) -> int | None:
        return setup.options.limit  # type: ignore[no-any-return]

    def pays_while_open(self, setup: Setup) -> bool:
        return False

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Drops and caps that belong to the limit; a wrong show costs the cap."""
        limit = given.get("limit", 101)
        row: dict[str, Any] = dict(HOUSE_ROWS.get(limit, {})) if isinstance(limit, int) else {}
        return {**row, "wrong_show": given.get("cap", row.get("cap", 80)), **given}

    def setup_problems(self, setup: Setup) -> list[Problem]:
        options: PoolOptions = setup.options
        problems = []
        if options.first_drop > options.middle_drop:
            detail = f"a first drop ({options.first_drop}) cannot cost more than a middle drop ({options.middle_drop})"
            problems.append(Problem(code="out_of_range", field="first_drop", detail=detail))
        if options.middle_drop > options.cap:
            detail = f"a middle drop ({options.middle_drop}) cannot cost more than a full count ({options.cap})"
            problems.append(Problem(code="out_of_range", field="middle_drop", detail=detail))
        return problems

    def read_sheet(self, raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[DealSheet | None, list[Problem]]:
        return read_sheet(raw, seats)

    def start(self, setup: Setup) -> PoolGame:
        return PoolGame(tally=blank(setup.seats), out={}, gone={})

    def in_play(self, setup: Setup, game: PoolGame) -> tuple[str, ...]:
        return tuple(seat for seat in setup.seats if seat not in game.out)

    def check(self, setup: Setup, game: PoolGame, fact: Fact) -> list[Problem]:
        match fact:
            case events.DealRecorded():
                return _finished_problems(setup, game) + sheet_problems(
                    fact.sheet, setup.options, self.in_play(setup, game)
                )
            case events.Rejoined():
                return rejoin_problems(setup, game, fact.seat)
            case events.SplitAgreed():
                return split_problems(setup, game)
            case events.SeatLeft():
                return _finished_problems(setup, game) + _not_in_problems(game, fact.seat)
            case events.PenaltyGiven():
                return [] if game.split == "none" and fact.seat not in game.gone else _over(fact.seat)
            case events.TableClosed():
                return [] if self.is_finished(setup, game) else [_unfinished(self.in_play(setup, game))]
        return [Problem(code="not_in_this_variant", detail=f"{fact.kind} has no place at a pool table")]

    def apply(self, setup: Setup, game: PoolGame, fact: Fact) -> PoolGame:
        match fact:
            case events.DealRecorded():
                return _after_deal(setup, game, fact)
            case events.Rejoined():
                return _after_rejoin(setup, game, fact.seat)
            case events.SplitAgreed():
                return msgspec.structs.replace(game, split="manual")
            case events.SeatLeft():
                left = {fact.seat: game.tally.last_deal}
                return msgspec.structs.replace(game, out=game.out | left, gone=game.gone | left)
            case events.PenaltyGiven():
                return _after_penalty(setup, game, fact)
        return game

    def seats(self, setup: Setup, game: PoolGame) -> dict[str, SeatView]:
        return {seat: _seat_view(setup, game, seat) for seat in setup.seats}

    def is_finished(self, setup: Setup, game: PoolGame) -> bool:
        return game.split != "none" or len(setup.seats) - len(game.out) <= 1

    def winners(self, setup: Setup, game: PoolGame) -> tuple[str, ...]:
        return _winners(setup, game)

    def payouts(self, setup: Setup, game: PoolGame) -> tuple[Payout, ...]:
        """The whole pot less the fee, once the table is decided."""
        return (_pot(setup, game),) if self.is_finished(setup, game) else ()

    def story(self, setup: Setup, before: PoolGame, fact: Fact, after: PoolGame) -> tuple[Note, ...]:
        return _story(setup, before, after)

    def typing_problems(self, setup: Setup, fact: Fact) -> list[Problem]:
        return overcounts(fact.sheet, setup.options) if isinstance(fact, events.DealFact) else []


def rejoin_problems(setup: Setup, game: PoolGame, seat: str) -> list[Problem]:
    """Why a seat may not rejoin now; none when it may."""
    options: PoolOptions = setup.options
    problems = []
    if seat not in game.fresh or seat in game.gone or game.split != "none":
        detail = "{seat} can rejoin only after going out by score, before the next deal"
        problems.append(Problem(code="rejoin_too_late", seat=seat, field="seat", detail=detail))
    survivors = _survivors(setup, game)
    highest = max((game.tally.points[s] for s in survivors), default=0)
    if highest > options.rejoin_threshold:
        detail = f"{{seat}} cannot rejoin: the highest total is {highest}, above {options.rejoin_threshold}"
        problems.append(Problem(code="rejoin_over_threshold", seat=seat, field="seat", detail=detail))
    if len(survivors) < (1 if options.rejoin_when_one_left else 2):
        detail = f"{{seat}} cannot rejoin: {len(survivors)} left in, so the game is over"
        problems.append(Problem(code="rejoin_game_over", seat=seat, field="seat", detail=detail))
    if options.max_rejoins is not None and game.rejoins.get(seat, 0) >= options.max_rejoins:
        detail = f"{{seat}} has rejoined {game.rejoins.get(seat, 0)} times; this table allows {options.max_rejoins}"
        problems.append(Problem(code="rejoin_used_up", seat=seat, field="seat", detail=detail))
    dearest = options.rejoin_entry_below_minor
    if dearest is not None and setup.stakes.entry_minor >= dearest:
        detail = f"{{seat}} cannot rejoin: no rejoin from an entry fee of {dearest} minor units on"
        problems.append(Problem(code="rejoin_not_at_this_entry", seat=seat, field="seat", detail=detail))
    return problems


def split_problems(setup: Setup, game: PoolGame) -> list[Problem]:
    """Why the seats still in may not split the pot by agreement now; none when they may."""
    options: PoolOptions = setup.options
    left = [seat for seat in setup.seats if seat not in game.out]
    problems = _finished_problems(setup, game)
    if options.splits not in ("manual", "auto_and_manual"):
        problems.append(Problem(code="split_not_allowed", detail="this table does not split by agreement"))
    if not 2 <= len(left) <= MOST_SPLITTERS:
        detail = f"{len(left)} seats are in; a split is for two or three"
        problems.append(Problem(code="split_wrong_number", detail=detail))
    if options.split_needs_fewer_than_started and len(left) >= len(setup.seats):
        detail = f"all {len(left)} seats are still in; a split needs fewer than started"
        problems.append(Problem(code="split_nobody_out", detail=detail))
    return problems or _split_money_problems(setup, game, left)


def _split_money_problems(setup: Setup, game: PoolGame, left: Sequence[str]) -> list[Problem]:
    """The pot must pay for the drops by which the seats differ."""
    options: PoolOptions = setup.options
    drops = {seat: options.drops_left(game.tally.points[seat]) for seat in left}
    difference = max(drops.values()) - min(drops.values())
    most = options.split_most_drop_difference
    problems = []
    if most is not None and len(left) == MOST_SPLITTERS and difference > most:
        detail = f"drops left differ by {difference}; this table splits among three up to {most}"
        problems.append(Problem(code="split_drops_differ", detail=detail))
    rest = _net_pot(setup, game) - sum(_equalising(setup, game, left).values())
    least = setup.stakes.entry_minor if options.split_pool_left == "one_entry" else 0
    if rest < least:
        detail = f"after equalising drops the pot would hold {rest} minor units; a split needs {least}"
        problems.append(Problem(code="split_pot_too_small", detail=detail))
    return problems


def _after_deal(setup: Setup, game: PoolGame, fact: events.DealRecorded[DealSheet]) -> PoolGame:
    """Points added, everyone over the limit out at once, and the auto split looked at."""
    options: PoolOptions = setup.options
    playing = [seat for seat in setup.seats if seat not in game.out] if game.out else setup.seats
    result = deal_result(fact.sheet, options, playing)
    tally = added(game.tally, fact.deal, result)
    left, highest, total = result.left, options.highest_in, tally.points
    crossed = tuple([s for s in playing if total[s] > highest and s not in left])
    out, gone = game.out, game.gone
    if crossed or left:
        out = out | dict.fromkeys((*crossed, *left), fact.deal)
        gone = gone | dict.fromkeys(left, fact.deal)
    split = _auto_split(setup, tally, out)
    return PoolGame(tally=tally, out=out, gone=gone, fresh=crossed, rejoins=game.rejoins, split=split)


def _auto_split(setup: Setup, tally: Tally, out: Mapping[str, int]) -> Literal["none", "auto"]:
    """Auto split when two or three are left, fewer than started, and none of them can drop again."""
    options: PoolOptions = setup.options
    count = len(setup.seats) - len(out)
    if not 2 <= count <= MOST_SPLITTERS or options.splits not in ("auto", "auto_and_manual"):
        return "none"
    if options.split_needs_fewer_than_started and count >= len(setup.seats):
        return "none"
    totals = [tally.points[seat] for seat in setup.seats if seat not in out]
    if options.auto_split_when == "at_least":
        return "auto" if min(totals) >= options.auto_split_total else "none"
    return "auto" if all(options.drops_left(total) == 0 for total in totals) else "none"


def _after_rejoin(setup: Setup, game: PoolGame, seat: str) -> PoolGame:
    """Back in at the highest survivor's total plus one; all who rejoin after one deal get the same."""
    highest = max((game.tally.points[s] for s in _survivors(setup, game)), default=0)
    return PoolGame(
        tally=with_points(game.tally, seat, highest + 1),
        out={s: deal for s, deal in game.out.items() if s != seat},
        gone=game.gone,
        fresh=tuple(s for s in game.fresh if s != seat),
        rejoins=game.rejoins | {seat: game.rejoins.get(seat, 0) + 1},
        back=(*game.back, seat),
    )


def _after_penalty(setup: Setup, game: PoolGame, fact: events.PenaltyGiven) -> PoolGame:
    """Penalty points count like hand points; they can put a seat out."""
    options: PoolOptions = setup.options
    tally = with_points(game.tally, fact.seat, game.tally.points[fact.seat] + fact.points)
    is_out = fact.seat in game.out or tally.points[fact.seat] <= options.highest_in
    out = game.out if is_out else game.out | {fact.seat: tally.last_deal}
    fresh = game.fresh if is_out else (*game.fresh, fact.seat)
    return msgspec.structs.replace(game, tally=tally, out=out, fresh=fresh, split=_auto_split(setup, tally, out))


def _survivors(setup: Setup, game: PoolGame) -> list[str]:
    """Seats that were never out since the last deal: those who just rejoined do not count for each other."""
    return [seat for seat in setup.seats if seat not in game.out and seat not in game.back]


def _seat_view(setup: Setup, game: PoolGame, seat: str) -> SeatView:
    options: PoolOptions = setup.options
    total = game.tally.points[seat]
    is_in = seat not in game.out
    return SeatView(
        rank_key=_rank_key(game, seat),
        total=total,
        is_in=is_in,
        out_in_deal=game.out.get(seat),
        drops_left=options.drops_left(total) if is_in else 0,
        may_rejoin=seat in game.fresh and not rejoin_problems(setup, game, seat),
        deals_won=game.tally.won[seat],
        wrong_shows=game.tally.wrong_shows[seat],
        drops=game.tally.drops[seat],
    )


def _rank_key(game: PoolGame, seat: str) -> tuple[int, ...]:
    """In before out, later out before earlier, lower totals first; those who split share the first place."""
    if seat in game.out:
        return (1, -game.out[seat], game.tally.points[seat])
    return (0, 0, 0) if game.split != "none" else (0, 0, game.tally.points[seat])


def _winners(setup: Setup, game: PoolGame) -> tuple[str, ...]:
    """Whoever is left in; where everyone crossed at once, the lowest total among them."""
    left = tuple(seat for seat in setup.seats if seat not in game.out)
    if left:
        return left
    best = min(_rank_key(game, seat) for seat in setup.seats)
    return tuple(seat for seat in setup.seats if _rank_key(game, seat) == best)


def _net_pot(setup: Setup, game: PoolGame) -> int:
    gross = setup.stakes.entry_minor * (len(setup.seats) + sum(game.rejoins.values()))
    return gross - house_fee(gross, setup.stakes.fee_bp)


def _equalising(setup: Setup, game: PoolGame, left: Sequence[str]) -> dict[str, int]:
    """What each seat gets ahead of the equal parts: one net entry fee for each drop above the fewest."""
    options: PoolOptions = setup.options
    entry = setup.stakes.entry_minor
    net_entry = entry - house_fee(entry, setup.stakes.fee_bp)
    drops = {seat: options.drops_left(game.tally.points[seat]) for seat in left}
    fewest = min(drops.values())
    return {seat: (count - fewest) * net_entry for seat, count in drops.items()}


def _pot(setup: Setup, game: PoolGame) -> Payout:
    """Every entry and rejoin in, the prize and the fee out."""
    entry = setup.stakes.entry_minor
    charges = {seat: entry * (1 + game.rejoins.get(seat, 0)) for seat in setup.seats}
    gross = sum(charges.values())
    fee = house_fee(gross, setup.stakes.fee_bp)
    heirs = sorted(_winners(setup, game), key=lambda seat: (game.tally.points[seat], setup.seats.index(seat)))
    ahead = _equalising(setup, game, heirs) if game.split == "manual" else dict.fromkeys(heirs, 0)
    parts = divide(gross - fee - sum(ahead.values()), heirs)
    awards = {seat: ahead[seat] + parts[seat] for seat in heirs}
    because = (
        f"{len(setup.seats)} entries and {sum(game.rejoins.values())} rejoins of {entry} make {gross}",
        f"fee {setup.stakes.fee_bp} basis points of {gross} is {fee}",
        *(f"{{{seat}}}: {ahead[seat]} for drops left and {parts[seat]} as an equal part" for seat in heirs),
    )
    return Payout(slot="table", charges=charges, awards=awards, fee=fee, because=because)


def _story(setup: Setup, before: PoolGame, after: PoolGame) -> tuple[Note, ...]:
    """Who went out, who came back, who may rejoin, and whether the pot is split."""
    limit = setup.options.limit
    was, now = before.tally.points, after.tally.points
    notes = [
        Note(
            code="out",
            seat=seat,
            text=f"{{seat}}: {was[seat]} + {now[seat] - was[seat]} = {now[seat]}, out of {limit}",
        )
        for seat in after.out
        if seat not in before.out and seat not in after.gone
    ]
    notes += [Note(code="left", seat=s, text="{seat} left the table") for s in after.gone if s not in before.gone]
    notes += [
        Note(code="rejoined", seat=seat, text=f"{{seat}} is back in with {now[seat]}")
        for seat in before.out
        if seat not in after.out
    ]
    notes += [
        Note(code="may_rejoin", seat=seat, text="{seat} may rejoin before the next deal")
        for seat in after.fresh
        if seat not in before.fresh and not rejoin_problems(setup, after, seat)
    ]
    if after.split not in (before.split, "none"):
        how = "nobody left can drop again" if after.split == "auto" else "all seats left agreed"
        notes.append(Note(code="split", text=f"The pot is split: {how}"))
    return tuple(notes)


def _finished_problems(setup: Setup, game: PoolGame) -> list[Problem]:
    if game.split == "none" and len(setup.seats) - len(game.out) > 1:
        return []
    return [Problem(code="table_finished", detail=f"the table was decided in deal {game.tally.last_deal}")]


def _not_in_problems(game: PoolGame, seat: str) -> list[Problem]:
    if seat not in game.out:
        return []
    return [Problem(code="seat_is_out", seat=seat, field="seat", detail="{seat} is already out")]


def _over(seat: str) -> list[Problem]:
    detail = "{seat} is no longer part of an open result; a penalty cannot follow"
    return [Problem(code="table_finished", seat=seat, field="seat", detail=detail)]


def _unfinished(left: Sequence[str]) -> Problem:
    detail = f"{len(left)} seats are still in: play on, agree on a split, or cancel the table"
    return Problem(code="not_finished", detail=detail)
