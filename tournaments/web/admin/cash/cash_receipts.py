"""The receipt of one line of a cash book, as a PDF.

Rules: docs/paper.md, "Receipts". Only money that came in or went out has one; a line that was taken back has none.
"""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils.translation import gettext

from scoring.facts import cash as facts
from tournaments.cash.cash_desk_of_queries import CashDesk, CashLine, desk_of
from tournaments.models import CashBook
from tournaments.printing.paper_receipts import Receipt, receipt_pdf
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.i18n.translating import told
from tournaments.rendering.pdf import PageSize
from tournaments.web.admin.base.printing import SIZES
from tournaments.web.admin.cash.request import CashVisit

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
