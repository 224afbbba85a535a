"""Receivers follow their club's log: deliveries of the next events are written in one transaction with the positions.

Positions of a club have no gap and follow commits, so that no event before a position can appear later. Rules:
docs/decisions/0083-an-outbox-follows-the-log.md.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid5

import msgspec
from django.db import connection, transaction
from django.db.models import F, OuterRef, Q

from scoring.events.reading import UNREADABLE, fold_stored, read_stored
from scoring.rules.table.table import fold
from scoring.tournament import fold_tournament, load_tournament_state
from tournaments import log
from tournaments.log.reading import table_from_log, tournament_state_from
from tournaments.models import (
    Delivery,
    EveningSheet,
    MessageKind,
    Player,
    PushSubscription,
    Receiver,
    Table,
    Tournament,
)
from tournaments.outbox.messages import PRIVATE, TELLING, OutboxMessage, told_of_table, told_of_tournament

# A batch holds the locks of its receivers: some hundred events are told in less than a second.
MOST_EVENTS = 200
# What a browser is told of a tournament; results of tables only where it follows one of their players.
OF_TOURNAMENTS = frozenset(
    {
        *(MessageKind.SEATING_PUBLISHED, MessageKind.SEATING_WITHDRAWN),
        *(MessageKind.ROUND_STARTED, MessageKind.DEAL_CORRECTED),
    }
)
OF_PLAYERS = OF_TOURNAMENTS | {MessageKind.TABLE_RESULT}
# They say the same of every player: once is enough for a browser that follows several.
SAME_OF_ALL = frozenset({MessageKind.SEATING_WITHDRAWN, MessageKind.ROUND_STARTED})
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
        locked = Receiver.objects.filter(club_id=club_id, is_on=True)
        if connection.features.has_select_for_update_skip_locked:
            locked = locked.select_for_update(skip_locked=True, of=("self",))
        receivers = list(locked)
        position = min((receiver.position for receiver in receivers), default=0)
        events = log.read_club(club_id, position, MOST_EVENTS) if receivers else []
        if not events:
            return False
        told = list(_told(events))
        readers = _readers(club_id, told, {receiver.channel for receiver in receivers})
        deliveries = [
            delivery
            for receiver in receivers
            for event, messages in told
            if event.position > receiver.position
            for delivery in _deliveries(receiver, event, messages, readers, now=now)
        ]
        Delivery.objects.bulk_create(deliveries, batch_size=500)
        behind = Receiver.objects.filter(pk__in=[receiver.pk for receiver in receivers])
        behind.filter(position__lt=events[-1].position).update(position=events[-1].position)
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Readers:
    """Whom single messages go to: players who agreed to mail, by the row that an event names, and browsers.

    `hidden` are the players whom a director has hidden, by tournament: of them nobody is told.
    """

    mailed: Mapping[str, UUID]
    followers: Mapping[UUID, Sequence[PushSubscription]]
    rows: Mapping[str, UUID]
    hidden: Mapping[UUID, frozenset[str]]

    def browsers(self, message: OutboxMessage) -> Iterator[tuple[PushSubscription, str]]:
        """Yield the browsers that hear of a message, each with the player whom it follows in it, if any.

        One that follows the tournament and a player in it hears of the player alone.
        """
        told: set[str] = set()
        tournament = UUID(message.data["tournament"])
        hidden = self.hidden.get(tournament, frozenset())
        for player in (player for player in message.players if player not in hidden):
            for subscription in self.followers.get(self.rows.get(player, UUID(player)), ()):
                if message.kind not in SAME_OF_ALL or subscription.address_digest not in told:
                    told.add(subscription.address_digest)
                    yield subscription, player
        if message.kind in OF_TOURNAMENTS:
            for subscription in self.followers.get(tournament, ()):
                if subscription.address_digest not in told:
                    yield subscription, ""


def _deliveries(
    receiver: Receiver, event: log.StoredEvent, messages: Sequence[OutboxMessage], readers: _Readers, *, now: datetime
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
            told_at=event.recorded_at,
            next_try_at=now,
        )
        own_tables = {seat["player"]: table for table in message.data.get("tables", ()) for seat in table["seats"]}
        if receiver.channel == Receiver.Channel.PLAYERS:
            for player in filter(readers.mailed.__contains__, message.players):
                number += 1
                yield new(
                    number=number,
                    message_id=_message_id(receiver, event, at, player),
                    player_id=readers.mailed[player],
                    body=_body(_own_part(message.data, player, own_tables)),
                )
        elif receiver.channel == Receiver.Channel.PUSH:
            for subscription, player in readers.browsers(message):
                number += 1
                yield new(
                    number=number,
                    message_id=_message_id(receiver, event, at, str(subscription.pk)),
                    subscription=subscription,
                    body=_body(_own_part(message.data, player, own_tables)),
                )
        else:
            yield new(number=at, message_id=_message_id(receiver, event, at), body=_body(message.data))


def _message_id(receiver: Receiver, event: log.StoredEvent, at: int, whom: str = "") -> str:
    """The id of a message: the same whenever it is told, and of no other one.

    After a backup is restored a position is that of another event, and others may want mail: so neither is in it.
    """
    return f"msg_{uuid5(receiver.pk, f'{event.hash.hex()} {at} {whom}').hex}"


def _own_part(data: dict[str, Any], player: str, own_tables: dict[str, Any]) -> dict[str, Any]:
    """What is told of one player, who is named as `about`: of a seating the own table alone. To no player: no seats."""
    own = data | ({"about": player} if player else {})
    if "tables" not in data:
        return own
    if not player:
        return own | {"tables": [{"table": row["table"], "seats": []} for row in data["tables"]], "sitting_out": []}
    is_seated = player in own_tables
    return own | {"tables": [own_tables[player]] if is_seated else [], "sitting_out": [] if is_seated else [player]}


def _body(data: dict[str, Any]) -> str:
    return msgspec.json.encode(data).decode()


def _readers(
    club_id: UUID, told: Sequence[tuple[log.StoredEvent, Sequence[OutboxMessage]]], channels: set[str]
) -> _Readers:
    """Whom messages go to, as far as there are receivers for them. A merged row stands for its person."""
    if not channels & {Receiver.Channel.PLAYERS, Receiver.Channel.PUSH}:
        return _Readers(mailed={}, followers={}, rows={}, hidden={})
    ids = {UUID(player) for _, messages in told for message in messages for player in message.players}
    merged = Player.objects.filter(club_id=club_id, id__in=ids).values_list("id", "merged_into_id")
    rows = {str(player): kept or player for player, kept in merged}
    mailed: dict[str, UUID] = {}
    if Receiver.Channel.PLAYERS in channels:
        wanting = Player.objects.filter(id__in=set(rows.values()), wants_mail=True, erased_at__isnull=True)
        agreed = set(wanting.exclude(email="").values_list("id", flat=True))
        mailed = {player: row for player, row in rows.items() if row in agreed}
    followers: dict[UUID, list[PushSubscription]] = {}
    hidden: dict[UUID, frozenset[str]] = {}
    if Receiver.Channel.PUSH in channels:
        tournaments = {UUID(message.data["tournament"]) for _, messages in told for message in messages}
        # Who objects to a public page is not followed by those who pressed before either.
        follows = Q(player__in=set(rows.values()), player__has_page=True) | Q(tournament__in=tournaments)
        for subscription in PushSubscription.objects.filter(follows, club=club_id):
            followed = subscription.player_id or subscription.tournament_id
            assert followed is not None  # noqa: S101 - the table has a constraint
            followers.setdefault(followed, []).append(subscription)
        sheets = EveningSheet.objects.filter(tournament__in=tournaments, state__contains='"is_hidden":true')
        states = sheets.values_list("tournament_id", "state") if followers else ()
        hidden = {tournament: load_tournament_state(state).hidden for tournament, state in states}
    return _Readers(mailed=mailed, followers=followers, rows=rows, hidden=hidden)


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
