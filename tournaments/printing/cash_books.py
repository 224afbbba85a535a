"""A cash book on one page to sign, and line by line as a file.

Rules: docs/how-to/books.md, "The cash book". Amounts of a till: above 0 came in.
"""

from collections.abc import Iterator, Sequence
from typing import IO

from django.utils.translation import gettext

from scoring.exports.spreadsheets import Cell, Money, Sheet, time_of_day, write_workbook
from scoring.money import TILL
from scoring.money.formatting import grouped_minor
from tournaments.cash.queries import CashDesk, CashLine
from tournaments.cash.till_lines import BookLines, FeeLine, Flow, FlowSum, TillLine, TillSheet, book_lines
from tournaments.printing import counts, local_moment
from tournaments.printing.files import FileKind, write_csv
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.i18n.translating import translate
from tournaments.rendering.pdf import Column, Document, Facts, Kind, PageSize, Part, Row, Signatures, Table, pdf_of

HEADING = (
    *("date", "time", "place", "cashier", "entry", "what", "player", "tournament", "amount", "balance", "currency"),
    *("amount_minor", "balance_minor", "note"),
)


def write_cash_book(file: IO[bytes], desk: CashDesk, kind: FileKind, paper: PageSize = PageSize.A4) -> None:
    """Write a book as CSV, XLSX or PDF: each till line by line, or the page to sign."""
    lines = book_lines(desk)
    match kind:
        case FileKind.PDF:
            file.write(pdf_of(cash_book_document(desk, lines), paper))
        case FileKind.XLSX:
            write_workbook(file, [Sheet(title="Cash book", heading=HEADING, rows=_rows(desk, lines))])
        case _:
            write_csv(file, HEADING, _rows(desk, lines))


def cash_book_document(desk: CashDesk, lines: BookLines) -> Document:
    """Each till from its float to what was counted, what came in and went out by purpose, and two lines to sign."""
    sheets, row = list(lines.sheets.values()), desk.row
    zone = zone_of(desk.club.timezone)
    opened = local_moment(row.opened_at.astimezone(zone)) if row else ""
    closed = local_moment(row.closed_at.astimezone(zone)) if row and row.closed_at else gettext("not yet")
    elsewhere = [fee for fee in lines.fees if not fee.place.startswith(TILL)]
    parts: tuple[Part, ...] = (
        Facts(
            pairs=(
                *((gettext("Opened"), opened), (gettext("Closed"), closed), (gettext("Currency"), desk.currency)),
                *([(gettext("Cash rounding"), _figure(desk, desk.rounding_minor))] if desk.rounding_minor else []),
            ),
        ),
        _tills(desk, sheets),
        _flows(desk, gettext("In and out of all tills"), _sums(sheets)),
        *([_flows(desk, gettext("Taken without a till"), _sums_elsewhere(elsewhere))] if elsewhere else []),
        Signatures(who=(gettext("Cashier"), gettext("Checked by"))),
    )
    title = gettext("Cash book {number}").format(number=row.number if row else 0)
    return Document(house=desk.club.name, title=title, parts=parts, counts=counts())


def _tills(desk: CashDesk, sheets: Sequence[TillSheet]) -> Table:
    """One row for each till, and their sum: float + in - out = expected, counted - expected = difference."""
    titles = ("Opening float", "In", "Out", "Expected", "Counted", "Difference")
    columns = (Column(gettext("Till")), *(Column(gettext(title), Kind.NUMBER) for title in titles))
    rows = [Row((sheet.till.who, *_figures(desk, [sheet]))) for sheet in sheets]
    total = Row((gettext("Sum"), *_figures(desk, sheets)), is_sum=True)
    return Table(
        title=gettext("Tills, {currency}").format(currency=desk.currency),
        columns=columns,
        rows=(*rows, total) if rows else (),
        empty=gettext("Nobody has opened a till."),
    )


def _figures(desk: CashDesk, sheets: Sequence[TillSheet]) -> Iterator[str]:
    expected = sum(sheet.expected_minor for sheet in sheets)
    counted = [sheet.till.till.counted_minor for sheet in sheets]
    yield _figure(desk, sum(sheet.till.till.float_minor for sheet in sheets))
    yield _figure(desk, sum(sheet.in_minor for sheet in sheets))
    yield _figure(desk, sum(sheet.out_minor for sheet in sheets))
    yield _figure(desk, expected)
    if None in counted:
        yield from (gettext("not yet"), "")
    else:
        total = sum(amount for amount in counted if amount is not None)
        yield _figure(desk, total)
        yield _figure(desk, total - expected)


def _flows(desk: CashDesk, title: str, sums: Sequence[FlowSum]) -> Table:
    rows = [Row((translate(flow_sum.title), *_sides(desk, flow_sum.amount_minor))) for flow_sum in sums]
    came = sum(flow_sum.amount_minor for flow_sum in sums if flow_sum.amount_minor > 0)
    went = sum(flow_sum.amount_minor for flow_sum in sums if flow_sum.amount_minor < 0)
    total = Row((gettext("Sum"), _figure(desk, came), _figure(desk, -went)), is_sum=True)
    columns = (
        Column(gettext("What")),
        Column(gettext("In"), Kind.NUMBER),
        Column(gettext("Out"), Kind.NUMBER),
    )
    return Table(title=title, columns=columns, rows=(*rows, total))


def _sums(sheets: Sequence[TillSheet]) -> tuple[FlowSum, ...]:
    """The sums of all tills, by purpose and direction."""
    sums_by_key: dict[tuple[Flow, bool], FlowSum] = {}
    for flow_sum in (flow_sum for sheet in sheets for flow_sum in sheet.sums):
        key = (flow_sum.flow, flow_sum.amount_minor > 0)
        count, amount = (sums_by_key[key].count, sums_by_key[key].amount_minor) if key in sums_by_key else (0, 0)
        sums_by_key[key] = FlowSum(flow_sum.flow, count + flow_sum.count, amount + flow_sum.amount_minor)
    return tuple(sums_by_key.values())


def _sums_elsewhere(fees: Sequence[FeeLine]) -> tuple[FlowSum, ...]:
    fees_taken = [fee.amount_minor for fee in fees if fee.amount_minor > 0]
    refunded = [fee.amount_minor for fee in fees if fee.amount_minor < 0]
    return tuple(FlowSum(Flow.ENTRY_FEE, len(amounts), sum(amounts)) for amounts in (fees_taken, refunded) if amounts)


def _sides(desk: CashDesk, amount_minor: int) -> tuple[str, str]:
    figure = _figure(desk, abs(amount_minor))
    return (figure, "") if amount_minor > 0 else ("", figure)


def _figure(desk: CashDesk, amount_minor: int) -> str:
    return grouped_minor(amount_minor, desk.currency, desk.club.locale)


def _rows(desk: CashDesk, lines: BookLines) -> Iterator[Sequence[Cell]]:
    """Every line of every till with what it held after it, then entry fees that no till took."""
    for sheet in lines.sheets.values():
        for line in sheet.lines:
            yield _row(desk, (TILL + sheet.till.name, sheet.till.who), line.source, line)
    for fee in lines.fees:
        if not fee.place.startswith(TILL):
            yield _row(desk, (fee.place, ""), fee)


def _row(
    desk: CashDesk, place: tuple[str, str], source: CashLine | FeeLine | None, line: TillLine | None = None
) -> Sequence[Cell]:
    at = source.at.astimezone(zone_of(desk.club.timezone)) if source else None
    fee = source if isinstance(source, FeeLine) else None
    entry = source if isinstance(source, CashLine) else None
    amount_minor = line.amount_minor if line else fee.amount_minor if fee else 0
    return (
        at.date() if at else None,
        time_of_day(at) if at else "",
        *place,
        entry.version if entry else None,
        (line.flow if line else Flow.ENTRY_FEE).value,
        fee.name if fee else desk.players.get(getattr(entry.event, "player", ""), "") if entry else "",
        fee.tournament if fee else "",
        Money(amount_minor, desk.currency),
        Money(line.balance_minor, desk.currency) if line else None,
        desk.currency,
        amount_minor,
        line.balance_minor if line else None,
        entry.reason if entry else "",
    )
