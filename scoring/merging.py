"""What follows from a club's own stream: merged players, opening balances with their journal entries, past tournaments.

Rules: docs/events.md, "Clubs"; docs/decisions/0053-merged-players.md. Knows nothing of names or databases.
"""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from scoring.events.club import (
    MergeUndone,
    OpeningBalancesImported,
    OpeningBalancesTakenBack,
    PastTournamentImported,
    PastTournamentTakenBack,
    PlayersMerged,
)
from scoring.events.reading import Unreadable
from scoring.events.table import Event, EventLeftOut
from scoring.money import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose

replace = msgspec.structs.replace
E = TypeVar("E", bound=Event)


class Merges(msgspec.Struct, frozen=True, kw_only=True):
    """The merges of a club as of one version of its stream: by player, the event in force."""

    version: int = 0
    held: dict[str, PlayersMerged] = {}
    # Opening balances in force, by batch.
    opened: dict[str, OpeningBalancesImported] = {}
    # Imported tournaments in force, by their ids.
    past: dict[str, PastTournamentImported] = {}
    # Versions of events that cannot be read; they move to the second list when a director has left them out.
    unreadable: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()

    def kept(self, player: str) -> str:
        """The row that a player is treated as: the last one where several were merged one into the other."""
        while player in self.held:
            player = self.held[player].into
        return player


def fold_merges(merges: Merges, stored: Iterable[tuple[int, Event]]) -> Merges:
    """The merges after some more events of the club's stream, each with its version."""
    for version, event in stored:
        merges = replace(_step(merges, version, event), version=version)
    return merges


def _step(merges: Merges, version: int, event: Event) -> Merges:
    match event:
        case PlayersMerged():
            if event.player in merges.held or merges.kept(event.into) == event.player:
                raise ValueError(f"{event.player} is merged already, or would be merged into itself")
            return replace(merges, held=merges.held | {event.player: event})
        case MergeUndone():
            return replace(
                merges, held={player: merge for player, merge in merges.held.items() if player != event.player}
            )
        case OpeningBalancesImported():
            return replace(merges, opened=_with(merges.opened, event.batch, event))
        case OpeningBalancesTakenBack():
            return replace(merges, opened=_without(merges.opened, event.batch))
        case PastTournamentImported():
            return replace(merges, past=_with(merges.past, event.tournament, event))
        case PastTournamentTakenBack():
            return replace(merges, past=_without(merges.past, event.tournament))
        case EventLeftOut():
            unreadable = tuple(
                unreadable_version for unreadable_version in merges.unreadable if unreadable_version != event.version
            )
            return replace(merges, unreadable=unreadable, left_out=(*merges.left_out, event.version))
        case Unreadable():
            return replace(merges, unreadable=(*merges.unreadable, version))
    return merges


def _with(imported: dict[str, E], key: str, event: E) -> dict[str, E]:
    if key in imported:
        raise ValueError(f"{key} is imported already")
    return imported | {key: event}


def _without(imported: dict[str, E], key: str) -> dict[str, E]:
    if key not in imported:
        raise ValueError(f"{key} is not imported")
    return {other: event for other, event in imported.items() if other != key}


def entries_of(merge: PlayersMerged) -> tuple[PlannedEntry, ...]:
    """The entry that moves a balance to the row that remains, one for each currency; none where there is no money."""
    return tuple(_entry(merge, currency, amount) for currency, amount in sorted(merge.moved.items()) if amount)


MERGE, OPENING = "merge:", "opening:"


def entries_by_cause(merges: Merges) -> dict[str, tuple[PlannedEntry, ...]]:
    """The entries that the books have for the events of a club that are in force."""
    return {f"{MERGE}{player}": entries_of(merge) for player, merge in merges.held.items()} | {
        f"{OPENING}{batch}": (opening_entry(opened),) for batch, opened in merges.opened.items()
    }


def opening_entry(opened: OpeningBalancesImported) -> PlannedEntry:
    """The entry of a batch of opening balances: to each player, from the account of opening balances."""
    players = [
        PlannedPosting(
            account=AccountRef(kind=AccountKind.PLAYER, owner=player), amount_minor=amount, purpose=Purpose.OPENING
        )
        for player, amount in sorted(opened.balances.items())
        if amount
    ]
    other_side = PlannedPosting(
        account=AccountRef(kind=AccountKind.OPENING),
        amount_minor=-sum(posting.amount_minor for posting in players),
        purpose=Purpose.OPENING,
    )
    return PlannedEntry(
        slot=opened.currency,
        currency=opened.currency,
        postings=(*players, *([other_side] if other_side.amount_minor else [])),
    )


def _entry(merge: PlayersMerged, currency: str, amount_minor: int) -> PlannedEntry:
    sides = ((merge.player, -amount_minor), (merge.into, amount_minor))
    return PlannedEntry(
        slot=currency,
        currency=currency,
        postings=tuple(
            PlannedPosting(
                account=AccountRef(kind=AccountKind.PLAYER, owner=player), amount_minor=amount, purpose=Purpose.TRANSFER
            )
            for player, amount in sides
        ),
    )
