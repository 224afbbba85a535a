"""The shape of what is stored: columns, keys and ranges, and not one rule of the game.

Where things live: docs/events.md. Events are written by `tournaments.log` alone, read models by the commands.
"""

from tournaments.models.addresses import ClubSlug
from tournaments.models.attempts import FailedAttempts
from tournaments.models.evenings import EveningSheet, Screen, ScreenProgramme, SeatingDraft
from tournaments.models.log import ClubHead, Event, EventNote, Seal, Stream, StreamKind
from tournaments.models.people import ApiToken, Club, Membership, Player, Role
from tournaments.models.play import Seat, Table, Tournament
from tournaments.models.readmodels import (
    CashBook,
    PlayerCredit,
    ProjectionRelease,
    Scoresheet,
    Standing,
    WorkerHeartbeat,
)
from tournaments.models.seasons import ClubReadings, NightResult, PlayerRating, Season, SeasonTable
from tournaments.models.table_tokens import TableToken

__all__ = [
    "ApiToken",
    "CashBook",
    "Club",
    "ClubHead",
    "ClubReadings",
    "ClubSlug",
    "EveningSheet",
    "Event",
    "EventNote",
    "FailedAttempts",
    "Membership",
    "NightResult",
    "Player",
    "PlayerCredit",
    "PlayerRating",
    "ProjectionRelease",
    "Role",
    "Scoresheet",
    "Screen",
    "ScreenProgramme",
    "Seal",
    "Season",
    "SeasonTable",
    "Seat",
    "SeatingDraft",
    "Standing",
    "Stream",
    "StreamKind",
    "Table",
    "TableToken",
    "Tournament",
    "WorkerHeartbeat",
]
