"""The prizes for pages: income, the house fee, each prize with its calculation, side pots.

Rules: docs/rules/tournaments.md, "Prizes". Read from the prize sheet, which is also what is settled.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scoring.messages import Message, say
from scoring.money.formatting import Notation, money
from scoring.money.reasons import UNNAMED, reasons
from scoring.tournament.plans import Plan
from scoring.tournament.prizes import PrizeSheet, Won
from scoring.tournament.prizes.reasons import PotLeft
from tournaments.rendering.i18n.translating import spoken, translate

# A message, or a name or amount that is shown as it is.
Said = str | Message


@dataclass(frozen=True, slots=True, kw_only=True)
class SumLine:
    """One line of the account: its title, as a message or as named by the club, and the amount.

    A sum is that of all lines above it since the sum before, and of that sum.
    """

    title: Said
    amount: str
    is_sum: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeRow:
    """The prize of one place, or of tied players: the players at present, the amount, and its calculation."""

    place: Said
    names: tuple[str, ...]
    amount: Said
    things: tuple[str, ...]
    because: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PotRow:
    """One side pot, its winners or where it goes without one, and its calculation."""

    name: str
    amount: str
    winners: tuple[str, ...]
    goes: Said
    is_won: bool
    because: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeTable:
    """Everything that a page shows about the prizes of a tournament."""

    lines: tuple[SumLine, ...]
    rows: tuple[PrizeRow, ...]
    corners: tuple[PrizeRow, ...]
    pots: tuple[PotRow, ...]
    because: tuple[Said, ...]
    has_names: bool
    is_closed: bool

    @property
    def is_empty(self) -> bool:
        return not (self.rows or self.corners or self.pots)


def prize_table(
    plan: Plan,
    sheet: PrizeSheet,
    notation: Notation,
    names: Mapping[str, str] | None = None,
    *,
    is_closed: bool = False,
) -> PrizeTable:
    """A prize sheet as text. Without `names` only the places are shown. Until it is closed a side pot can be won."""
    level = [
        list(shared_prizes) for _, shared_prizes in groupby(sheet.won, key=lambda prize: (prize.title, prize.first))
    ]
    rows = [_row(shared_prizes, notation, names) for shared_prizes in level if not shared_prizes[0].title]
    corners = [_row(shared_prizes, notation, names) for shared_prizes in level if shared_prizes[0].title]
    return PrizeTable(
        lines=(*_lines(plan, sheet, notation), *_pot_lines(sheet, notation, is_closed=is_closed)),
        rows=tuple(rows),
        corners=tuple(corners),
        pots=tuple(_pots(sheet, notation, names or {}, is_closed=is_closed)),
        because=reasons(sheet.because, *notation),
        has_names=names is not None,
        is_closed=is_closed,
    )


def in_language_of_page(prizes: PrizeTable) -> PrizeTable:
    """The same in the language of the page; names of pots, levies and non-cash prizes stay as the club wrote them."""
    return replace(
        prizes,
        lines=tuple(replace(line, title=spoken(line.title)) for line in prizes.lines),
        rows=tuple(map(_row_spoken, prizes.rows)),
        corners=tuple(map(_row_spoken, prizes.corners)),
        pots=tuple(replace(pot, goes=spoken(pot.goes), because=tuple(map(spoken, pot.because))) for pot in prizes.pots),
        because=tuple(map(spoken, prizes.because)),
    )


def _row_spoken(row: PrizeRow) -> PrizeRow:
    return replace(row, place=spoken(row.place), amount=spoken(row.amount), because=tuple(map(spoken, row.because)))


def _lines(plan: Plan, sheet: PrizeSheet, notation: Notation) -> Iterator[SumLine]:
    """Income and expenses, without zero amounts."""
    into = sum(pot.to_prizes_minor for pot in sheet.pots)
    amounts: Sequence[tuple[Said, int]] = (
        (say("Entry fees"), sheet.taken.gross),
        (say("House fee"), -sheet.taken.fee),
        (levy_title(plan, notation), -sheet.taken.levy),
        (say("Side pots that nobody won"), into),
        (say("The club adds"), sheet.top_up_minor),
        (say("Stays with the club"), -sheet.kept_minor),
    )
    for title, amount in amounts:
        if amount:
            yield SumLine(title=title, amount=money(amount, *notation))
    yield SumLine(title=say("Prizes"), amount=money(sheet.pool_minor - sheet.kept_minor, *notation), is_sum=True)


def _pot_lines(sheet: PrizeSheet, notation: Notation, *, is_closed: bool) -> Iterator[SumLine]:
    """The side pots beside the prizes, and all of it; once closed less what is carried on, so that it is what is won.

    A pot that goes to the prizes is in their sum already.
    """
    pots = {pot.name: amount for pot in sheet.pots if (amount := pot.total_minor - pot.to_prizes_minor)}
    if not pots:
        return
    for name, amount in pots.items():
        yield SumLine(title=say("Side pot: {name}", name=name), amount=money(amount, *notation))
    carried = sum(pot.carried_minor for pot in sheet.pots) if is_closed else 0
    if carried:
        yield SumLine(title=say("Carried to the next tournament"), amount=money(-carried, *notation))
    total = sheet.pool_minor - sheet.kept_minor + sum(pots.values()) - carried
    yield SumLine(title=say("Prizes and side pots"), amount=money(total, *notation), is_sum=True)


def levy_title(plan: Plan, notation: Notation) -> Message:
    """The name of the levy, its rate, and on what it is taken."""
    name = say("Levy") if plan.levy_name == UNNAMED else plan.levy_name[:1].upper() + plan.levy_name[1:]
    rate = notation.percent(plan.levy_bp)
    if plan.levy_on == "fee":
        return say("{levy}, {rate} of the house fee", levy=name, rate=rate)
    return say("{levy}, {rate} of all that is paid in", levy=name, rate=rate)


def _row(level: Sequence[Won], notation: Notation, names: Mapping[str, str] | None) -> PrizeRow:
    prize = level[0]
    return PrizeRow(
        place=place_of(prize),
        names=tuple(names.get(won_prize.player) or translate(say("a player")) for won_prize in level) if names else (),
        amount=_amount(level, notation),
        things=prize.things,
        because=reasons(prize.because, *notation),
    )


def place_of(prize: Won) -> Said:
    """The place or places of a prize; for one of a stage or a table with its title."""
    first, last = prize.first, prize.last
    where = prize.title
    if where is None:
        return str(first) if first == last else say("{first} to {last}", first=first, last=last)
    if first == last:
        return say("{where}, place {place}", where=where, place=first)
    return say("{where}, places {first} to {last}", where=where, first=first, last=last)


def _amount(level: Sequence[Won], notation: Notation) -> Said:
    """The amount for each player. If a rounding unit is left over the amounts differ."""
    amounts = sorted({prize.amount_minor for prize in level if prize.amount_minor}, reverse=True)
    texts = [money(amount, *notation) for amount in amounts]
    match texts:
        case [most, less]:
            return say("{amount} or {other} each", amount=most, other=less)
        case [most, *_, less]:
            return say("{first} to {last}", first=less, last=most)
        case [amount] if len(level) > 1:
            return say("{amount} each", amount=amount)
    return texts[0] if texts else ""


def _pots(sheet: PrizeSheet, notation: Notation, names: Mapping[str, str], *, is_closed: bool) -> Iterator[PotRow]:
    for pot in sheet.pots:
        # Until the end somebody may win it.
        because = [reason for reason in pot.because if is_closed or not isinstance(reason, PotLeft)]
        unwon = say("not won: to the prizes") if pot.to_prizes_minor else say("not won: carried to the next tournament")
        yield PotRow(
            name=pot.name,
            amount=money(pot.total_minor, *notation),
            winners=tuple(names.get(player) or translate(say("a player")) for player in pot.awards),
            goes=say("won") if pot.is_won else unwon,
            is_won=pot.is_won,
            because=reasons(because, *notation),
        )
