"""Who sits where in the round seated last, with names, as the room page shows it to every phone in the hall.

Cached by its numbers: docs/decisions/0079-one-cache.md. Knows nothing of deals and scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.tournament import TournamentState, load_tournament_state
from tournaments.models import EveningSheet, Player
from tournaments.models.public_names import Names
from tournaments.projections.cached import cached_object
from tournaments.projections.shown import Shown

UNKNOWN = "a player who is not here any more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A tournament, and the public names of everybody who entered."""

    state: TournamentState
    names: Mapping[str, str]


def room_of(shown: Shown) -> Room:
    """The room for these numbers, in two queries; then cached. `shown` has the position of its own events."""
    return cached_object(f"room/{shown.tournament}", shown, lambda: _read(shown))


def _read(shown: Shown) -> Room:
    stored = EveningSheet.objects.filter(tournament_id=shown.tournament).values_list("state", flat=True).first()
    state = load_tournament_state(stored) if stored is not None else TournamentState()
    people = Player.objects.filter(club_id=shown.club, id__in=list(state.entrants))
    names_by_player = {str(player): name for player, name in people.values_list("id", Names.PUBLIC)}
    return Room(state=state, names={player: names_by_player.get(player, UNKNOWN) for player in state.entrants})
