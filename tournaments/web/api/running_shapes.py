"""The answers and bodies of what a director does with a tournament while it runs.

Rules: docs/reference/api.md, "A tournament from plan to prizes". A field that is left out of an answer has the default
given here. `version` is the tournament's; a body may send it as `expected_version`.
"""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from tournaments.web.api.table_shapes import EventAnswer, TournamentEventJson, Version


class TournamentEventsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Events of a tournament after a version. `next_after` is `after` for the next page, null at the end.

    Amounts are left out for roles that do not handle money.
    """

    tournament: UUID
    version: int
    events: list[EventAnswer]
    next_after: int | None


class TournamentEventBody(msgspec.Struct, kw_only=True):
    """An event to store as the version after `expected_version`. Its fields: docs/events.md, "Tournaments"."""

    expected_version: Version
    event: TournamentEventJson
    anyway: Annotated[
        bool, Meta(description="Seat players who are not here for a final, and drop what players lose with their seat")
    ] = False
    players: Annotated[
        int | None, Meta(description="For a plan: with how many players it is tried; null: those who entered")
    ] = None
