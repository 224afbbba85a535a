"""The shape of what is stored: columns, keys and ranges, and not one rule of the game.

Where things live: docs/events.md. The rows of the log are not handed out here: `tournaments.log` alone
reads and writes them. Read models are written by the commands.
"""

import tournaments.models.log  # noqa: F401 - Django looks here for tables; the rows are tournaments.log's alone
from tournaments.models.access import ApiToken, FailedAttempts, TableToken
from tournaments.models.people import Club, ClubSlug, Membership, Player, Role
from tournaments.models.play import Device, LateSheet, Screen, ScreenProgramme, Seat, SeatingDraft, Table, Tournament
from tournaments.models.readmodels import (
    CashBook,
    EveningSheet,
    PlayerCredit,
    ProjectionRelease,
    Scoresheet,
    Standing,
    WorkerHeartbeat,
)
from tournaments.models.seasons import ClubReadings, NightResult, PlayerRating, Season, SeasonTable

__all__ = [
    "ApiToken",
    "CashBook",
    "Club",
    "ClubReadings",
    "ClubSlug",
    "Device",
    "EveningSheet",
    "FailedAttempts",
    "LateSheet",
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
    "Season",
    "SeasonTable",
    "Seat",
    "SeatingDraft",
    "Standing",
    "Table",
    "TableToken",
    "Tournament",
    "WorkerHeartbeat",
]
