"""Cash-up: a till is counted by its pieces, held against the books, and closed.

Rules: docs/how-to/books.md, "Counting a till". The count is blind: what should be there is shown to nobody on these
pages until the count is stored.
"""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext

from scoring.amounts import decimals
from scoring.cash.state import counted, pieces_of
from scoring.facts import cash as facts
from scoring.problems import Problem
from tournaments.cash.queries import CashDesk, CashLine, TillTonight, desk_of
from tournaments.models import CashBook
from tournaments.people.permissions import Deed
from tournaments.printing.files import Receipt, receipt_pdf
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.i18n.translating import told
from tournaments.rendering.pdf import PageSize
from tournaments.web.admin.base.printing import SIZES
from tournaments.web.admin.cash.desk import cash_desk, cash_line, cash_player
from tournaments.web.admin.cash.forms import PIECE, Typed
from tournaments.web.admin.cash.night import cash_balances, cash_night, cash_nights, cash_past
from tournaments.web.admin.cash.request import CashVisit, at_cash
from tournaments.web.admin.cash.words import till_row

# The receipt of one line of a cash book, as a PDF.


Paid = facts.MoneyReceived | facts.MoneyPaidOut


def cash_receipt(visit: CashVisit, book_id: UUID, line: int) -> HttpResponse:
    """The same file whenever it is asked for in one language; `?paper=letter` (or `?size=letter`) for that paper."""
    row = CashBook.objects.filter(pk=book_id, club=visit.club, currency=visit.currency).first()
    desk = desk_of(visit.club, row) if row else None
    found = desk.line(line) if desk else None
    if row is None or desk is None or found is None or found.is_undone or not isinstance(found.fact, Paid):
        raise Http404
    number = f"{visit.currency}-{row.number}-{line}"
    asked = visit.request.GET
    size = SIZES.get(asked.get("paper") or asked.get("size", ""), PageSize.A4)
    pdf = receipt_pdf(_receipt(visit, desk, found, found.fact, number), size)
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="receipt-{number}.pdf"'
    return answer


def _receipt(visit: CashVisit, desk: CashDesk, line: CashLine, fact: Paid, number: str) -> Receipt:
    return Receipt(
        number=number,
        club=visit.club.name,
        player=desk.players.get(fact.player, ""),
        amount_minor=fact.amount_minor,
        currency=visit.currency,
        what_for=(gettext("the account in the club"),),
        cashier=line.who,
        at=line.at.astimezone(zone_of(visit.club.timezone)),
        place=told(desk.place(fact.place)),
        payer=_payer(desk, fact),
        is_paid_out=isinstance(fact, facts.MoneyPaidOut),
        locale=visit.club.locale,
    )


def _payer(desk: CashDesk, fact: Paid) -> str:
    """Who brought it, where that was somebody else."""
    return desk.players.get(fact.payer, "") if isinstance(fact, facts.MoneyReceived) and fact.payer else ""


def cash_count(visit: CashVisit, till: str) -> HttpResponse:
    """One till at the night's end. Another's is a director's to count."""
    found = visit.desk.till(till)
    if found is None or not (visit.directs or found.name == visit.actor.name):
        raise Http404
    if visit.is_asking:
        return _page(visit, found)
    wanted = visit.typed("do")
    if wanted == "sum":
        return _sum(visit, found)
    deed = _DEEDS.get(wanted)
    if deed is None:
        raise Http404

    def done() -> HttpResponse:
        deed(visit, found)
        return visit.go("count", till)

    return visit.answer(done, lambda problems: _page(visit, found, problems))


def _sum(visit: CashVisit, till: TillTonight) -> TemplateResponse:
    """Added up, and not stored."""
    typed = Typed(visit)
    total = counted(typed.pieces())
    return _page(visit, till, typed.unread, total=total)


def _count(visit: CashVisit, till: TillTonight) -> None:
    typed = Typed(visit)
    raw = {"kind": "till_counted", "till": till.name, "pieces": typed.pieces()}
    visit.write(raw, typed.unread)
    messages.success(visit.request, gettext("The count is stored."))


def _difference(visit: CashVisit, till: TillTonight) -> None:
    """Of what was counted, as whoever books it has seen it."""
    text = visit.request.POST.get("difference", "")
    amount = int(text) if text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 16 else 0
    raw = {"kind": "till_difference_booked", "till": till.name, "amount_minor": amount}
    visit.write({**raw, **Typed(visit).reason()})
    messages.success(visit.request, gettext("The difference of {amount} is booked.").format(amount=visit.money(amount)))


def _close(visit: CashVisit, till: TillTonight) -> None:
    raw = {"kind": "till_closed", "till": till.name, "target": visit.typed("target")}
    visit.write(raw)
    messages.success(visit.request, gettext("The till is closed."))


_DEEDS: Mapping[str, Callable[[CashVisit, TillTonight], None]] = {
    "count": _count,
    "difference": _difference,
    "close": _close,
}


def _page(
    visit: CashVisit, till: TillTonight, problems: Sequence[Problem] = (), *, total: int | None = None
) -> TemplateResponse:
    row = till_row(visit, till)
    rows = list(_rows(visit, till))
    shown_total = till.till.counted_minor if total is None else total
    context = {
        "title": gettext("Cash-up: {who}").format(who=till.who),
        "row": row,
        "rows": rows,
        "problems": problems,
        "is_counted": till.till.counted_minor is not None,
        "total": visit.money(shown_total or 0),
        "is_summed": total is not None,
        "decimals": decimals(visit.currency),
        "locale": visit.club.locale.replace("_", "-"),
        "counted_money": visit.money(till.till.counted_minor or 0),
        "difference_money": visit.money(till.difference_minor or 0),
        "booked_money": visit.money(till.till.difference_minor),
        "may_difference": visit.may(Deed.DIRECT),
    }
    return visit.page("count.html", context)


def _rows(visit: CashVisit, till: TillTonight) -> list[dict[str, object]]:
    """A field for each denomination, with what was typed or counted last."""
    pieces = till.till.pieces or {}
    usual = pieces_of(visit.currency)
    other = sorted((int(each) for each in pieces if int(each) not in usual), reverse=True)
    is_sent = visit.request.POST.get("do") in ("count", "sum")
    return [
        {
            "name": f"{PIECE}{minor}",
            "minor": minor,
            "label": visit.money(minor),
            "number": visit.typed(f"{PIECE}{minor}") if is_sent else pieces.get(str(minor), ""),
        }
        for minor in (*usual, *other)
    ]


# Where the pages of a club's cash desk are, and what it takes to open each.


# The address below the club's `cash/`, the view, and the end of the page's name.
CASH_PAGES: tuple[tuple[str, Callable[..., HttpResponse], str], ...] = (
    ("", at_cash(cash_desk, Deed.HANDLE_CASH), ""),
    ("player/<uuid:player_id>/", at_cash(cash_player, Deed.HANDLE_CASH), "_player"),
    ("lines/<int:line>/", at_cash(cash_line, Deed.HANDLE_CASH), "_line"),
    ("tills/<str:till>/", at_cash(cash_count, Deed.HANDLE_CASH), "_count"),
    ("receipts/<uuid:book_id>/<int:line>/", at_cash(cash_receipt, Deed.SEE_MONEY), "_receipt"),
    ("night/", at_cash(cash_night, Deed.SEE_MONEY), "_night"),
    ("nights/", at_cash(cash_nights, Deed.SEE_MONEY), "_nights"),
    ("nights/<uuid:book_id>/", at_cash(cash_past, Deed.SEE_MONEY), "_past"),
    ("balances/", at_cash(cash_balances, Deed.SEE_MONEY), "_balances"),
)
