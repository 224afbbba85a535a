"""The money of a tournament: which table is settled, which is not, why, and the button that tries again."""

from datetime import tzinfo
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext

from scoring.money.formatting import money as shown_money
from tournaments.books.causes import prize_cause
from tournaments.books.commands import settle_table
from tournaments.books.queries import (
    RETRYABLE,
    SettlementState,
    evening_players,
    evening_settlement,
    player_balances,
    settlement_state,
)
from tournaments.evenings.commands.settle import settle_evening
from tournaments.models import Scoresheet, Tournament
from tournaments.people.names import uuid_of
from tournaments.people.permissions import Deed, may
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.i18n.translating import told
from tournaments.rendering.left_out import lines_of
from tournaments.web.admin.base.command_forms import words_in
from tournaments.web.admin.base.scoping import actor_in

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
        "title": gettext("Money of {name}").format(name=tournament.name),
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
        messages.error(request, gettext("Not settled: {problem}").format(problem=told(settled.problem)))
    elif settled.posted or settled.reversed:
        messages.success(
            request,
            gettext("Settled: {posted} entries posted, {reversed} reversed.").format(
                posted=settled.posted, reversed=settled.reversed
            ),
        )
    else:
        messages.info(request, gettext("Nothing to post: the books agree already."))
    return HttpResponseRedirect(reverse("admin:tournaments_tournament_money", args=[tournament.pk]))


def _table_in(tournament: Tournament, text: str) -> UUID:
    """A table of this tournament; any other does not exist."""
    wanted = uuid_of(text)
    if wanted is None or not Scoresheet.objects.filter(table_id=wanted, table__tournament=tournament).exists():
        raise Http404
    return wanted
