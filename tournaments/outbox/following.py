"""Receivers follow their club's log: deliveries of the next events are written in one transaction with the positions.

Positions of a club have no gap and follow commits, so that no event before a position can appear later. Rules:
docs/decisions/0083-an-outbox-follows-the-log.md.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection, transaction
from django.db.models import F, OuterRef

from scoring.events.reading import UNREADABLE, fold_stored, read_stored
from scoring.rules.table.table import fold
from scoring.tournament import fold_tournament
from tournaments import log
from tournaments.log.reading import table_from_log, tournament_state_from
from tournaments.models import Delivery, EveningSheet, Player, Receiver, Table, Tournament
from tournaments.outbox.messages import PRIVATE, TELLING, OutboxMessage, told_of_table, told_of_tournament

# A batch holds the locks of its receivers: some hundred events are told in less than a second.
MOST_EVENTS = 200
logger = logging.getLogger(__name__)


def clubs_behind() -> list[UUID]:
    """The clubs with a receiver that has not been told of all events, in one query."""
    receivers = Receiver.objects.filter(is_on=True).annotate(end=log.position_of(OuterRef("club")))
    behind = receivers.filter(end__gt=F("position"))
    return list(behind.order_by().values_list("club_id", flat=True).distinct())


def follow(club_id: UUID, *, now: datetime) -> bool:
    """Write the deliveries of the next events of a club, and move its receivers past them; whether any were behind.

    Of two workers the second finds the receivers locked, and leaves them to the first: on SQLite it waits, and finds
    them moved.
    """
    with transaction.atomic():
        locked = Receiver.objects.select_for_update(skip_locked=True, of=("self",)) if _can_skip() else Receiver.objects
        receivers = list(locked.filter(club_id=club_id, is_on=True))
        position = min((receiver.position for receiver in receivers), default=0)
        events = log.read_club(club_id, position, MOST_EVENTS) if receivers else []
        if not events:
            return False
        told = list(_told(events))
        players = _who_want_mail(club_id, told, receivers)
        deliveries = [
            delivery
            for receiver in receivers
            for event, messages in told
            if event.position > receiver.position
            for delivery in _deliveries(receiver, event, messages, players, now=now)
        ]
        Delivery.objects.bulk_create(deliveries, batch_size=500)
        behind = Receiver.objects.filter(pk__in=[receiver.pk for receiver in receivers])
        behind.filter(position__lt=events[-1].position).update(position=events[-1].position)
        return True


def _can_skip() -> bool:
    return bool(connection.features.has_select_for_update_skip_locked)


def _deliveries(
    receiver: Receiver,
    event: log.StoredEvent,
    messages: Sequence[OutboxMessage],
    players: dict[str, UUID],
    *,
    now: datetime,
) -> Iterator[Delivery]:
    number = 0
    for at, message in enumerate(messages, start=1):
        if message.kind not in receiver.kinds:
            continue
        new = partial(
            Delivery,
            receiver=receiver,
            position=event.position,
            kind=message.kind,
            body=msgspec.json.encode(message.data).decode(),
            told_at=event.recorded_at,
            next_try_at=now,
        )
        if receiver.channel != Receiver.Channel.PLAYERS:
            yield new(number=at)
            continue
        for player in message.players:
            if player in players:
                number += 1
                yield new(number=number, player_id=players[player])


def _who_want_mail(
    club_id: UUID, told: Sequence[tuple[log.StoredEvent, Sequence[OutboxMessage]]], receivers: Sequence[Receiver]
) -> dict[str, UUID]:
    """Those of the players told of who agreed to mail, by id. A merged row stands for the one it is merged into."""
    if not any(receiver.channel == Receiver.Channel.PLAYERS for receiver in receivers):
        return {}
    ids = {UUID(player) for _, messages in told for message in messages for player in message.players}
    rows = Player.objects.filter(club_id=club_id, id__in=ids).values_list("id", "merged_into_id")
    row_by_player = {str(player): merged or player for player, merged in rows}
    wanting = Player.objects.filter(id__in=set(row_by_player.values()), wants_mail=True, erased_at__isnull=True)
    agreed = set(wanting.exclude(email="").values_list("id", flat=True))
    return {player: row for player, row in row_by_player.items() if row in agreed}


@dataclass(slots=True)
class _States:
    """The states of streams while a batch is read, each as of the last event that was asked for."""

    by_stream: dict[UUID, tuple[int, Any]] = field(default_factory=dict)

    def of(self, event: log.StoredEvent, *, is_table: bool, back: int = 0) -> Any:
        """The state of an event's stream after it, or some events earlier."""
        version = event.version - back
        known, state = self.by_stream.get(event.stream_id, (0, None))
        if known == version and state is not None:
            return state
        if state is not None and known == version - 1 and not back:
            form = state.rules if is_table else None
            step = [(version, read_stored(event.kind, event.schema, event.body, form))]
            state = fold_stored(fold, state, step) if is_table else fold_stored(fold_tournament, state, step)
        else:
            stored = log.as_of(event.club_id, event.stream_id, version)
            state = table_from_log(stored) if is_table else tournament_state_from(stored)
        self.by_stream[event.stream_id] = version, state
        return state


def _told(events: Sequence[log.StoredEvent]) -> Iterator[tuple[log.StoredEvent, list[OutboxMessage]]]:
    """Yield each event that tells something, with its messages: nothing of practice, nor of what is not published."""
    telling = [event for event in events if event.kind in TELLING]
    if not telling:
        return
    streams = {event.stream_id for event in telling}
    tables = Table.objects.in_bulk(streams)
    ids = streams | {table.tournament_id for table in tables.values()}
    tournaments = Tournament.objects.select_related("club").in_bulk(ids)
    practice = set(EveningSheet.objects.filter(tournament__in=ids, is_rehearsal=True).values_list("pk", flat=True))
    states = _States()
    for event in telling:
        table = tables.get(event.stream_id)
        tournament = tournaments.get(table.tournament_id if table is not None else event.stream_id)
        if tournament is None or tournament.pk in practice:
            continue
        before = partial(states.of, event, is_table=table is not None, back=1)
        after = partial(states.of, event, is_table=table is not None)
        place: dict[str, Any] = {"tournament": str(tournament.pk)}
        if table is not None:
            place |= {"round": table.round, "table": table.number, "table_id": str(table.pk)}
        is_public = tournament.is_published and tournament.club.is_published
        try:
            form = before().rules if table is not None else None
            read = read_stored(event.kind, event.schema, event.body, form)
            told = list((told_of_table if table is not None else told_of_tournament)(read, before, after))
        except UNREADABLE:
            # The proofs report it. All later messages of the club would wait for it here.
            logger.exception("an event tells nothing", extra={"club": str(event.club_id), "position": event.position})
            continue
        messages = [
            msgspec.structs.replace(message, data=place | message.data)
            for message in told
            if is_public or message.kind in PRIVATE
        ]
        if messages:
            yield event, messages
