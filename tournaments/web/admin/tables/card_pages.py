"""Cards for tables, as a director makes them: one for a table or one for each open table, to print and to take back.

Rules: docs/how-to/evening.md, "Table cards". The answer to the form that makes a card shows its code, and no later page
can.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import segno
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import now
from django.utils.translation import gettext, ngettext
from django.views.decorators.debug import sensitive_variables

from tournaments.books.queries import Extract
from tournaments.models import Table, TableToken, Tournament
from tournaments.people.players import uuid_of
from tournaments.printing.lists import CardCode
from tournaments.printing.lists import table_cards as table_cards_on_paper
from tournaments.printing.score_sheets import Since, score_sheets, sheets_of_tables
from tournaments.printing.words import moment_said
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.pdf import Printed, pdf_of_all
from tournaments.tables.commands.table_tokens import IssuedCard, issue_cards, revoke_card, revoke_older_cards
from tournaments.tables.queries.table_tokens import live_cards, open_tables, players_by_table, table_for_card
from tournaments.web.admin.base.command_fields import WordField
from tournaments.web.admin.base.command_forms import CommandForm
from tournaments.web.admin.base.request import PDF, Visit, chosen_paper, evening_page, size_of

QUIET_ZONE = 4
GROUP = 6
# What is made beside the page that shows the codes: cards, or score sheets that bear them.
PRINTS = frozenset({"cards", "sheets"})


class IssueForm(CommandForm):
    """Cards are made, instead of those before them or beside them, and perhaps printed at once."""

    replace = WordField()
    print = WordField()


def table_cards(visit: Visit) -> HttpResponse:
    """The cards that open one table now, and the form that makes one."""
    sheet = visit.seen.sheet
    if visit.request.method == "POST" and not sheet.is_cancelled:
        return _issue(visit.request, [table_for_card(sheet)], visit.seen.tournament)
    context = {"cards": live_cards([visit.seen.row.pk], now=now()), "key": uuid4(), "conflicts": ()}
    context["paper"] = chosen_paper(visit.request)
    return visit.page("cards.html", context)


def revoke(visit: Visit, card_id: UUID) -> HttpResponse:
    """Take one card of this table back."""
    if visit.request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not TableToken.objects.filter(id=card_id, table_id=visit.seen.row.pk).exists():
        raise Http404
    revoke_card(card_id, now=now())
    visit.tell(gettext("The card no longer opens the table."))
    return visit.go("cards")


def all_cards(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """One new card for each open table, all on one page to print."""
    tables = list(open_tables(tournament.pk))
    if request.method == "POST" and tables:
        return _issue(request, tables, tournament)
    live = live_cards([table.pk for table in tables], now=now())
    context = {
        "tables": [{"table": table, "cards": [c for c in live if c.table_id == table.pk]} for table in tables],
        "key": uuid4(),
        "paper": chosen_paper(request),
        "title": gettext("Table cards: {name}").format(name=tournament.name),
    }
    return evening_page(request, tournament, "cards", context)


def _issue(request: HttpRequest, tables: Sequence[Table], tournament: Tournament) -> HttpResponse:
    """Make the cards and show them, this once."""
    moment = now()
    form = IssueForm(request.POST)
    asked = form.read
    cards = issue_cards(tables, key=uuid_of(asked["key"]) or uuid4(), user_id=int(str(request.user.pk)), now=moment)
    if asked["replace"]:
        revoke_older_cards(cards, now=moment)
    if asked["print"] in PRINTS and all(card.secret for card in cards):
        return _paper(request, tournament, cards, asked["print"])
    names = players_by_table([table.pk for table in tables])
    context = {
        "printed": [_printed(request, card, names.get(card.token.table_id, [])) for card in cards],
        "is_resend": any(card.secret is None for card in cards),
        "zone": zone_of(tournament.club.timezone),
        "title": ngettext("{count} table card", "{count} table cards", len(cards)).format(count=len(cards)),
    }
    whole = {**admin.site.each_context(request), "opts": Tournament._meta, "tournament": tournament, **context}
    answer = TemplateResponse(request, "admin/tournaments/card/printed.html", whole)
    answer["Cache-Control"] = "no-store"
    return answer


@sensitive_variables("codes", "opens", "printed")
def _paper(request: HttpRequest, tournament: Tournament, cards: Sequence[IssuedCard], kind: str) -> HttpResponse:
    """The same cards as a file, or score sheets with their codes. Nothing keeps it but who asked."""
    codes = {card.token.table_id: _code(request, tournament, card) for card in cards}
    found = sheets_of_tables(list(codes), Since.NOW)
    printed: Sequence[Printed]
    if kind == "cards":
        printed = table_cards_on_paper(tournament, found, codes)
    else:
        opens = {table: code.address for table, code in codes.items()}
        printed = score_sheets(tournament, found, opens)
    name = f"{Extract(club=tournament.club, tournament=tournament).name}-{kind}.pdf"
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(pdf_of_all(printed, size_of(request)), content_type=PDF, headers=headers)


@sensitive_variables("code")
def _code(request: HttpRequest, tournament: Tournament, card: IssuedCard) -> CardCode:
    """What opens the table, as a card on paper says it."""
    page, code = request.build_absolute_uri(reverse("cards:exchange")), card.secret or ""
    return CardCode(
        address=f"{page}#{code}",
        page=page,
        code=" ".join(code[start : start + GROUP] for start in range(0, len(code), GROUP)),
        until=moment_said(card.token.expires_at, tournament),
    )


@sensitive_variables("address")
def _printed(request: HttpRequest, card: IssuedCard, players: Sequence[str]) -> dict[str, Any]:
    """One card with its code, as a picture and in letters."""
    page = request.build_absolute_uri(reverse("cards:exchange"))
    address = f"{page}#{card.secret}"
    code = card.secret or ""
    return {
        "token": card.token,
        "table": card.token.table,
        "players": players,
        "page": page,
        "picture": _picture(address) if code else "",
        "code": [code[start : start + GROUP] for start in range(0, len(code), GROUP)],
    }


@sensitive_variables("address")
def _picture(address: str) -> SafeString:
    """The QR code as drawing commands: attributes alone, which the content policy lets through."""
    drawn = segno.make(address, error="m", micro=False)
    # Nothing but digits and letters of the library's own: the address is in it as black and white squares only.
    return mark_safe(drawn.svg_inline(border=QUIET_ZONE, omitsize=True, light="#fff"))  # noqa: S308
