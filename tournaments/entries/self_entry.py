"""How a tournament takes entries of people who enter by themselves: whether it does now, its places, and who waits.

Rules: docs/decisions/0082-players-enter-by-themselves.md; docs/how-to/evening.md, "Players enter by themselves".
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db.models import Case, Count, QuerySet, Value, When

from scoring.messages import Message, say, say_many
from scoring.problems import Problem
from scoring.tournament import TournamentState, load_tournament_state
from scoring.tournament.state import Standing
from tournaments import log
from tournaments.models import EntryRequest, EveningSheet, Tournament
from tournaments.people.known_names import Known, KnownNames, known_names

State = EntryRequest.State
WAITING = (State.UNCONFIRMED, State.CONFIRMED)
# As many can be decided on one page.
MOST_ON_A_PAGE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """How many play, how many stand by, and how many places there are; None for no limit."""

    playing: int
    standby: int
    total: int | None

    @property
    def is_full(self) -> bool:
        """Whether the next entry goes to the standby list: a place that becomes free is of those who stand by."""
        return self.total is not None and self.playing + self.standby >= self.total

    @property
    def free(self) -> int | None:
        return None if self.total is None else max(0, self.total - self.playing)


def places_of(tournament: Tournament, state: TournamentState) -> Places:
    """The places of a tournament as they are taken."""
    standings = [entrant.standing for entrant in state.entrants.values()]
    return Places(
        playing=standings.count(Standing.ENTERED), standby=standings.count(Standing.STANDBY), total=tournament.places
    )


def question_of_places(tournament: Tournament, state: TournamentState, playing: int) -> list[Problem]:
    """The question whether so many may play, where there are fewer places; none after the start."""
    if tournament.places is None or state.is_started or playing <= tournament.places:
        return []
    detail = say_many(
        "{playing} players would play, and there is {count} place: enter them anyway?",
        "{playing} players would play, and there are {count} places: enter them anyway?",
        count=tournament.places,
        playing=playing,
    )
    return [Problem("places_taken", detail, field="past_places")]


def is_in(state: TournamentState, player: str) -> bool:
    """Whether somebody is in the tournament, or on its standby list."""
    entrant = state.entrants.get(player)
    return entrant is not None and (entrant.plays or entrant.standing is Standing.STANDBY)


def entries_end(tournament: Tournament) -> datetime:
    """Until when people may enter by themselves."""
    return tournament.entries_until or tournament.starts_at


def why_closed(tournament: Tournament, state: TournamentState, *, now: datetime) -> list[Message]:
    """Every reason why nobody can enter by themselves now; none where they can. `tournament` has its club loaded."""
    if state.is_closed or tournament.closed_at is not None:
        return [say("This tournament is over")]
    reasons = []
    is_desk_only = not tournament.takes_entries or (state.plan is not None and state.plan.is_rehearsal)
    if is_desk_only:
        reasons.append(say("This tournament takes entries at the desk only"))
    if not tournament.club.is_published:
        reasons.append(say("The club is not published"))
    if not tournament.is_published:
        reasons.append(say("This tournament is not published"))
    if log.moved_to(tournament.club_id):
        reasons.append(say("The club has moved to another site: enter there"))
    # At the desk entries may go on.
    if state.is_started and not is_desk_only:
        reasons.append(say("This tournament has begun: ask at the desk"))
    elif now >= entries_end(tournament) and not is_desk_only:
        reasons.append(say("Entries have ended: ask at the desk"))
    return reasons


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingRequest:
    """A request that waits for the desk, with the players of the club who may have sent it.

    `same` have this name, `near` a similar one. `seen` is the digest of both, which is sent with a decision.
    """

    row: EntryRequest
    same: tuple[Known, ...]
    near: tuple[Known, ...]

    @property
    def players(self) -> tuple[Known, ...]:
        return (*self.same, *self.near)

    @property
    def seen(self) -> str:
        return digest_of_players(self.players)


def digest_of_players(players: Iterable[Known]) -> str:
    """A digest of the players that a page offers for a name."""
    return sha256(" ".join(sorted(str(player) for player, _ in players)).encode()).hexdigest()[:16]


def players_meant(names: KnownNames, name: str) -> tuple[tuple[Known, ...], tuple[Known, ...]]:
    """The players of this name, and those of a similar one: mistyped, longer or shorter."""
    same = tuple(names.found(name))
    similar = dict.fromkeys((*names.nearly(name), *names.shorter(name)))
    return same, tuple(player for player in similar if player not in same)


def waiting_requests(tournament: Tournament, rows: Sequence[EntryRequest] | None = None) -> list[WaitingRequest]:
    """Some waiting requests, or all: confirmed ones first, those without proof of work last. In two queries."""
    rows = list(waiting_rows(tournament)) if rows is None else rows
    if not rows:
        return []
    names = known_names(tournament.club)
    matches = [(row, *players_meant(names, row.name)) for row in rows]
    return [WaitingRequest(row=row, same=same, near=near) for row, same, near in matches]


def waiting_rows(tournament: Tournament) -> QuerySet[EntryRequest]:
    """The rows of waiting requests, in the order in which the desk sees them."""
    first = Case(When(state=State.CONFIRMED, then=Value(0)), When(is_proven=True, then=Value(1)), default=Value(2))
    rows = EntryRequest.objects.filter(tournament=tournament, state__in=WAITING)
    return rows.order_by(first, "made_at", "id")


def waiting_counts(tournaments: Collection[UUID]) -> dict[UUID, int]:
    """How many requests wait in each of these tournaments, in one query; those without any are left out."""
    rows = EntryRequest.objects.filter(tournament__in=tournaments, state__in=WAITING).order_by()
    return dict(rows.values("tournament").annotate(number=Count("pk")).values_list("tournament", "number"))


def state_of(tournament: Tournament) -> TournamentState:
    """The tournament as its row has it; an empty one where there is no row yet."""
    state = EveningSheet.objects.filter(tournament=tournament).values_list("state", flat=True).first()
    return TournamentState() if state is None else load_tournament_state(state)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestStatus:
    """What has become of a request. `standby_place` counts from 1; `may_withdraw`: by themselves, without the desk."""

    row: EntryRequest
    plays: bool = False
    standby_place: int = 0
    is_checked_in: bool = False
    may_withdraw: bool = False


def status_of(row: EntryRequest, state: TournamentState) -> RequestStatus:
    """The status of a request, whose player may have been withdrawn or checked in since."""
    if row.is_waiting:
        return RequestStatus(row=row, may_withdraw=True)
    entrant = state.entrants.get(str(row.player_id)) if row.state == State.ENTERED else None
    if entrant is None:
        return RequestStatus(row=row)
    waiting = [player for player, other in state.entrants.items() if other.standing is Standing.STANDBY]
    stands_by = entrant.standing is Standing.STANDBY
    # Whom somebody else had entered is not this request's to withdraw.
    is_own = is_in(state, entrant.player) and bool(row.decided_by)
    # Money that was paid goes back at the desk; a player with a seat is missed at a table.
    is_held = entrant.is_checked_in or entrant.paid_minor or state.is_started or state.is_closed
    return RequestStatus(
        row=row,
        plays=entrant.plays,
        standby_place=1 + waiting.index(entrant.player) if stands_by else 0,
        is_checked_in=entrant.is_checked_in,
        may_withdraw=is_own and not is_held,
    )
