"""What players said with their links and the desk has not decided: which notices wait, and what answers each.

Rules: docs/how-to/evening.md, "Personal links". A notice that the tournament has answered waits no more: who said
"I am here" is checked in. So nothing has to be marked, by whatever way somebody was checked in.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet

from scoring.tournament import TournamentState, load_tournament_state
from scoring.tournament.state import Standing
from tournaments.entries.self_entry import is_in
from tournaments.models import EntrantsShown, EveningSheet, PlayerNotice, Tournament
from tournaments.rendering.left_out import pairs_of

Kind = PlayerNotice.Kind
# What a link says by itself; the rest asks for the second step.
SAID_BY_LINK = (Kind.HERE, Kind.LATE)
# Who comes says so on the day; before it the desk would have forgotten.
SAID_BEFORE = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingNotice:
    """A notice that waits for the desk. `act` is the action of the desk that confirms it, empty where there is none.

    `is_entered`: the player is or was in the tournament; who never entered has no row in the list.
    """

    notice: PlayerNotice
    act: str
    is_entered: bool


def said_notices(tournaments: Collection[UUID]) -> QuerySet[PlayerNotice]:
    """Every notice of these tournaments that nobody has dismissed, with its player; the earliest first."""
    return PlayerNotice.objects.filter(tournament__in=tournaments, dismissed_at=None).select_related("player")


def waiting_in(state: TournamentState, notices: Collection[PlayerNotice]) -> list[WaitingNotice]:
    """Those of a tournament's notices that it has not answered."""
    waiting = [_waiting(state, notice) for notice in notices] if not state.is_closed else []
    return [notice for notice in waiting if notice is not None]


def _waiting(state: TournamentState, notice: PlayerNotice) -> WaitingNotice | None:
    player = str(notice.player_id)
    entrant = state.entrants.get(player)
    if entrant is None:
        return WaitingNotice(notice=notice, act="", is_entered=False)
    if notice.kind == Kind.CANNOT_COME:
        act = "left" if state.is_started else "withdraw"
        return WaitingNotice(notice=notice, act=act, is_entered=True) if is_in(state, player) else None
    acts = {
        Standing.ENTERED: "" if entrant.is_checked_in else "check_in",
        Standing.STANDBY: "" if entrant.is_checked_in else "check_in",
        Standing.ABSENT: "arrived",
        Standing.WITHDRAWN: "enter" if notice.kind == Kind.HERE else "",
    }
    act = acts.get(entrant.standing, "")
    return WaitingNotice(notice=notice, act=act, is_entered=True) if act else None


def waiting_notice_counts(tournaments: Collection[UUID]) -> dict[UUID, int]:
    """How many notices wait in each of these tournaments, in two queries; those without any are left out."""
    by_tournament: dict[UUID, list[PlayerNotice]] = {}
    for notice in said_notices(tournaments):
        by_tournament.setdefault(notice.tournament_id, []).append(notice)
    sheets = EveningSheet.objects.filter(tournament__in=by_tournament) if by_tournament else ()
    states = pairs_of(sheets, lambda sheet: load_tournament_state(sheet.state))
    counts = {
        sheet.tournament_id: len(waiting_in(state, by_tournament[sheet.tournament_id])) for sheet, state in states
    }
    return {tournament: number for tournament, number in counts.items() if number}


# What a link shows by itself: only what everybody may know.


def takes_notices(tournament: Tournament, state: TournamentState, *, now: datetime) -> bool:
    """Whether somebody may say now that they are here or late: on the day, while the tournament is open.

    `tournament` must be public, with its club.
    """
    is_open = not (state.is_closed or tournament.closed_at is not None or tournament.is_cancelled)
    is_practice = state.plan is not None and state.plan.is_rehearsal
    return is_open and not is_practice and bool(state.entrants) and tournament.starts_at <= now + SAID_BEFORE


def is_known_to_play(tournament: Tournament, state: TournamentState, player: str) -> bool | None:
    """Whether everybody knows that a player is in the tournament; None where nobody is told who is.

    Before the start only a tournament that shows by name who comes tells it. A player hidden from the public is in no
    tournament.
    """
    shows_names = tournament.takes_entries and tournament.shows_entrants == EntrantsShown.NAMES
    if not state.is_started and not shows_names:
        return None
    entrant = state.entrants.get(player)
    return entrant is not None and is_in(state, player) and not entrant.is_hidden


def cancelled_by_player(state: TournamentState, player: str) -> bool:
    """Whether a player may withdraw without the desk: before the start, not checked in, and with no money to return."""
    entrant = state.entrants.get(player)
    if entrant is None or not is_in(state, player):
        return False
    return not (entrant.is_checked_in or entrant.paid_minor or state.is_started or state.is_closed)
