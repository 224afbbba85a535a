"""Tables in the back office: the list, and the pages of one table.

Rules: docs/how-to/evening.md. A table is opened from its tournament's seating page and never edited here: what happens
at it is recorded, corrected or voided on its own pages, each of which calls one command.
"""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from tournaments.evenings.queries.tonight import next_step
from tournaments.models import Table
from tournaments.people.permissions import TABLE_CARD, Deed, deed_for
from tournaments.rendering.i18n.filters import called
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.request import at_table
from tournaments.web.admin.base.scoping import ClubScoped, OwnFilter
from tournaments.web.admin.tables import act_pages, card_pages, deal_pages, exchange_pages, keying_pages, table_pages
from tournaments.web.admin.tables.acts import BY_PAGE
from tournaments.web.admin.tables.card_exchange import at_table_with_card


@admin.register(Table)
class TableAdmin(ClubScoped):
    """Every table of one's clubs, with the way to its score sheet."""

    club_path = "tournament__club"
    list_display = ("title", "tournament", "round", "number", "deals", "waits_for")
    list_display_links = None
    list_filter = (("tournament", OwnFilter),)
    search_fields = ("name", "tournament__name")
    list_select_related = ("tournament__club", "scoresheet")
    show_full_result_count = False
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        """The latest tournaments first."""
        return super().get_queryset(request).order_by("-tournament__starts_at", "round", "number")

    def club_of(self, row: Table) -> UUID:
        """Through the tournament."""
        return row.tournament.club_id

    @admin.display(description=gettext_lazy("Table"))
    def title(self, table: Table) -> SafeString:
        """The way to the table's own pages."""
        url = reverse("admin:tournaments_table_score", args=[table.pk])
        return format_html('<a href="{}"><bdi>{}</bdi></a>', url, called(table))

    @admin.display(description=gettext_lazy("Deals"), ordering="scoresheet__deals")
    def deals(self, table: Table) -> int:
        """How many deals count."""
        return table.scoresheet.deals

    @admin.display(description=gettext_lazy("Waiting for"))
    def waits_for(self, table: Table) -> str:
        """What has to be done next."""
        return translate(next_step(table.scoresheet).value)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """A table has no form of its own: its sheet is its page."""
        table = self.get_object(request, object_id)
        return HttpResponseRedirect(reverse("admin:tournaments_table_sheet", args=[table.pk]))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The log is the history."""
        table = self.get_object(request, object_id)
        return HttpResponseRedirect(reverse("admin:tournaments_table_log", args=[table.pk]))

    def get_urls(self) -> list[URLPattern]:
        """The table's own pages come before Django's, which would take their addresses for ids."""
        return [*table_urls(), *super().get_urls()]


def table_urls() -> list[URLPattern]:
    """One address for each thing that can be done at a table. What a card opens besides a login says so."""
    return [*_scorers_urls(), *_act_urls(), *_directors_urls()]


def _scorers_urls() -> list[URLPattern]:
    pages = {
        "score": deal_pages.score,
        "preview": deal_pages.preview,
        "hand": deal_pages.hand,
        "sheet": table_pages.sheet,
        "log": table_pages.history_page,
    }
    correct = path("<uuid:table_id>/correct/<int:deal>/", at_table_with_card(deal_pages.correct), name=_name("correct"))
    return [
        *(path(f"<uuid:table_id>/{page}/", at_table_with_card(view), name=_name(page)) for page, view in pages.items()),
        correct,
    ]


def _act_urls() -> list[URLPattern]:
    pages = []
    for page, act in BY_PAGE.items():
        number = "<int:number>/" if act.about else ""
        door = at_table_with_card if deed_for(act.kind, is_over=False) in TABLE_CARD else at_table
        address = f"<uuid:table_id>/{page.replace('_', '-')}/{number}"
        pages.append(path(address, door(act_pages.act_page), {"page": page}, name=_name(page)))
    return pages


def _directors_urls() -> list[URLPattern]:
    return [
        path("<uuid:table_id>/exchange/", at_table(exchange_pages.exchange, Deed.DIRECT), name=_name("exchange")),
        path("<uuid:table_id>/keying/", at_table(keying_pages.keying, Deed.DIRECT), name=_name("keying")),
        path("<uuid:table_id>/cards/", at_table(card_pages.table_cards, Deed.DIRECT), name=_name("cards")),
        path(
            "<uuid:table_id>/cards/<uuid:card_id>/revoke/",
            at_table(card_pages.revoke, Deed.DIRECT),
            name=_name("card_revoke"),
        ),
    ]


def _name(page: str) -> str:
    return f"tournaments_table_{page}"
