"""Data for seating a round: players, restrictions, the current draft and its problems.

Rules: docs/how-to/seating.md. A handful of queries, however many tables there are.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from uuid import UUID

from scoring.messages import Message, Seat, say
from scoring.problems import Problem
from scoring.tournament import TournamentState, load_tournament_state
from scoring.tournament.checks.rounds import to_ask_about
from scoring.tournament.state.terms import Terms
from tournaments.draw import SeatingConstraints
from tournaments.draw.checking import Findings, check
from tournaments.models import EveningSheet, Scoresheet, SeatingDraft, Tournament
from tournaments.models.people import name_key, search_key
from tournaments.models.public_names import telling_name
from tournaments.people.known_names import doubts_about
from tournaments.projections.boards import seats_played
from tournaments.projections.terms import stage_terms
from tournaments.running.queries.stages import stage_standings
from tournaments.running.remembered_names import names_of_players
from tournaments.seating.drafts import Draft, KeptConstraints, history_of, load_draft, stage_constraints
from tournaments.tables.carried import LOST, playing_now, recorded_before_undoing, without_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLine:
    """A player of a published round, as on the printed list."""

    name: str
    table: str | Message
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WallTable:
    """A table of a published round with its players in seat order."""

    title: str | Message
    sheet: Scoresheet
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WallList:
    """A published round by table and from A to Z."""

    number: int
    method: str
    seed: str
    tables: tuple[WallTable, ...]
    sits_out: tuple[str, ...]
    is_last: bool

    @property
    def by_name(self) -> list[SeatLine]:
        """All seated players, by name."""
        lines = [
            SeatLine(name=name, table=table.title, seat=place)
            for table in self.tables
            for place, name in enumerate(table.names, start=1)
        ]
        return sorted(lines, key=lambda line: search_key(line.name))

    @property
    def deals(self) -> int:
        """Deals played at its tables; with none the seating may still be withdrawn."""
        return sum(table.sheet.deals for table in self.tables)

    @property
    def has_begun(self) -> bool:
        """Whether one of its tables has a deal or totals."""
        return any(table.sheet.has_begun for table in self.tables)


@dataclass(frozen=True, kw_only=True)
class Room:
    """A tournament while a round is seated: the tournament, the names of all who entered, and the stored drafts."""

    tournament: Tournament
    state: TournamentState
    names: Mapping[str, str]
    rows: Mapping[int, SeatingDraft]

    @property
    def round(self) -> int:
        """The round to be seated next."""
        return self.state.next_round

    @cached_property
    def field(self) -> dict[str, str]:
        """The players to be seated, by name; after a cut in the order of the seeds."""
        return {key: self.names[key] for key in self.state.field() if key in self.names}

    @property
    def rounds_left(self) -> int:
        """How many rounds of this stage are not seated yet; without a plan there is always another."""
        stage, played = self.state.current, len(self.state.rounds_of(self.state.stage))
        if stage is None:
            return 1 if self.state.plan is None else 0
        return max(0, stage.rounds - played)

    @property
    def terms(self) -> Terms:
        """The terms of the next round."""
        return stage_terms(self.tournament, self.state, self.state.stage)

    @property
    def row(self) -> SeatingDraft | None:
        """The stored draft of the next round."""
        return self.rows.get(self.round)

    @cached_property
    def draft(self) -> Draft | None:
        return load_draft(self.row.plan) if self.row is not None else None

    @cached_property
    def constraints(self) -> KeptConstraints:
        """The restrictions of this draft; else of the last one, with the table sizes of the stage; else the plan's."""
        if self.draft is not None:
            return self.draft.wishes
        fresh = stage_constraints(self.state.current, self.terms.rules.seats_allowed)
        earlier = [number for number in self.rows if number < self.round]
        if not earlier:
            return fresh
        earlier_constraints = load_draft(self.rows[max(earlier)].plan).wishes
        before = self.state.round_of(max(earlier))
        if before is not None and before.stage == self.state.stage:
            return earlier_constraints
        return replace(
            earlier_constraints, sizes=fresh.sizes, groups_apart=earlier_constraints.groups_apart or fresh.groups_apart
        )

    @property
    def seating_constraints(self) -> SeatingConstraints:
        """The restrictions with the names of the field."""
        return self.constraints.among(self.field)

    @cached_property
    def findings(self) -> Findings:
        """Errors and warnings about the current draft."""
        if self.draft is None:
            return Findings()
        round_findings = check(self.draft.now.round, self.seating_constraints, history_of(self.state))
        return replace(
            round_findings, warnings=(*round_findings.warnings, *self._left_behind(self.draft.now.round.sits_out))
        )

    def _left_behind(self, sits_out: Iterable[str]) -> Iterator[Problem]:
        """Warn about players who sit out a whole stage: without a table they cannot qualify by their result."""
        stage, state = self.state.current, self.state
        if stage is None or not stage.cuts or self.rounds_left > 1:
            return
        adds_up = self.terms.rules.adds_up
        is_ranked = stage.compares == "rank_points" or (stage.compares == "score" and adds_up)
        if is_ranked and (stage.advancing or stage.at_least is not None):
            return
        is_wild = is_ranked and bool(stage.wild_cards)
        seated = {player for round_ in state.rounds_of(state.stage) for t in round_.tables for player in t.players}
        for player in sits_out:
            if player in state.entrants and seated.isdisjoint(state.before(player)):
                detail = (
                    say(
                        "{seat} would have no table in stage {number}, and qualifies only as an extra qualifier",
                        seat=Seat(player),
                        number=state.stage,
                    )
                    if is_wild
                    else say(
                        "{seat} would have no table in stage {number}, and could not qualify",
                        seat=Seat(player),
                        number=state.stage,
                    )
                )
                yield Problem(code="sits_stage_out", seat=player, field="sits_out", detail=detail)

    @property
    def absent(self) -> list[str]:
        """Names of those to be seated who have not checked in, if check-in is used."""
        entrants = self.state.entrants
        if not self.state.checks_in:
            return []
        return sorted((name for key, name in self.field.items() if not entrants[key].is_checked_in), key=search_key)

    @cached_property
    def questions(self) -> dict[str, list[str]]:
        """Names of players to ask about before seating them, by reason, in two queries."""
        if self.draft is None:
            return {}
        seated = self.draft.now.round.table_of
        doubts = doubts_about(self.tournament.club_id, seated)
        problems = to_ask_about(
            self.state,
            tuple(seated),
            entry_minor=self.tournament.entry_minor,
            suspended=doubts.suspended,
            alike=doubts.alike,
        )
        names_by_code: dict[str, list[str]] = {}
        for problem in problems:
            names_by_code.setdefault(problem.code, []).append(self.names.get(problem.seat or "", ""))
        for lost in without_seat(self.state, recorded_before_undoing(self.tournament, self.round), seated):
            names_by_code.setdefault(LOST, []).append(self.names.get(playing_now(self.state, lost.player), ""))
        return {code: sorted(set(names), key=search_key) for code, names in names_by_code.items()}


def room_of(tournament: Tournament) -> Room:
    """Return the tournament as it is to be seated now, in three queries."""
    state = _row_of_draft(tournament)
    rows = {row.round: row for row in SeatingDraft.objects.filter(tournament=tournament)}
    return Room(tournament=tournament, state=state, names=entrant_names(tournament, state), rows=rows)


def standing_order(room: Room) -> tuple[str, ...]:
    """Return the field by standing: of the stage, before its first round as seeded; before any round by name."""
    state = room.state
    if not state.rounds:
        return tuple(sorted(room.field, key=lambda key: (search_key(room.field[key]), key)))
    if not state.rounds_of(state.stage):
        return tuple(room.field)
    played = seats_played(room.tournament, state)
    ordered = [row.player for row in stage_standings(room.tournament, state, state.stage, played)]
    standing = [state.playing_for(key) if key in state.entrants else key for key in ordered]
    standing_keys = [key for key in dict.fromkeys(standing) if key in room.field]
    return (*standing_keys, *(key for key in room.field if key not in set(standing_keys)))


def open_tables_of(room: Room) -> int:
    """How many tables of the last round are still playing."""
    last = room.state.last_round
    if last is None:
        return 0
    sheets = Scoresheet.objects.filter(table__tournament=room.tournament, table__round=last.round)
    return sheets.filter(is_finished=False, is_closed=False, is_cancelled=False, has_moved_on=False).count()


def wall_list(tournament: Tournament, state: TournamentState, number: int) -> WallList | None:
    """Return a published round with its running tables, in two queries; None where it was not published."""
    seated = state.round_of(number)
    if seated is None:
        return None
    sheets = {sheet.table.number: sheet for sheet in _sheets(tournament, number)}
    listed = {player for table in seated.running for player in table.players} | set(seated.sitting_out)
    names = _labels(tournament, listed)
    return WallList(
        number=number,
        method=seated.method,
        seed=seated.seed,
        tables=tuple(
            WallTable(
                title=sheets[table.number].table.called,
                sheet=sheets[table.number],
                names=tuple(names.get(player, player) for player in table.players),
            )
            for table in seated.running
            if table.number in sheets
        ),
        sits_out=tuple(sorted((names.get(player, player) for player in seated.sitting_out), key=search_key)),
        is_last=seated is state.last_round,
    )


def _row_of_draft(tournament: Tournament) -> TournamentState:
    """Return the stored tournament; an empty one where no player has ever entered."""
    state = EveningSheet.objects.filter(tournament=tournament).values_list("state", flat=True).first()
    return load_tournament_state(state) if state is not None else TournamentState()


def entrant_names(tournament: Tournament, state: TournamentState) -> dict[str, str]:
    """Return the names of all entrants; where two share one, some letters of the id follow."""
    return _labels(tournament, set(state.entrants))


def _labels(tournament: Tournament, players: set[str]) -> dict[str, str]:
    remembered_names = names_of_players(tournament.club, players)
    times = Counter(name_key(remembered_name.name) for remembered_name in remembered_names.values())
    return {
        player: telling_name(remembered_name.name, UUID(player))
        if times[name_key(remembered_name.name)] > 1
        else remembered_name.name
        for player, remembered_name in sorted(remembered_names.items(), key=lambda each: (each[1].key, each[0]))
    }


def _sheets(tournament: Tournament, number: int) -> list[Scoresheet]:
    sheets = Scoresheet.objects.filter(table__tournament=tournament, table__round=number)
    return list(sheets.select_related("table").defer("state").order_by("table__number"))
