"""Tournaments: made from a preset, changed until a table is open, closed when all of them are over; and their tables.

Rules: docs/how-to/evening.md, "Before the tournament". Each page calls one command; a refused form keeps what was
typed. A table is opened from its tournament's seating page and never edited here: its events are recorded, corrected
or voided on its own pages.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Case, Q, QuerySet, When
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.rules.variants import PRESETS, VARIANTS
from tournaments.log.context import tournament_lock
from tournaments.models import Club, EveningSheet, Table, Tournament
from tournaments.people.permissions import TABLE_CARD, Permission, permission_for
from tournaments.rendering.i18n.filters import called
from tournaments.rendering.i18n.translating import translate
from tournaments.running.commands.create import change_tournament, create_tournament
from tournaments.running.queries.today import MOST_TABLES, next_step
from tournaments.tables.queries.table_tokens import OVER
from tournaments.web.admin import books
from tournaments.web.admin.base.command_forms import data_of, words_in
from tournaments.web.admin.base.pages import Page, PageView, Tab, purpose
from tournaments.web.admin.base.request import at_table, command_context, go_on
from tournaments.web.admin.base.scoping import ClubScoped, OwnFilter, chosen_club, clubs_with
from tournaments.web.admin.entries import draft_pages, entry_pages, move_pages, request_pages, seat_pages
from tournaments.web.admin.register import link_pages
from tournaments.web.admin.tables import (
    act_pages,
    confirmation_pages,
    deal_pages,
    official_pages,
    offline_pages,
    table_pages,
    totals_pages,
)
from tournaments.web.admin.tables.acts import BY_PAGE, Act
from tournaments.web.admin.tables.card_exchange import at_table_with_card
from tournaments.web.admin.tournament import (
    bulk_pages,
    checklist,
    clock_pages,
    cut_pages,
    dashboard_pages,
    new_pages,
    paper_pages,
    plan_pages,
    prize_pages,
    screen_pages,
)
from tournaments.web.admin.tournament.tournament_form import new_form, stored_form


def is_open(tournament: Tournament) -> bool:
    """Whether a tournament is not closed."""
    return tournament.closed_at is None


def is_closed(tournament: Tournament) -> bool:
    """Whether a tournament is closed."""
    return not is_open(tournament)


def has_website(tournament: Tournament) -> bool:
    """Whether the results of a tournament can be downloaded as a website."""
    return is_closed(tournament) and tournament.is_published and tournament.club.is_published


DIRECT = Permission.DIRECT
# Each tab shows its pages in this order.
PAGES: tuple[Page, ...] = (
    Page("night/", "night", dashboard_pages.dashboard, DIRECT, Tab.DASHBOARD, gettext_noop("Dashboard")),
    Page("night/part/", "night_part", dashboard_pages.dashboard_part, DIRECT, is_read_only=True),
    Page("results/", "results", dashboard_pages.results, DIRECT, Tab.DASHBOARD, gettext_noop("Results"), is_closed),
    *entry_pages.PAGES,
    request_pages.LIST,
    link_pages.LINKS,
    Page("seat/", "seat", table_pages.seat, DIRECT),
    Page("seating/", "seating", draft_pages.seating, DIRECT, Tab.ROUNDS, gettext_noop("Seating")),
    Page("seats/", "seats", seat_pages.seats, DIRECT, Tab.ROUNDS, gettext_noop("Seat changes")),
    Page("moves/", "moves", move_pages.moves, DIRECT, Tab.ROUNDS, gettext_noop("Table moves")),
    Page("clock/", "clock", clock_pages.clock, DIRECT, Tab.ROUNDS, gettext_noop("Clock")),
    Page("clock/part/", "clock_part", clock_pages.clock_part, DIRECT, is_read_only=True),
    Page("ties/", "ties", cut_pages.ties, DIRECT, Tab.ROUNDS, gettext_noop("Ties")),
    Page("cut/", "cut", cut_pages.cut, DIRECT, Tab.ROUNDS, gettext_noop("Cut")),
    Page("prizes/", "prizes", prize_pages.prizes, DIRECT, Tab.MONEY, gettext_noop("Prizes")),
    Page("money/", "money", books.money, Permission.SEE_MONEY, Tab.MONEY, gettext_noop("Balances"), is_read_only=True),
    Page("money/journal/", "money_journal", books.tournament_journal, Permission.SEE_MONEY, is_read_only=True),
    Page("money/payouts/", "money_payouts", books.payouts, Permission.SEE_MONEY, is_read_only=True),
    Page("money/summary/", "money_summary", books.tournament_summary, Permission.SEE_MONEY, is_read_only=True),
    Page("till/", "till", checklist.till, Permission.TAKE_ENTRY),
    Page("settle/", "settle", books.settle, Permission.SETTLE),
    Page("night/settle/", "settle_all", dashboard_pages.settle_all, Permission.SETTLE),
    Page("screens/", "screens", screen_pages.screens, DIRECT, Tab.DISPLAY, gettext_noop("Projector")),
    *paper_pages.PAGES,
    Page("cards/", "cards", paper_pages.all_cards, DIRECT, Tab.DISPLAY, gettext_noop("Table cards"), is_open),
    Page(
        "static-site/",
        "static_site",
        dashboard_pages.static_site,
        DIRECT,
        Tab.DISPLAY,
        gettext_noop("Website"),
        has_website,
    ),
    Page("change/", "change", None, Permission.SEE, Tab.SETUP, gettext_noop("Details")),
    Page("plan/", "plan", plan_pages.plan, DIRECT, Tab.SETUP, gettext_noop("Plan")),
    request_pages.SETTINGS,
    Page("close/", "close", dashboard_pages.close, DIRECT, Tab.SETUP, gettext_noop("Close"), is_open),
    Page("give-up/", "cancel", dashboard_pages.cancel, DIRECT, Tab.SETUP, gettext_noop("Abandon"), is_open),
    Page("delete-unused/", "delete_unused", dashboard_pages.delete, DIRECT, Tab.SETUP, gettext_noop("Delete"), is_open),
    Page("restore/", "restore", dashboard_pages.restore, DIRECT),
    Page("reopen/", "reopen", dashboard_pages.reopen, DIRECT, Tab.SETUP, gettext_noop("Reopen"), is_closed),
    Page("repeat/", "repeat", new_pages.repeat, DIRECT),
    Page("all/<slug:what>/", "many", bulk_pages.bulk),
)


class GameFilter(admin.AllValuesFieldListFilter):
    """Filters tournaments by game, shown by its title."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.title = gettext("Game")

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The games that are played, by their titles."""
        for choice in super().choices(changelist):
            game = VARIANTS.get(str(choice["display"]))
            yield {**choice, "display": translate(game.title)} if game else choice


@admin.register(Tournament)
class TournamentAdmin(ClubScoped):
    """The tournaments of the user's clubs, the latest first."""

    add_permission = Permission.DIRECT
    change_permission = Permission.DIRECT
    add_text = gettext_lazy("New tournament")
    list_display = ("title", "club", "plays", "starts_at", "is_published", "closed_at", "pages")
    headings = {"starts_at": gettext_lazy("Begins"), "is_published": gettext_lazy("Published")}
    left_out_of_files = frozenset({"pages"})
    list_display_links = None
    list_filter = (("club", OwnFilter), ("variant", GameFilter), "is_published")
    search_fields = ("name",)
    ordering = ("-starts_at",)
    show_full_result_count = False
    actions = None
    own_pages = PAGES

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        """With the version that the club shows, which every page needs."""
        return super().get_queryset(request).select_related("club__shown_version")

    @admin.display(description=gettext_lazy("Tournament"), ordering="name")
    def title(self, tournament: Tournament) -> SafeString:
        """The name as a link, isolated for its text direction."""
        url = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
        return format_html('<a href="{}"><bdi>{}</bdi></a>', url, tournament.name)

    @admin.display(description=gettext_lazy("Plays"), ordering="preset")
    def plays(self, tournament: Tournament) -> str:
        """The preset's title, or the game's where no preset of ours was chosen."""
        rules_and_preset = PRESETS.get(tournament.preset)
        return translate(rules_and_preset[1].title if rules_and_preset else VARIANTS[tournament.variant].title)

    @admin.display(description=gettext_lazy("Go to"))
    def pages(self, tournament: Tournament) -> SafeString:
        """A link to the tournament's tables."""
        tables = reverse("admin:tournaments_table_changelist")
        return format_html('<a href="{}?tournament__id__exact={}">{}</a>', tables, tournament.pk, gettext("Tables"))

    def add_view(self, request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        """Three questions; or, for any other rule set, the preset and then all of its options."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        clubs = clubs_with(request, Permission.DIRECT).order_by("name")
        choices = words_in(request.POST, "club", "preset", "ends")
        context: dict[str, Any] = {"clubs": clubs, "title": gettext("New tournament")}
        club = chosen_club(clubs, choices["club"] or request.GET.get("club"))
        preset = choices["preset"] or request.GET.get("preset", "")
        if club is not None and (choices["ends"] or (not preset and "all" not in request.GET)):
            return new_pages.new_tournament(request, club)
        if club is None or preset not in PRESETS:
            return self.answer(request, "tournament/presets.html", {**context, "presets": _preset_groups()})
        context["club"] = club
        form = new_form(data_of(request), preset, club, now=now())
        if not form.is_bound:
            return self.answer(request, "tournament/form.html", {**context, "form": form})
        tournament = form.store(lambda draft: create_tournament(club, draft, context=command_context(request)))
        if tournament is None:
            return self.answer(request, "tournament/form.html", {**context, "form": form})
        text = gettext("{name} is set up. The dashboard shows the next step.").format(name=tournament.name)
        return go_on(request, reverse("admin:tournaments_tournament_night", args=[tournament.pk]), text)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """A tournament that was deleted before it was used is shown only in searches."""
        tournaments, may_repeat = super().get_search_results(request, queryset, search_term)
        is_deleted = Q(is_cancelled=True, is_published=False, tables__isnull=True)
        return tournaments if search_term else tournaments.exclude(is_deleted), may_repeat

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **words: Any) -> HttpResponse:
        """The tournament with its tables; options and stakes are frozen once a table is open."""
        tournament = self.get_object(request, object_id)
        may_change = self.has_change_permission(request, tournament)
        tables, more_tables = _latest_tables(tournament)
        context = {
            "tournament": tournament,
            "club": tournament.club,
            "tables": tables,
            "more_tables": more_tables,
            "is_frozen": bool(tables),
            "may_change": may_change,
            "has_plan": EveningSheet.objects.filter(tournament=tournament, has_plan=True).exists(),
            "title": tournament.name,
        }
        if request.method != "POST":
            return self.answer(request, "tournament/form.html", {**context, "form": stored_form(None, tournament)})
        if not may_change:
            raise PermissionDenied
        return self._change(request, tournament, context)

    def _change(self, request: HttpRequest, tournament: Tournament, context: dict[str, Any]) -> HttpResponse:
        """Store the fields changed on the page, keeping other changes since it was opened."""
        with tournament_lock(tournament.pk) as row:
            form = stored_form(request.POST, row)
            if form.clashes:
                return self.answer(request, "tournament/form.html", {**context, "form": form}, stale=form.clashes)
            stored_tournament = form.store(
                lambda draft: change_tournament(row, draft, context=command_context(request))
            )
        if stored_tournament is None:
            return self.answer(request, "tournament/form.html", {**context, "form": form})
        url = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
        return go_on(request, url, form.saved_text(form.draft().name))


def _preset_groups() -> list[dict[str, Any]]:
    """Presets grouped by their variant."""
    groups: dict[str, dict[str, Any]] = {}
    for rules, preset in PRESETS.values():
        group = groups.setdefault(rules.name, {"title": rules.title, "summary": rules.summary, "presets": []})
        group["presets"].append(preset)
    return list(groups.values())


def _latest_tables(tournament: Tournament) -> tuple[list[Table], int]:
    """The tables of the page in their order, and how many more there are. If there are many, open ones come first."""
    tables = Table.objects.filter(tournament=tournament).select_related("scoresheet").defer("scoresheet__state")
    latest = tables.order_by(Case(When(OVER, then=1), default=0), "-round", "number")[:MOST_TABLES]
    listed = sorted(latest, key=lambda table: (table.round, table.number))
    return listed, tables.count() - len(listed)


# Tables: the list, and the pages of one table.


def _act_page(act: Act) -> Page:
    """The page of an action at a table."""
    number = "<int:number>/" if act.about else ""
    door = at_table_with_card if permission_for(act.kind, is_over=False) in TABLE_CARD else at_table
    view = purpose(act.purpose)(door(partial(act_pages.act_page, act=act)))
    return Page(f"{act.page.replace('_', '-')}/{number}", act.page, view)


# What a table card opens is for `at_table_with_card`.
TABLE_PAGES = (
    Page("score/", "score", at_table_with_card(deal_pages.score, takes_late=True)),
    Page("preview/", "preview", at_table_with_card(deal_pages.preview)),
    Page("hand/", "hand", at_table_with_card(deal_pages.hand)),
    Page("sheet/", "sheet", at_table_with_card(table_pages.sheet), is_read_only=True),
    Page("log/", "log", at_table_with_card(table_pages.history_page), is_read_only=True),
    Page("correct/<int:deal>/", "correct", at_table_with_card(deal_pages.correct)),
    Page("totals/", "totals", at_table_with_card(totals_pages.totals)),
    Page("exchange/", "exchange", at_table(official_pages.exchange, Permission.DIRECT)),
    Page("words/", "words", at_table_with_card(confirmation_pages.confirmations)),
    Page("device/", "device", at_table_with_card(offline_pages.device)),
    Page("late/", "late", at_table(offline_pages.late, Permission.DIRECT)),
    Page("keying/", "keying", at_table(official_pages.keying, Permission.DIRECT)),
    Page("cards/", "cards", at_table(paper_pages.table_cards, Permission.DIRECT)),
    Page("cards/<uuid:card_id>/revoke/", "card_revoke", at_table(paper_pages.revoke, Permission.DIRECT)),
    *(_act_page(act) for act in BY_PAGE.values()),
)


@admin.register(Table)
class TableAdmin(ClubScoped):
    """All tables of the user's clubs, with links to their score sheets."""

    club_path = "tournament__club"
    list_display = ("title", "tournament", "round", "number", "deals", "waits_for")
    numbers = frozenset({"deals"})
    list_display_links = None
    list_filter = (("tournament", OwnFilter),)
    search_fields = ("name", "tournament__name")
    show_full_result_count = False
    actions = None
    own_pages = TABLE_PAGES

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        """The latest tournaments first."""
        rows = super().get_queryset(request).select_related("scoresheet")
        return rows.order_by("-tournament__starts_at", "round", "number")

    def club_of(self, row: Table) -> Club:
        """The club of the table's tournament."""
        return row.tournament.club

    @admin.display(description=gettext_lazy("Table"))
    def title(self, table: Table) -> SafeString:
        """A link to the table's own pages."""
        url = reverse("admin:tournaments_table_score", args=[table.pk])
        return format_html('<a href="{}"><bdi>{}</bdi></a>', url, called(table))

    @admin.display(description=gettext_lazy("Deals"), ordering="scoresheet__deals")
    def deals(self, table: Table) -> int | str:
        """How many deals count; a table that was entered by its totals has none."""
        return gettext("by totals") if table.scoresheet.has_totals else table.scoresheet.deals

    @admin.display(description=gettext_lazy("Waiting for"))
    def waits_for(self, table: Table) -> str:
        """The next step at the table."""
        return translate(next_step(table.scoresheet).value)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **words: Any) -> HttpResponse:
        """Redirect to the score sheet: a table has no edit form."""
        table = self.get_object(request, object_id)
        return HttpResponseRedirect(reverse("admin:tournaments_table_sheet", args=[table.pk]))

    def history_view(self, request: HttpRequest, object_id: str, *args: Any, **words: Any) -> HttpResponse:
        """Redirect to the table's log, which is its history."""
        table = self.get_object(request, object_id)
        return HttpResponseRedirect(reverse("admin:tournaments_table_log", args=[table.pk]))

    def row_page(self, view: PageView, permission: Permission) -> PageView:
        """Its pages visit a table: `at_table`."""
        return view
