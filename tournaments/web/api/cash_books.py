"""The cash books of a club: closed ones with their entries and files, and what is to do before the open one is closed.

Rules: docs/reference/api.md, "The cash desk"; docs/how-to/books.md. The open book, its entries and its closing:
`tournaments.web.api.desks`.
"""

from datetime import UTC
from uuid import UUID

from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import log
from tournaments.cash.queries import CashDesk, cash_up, desk_of, differences_of, open_desk
from tournaments.cash.till_lines import book_lines
from tournaments.models import CashBook, Club
from tournaments.people.permissions import Permission, may
from tournaments.printing.cash_books import write_cash_book
from tournaments.printing.files import FileKind
from tournaments.rendering.i18n.translating import activate_locale
from tournaments.web.api import book_shapes as shapes
from tournaments.web.api.answers import event_answer, shaped
from tournaments.web.api.clubs import find_club
from tournaments.web.api.desks import currency_asked
from tournaments.web.api.doors import ApiView, page_of
from tournaments.web.api.downloads import (
    PAPER,
    FileView,
    download,
    kind_asked,
    kind_parameter,
    media_types,
    paper_asked,
)
from tournaments.web.api.problems import parts_of
from tournaments.web.api.schema import CURRENCY, PAGING, describes
from tournaments.web.api.tournament_shapes import BalanceAnswer

BOOK_FILES = (FileKind.CSV, FileKind.XLSX, FileKind.PDF)


class CashBooks(ApiView):
    """The cash books that were closed."""

    permissions = {"GET": Permission.SEE_MONEY}

    @describes("list_cash_books", shapes.CashBookPage, parameters=[CURRENCY, *PAGING])
    def get(self, request: Request, club_id: UUID) -> Response:
        """The newest first, in one currency."""
        club = find_club(self, club_id)
        rows = CashBook.objects.filter(club=club, currency=currency_asked(request, club), is_closed=True)
        return Response(page_of(request, rows, _book, order=("-number", "id")))


class CashBookById(ApiView):
    """One cash book."""

    permissions = {"GET": Permission.SEE_MONEY}

    @describes("read_closed_cash_book", shapes.WholeCashBook)
    def get(self, request: Request, club_id: UUID, book_id: UUID) -> Response:
        """Its tills and every entry. The open one is for those who see the books: it adds up to what a till holds."""
        desk = _desk(self, find_club(self, club_id), book_id)
        tills = [
            shapes.PastTill(
                till=sheet.till.name,
                name=sheet.till.who,
                float_minor=sheet.till.till.float_minor,
                expected_minor=sheet.expected_minor,
                counted_minor=sheet.till.till.counted_minor,
                difference_minor=sheet.till.till.difference_minor,
            )
            for sheet in book_lines(desk).sheets.values()
        ]
        events = log.read(desk.club.pk, book_id)
        answer = shaped(
            shapes.WholeCashBook,
            desk.row,
            difference_minor=sum(till.difference_minor for till in tills),
            version=desk.book.version,
            rounding_minor=desk.rounding_minor,
            tills=tills,
            lines=[event_answer(event, is_member=True) for event in events],
        )
        return Response(answer)


class CashBookFile(FileView):
    """One cash book as a file."""

    permissions = {"GET": Permission.SEE_MONEY}

    @describes("download_cash_book", media_types(*BOOK_FILES), parameters=[kind_parameter(*BOOK_FILES), PAPER])
    def get(self, request: Request, club_id: UUID, book_id: UUID) -> HttpResponseBase:
        """Each till line by line, or the page to sign (PDF)."""
        club = find_club(self, club_id)
        desk = _desk(self, club, book_id)
        kind, size = kind_asked(request, *BOOK_FILES), paper_asked(request)
        activate_locale(club.locale)
        name = f"{club.slug}-cash-book-{desk.currency}-{desk.row.number if desk.row else 0}"
        return download(lambda file: write_cash_book(file, desk, kind, size), name, kind)


class CashUp(ApiView):
    """What is to do before the open cash book is closed."""

    permissions = {"GET": Permission.SEE_MONEY}

    @describes("read_cash_up", shapes.CashUpAnswer, parameters=[CURRENCY])
    def get(self, request: Request, club_id: UUID) -> Response:
        """What prevents closing, money that is in no till, tournaments that are not settled, and who owes."""
        club = find_club(self, club_id)
        desk = open_desk(club, currency_asked(request, club))
        now, sees_books = cash_up(desk), may(self.actor, Permission.SEE_BOOKS, club)
        answer = shapes.CashUpAnswer(
            club=club.pk,
            currency=desk.currency,
            book=desk.row.pk if desk.row else None,
            ready=desk.row is not None and not now.obstacles,
            problems=parts_of(now.obstacles),
            places={
                place: amount for place, amount in now.places.items() if amount and (place == "desk" or sees_books)
            },
            waiting=[shaped(shapes.WaitingTournament, row, tournament=row.pk) for row in now.waiting],
            debtors=[shaped(BalanceAnswer, debtor) for debtor in now.debtors],
        )
        return Response(answer)


def _desk(view: ApiView, club: Club, book_id: UUID) -> CashDesk:
    """A book of the club. Raises Http404, and PermissionDenied for the open one where the books are not to be seen."""
    row = get_object_or_404(CashBook, pk=book_id, club=club)
    if not row.is_closed:
        view.need(club, permission=Permission.SEE_BOOKS)
    return desk_of(club, row)


def _book(row: CashBook) -> shapes.CashBookAnswer:
    closed_at = row.closed_at.astimezone(UTC) if row.closed_at else None
    return shaped(shapes.CashBookAnswer, row, closed_at=closed_at, difference_minor=differences_of(row))
