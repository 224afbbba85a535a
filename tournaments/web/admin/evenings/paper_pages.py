"""Everything that a tournament prints, before, during and after it is played: one page that offers it, and the files.

Rules: docs/how-to/paper.md. Whoever may see the tournament prints its sheets and lists; amounts are for those who may
see money. Sheets that open a table without a login are made where its cards are (card_pages).
"""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils.translation import gettext

from tournaments.boards.boards import Board, board
from tournaments.books.queries import Extract
from tournaments.evenings.prize_money import prizes_so_far
from tournaments.evenings.queries.prizes import PrizeTable, prize_table
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.people.permissions import Deed, may
from tournaments.printing.lists import (
    CALLED_OUT,
    MOST_CERTIFICATES,
    certificates,
    seating_lists,
    standings,
    winners_sheet,
)
from tournaments.printing.score_sheets import PaperSheet, Since, rounds_with_tables, score_sheets, sheets_of_round
from tournaments.printing.words import notation_of
from tournaments.rendering.pdf import Printed
from tournaments.web.admin.base.request import chosen_paper, evening_page, page_url, pdf_answer, size_of
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.tables.card_exchange import score_url

NAMES = {"real": Names.REAL, "public": Names.PUBLIC}


def paper(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What can be printed now, on which paper and with which names."""
    rounds = rounds_with_tables(tournament)
    actor = actor_in(request)
    context = {
        "title": gettext("Print: {tournament}").format(tournament=tournament.name),
        "paper": chosen_paper(request),
        "names": _names_word(request),
        "rounds": rounds,
        "round": _round_in(request, rounds) if rounds else None,
        "most": MOST_CERTIFICATES,
        "may_direct": may(actor, Deed.DIRECT, tournament.club_id),
        "may_see_money": may(actor, Deed.SEE_MONEY, tournament.club_id),
        "may_take_entry": may(actor, Deed.TAKE_ENTRY, tournament.club_id),
    }
    return evening_page(request, tournament, "paper", context)


def sheets(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Score sheets of a round, or of one of its tables, with the address at which a login enters the deals."""
    number = _round_in(request, rounds_with_tables(tournament))
    since = Since.NOW if request.GET.get("since") == Since.NOW else Since.OPENING
    found = _only(request, sheets_of_round(tournament, number, since))
    opens = {each.sheet.table_id: request.build_absolute_uri(score_url(each.sheet.table_id)) for each in found}
    return _printed(request, score_sheets(tournament, found, opens), tournament, f"sheets-{number}")


def seating(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Who sits where in a round: from A to Z, and by table."""
    number = _round_in(request, rounds_with_tables(tournament))
    return _printed(request, seating_lists(_board(request, tournament), number), tournament, f"seating-{number}")


def standings_list(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Everybody in order."""
    return _printed(request, [standings(_board(request, tournament))], tournament, "standings")


def winners(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """For whoever calls the winners out; with their prizes for those who may see money."""
    shown = _board(request, tournament)
    sees_money = may(actor_in(request), Deed.SEE_MONEY, tournament.club_id)
    prizes = _prizes(shown) if sees_money else None
    return _printed(request, [winners_sheet(shown, prizes)], tournament, "winners")


def certificate_pages(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """A certificate for everybody on the first places, once these are certain."""
    shown = _board(request, tournament)
    if not shown.is_finished:
        messages.error(request, gettext("Certificates are printed when the tournament is finished: places may change."))
        return HttpResponseRedirect(page_url("paper", tournament))
    found = certificates(shown, _most(request))
    if not found:
        messages.error(request, gettext("Nobody has a place yet."))
        return HttpResponseRedirect(page_url("paper", tournament))
    return _printed(request, found, tournament, "certificates")


# The address below a tournament's, the view, what it asks of one's role, and the name of the page.
PAGES: tuple[tuple[str, Callable[..., HttpResponseBase], Deed, str], ...] = (
    ("paper/", paper, Deed.SEE, "paper"),
    ("paper/sheets/", sheets, Deed.SEE, "paper_sheets"),
    ("paper/seating/", seating, Deed.SEE, "paper_seating"),
    ("paper/standings/", standings_list, Deed.SEE, "paper_standings"),
    ("paper/winners/", winners, Deed.SEE, "paper_winners"),
    ("paper/certificates/", certificate_pages, Deed.SEE, "paper_certificates"),
)


def _board(request: HttpRequest, tournament: Tournament) -> Board:
    return board(tournament, NAMES[_names_word(request)])


def _names_word(request: HttpRequest) -> str:
    """Names as the club knows them, or for a wall that everybody passes as the public reads them."""
    return "public" if request.GET.get("names") == "public" else "real"


def _round_in(request: HttpRequest, rounds: Sequence[int]) -> int:
    """The round that was asked for, or the latest. Raises Http404 where there is no such round."""
    wanted = request.GET.get("round", "")
    found = int(wanted) if wanted.isdecimal() and len(wanted) < 6 else (rounds[0] if rounds and not wanted else 0)
    if found not in rounds:
        raise Http404
    return found


def _only(request: HttpRequest, found: list[PaperSheet]) -> list[PaperSheet]:
    """The sheet of the table that was asked for, or all of them."""
    wanted = request.GET.get("table", "")
    chosen = [each for each in found if str(each.sheet.table_id) == wanted] if wanted else found
    if not chosen:
        raise Http404
    return chosen


def _most(request: HttpRequest) -> int:
    """How many places have a certificate."""
    wanted = request.GET.get("most", "")
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 6 else CALLED_OUT
    return min(max(1, number), MOST_CERTIFICATES)


def _prizes(shown: Board) -> PrizeTable | None:
    """Who has which prize as the board stands; nobody before the first round."""
    evening = shown.evening
    if evening is None or evening.plan is None or not evening.rounds:
        return None
    sheet = prizes_so_far(shown.tournament, evening)
    return prize_table(evening.plan, sheet, notation_of(shown.tournament), shown.names) if sheet is not None else None


def _printed(request: HttpRequest, found: Sequence[Printed], tournament: Tournament, what: str) -> HttpResponseBase:
    name = f"{Extract(club=tournament.club, tournament=tournament).name}-{what}"
    return pdf_answer(found, size_of(request), name)
