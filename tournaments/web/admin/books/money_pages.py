"""The money of a tournament: which table is settled, which is not, why, and the button that tries again."""

from collections.abc import Collection, Mapping
from datetime import tzinfo
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext

from scoring.money.formatting import money as shown_money
from tournaments.books import prize_cause
from tournaments.books.commands import settle_table
from tournaments.books.queries import (
    RETRYABLE,
    SettlementState,
    evening_players,
    evening_settlement,
    holders_of,
    player_balances,
    settlement_state,
)
from tournaments.evenings.commands.settle import settle_evening
from tournaments.models import Club, Player, Scoresheet, Tournament
from tournaments.models.people import name_key
from tournaments.people.permissions import Deed, clubs_of, counting_blind, may
from tournaments.people.players import uuid_of
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.i18n.translating import translate
from tournaments.rendering.left_out import lines_of
from tournaments.web.admin.base.command_forms import words_in
from tournaments.web.admin.base.scoping import BLIND, actor_in
from tournaments.web.admin.books.journal import neighbours

# What the retry button of the entries and prizes sends in the place of a table.
EVENING = "evening"


def money(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every table with its settlement, and everybody who played with the way to their statement."""
    zone = zone_of(tournament.club.timezone)
    players = evening_players(tournament)
    journal = reverse("admin:scoring_journalentry_changelist")
    context = {
        **admin.site.each_context(request),
        "opts": Tournament._meta,
        "tournament": tournament,
        "zone": zone,
        "states": lines_of(settlement_state(tournament.pk), lambda state: _line(state, zone, journal)),
        "retryable": RETRYABLE,
        "evening": evening_settlement(tournament),
        "evening_journal": f"{journal}?cause={prize_cause(tournament.pk)}",
        "balances": [
            (one, shown_money(abs(one.balance_minor), tournament.currency, tournament.club.locale))
            for one in player_balances(tournament, players)
        ],
        "may_settle": may(actor_in(request), Deed.SETTLE, tournament.club),
        "players": players,
        "title": gettext("Balances: {name}").format(name=tournament.name),
    }
    return TemplateResponse(request, "admin/tournaments/tournament/money.html", context)


def _line(state: SettlementState, zone: tzinfo, journal: str) -> dict[str, Any]:
    """One table of the list, with when it was settled by the club's clock."""
    settled = state.settled_at.astimezone(zone) if state.settled_at else None
    return {"state": state, "settled": settled, "journal": f"{journal}?cause=table:{state.table_id}"}


def settle(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Settle one table, or the evening's entries and prizes, now; doing it twice posts once."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    wanted = words_in(request.POST, "table")["table"]
    if wanted == EVENING:
        settled = settle_evening(tournament.pk, now=now())
    else:
        settled = settle_table(_table_in(tournament, wanted), now=now())
    if settled.problem:
        messages.error(request, gettext("Not settled: {problem}").format(problem=translate(settled.problem)))
    elif settled.posted or settled.reversed:
        messages.success(
            request,
            gettext("Settled: {posted} entries posted, {reversed} reversed.").format(
                posted=settled.posted, reversed=settled.reversed
            ),
        )
    else:
        messages.info(request, gettext("Nothing to post: the books are up to date."))
    return HttpResponseRedirect(reverse("admin:tournaments_tournament_money", args=[tournament.pk]))


def _table_in(tournament: Tournament, text: str) -> UUID:
    """A table of this tournament; any other does not exist."""
    wanted = uuid_of(text)
    if wanted is None or not Scoresheet.objects.filter(table_id=wanted, table__tournament=tournament).exists():
        raise Http404
    return wanted


# Tells the books' own pages whose they may show, and what players and clubs are called.


def visible_clubs(request: HttpRequest) -> Collection[UUID] | None:
    """The clubs whose money whoever asks may see."""
    return clubs_of(actor_in(request), Deed.SEE_BOOKS)


def why_hidden(request: HttpRequest) -> str:
    """What whoever is refused the books should know; nothing where it is their role."""
    return str(BLIND) if counting_blind(actor_in(request).roles) else ""


def names(ids: Collection[str]) -> Mapping[str, str]:
    """What players, clubs, tournaments with a prize pool and whoever has a till are called, in a few queries."""
    wanted = [found for text in ids if (found := uuid_of(text)) is not None]
    rows = [model.objects.filter(id__in=wanted).values_list("id", "name") for model in (Player, Club, Tournament)]
    return holders_of(ids) | {str(row): name for found in rows for row, name in found}


def players_called(text: str) -> Collection[str]:
    """Ids of players whose name holds a text."""
    # The key of a very long name is cut: what stands behind the cut is found in the name itself.
    called = Q(name_key__contains=name_key(text)) | Q(name__icontains=text.strip())
    found = Player.objects.filter(called).values_list("id", flat=True)
    return [str(player) for player in found]


def clock_of(club: UUID) -> tzinfo:
    """The clock of a club, by which its files are written; books may name a club that has no row any more."""
    return zone_of(Club.objects.values_list("timezone", flat=True).filter(pk=club).first() or "UTC")


neighbours.visible_clubs = visible_clubs
neighbours.why_hidden = why_hidden
neighbours.names = names
neighbours.zone_of = clock_of
neighbours.players_called = players_called
