"""A club's cash desk for devices: the open book, lines written in it, and what players have.

Rules: docs/reference/api.md, "The cash desk". The same command as the desk's pages call, so that both may work at once.
"""

from uuid import UUID

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.facts import reading
from tournaments import log
from tournaments.cash.commands import Desk, write_at_desk
from tournaments.cash.queries import TillTonight, club_balances, currencies_of, open_desk
from tournaments.models import CashBook, Club
from tournaments.models.bounds import MOST_COUNT
from tournaments.people.permissions import FACT_DEEDS, Deed, may
from tournaments.web.api.base.bodies import read_body
from tournaments.web.api.base.doors import ApiView, whole_number
from tournaments.web.api.base.problems import BadParameter
from tournaments.web.api.base.schema import AFTER, CURRENCY, KEY, PAGING, describes
from tournaments.web.api.shapes.answers import event_answer
from tournaments.web.api.shapes.evenings import (
    BalanceAnswer,
    BalancesAnswer,
    CashAnswer,
    CashLineAnswer,
    CashLineBody,
    TillAnswer,
)
from tournaments.web.api.views.clubs import created, find_club

MOST_LINES = 500
MOST_TOLD = 50


class Cash(ApiView):
    """The book that is open now, and lines written in it."""

    deeds = {"GET": Deed.SEE_MONEY, "POST": Deed.HANDLE_CASH}
    what = "The cash book"
    book: UUID | None = None

    @describes("read_cash_book", CashAnswer, parameters=[CURRENCY, AFTER, PAGING[0]])
    def get(self, request: Request, club_id: UUID) -> Response:
        """Its tills, and its lines in order, after a version."""
        club = find_club(self, club_id)
        after = whole_number(request, "after", default=0, most=MOST_COUNT)
        limit = max(1, whole_number(request, "limit", default=100, most=MOST_LINES))
        desk = open_desk(club, _currency(request, club))
        stored = log.read(desk.row.pk, after) if desk.row else []
        answer = CashAnswer(
            club=club.pk,
            currency=desk.currency,
            book=desk.row.pk if desk.row else None,
            version=desk.book.version,
            tills=[self._till(club, till) for till in desk.tills],
            lines=[event_answer(event, is_member=True) for event in stored[:limit]],
            next_after=stored[limit - 1].version if len(stored) > limit else None,
        )
        return Response(answer)

    @describes("write_cash_line", CashLineAnswer, body=CashLineBody, parameters=[CURRENCY, KEY])
    def post(self, request: Request, club_id: UUID) -> Response:
        """Written whole, or refused with every problem; a line without an open book begins one."""
        club = find_club(self, club_id)
        order = self.order()
        body = read_body(CashLineBody, request.data)
        fact = reading.read_cash_fact(body.event)
        self.need(club, deed=FACT_DEEDS.get(fact.kind, Deed.DIRECT))
        currency = _currency(request, club)
        self.book = body.book
        if body.book and not CashBook.objects.filter(pk=body.book, club=club, currency=currency).exists():
            raise Http404
        desk = Desk(club=club.pk, currency=currency, actor=self.actor, book=body.book, seen=body.expected_version)
        done = write_at_desk(desk, fact, order=order)
        answer = CashLineAnswer(
            book=done.book_id, line=done.line, version=done.book.version, is_closed=done.book.is_closed
        )
        return created(answer, is_replay=done.is_replay)

    def events_after(self, version: int) -> list[object] | None:
        """What was written since its writer looked."""
        if self.book is None:
            return None
        return [event_answer(event, is_member=True) for event in log.read(self.book, version)[:MOST_TOLD]]

    def _till(self, club: Club, till: TillTonight) -> TillAnswer:
        counted = till.till.counted_minor
        may_know = counted is not None or may(self.actor, Deed.DIRECT, club)
        return TillAnswer(
            till=till.name,
            name=till.who,
            float_minor=till.till.float_minor,
            is_open=till.till.is_open,
            counted_minor=counted,
            held_minor=till.held_minor if may_know else None,
        )


class Balances(ApiView):
    """What players have in a club."""

    deeds = {"GET": Deed.SEE_MONEY}

    @describes("list_balances", BalancesAnswer, parameters=[CURRENCY])
    def get(self, request: Request, club_id: UUID) -> Response:
        """Everybody who has or owes something."""
        club = find_club(self, club_id)
        currency = _currency(request, club)
        items = [
            BalanceAnswer(
                player=each.player, name=each.name, balance_minor=each.balance_minor, credit_minor=each.credit_minor
            )
            for each in club_balances(club, currency)
        ]
        return Response(BalancesAnswer(club=club.pk, currency=currency, items=items))


def _currency(request: Request, club: Club) -> str:
    """The club's own, unless another in which it has money is asked for. Raises BadParameter."""
    wanted = request.query_params.get("currency", "") or club.currency
    known = currencies_of(club)
    if wanted not in known:
        raise BadParameter(f"currency must be one in which the club has money: {', '.join(known)}.")
    return wanted
