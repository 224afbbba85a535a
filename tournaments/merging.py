"""Two rows of players that are one person: merged by an event of the club, and separated again by another.

Rules: docs/decisions/0053-merged-players.md; docs/how-to/evening.md, "One player in two rows". No event of a table or
tournament changes: queries across tournaments treat the two rows as one person. The balance is transferred by one
journal entry for each currency.
"""

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q
from msgspec.structs import replace

from scoring import ledger
from scoring.cash import account_of_player
from scoring.events.club import MergeUndone, PlayersMerged
from scoring.events.reading import fold_stored, read_stored
from scoring.events.table import Event
from scoring.merging import MERGE, OPENING, Merges, entries_by_cause, fold_merges
from scoring.messages import Day, Message, say
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.tournament import load_tournament_state
from scoring.tournament.state import Standing
from tournaments import log
from tournaments.log.context import CommandContext, club_lock, digest_of, new_event
from tournaments.models import EveningSheet, Player, PlayerCredit, PushSubscription, Season, Seat, Tournament
from tournaments.models.people import name_key, search_key
from tournaments.people.known_names import distinct_names
from tournaments.people.player_links import end_link
from tournaments.people.players import renew_public_names, rows_of
from tournaments.projections.stale import mark_stale
from tournaments.seasons.results import past_results, results_that_count

MOST_LISTED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving:
    """What a merge transfers: tournaments, their seasons, and by currency the balance and the credit that is lost."""

    tournaments: Sequence[str]
    seasons: Sequence[str]
    moved: Mapping[str, int]
    lost_credit: Mapping[str, int]


def merge_players(player: Player, into: Player, *, context: CommandContext) -> None:
    """Treat one row of a player as another from now on. The same request again changes nothing more.

    Raises EventNotAllowed with every reason against it; KeyReused.
    """
    event = PlayersMerged(player=str(player.id), into=str(into.id))
    with club_lock(player.club_id):
        if _was_done(player.club_id, event, context):
            return
        # As they are now: a page loaded them earlier. A row removed meanwhile becomes the other one, and is refused.
        rows = Player.objects.in_bulk([player.id, into.id])
        player, into = rows.get(player.id, into), rows.get(into.id, player)
        refuse_if(list(merge_problems(player, into)), EventNotAllowed)
        # Who follows the row is told nothing of the player into whom it is merged: that was not asked.
        PushSubscription.objects.filter(player=player).delete()
        Player.objects.filter(id=into.id).update(
            has_page=into.has_page and player.has_page, is_suspended=into.is_suspended or player.is_suspended
        )
        # Who has it would see the other row's player.
        end_link(player.id, now=context.now)
        _append(player.club_id, replace(event, moved=player_balances(player.club_id, event.player)), event, context)


def undo_merge(player: Player, *, context: CommandContext) -> None:
    """Separate a merged row again. The same request again changes nothing more.

    Raises EventNotAllowed where it is not merged, or was erased; KeyReused.
    """
    event = MergeUndone(player=str(player.id))
    with club_lock(player.club_id):
        if _was_done(player.club_id, event, context):
            return
        refuse_if(list(undo_problems(Player.objects.get(id=player.id))), EventNotAllowed)
        _append(player.club_id, event, event, context)


def merges_of(club_id: UUID) -> Merges:
    """Return the merges of a club from its log."""
    return merges_from(log.read(club_id, club_id))


def merges_from(stored: Iterable[log.StoredEvent]) -> Merges:
    """Return the merges after the given events of a club's own stream."""
    events = ((event.version, read_stored(event.kind, event.schema, event.body)) for event in stored)
    return fold_stored(fold_merges, Merges(), events)


def write_merges(club_id: UUID, merges: Merges, *, now: datetime) -> None:
    """Update the rows of a club's players from its merges: the row each is read as, and its name."""
    targets = {UUID(player): UUID(merges.kept(player)) for player in merges.held}
    rows = list(Player.objects.filter(Q(id__in=targets) | Q(merged_into__isnull=False), club_id=club_id))
    own = [row for row in rows if row.id not in targets and row.merged_name]
    names = distinct_names(club_id, [row.merged_name for row in own], now=now)
    for row, name in zip(own, names, strict=True):
        row.name, row.name_key, row.search_key, row.merged_name = name, name_key(name), search_key(name), ""
    for row in rows:
        if row.id in targets and row.merged_into_id is None and row.erased_at is None:
            row.merged_name = row.name
        row.merged_into_id = targets.get(row.id)
    Player.objects.bulk_update(rows, ["merged_into", "merged_name", "name", "name_key", "search_key"], batch_size=300)
    renew_public_names(club_id)


def settle_merges(club_id: UUID, merges: Merges, *, stored: log.StoredEvent) -> None:
    """Update the books from a club's events: an entry for each that holds and moved money, a reversal if undone."""
    entries = entries_by_cause(merges)
    booked = {cause for prefix in (MERGE, OPENING) for cause in ledger.causes_of(club_id, prefix)}
    causes = sorted({*entries, *booked})
    obligations = [
        ledger.Obligation(cause=cause, version=stored.version, entries=entries.get(cause, ())) for cause in causes
    ]
    ledger.settle_many(club_id, obligations, now=stored.recorded_at)


def _was_done(club_id: UUID, asked: Event, context: CommandContext) -> bool:
    return log.first_answer(club_id, context.key, context.request(digest_of(club_id, asked)).digest) is not None


def _append(club_id: UUID, event: Event, asked: Event, context: CommandContext) -> None:
    def on_append(stored: log.StoredEvent, after: Merges) -> None:
        write_merges(club_id, after, now=context.now)
        settle_merges(club_id, after, stored=stored)
        mark_stale(club_id)

    # A resend is told by what was asked: the balance that moves with it may be another one by then.
    own = dataclasses.replace(context, asked=context.request(digest_of(club_id, asked)).digest)
    append_to_club(club_id, merges_of(club_id), event, context=own, on_append=on_append)


def append_to_club(
    club_id: UUID,
    merges: Merges,
    event: Event,
    *,
    context: CommandContext,
    on_append: Callable[[log.StoredEvent, Merges], None],
) -> Merges:
    """Append an event to the club's stream, which is at `merges`, and return what holds then.

    Raises as `log.append` does.
    """
    after = fold_merges(merges, [(merges.version + 1, event)])
    place = log.StreamVersion(club_id=club_id, stream_id=club_id, expected=merges.version)
    new, request = new_event(event, context), context.request(digest_of(club_id, event))

    def appended(stored: log.StoredEvent) -> None:
        on_append(stored, after)

    if merges.version:
        log.append(place, new, request=request, on_append=appended)
    else:
        log.open_stream(place, log.StreamKind.CLUB, new, request=request, on_append=appended)
    return after


# Reasons against a merge, and what it would transfer.


def merge_problems(player: Player, into: Player) -> Iterator[Problem]:
    """Yield every reason against merging a row into another: tournaments by name, at most five of each kind."""
    if player.id == into.id:
        yield _reason("same_player", say("choose another player"))
        return
    for row in (player, into):
        if row.erased_at is not None:
            yield _reason("erased", say("an erased player cannot be merged"))
        elif row.merged_into_id is not None:
            yield _reason("merged", say("{name} is merged already", name=row.merged_name))
    theirs, others = entered_by(player), entered_by(into)
    both = [tournament for tournament in theirs if tournament in others]
    for tournament in both[:MOST_LISTED]:
        yield _both_played(player, into, tournament.name)
    imported = [
        past for past in past_results(player.club_id) if str(player.id) in past.state and str(into.id) in past.state
    ]
    for past in imported[:MOST_LISTED]:
        yield _both_played(player, into, past.name or Day(past.day.isoformat()))
    for tournament in [tournament for tournament in theirs if tournament.closed_at is None and tournament not in both][
        :MOST_LISTED
    ]:
        message = say("{name} is in {tournament}: close it first", name=player.name, tournament=tournament.name)
        yield _reason("tournament_open", message)


def _both_played(player: Player, into: Player, tournament: str | Day) -> Problem:
    message = say(
        "{name} and {other} are both in {tournament}", name=player.name, other=into.name, tournament=tournament
    )
    return _reason("both_played", message)


def undo_problems(player: Player) -> Iterator[Problem]:
    """Yield the reasons against undoing a merge."""
    if player.merged_into_id is None:
        yield _reason("not_merged", say("{name} is not merged", name=player.name))
    elif player.erased_at is not None:
        yield _reason("erased", say("this player was erased: the merge can no longer be undone"))


def entered_by(player: Player) -> list[Tournament]:
    """Return tournaments with a seat, or while open an entry, of the player under any row; the oldest first."""
    rows = rows_of(player.club_id, [str(player.id)])
    seats = Seat.objects.filter(player_id__in=rows).exclude(table__scoresheet__is_cancelled=True)
    condition = reduce(or_, (Q(state__contains=row) for row in rows))
    sheets = EveningSheet.objects.filter(condition, club_id=player.club_id, tournament__closed_at__isnull=True)
    entered = {tournament for tournament, state in sheets.values_list("tournament_id", "state") if _is_in(state, rows)}
    tournaments = Tournament.objects.filter(Q(id__in=entered) | Q(id__in=seats.values("table__tournament")))
    return list(tournaments.order_by("starts_at", "id"))


def _is_in(state: str, rows: Collection[str]) -> bool:
    entrants = load_tournament_state(state).entrants
    return any(row in entrants and entrants[row].standing is not Standing.WITHDRAWN for row in rows)


def moving(player: Player) -> Moving:
    """Return what a merge of this row would transfer, in a few queries. Closed seasons stay as published."""
    played = entered_by(player)
    day_by_tournament = {result.tournament: result.day for result in results_that_count(player.club_id)}
    days = [day_by_tournament[tournament.id] for tournament in played if tournament.id in day_by_tournament]
    imported = {past.season_id for past in past_results(player.club_id) if str(player.id) in past.state}
    seasons = Season.objects.filter(club_id=player.club_id, closed_at__isnull=True).order_by("starts_on", "name")
    return Moving(
        tournaments=[tournament.name for tournament in played],
        seasons=[
            season.name
            for season in seasons
            if season.pk in imported or any(season.starts_on <= day <= season.ends_on for day in days)
        ],
        moved=player_balances(player.club_id, str(player.id)),
        lost_credit=dict(PlayerCredit.objects.filter(player=player).values_list("currency", "limit_minor")),
    )


def player_balances(club_id: UUID, player: str) -> dict[str, int]:
    """Return the balance of one row's account, by currency."""
    return ledger.balances_of_owner(club_id, account_of_player(player))


def _reason(code: str, why: Message) -> Problem:
    return Problem(code=code, field="into", detail=why)
