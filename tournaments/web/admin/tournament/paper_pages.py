"""Everything that a tournament prints before, during and after play: one page that offers it, and the files.

Rules: docs/how-to/paper.md. Users who may see the tournament print its sheets and lists; amounts need the permission to
see money. Cards open a table without a login, and so do sheets with their codes (docs/how-to/evening.md, "Table
cards"): a card's code is shown only in the answer to the form that makes it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

import segno
from django.contrib import messages
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop, ngettext
from django.views.decorators.debug import sensitive_variables

from tournaments.boards import Board, as_listed, board
from tournaments.books.queries import BookScope
from tournaments.models import Table, TableToken, Tournament
from tournaments.models.public_names import Names
from tournaments.people.permissions import Permission, may
from tournaments.people.players import uuid_of
from tournaments.printing import club_moment, names_in_prizes, not_printed, notation_of, printed_names
from tournaments.printing.lists import (
    CALLED_OUT,
    MOST_CERTIFICATES,
    CardCode,
    certificates,
    seating_lists,
    standings,
    winners_sheet,
)
from tournaments.printing.lists import table_cards as table_cards_on_paper
from tournaments.printing.score_sheets import (
    PaperSheet,
    Since,
    rounds_with_tables,
    score_sheets,
    sheets_of_round,
    sheets_of_tables,
)
from tournaments.rendering.i18n.filters import called
from tournaments.rendering.i18n.formatting import listed
from tournaments.rendering.pdf import Printed, pdf_of_all
from tournaments.running.prize_money import prizes_so_far
from tournaments.running.queries.prizes import PrizeTable, prize_table
from tournaments.running.queries.today import MOST_TABLES
from tournaments.tables.commands.table_tokens import IssuedCard, issue_cards, revoke_card, revoke_cards
from tournaments.tables.queries.table_tokens import (
    live_cards,
    open_tables,
    players_by_table,
    seats_of_cards,
    table_for_card,
)
from tournaments.web.admin.base.command_fields import ReadForm, TicksField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, pressed
from tournaments.web.admin.base.pages import Page, Tab, purpose
from tournaments.web.admin.base.request import (
    PDF,
    TableVisit,
    chosen_paper,
    go_on,
    page_of,
    page_url,
    pdf_answer,
    size_of,
    tournament_page,
)
from tournaments.web.admin.base.scoping import actor_in, admin_page
from tournaments.web.admin.tables.card_exchange import score_url

NAMES = {"real": Names.REAL, "public": Names.PUBLIC}


@purpose(gettext_noop("Print seating, score sheets, standings and certificates."))
def paper(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A page with everything that can be printed now, the paper size and the kind of names."""
    rounds = rounds_with_tables(tournament)
    actor = actor_in(request)
    context = {
        "title": gettext("Print: {tournament}").format(tournament=tournament.name),
        "paper": chosen_paper(request),
        "names": _names_word(request),
        "rounds": rounds,
        "round": _round_in(request, rounds) if rounds else None,
        "most": MOST_CERTIFICATES,
        "not_printed": not_printed(printed_names(tournament, NAMES[_names_word(request)])),
        "may_direct": may(actor, Permission.DIRECT, tournament.club_id),
        "may_see_money": may(actor, Permission.SEE_MONEY, tournament.club_id),
        "may_take_entry": may(actor, Permission.TAKE_ENTRY, tournament.club_id),
    }
    return tournament_page(request, tournament, "paper", context)


def sheets(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Score sheets of a round, or of one of its tables, with the address where a signed-in user enters the deals."""
    number = _round_in(request, rounds_with_tables(tournament))
    since = Since.NOW if request.GET.get("since") == Since.NOW else Since.OPENING
    paper_sheets = _only(request, sheets_of_round(tournament, number, since))
    opens = {
        paper_sheet.sheet.table_id: request.build_absolute_uri(score_url(paper_sheet.sheet.table_id))
        for paper_sheet in paper_sheets
    }
    return _printed(request, score_sheets(tournament, paper_sheets, opens), tournament, f"sheets-{number}")


def seating(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """The seating of a round: from A to Z, and by table."""
    number = _round_in(request, rounds_with_tables(tournament))
    return _printed(request, seating_lists(_board(request, tournament), number), tournament, f"seating-{number}")


def standings_list(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """The standings of all players."""
    return _printed(request, [standings(_board(request, tournament))], tournament, "standings")


def winners(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """A sheet for announcing the winners; with prizes for users who may see money."""
    printed_board = _board(request, tournament)
    sees_money = may(actor_in(request), Permission.SEE_MONEY, tournament.club_id)
    prizes = _prizes(printed_board) if sees_money else None
    return _printed(request, [winners_sheet(printed_board, prizes)], tournament, "winners")


def certificate_pages(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """A certificate for each player in the first places, once the tournament is finished."""
    printed_board = _board(request, tournament)
    if not printed_board.is_finished:
        messages.error(request, gettext("Certificates are printed when the tournament is finished: places may change."))
        return HttpResponseRedirect(page_url("paper", tournament))
    certificate_list = certificates(printed_board, _most(request))
    if not certificate_list:
        messages.error(request, gettext("Nobody has a place yet."))
        return HttpResponseRedirect(page_url("paper", tournament))
    return _printed(request, certificate_list, tournament, "certificates")


# The address below a tournament's, the view, the permission it needs, and the name of the page.
PAGES = (
    Page("paper/", "paper", paper, Permission.SEE, Tab.DISPLAY, gettext_noop("Print"), is_read_only=True),
    Page("paper/sheets/", "paper_sheets", sheets, is_read_only=True),
    Page("paper/seating/", "paper_seating", seating, is_read_only=True),
    Page("paper/standings/", "paper_standings", standings_list, is_read_only=True),
    Page("paper/winners/", "paper_winners", winners, is_read_only=True),
    Page("paper/certificates/", "paper_certificates", certificate_pages, is_read_only=True),
)


def _board(request: HttpRequest, tournament: Tournament) -> Board:
    """The board as it is hung up and read out, with either kind of names: without players hidden from the public."""
    return as_listed(board(tournament, NAMES[_names_word(request)]))


def _names_word(request: HttpRequest) -> str:
    """`public` for names as the public reads them, such as for a wall; else `real`."""
    return "public" if request.GET.get("names") == "public" else "real"


def _round_in(request: HttpRequest, rounds: Sequence[int]) -> int:
    """The requested round, or the latest. Raises Http404 where there is no such round."""
    round_text = request.GET.get("round", "")
    number = (
        int(round_text)
        if round_text.isdecimal() and len(round_text) < 6
        else (rounds[0] if rounds and not round_text else 0)
    )
    if number not in rounds:
        raise Http404
    return number


def _only(request: HttpRequest, found: list[PaperSheet]) -> list[PaperSheet]:
    """The sheet of the requested table, or all of them. Raises Http404 where there is none."""
    table_id = request.GET.get("table", "")
    chosen = (
        [paper_sheet for paper_sheet in found if str(paper_sheet.sheet.table_id) == table_id] if table_id else found
    )
    if not chosen:
        raise Http404
    return chosen


def _most(request: HttpRequest) -> int:
    """For how many places certificates are printed."""
    places_text = request.GET.get("most", "")
    number = int(places_text) if places_text.isdecimal() and len(places_text) < 6 else CALLED_OUT
    return min(max(1, number), MOST_CERTIFICATES)


def _prizes(shown: Board) -> PrizeTable | None:
    """The prizes by the current standings; None before the first round or without prizes."""
    state = shown.state
    if state is None or state.plan is None or not state.rounds:
        return None
    sheet = prizes_so_far(shown.tournament, state)
    if sheet is None:
        return None
    return prize_table(state.plan, sheet, notation_of(shown.tournament), names_in_prizes(shown))


def _printed(request: HttpRequest, found: Sequence[Printed], tournament: Tournament, what: str) -> HttpResponseBase:
    name = f"{BookScope(club=tournament.club, tournament=tournament).name}-{what}"
    return pdf_answer(found, size_of(request), name)


# Table cards: for one table or for each open table, to print and to revoke.

QUIET_ZONE = 4
GROUP = 4
# Printed instead of the page with the codes: cards, or score sheets that have the codes on them.
PRINTS = frozenset({"cards", "sheets"})


class IssueForm(CommandForm):
    """Make cards in addition to earlier ones, and optionally print them at once.

    `seat`: only for one seat of a table where each seat has a card.
    """

    print = WordField()
    seat = WordField()


@purpose(gettext_noop("A table card lets a phone enter the deals of this table."))
def table_cards(visit: TableVisit) -> HttpResponse:
    """The valid cards of one table, and the form that makes one."""
    sheet = visit.seen.sheet
    if visit.request.method == "POST" and not sheet.is_cancelled:
        return _issue(visit.request, [table_for_card(sheet)], visit.seen.tournament)
    cards = live_cards([visit.seen.row.pk], now=now())
    names, tournament = visit.seen.names, visit.seen.tournament
    context = {
        "cards": [{"card": card, "seat": names.get(str(card.seat), "")} for card in cards],
        "seats": names.items() if visit.seen.table.setup.two_seats_enter else (),
        "key": uuid4(),
        "conflicts": (),
        "not_printed": not_printed([tournament.club.name, tournament.name, visit.seen.row.name, *names.values()]),
        "paper": chosen_paper(visit.request),
    }
    return visit.page("cards.html", context)


@purpose(gettext_noop("Revoke a table card: its phone can save no more."))
def revoke(visit: TableVisit, card_id: UUID) -> HttpResponse:
    """Revoke one card of this table."""
    if visit.request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not TableToken.objects.filter(id=card_id, table_id=visit.seen.row.pk).exists():
        raise Http404
    revoke_card(card_id, now=now())
    visit.add_message(gettext("The card no longer opens the table."))
    return visit.go("cards")


class PicksForm(ReadForm):
    """The tables picked on the page of all cards; `others` are those on its other pages that have no valid card.

    A form without `picks` picks every open table.
    """

    picks = WordField()
    tables = TicksField()
    others = WordField()


@purpose(gettext_noop("Table cards let phones enter deals, one card a table."))
def all_cards(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """New cards for open tables, on one page to print; and revoking the cards of tables, which is an action of its own.

    Tables without a valid card are preset: a card for one table leaves the phones at all others signed in.
    """
    tables = open_tables(tournament.pk)
    page = page_of(request, "tables", tables.select_related(None), MOST_TABLES)
    problem = ""
    if request.method == "POST" and page:
        picks = PicksForm(request.POST).read
        picked = [table for table in tables if not picks["picks"] or str(table.pk) in picks["tables"]]
        if pressed(request.POST) == "revoke":
            if picked and picks["picks"]:
                return _revoke_all(request, tournament, picked)
        else:
            picked += _without_card([table for table in tables if table not in page]) if picks["others"] else []
            if picked:
                return _issue(request, picked, tournament)
        problem = gettext("Choose at least one table.")
    live = Counter(card.table_id for card in live_cards([table.pk for table in page], now=now()))
    context = {
        "page": page,
        "tables": [{"table": table, "cards": live[table.pk]} for table in page],
        "has_cards": bool(live),
        "problem": problem,
        "not_printed": not_printed(printed_names(tournament)),
        "key": uuid4(),
        "paper": chosen_paper(request),
        "title": gettext("Table cards: {name}").format(name=tournament.name),
    }
    return tournament_page(request, tournament, "cards", context, refused=problem)


def _without_card(tables: Sequence[Table]) -> list[Table]:
    live = {card.table_id for card in live_cards([table.pk for table in tables], now=now())}
    return [table for table in tables if table.pk not in live]


def _revoke_all(request: HttpRequest, tournament: Tournament, tables: Sequence[Table]) -> HttpResponse:
    """Revoke every card of these tables."""
    count = revoke_cards([table.pk for table in tables], now=now())
    text = ngettext("{count} card revoked: {tables}.", "{count} cards revoked: {tables}.", count)
    names = listed([called(table) for table in tables])
    return go_on(request, page_url("cards", tournament), text.format(count=count, tables=names))


def _issue(request: HttpRequest, tables: Sequence[Table], tournament: Tournament) -> HttpResponse:
    """Make the cards and show their codes, this once; a form sent again makes those that it had not made."""
    moment = now()
    form = IssueForm(request.POST)
    values = form.read
    offered = {table.pk: seats_of_cards(table) for table in tables}
    seats = {pk: [seat for seat in all_of_it if values["seat"] in ("", str(seat))] for pk, all_of_it in offered.items()}
    cards = issue_cards(
        tables, key=uuid_of(values["key"]) or uuid4(), user_id=int(str(request.user.pk)), now=moment, seats=seats
    )
    if values["print"] in PRINTS and all(card.secret for card in cards):
        return _paper(request, tournament, cards, values["print"])
    names = players_by_table([table.pk for table in tables])
    shown = [(card, _card_shown(request, card, names.get(card.token.table_id, {}))) for card in cards]
    context = {
        "printed": [card_shown for card, card_shown in shown if card.secret is not None],
        # Where a table was opened since, the same form makes a card for it, whose code is shown now or never.
        "made_before": [card_shown for card, card_shown in shown if card.secret is None],
        "title": ngettext("{count} table card", "{count} table cards", len(cards)).format(count=len(cards)),
    }
    whole = {"tournament": tournament, **context}
    answer = admin_page(request, "admin/tournaments/card/printed.html", whole, model=Tournament)
    answer["Cache-Control"] = "no-store"
    return answer


@sensitive_variables("codes", "opens", "printed")
def _paper(request: HttpRequest, tournament: Tournament, cards: Sequence[IssuedCard], kind: str) -> HttpResponse:
    """The same cards as a PDF, or score sheets with their codes; the file is not stored."""
    codes = [(card.token.table_id, _code(request, tournament, card)) for card in cards]
    # A score sheet is for all players of the table: the code of a single seat is not printed on it.
    opens = {table: code.address for table, code in codes if not code.seat}
    printed: Sequence[Printed]
    if kind == "cards" or not opens:
        printed = table_cards_on_paper(tournament, sheets_of_tables(list(dict(codes)), Since.NOW), codes)
    else:
        printed = score_sheets(tournament, sheets_of_tables(list(opens), Since.NOW), opens)
    name = f"{BookScope(club=tournament.club, tournament=tournament).name}-{kind}.pdf"
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(pdf_of_all(printed, size_of(request)), content_type=PDF, headers=headers)


@sensitive_variables("code")
def _code(request: HttpRequest, tournament: Tournament, card: IssuedCard) -> CardCode:
    """The code and address that open the table, for printing."""
    return CardCode(
        address=f"{request.build_absolute_uri(reverse('cards:exchange'))}#{card.secret}",
        page=_typed_at(request, tournament, card),
        code=" ".join(in_groups(card.code or "")),
        seat=str(card.token.seat or ""),
        until=club_moment(card.token.expires_at, tournament),
    )


@sensitive_variables("address")
def _card_shown(request: HttpRequest, card: IssuedCard, players: Mapping[int, str]) -> dict[str, Any]:
    """One card with its code, as a QR code and as text."""
    address = f"{request.build_absolute_uri(reverse('cards:exchange'))}#{card.secret}"
    return {
        "token": card.token,
        "table": card.token.table,
        "players": players.values(),
        "seat": players.get(card.token.seat, ""),
        "page": _typed_at(request, card.token.table.tournament, card),
        "picture": code_picture(address) if card.secret else "",
        "code": in_groups(card.code or ""),
    }


def _typed_at(request: HttpRequest, tournament: Tournament, card: IssuedCard) -> str:
    """The address at which the card's code is typed: it names the club and the table, the code does not."""
    return request.build_absolute_uri(reverse("cards:typed", args=[tournament.club.slug, card.token.table.number]))


def in_groups(code: str) -> list[str]:
    """A code in the groups in which it is printed."""
    return [code[start : start + GROUP] for start in range(0, len(code), GROUP)]


@sensitive_variables("address")
def code_picture(address: str) -> SafeString:
    """The QR code of an address as an SVG without inline styles, which the content security policy allows."""
    drawn = segno.make(address, error="m", micro=False)
    # Safe: segno writes only its own digits and letters; the address is encoded as black and white squares.
    return mark_safe(drawn.svg_inline(border=QUIET_ZONE, omitsize=True, light="#fff"))  # noqa: S308
