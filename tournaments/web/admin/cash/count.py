"""Cash-up: a till is counted by its pieces, held against the books, and closed.

Rules: docs/how-to/books.md, "Counting a till". The count is blind: what should be there is shown to nobody on these
pages until the count is stored.
"""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext

from scoring.amounts import decimals
from scoring.cash.state import counted
from scoring.facts import cash as facts
from tournaments.cash.queries import CashDesk, CashLine, TillTonight, desk_of
from tournaments.models import CashBook
from tournaments.people.permissions import Deed
from tournaments.printing.files import Receipt, receipt_pdf
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.i18n.translating import told
from tournaments.rendering.pdf import PageSize
from tournaments.web.admin.base.command_forms import sent_form
from tournaments.web.admin.base.printing import SIZES
from tournaments.web.admin.cash.desk import cash_desk, cash_line, cash_player
from tournaments.web.admin.cash.forms import OF_TILL, PIECE, CashForm, CountForm, DifferenceForm, SumForm
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
        what_for=(gettext("the player's balance"),),
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
    form = sent_form(visit.request, OF_TILL, visit=visit)
    if isinstance(form, SumForm):
        # Added up, and not stored.
        return _page(visit, found, form, total=counted(form.pieces))
    if form.write(till=found.name) is None:
        return _page(visit, found, form)
    messages.success(visit.request, _done_said(visit, form))
    return visit.go("count", till)


def _done_said(visit: CashVisit, form: CashForm) -> str:
    if isinstance(form, DifferenceForm):
        amount = visit.money(form.cleaned_data["difference"])
        return gettext("Difference of {amount} saved.").format(amount=amount)
    return gettext("Count saved.") if isinstance(form, CountForm) else gettext("Till closed.")


def _page(
    visit: CashVisit, till: TillTonight, form: CashForm | None = None, *, total: int | None = None
) -> TemplateResponse:
    row = till_row(visit, till)
    held = {f"{PIECE}{worth}": number for worth, number in (till.till.pieces or {}).items()}
    count = form if isinstance(form, CountForm) else CountForm(visit=visit, initial=held)
    shown_total = till.till.counted_minor if total is None else total
    context = {
        "title": gettext("Cash-up: {who}").format(who=till.who),
        "row": row,
        "rows": [{"minor": minor, "field": field} for minor, field in count.rows()],
        "form": form,
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
