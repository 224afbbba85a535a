"""The page of a tournament's prizes: who has won what, the account behind it, and what tables paid by themselves.

Rules: docs/rules/tournaments.md, "Prizes". The same prizes stand on the board; nothing here is worked out anew.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.money.formatting import Notation, money
from tournaments.boards.boards import Board, TableLine, board
from tournaments.boards.winners import sitting_out
from tournaments.evenings.queries.stages import evening_of
from tournaments.models import Tournament
from tournaments.rendering.i18n.translating import spoken
from tournaments.web.public.base.answers import Subpage, answer_subpage, evidence_context, seen_tournament
from tournaments.web.public.boards.boards import stakes_line
from tournaments.web.public.boards.plan_words import prize_sentences, shown_prizes, terms_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePaid:
    """What one table pays: to each player who gets anything, the most first."""

    table: TableLine
    payouts: tuple[tuple[str, str], ...]


@require_safe
def prizes(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The prizes."""
    found = seen_tournament(request, club_slug, slug)
    return answer_subpage(request, found, lambda: _page(found), *sitting_out(found.id).values())


def _page(tournament: Tournament) -> Subpage:
    shown = board(tournament)
    found = shown_prizes(shown)
    return Subpage(
        template="pages/prizes.html",
        title=gettext("Prizes"),
        description=gettext("Prizes at %(name)s, and how they are calculated.") % {"name": tournament.name},
        context={
            "board": shown,
            "stakes": stakes_line(tournament, terms_of(shown)),
            "prizes": found,
            "planned": list(_planned(tournament)) if found is None else [],
            "account": [(spoken(line.title), line.amount) for line in found.lines] if found else [],
            "paid": list(_paid(shown)),
            **evidence_context(tournament, shown),
        },
    )


def _planned(tournament: Tournament) -> Iterator[str]:
    """What the plan says of the prizes, where nobody has entered yet."""
    evening = evening_of(tournament.id)
    plan = evening.plan if evening is not None else None
    if evening is None or plan is None or plan.is_rehearsal or evening.is_cancelled:
        return
    if tournament.entry_minor or plan.things or plan.side_pots or plan.guaranteed_minor:
        yield from prize_sentences(plan, Notation(tournament.currency, tournament.club.locale))


def _paid(shown: Board) -> Iterator[TablePaid]:
    """The tables that play for money of their own and have paid, in their order."""
    notation = Notation(shown.tournament.currency, shown.tournament.club.locale)
    won: dict[UUID, list[tuple[int, str]]] = {}
    for seat in shown.seats:
        if seat.line.payout_minor:
            won.setdefault(seat.table.id, []).append((seat.line.payout_minor, shown.names[seat.line.player]))
    for table in shown.tables:
        if table.id in won:
            ordered = sorted(won[table.id], key=lambda each: -each[0])
            payouts = tuple((name, money(amount, *notation)) for amount, name in ordered)
            yield TablePaid(table=table, payouts=payouts)
