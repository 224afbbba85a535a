"""What is to do in a fresh installation before its first tournament: a club, its people, its players.

Rules: docs/start/first-evening.md. *Today* lists the steps; a form that is one of them leads back to them.
"""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from tournaments.models import Club, Invitation, InvitationKind, Membership, Player, Tournament
from tournaments.people.permissions import Actor, Permission, clubs_of


def first_steps(actor: Actor) -> list[dict[str, Any]]:
    """What is still to do before the first tournament, for users who manage a club; empty once there has been one.

    The steps in their order, those done marked, and of the others the first as the next.
    """
    clubs = clubs_of(actor, Permission.MANAGE)
    if clubs is not None and not clubs:
        return []
    club_filter: Mapping[str, Any] = {} if clubs is None else {"club__in": clubs}
    if Tournament.objects.filter(**club_filter).exists():
        return []
    first = Club.objects.filter(**({} if clubs is None else {"pk__in": clubs})).order_by("name").first()
    others = Membership.objects.filter(**club_filter).exclude(user__pk=actor.name.removeprefix("user:")).exists()
    has_invited = others or Invitation.objects.filter(**club_filter, kind=InvitationKind.INVITE).exists()
    players = Player.objects.filter(**club_filter).exists()
    invite = reverse("admin:tournaments_club_invite", args=[first.pk]) if first else ""
    steps = [
        (gettext("Set up the club"), gettext("New club"), reverse("admin:tournaments_club_add"), first is not None),
        (gettext("Invite the people who help"), gettext("Invite"), invite, has_invited),
        (gettext("Add the players"), gettext("Add players"), reverse("admin:tournaments_player_add"), players),
        (
            gettext("Set up the first tournament"),
            gettext("New tournament"),
            reverse("admin:tournaments_tournament_add"),
            False,
        ),
    ]
    following = next(number for number, (*_, is_done) in enumerate(steps) if not is_done)
    return [
        {
            "title": title,
            "button": button,
            "url": url,
            "is_done": is_done,
            "is_next": number == following,
            # Who helps may be nobody, and players can be entered with the tournament; both need a club.
            "is_open": first is not None and not is_done,
        }
        for number, (title, button, url, is_done) in enumerate(steps)
    ]
