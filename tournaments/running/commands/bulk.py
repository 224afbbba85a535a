"""Bulk actions on tables or players: a preview of what is done and what is left out and why, then all in one step.

Rules: docs/how-to/evening.md, "Many at once". A problem with one item leaves out only that item. All is one transaction
under the club's lock, so that no one sees half of it, and the number of queries does not depend on the number of items.
The action is identified by the key of its first event; the others follow it in the log.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from uuid import UUID

from django.db.models import Q
from msgspec.structs import replace as replace_fields

from scoring.events import wire
from scoring.events.reading import read_stored
from scoring.events.wire import Event
from scoring.messages import Message, Words, say, say_many
from scoring.problems import EventNotAllowed, Problem
from scoring.rules.table.table import Table
from scoring.tournament import TournamentState
from scoring.tournament.steps import is_played, shown_clock
from tournaments import log
from tournaments.log.context import CommandContext, part, part_of, tournament_lock
from tournaments.models import Player, Scoresheet, Tournament
from tournaments.people.permissions import Permission
from tournaments.running import summary_of, title_of
from tournaments.running.commands.record import tournament_state
from tournaments.tables.commands.bulk import (
    TableEvents,
    may_confirm,
    problems_at,
    record_at_tables,
    recorders_of,
    sheets_with_tables,
)
from tournaments.tables.commands.table_tokens import unready

OPEN = Q(is_closed=False, is_cancelled=False, has_moved_on=False)
UNDONE = "undone for all at once"
# The most events read after the first one of an action to find the rest: more than one action can store.
MOST_EVENTS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A table, a deal or a player: the events to record, or why it is left out.

    `does` and `amount_minor` describe it to the user; `asked` are questions to show before it is done. One that is only
    `by_choice` is left out, for the first question, unless its key was chosen.
    """

    key: str
    called: Words
    events: tuple[Event, ...] = ()
    does: Words = ""
    amount_minor: int = 0
    why_not: Message | None = None
    asked: tuple[Problem, ...] = ()
    by_choice: bool = False
    sheet: Scoresheet | None = None
    table: Table | None = None

    def left_out(self, problems: Sequence[Problem]) -> "Candidate":
        """The same, left out for the first of these problems; unchanged without problems."""
        return replace(self, events=(), why_not=problems[0].message) if problems else self


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A tournament at the time of the request."""

    tournament: Tournament
    state: TournamentState
    context: CommandContext


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkAction:
    """A kind of bulk action: its candidates, how they are stored, and the candidates of its undo, given what it stored.

    Without `back` it cannot be undone.
    """

    name: str
    permission: Permission
    candidates: Callable[[Scene], list[Candidate]]
    store: Callable[[Scene, Sequence[Candidate]], None]
    back: Callable[[Scene, Sequence[log.StoredEvent]], list[Candidate]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkResult:
    """What was done and what was left out; both are empty for a resent request."""

    done: tuple[Candidate, ...] = ()
    left_out: tuple[Candidate, ...] = ()
    is_replay: bool = False


def looked_at(tournament: Tournament, action: BulkAction, *, context: CommandContext) -> BulkResult:
    """A preview of what the action would do and leave out."""
    return _parted(action.candidates(Scene(tournament=tournament, state=tournament_state(tournament), context=context)))


def run_bulk(
    tournament_id: UUID, action: BulkAction, *, context: CommandContext, only: Collection[str] | None = None
) -> BulkResult:
    """Do it for all that are ready, or only for those in `only`; the others are returned with the reason.

    A repeated request stores nothing. Raises EventNotAllowed if all of it is refused, KeyReused.
    """
    with tournament_lock(tournament_id) as tournament:
        chosen = "all" if only is None else " ".join(sorted(only))
        digest = context.asked or wire.request_digest(str(tournament_id), action.name, context.key, chosen)
        scene = Scene(tournament=tournament, state=tournament_state(tournament), context=replace(context, asked=digest))
        if log.first_answer(tournament.club_id, context.key, digest) is not None:
            return BulkResult(is_replay=True)
        return _stored(scene, action, _chosen(action.candidates(scene), only))


def undo_bulk(
    tournament_id: UUID, action: BulkAction, key: str, *, context: CommandContext, reason: str = ""
) -> BulkResult:
    """Undo the action with this key, as far as that is possible now. A repeated call does nothing.

    Raises EventNotAllowed, also if it refunds without a `reason`; KeyReused.
    """
    with tournament_lock(tournament_id) as tournament:
        digest = wire.request_digest(str(tournament_id), "undo", action.name, key)
        context = replace(context, key=key_of_undoing(key), asked=digest)
        if log.first_answer(tournament.club_id, context.key, digest) is not None:
            return BulkResult(is_replay=True)
        scene = Scene(tournament=tournament, state=tournament_state(tournament), context=context)
        if action.back is None:
            raise EventNotAllowed([Problem("cannot_undo", say("a confirmation cannot be undone: correct the deal"))])
        back = action.back(scene, stored_under(tournament.club_id, key))
        if refunds_any(back) and not reason.strip():
            raise EventNotAllowed([Problem("missing_field", say("enter a reason"), field="reason")])
        return _stored(
            scene, action, [replace(candidate, events=_for_reason(candidate.events, reason)) for candidate in back]
        )


def refunds_any(candidates: Sequence[Candidate]) -> bool:
    """Whether money is refunded with these."""
    return any(isinstance(event, wire.EntryRefunded) for candidate in candidates for event in candidate.events)


def _for_reason(events: Sequence[Event], reason: str) -> tuple[Event, ...]:
    return tuple(
        replace_fields(event, reason=reason) if isinstance(event, wire.EntryRefunded) else event for event in events
    )


def undoing_of(tournament: Tournament, action: BulkAction, key: str, *, context: CommandContext) -> Sequence[Candidate]:
    """What undoing the action with this key would do; nothing where it was not stored, or cannot be undone any more."""
    if action.back is None or len(list(log.find(club=tournament.club_id, keys=[key, key_of_undoing(key)]))) != 1:
        return ()
    scene = Scene(tournament=tournament, state=tournament_state(tournament), context=context)
    return [
        candidate
        for candidate in action.back(scene, stored_under(tournament.club_id, key))
        if candidate.why_not is None
    ]


def key_of_undoing(key: str) -> str:
    """The key for undoing an action, the same for every user, so that it is undone only once."""
    return part_of(key, "undo")


def stored_under(club_id: UUID, key: str) -> list[log.StoredEvent]:
    """All events of the action whose first event has this key: consecutive in the log."""
    first = log.find(club=club_id, keys=[key]).first()
    if first is None:
        return []
    behind = log.read_club(club_id, first.position - 1, MOST_EVENTS)
    return list(takewhile(lambda event: is_of_one_action(event, behind[0]), behind))


def is_of_one_action(one: log.StoredEvent, other: log.StoredEvent) -> bool:
    """Whether two neighbours in the log were stored by one action. The same seats may be swapped twice in a row."""
    return one.request_digest == other.request_digest and one.recorded_at == other.recorded_at


def own_events(tournament: Tournament, events: Sequence[log.StoredEvent]) -> list[Event]:
    """The events of an action that are in the tournament's own stream."""
    own = (event for event in events if event.stream_id == tournament.id)
    return [read_stored(event.kind, event.schema, event.body) for event in own]


def keyed(
    context: CommandContext, candidates: Sequence[Candidate]
) -> Iterator[tuple[Candidate, tuple[tuple[Event, CommandContext], ...]]]:
    """The events of each candidate with their keys: the first of all has the key of the request."""
    number = 0
    for candidate in candidates:
        events = []
        for event in candidate.events:
            events.append((event, part(context, number) if number else context))
            number += 1
        yield candidate, tuple(events)


def _stored(scene: Scene, action: BulkAction, candidates: Sequence[Candidate]) -> BulkResult:
    bulk_result = _parted(candidates)
    if bulk_result.done:
        action.store(scene, bulk_result.done)
    return bulk_result


def _parted(candidates: Sequence[Candidate]) -> BulkResult:
    return BulkResult(
        done=tuple(candidate for candidate in candidates if candidate.why_not is None),
        left_out=tuple(candidate for candidate in candidates if candidate.why_not is not None),
    )


def _chosen(candidates: Sequence[Candidate], only: Collection[str] | None) -> list[Candidate]:
    """The chosen candidates in their own order; then those that someone else did or changed, by key."""
    if only is None:
        return [candidate.left_out(candidate.asked) if candidate.by_choice else candidate for candidate in candidates]
    gone = say("already done or changed by someone else")
    keys = {candidate.key for candidate in candidates}
    return [
        *(candidate for candidate in candidates if candidate.key in only),
        *(Candidate(key=key, called="", why_not=gone) for key in sorted(set(only) - keys)),
    ]


# Tables: closing those that are played, and confirming deals recorded by another person.


def tables_to_close(scene: Scene) -> list[Candidate]:
    """Every open table, with who wins it; one still in play is left out, or closed by choice where its rules allow it.

    In a fixed number of queries.
    """
    sheet_pairs = sheets_with_tables(scene.tournament, OPEN)
    tables = [sheet.table_id for sheet, _ in sheet_pairs]
    spans = log.spans(club=scene.tournament.club_id, streams=tables, kinds=wire.PLAYED_KINDS)
    spans = sorted(spans, key=lambda span: span.last)
    last = {span.stream_id: int(span.last_recorded.timestamp()) for span in spans}
    winners = {sheet.table_id: _winners(scene.state, table) for sheet, table in sheet_pairs}
    named = Player.objects.filter(id__in={player for players in winners.values() for player in players})
    names = {str(player): name for player, name in named.values_list("id", "name")}
    return [
        _to_close(
            scene, sheet, table, last.get(sheet.table_id, 0), [names[player] for player in winners[sheet.table_id]]
        )
        for sheet, table in sheet_pairs
    ]


def _winners(state: TournamentState, table: Table) -> list[str]:
    """Who would win a table that is closed now; a substitute wins for the player in whose seat they are."""
    seats = table.rules.winners(table.setup, table.game) if table.has_begun and not table.conflicts else ()
    players = (table.players[seat] for seat in seats)
    return [state.playing_for(player) if player in state.entrants else player for player in players]


def _to_close(scene: Scene, sheet: Scoresheet, table: Table, last_deal: int, winners: Sequence[str]) -> Candidate:
    state = scene.state
    seated = state.round_of(sheet.table.round)
    stage = state.plan.stages[seated.stage - 1] if state.plan is not None and seated is not None else None
    clock = shown_clock(state, int(scene.context.now.timestamp()))
    summary = summary_of(sheet, last_deal, table.rules.name)
    does = say_many("after {count} deal", "after {count} deals", count=table.deals)
    if table.has_totals:
        does = say("by totals")
    if winners:
        who = say_many("{names} wins", "{names} share the win", count=len(winners), names=tuple(winners))
        does = say("{what}: {who}", what=does, who=who)
    candidate = Candidate(
        key=str(sheet.table_id),
        called=title_of(sheet.table),
        events=(wire.TableClosed(),),
        does=does,
        sheet=sheet,
        table=table,
    )
    problems = [*unready(sheet), *problems_at(table, wire.TableClosed())]
    if is_played(summary, stage, len(table.setup.seats), clock):
        return candidate.left_out(problems)
    playing = Problem("table_open", say("still being played"))
    if problems or not table.has_begun:
        return candidate.left_out([playing])
    return replace(candidate, asked=(playing,), by_choice=True)


def deals_to_confirm(scene: Scene) -> list[Candidate]:
    """Every unconfirmed deal. Those recorded by the user themselves are left out."""
    sheet_pairs = sheets_with_tables(scene.tournament, Q(unconfirmed__gt=0, is_cancelled=False))
    recorders = recorders_of(scene.tournament.club_id, [sheet.table_id for sheet, _ in sheet_pairs])
    return [
        _to_confirm(scene, sheet, table, deal, may=may_confirm(table, deal, scene.context.actor, recorders[table_id]))
        for sheet, table in sheet_pairs
        for table_id in [sheet.table_id]
        for deal in table.unconfirmed
    ]


def _to_confirm(scene: Scene, sheet: Scoresheet, table: Table, deal: int, *, may: bool) -> Candidate:
    event = wire.DealConfirmed(deal=deal)
    candidate = Candidate(
        key=f"{sheet.table_id}.{deal}",
        called=title_of(sheet.table),
        events=(event,),
        does=say("deal {deal}", deal=deal),
        sheet=sheet,
        table=table,
    )
    own = say("you recorded deal {deal}: someone else must confirm it", deal=deal)
    return candidate.left_out([*problems_at(table, event), *([] if may else [Problem("own_deal", own)])])


def acts_to_withdraw(scene: Scene, events: Sequence[log.StoredEvent]) -> list[Candidate]:
    """The events recorded at tables, to be undone there."""
    sheet_pairs = sheets_with_tables(scene.tournament, Q(table__in={event.stream_id for event in events}))
    at_table = {sheet.table_id: (sheet, table) for sheet, table in sheet_pairs}
    return [_to_withdraw(scene, event, *at_table[event.stream_id]) for event in events if event.stream_id in at_table]


def _to_withdraw(scene: Scene, stored_event: log.StoredEvent, sheet: Scoresheet, table: Table) -> Candidate:
    event = wire.EventWithdrawn(version=stored_event.version, reason=UNDONE)
    problems = problems_at(table, event)
    if scene.tournament.closed_at is not None:
        problems.append(Problem("tournament_closed", say("the tournament is closed: reopen it before its tables")))
    title = title_of(sheet.table)
    return Candidate(key=str(stored_event.position), called=title, events=(event,), sheet=sheet, table=table).left_out(
        problems
    )


def store_at_tables(scene: Scene, candidates: Sequence[Candidate]) -> None:
    """Store the events of each table together, in their order."""
    at_table: dict[UUID, tuple[Scoresheet, Table, list[tuple[Event, CommandContext]]]] = {}
    for candidate, events in keyed(scene.context, candidates):
        if candidate.sheet is not None and candidate.table is not None:
            table_events = at_table.setdefault(candidate.sheet.table_id, (candidate.sheet, candidate.table, []))
            table_events[2].extend(events)
    record_at_tables(scene.tournament, [TableEvents.at(*parts) for parts in at_table.values()])


CLOSE_TABLES = BulkAction(
    name="close_tables",
    permission=Permission.DIRECT,
    candidates=tables_to_close,
    back=acts_to_withdraw,
    store=store_at_tables,
)
CONFIRM_DEALS = BulkAction(
    name="confirm_deals",
    permission=Permission.DIRECT,
    candidates=deals_to_confirm,
    store=store_at_tables,
)
