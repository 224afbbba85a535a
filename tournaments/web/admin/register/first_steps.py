"""What is to do in a fresh installation before its first tournament: a club, its people, its players.

Rules: docs/start/first-evening.md. *Today* lists the steps; a form that is one of them leads back to them.
"""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from tournaments.models import Club, Membership, Player, Tournament
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
    has_club = clubs is not None or Club.objects.exists()
    others = Membership.objects.filter(**club_filter).exclude(user__pk=actor.name.removeprefix("user:")).exists()
    players = Player.objects.filter(**club_filter).exists()
    steps = [
        (gettext("Set up the club"), gettext("New club"), "tournaments_club_add", has_club),
        (gettext("Add the people who help"), gettext("New login"), "auth_user_add", others),
        (gettext("Add the players"), gettext("Add players"), "tournaments_player_add", players),
        (gettext("Set up the first tournament"), gettext("New tournament"), "tournaments_tournament_add", False),
    ]
    following = next(number for number, (*_, is_done) in enumerate(steps) if not is_done)
    return [
        {
            "title": title,
            "button": button,
            "url": reverse(f"admin:{name}"),
            "is_done": is_done,
            "is_next": number == following,
            # Who helps may be nobody, and players can be entered with the tournament; both need a club.
            "is_open": has_club and not is_done,
        }
        for number, (title, button, name, is_done) in enumerate(steps)
    ]
