"""Personal links at the desk: for one player, for all who have entered a tournament, and the code of the second step.

Rules: docs/decisions/0088-a-link-for-a-player.md. A link's code is shown once, as a QR code and as a text to type, and
stored nowhere. The one-time code opens balance and contact of the player: only who may see and change both shows it.
"""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext
from django.views.decorators.debug import sensitive_variables

from tournaments.entries.confirming_mail import mail_is_configured
from tournaments.entries.queries import entries
from tournaments.models import Club, Player, PlayerLink, Tournament
from tournaments.people.mailed_links import mail_link
from tournaments.people.permissions import Permission, may
from tournaments.people.player_links import (
    MadeLink,
    end_link,
    end_links,
    give_code,
    give_links,
    may_be_mailed,
    working_link,
)
from tournaments.people.players import actor_names, uuid_of
from tournaments.web.admin.base.command_forms import CommandForm, forms_shown, pressed, sent_form
from tournaments.web.admin.base.pages import Page, Tab, purpose
from tournaments.web.admin.base.request import go_on, tournament_page
from tournaments.web.admin.base.scoping import actor_in, admin_page, club_moment, require
from tournaments.web.admin.tournament.paper_pages import code_picture, in_groups

# As many are printed at once; the form makes the next ones after them.
MOST_PRINTED = 200
FORMS: dict[str, type[CommandForm]] = dict.fromkeys(("give", "mail", "end", "code"), CommandForm)


@purpose(gettext_noop("Give a player a link to their own page, and a code for what only they may see."))
def player_link(request: HttpRequest, player: Player) -> HttpResponse:
    """The link as it is, and the buttons that give a new one, mail it, end it, or show a one-time code."""
    if player.merged_into_id is not None or player.erased_at is not None:
        return redirect("admin:tournaments_player_change", player.pk)
    form = sent_form(request, FORMS)
    if form is None:
        return _link_page(request, player)
    do = pressed(request.POST)
    if do in ("give", "mail"):
        return _given(request, player, form, mails=do == "mail")
    if do == "end":
        end_link(player.pk, now=now())
        return go_on(request, _link_url(player), gettext("The link has ended."))
    require(request, Permission.DIRECT, player.club_id)
    link = working_link(player.pk)
    code = form.attempt(lambda: give_code(link, now=now())) if link is not None else None
    return _link_page(request, player, form=form, one_time=code or "")


@sensitive_variables("made")
def _given(request: HttpRequest, player: Player, form: CommandForm, *, mails: bool) -> HttpResponse:
    """Make the link, and print or mail it. Only an address to which the player lets the club write is mailed to."""
    if mails and not (mail_is_configured() and may_be_mailed(player)):
        raise PermissionDenied
    key = uuid_of(form.read["key"]) or uuid4()
    by = actor_in(request).name
    made = form.attempt(lambda: give_links(player.club, [player.pk], key=key, by=by, now=now()))
    if made is None:
        return _link_page(request, player, form=form)
    if not mails:
        return _printed(request, player.club, made, back=_link_url(player), model=Player)
    for link, code in made:
        if code and mail_link(link, url=f"{_page(request)}#{code}"):
            return go_on(request, _link_url(player), gettext("The link is on its way to {to}.").format(to=player.email))
        if code:
            messages.error(request, gettext("The e-mail could not be sent. Create a link, and hand it over."))
    return redirect(_link_url(player))


def _link_page(
    request: HttpRequest, player: Player, *, form: CommandForm | None = None, one_time: str = ""
) -> HttpResponse:
    link, club = working_link(player.pk), player.club
    context = {
        "title": gettext("Personal link: {name}").format(name=player.name),
        "player": player,
        "link": link,
        "made": club_moment(link.made_at, club) if link else "",
        "made_by": actor_names({link.made_by}, club.pk).get(link.made_by, link.made_by) if link else "",
        "used": club_moment(link.last_used_at, club) if link and link.last_used_at else "",
        "form": form,
        "forms": forms_shown(FORMS),
        "one_time": f"{one_time[:3]} {one_time[3:]}" if one_time else "",
        "may_show_code": may(actor_in(request), Permission.DIRECT, club.pk),
        "may_be_mailed": mail_is_configured() and may_be_mailed(player),
        "is_on": club.has_player_links,
    }
    # As every page of the back office, no cache keeps it.
    return admin_page(request, "admin/tournaments/player/link.html", context, model=Player)


def _link_url(player: Player) -> str:
    return reverse("admin:tournaments_player_link", args=[player.pk])


def _page(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("me:exchange"))


class AllForm(CommandForm):
    """For whom links are made and printed."""

    for_all = forms.BooleanField(
        label=gettext_lazy("Also for players who have a link: theirs ends"),
        required=False,
    )


@purpose(gettext_noop("Print a personal link for each player who has entered."))
def player_links(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """How many players have a link, and the form that makes and prints those that are missing."""
    lines = [line for line in entries(tournament).lines if not line.is_gone]
    players = list(Player.objects.present().filter(pk__in=[line.player for line in lines]).order_by("search_key", "pk"))
    linked = set(PlayerLink.objects.filter(player__in=players, revoked_at=None).values_list("player", flat=True))
    form = sent_form(request, {"give": AllForm})
    if form is not None:
        for_all = form.read.get("for_all", False)
        chosen = [player.pk for player in players if for_all or player.pk not in linked][:MOST_PRINTED]
        key, by = uuid_of(form.read["key"]) or uuid4(), actor_in(request).name
        made = form.attempt(lambda: give_links(tournament.club, chosen, key=key, by=by, now=now()))
        if made:
            if for_all and any(code for _, code in made):
                # Those beyond the first slips are without a link then: the next press prints theirs.
                end_links([player.pk for player in players[MOST_PRINTED:]], now=now())
            back = reverse("admin:tournaments_tournament_player_links", args=[tournament.pk])
            return _printed(request, tournament.club, made, back=back, model=Tournament)
    context = {
        "title": gettext("Personal links: {name}").format(name=tournament.name),
        "form": form,
        "forms": forms_shown({"give": AllForm}, form),
        "entered": len(players),
        "linked": len(linked),
        "most": MOST_PRINTED,
    }
    return tournament_page(request, tournament, "player_links", context)


@sensitive_variables("made", "slips")
def _printed(
    request: HttpRequest, club: Club, made: Sequence[MadeLink], *, back: str, model: type[Model]
) -> HttpResponse:
    """The slips to print: this page alone has their codes."""
    page = _page(request)
    slips: list[dict[str, Any]] = [
        {"player": link.player, "picture": code_picture(f"{page}#{code}"), "code": in_groups(code)}
        for link, code in made
        if code
    ]
    context = {
        "title": ngettext("{count} personal link", "{count} personal links", len(made)).format(count=len(made)),
        "club": club,
        "slips": slips,
        "made_before": [link.player.name for link, code in made if not code],
        "page": page,
        "back": back,
    }
    return admin_page(request, "admin/tournaments/player/links_printed.html", context, model=model)


def has_links(tournament: Tournament) -> bool:
    """Whether links are given for a tournament: it is open, and its club has personal links."""
    return tournament.closed_at is None and tournament.club.has_player_links


LINKS = Page(
    "links/", "player_links", player_links, Permission.CHECK_IN, Tab.PLAYERS, gettext_noop("Personal links"), has_links
)
