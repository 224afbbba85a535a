"""Database schema: columns, keys and ranges, and no rules of the game.

Where things live: docs/events.md. The rows of the log are not exported here: only `tournaments.log` reads and writes
them. Read models are written by the commands.
"""

import tournaments.models.log  # noqa: F401 - Django looks here for tables; the rows are tournaments.log's alone
from tournaments.models.access import ApiToken as ApiToken
from tournaments.models.access import FailedAttempts as FailedAttempts
from tournaments.models.access import Invitation as Invitation
from tournaments.models.access import InvitationKind as InvitationKind
from tournaments.models.access import TableToken as TableToken
from tournaments.models.entry_requests import EntryRequest as EntryRequest
from tournaments.models.imports import Import as Import
from tournaments.models.imports import ImportColumns as ImportColumns
from tournaments.models.imports import ImportedPlayer as ImportedPlayer
from tournaments.models.imports import ImportKind as ImportKind
from tournaments.models.outbox import Delivery as Delivery
from tournaments.models.outbox import MessageKind as MessageKind
from tournaments.models.outbox import PushSubscription as PushSubscription
from tournaments.models.outbox import Receiver as Receiver
from tournaments.models.people import CashRounding as CashRounding
from tournaments.models.people import Club as Club
from tournaments.models.people import ClubSlug as ClubSlug
from tournaments.models.people import ErasedPlayer as ErasedPlayer
from tournaments.models.people import FormerActor as FormerActor
from tournaments.models.people import Membership as Membership
from tournaments.models.people import Player as Player
from tournaments.models.people import Role as Role
from tournaments.models.play import Device as Device
from tournaments.models.play import EntrantsShown as EntrantsShown
from tournaments.models.play import LateSheet as LateSheet
from tournaments.models.play import Screen as Screen
from tournaments.models.play import ScreenProgramme as ScreenProgramme
from tournaments.models.play import Seat as Seat
from tournaments.models.play import SeatingDraft as SeatingDraft
from tournaments.models.play import Table as Table
from tournaments.models.play import Tournament as Tournament
from tournaments.models.player_links import PlayerLink as PlayerLink
from tournaments.models.player_links import PlayerNotice as PlayerNotice
from tournaments.models.published import PublishedCopy as PublishedCopy
from tournaments.models.readmodels import HAS_BEGUN as HAS_BEGUN
from tournaments.models.readmodels import CashBook as CashBook
from tournaments.models.readmodels import EveningSheet as EveningSheet
from tournaments.models.readmodels import PlayerCredit as PlayerCredit
from tournaments.models.readmodels import ProjectionRelease as ProjectionRelease
from tournaments.models.readmodels import Scoresheet as Scoresheet
from tournaments.models.readmodels import ShownVersion as ShownVersion
from tournaments.models.readmodels import SiteCheck as SiteCheck
from tournaments.models.readmodels import Standing as Standing
from tournaments.models.readmodels import WorkerHeartbeat as WorkerHeartbeat
from tournaments.models.seasons import ClubReadings as ClubReadings
from tournaments.models.seasons import NightResult as NightResult
from tournaments.models.seasons import PastTournament as PastTournament
from tournaments.models.seasons import PlayerRating as PlayerRating
from tournaments.models.seasons import Season as Season
from tournaments.models.seasons import SeasonTable as SeasonTable
