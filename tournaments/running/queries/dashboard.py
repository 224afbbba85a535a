"""The dashboard: the next step, tables that wait and since when, missing players, and problems.

Rules: docs/how-to/evening.md, "The dashboard". A fixed number of queries, however many tables there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import F, OuterRef, Subquery, Sum
from django.utils.translation import gettext

from scoring.messages import Message
from scoring.money import TILL
from scoring.tournament import Entrant, TournamentState, load_tournament_state
from scoring.tournament.next_step import next_step
from scoring.tournament.state import Standing as EntrantStanding
from scoring.tournament.state.fees import (
    any_money_in,
    counted_entries,
    is_booked,
    overpaid_minor,
    owed_by,
    unpaid_by_player,
)
from scoring.tournament.steps import Room, RoomMoney, ShownClock, Steps, shown_clock
from tournaments.books.queries import PlayerBalance, player_balances
from tournaments.cash import NO_TILLS, Tills, tills_of
from tournaments.models import EveningSheet, Scoresheet, SeatingDraft, Tournament
from tournaments.models.people import search_key
from tournaments.models.public_names import Names
from tournaments.people.players import as_in_books
from tournaments.projections.shown import version_shown
from tournaments.projections.terms import terms_of
from tournaments.running.queries.dashboard_tables import DashboardTable, tables_of, with_scorers
from tournaments.running.queries.room import UNKNOWN
from tournaments.running.queries.stages import cut_proposal, outdated_cuts
from tournaments.running.remembered_names import names_of_players
from tournaments.tables import LateTable, tables_with_late_sheets

# How many tables or players each list names: as many as a round of 200 players has tables. The rest is counted.
MOST_LISTED = 60
Entry = TypeVar("Entry")


class Listed(NamedTuple, Generic[Entry]):
    """The first entries of a list, and how many more there are."""

    first: Sequence[Entry]
    more: int

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "Listed[Entry]":
        """As many as the dashboard lists."""
        return cls(entries[:MOST_LISTED], max(0, len(entries) - MOST_LISTED))

    @property
    def total(self) -> int:
        return len(self.first) + self.more


class Prizes(NamedTuple):
    """Whether the tournament's prizes are still to be paid, and why that failed."""

    are_open: bool = False
    problem: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningTournament:
    """A tournament's state before anything is counted, with the values on which its dashboard depends."""

    tournament: Tournament
    state: TournamentState
    names: Mapping[str, str]
    clock: ShownClock | None
    settled: tuple[int | str | None, ...]
    prizes: Prizes
    names_version: str
    balances: tuple[PlayerBalance, ...] = ()
    tills: Tills = NO_TILLS
    is_without_till: bool = False
    late: tuple[LateTable, ...] = ()
    # The last round of which a seating was drawn, published or not; 0 where none was.
    drafted: int = 0

    def marks(self) -> tuple[object, ...]:
        """All values on which the dashboard depends: if they are equal, so is the dashboard."""
        return (
            self.tournament.pk,
            self.tournament.name,
            self.tournament.board_position,
            self.tournament.closed_at,
            self.clock is not None and self.clock.is_over,
            self.settled,
            self.prizes,
            self.balances,
            self.tills,
            self.is_without_till,
            *((late_table.table.pk, late_table.sheets) for late_table in self.late),
            self.drafted,
            self.names_version,
        )


@dataclass(frozen=True, kw_only=True)
class Dashboard:
    """Everything on the dashboard."""

    running: RunningTournament
    steps: Steps
    tables: tuple[DashboardTable, ...]

    @property
    def state(self) -> TournamentState:
        return self.running.state

    @cached_property
    def waiting(self) -> list[DashboardTable]:
        """Tables without a result, the one that waits longest first."""
        return sorted((t for t in self.tables if t.is_waiting), key=lambda t: t.summary.waits_since)

    @cached_property
    def listed_waiting(self) -> list[DashboardTable]:
        """Those that are listed, in the order of the room, so that each keeps its place; with their scorers' names."""
        first = self.waiting[:MOST_LISTED]
        in_order = sorted(first, key=lambda t: (t.summary.round, t.summary.number))
        return with_scorers(in_order, self.running.tournament.club_id)

    @property
    def more_waiting(self) -> int:
        """The number of those that are not listed."""
        return len(self.waiting[MOST_LISTED:])

    @cached_property
    def short(self) -> list[DashboardTable]:
        """Tables with so few players left that they had better play on at other tables."""
        stage = self.state.current
        if stage is None or len(self.waiting) < 2 or terms_of(self.running.tournament).of(stage).rules.adds_up:
            return []
        largest = max(table.still_in for table in self.waiting)
        return [table for table in self.waiting if table.still_in < max(stage.smallest_table, largest - 1)]

    @cached_property
    def finished(self) -> list[DashboardTable]:
        """Tables with a result that are not closed yet."""
        return [table for table in self.tables if table.summary.is_finished and not table.summary.is_over]

    @cached_property
    def over(self) -> list[DashboardTable]:
        """Tables that are over, without cancelled ones."""
        return [table for table in self.tables if table.summary.is_over and not table.sheet.is_cancelled]

    @property
    def listed_over(self) -> list[DashboardTable]:
        """The latest tables that are over, as listed."""
        return self.over[-MOST_LISTED:]

    @property
    def over_marks(self) -> str:
        """The ids and names of the listed tables: if they are equal, so are the links."""
        return "\n".join(f"{table.sheet.pk} {table.summary.title!r}" for table in self.listed_over)

    @property
    def more_over(self) -> int:
        """The number of tables that are over and not listed."""
        return len(self.over) - len(self.listed_over)

    @cached_property
    def troubles(self) -> list[DashboardTable]:
        """Tables with conflicting records, a dispute, unconfirmed deals, or money that could not be settled."""
        return [table for table in self.tables if table.is_in_trouble]

    @property
    def may_close_by_choice(self) -> bool:
        """Whether a table in play has a deal or totals, and may be closed after any."""
        return any(table.is_waiting and table.summary.has_no_end and table.summary.has_begun for table in self.tables)

    @property
    def unconfirmed(self) -> int:
        """The number of unconfirmed deals of all tables."""
        return sum(table.summary.unconfirmed for table in self.tables)

    # Players whom a director may have to look for, each as player and name, A to Z.

    @cached_property
    def not_here(self) -> list[tuple[str, str]]:
        """Players who entered and are not checked in."""
        return self._named(entrant for entrant in self._entrants() if entrant.plays and not entrant.is_checked_in)

    @cached_property
    def absent(self) -> list[tuple[str, str]]:
        return self._named(entrant for entrant in self._entrants() if entrant.standing is EntrantStanding.ABSENT)

    # What is about money has the names that the books have.

    @cached_property
    def names_in_books(self) -> Mapping[str, str]:
        return as_in_books(self.running.tournament.club_id, self.running.names)

    @property
    def owing(self) -> list[PlayerBalance]:
        """Players who owe the club money, the largest debt first."""
        owing = (one for one in self.running.balances if one.is_owing)
        return [replace(one, name=self.names_in_books.get(str(one.player), one.name)) for one in owing]

    @cached_property
    def unpaid(self) -> list[tuple[str, str]]:
        """Players with an unpaid entry. A substitute plays on an entry that another player may have to pay.

        Nobody once the tournament is closed: it is a debt on their balance, which may be paid since.
        """
        if self.state.is_closed:
            return []
        fee = self.running.tournament.entry_minor
        owing = (self.state.entrants[player] for player in unpaid_by_player(self.state, fee))
        return sorted(
            ((entrant.player, self._payer(entrant)) for entrant in owing), key=lambda named: search_key(named[1])
        )

    @cached_property
    def overpaid(self) -> list[tuple[str, str]]:
        """Players who have paid more than their entry; once the tournament is closed, it is in their balances."""
        fee = self.running.tournament.entry_minor
        owed_back = (entrant for entrant in self._entrants() if overpaid_minor(self.state, entrant, fee))
        if self.state.is_closed:
            return []
        named = ((one.player, self.names_in_books[one.player]) for one in owed_back)
        return sorted(named, key=lambda each: search_key(each[1]))

    def _payer(self, entrant: Entrant) -> str:
        """The player who has to pay an entry, with their substitute if any."""
        name = self.names_in_books[entrant.player]
        if entrant.replaced_by is None:
            return name
        playing = self.names_in_books[self.state.playing_for(entrant.player)]
        return gettext("{name} (now {substitute})").format(name=name, substitute=playing)

    @cached_property
    def late(self) -> list[tuple[str, str]]:
        """Late entries who wait for the next round. A substitute who plays at a table has a seat."""
        last = self.state.last_round
        if last is None:
            return []
        seated = {player for table in last.tables for player in table.players}
        came = (entrant for entrant in self._entrants() if entrant.plays and entrant.since_round > last.round)
        return self._named(entrant for entrant in came if seated.isdisjoint(self.state.before(entrant.player)))

    @cached_property
    def standby(self) -> list[tuple[str, str]]:
        return self._named(entrant for entrant in self._entrants() if entrant.standing is EntrantStanding.STANDBY)

    @cached_property
    def sitting_out(self) -> list[tuple[str, str]]:
        last = self.state.last_round
        return [(player, self.running.names[player]) for player in last.sitting_out] if last else []

    def _entrants(self) -> Iterable[Entrant]:
        return self.state.entrants.values()

    def _named(self, entrants: Iterable[Entrant]) -> list[tuple[str, str]]:
        named = ((entrant.player, self.running.names[entrant.player]) for entrant in entrants)
        return sorted(named, key=lambda each: search_key(each[1]))


def running_tournament(tournament: Tournament, *, now: datetime, names: Names) -> RunningTournament:
    """The tournament with its names, in two queries if these are remembered; in more once it is closed.

    `tournament` must be read before. After closing it includes what players owe the club or have to collect.
    """
    drafts = SeatingDraft.objects.filter(tournament=OuterRef("tournament")).order_by("-round").values("round")
    sheet = EveningSheet.objects.filter(tournament=tournament).annotate(drafted=Subquery(drafts[:1])).first()
    state = load_tournament_state(sheet.state) if sheet else TournamentState()
    remembered_names = names_of_players(tournament.club, state.entrants, names)
    sums = Scoresheet.objects.filter(table__tournament=tournament).aggregate(
        Sum("settled_version"), Sum("settle_attempts"), Sum("due_version")
    )
    return RunningTournament(
        tournament=tournament,
        state=state,
        names={
            player: remembered_names[player].name if player in remembered_names else UNKNOWN
            for player in state.entrants
        },
        names_version=version_shown(tournament.club, names),
        clock=shown_clock(state, int(now.timestamp())),
        settled=tuple(sums.values()),
        prizes=_prizes(sheet) if sheet else Prizes(),
        drafted=(sheet.drafted or 0) if sheet else 0,
        balances=player_balances(
            tournament, [(UUID(player), remembered_name.name) for player, remembered_name in remembered_names.items()]
        )
        if state.is_closed and is_booked(state)
        else (),
    )


def with_tills(running: RunningTournament, *, is_without_till: bool = False) -> RunningTournament:
    """The same with the state of the tills, in one query if it is played for money.

    `is_without_till`: the user has chosen to take money without a till.
    """
    if not _is_for_money(running):
        return running
    tournament, entrants = running.tournament, running.state.entrants.values()
    tills = tills_of(tournament.club_id, tournament.currency, since=tournament.closed_at)
    is_at_desk = any(entrant.paid_by_place.get("") for entrant in entrants)
    return replace(running, tills=tills, is_without_till=is_without_till or is_at_desk)


def with_late_sheets(running: RunningTournament) -> RunningTournament:
    """The same with the tables whose late sheets wait for a director, in one query."""
    return replace(running, late=tuple(tables_with_late_sheets(running.tournament.tables.all())))


def dashboard_of(running: RunningTournament) -> Dashboard:
    """The dashboard, in at most ten more queries."""
    tables = tables_of(running.tournament, running.state)
    room = Room(
        tables=[table.summary for table in tables],
        clock=running.clock,
        ties=_ties(running, tables),
        late={str(late_table.table.pk) for late_table in running.late},
        outdated=outdated_cuts(running.tournament, running.state),
        has_draft=running.drafted >= running.state.next_round,
        prizes_open=running.prizes.are_open,
        money=_money(running),
    )
    return Dashboard(running=running, steps=next_step(running.state, room), tables=tables)


def owed_tables(tournament_id: UUID) -> list[UUID]:
    """Tables of a tournament that are not settled yet."""
    sheets = Scoresheet.objects.filter(table__tournament_id=tournament_id, due_version__gt=F("settled_version"))
    return list(sheets.order_by("table__round", "table__number").values_list("table_id", flat=True))


def _is_for_money(running: RunningTournament) -> bool:
    """Whether anything is paid in or out through the books."""
    tournament, state, plan = running.tournament, running.state, running.state.plan
    if plan is None or not is_booked(state):
        return False
    promised = plan.guaranteed_minor or any(plan.fixed_minor) or plan.side_pots or plan.stage_prizes
    return bool(tournament.entry_minor or tournament.point_value_minor or promised or any_money_in(state))


def _money(running: RunningTournament) -> RoomMoney | None:
    """The state of the money that the next steps depend on."""
    if not _is_for_money(running):
        return None
    state, fee, tills = running.state, running.tournament.entry_minor, running.tills
    has_fees = any(owed_by(state, entrant, fee).total for entrant in state.entrants.values())
    places = {place for entrant in state.entrants.values() for place, minor in entrant.paid_by_place.items() if minor}
    return RoomMoney(
        entries=counted_entries(state, fee) if has_fees else 0,
        unpaid=len(unpaid_by_player(state, fee)),
        to_collect=sum(balance.balance_minor > 0 for balance in running.balances),
        has_book=tills.is_open,
        tills=tills.opened,
        counted=tills.counted,
        closed=tills.closed,
        is_cashed_up=tills.is_cashed_up,
        is_without_till=running.is_without_till,
        came_into_tills=any(place.startswith(TILL) for place in places),
    )


def _prizes(sheet: EveningSheet) -> Prizes:
    are_open = sheet.due_position > sheet.settled_position and not sheet.is_rehearsal
    return Prizes(are_open=are_open, problem=sheet.why_not_settled)


def _ties(running: RunningTournament, tables: Sequence[DashboardTable]) -> int:
    """The number of ties to break before the cut; 0 until every table of the stage is over."""
    state = running.state
    stage = state.current
    if state.plan is None or stage is None or not stage.cuts:
        return 0
    if len(state.rounds_of(state.stage)) < stage.rounds or not all(table.summary.is_over for table in tables):
        return 0
    return len(cut_proposal(running.tournament, state).tasks)
