"""The prize sheet of a tournament: income, what the house takes, and each player's prize with its arithmetic.

Rules: docs/rules/tournaments.md, "Prizes" and "Fees". The only source for previews, settlement and pages. All income,
the club's addition too, becomes a prize, a fee, a levy or is carried over. Knows nothing of accounts or names.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import msgspec

from scoring.messages import Message
from scoring.money.payouts import (
    Payout,
    Placed,
    Taken,
    by_player,
    house_takes,
    level_groups,
    levy_on,
    paid_places,
    paid_weights,
    shares,
    weights_for,
)
from scoring.money.reasons import ClubAdds, Kept, Made, Reason, ScaledDown, Times
from scoring.tournament.plans import Plan
from scoring.tournament.plans.prizes import PlanPrizes
from scoring.tournament.prizes.reasons import PlacePrize, PotSheet, PrizeParts, Share, TiedPrizes, pot_sheets
from scoring.tournament.standings import Corner, Finish, expected_finish
from scoring.tournament.state.fees import Entries, Owed

NOBODY: Mapping[str, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """One prize of one player: the place, of which stage or table, the amount, and prizes in kind."""

    player: str
    title: Message | None
    first: int
    last: int
    amount_minor: int
    things: tuple[str, ...] = ()
    because: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeSheet:
    """All money of a tournament. `because` are the lines that belong to no single player.

    `is_payable`: at least one player has a place, so that all of the money belongs to players.
    """

    entries: Entries
    taken: Taken
    pool_minor: int
    top_up_minor: int
    kept_minor: int
    won: tuple[Won, ...]
    pots: tuple[PotSheet, ...]
    because: tuple[Reason, ...]
    is_payable: bool = True

    @property
    def prizes(self) -> dict[str, int]:
        """Each player's prizes, without side pots."""
        amount_by_player: Counter[str] = Counter()
        for prize in self.won:
            amount_by_player[prize.player] += prize.amount_minor
        return {player: amount for player, amount in amount_by_player.items() if amount}

    @property
    def awards(self) -> dict[str, int]:
        """What each player receives, with side pots."""
        award_by_player = Counter(self.prizes)
        for pot in self.pots:
            award_by_player.update(pot.awards)
        return dict(award_by_player)

    @property
    def house(self) -> dict[str, int]:
        """What accounts of the club receive beside the fee, or give where it is negative."""
        pots = {f"side_pot:{pot.name}": pot.carried_minor - pot.brought_minor for pot in self.pots}
        amounts = {**self.taken.house, "guarantee": self.kept_minor - self.top_up_minor, **pots}
        return {word: amount for word, amount in amounts.items() if amount}

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """All the arithmetic, line by line: income, each prize once, and the side pots."""
        prizes = dict.fromkeys(line for prize in self.won for line in prize.because)
        return (*self.because, *prizes, *(line for pot in self.pots for line in pot.because))

    def payout(self, slot: str) -> Payout:
        """All of it as one payout."""
        return Payout(
            slot=slot,
            charges=self.entries.charges,
            awards=self.awards,
            fee=self.taken.fee,
            house=self.house,
            because=self.reasons,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ladder:
    """Prizes by place in the tournament, a stage or at a table, and the players in these places."""

    corner: Corner
    amounts: tuple[int, ...]
    lines: tuple[PrizeParts, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pool:
    """The money for prizes before any is given: what came in, what the club adds, and why."""

    net: int
    minor: int
    line: Reason | None = None


def prize_sheet(
    plan: Plan, entries: Entries, finish: Finish, won: Mapping[str, tuple[str, ...]] = NOBODY
) -> PrizeSheet:
    """Who gets what. `won` names the winners of side pots. Without places there are no prizes and no additions."""
    house_share = _taken(plan, entries)
    pots = pot_sheets(plan.side_pots, entries, won)
    net = house_share.net + sum(pot.to_prizes_minor for pot in pots)
    promised = list(_promised(plan, finish))
    pool = _pool(plan, net, sum(sum(ladder.amounts) for ladder in promised), is_played=bool(finish.places))
    ladders, kept_minor, lines = _shared(plan, pool.minor, promised, finish)
    return PrizeSheet(
        entries=entries,
        taken=house_share,
        pool_minor=pool.minor,
        top_up_minor=pool.minor - net,
        kept_minor=kept_minor,
        won=tuple(prize for ladder in ladders for prize in _given(plan, ladder)),
        pots=pots,
        because=(*house_share.because, *([pool.line] if pool.line else []), *lines),
        is_payable=bool(finish.places),
    )


def expected_sheet(plan: Plan, *, players: int, entry_minor: int, fee_bp: int) -> PrizeSheet:
    """The prizes for so many players at the full fee. Side pots that players may choose to join are not estimated."""
    pots = {pot.name: pot.contribution_minor for pot in plan.side_pots if pot.joins == "everybody"}
    owed = Owed(entries=(entry_minor,), pots=pots)
    entries = Entries(by_player={str(number): owed for number in range(1, players + 1)}, fee_bp=fee_bp)
    return prize_sheet(plan, entries, expected_finish(plan, players))


def _taken(plan: PlanPrizes, entries: Entries) -> Taken:
    """The house's part: of everything at once, or entry by entry where the fee has bounds."""
    paid = sorted(Counter(amount for owed in entries.by_player.values() for amount in owed.entries if amount).items())
    lines: list[Reason] = [Made(times, "entries", entry_minor) for entry_minor, times in reversed(paid)]
    gross = sum(entry_minor * times for entry_minor, times in paid)
    if not plan.fee_floor_minor and plan.fee_cap_minor is None:
        whole = house_takes(gross, entries.fee_bp, plan)
        return Taken(gross=gross, fee=whole.fee, levy=whole.levy, because=(*lines, *whole.because))
    # With "pot" one levy on all of it: it is rounded once, not for every entry.
    is_levied_once = plan.levy_rounding == "pot"
    terms = msgspec.structs.replace(plan, levy_bp=0) if is_levied_once else plan
    fee = levy = 0
    for entry_minor, times in reversed(paid):
        house_share = house_takes(entry_minor, entries.fee_bp, terms)
        fee, levy = fee + house_share.fee * times, levy + house_share.levy * times
        lines += [Times(times, line) for line in house_share.because]
    if is_levied_once:
        levy, levied = levy_on(gross, fee, plan)
        lines += levied
    return Taken(gross=gross, fee=fee, levy=levy, because=tuple(lines))


def _promised(plan: PlanPrizes, finish: Finish) -> Iterator[_Ladder]:
    """Fixed amounts for places that are taken; those of the whole tournament first."""
    whole = Corner(stage=0, title=None, placed=finish.places)
    yield _Ladder(corner=whole, amounts=plan.fixed_minor[: len(finish.places)])
    amounts = {(prizes.stage, prizes.of == "each_table"): prizes.amounts_minor for prizes in plan.stage_prizes}
    for corner in finish.corners:
        corner_amounts = amounts.get((corner.stage, corner.is_table), ())[: len(corner.placed)]
        if corner_amounts:
            yield _Ladder(corner=corner, amounts=corner_amounts)


def _pool(plan: PlanPrizes, net: int, promised: int, *, is_played: bool) -> _Pool:
    """The guarantee first, then what fixed amounts need beyond it."""
    least = plan.guaranteed_minor if is_played else 0
    if plan.short == "top_up" and promised > max(net, least):
        return _Pool(net=net, minor=promised, line=ClubAdds("fixed", promised, promised - net))
    if least > net:
        return _Pool(net=net, minor=least, line=ClubAdds("guaranteed", least, least - net))
    return _Pool(net=net, minor=net)


def _shared(
    plan: PlanPrizes, pool: int, promised: Sequence[_Ladder], finish: Finish
) -> tuple[list[_Ladder], int, list[Reason]]:
    """Fixed amounts as far as the money goes, then the rest by shares, or kept by the club; with their lines."""
    fixed = [amount for ladder in promised for amount in ladder.amounts]
    lines: list[Reason] = []
    if sum(fixed) > pool:
        lines.append(ScaledDown(sum(fixed), pool))
        fixed = list(shares(pool, fixed, leftover=plan.leftover))
    scaled = iter(fixed)
    ladders = [_ladder(ladder, [next(scaled) for _ in ladder.amounts]) for ladder in promised]
    rest = pool - sum(fixed)
    if plan.over == "fund" or not finish.places:
        kept_minor = rest if finish.places else 0
        return ladders, kept_minor, [*lines, *([Kept(kept_minor, pool)] if kept_minor else [])]
    return [_with_shares(plan, ladders[0], rest), *ladders[1:]], 0, lines


def _ladder(ladder: _Ladder, amounts: Sequence[int]) -> _Ladder:
    """The fixed amounts that are paid, each with what was promised where that was more."""
    lines = tuple(
        PrizeParts(fixed=amount, promised=None if amount == was else was)
        for amount, was in zip(amounts, ladder.amounts, strict=True)
    )
    return _Ladder(corner=ladder.corner, amounts=tuple(amounts), lines=lines)


def _with_shares(plan: PlanPrizes, ladder: _Ladder, rest: int) -> _Ladder:
    """The fixed amounts of the tournament's places and, for each, its share of the rest."""
    field = len(ladder.corner.placed)
    if not rest:
        return ladder
    table = paid_weights(paid_places(field, plan.paid_share_bp)) if plan.paid_share_bp else plan.prizes_bp
    weights = weights_for(table, field)
    parts = shares(rest, weights, leftover=plan.leftover)
    leftover_minor = parts[0] - rest * weights[0] // sum(weights) if plan.leftover == "first_place" else 0
    amounts, lines = [], []
    for place, (amount, part) in enumerate(zip_longest(ladder.amounts, parts)):
        line = ladder.lines[place] if amount else PrizeParts()
        if part is not None:
            over = leftover_minor if place == 0 else 0
            line = msgspec.structs.replace(line, share=Share(weights[place], sum(weights), rest, over))
        amounts.append((amount or 0) + (part or 0))
        lines.append(line)
    return _Ladder(corner=ladder.corner, amounts=tuple(amounts), lines=tuple(lines))


def _given(plan: PlanPrizes, ladder: _Ladder) -> Iterator[Won]:
    """The prizes of a ladder, by player. Prizes in kind of tied places are listed for all tied players."""
    placed, is_tournament = ladder.corner.placed, ladder.corner.title is None
    won = by_player(placed, ladder.amounts, leftover=plan.leftover)
    groups = list(_tied(placed))
    for first, last, tied in groups:
        things = plan.things[first - 1 : last] if is_tournament else ()
        if not things and not any(player in won for player in tied):
            continue
        because = tuple(_place_reasons(ladder, first, last, plan.leftover))
        if first == 1 and plan.leftover == "first_place":
            because += tuple(_left_by_others(ladder, groups[1:], plan.leftover))
        for player in tied:
            yield Won(
                player=player,
                title=ladder.corner.title,
                first=first,
                last=last,
                amount_minor=won.get(player, 0),
                things=things,
                because=because,
            )


def _tied(placed: Sequence[Placed]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The first and the last place of tied players, and who they are."""
    before = 0
    for tied in level_groups(placed):
        yield before + 1, before + len(tied), tied
        before += len(tied)


def _place_reasons(ladder: _Ladder, first: int, last: int, leftover: str) -> Iterator[Reason]:
    """How a place's prize is calculated, and how tied players divide theirs."""
    where = ladder.corner.title
    for place in range(first, min(last, len(ladder.amounts)) + 1):
        if ladder.amounts[place - 1]:
            yield PlacePrize(where, place, ladder.lines[place - 1], ladder.amounts[place - 1])
    total = sum(ladder.amounts[first - 1 : last])
    if last > first and total:
        yield TiedPrizes(where, first, last, total, to_first=leftover == "first_place")


def _left_by_others(
    ladder: _Ladder, groups: Sequence[tuple[int, int, tuple[str, ...]]], leftover: str
) -> Iterator[Reason]:
    """The lines of places whose prizes could not be divided: the first place gets what is left over."""
    for first, last, tied in groups:
        if sum(ladder.amounts[first - 1 : last]) % len(tied):
            yield list(_place_reasons(ladder, first, last, leftover))[-1]
