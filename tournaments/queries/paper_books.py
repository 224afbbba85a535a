"""The books on paper: trial balance, journal, and what one player paid and got.

Rules: docs/paper.md. The same numbers as in the files (docs/books.md), as people read them. No date on them is the
day of printing: printed again from the same books, a sheet is the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db.models import Max

from scoring.exports import AccountBalance, BookedEntry, BookedPosting
from scoring.ledger import StatementLine, player_statement
from scoring.ledger.journal import account_balances, booked_entries, kind_balances
from scoring.models import JournalEntry
from scoring.settlement import AccountKind, Purpose
from scoring.settlement.printing import money
from tournaments.models import Player
from tournaments.paper import Column, Document, Facts, Kind, Part, Row, Table, Words
from tournaments.queries.causes import cause_names
from tournaments.queries.extracts import Extract, names_of, scope_of

BALANCED = (
    "The books balance. What the club owes is positive: players' winnings, the house's fees. Money in the cash box is "
    "negative, because the club owes it to everybody else."
)
UNBALANCED = "THE BOOKS DO NOT BALANCE. Run manage.py check_ledger before anybody is paid."
NOTHING = "No money has moved."
_SUMS = tuple(Column(title=title, kind=Kind.NUMBER) for title in ("Before", "Debit", "Credit", "Balance"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """How an extract's amounts and accounts are called."""

    locale: str
    names: dict[str, str]

    def money(self, amount_minor: int, currency: str) -> str:
        return money(amount_minor, currency, self.locale)

    def account(self, kind: AccountKind, owner: str) -> str:
        said = kind.value.replace("_", " ").capitalize()
        if not owner:
            return said
        name = self.names.get(owner)
        if kind is AccountKind.PLAYER:
            return name or "A player who is not here any more"
        return f"{said}: {name}" if name else said


def trial_balance_document(extract: Extract) -> Document:
    """What each kind of account held before, what moved, and what it holds; then every account."""
    told = _told(extract)
    by_kind, accounts = kind_balances(scope_of(extract)), account_balances(scope_of(extract))
    parts: list[Part] = [_period(extract)]
    for currency, lines in groupby(by_kind, key=lambda line: line.currency):
        held = list(lines)
        parts += [_balances(f"Trial balance, {currency}", held, told), _verdict(held)]
        parts.append(_balances(f"Accounts, {currency}", [each for each in accounts if each.currency == currency], told))
    if not by_kind:
        parts.append(Words(text=NOTHING))
    return Document(house=extract.title, title="Trial balance", parts=tuple(parts), foot=_as_of(extract))


def journal_document(extract: Extract) -> Document:
    """Every entry in the order in which it was booked, a line for each posting, and the sums of both sides."""
    told, entries = _told(extract), list(booked_entries(scope_of(extract), extract.zone))
    causes = cause_names({entry.cause for entry in entries})
    ends = {entry.reference: _what(causes[entry.cause], entry.slot) for entry in entries}
    rows = [row for entry in entries for row in _entry_rows(entry, ends, told)]
    columns = (
        Column(title="When", kind=Kind.FIRM),
        Column(title="Entry"),
        Column(title="Account"),
        Column(title="For", kind=Kind.FIRM),
        Column(title="Debit", kind=Kind.NUMBER),
        Column(title="Credit", kind=Kind.NUMBER),
    )
    table = Table(columns=columns, rows=(*rows, *_sides(entries, told)), empty=NOTHING)
    return Document(house=extract.title, title="Journal", parts=(_period(extract), table), foot=_as_of(extract))


def statement_document(player: Player) -> Document:
    """Everything a player ever paid and got in the club, and what stands in the end."""
    extract = Extract(club=player.club)
    lines = player_statement(player.club_id, str(player.pk))
    causes = cause_names({line.cause for line in lines})
    told = _Told(locale=player.club.locale, names={})
    rows = tuple(
        Row(
            cells=(
                f"{line.posted_at.astimezone(extract.zone):%Y-%m-%d %H:%M}",
                _purpose(line.purpose, is_reversal=line.is_reversal),
                causes[line.cause],
                told.money(line.amount_minor, line.currency),
                told.money(line.balance_minor, line.currency),
            )
        )
        for line in lines
    )
    columns = (
        Column(title="When", kind=Kind.FIRM),
        Column(title="For", kind=Kind.FIRM),
        Column(title="Where"),
        Column(title="Amount", kind=Kind.NUMBER),
        Column(title="Balance", kind=Kind.NUMBER),
    )
    parts = (Facts(pairs=tuple(_outcome(lines, told))), Table(columns=columns, rows=rows, empty=NOTHING))
    last = f"Entries up to {lines[-1].posted_at.astimezone(extract.zone):%Y-%m-%d %H:%M}" if lines else ""
    return Document(house=player.club.name, title=f"Statement of {player.name}", parts=parts, foot=last)


def _told(extract: Extract) -> _Told:
    return _Told(locale=extract.club.locale, names=names_of(extract.club))


def _period(extract: Extract) -> Facts:
    if extract.tournament is not None:
        return Facts(pairs=(("Tournament", extract.tournament.name),))
    first = f"{extract.first:%Y-%m-%d}" if extract.first else "the first entry"
    last = f"{extract.last:%Y-%m-%d}, included" if extract.last else "the last entry"
    return Facts(pairs=(("From", first), ("To", last), ("Clock", str(extract.zone))))


def _as_of(extract: Extract) -> str:
    """The last entry there was: what is printed once more after another one is another sheet."""
    found = JournalEntry.objects.filter(club=extract.club.pk).aggregate(last=Max("posted_at"))["last"]
    return f"Entries up to {_moment(found, extract)}" if found else ""


def _moment(when: datetime, extract: Extract) -> str:
    return f"{when.astimezone(extract.zone):%Y-%m-%d %H:%M:%S}"


def _balances(title: str, lines: Sequence[AccountBalance], told: _Told) -> Table:
    named = sorted(((told.account(each.kind, each.owner), each) for each in lines), key=lambda pair: pair[0].casefold())
    rows = [Row(cells=(name, *_amounts([each], told))) for name, each in named]
    total = Row(cells=("Sum", *_amounts(lines, told)), is_sum=True)
    return Table(title=title, columns=(Column(title="Account"), *_SUMS), rows=(*rows, total))


def _amounts(lines: Sequence[AccountBalance], told: _Told) -> Iterator[str]:
    for column in ("opening_minor", "debit_minor", "credit_minor", "closing_minor"):
        yield told.money(sum(getattr(each, column) for each in lines), lines[0].currency)


def _verdict(lines: Sequence[AccountBalance]) -> Words:
    return Words(text=BALANCED if sum(each.closing_minor for each in lines) == 0 else UNBALANCED)


def _what(cause: str, slot: str) -> str:
    """A deal is named beside its table; what a table or an evening pays as a whole needs no more words."""
    return f"{cause}, {slot.replace(':', ' ')}" if ":" in slot else cause


def _entry_rows(entry: BookedEntry, ends: dict[str, str], told: _Told) -> Iterator[Row]:
    when = f"{entry.posted_at:%Y-%m-%d %H:%M}"
    what = f"{ends[entry.reference]} (taken back)" if entry.reverses else ends[entry.reference]
    for at, posting in enumerate(entry.postings):
        first = (when, what) if at == 0 else ("", "")
        account = told.account(posting.kind, posting.owner)
        yield Row(cells=(*first, account, _purpose(posting.purpose), *_two_sides(posting, entry.currency, told)))


def _two_sides(posting: BookedPosting, currency: str, told: _Told) -> tuple[str, str]:
    amount = told.money(abs(posting.amount_minor), currency)
    return (amount, "") if posting.amount_minor < 0 else ("", amount)


def _sides(entries: Sequence[BookedEntry], told: _Told) -> Iterator[Row]:
    """Both sides of each currency, which are equal."""
    for currency in sorted({entry.currency for entry in entries}):
        amounts = [each.amount_minor for entry in entries if entry.currency == currency for each in entry.postings]
        debit, credit = -sum(each for each in amounts if each < 0), sum(each for each in amounts if each > 0)
        sides = told.money(debit, currency), told.money(credit, currency)
        yield Row(cells=("", f"Sum, {currency}", "", "", *sides), is_sum=True)


def _outcome(lines: Sequence[StatementLine], told: _Told) -> Iterator[tuple[str, str]]:
    """Who owes whom in the end, in each currency."""
    held = {line.currency: line.balance_minor for line in lines}
    for currency, balance in sorted(held.items()):
        who = "The player owes the club" if balance < 0 else "The club owes the player"
        yield who, told.money(abs(balance), currency)
    if not held:
        yield "Balance", NOTHING


def _purpose(purpose: str, *, is_reversal: bool = False) -> str:
    said = Purpose(purpose).value.replace("_", " ").capitalize()
    return f"{said} (taken back)" if is_reversal else said
