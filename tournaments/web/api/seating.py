"""Seating a round, moving players during it, and changing seats: what a director does between the tables.

Rules: docs/reference/api.md, "A tournament from plan to prizes"; docs/how-to/seating.md. The same commands as the pages
call. A draft has a version of its own.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from scoring.messages import Message
from scoring.problems import EventNotAllowed, Problem, StaleTable, refuse_if
from tournaments.boards import tables_of
from tournaments.draw import Apart, FixedTable, SeatedRound, SeatingRejected, Sizes, round_of
from tournaments.draw.balance import Proposal
from tournaments.draw.search import seed_as_read, seed_from
from tournaments.entries.commands.seats import LateSeat, SeatDone, get_up, seat_late, undo_seats
from tournaments.log.context import CommandContext
from tournaments.models import Tournament
from tournaments.people.permissions import Permission
from tournaments.people.players import named
from tournaments.running.commands.record import tournament_state
from tournaments.seating import questions_about, round_now, seats_now
from tournaments.seating.commands.draft import (
    Confirmed,
    Wanted,
    change_draft,
    discard_draft,
    make_draft,
    publish_draft,
)
from tournaments.seating.commands.seat import move_players, swap_seats, undo_move, withdraw_seating
from tournaments.seating.drafts import Draft, KeptConstraints, fitted, placed
from tournaments.seating.queries.balance import MovingRoom, move_digest, moving_room, planned_move
from tournaments.seating.queries.draft import Room, room_of, standing_order
from tournaments.web.api import running_shapes as shapes
from tournaments.web.api.answers import shaped
from tournaments.web.api.bodies import BodyRejected, read_body
from tournaments.web.api.clubs import created
from tournaments.web.api.desks import DeskView, asked_as, kept_reason
from tournaments.web.api.problems import parts_of
from tournaments.web.api.running import resends
from tournaments.web.api.schema import EXAMPLE_PLAYERS, KEY, describes
from tournaments.web.api.table_shapes import TableRow
from tournaments.web.api.tournament_shapes import PersonAnswer, ProblemPart

SEED_BYTES = 8


class DraftOf(DeskView):
    """The seating of the next round before it is published."""

    permissions = {"GET": Permission.DIRECT, "POST": Permission.DIRECT}
    what = "The draft"

    @describes("read_draft", shapes.DraftAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """The draft with its errors and warnings, and the restrictions that hold."""
        return Response(_draft(room_of(self.home(tournament_id))))

    @describes("make_draft", shapes.DraftAnswer, body=shapes.DraftBody, parameters=[KEY], example={"rounds": 1})
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Seats the next round as a draft, also over an earlier one. A draw is repeated from its code."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.DraftBody, request.data)
        context, room = asked_as(self, request), room_of(tournament)
        constraints = room.constraints
        if body.restrictions is not None:
            constraints = _constraints(body.restrictions, room)
        stage = room.state.current
        planned = "draw" if stage is None or stage.seating == "prepared" else stage.seating
        method = body.method or planned
        seed = ""
        if body.tables is None and method == "draw":
            seed = seed_as_read(body.seed) if body.seed else seed_from(secrets.token_bytes(SEED_BYTES))
        wanted = Wanted(
            method=method,
            constraints=constraints,
            seed=seed,
            rounds=max(1, min(body.rounds, room.rounds_left)) if method == "draw" else 1,
            standing=standing_order(room) if method != "draw" else (),
            prepared=_prepared(body, room) if body.tables is not None else None,
        )
        row = make_draft(tournament, wanted, context=context, expected=body.expected_version)
        return created(_draft(room_of(tournament)), is_replay=row.changed_at != context.now)


class DraftChange(DeskView):
    """A change of the draft by hand."""

    permissions = {"POST": Permission.DIRECT}
    what = "The draft"

    @describes(
        "change_draft",
        shapes.DraftAnswer,
        body=shapes.DraftChangeBody,
        parameters=[KEY],
        example={"expected_version": 1, "act": "undo"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Changes one thing of the draft, or undoes a change."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.DraftChangeBody, request.data)
        context, room = asked_as(self, request), room_of(tournament)
        before = room.row.version if room.row is not None else 0
        row = change_draft(
            tournament.pk, room.round, _changed(body, room), context=context, expected=body.expected_version
        )
        return created(_draft(room_of(tournament)), is_replay=row.version == before != body.expected_version)


class DraftDiscard(DeskView):
    """A draft that is not wanted."""

    permissions = {"POST": Permission.DIRECT}
    what = "The draft"

    @describes(
        "discard_draft", shapes.DraftAnswer, body=shapes.DiscardBody, parameters=[KEY], example={"expected_version": 0}
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Deletes the draft of the next round, and those drawn with it."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.DiscardBody, request.data)
        number, context = room_of(tournament).round, self.command_context()
        was_there = discard_draft(tournament.pk, number, context=context, expected=body.expected_version)
        return created(_draft(room_of(tournament)), is_replay=not was_there)


class DraftPublish(DeskView):
    """The draft as the seating of the round."""

    permissions = {"POST": Permission.DIRECT}
    what = "The draft"

    @describes(
        "publish_draft",
        shapes.PublishedAnswer,
        body=shapes.PublishBody,
        parameters=[KEY],
        example={"expected_version": 1},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Publishes the draft: opens its tables, all or none. Refused with the questions, unless `seats_absent`."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.PublishBody, request.data)
        context, before = asked_as(self, request), tournament_state(tournament)
        number = _published_by(tournament, context) or before.next_round
        confirmed = Confirmed(seats_absent=body.seats_absent, reason=kept_reason(body.reason))
        opened = publish_draft(tournament.pk, number, confirmed, context=context, expected=body.expected_version)
        seated = opened.state.round_of(number)
        players = [player for table in seated.tables for player in table.players] if seated is not None else []
        questions = [] if opened.is_replay else named(tournament.club_id, questions_about(tournament, before, players))
        rows = [shaped(TableRow, row) for row in tables_of(tournament.pk) if row.round == number]
        answer = shapes.PublishedAnswer(
            tournament=tournament.pk,
            version=opened.state.version,
            round=number,
            tables=rows,
            warnings=parts_of(questions),
        )
        return created(answer, is_replay=opened.is_replay)


def _published_by(tournament: Tournament, context: CommandContext) -> int | None:
    """The round that this very request has published before."""
    if not resends(tournament, context):
        return None
    last = tournament_state(tournament).last_round
    return last.round if last is not None else None


class SeatingUndo(DeskView):
    """A seating, undone."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "undo_seating",
        shapes.SeatingUndone,
        body=shapes.RoundBody,
        parameters=[KEY],
        example={"round": 1, "reason": "somebody was forgotten"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Undoes the seating of the last round until a deal is played in it; its draft is kept."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.RoundBody, request.data)
        context = self.context_of(body)
        is_replay = resends(tournament, context)
        state = withdraw_seating(tournament.pk, body.round, reason=kept_reason(body.reason), context=context)
        return created(shapes.SeatingUndone(tournament=tournament.pk, version=state.version), is_replay=is_replay)


def _draft(room: Room) -> shapes.DraftAnswer:
    restrictions = _restrictions(room.constraints)
    if room.row is None or room.draft is None:
        return shapes.DraftAnswer(tournament=room.tournament.pk, round=room.round, version=0, restrictions=restrictions)
    plan, names, findings = room.draft.now.round, room.names, room.findings
    return shapes.DraftAnswer(
        tournament=room.tournament.pk,
        round=room.round,
        version=room.row.version,
        method=room.draft.now.method,
        seed=room.draft.now.seed,
        tables=[shapes.DraftTable(number=table.number, seats=_people(table.seats, names)) for table in plan.tables],
        sits_out=_people(plan.sits_out, names),
        errors=_named_parts(findings.blocking, names),
        broken=_named_parts(findings.broken, names),
        warnings=_named_parts(findings.warnings, names),
        questions=room.questions,
        restrictions=restrictions,
        later_rounds=[number for number in room.rows if number > room.round],
        may_undo=room.draft.may_undo,
        may_redo=room.draft.may_redo,
    )


def _named_parts(problems: Iterable[Problem], names: Mapping[str, str]) -> list[ProblemPart]:
    return parts_of([problem.named(names) for problem in problems])


def _people(players: Iterable[str], names: Mapping[str, str]) -> list[PersonAnswer]:
    return [PersonAnswer(player=player, name=names.get(player, "")) for player in players]


def _restrictions(constraints: KeptConstraints) -> shapes.RestrictionsBody:
    return shapes.RestrictionsBody(
        sizes=shaped(shapes.SizesBody, constraints.sizes, allowed=list(constraints.sizes.allowed)),
        apart=[shapes.ApartBody(one=UUID(pair.one), other=UUID(pair.other)) for pair in constraints.apart],
        fixed=[shapes.FixedBody(player=UUID(fixed.player), table=fixed.table) for fixed in constraints.fixed],
        groups=dict(constraints.groups),
        groups_apart=constraints.groups_apart,
    )


def _constraints(body: shapes.RestrictionsBody, room: Room) -> KeptConstraints:
    """The restrictions as they were sent. Raises BodyRejected for players who are not to be seated."""
    people = {
        **{f"apart[{at}].one": str(pair.one) for at, pair in enumerate(body.apart)},
        **{f"apart[{at}].other": str(pair.other) for at, pair in enumerate(body.apart)},
        **{f"fixed[{at}].player": str(fixed.player) for at, fixed in enumerate(body.fixed)},
        **{f"groups.{player}"[:100]: player for player in body.groups},
    }
    problems = _strangers({f"restrictions.{field}": player for field, player in people.items()}, room)
    problems += [
        Problem("same_player", Message("a pair is two players"), field=f"restrictions.apart[{at}]")
        for at, pair in enumerate(body.apart)
        if pair.one == pair.other
    ]
    refuse_if(problems, BodyRejected)
    sizes = body.sizes
    return KeptConstraints(
        sizes=Sizes(
            allowed=tuple(sorted(set(sizes.allowed))),
            preferred=sizes.preferred,
            most_tables=sizes.most_tables,
            may_sit_out=sizes.may_sit_out,
        ),
        apart=tuple(Apart(one=str(pair.one), other=str(pair.other)) for pair in body.apart),
        fixed=tuple(FixedTable(player=str(fixed.player), table=fixed.table) for fixed in body.fixed),
        groups=dict(body.groups),
        groups_apart=body.groups_apart,
    )


def _prepared(body: shapes.DraftBody, room: Room) -> SeatedRound:
    """The seating that was sent. Raises BodyRejected for players who are not to be seated, and tables listed twice."""
    tables = body.tables or []
    people = {
        f"tables[{at}].players[{seat}]": str(player)
        for at, table in enumerate(tables)
        for seat, player in enumerate(table.players)
    }
    people |= {f"sits_out[{at}]": str(player) for at, player in enumerate(body.sits_out)}
    problems = _strangers(people, room)
    numbers = [table.number for table in tables]
    problems += [
        Problem("table_twice", Message(f"table {number} is listed twice"), field=f"tables[{at}].number")
        for at, number in enumerate(numbers)
        if number in numbers[:at]
    ]
    refuse_if(problems, BodyRejected)
    seats = {table.number: [str(player) for player in table.players] for table in tables}
    return round_of(seats, sits_out=[str(player) for player in body.sits_out])


def _strangers(people: Mapping[str, str], room: Room) -> list[Problem]:
    detail = Message("this player is not among those to be seated")
    return [
        Problem("unknown_player", detail, seat=player, field=field)
        for field, player in people.items()
        if player not in room.field
    ]


def _changed(body: shapes.DraftChangeBody, room: Room) -> Callable[[Draft], Draft]:
    """The change that was asked for; one without its player or table is refused when it is made."""
    targets = {"sit_out": "out", "swap": f"player:{body.other}", "move": f"table:{body.table}"}

    def by_hand(draft: Draft) -> Draft:
        player, to = str(body.player), targets[body.act]
        return draft.changed(lambda plan: placed(plan, room.field, player, to))

    def fit(draft: Draft) -> Draft:
        return draft.changed(lambda plan: fitted(plan, room.field, draft.wishes.sizes))

    changes: dict[str, Callable[[Draft], Draft]] = {"undo": Draft.undone, "redo": Draft.redone, "fit": fit}
    return changes.get(body.act, by_hand)


# Players who move while a round is played.


class Moves(DeskView):
    """The tables in play, evened out."""

    permissions = {"GET": Permission.DIRECT, "POST": Permission.DIRECT}

    @describes("read_moves", shapes.MovesAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """The tables in play with who is still in, and ways to even them out."""
        return Response(_moves(self.home(tournament_id)))

    @describes(
        "move_players",
        shapes.PublishedAnswer,
        body=shapes.MoveBody,
        parameters=[KEY],
        example={"expected_version": 1, "player": EXAMPLE_PLAYERS[0], "table": 2},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Breaks up tables, and opens others with the same players and scores."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.MoveBody, request.data)
        context = self.context_of(body)
        if resends(tournament, context):
            return created(_moved(tournament), is_replay=True)
        room = moving_room(tournament)
        if room is None:
            raise EventNotAllowed([Problem("wrong_round", Message("no round is seated: nobody can move"))])
        if body.expected_version != room.state.version:
            raise StaleTable(expected=body.expected_version, current=room.state.version)
        planned = planned_move(room, _proposal(room, body))
        move_players(tournament.pk, planned.event, context=context, titles=planned.titles)
        return created(_moved(tournament), is_replay=False)


def _moved(tournament: Tournament) -> shapes.PublishedAnswer:
    state = tournament_state(tournament)
    number = round_now(state)
    rows = [shaped(TableRow, row) for row in tables_of(tournament.pk) if row.round == number]
    return shapes.PublishedAnswer(tournament=tournament.pk, version=state.version, round=number, tables=rows)


def _proposal(room: MovingRoom, body: shapes.MoveBody) -> Proposal:
    """The move that was asked for, made again from the current state. Raises BodyRejected, SeatingRejected."""
    if body.break_up is not None:
        return room.breaking_up(body.break_up)
    if body.player is not None and body.table is not None:
        return room.moving(str(body.player), body.table)
    chosen = [one for one in room.proposals if move_digest(planned_move(room, one)) == body.proposal]
    if not chosen:
        detail = Message("give a proposal of read_moves, a table to break up, or a player and a table")
        raise BodyRejected([Problem("not_a_choice", detail, field="proposal")])
    return chosen[0]


class MoveUndo(DeskView):
    """The last move, undone."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "undo_move",
        shapes.PublishedAnswer,
        body=shapes.MoveUndoBody,
        parameters=[KEY],
        example={"move": 2, "reason": "they stay"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Undoes the last move: the tables that were broken up continue."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.MoveUndoBody, request.data)
        context = self.context_of(body)
        is_replay = resends(tournament, context)
        undo_move(tournament.pk, body.move, reason=kept_reason(body.reason), context=context)
        return created(_moved(tournament), is_replay=is_replay)


def _moves(tournament: Tournament) -> shapes.MovesAnswer:
    room = moving_room(tournament)
    if room is None:
        version = tournament_state(tournament).version
        return shapes.MovesAnswer(
            tournament=tournament.pk, version=version, round=0, tables=[], proposals=[], problems=[], last_move=None
        )
    problems: Sequence[Problem] = ()
    proposals: Sequence[Proposal] = ()
    try:
        proposals = room.proposals
    except SeatingRejected as refused:
        problems = refused.problems
    closable = {number: move_digest(planned_move(room, room.breaking_up(number))) for number in room.closable()}
    return shapes.MovesAnswer(
        tournament=tournament.pk,
        version=room.state.version,
        round=room.seated.round,
        tables=[
            shapes.RunningTableAnswer(
                number=table.number,
                table=table.sheet.table_id,
                seats=_people(table.running.seats, room.names),
                next_dealer=table.running.next_dealer,
                is_short=table.is_short,
                break_up=closable.get(table.number),
            )
            for table in room.tables
        ],
        proposals=[
            shapes.MoveProposal(
                id=move_digest(planned_move(room, proposal)),
                closes=list(proposal.closes),
                moves=[
                    shaped(shapes.MoveStep, step, name=room.names.get(step.player, ""), after=step.after or "")
                    for step in proposal.moves
                ],
            )
            for proposal in proposals
        ],
        problems=_named_parts(problems, room.names),
        last_move=room.state.moves[-1].version if room.may_undo else None,
    )


# Seats of the round: a late player, one who leaves, two who swap.


class LateSeatOf(DeskView):
    """A late player at a table of the round."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "seat_late_player", shapes.SeatsAnswer, body=shapes.LateSeatBody, parameters=[KEY], example={"name": "Bo"}
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Enters a player, takes the payment, and gives them a seat at a table without a deal."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.LateSeatBody, request.data)
        late = LateSeat(
            name=body.name,
            table=body.table,
            is_paid=body.is_paid,
            adds_new=body.adds_new,
            asks=body.ask_first,
            extends=body.extends,
        )
        done = seat_late(tournament.pk, late, context=self.context_of(body))
        return created(_seats(tournament, done), is_replay=done.is_replay)


class Leave(DeskView):
    """A player who leaves the table."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "leave_table",
        shapes.SeatsAnswer,
        body=shapes.LeaveBody,
        parameters=[KEY],
        example={"player": EXAMPLE_PLAYERS[0], "why": "left"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Takes a player from the table: a no-show, one who goes home, or one who sits out."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.LeaveBody, request.data)
        done = get_up(
            tournament.pk,
            str(body.player),
            body.why,
            context=self.context_of(body),
            drops_recorded=body.drops_recorded,
        )
        return created(_seats(tournament, done), is_replay=done.is_replay)


class Swap(DeskView):
    """Two players in each other's seats."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "swap_seats",
        shapes.SeatsAnswer,
        body=shapes.SwapBody,
        parameters=[KEY],
        example={"one": EXAMPLE_PLAYERS[0], "other": EXAMPLE_PLAYERS[1]},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Swaps the seats of two players at tables without a deal."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.SwapBody, request.data)
        context, seen = self.context_of(body), tournament_state(tournament).version
        state = swap_seats(
            tournament.pk, str(body.one), str(body.other), reason=kept_reason(body.reason), context=context
        )
        return created(_seats(tournament, SeatDone()), is_replay=state.version == seen)


class SeatsUndo(DeskView):
    """A change of seats, undone."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "undo_seat_change", shapes.SeatsAnswer, body=shapes.UndoSeatsBody, parameters=[KEY], example={"key": "once"}
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Undoes a late seat, a leaving, a swap or a substitution with its payments, by the key of its request."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.UndoSeatsBody, request.data)
        done = undo_seats(tournament.pk, body.key, context=self.context_of(body))
        return created(_seats(tournament, done), is_replay=done.is_replay)


def _seats(tournament: Tournament, done: SeatDone) -> shapes.SeatsAnswer:
    state, names = tournament_state(tournament), room_of(tournament).names
    return shapes.SeatsAnswer(
        tournament=tournament.pk,
        version=state.version,
        round=round_now(state),
        tables=[
            shapes.DraftTable(number=number, seats=_people(players, names))
            for number, players in seats_now(state).items()
        ],
        player=done.player,
        table=done.table,
    )
