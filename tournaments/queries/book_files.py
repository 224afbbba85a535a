"""A club's books as files: the journal of a period or a tournament, the balances, and what one player paid and got.

Rules: docs/books.md. A file is written whole before anybody gets it, row by row, in a handful of queries.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import IO
from zoneinfo import ZoneInfo

from scoring import exports
from scoring.exports import Cell, Money, Sheet
from scoring.ledger import postings_with_balance, statement_line
from scoring.ledger.journal import Scope, account_balances, booked_entries
from scoring.models import Account
from scoring.settlement import AccountKind
from tournaments.models import Club, Player, Table, Tournament
from tournaments.queries.cells import BYTE_ORDER_MARK, inert

CHUNK = 2_000


class FileKind(StrEnum):
    """What program a journal is for."""

    CSV = "csv"
    XLSX = "xlsx"
    BEANCOUNT = "beancount"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """Which part of a club's books: days on the club's clock, both included, or one tournament."""

    club: Club
    first: date | None = None
    last: date | None = None
    tournament: Tournament | None = None

    @property
    def zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.club.timezone)
        except (ValueError, OSError, KeyError):
            return ZoneInfo("UTC")

    @property
    def name(self) -> str:
        """A name for the file, without its ending."""
        if self.tournament is not None:
            return f"{self.club.slug}-{self.tournament.slug}"
        days = [f"{day}" for day in (self.first, self.last) if day is not None]
        return "-".join([self.club.slug, *days])

    @property
    def title(self) -> str:
        """What the books call themselves."""
        return self.club.name if self.tournament is None else f"{self.club.name}: {self.tournament.name}"


def scope_of(extract: Extract) -> Scope:
    """The same in the words of the books."""
    causes = None if extract.tournament is None else tuple(_causes(extract.tournament))
    return Scope(
        club=extract.club.pk,
        since=_midnight(extract.first, extract.zone),
        before=_midnight(extract.last + timedelta(days=1) if extract.last else None, extract.zone),
        causes=causes,
    )


def write_journal(file: IO[bytes], extract: Extract, kind: FileKind) -> None:
    """The journal with its balances, as a file of this kind."""
    match kind:
        case FileKind.CSV:
            _write_csv(file, exports.JOURNAL_HEADING, _journal_rows(extract))
        case FileKind.XLSX:
            exports.write_workbook(file, _sheets(extract))
        case FileKind.BEANCOUNT:
            _write_beancount(file, extract)


def write_balances(file: IO[bytes], extract: Extract) -> None:
    """Every account with what it held before, what moved, and what it holds, as CSV."""
    rows = exports.balance_rows(account_balances(scope_of(extract)), _names(extract.club))
    _write_csv(file, exports.BALANCE_HEADING, rows)


def write_statement(file: IO[bytes], player: Player) -> None:
    """Everything a player ever paid and got in the club, as CSV."""
    _write_csv(file, exports.STATEMENT_HEADING, _statement_rows(player))


def _causes(tournament: Tournament) -> Iterator[str]:
    """Everything that money of a tournament is booked under."""
    yield f"tournament:{tournament.pk}"
    for table in Table.objects.filter(tournament=tournament).values_list("pk", flat=True):
        yield f"table:{table}"


def _midnight(day: date | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else datetime.combine(day, time.min, zone)


def _names(club: Club) -> dict[str, str]:
    """What the club's players are called, in one query."""
    return {str(player): name for player, name in Player.objects.filter(club=club).values_list("id", "name")}


def _journal_rows(extract: Extract, names: Mapping[str, str] | None = None) -> Iterator[Sequence[Cell]]:
    found = _names(extract.club) if names is None else names
    return exports.journal_rows(booked_entries(scope_of(extract), extract.zone), found)


def _sheets(extract: Extract) -> Iterator[Sheet]:
    names = _names(extract.club)
    balances = exports.balance_rows(account_balances(scope_of(extract)), names)
    yield Sheet(title="Journal", heading=exports.JOURNAL_HEADING, rows=_journal_rows(extract, names))
    yield Sheet(title="Balances", heading=exports.BALANCE_HEADING, rows=balances)


def _write_beancount(file: IO[bytes], extract: Extract) -> None:
    scope = scope_of(extract)
    heading = exports.Heading(
        title=extract.title, currency=extract.club.currency, first=extract.first, last=extract.last
    )
    opening = account_balances(scope) if extract.first and scope.causes is None else ()
    before = [exports.brought_forward(each) for each in opening]
    entries = booked_entries(scope, extract.zone)
    for line in exports.beancount_lines(heading, before, entries, _names(extract.club)):
        file.write(f"{line}\n".encode())


def _statement_rows(player: Player) -> Iterator[Sequence[Cell]]:
    zone = Extract(club=player.club).zone
    accounts = Account.objects.filter(club=player.club_id, kind=AccountKind.PLAYER, owner=str(player.pk)).values("id")
    for posting in postings_with_balance(accounts).order_by("id").iterator(chunk_size=CHUNK):
        line = statement_line(posting)
        posted = line.posted_at.astimezone(zone)
        yield (
            posted.date(),
            f"{posted:%H:%M:%S}",
            line.reference,
            line.purpose,
            Money(line.amount_minor, line.currency),
            Money(line.balance_minor, line.currency),
            line.currency,
            line.amount_minor,
            line.balance_minor,
            "yes" if line.is_reversal else "",
            line.memo,
        )


def _write_csv(file: IO[bytes], heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """As `cells` has it, a row at a time: a byte order mark, commas, and text that no spreadsheet calculates."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    text.write(BYTE_ORDER_MARK)
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heading)
    for row in rows:
        writer.writerow([inert(cell) if isinstance(cell, str) else cell for cell in row])
    text.detach()
