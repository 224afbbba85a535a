"""What a player says with the own link, and what the desk does with it; who cannot come may withdraw by themselves.

Rules: docs/decisions/0088-a-link-for-a-player.md. A notice is a row, as what strangers send to enter is: in the log a
link that was passed on could change the version that a director has seen. What the desk confirms is recorded by the
desk's own command.
"""

from datetime import datetime
from uuid import UUID

from scoring.messages import say
from scoring.problems import EventNotAllowed, Problem, refuse_if
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk
from tournaments.entries.commands.self_entry import KEPT
from tournaments.entries.notices import SAID_BY_LINK, cancelled_by_player, takes_notices
from tournaments.entries.self_entry import is_in
from tournaments.log.context import CommandContext, tournament_lock
from tournaments.models import Player, PlayerNotice, Tournament
from tournaments.people.players import BY_THEMSELVES
from tournaments.running.commands.record import tournament_state

NOT_NOW = Problem("not_now", say("Nothing can be said about this tournament now: ask at the desk"))


def say_notice(
    tournament_id: UUID, player: Player, kind: PlayerNotice.Kind, *, now: datetime, comes_at: datetime | None = None
) -> PlayerNotice:
    """Store that a player is here, or is late and comes at some time: the one replaces the other.

    That they cannot come stays beside it: who said so has taken the second step.
    Stored for players who have not entered too: whoever has a link must not learn from it who has. Saying the same
    twice changes nothing. Raises EventNotAllowed, ClubMoved.
    """
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        is_public = tournament.is_published and tournament.club.is_published
        is_here = tournament.club_id == player.club_id
        if not (is_here and is_public and takes_notices(tournament, state, now=now)):
            raise EventNotAllowed([NOT_NOW])
        others = set(SAID_BY_LINK) - {kind}
        PlayerNotice.objects.filter(tournament=tournament, player=player, kind__in=others).delete()
        return _said(tournament, player, kind, now=now, comes_at=comes_at)


def cannot_come(tournament_id: UUID, player: Player, *, now: datetime) -> bool:
    """Withdraw a player who cannot come, or tell the desk where only the desk may withdraw them.

    Returns whether they are withdrawn. Doing it twice changes nothing. Raises EventNotAllowed where they are not in the
    tournament, or it is over; ClubMoved.
    """
    with tournament_lock(tournament_id) as tournament:
        state, name = tournament_state(tournament), str(player.pk)
        refuse_if([] if name in state.entrants and not state.is_closed else [NOT_NOW], EventNotAllowed)
        if not is_in(state, name):
            return True
        if not cancelled_by_player(state, name):
            _said(tournament, player, PlayerNotice.Kind.CANNOT_COME, now=now)
            return False
        key = f"cannot-come:{tournament_id.hex}:{name}:{state.version}"
        context = CommandContext(actor=f"{BY_THEMSELVES}{name}", now=now, key=key)
        act_at_desk(tournament_id, DESK_ACTS["withdraw"], name, context=context)
        # Not deleted: the first page would tell whoever has the link that they were in, and are not.
        said = PlayerNotice.objects.filter(tournament=tournament, player=player, dismissed_at=None)
        said.update(dismissed_at=now, dismissed_by=context.actor)
        return True


def _said(
    tournament: Tournament, player: Player, kind: PlayerNotice.Kind, *, now: datetime, comes_at: datetime | None = None
) -> PlayerNotice:
    before = PlayerNotice.objects.filter(tournament=tournament, player=player, kind=kind).first()
    if before is not None and before.dismissed_at is None and before.comes_at == comes_at:
        return before
    fields = {"said_at": now, "comes_at": comes_at, "dismissed_at": None, "dismissed_by": ""}
    notice, _ = PlayerNotice.objects.update_or_create(
        tournament=tournament, player=player, kind=kind, defaults={"club_id": tournament.club_id, **fields}
    )
    return notice


def dismiss_notice(tournament_id: UUID, player: UUID, *, said_at: datetime, context: CommandContext) -> None:
    """Take what a player said at that moment off the desk's list; what they have said since stays.

    Doing it twice changes nothing. Raises ClubMoved.
    """
    with tournament_lock(tournament_id):
        rows = PlayerNotice.objects.filter(tournament=tournament_id, player=player, dismissed_at=None, said_at=said_at)
        rows.update(dismissed_at=context.now, dismissed_by=context.actor)


def delete_old_notices(*, now: datetime) -> int:
    """Delete what was said about tournaments that closed some days ago; returns how many."""
    return PlayerNotice.objects.filter(tournament__closed_at__lte=now - KEPT).delete()[0]
