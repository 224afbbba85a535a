"""Navigation of the back office: tabs above a tournament, the menu above every page, and the start page.

Each shows only what the user may open. Templates: `{% load tabs %}`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast
from uuid import UUID, uuid4

from django import template
from django.apps import apps
from django.contrib import admin
from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop

from scoring.cash import load_book
from tournaments.books.player_balances import balances_of_club
from tournaments.books.queries import Settlement
from tournaments.cash.payouts import tournaments_to_pay_out
from tournaments.cash.queries import currencies_of
from tournaments.cash.queries import waiting as unsettled
from tournaments.entries.notices import waiting_notice_counts
from tournaments.entries.queries import desks_today
from tournaments.entries.self_entry import waiting_counts
from tournaments.models import CashBook, Club, Tournament
from tournaments.outbox.receivers import receivers_switched_off
from tournaments.people.permissions import Actor, Permission, clubs_of, may
from tournaments.projections.stale import site_state, worker_state
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.left_out import lines_of
from tournaments.running.queries.today import TodaysTournament, todays_tournaments
from tournaments.web.admin.base.pages import Page, Tab
from tournaments.web.admin.base.request import cash_url
from tournaments.web.admin.base.scoping import ClubScoped, actor_in, clubs_with
from tournaments.web.admin.cash.request import CashVisit, till_state
from tournaments.web.admin.register.first_steps import first_steps
from tournaments.web.admin.register.journal import visible_clubs
from tournaments.web.admin.register.people_pages import PEOPLE_PAGES, people_url

register = template.Library()
PREFIX = "tournaments_tournament_"
# A user of more clubs finds their money on the pages of the clubs.
MOST_CLUBS = 4
# So many players of each list of a desk are named on the start page.
MOST_NAMED = 8


@register.inclusion_tag("admin/tournaments/tournament/tabs.html", takes_context=True)
def tournament_tabs(context: template.Context, tournament: Tournament, *, is_swapped: bool = False) -> dict[str, Any]:
    """The tabs that a user has at a tournament; under the current one its pages.

    Where the page knows the next step, the tab that leads to it is marked. `is_swapped`: sent again with what changed.
    A page with no tab of its own may name the page `under` whose tab it is.
    """
    request: HttpRequest = context["request"]
    step = context.get("suggested")
    unmarked_tabs = _tabs(request, tournament, context.get("under") or "")
    tabs = [{**tab, "is_next": step is not None and _leads_to(tab, step.page)} for tab in unmarked_tabs]
    return {
        "is_swapped": is_swapped,
        "tabs": tabs,
        "pages": next((tab["pages"] for tab in tabs if tab["is_current"]), []),
    }


def _cash_page(actor: Actor, club: UUID) -> tuple[str, str]:
    """The page of cash that a user begins with: its title, and the end of its URL name."""
    if may(actor, Permission.HANDLE_CASH, club):
        return gettext("Cash desk"), "cash"
    return gettext("Cash book"), "cash_night"


def _leads_to(tab: Mapping[str, Any], url: str) -> bool:
    """Whether the step is done on one of the tab's pages, and not on the one that is open."""
    return not tab["is_current"] and any(url == page["url"] for page in tab["pages"])


def tab_over(title: str, pages: list[dict[str, Any]]) -> dict[str, Any]:
    """A tab that leads to the first of its pages and is current with any of them. The title is a msgid."""
    is_current = any(page["is_current"] for page in pages)
    return {"title": gettext(title), "url": pages[0]["url"], "is_current": is_current, "pages": pages}


def tournament_pages() -> Sequence[Page]:
    """The declared pages of a tournament."""
    return cast("ClubScoped", admin.site.get_model_admin(Tournament)).own_pages


def current_page(url_name: str) -> str:
    """The page under a tab that a URL name belongs to; empty where there is none."""
    name = url_name.removeprefix(PREFIX)
    names = {page.name for page in tournament_pages() if page.tab}
    return next((page_name for page_name in (name, name.partition("_")[0]) if page_name in names), "")


def _tabs(request: HttpRequest, tournament: Tournament, under: str) -> Iterator[dict[str, Any]]:
    actor = actor_in(request)
    match = request.resolver_match
    current = under or (current_page(match.url_name or "") if match else "")
    for tab in Tab:
        links = [
            {
                "title": gettext(page.title),
                "url": reverse(f"admin:{PREFIX}{page.name}", args=[tournament.pk]),
                "is_current": page.name == current,
            }
            for page in tournament_pages()
            if page.tab is tab and page.is_of_use(tournament) and may(actor, page.permission, tournament.club_id)
        ]
        if tab is Tab.MONEY and may(actor, Permission.SEE_MONEY, tournament.club_id):
            cash_title, page_of_cash = _cash_page(actor, tournament.club_id)
            links.append({"title": cash_title, "url": cash_url(page_of_cash, tournament), "is_current": False})
        if links:
            yield tab_over(tab, links)


# A list of the menu that is no model's.
PEOPLE = "people"
PEOPLE_NAMES = frozenset(f"tournaments_club_{page.name}" for page in PEOPLE_PAGES)
# The parts of the back office, each with its lists: a model and the list's title. The club's cash desk and books come
# first under Money.
MENU: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (gettext_noop("Tournaments"), (("tournaments.tournament", gettext_noop("Tournaments")),)),
    (gettext_noop("Players"), (("tournaments.player", gettext_noop("Players")),)),
    (gettext_noop("Seasons"), (("tournaments.season", gettext_noop("Seasons")),)),
    (
        Tab.MONEY,
        (("scoring.account", gettext_noop("Accounts")), ("scoring.journalentry", gettext_noop("Journal"))),
    ),
    (
        gettext_noop("Club"),
        (
            ("tournaments.club", gettext_noop("Settings")),
            ("tournaments.apitoken", gettext_noop("Device links")),
            (PEOPLE, gettext_noop("People")),
            ("tournaments.event", gettext_noop("Log")),
        ),
    ),
)


def menu(site: AdminSite, request: HttpRequest) -> list[dict[str, Any]]:
    """The parts of the back office that the user may see, each with its lists."""
    if not site.has_permission(request):
        return []
    home = reverse("admin:index")
    parts = [{"title": gettext("Today"), "url": home, "is_current": request.path == home, "pages": []}]
    money = _money_pages(request)
    for title, labels in MENU:
        lists = [
            _list_of(label, list_title, request) for label, list_title in labels if _may_list(site, label, request)
        ]
        if title == Tab.MONEY:
            lists = [*money, *lists]
        if lists:
            parts.append(tab_over(title, lists))
    if any(page["is_current"] for page in money):
        # The addresses of these pages begin as that of the list of clubs.
        parts = [{**part, "is_current": part["title"] == gettext(Tab.MONEY)} for part in parts]
    return parts


def _money_pages(request: HttpRequest) -> list[dict[str, Any]]:
    """The cash desk and the books of the clubs whose money the user may see, named where there are several."""
    actor = actor_in(request)
    clubs, books = clubs_of(actor, Permission.SEE_MONEY), visible_clubs(request)
    named: dict[UUID, str] = dict.fromkeys(clubs or (), "")
    if clubs is None or len(clubs) > 1:
        rows = Club.objects.order_by("name") if clubs is None else Club.objects.filter(pk__in=clubs).order_by("name")
        named = dict(rows.values_list("pk", "name")[:MOST_CLUBS])
    pages = []
    for club, name in named.items():
        title, page = _cash_page(actor, club)
        desk = reverse("admin:tournaments_club_cash", args=[club])
        pages.append((title, reverse(f"admin:tournaments_club_{page}", args=[club]), desk, name))
        if books is None or club in books:
            of_books = reverse("admin:tournaments_club_books", args=[club])
            pages.append((gettext("Books"), of_books, of_books, name))
    return [
        {
            "title": f"{title}: {name}" if len(named) > 1 else title,
            "url": url,
            "is_current": request.path.startswith(start),
        }
        for title, url, start, name in pages
    ]


def _may_list(site: AdminSite, label: str, request: HttpRequest) -> bool:
    if label == PEOPLE:
        return clubs_of(actor_in(request), Permission.MANAGE) != []
    model_admin = site._registry.get(apps.get_model(label))
    return model_admin is not None and model_admin.has_module_permission(request)


def _list_of(label: str, title: str, request: HttpRequest) -> dict[str, Any]:
    # The addresses of the pages of people begin as that of the list of clubs.
    is_of_people = request.resolver_match is not None and request.resolver_match.url_name in PEOPLE_NAMES
    if label == PEOPLE:
        clubs = clubs_of(actor_in(request), Permission.MANAGE)
        url = people_url(clubs[0]) if clubs is not None and len(clubs) == 1 else reverse("people")
        return {"title": gettext(title), "url": url, "is_current": is_of_people}
    url = reverse(f"admin:{label.replace('.', '_')}_changelist")
    return {"title": gettext(title), "url": url, "is_current": request.path.startswith(url) and not is_of_people}


def today_context(request: HttpRequest) -> dict[str, Any]:
    """Context of the start page: problems, tournaments that need attention, others folded unless there is only one."""
    actor = actor_in(request)
    moment = now()
    todays = todays_tournaments(clubs_of(actor, Permission.SEE), now=moment)
    worker = worker_state(now=moment)
    site = site_state(now=moment) if clubs_of(actor, Permission.MANAGE) != [] else None
    if site and (site.backup_at or site.restored_at):
        # Backups belong to no club: their moments go by the clock of the owner's first one, as the filters of lists do.
        first_club = clubs_with(request, Permission.MANAGE).order_by("name").first()
        timezone.activate(zone_of(first_club.timezone if first_club else "UTC"))
    # What a single look has seen is nothing yet: a new site is looked at before its first restore on trial.
    site_problems = [row for row in site.bad if row.since != row.bad_at] if site else []
    directed = {entry.tournament.id for entry in todays if may(actor, Permission.DIRECT, entry.tournament.club)}
    tables = [table for entry in todays for table in entry.tables]
    troubles = [table for table in tables if table.sheet.has_conflict or table.settlement is Settlement.FAILED]
    at_desk = [entry.tournament for entry in todays if may(actor, Permission.TAKE_ENTRY, entry.tournament.club)]
    desks = desks_today(tournament for tournament in at_desk if tournament.id not in directed)
    checked_in = {tournament.id for tournament in at_desk if may(actor, Permission.CHECK_IN, tournament.club)}
    taking = [row.pk for row in at_desk if row.takes_entries and row.pk in checked_in and row.closed_at is None]
    requests = waiting_counts(taking) if taking else {}
    told = [row.pk for row in at_desk if row.pk in checked_in and row.closed_at is None]
    notices = waiting_notice_counts(told) if told else {}
    needing = {entry.tournament.id for entry in todays if entry.needs_somebody(moment)}
    waiting = needing | requests.keys() | notices.keys()
    opened = waiting if len(todays) > 1 else {entry.tournament.id for entry in todays}
    first = sorted(todays, key=lambda entry: entry.tournament.id not in waiting)
    card_context = {
        "directed": directed,
        "waiting": waiting,
        "opened": opened,
        "most_named": MOST_NAMED,
        "checked_in": checked_in,
    }
    return {
        "worker": worker,
        "worker_minutes": worker.minutes(moment),
        "site": site,
        # Those who direct read of the worker and its broker as of now.
        "site_problems": [row for row in site_problems if row.subject not in ("worker", "broker")],
        "cards": lines_of(
            first,
            lambda entry: _drawn(
                "tournament",
                {
                    "entry": entry,
                    "desk": desks.get(entry.tournament.id),
                    **card_context,
                    "requests": requests.get(entry.tournament.id, 0),
                    "notices": notices.get(entry.tournament.id, 0),
                },
            ),
        ),
        "money": [*_money_today(request), *_money_left(request, todays)],
        "troubles": lines_of(
            troubles,
            lambda entry: _drawn(
                "trouble",
                {"entry": entry, "sees_money": may(actor, Permission.SEE_MONEY, entry.tournament.club_id)},
            ),
        ),
        "receivers_off": receivers_switched_off(clubs_of(actor, Permission.DIRECT)),
        "may_create": bool(actor.is_site_admin or clubs_of(actor, Permission.DIRECT)),
        "to_repeat": _to_repeat(clubs_of(actor, Permission.DIRECT)),
        "first_steps": [] if todays else first_steps(actor),
        "has_role": actor.is_site_admin or bool(actor.roles),
        "key": str(uuid4()),
    }


def _money_today(request: HttpRequest) -> list[dict[str, Any]]:
    """For each club and currency: the till of a cashier and what they have to do; what a treasurer looks at.

    Directors have it on dashboards.
    """
    actor = actor_in(request)
    clubs = [club for club in actor.roles if not may(actor, Permission.DIRECT, club)]
    money_clubs = [club for club in clubs if may(actor, Permission.SEE_MONEY, club)]
    return [
        {"visit": visit, "about": about}
        | (_my_till(visit) if visit.may(Permission.HANDLE_CASH) else _owed_today(visit))
        for visit, about in _cash_visits(request, money_clubs)
    ]


def _money_left(request: HttpRequest, todays: Sequence[TodaysTournament]) -> list[dict[str, Any]]:
    """For a director what no dashboard of today has: from earlier days, money not settled, not paid out, not counted.

    What is not paid out also while another tournament is open. Its dashboard has the tills.
    """
    actor = actor_in(request)
    playing = {entry.tournament.club_id for entry in todays if entry.tournament.closed_at is None}
    shown = {entry.tournament.pk for entry in todays}
    directed = [club for club in actor.roles if may(actor, Permission.DIRECT, club)]
    closed = Tournament.objects.filter(club__in=directed, closed_at__isnull=False).exclude(pk__in=shown).order_by()
    earlier = set(closed.values_list("club_id", flat=True).distinct()) if directed else set()
    rows = []
    for visit, about in _cash_visits(request, [club for club in directed if club not in playing or club in earlier]):
        waits: dict[str, Any] = {"unpaid": _to_pay_out(visit, beside=shown)}
        if visit.club.pk not in playing:
            states = CashBook.objects.filter(club=visit.club, currency=visit.currency, is_closed=False)
            books = [load_book(state) for state in states.values_list("state", flat=True)]
            waits["unsettled"] = _unsettled(visit)
            waits["tills"] = sum(till.is_open for book in books for till in book.tills.values())
        if any(waits.values()):
            rows.append({"visit": visit, "about": about, **waits, "is_left": True, "book_url": visit.url("night")})
    return rows


def _cash_visits(request: HttpRequest, clubs: Collection[UUID]) -> Iterator[tuple[CashVisit, str]]:
    """Each club and currency of the user, with what tells them apart: nothing where there is one."""
    for club in Club.objects.filter(pk__in=clubs).order_by("name") if clubs else ():
        currencies = tuple(currencies_of(club))
        for currency in currencies:
            title = [club.name] * (len(clubs) > 1) + [currency] * (len(currencies) > 1)
            visit = CashVisit(
                request=request, actor=actor_in(request), club=club, currency=currency, currencies=currencies
            )
            yield visit, ", ".join(title)


def _to_pay_out(visit: CashVisit, *, beside: Collection[UUID] = ()) -> list[dict[str, Any]]:
    """Closed tournaments with money to collect, each with the page that pays it out."""
    return [
        {"name": tournament.name, "url": cash_url("cash_balances", tournament)}
        for tournament in tournaments_to_pay_out(visit.club, visit.currency, beside=beside)
    ]


def _unsettled(visit: CashVisit) -> list[dict[str, str]]:
    """Tournaments with money that is not settled, each with the page that lists it and settles it."""
    return [
        {"name": tournament.name, "url": reverse(f"admin:{PREFIX}money", args=[tournament.pk])}
        for tournament in unsettled(visit.club, visit.currency)
    ]


def _my_till(visit: CashVisit) -> dict[str, Any]:
    """The state of the user's till, empty where none was opened in the open cash book; and what waits for a cashier."""
    states = CashBook.objects.filter(club=visit.club, currency=visit.currency, is_closed=False).values_list("state")
    till = next((load_book(state).tills.get(visit.actor.name) for (state,) in states), None)
    return {
        "is_till": True,
        "state": till_state(till) if till else "",
        "desk_url": visit.url(),
        "count_url": visit.url("count", visit.actor.name) if till and till.is_open else "",
        "unsettled": _unsettled(visit),
        "unpaid": _to_pay_out(visit),
        "to_pay_out": sum(balance > 0 for balance in balances_of_club(visit.club.pk, visit.currency).values()),
        "balances_url": visit.url("balances"),
    }


def _owed_today(visit: CashVisit) -> dict[str, Any]:
    """What is not settled, what players owe and are owed, and the last cash book that was closed."""
    balances = balances_of_club(visit.club.pk, visit.currency).values()
    return {
        "unsettled": _unsettled(visit),
        "players_owe": visit.money(-sum(min(0, balance) for balance in balances)),
        "club_owes": visit.money(sum(max(0, balance) for balance in balances)),
        "last": CashBook.objects.filter(club=visit.club, currency=visit.currency, is_closed=True).first(),
        "balances_url": visit.url("balances"),
        "books_url": visit.url("nights"),
    }


def _to_repeat(clubs: Sequence[UUID] | None) -> Tournament | None:
    """The latest planned tournament of some clubs, once it is over; None stands for every club."""
    planned = Tournament.objects.filter(evening_sheet__has_plan=True)
    if clubs is not None:
        planned = planned.filter(club_id__in=clubs)
    last = planned.order_by("-starts_at", "-pk").first()
    return last if last is not None and last.closed_at else None


def _drawn(part: str, context: Mapping[str, Any]) -> SafeString:
    """One rendered part of the page; if it fails, the other parts are still shown."""
    return render_to_string(f"admin/today_{part}.html", context)
