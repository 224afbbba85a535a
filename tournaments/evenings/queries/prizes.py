"""Who gets what, as pages show it: what comes in, what the house takes, each prize with its arithmetic, side pots.

Rules: docs/rules/tournaments.md, "Prizes". Read from the prize sheet, which settles the evening too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scoring.evening.plans.plan import Plan
from scoring.evening.prizes.sheet import PrizeSheet, Won
from scoring.messages import Message, message_of, say
from scoring.money.arithmetic import reasons
from scoring.money.formatting import Notation, money
from scoring.money.payouts import FeeTerms
from tournaments.rendering.i18n.translating import told

# What a levy is called that the club has given no name.
UNNAMED = FeeTerms().levy_name


@dataclass(frozen=True, slots=True, kw_only=True)
class SumLine:
    """One line of the account: what it is, and how much. `is_named`: by the club, in words of its own."""

    title: str
    amount: str
    is_named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeRow:
    """The prize of one place, or of level players: whose as it stands, how much, and how it came about."""

    place: str | Message
    names: tuple[str, ...]
    amount: str | Message
    things: tuple[str, ...]
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PotRow:
    """One side pot, and who has won it."""

    name: str
    amount: str
    winners: tuple[str, ...]
    goes: str | Message
    is_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeTable:
    """Everything that a page says about the prizes of an evening."""

    lines: tuple[SumLine, ...]
    rows: tuple[PrizeRow, ...]
    corners: tuple[PrizeRow, ...]
    pots: tuple[PotRow, ...]
    because: tuple[str, ...]
    has_names: bool

    @property
    def is_empty(self) -> bool:
        return not (self.rows or self.corners or self.pots)


def prize_table(
    plan: Plan, sheet: PrizeSheet, notation: Notation, names: Mapping[str, str] | None = None
) -> PrizeTable:
    """A prize sheet in words. Without names players are called by nothing but their places."""
    level = [list(found) for _, found in groupby(sheet.won, key=lambda prize: (prize.title, prize.first))]
    rows = [_row(found, notation, names) for found in level if not found[0].title]
    corners = [_row(found, notation, names) for found in level if found[0].title]
    return PrizeTable(
        lines=tuple(_lines(plan, sheet, notation)),
        rows=tuple(rows),
        corners=tuple(corners),
        pots=tuple(_pots(sheet, notation, names or {})),
        because=reasons(sheet.because, *notation),
        has_names=names is not None,
    )


def in_language_of_page(prizes: PrizeTable) -> PrizeTable:
    """The same in the language of the page; names of pots, levies and things stay as the club wrote them."""
    return replace(
        prizes,
        lines=tuple(line if line.is_named else replace(line, title=told(line.title)) for line in prizes.lines),
        rows=tuple(map(_row_told, prizes.rows)),
        corners=tuple(map(_row_told, prizes.corners)),
        pots=tuple(replace(pot, goes=told(pot.goes)) for pot in prizes.pots),
        because=tuple(map(told, prizes.because)),
    )


def _row_told(row: PrizeRow) -> PrizeRow:
    return replace(row, place=told(row.place), amount=told(row.amount), because=tuple(map(told, row.because)))


def _lines(plan: Plan, sheet: PrizeSheet, notation: Notation) -> Iterator[SumLine]:
    """What comes in and goes out, as far as there is any of it."""
    into = sum(pot.to_prizes_minor for pot in sheet.pots)
    levy = plan.levy_name[:1].upper() + plan.levy_name[1:]
    amounts: Sequence[tuple[str, int]] = (
        ("Entry fees", sheet.taken.gross),
        ("House fee", -sheet.taken.fee),
        (levy, -sheet.taken.levy),
        ("Side pots that nobody won", into),
        ("The club adds", sheet.top_up_minor),
        ("Stays with the club", -sheet.kept_minor),
    )
    for title, amount in amounts:
        if amount:
            is_named = title == levy and plan.levy_name != UNNAMED
            yield SumLine(title=title, amount=money(amount, *notation), is_named=is_named)
    yield SumLine(title="Prizes", amount=money(sheet.pool_minor - sheet.kept_minor, *notation))


def _row(level: Sequence[Won], notation: Notation, names: Mapping[str, str] | None) -> PrizeRow:
    prize = level[0]
    return PrizeRow(
        place=_place(prize),
        names=tuple(names.get(each.player, "a player") for each in level) if names else (),
        amount=_amount(level, notation),
        things=prize.things,
        because=reasons(prize.because, *notation),
    )


def _place(prize: Won) -> str | Message:
    """The place or places; of a stage's or a table's prize with whose it is."""
    first, last = prize.first, prize.last
    if not prize.title:
        return str(first) if first == last else say("{first} to {last}", first=first, last=last)
    where = message_of(prize.title)
    if first == last:
        return say("{where}, place {place}", where=where, place=first)
    return say("{where}, places {first} to {last}", where=where, first=first, last=last)


def _amount(level: Sequence[Won], notation: Notation) -> str | Message:
    """What each of them gets. Where a unit was left over they do not all get the same."""
    amounts = sorted({prize.amount_minor for prize in level if prize.amount_minor}, reverse=True)
    said = [money(amount, *notation) for amount in amounts]
    match said:
        case [most, less]:
            return say("{amount} or {other} each", amount=most, other=less)
        case [amount] if len(level) > 1:
            return say("{amount} each", amount=amount)
    return " or ".join(said)


def _pots(sheet: PrizeSheet, notation: Notation, names: Mapping[str, str]) -> Iterator[PotRow]:
    for pot in sheet.pots:
        unwon = say("not won: to the prizes") if pot.to_prizes_minor else say("not won: carried to the next tournament")
        yield PotRow(
            name=pot.name,
            amount=money(pot.total_minor, *notation),
            winners=tuple(names.get(player, "a player") for player in pot.awards),
            goes=say("won") if pot.is_won else unwon,
            is_won=pot.is_won,
        )
