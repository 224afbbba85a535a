"""The books as printouts: trial balance, journal, and the statement of one player.

Rules: docs/how-to/paper.md. The same numbers as in the files (docs/how-to/books.md), formatted in the language of the
user who prints. The day of printing is on none of them: printed again from the same books, a sheet is the same.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop, pgettext

from scoring.exports import BookedEntry, BookedPosting
from scoring.ledger import StatementLine, player_statement
from scoring.ledger.readings import account_balances, booked_entries, last_posted_at
from scoring.messages import say
from scoring.money import PAID, AccountKind, Purpose, slot_today
from scoring.money.formatting import grouped_minor, money
from tournaments.books.queries import BookScope, Sides, names_of, scope_of, sides_of, sum_of_sides, trial_lines
from tournaments.models import CashBook, Player, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.people import search_key
from tournaments.people.players import rows_of
from tournaments.printing import counts, local_moment, round_text, table_text
from tournaments.printing.payouts import GONE
from tournaments.rendering.i18n import translating
from tournaments.rendering.i18n.formatting import clock, day, in_digits
from tournaments.rendering.i18n.translating import account_title, trial_title
from tournaments.rendering.pdf import Column, Document, Facts, Kind, Paragraph, Part, Row, Table

# Causes of journal entries in words: the name of the table or tournament.


def cause_names(causes: Collection[str]) -> Mapping[str, str]:
    """Return each cause in words, in two queries; an unknown one is returned unchanged."""
    objects_by_cause = {cause: _object(cause) for cause in causes}
    tables = {
        row.pk: ", ".join(_of_table(row))
        for row in TableRow.objects.filter(pk__in=_ids(objects_by_cause, "table")).select_related("tournament")
    }
    ids = _ids(objects_by_cause, "tournament") | _ids(objects_by_cause, "entry")
    names = {**tables, **dict(Tournament.objects.filter(pk__in=ids).values_list("pk", "name"))}
    return {cause: _named(cause, kind, names.get(pk) if pk else None) for cause, (kind, pk) in objects_by_cause.items()}


# Further columns of files: where an entry comes from, each in a column of its own.
PLACE_HEADING = ("tournament", "round", "table", "deal", "cash_book")
NO_PLACE: tuple[str | int | None, ...] = (None, None, None, None)


def entry_places(entries: Collection["Caused"]) -> dict[str, tuple[str | int | None, ...]]:
    """Where each entry comes from, by its reference: the values under `PLACE_HEADING`, in three queries."""
    objects_by_cause = {entry.cause: _object(entry.cause) for entry in entries}
    ids = _ids(objects_by_cause, "tournament") | _ids(objects_by_cause, "entry")
    books = CashBook.objects.filter(pk__in=_ids(objects_by_cause, "cash")).values_list("pk", "number")
    tables = TableRow.objects.filter(pk__in=_ids(objects_by_cause, "table")).select_related("tournament")
    places: dict[UUID, tuple[str | int | None, ...]] = {
        **{
            pk: (name, None, None, None) for pk, name in Tournament.objects.filter(pk__in=ids).values_list("pk", "name")
        },
        **{row.pk: (row.tournament.name, row.round, row.name or row.number, None) for row in tables},
        **{pk: (None, None, None, number) for pk, number in books},
    }
    return {
        entry.reference: _with_deal(places.get(objects_by_cause[entry.cause][1] or UUID(int=0)), entry)
        for entry in entries
    }


def _with_deal(place: tuple[str | int | None, ...] | None, entry: "Caused") -> tuple[str | int | None, ...]:
    tournament, round_number, table, book = place or NO_PLACE
    kind, _, number = entry.slot.partition(":")
    deal = int(number) if kind == "deal" and number.isdecimal() else None
    return tournament, round_number, table, deal, book


class Caused(Protocol):
    """An entry of the journal, or a line of it, with what caused it."""

    @property
    def reference(self) -> str: ...
    @property
    def cause(self) -> str: ...
    @property
    def slot(self) -> str: ...


def entry_titles(entries: Collection[Caused]) -> dict[str, str]:
    """What each entry is about, by its reference: its table with the deal, its tournament, or the cash desk."""
    causes = cause_names({entry.cause for entry in entries})
    return {entry.reference: _what(causes[entry.cause], entry.slot) for entry in entries}


def _named(cause: str, kind: str, name: str | None) -> str:
    if kind == "cash":
        return gettext("Cash desk")
    if kind == "opening":
        return gettext("Opening balance")
    if name is None:
        return cause
    return gettext("{tournament}, entry fee").format(tournament=name) if kind == "entry" else name


def _of_table(row: TableRow) -> Iterator[str]:
    yield row.tournament.name
    yield table_text(row.name, row.number)
    if row.round > 1:
        yield round_text(row.round)


def _object(cause: str) -> tuple[str, UUID | None]:
    kind, _, rest = cause.partition(":")
    try:
        return kind, UUID(rest.partition(":")[0])
    except ValueError:
        return kind, None


def _ids(found: Mapping[str, tuple[str, UUID | None]], wanted: str) -> set[UUID]:
    return {pk for kind, pk in found.values() if kind == wanted and pk is not None}


# Cash for which no till was named.
NO_TILL = say("the desk")
BALANCED = gettext_noop(
    "The books balance. Debit: held by the club or owed to it, such as cash. Credit: owed by the club, such as player "
    "balances."
)

UNBALANCED = gettext_noop("The books do not balance. Run manage.py check_ledger before paying anyone.")
NOTHING = gettext_noop("No money has moved.")
# What the sign of a balance says: of a player who owes whom, of an account of the club what it holds or has come to.
_HELD = gettext_noop("Balance below 0: money that the club holds. Above 0: more went out than came in.")
_FOR_PRIZES = gettext_noop("Balance above 0: still to be paid out. Below 0: more was paid out than came in.")
SIGNS: Mapping[AccountKind, str] = {
    AccountKind.PLAYER: gettext_noop("Balance above 0: the club owes the player. Below 0: the player owes the club."),
    AccountKind.PRIZE_POOL: _FOR_PRIZES,
    AccountKind.SIDE_POT: _FOR_PRIZES,
    AccountKind.CLUB_FEE: gettext_noop("Balance above 0: earned by the club. Below 0: more was refunded than earned."),
    AccountKind.LEVY: gettext_noop("Balance above 0: still to be passed on. Below 0: more was passed on than taken."),
    AccountKind.GUARANTEE: gettext_noop(
        "Balance above 0: kept from prizes by the club. Below 0: added to prizes by the club."
    ),
    AccountKind.CASH: _HELD,
    AccountKind.BANK: _HELD,
    AccountKind.OWNER: gettext_noop("Balance above 0: put in by the owners. Below 0: taken out by the owners."),
    AccountKind.CASH_DIFFERENCE: gettext_noop(
        "Balance above 0: more was counted than expected. Below 0: less was counted."
    ),
    AccountKind.ROUNDING: gettext_noop("Balance above 0: gained by rounding cash. Below 0: lost by rounding cash."),
    AccountKind.WRITE_OFF: gettext_noop("Balance below 0: debts that were written off."),
    AccountKind.OPENING: gettext_noop(
        "Balance below 0: what the club owed before its books began. Above 0: what it was owed."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Notation:
    """How an extract's amounts and accounts are written."""

    locale: str
    names: dict[str, str]

    def money(self, amount_minor: int, currency: str) -> str:
        return money(amount_minor, currency, self.locale)

    def figures(self, sides: Sides, currency: str) -> tuple[str, ...]:
        """Amounts without their currency; nothing where there is none."""
        return tuple(grouped_minor(amount, currency, self.locale) if amount else "" for amount in sides)

    def account(self, kind: AccountKind, owner: str) -> str:
        title = capfirst(account_title(kind))
        if not owner:
            return f"{title}: {translating.translate(NO_TILL)}" if kind is AccountKind.CASH else title
        name = self.names.get(owner)
        if kind is AccountKind.PLAYER:
            return name or gettext(GONE)
        return f"{title}: {name}" if name else title


def trial_balance_document(extract: BookScope) -> Document:
    """The totals of each kind of account: opening, movements, closing; then every account."""
    notation, accounts = _notation(extract), account_balances(scope_of(extract))
    parts: list[Part] = [_period(extract)]
    for currency, lines in groupby(trial_lines(accounts), key=lambda line: line.currency):
        kinds = [(capfirst(trial_title(line.kind, is_owing=line.is_owing)), line.sides) for line in lines]
        title = gettext("Trial balance, {currency}").format(currency=currency)
        parts += [_balances(title, kinds, currency, notation), _verdict([sides for _, sides in kinds])]
        title = gettext("Accounts, {currency}").format(currency=currency)
        named = [
            (notation.account(account.kind, account.owner), sides_of(account))
            for account in accounts
            if account.currency == currency
        ]
        parts.append(_balances(title, named, currency, notation))
    if not accounts:
        parts.append(Paragraph(text=gettext(NOTHING)))
    return _document(extract, gettext("Trial balance"), parts)


def journal_document(extract: BookScope) -> Document:
    """Every entry in posting order, one line for each posting, with the totals of debit and credit."""
    notation, entries = _notation(extract), list(booked_entries(scope_of(extract), extract.zone))
    ends = entry_titles(entries)
    rows = [row for entry in entries for row in _entry_rows(entry, ends, notation)]
    columns = (
        Column(gettext("When"), Kind.FIRM),
        Column(pgettext("an entry of the journal", "Entry")),
        Column(gettext("Account")),
        _column_of_purposes(),
        Column(gettext("Debit"), Kind.NUMBER),
        Column(pgettext("a side of the books", "Credit"), Kind.NUMBER),
    )
    table = Table(columns=columns, rows=(*rows, *_sides(entries, notation)), empty=gettext(NOTHING))
    return _document(extract, gettext("Journal"), [_period(extract), table])


def statement_document(player: Player) -> Document:
    """Everything a player ever paid and received in the club, and the final balance."""
    extract = BookScope(club=player.club)
    lines = player_statement(player.club_id, rows_of(player.club_id, [str(player.pk)]))
    causes = cause_names({line.cause for line in lines})
    notation = _Notation(locale=player.club.locale, names={})
    rows = tuple(
        Row(
            (
                local_moment(line.posted_at.astimezone(extract.zone)),
                line_title(line),
                causes[line.cause],
                notation.money(line.amount_minor, line.currency),
                notation.money(line.balance_minor, line.currency),
            )
        )
        for line in lines
    )
    columns = (
        Column(gettext("When"), Kind.FIRM),
        _column_of_purposes(),
        Column(gettext("Where")),
        Column(gettext("Amount"), Kind.NUMBER),
        Column(gettext("Balance"), Kind.NUMBER),
    )
    balance_facts = balances_in_words(lines, player.club.locale) or [(gettext("Balance"), gettext(NOTHING))]
    table = Table(columns=columns, rows=rows, empty=gettext(NOTHING))
    parts = (Facts(pairs=tuple(balance_facts)), Paragraph(text=gettext(SIGNS[AccountKind.PLAYER])), table)
    title = gettext("Statement: {name}").format(name=player.name_in_books)
    foot = _up_to(local_moment(lines[-1].posted_at.astimezone(extract.zone))) if lines else ""
    return Document(house=player.club.name, title=title, parts=parts, foot=foot, counts=counts())


def _document(extract: BookScope, title: str, parts: Sequence[Part]) -> Document:
    return Document(house=extract.title, title=title, parts=tuple(parts), foot=_as_of(extract), counts=counts())


def _notation(extract: BookScope) -> _Notation:
    return _Notation(locale=extract.club.locale, names=names_of(extract.club))


def _period(extract: BookScope) -> Facts:
    if extract.tournament is not None:
        return Facts(pairs=((gettext("Tournament"), extract.tournament.name),))
    first = day(extract.first) if extract.first else gettext("the first entry")
    last = gettext("{day}, included").format(day=day(extract.last)) if extract.last else gettext("the last entry")
    return Facts(pairs=((gettext("From"), first), (gettext("To"), last), (gettext("Time zone"), str(extract.zone))))


def _as_of(extract: BookScope) -> str:
    """The time of the last entry: after another one the printout is a different sheet."""
    if (posted_at := last_posted_at(extract.club.pk)) is None:
        return ""
    local = posted_at.astimezone(extract.zone)
    return _up_to(f"{day(local)}, {clock(local, '%H:%M:%S')}")


def _up_to(moment: str) -> str:
    return gettext("Entries up to {moment}").format(moment=moment)


def _column_of_purposes() -> Column:
    return Column(pgettext("what an amount is for", "For"), Kind.FIRM)


def _balances(title: str, named: Sequence[tuple[str, Sides]], currency: str, notation: _Notation) -> Table:
    """Each line before the period, in it and after it, as debit and credit: no amount has a sign to be read."""
    in_order = sorted(named, key=lambda pair: search_key(pair[0]))
    rows = [Row((name, *notation.figures(sides, currency))) for name, sides in in_order]
    sums = notation.figures(sum_of_sides(sides for _, sides in named), currency)
    titles = (
        *(gettext("Before, debit"), gettext("Before, credit"), gettext("Debit")),
        *(pgettext("a side of the books", "Credit"), gettext("Balance, debit"), gettext("Balance, credit")),
    )
    columns = (Column(gettext("Account")), *(Column(column_title, Kind.NUMBER) for column_title in titles))
    return Table(title=title, columns=columns, rows=(*rows, Row((gettext("Sum"), *sums), is_sum=True)))


def _verdict(lines: Sequence[Sides]) -> Paragraph:
    sums = sum_of_sides(lines)
    return Paragraph(text=gettext(BALANCED if sums[0::2] == sums[1::2] else UNBALANCED))


def _what(cause: str, slot: str) -> str:
    """Add the deal to the name of its table; what a table or a tournament pays as a whole needs no more words."""
    kind, _, number = slot.partition(":")
    return gettext("{cause}, deal {deal}").format(cause=cause, deal=in_digits(number)) if kind == "deal" else cause


def _entry_rows(entry: BookedEntry, ends: dict[str, str], notation: _Notation) -> Iterator[Row]:
    when, what = local_moment(entry.posted_at), ends[entry.reference]
    what = undone_text(what) if entry.reverses else what
    for at, posting in enumerate(entry.postings):
        first = (when, what) if at == 0 else ("", "")
        account = notation.account(posting.kind, posting.owner)
        yield Row((*first, account, purpose_title(posting.purpose), *_two_sides(posting, entry.currency, notation)))


def _two_sides(posting: BookedPosting, currency: str, notation: _Notation) -> tuple[str, str]:
    amount = notation.money(abs(posting.amount_minor), currency)
    return (amount, "") if posting.amount_minor < 0 else ("", amount)


def _sides(entries: Sequence[BookedEntry], notation: _Notation) -> Iterator[Row]:
    """Total debit and credit of each currency, which are equal."""
    for currency in sorted({entry.currency for entry in entries}):
        amounts = [
            posting.amount_minor for entry in entries if entry.currency == currency for posting in entry.postings
        ]
        debit, credit = (
            -sum(amount for amount in amounts if amount < 0),
            sum(amount for amount in amounts if amount > 0),
        )
        sides = notation.money(debit, currency), notation.money(credit, currency)
        yield Row(("", gettext("Sum, {currency}").format(currency=currency), "", "", *sides), is_sum=True)


# As many lines a page shows of a player's statement; the file has all.
LINES_SHOWN = 200


def statement_context(player: Player) -> dict[str, Any]:
    """What a page shows of a player's statement: `held`, the latest `lines` with a running balance, and `signs`."""
    owners = rows_of(player.club_id, [str(player.pk)])
    statement_lines = player_statement(player.club_id, owners, last=LINES_SHOWN)
    titles, locale = entry_titles(statement_lines), player.club.locale
    lines = [
        {
            "line": line,
            "purpose": line_title(line),
            "where": titles[line.reference],
            "amount": money(line.amount_minor, line.currency, locale),
            "balance": grouped_minor(line.balance_minor, line.currency, locale),
        }
        for line in statement_lines
    ]
    held = balances_in_words(statement_lines, locale)
    return {"lines": lines, "held": held, "signs": gettext(SIGNS[AccountKind.PLAYER])}


def balances_in_words(lines: Sequence[StatementLine], locale: str) -> list[tuple[str, str]]:
    """The final balance of a player in each currency: who owes whom, and how much."""
    balances = {line.currency: line.balance_minor for line in lines}
    return [balance_in_words(balance, currency, locale) for currency, balance in sorted(balances.items())]


def balance_in_words(balance_minor: int, currency: str, locale: str) -> tuple[str, str]:
    """Who owes whom by the balance of a player, and how much."""
    who = gettext("The player owes the club") if balance_minor < 0 else gettext("The club owes the player")
    return who if balance_minor else gettext("Balance"), money(abs(balance_minor), currency, locale)


def purpose_title(purpose: str) -> str:
    """What an amount is for."""
    return capfirst(account_title(Purpose(purpose)))


def line_title(line: StatementLine, kind: AccountKind = AccountKind.PLAYER) -> str:
    """What a line of an account of this kind is for, and whether it undoes another."""
    title = purpose_title(line.purpose)
    if line.purpose == Purpose.CASH and slot_today(line.slot, Purpose.CASH) == PAID:
        # What a player pays is a credit of the player, and a debit of the till; a reversal has the other sign.
        is_paid = ((line.amount_minor > 0) == (kind is AccountKind.PLAYER)) != line.is_reversal
        title = gettext("Entry fee paid") if is_paid else gettext("Entry fee refunded")
    return undone_text(title) if line.is_reversal else title


def undone_text(what: str) -> str:
    """A title of what was undone."""
    return gettext("{what} (undone)").format(what=what)
