"""Cash-up: every till is counted blind and closed, then the cash book; and the past cash books.

Rules: docs/how-to/books.md, "The cash desk" and "Counting a till". The expected amount of a till is hidden from
cashiers until its count is stored. Each problem that prevents closing links to where it can be fixed.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.cash import counted, rounding_of
from scoring.events import cash as events
from scoring.exports.spreadsheets import Money
from scoring.messages import Message, decimals, say_many
from scoring.money import TILL
from tournaments.books.queries import tournament_players
from tournaments.cash.commands import CashRecorded
from tournaments.cash.queries import (
    CashDesk,
    CashLine,
    CashUp,
    DeskTill,
    PlayerMoney,
    cash_up,
    closed_books,
    club_balances,
    desk_of,
    differences_of,
    entries_of_book,
    money_of,
)
from tournaments.cash.till_lines import book_lines
from tournaments.models import CashBook
from tournaments.people.permissions import EVENT_PERMISSIONS, Permission
from tournaments.people.players import rows_of
from tournaments.printing import not_printed
from tournaments.printing.books import entry_titles, undone_text
from tournaments.printing.cash_books import write_cash_book
from tournaments.printing.files import CONTENT_TYPES, FileKind, Receipt, receipt_pdf
from tournaments.rendering.i18n.formatting import number, zone_of
from tournaments.rendering.i18n.translating import account_title, translate
from tournaments.rendering.pdf import PageSize
from tournaments.web.admin.base.command_forms import sent_form
from tournaments.web.admin.base.list_files import asked_file, list_file
from tournaments.web.admin.base.pages import Page, purpose
from tournaments.web.admin.base.request import PLAYERS_A_PAGE, SIZES, chosen_paper, page_of, size_of
from tournaments.web.admin.base.scoping import require_books
from tournaments.web.admin.cash.desk import cash_desk, cash_line, cash_player
from tournaments.web.admin.cash.forms import (
    BOOK_FORMS,
    OF_TILL,
    PIECE,
    CashForm,
    CountForm,
    DifferenceForm,
    LetOweForm,
    MoveForm,
    PayOutTickedForm,
    SumForm,
    tick_of,
)
from tournaments.web.admin.cash.request import (
    CashVisit,
    at_cash,
    entry_rows,
    may_know,
    names_on_receipts,
    player_row,
    rounding_text,
    till_line_rows,
    till_row,
)
from tournaments.web.downloads import file_answer

IN_DEBT = "in_debt"
# Debtors are listed beside: more than these are not listed again.
MOST_DEBTS_LISTED = 3
TITLES = {
    "desk": gettext_noop("Taken at check-in, not in a till"),
    "bank": gettext_noop("Bank"),
    "levy": gettext_noop("Levies to pass on"),
}
# The files of a cash book: PDF is the page to sign.
FILES = {FileKind.PDF: gettext_noop("Page to sign"), FileKind.CSV: "CSV", FileKind.XLSX: "XLSX"}
LINKS = {"desk_holds_money": "#move", "till_open": "#tills", "not_settled": "#waiting"}
# The receipt of one cash book entry, as a PDF.
Paid = events.MoneyReceived | events.MoneyPaidOut


@purpose(gettext_noop("Count every till, then close the cash book."))
def cash_book_page(visit: CashVisit) -> HttpResponse:
    """The tills of the open book, money without a till, debts, and the button that closes the cash book."""
    form = sent_form(visit.request, BOOK_FORMS, visit=visit)
    if form is None:
        return _cash_book_page(visit)
    done = form.attempt(form.let_owe) if isinstance(form, LetOweForm) else form.write()
    return _cash_book_page(visit, form) if done is None else _go_on(visit, form, done)


@purpose(gettext_noop("Cash books that were closed."))
def past_books(visit: CashVisit) -> HttpResponse:
    """The past cash books, newest first."""
    books = [
        {
            "row": row,
            "url": visit.url("past", row.pk),
            "difference": visit.figure(difference) if (difference := differences_of(row)) else "",
        }
        for row in closed_books(visit.club, visit.currency)
    ]
    return visit.page("past_books.html", {"title": gettext("Past cash books"), "books": books})


@purpose(gettext_noop("What came in and went out in this cash book."))
def cash_past(visit: CashVisit, book_id: UUID) -> HttpResponse:
    """A past cash book with all entries, counts, differences and journal entries; read-only.

    The open one only for users who may see the books: it adds up to what a till should hold.
    """
    row = get_object_or_404(CashBook, pk=book_id, club=visit.club, currency=visit.currency)
    if not row.is_closed:
        require_books(visit.request, visit.club)
    desk = desk_of(visit.club, row)
    lines, paper = book_lines(desk), chosen_paper(visit.request)
    rows = entry_rows(visit, desk, [*desk.lines, *lines.fees])
    cashiers = [sheet.till.who for sheet in lines.sheets.values()]
    context = {
        "title": gettext("Cash book {number}").format(number=row.number),
        "row": row,
        "lines": rows,
        "not_printed": not_printed([visit.club.name, *cashiers, *names_on_receipts(rows)]),
        "tills": [
            {
                **till_row(visit, sheet.till, sheet),
                "pieces": _pieces(visit, sheet.till.till.pieces),
                "lines": till_line_rows(visit, desk, sheet) if may_know(visit, sheet.till) else [],
            }
            for sheet in lines.sheets.values()
        ],
        "files": [(visit.url("file", row.pk, kind=kind, paper=paper), gettext(title)) for kind, title in FILES.items()],
        "rounding": visit.money(desk.rounding_minor) if desk.rounding_minor else "",
        # Of an open book they show what its tills should hold.
        "shows_entries": row.is_closed or visit.sees_books,
        "entries": _entries(visit, desk) if row.is_closed or visit.sees_books else [],
    }
    return visit.page("past.html", context)


@purpose(gettext_noop("This cash book as a file, or on one page to sign."))
def cash_file(visit: CashVisit, book_id: UUID) -> HttpResponseBase:
    """A cash book as a file, for users who may see what every till should hold: `?kind=` csv, xlsx or pdf."""
    row = get_object_or_404(CashBook, pk=book_id, club=visit.club, currency=visit.currency)
    if not row.is_closed:
        require_books(visit.request, visit.club)
    kind_text = visit.request.GET.get("kind", "")
    kind = FileKind(kind_text) if kind_text in FILES else FileKind.CSV
    desk, size = desk_of(visit.club, row), size_of(visit.request)
    name = f"{visit.club.slug}-cash-book-{visit.currency}-{row.number}.{kind}"
    return file_answer(lambda file: write_cash_book(file, desk, kind, size), name, CONTENT_TYPES[kind])


@purpose(gettext_noop("Who has money in the club, and who owes it."))
def cash_balances(visit: CashVisit) -> HttpResponse:
    """All players with a balance in the club; first those to be paid out: of a tournament, if one was named.

    With `?file=csv` or `xlsx` all balances as a file, for users who may see the books.
    """
    if (kind := asked_file(visit.request)) and visit.is_asking and visit.sees_books:
        heading = (gettext("Player"), gettext("Balance"), gettext("Credit"), gettext("Currency"))
        rows = (
            (
                held.name,
                Money(held.balance_minor, visit.currency),
                Money(held.credit_minor, visit.currency),
                visit.currency,
            )
            for held in club_balances(visit.club, visit.currency)
        )
        return list_file(kind, f"{visit.club.slug}-balances-{visit.currency}", heading, rows, locale=visit.club.locale)
    if visit.is_asking:
        return _balances_page(visit)
    form = PayOutTickedForm(visit.request.POST, visit=visit)
    paid = form.attempt(form.pay_out)
    if paid is None:
        return _balances_page(visit, form)
    text = ngettext("{number} payout saved: {amount}", "{number} payouts saved: {amount}", len(paid))
    total = visit.money(sum(paid.values()))
    messages.success(visit.request, text.format(number=number(len(paid)), amount=total))
    return visit.go("balances", **({"tournament": visit.tournament.pk} if visit.tournament else {}))


def _payable(visit: CashVisit, listed: Iterable[PlayerMoney]) -> list[str]:
    """The ticks of those who can be paid now: one who cannot would have the payment of all refused.

    Without those with money at an open table, or with less than the smallest coin; in four queries.
    """
    piece, mode = visit.club.smallest_cash.get(visit.currency, 0), visit.club.cash_rounding
    payable = []
    for held in money_of(visit.club, visit.currency, {balance.player: balance.name for balance in listed}):
        rounding = rounding_of(held.balance_minor, piece, mode, is_paid_out=True)
        if not held.staked_minor and held.balance_minor + rounding > 0:
            payable.append(tick_of(held))
    return payable


def _balances_page(visit: CashVisit, form: CashForm | None = None) -> TemplateResponse:
    balances = club_balances(visit.club, visit.currency)
    tournament = visit.tournament
    to_pay_out = [balance for balance in balances if balance.balance_minor > 0]
    if tournament:
        # A player who was merged into another since is paid under that one.
        players = rows_of(visit.club.pk, (str(player) for player, _ in tournament_players(tournament)))
        to_pay_out = [balance for balance in to_pay_out if balance.player in players]
    listed = page_of(visit.request, "players", balances, PLAYERS_A_PAGE)
    paid_next = page_of(visit.request, "owed", to_pay_out, PLAYERS_A_PAGE)
    ticks = _payable(visit, paid_next) if visit.request.GET.get("tick") == "all" else []
    context = {
        "title": gettext("Balances"),
        "form": form,
        "listed": listed,
        "rows": [player_row(visit, balance) for balance in listed],
        "tournament": tournament,
        "paid_next": paid_next,
        "to_pay_out": [{**player_row(visit, balance), "tick": tick_of(balance)} for balance in paid_next],
        "ticked": form["payees"].value() if form is not None else ticks,
        "more": visit.kept("currency", "tournament"),
        "has": visit.money(sum(max(0, balance.balance_minor) for balance in balances)),
        "owed": visit.money(-sum(min(0, balance.balance_minor) for balance in balances)),
        "may_handle": visit.may(Permission.HANDLE_CASH),
        "has_till": visit.desk.book.open_till(visit.actor.name) is not None,
        "decimals": decimals(visit.currency),
        "locale": visit.club.locale.replace("_", "-"),
        # Added to the money elsewhere, these sums would reveal the tills' contents to cashiers who have to count blind.
        "shows_sums": visit.sees_books,
        "may_import": visit.may(Permission.DIRECT),
    }
    return visit.page("balances.html", context)


def _go_on(visit: CashVisit, form: CashForm, done: CashRecorded | int) -> HttpResponse:
    """Redirect to the page that shows the result, with a message."""
    if isinstance(done, int):
        message, page = _credit_text(done), visit.go("night")
    elif isinstance(form, MoveForm):
        message, page = gettext("Transfer saved."), visit.go("night")
    else:
        message = gettext("Cash book closed. Later entries go into the next one.")
        page = visit.go("past", done.book_id)
    messages.success(visit.request, message)
    return page


def _cash_book_page(visit: CashVisit, form: CashForm | None = None) -> TemplateResponse:
    desk, now = visit.desk, cash_up(visit.desk)
    owing = page_of(visit.request, "debts", now.debtors, PLAYERS_A_PAGE)
    context = {
        "title": gettext("Cash up"),
        "form": form,
        "tills": [
            {**till_row(visit, sheet.till, sheet), "url": visit.url("count", sheet.till.name)}
            for sheet in visit.lines.sheets.values()
        ],
        "places": [
            {"title": _place_title(place, amount), "amount": visit.money(abs(amount))}
            for place, amount in now.places.items()
            if amount and (place == "desk" or visit.sees_books)
        ],
        "rounding": visit.money(desk.rounding_minor) if desk.rounding_minor and visit.sees_books else "",
        "all_lines": visit.url("past", desk.row.pk) if desk.row else "",
        "shows_places": visit.sees_books,
        "desk_field": visit.field(now.places["desk"]),
        "choices": _choices(visit, desk),
        "owing": owing,
        "debtors": [{**player_row(visit, debtor), "tick": tick_of(debtor)} for debtor in owing],
        "more": visit.kept("currency", "tournament"),
        "waiting": [
            {"name": tournament.name, "url": reverse("admin:tournaments_tournament_money", args=[tournament.pk])}
            for tournament in now.waiting
        ],
        "obstacles": _obstacles(visit, now),
        "may_move": visit.may(Permission.HANDLE_CASH),
        "may_close": visit.directs,
        "may_let_owe": visit.may(EVENT_PERMISSIONS["credit_granted"]) and any(debtor.is_beyond for debtor in owing),
        "ticked": form["owes"].value() if isinstance(form, LetOweForm) else [],
    }
    return visit.page("book.html", context)


def _choices(visit: CashVisit, desk: CashDesk) -> list[tuple[str, str]]:
    """The places between which the user may move money."""
    tills = [
        (TILL + name, translate(desk.place(TILL + name)))
        for name, till in desk.book.tills.items()
        if till.is_open and (visit.directs or name == visit.actor.name)
    ]
    return [
        *tills,
        ("desk", gettext("check-in desk, without a till")),
        ("bank", gettext("the bank")),
        ("owner", gettext("the owners")),
    ] + ([("levy", gettext("levy to pass on"))] if visit.directs else [])


def _place_title(place: str, amount_minor: int) -> str:
    """The title of the money at a place; what the owners put in is owed to them, and below 0 here."""
    if place == "owner":
        return gettext("Put in by the owners") if amount_minor < 0 else gettext("Taken out by the owners")
    return gettext(TITLES[place])


def _obstacles(visit: CashVisit, now: CashUp) -> list[dict[str, Any]]:
    """Why closing is refused, each problem with a link to where it can be fixed; many debts are one line."""
    names = {debtor.player: debtor.name for debtor in now.debtors}
    debts = sum(problem.code == IN_DEBT for problem in now.obstacles)
    are_listed = debts <= MOST_DEBTS_LISTED
    obstacles = []
    for problem in now.obstacles:
        if are_listed or problem.code != IN_DEBT:
            link = visit.url("player", problem.seat) if problem.seat else LINKS.get(problem.code, "")
            obstacles.append({"message": problem.named(names).message, "url": link})
    if not are_listed:
        obstacles.append({"message": _debts(debts), "url": "#debts"})
    return obstacles


def _debts(count: int) -> Message:
    return say_many(
        "{count} player owes more than the credit limit: take payment, allow credit or write off",
        "{count} players owe more than their credit limits: take payment, allow credit or write off",
        count=count,
    )


def _pieces(visit: CashVisit, pieces: Mapping[str, int] | None) -> list[dict[str, object]]:
    """The counted notes and coins, the largest first."""
    largest_first = sorted(((int(worth), number) for worth, number in (pieces or {}).items()), reverse=True)
    return [
        {"label": visit.money(minor), "number": number, "sum": visit.figure(minor * number)}
        for minor, number in largest_first
    ]


def _entries(visit: CashVisit, desk: CashDesk) -> list[dict[str, Any]]:
    """The journal entries of a cash book."""
    entries = entries_of_book(desk, zone_of(visit.club.timezone))
    titles = entry_titles(entries)
    return [
        {
            "title": undone_text(titles[entry.reference]) if entry.reverses else titles[entry.reference],
            "postings": [
                {
                    "account": account_title(posting.kind),
                    "owner": desk.players.get(posting.owner) or desk.people.get(posting.owner, ""),
                    # As in the trial balance: a debit is held by the club or owed to it.
                    "debit": visit.figure(-posting.amount_minor) if posting.amount_minor < 0 else "",
                    "credit": visit.figure(posting.amount_minor) if posting.amount_minor > 0 else "",
                }
                for posting in entry.postings
            ],
        }
        for entry in entries
    ]


def _credit_text(count: int) -> str:
    text = ngettext(
        "Credit allowed for what {count} player owed.", "Credit allowed for what {count} players owed.", count
    )
    return text.format(count=count)


def cash_receipt(visit: CashVisit, book_id: UUID, line: int) -> HttpResponse:
    """A receipt, always the same file in one language; `?paper=letter` (or `?size=letter`) for that paper size."""
    row = get_object_or_404(CashBook, pk=book_id, club=visit.club, currency=visit.currency)
    desk = desk_of(visit.club, row)
    entry = desk.line(line)
    if entry is None or entry.is_undone or not isinstance(entry.event, Paid):
        raise Http404
    number = f"{visit.currency}-{row.number}-{line}"
    query = visit.request.GET
    size = SIZES.get(query.get("paper") or query.get("size", ""), PageSize.A4)
    pdf = receipt_pdf(_receipt(visit, desk, entry, entry.event, number), size)
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="receipt-{number}.pdf"'
    return answer


def _receipt(visit: CashVisit, desk: CashDesk, line: CashLine, event: Paid, number: str) -> Receipt:
    return Receipt(
        number=number,
        club=visit.club.name,
        player=desk.players.get(event.player, ""),
        amount_minor=event.amount_minor,
        currency=visit.currency,
        what_for=tuple(text for text in (gettext("the player's balance"), rounding_text(visit, event)) if text),
        cashier=line.who,
        at=line.at.astimezone(zone_of(visit.club.timezone)),
        place=translate(desk.place(event.place)),
        payer=desk.players.get(getattr(event, "payer", None) or "", ""),
        is_paid_out=isinstance(event, events.MoneyPaidOut),
        locale=visit.club.locale,
    )


@purpose(gettext_noop("Count the cash in this till."))
def cash_count(visit: CashVisit, till: str) -> HttpResponse:
    """Count and close one till. Another user's till is only for a director."""
    desk_till = visit.desk.till(till)
    if desk_till is None or not (visit.directs or desk_till.name == visit.actor.name):
        raise Http404
    form = sent_form(visit.request, OF_TILL, visit=visit)
    if isinstance(form, SumForm):
        # Only added up, not stored.
        return _page(visit, desk_till, form, total=counted(form.pieces))
    if form is None or form.write(till=desk_till.name) is None:
        return _page(visit, desk_till, form)
    messages.success(visit.request, _done_text(visit, form))
    return visit.go("count", till)


def _done_text(visit: CashVisit, form: CashForm) -> str:
    if isinstance(form, DifferenceForm):
        amount = visit.money(form.cleaned_data["difference"])
        return gettext("Difference of {amount} saved.").format(amount=amount)
    return gettext("Count saved.") if isinstance(form, CountForm) else gettext("Till closed.")


def _page(
    visit: CashVisit, till: DeskTill, form: CashForm | None = None, *, total: int | None = None
) -> TemplateResponse:
    sheet = visit.lines.sheets[till.name]
    row = till_row(visit, till, sheet)
    initial = {f"{PIECE}{worth}": number for worth, number in (till.till.pieces or {}).items()}
    count = form if isinstance(form, CountForm) else CountForm(visit=visit, initial=initial)
    is_counted = till.till.counted_minor is not None
    shown_total = till.till.counted_minor if total is None else total
    context = {
        "title": gettext("Cash-up: {who}").format(who=till.who),
        "row": row,
        "lines": till_line_rows(visit, visit.desk, sheet) if is_counted else [],
        "rows": [{"minor": minor, "field": field} for minor, field in count.rows()],
        "form": form,
        "is_counted": is_counted,
        "total": visit.money(shown_total or 0),
        "is_summed": total is not None,
        "decimals": decimals(visit.currency),
        "locale": visit.club.locale.replace("_", "-"),
        "counted_money": visit.money(till.till.counted_minor or 0),
        "difference_money": visit.money(till.difference_minor or 0),
        "booked_money": visit.money(till.till.difference_minor),
        "may_difference": visit.may(Permission.DIRECT),
    }
    return visit.page("count.html", context)


CASH_PAGES = (
    Page("cash/", "cash", at_cash(cash_desk, Permission.HANDLE_CASH)),
    Page("cash/player/<uuid:player_id>/", "cash_player", at_cash(cash_player, Permission.HANDLE_CASH)),
    Page("cash/lines/<int:line>/", "cash_line", at_cash(cash_line, Permission.HANDLE_CASH)),
    Page("cash/tills/<str:till>/", "cash_count", at_cash(cash_count, Permission.HANDLE_CASH)),
    Page(
        "cash/receipts/<uuid:book_id>/<int:line>/",
        "cash_receipt",
        at_cash(cash_receipt, Permission.SEE_MONEY),
        is_read_only=True,
    ),
    Page("cash/night/", "cash_night", at_cash(cash_book_page, Permission.SEE_MONEY)),
    Page("cash/nights/", "cash_nights", at_cash(past_books, Permission.SEE_MONEY), is_read_only=True),
    Page("cash/nights/<uuid:book_id>/", "cash_past", at_cash(cash_past, Permission.SEE_MONEY), is_read_only=True),
    Page("cash/nights/<uuid:book_id>/file/", "cash_file", at_cash(cash_file, Permission.SEE_MONEY)),
    Page("cash/balances/", "cash_balances", at_cash(cash_balances, Permission.SEE_MONEY)),
)
