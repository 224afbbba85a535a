"""What a tournament is played under, and who plays, as the rows say and as the log does.

Game, options, stakes and end of a tournament follow from its own stream; the names by which players are found and shown
follow from those that were typed. Rules: docs/decisions/0028-what-is-proven-how.md.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import F, QuerySet

from scoring.facts import wire
from scoring.facts.stored import read_stored
from scoring.money.payouts import read_stakes
from tournaments import log
from tournaments.books.commands import stakes_of
from tournaments.models import Club, Player, Seat, Standing, Table, Tournament
from tournaments.models.people import name_key
from tournaments.people.names import as_chosen

ENDED = (wire.TournamentClosed.kind, wire.TournamentCancelled.kind)


def frame_differences(row: Tournament, stored: Sequence[log.StoredEvent]) -> Iterator[str]:
    """Every column of a tournament that follows from its stream and says something else.

    A fact that cannot be read changes nothing here: whoever folds the evening names it.
    """
    opened = read_stored(stored[0].kind, stored[0].schema, stored[0].body)
    if not isinstance(opened, wire.TournamentOpened):
        return
    terms: wire.TournamentOpened | wire.TournamentChanged = opened
    closed_at: datetime | None = None
    is_cancelled = False
    for event in stored[1:]:
        fact = read_stored(event.kind, event.schema, event.body)
        match fact:
            case wire.TournamentChanged():
                terms = fact
            case wire.TournamentClosed() | wire.TournamentCancelled():
                closed_at, is_cancelled = event.recorded_at, event.kind == wire.TournamentCancelled.kind
            case wire.TournamentReopened():
                closed_at, is_cancelled = None, False
    wanted = {
        "preset": opened.preset,
        "variant": opened.variant,
        "options": terms.options,
        **msgspec.to_builtins(read_stakes(terms.stakes)),
        "closed_at": closed_at,
        "is_cancelled": is_cancelled,
        "club_id": stored[0].club_id,
    }
    kept: dict[str, Any] = {**stakes_of(row), **{name: getattr(row, name) for name in wanted}}
    for name, said in wanted.items():
        if kept[name] != said:
            yield f"tournament {row.id}: {name} is {str(kept[name])[:80]!r}, the log says {str(said)[:80]!r}"


def stray_rows() -> Iterator[str]:
    """Tables of no tournament, and players who sit in another club than their own, or are nobody."""
    for table in _without(Table.objects.all(), "tournament_id", Tournament.objects.all()):
        yield f"table {table.pk} belongs to no tournament"
    for seat in _without(Seat.objects.all(), "player_id", Player.objects.all()):
        yield f"seat {seat.number} of table {seat.table_id} is taken by nobody"
    elsewhere = Standing.objects.exclude(player__club_id=F("club_id")).order_by("table_id", "seat_number")
    for table_id, number, player in elsewhere.values_list("table_id", "seat_number", "player_id"):
        yield f"seat {number} of table {table_id}: player {player} is of another club"


def name_differences() -> Iterator[str]:
    """Every name that does not follow from what was typed: how a player is found, and what the public reads."""
    for club_id, naming in Club.objects.order_by("id").values_list("id", "naming"):
        players = list(Player.objects.filter(club_id=club_id).order_by("created_at", "id"))
        shown = as_chosen([player for player in players if player.erased_at is None], naming)
        for player in players:
            public = shown.get(player.id, player.public_name)
            wanted = {"name_key": name_key(player.name), "public_name": public, "public_key": name_key(public)}
            for name, said in wanted.items():
                if getattr(player, name) != said:
                    yield f"player {player.id}: {name} is {getattr(player, name)!r}, and {said!r} follows from the name"


def _without(rows: QuerySet[Any], column: str, owners: QuerySet[Any]) -> QuerySet[Any]:
    return rows.exclude(**{f"{column}__in": owners.values("pk")}).order_by("pk")
