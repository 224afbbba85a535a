"""What a director does with a tournament while it runs, from its plan to its prizes.

Rules: docs/reference/api.md, "A tournament from plan to prizes". The same commands as the pages call.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.events import reading, wire
from scoring.events.wire import Event
from scoring.messages import Message, english
from scoring.money.reasons import Reason, reasons
from scoring.problems import OptionsRejected, Problem, refuse_if
from scoring.rules.table.formats import RawPlan
from scoring.tournament import Plan, TournamentState, read_plan
from scoring.tournament.checks.playable import playable_problems
from scoring.tournament.plans.formats import format_for
from scoring.tournament.plans.prizes import PlanPrizes
from scoring.tournament.standings import CutProposal
from scoring.tournament.state.played import score_text
from tournaments import log
from tournaments.books.commands import settle_table
from tournaments.entries.closing import open_at_closing
from tournaments.entries.commands.given_events import GivenEvent, record_given_event
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.set_up import SetUp, WholeDraft, repeat_tournament, set_up
from tournaments.feasibility import FEWEST, MOST, SimulatedPlan
from tournaments.feasibility.report import MOST_AT_ONCE, at_numbers, fixes, report, work_of
from tournaments.log.context import CommandContext
from tournaments.models import Club, Player, Screen, ScreenProgramme, Tournament
from tournaments.models.bounds import MOST_COUNT
from tournaments.models.public_names import Names
from tournaments.people.permissions import EVENT_PERMISSIONS, Permission, may
from tournaments.people.players import as_in_books, named
from tournaments.projections.terms import terms_of
from tournaments.running.commands.close import (
    cancel_tournament,
    close_tournament,
    closing_problems,
    delete_tournament,
    reopen_tournament,
    restore_tournament,
)
from tournaments.running.commands.create import (
    Expected,
    TournamentDraft,
    change_tournament,
    fee_terms_of,
    in_currency_of,
    make_plan,
    plan_of_format,
    whole_plan,
)
from tournaments.running.commands.cut import (
    cut_problems,
    make_cut,
    settle_by_extra_deal,
    settle_by_high_card,
    settle_by_lots,
    withdraw_cut,
)
from tournaments.running.commands.record import record_in_tournament, refuse_stale, tournament_state
from tournaments.running.commands.screens import hold_screen, skip_screen, steer
from tournaments.running.commands.settle import settle_tournament
from tournaments.running.prize_money import prizes_shown
from tournaments.running.queries.dashboard import owed_tables, running_tournament
from tournaments.running.queries.stages import cut_proposal
from tournaments.running.remembered_names import names_of_players
from tournaments.running.screens import Steering, screens_named, steering_of
from tournaments.running.ties import open_ties
from tournaments.seating import questions_about, questions_of_joining
from tournaments.web.api import running_shapes as shapes
from tournaments.web.api.answers import event_answer, event_as_read, shaped, tournament_answer
from tournaments.web.api.bodies import BodyRejected, read_body
from tournaments.web.api.clubs import FIRST_PRESET, clock_answer, created, find_club
from tournaments.web.api.desks import DeskView, asked_as, kept_reason
from tournaments.web.api.doors import ApiView, limit_of, tag_of, unless_known, whole_number
from tournaments.web.api.problems import parts_of
from tournaments.web.api.schema import AFTER, EXAMPLE_PLAYERS, KEY, PAGING, describes
from tournaments.web.api.table_shapes import TournamentBody
from tournaments.web.api.tournament_shapes import PersonAnswer, RecordedEvent

MOST_SETTLED = 500
STAKES = (
    *("currency", "entry_minor", "fee_bp", "fee_floor_minor", "fee_cap_minor"),
    *("levy_bp", "levy_name", "levy_on", "point_value_minor"),
)
MOST_EVENTS = 500
# The server's time is that of these.
TIMED = {wire.ClockStarted.kind, wire.ClockPaused.kind, wire.LastDealCalled.kind}
BRINGS_IN = (wire.PlayerEntered, wire.PlayerReturned, wire.PlayerReentered, wire.CheckedIn)


class TournamentEvents(DeskView):
    """What happened in a tournament outside its tables."""

    permissions = {"GET": Permission.SEE, "POST": Permission.SEE}

    @describes("list_tournament_events", shapes.TournamentEventsAnswer, parameters=[AFTER, PAGING[0]], has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """The events of the tournament after a version, in order. Those of its tables: `read_events`."""
        tournament = self.home(tournament_id)
        after = whole_number(request, "after", default=0, most=MOST_COUNT)
        limit = limit_of(request, most=MOST_EVENTS)
        shows_money = any(
            may(self.actor, permission, tournament.club) for permission in (Permission.SEE_MONEY, Permission.TAKE_ENTRY)
        )
        readable = frozenset(permission for permission in Permission if may(self.actor, permission, tournament.club))
        version = tournament_state(tournament).version
        return unless_known(
            request,
            tag_of(version, "events", tournament.pk, after, limit, shows_money, sorted(readable)),
            lambda: _events(tournament, after, limit, readable, shows_money=shows_money),
            is_shared=False,
        )

    @describes(
        "record_tournament_event",
        RecordedEvent,
        body=shapes.TournamentEventBody,
        parameters=[KEY],
        example={"expected_version": 6, "event": {"kind": "player_entered", "player": EXAMPLE_PLAYERS[4]}},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Stores an event with all that follows from it, or refuses it with every problem.

        A round that is seated opens its tables, a cut must be that of the results, and a plan is tried. The moments of
        a clock are the server's.
        """
        tournament = self.home(tournament_id)
        body = read_body(shapes.TournamentEventBody, request.data)
        kind = body.event.get("kind")
        self.need(tournament.club, permission=EVENT_PERMISSIONS.get(str(kind), Permission.DIRECT))
        event = _read_event(body.event)
        given = GivenEvent(event=event, actor=self.actor, anyway=body.anyway, plan_for=body.players)
        state = tournament_state(tournament)
        recorded = record_given_event(tournament, given, context=self.context_of(body))
        questions = _questions(tournament, state, event)
        answer = shaped(
            RecordedEvent,
            event_answer(recorded.stored, is_member=True),
            warnings=parts_of(named(tournament.club_id, questions)),
        )
        return created(answer, is_replay=recorded.is_replay)


def _read_event(raw: Mapping[str, Any]) -> Event:
    """An event as it was sent. Raises EventRejected, BodyRejected with every problem."""
    if raw.get("kind") not in TIMED:
        return reading.read_tournament_event(raw)
    if "at" in raw:
        detail = Message("leave out at: the server's time counts")
        raise BodyRejected([Problem("unknown_field", detail, field="at")])
    return reading.read_tournament_event({**raw, "at": 0})


def _questions(tournament: Tournament, state: TournamentState, event: Event) -> list[Problem]:
    """What a page would have asked before it seated or took in these players."""
    if isinstance(event, wire.RoundSeated):
        return questions_about(tournament, state, [player for _, players in event.tables for player in players])
    player = event.by if isinstance(event, wire.PlayerSubstituted) else getattr(event, "player", "")
    if player and isinstance(event, (*BRINGS_IN, wire.PlayerSubstituted)):
        return questions_of_joining(tournament, state, player)
    return []


def _events(
    tournament: Tournament, after: int, limit: int, readable: Collection[Permission], *, shows_money: bool
) -> shapes.TournamentEventsAnswer:
    stored_events = log.read(tournament.club_id, tournament.pk, after)
    answers = [event_as_read(event, readable, shows_money=shows_money) for event in stored_events[:limit]]
    return shapes.TournamentEventsAnswer(
        tournament=tournament.pk,
        version=stored_events[-1].version if stored_events else tournament_state(tournament).version,
        events=answers,
        next_after=answers[-1].version if len(stored_events) > limit else None,
    )


def resends(tournament: Tournament, context: CommandContext) -> bool:
    """Whether this request was stored before. Raises KeyReused."""
    return log.first_answer(tournament.club_id, context.key, context.asked) is not None


# The plan, before it is stored and after.


class PlanOf(DeskView):
    """How a tournament is run."""

    permissions = {"GET": Permission.SEE, "POST": Permission.DIRECT}

    @describes("read_plan", shapes.PlanAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """The stored plan, with every value written out."""
        return Response(_plan_answer(self.home(tournament_id)))

    @describes("set_plan", shapes.PlanAnswer, body=shapes.PlanBody, parameters=[KEY], example={"plan": {}})
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Stores a plan, or refuses it with everything that stops it. `check_plan` also says how to mend it."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.PlanBody, request.data)
        recorded = make_plan(
            tournament.pk,
            body.plan,
            reason=body.reason,
            context=self.context_of(body),
            expected=Expected(players=body.players),
        )
        return created(_plan_answer(tournament), is_replay=recorded.is_replay)


def _plan_answer(tournament: Tournament) -> shapes.PlanAnswer:
    state = tournament_state(tournament)
    plan = whole_plan(state.plan) if state.plan is not None else None
    return shapes.PlanAnswer(tournament=tournament.pk, version=state.version, plan=plan, is_started=state.is_started)


class PlanCheck(DeskView):
    """A plan, tried without storing it."""

    permissions = {"POST": Permission.DIRECT}

    @describes("check_plan", shapes.PlanCheckAnswer, body=shapes.PlanCheckBody, example={"plan": {}, "players": 8})
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Plays a plan through with made-up results: what stops it, and changes that mend it. Stores nothing."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.PlanCheckBody, request.data)
        hall = SimulatedPlan(plan=Plan(), terms=terms_of(tournament))
        notes: list[str] = []
        is_tried = False
        try:
            hall.plan = read_plan(body.plan)
            problems: Sequence[Problem] = playable_problems(hall.plan, hall.terms)
        except OptionsRejected as refused:
            problems = refused.problems
        if not problems and work_of(hall.plan, body.players, body.margin) <= MOST_AT_ONCE:
            tried = report(hall, body.players, margin=body.margin)
            problems, is_tried = tried.problems, True
            notes = [english(at_numbers(note.numbers, note.message)) for note in tried.notes]
        # A plan may leave out what has a default; changes are named by the stages that it then has.
        plan = {"stages": whole_plan(Plan())["stages"], **body.plan}
        mended = fixes(plan, hall, body.players, problems, margin=body.margin) if problems else ()
        answer = shapes.PlanCheckAnswer(
            is_tried=is_tried,
            problems=parts_of(problems),
            notes=notes,
            suggestions=[[shaped(shapes.PlanChange, change) for change in fix.changes] for fix in mended],
        )
        return Response(answer)


PLAYERS = OpenApiParameter(
    "players", {"type": "integer", "minimum": FEWEST, "maximum": MOST}, description="For how many; 24 by default"
)
USUAL_PLAYERS = 24


class Formats(DeskView):
    """Usual plans."""

    permissions = {"GET": Permission.SEE}

    @describes("list_formats", shapes.FormatsAnswer, parameters=[PLAYERS])
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """The formats for a number of players that can be played with the tournament's game, each with its plan."""
        tournament = self.home(tournament_id)
        players = whole_number(request, "players", default=USUAL_PLAYERS, most=MOST)
        items = [
            shapes.FormatAnswer(
                name=plan_format.name,
                title=english(plan_format.title),
                note=english(plan_format.note),
                plan={**plan, **fee_terms_of(tournament)},
            )
            for plan_format in (format_for(players, tournament.variant) if players >= FEWEST else ())
            for plan in [plan_format.plan(players)]
            if not playable_problems(read_plan(plan), terms_of(tournament))
        ]
        return Response(shapes.FormatsAnswer(players=players, items=items))


# Who qualifies, and how ties are broken.


class CutOf(DeskView):
    """The cut of the current stage."""

    permissions = {"GET": Permission.DIRECT, "POST": Permission.DIRECT}

    @describes("read_cut", shapes.CutAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """The cut if it were made now, what stands before it, and all open ties."""
        tournament = self.home(tournament_id)
        state = tournament_state(tournament)
        stage, names = state.current, _names(tournament, state)
        cuts = stage is not None and stage.cuts and bool(state.rounds_of(state.stage))
        proposal = cut_proposal(tournament, state) if cuts else CutProposal(stage=state.stage, advancing=())
        answer = shapes.CutAnswer(
            tournament=tournament.pk,
            version=state.version,
            stage=state.stage,
            cuts=cuts,
            players=[
                shapes.QualifierAnswer(
                    player=player,
                    name=names.get(player, ""),
                    score=score_text(score),
                    reason=english(proposal.reasons[player]) if player in proposal.reasons else "",
                )
                for player, score in proposal.scores.items()
            ],
            problems=parts_of(cut_problems(tournament, state, proposal)) if cuts else [],
            ties=[
                shaped(
                    shapes.TieAnswer,
                    tie,
                    where=english(tie.where),
                    players=_people(tie.players, names),
                    methods=list(tie.methods),
                )
                for tie in open_ties(tournament, state)
            ],
        )
        return Response(answer)

    @describes(
        "make_cut", shapes.CutMadeAnswer, body=shapes.VersionBody, parameters=[KEY], example={"expected_version": 1}
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Cuts the current stage: the results alone say who qualifies."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.VersionBody, request.data)
        made = make_cut(tournament.pk, context=self.context_of(body))
        return created(_cuts(tournament), is_replay=made.is_replay)


class CutUndo(DeskView):
    """The last cut, undone."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "undo_cut",
        shapes.CutMadeAnswer,
        body=shapes.ReasonBody,
        parameters=[KEY],
        example={"reason": "a sheet was wrong"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Undoes the last cut, until the next stage is seated."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.ReasonBody, request.data)
        context = self.context_of(body)
        is_replay, cuts = resends(tournament, context), tournament_state(tournament).cuts
        if not is_replay:
            stage = cuts[-1].stage if cuts else 1
            withdraw_cut(tournament.pk, stage, reason=kept_reason(body.reason), context=context)
        return created(_cuts(tournament), is_replay=is_replay)


class Ties(DeskView):
    """Ties broken by hand."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "break_tie",
        shapes.CutMadeAnswer,
        body=shapes.TieBody,
        parameters=[KEY],
        example={"players": [EXAMPLE_PLAYERS[0], EXAMPLE_PLAYERS[1]], "method": "lots", "seed": "K7QF-2M9X"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Breaks an open tie, by a method that `read_cut` names for it."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.TieBody, request.data)
        context, players = self.context_of(body), [str(player) for player in body.players]
        match body.method:
            case "extra_deal":
                recorded = settle_by_extra_deal(tournament.pk, players, context=context)
            case "high_card":
                cards = {player: body.cards.get(player, "") for player in players}
                recorded = settle_by_high_card(tournament.pk, cards, context=context)
            case "lots":
                recorded = settle_by_lots(tournament.pk, players, seed=body.seed, context=context)
        return created(_cuts(tournament), is_replay=recorded.is_replay)


def _cuts(tournament: Tournament) -> shapes.CutMadeAnswer:
    state = tournament_state(tournament)
    return shapes.CutMadeAnswer(
        tournament=tournament.pk,
        version=state.version,
        cut_stages=len(state.cuts),
        advancing=_people(state.cuts[-1].advancing, _names(tournament, state)) if state.cuts else [],
    )


def _names(tournament: Tournament, state: TournamentState) -> dict[str, str]:
    """The real names of all who entered."""
    names = names_of_players(tournament.club, state.entrants)
    return {player: remembered.name for player, remembered in names.items()}


def _people(players: Iterable[str], names: Mapping[str, str]) -> list[PersonAnswer]:
    return [PersonAnswer(player=player, name=names.get(player, "")) for player in players]


class Clock(DeskView):
    """The clock of the last seated round."""

    permissions = {"POST": Permission.DIRECT}

    @describes("set_clock", shapes.ClockState, body=shapes.ClockBody, parameters=[KEY], example={"act": "pause"})
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """One button of the clock. What is done already changes nothing, and is marked as a repetition."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.ClockBody, request.data)
        context, last = self.context_of(body), tournament_state(tournament).last_round
        event = _clock_event(body, last.round if last is not None else 1, at=int(context.now.timestamp()))
        recorded = record_in_tournament(tournament.pk, event, context=context)
        running = running_tournament(tournament, now=context.now, names=Names.REAL)
        clock = clock_answer(running.clock) if running.clock is not None else None
        answer = shapes.ClockState(tournament=tournament.pk, version=running.state.version, clock=clock)
        return created(answer, is_replay=recorded.is_replay)


def _clock_event(body: shapes.ClockBody, number: int, *, at: int) -> Event:
    """The event of a button. Raises BodyRejected for time to add that is not given."""
    match body.act:
        case "start":
            return wire.ClockStarted(round=number, at=at, seconds=body.seconds)
        case "pause":
            return wire.ClockPaused(round=number, at=at)
        case "call_last_deal":
            return wire.LastDealCalled(round=number, at=at)
        case "undo_last_deal":
            return wire.LastCallUndone(round=number, reason=kept_reason(body.reason))
    if body.seconds is None:
        detail = Message("the field seconds is needed to add time")
        raise BodyRejected([Problem("missing_field", detail, field="seconds")])
    return wire.TimeAdded(round=number, seconds=body.seconds, table=body.table, reason=kept_reason(body.reason))


# Its end, its way back, and its copies.


class Close(DeskView):
    """The end of a tournament."""

    permissions = {"GET": Permission.DIRECT, "POST": Permission.DIRECT}

    @describes("read_closing", shapes.ClosingAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """What refuses a closing, and what a director looks at before it."""
        tournament = self.home(tournament_id)
        state = tournament_state(tournament)
        answer = shapes.ClosingAnswer(
            tournament=tournament.pk,
            version=state.version,
            problems=parts_of(closing_problems(tournament)),
            matters=parts_of(open_at_closing(tournament, state)),
        )
        return Response(answer)

    @describes(
        "close_tournament",
        shapes.TournamentStateAnswer,
        body=shapes.VersionBody,
        parameters=[KEY],
        example={"expected_version": 1},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Closes a tournament whose tables are all over: its results are final, and its prizes are settled."""
        tournament = self.home(tournament_id)
        context = self.context_of(read_body(shapes.VersionBody, request.data))
        is_replay = resends(tournament, context)
        close_tournament(tournament.pk, context=context)
        return created(_state(tournament.pk), is_replay=is_replay)


class Abandon(DeskView):
    """A planned tournament without winners."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "abandon_tournament",
        shapes.TournamentStateAnswer,
        body=shapes.ReasonBody,
        parameters=[KEY],
        example={"reason": "flooded"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Abandons a planned tournament with its open tables; what was paid goes to the players' balances."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.ReasonBody, request.data)
        context = self.context_of(body)
        is_replay = resends(tournament, context)
        cancel_tournament(tournament.pk, reason=kept_reason(body.reason), context=context)
        return created(_state(tournament.pk), is_replay=is_replay)


class Reopen(DeskView):
    """A tournament that was closed or abandoned too early."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "reopen_tournament",
        shapes.TournamentStateAnswer,
        body=shapes.ReasonBody,
        parameters=[KEY],
        example={"reason": "a sheet was wrong"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Reopens a closed or abandoned tournament; the prizes of a planned one return to its pool."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.ReasonBody, request.data)
        context = self.context_of(body)
        is_replay = resends(tournament, context)
        reopen_tournament(tournament.pk, reason=kept_reason(body.reason), context=context)
        return created(_state(tournament.pk), is_replay=is_replay)


class Delete(DeskView):
    """A tournament that nobody used."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "delete_tournament",
        shapes.TournamentStateAnswer,
        body=shapes.VersionBody,
        parameters=[KEY],
        example={"expected_version": 1},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Deletes an unused tournament: it is no longer listed. `restore_tournament` undoes it."""
        tournament = self.home(tournament_id)
        context = self.context_of(read_body(shapes.VersionBody, request.data))
        is_replay = resends(tournament, context)
        delete_tournament(tournament.pk, context=context)
        return created(_state(tournament.pk), is_replay=is_replay)


class Restore(DeskView):
    """A deleted tournament, brought back."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "restore_tournament",
        shapes.TournamentStateAnswer,
        body=shapes.RestoreBody,
        parameters=[KEY],
        example={"expected_version": 1},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Undoes `delete_tournament`."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.RestoreBody, request.data)
        context = self.context_of(body)
        is_replay = resends(tournament, context)
        restore_tournament(tournament.pk, is_published=body.is_published, context=context)
        return created(_state(tournament.pk), is_replay=is_replay)


class Change(DeskView):
    """A tournament's name, start, publication and terms."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "change_tournament",
        shapes.TournamentStateAnswer,
        body=shapes.ChangeBody,
        parameters=[KEY],
        example={"name": "Sunday"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Changes what is given: also publishes a tournament, or unpublishes it."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.ChangeBody, request.data)
        context = self.context_of(body)
        is_replay = resends(tournament, context)
        given = {name: getattr(body, name) for name in body.__struct_fields__ if name != "expected_version"}
        given = {name: value for name, value in given.items() if value is not None}
        kept = {name: getattr(tournament, name) for name in (*STAKES, "name", "preset", "starts_at", "is_published")}
        options = {**tournament.options, **body.options}
        draft = TournamentDraft(**{**kept, **given, "options": options})
        change_tournament(tournament, draft, context=context)
        return created(_state(tournament.pk), is_replay=is_replay)


def _state(tournament_id: UUID) -> shapes.TournamentStateAnswer:
    """A tournament as it is now: its columns have changed since the request began."""
    tournament = Tournament.objects.get(pk=tournament_id)
    return shaped(
        shapes.TournamentStateAnswer,
        tournament,
        tournament=tournament.pk,
        version=tournament_state(tournament).version,
        is_closed=tournament.closed_at is not None,
    )


class SetUpOf(ApiView):
    """A whole tournament in one step."""

    permissions = {"POST": Permission.DIRECT}
    what = "The tournament"

    @describes(
        "set_up_tournament",
        shapes.SetUpAnswer,
        body=shapes.SetUpBody,
        parameters=[KEY],
        example={
            "name": "Sunday",
            "preset": FIRST_PRESET,
            "starts_at": "2026-01-18T19:00:00Z",
            "point_value_minor": 100,
        },
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Creates a tournament with its plan and its players, all or nothing."""
        club = find_club(self, club_id)
        body = read_body(shapes.SetUpBody, request.data)
        own = {name: getattr(body, name) for name in TournamentBody.__struct_fields__}
        draft = in_currency_of(club, TournamentDraft(**{**own, "currency": body.currency or ""}))
        whole = WholeDraft(
            tournament=draft,
            plan=_plan_of(body, draft),
            players=_players_of(club, body.players),
            rows=[EntryRow(number=number, name=name) for number, name in enumerate(body.names, start=1)],
            expected=body.expected,
        )
        context = asked_as(self, request)
        is_replay = log.first_answer(club.pk, context.key, context.asked) is not None
        return created(_set_up(set_up(club, whole, context=context)), is_replay=is_replay)


def _plan_of(body: shapes.SetUpBody, draft: TournamentDraft) -> RawPlan | None:
    """The plan of a new tournament; a format's with the tournament's fees. Raises BodyRejected, OptionsRejected."""
    if body.format is None or body.plan is not None:
        refuse_if(
            [Problem("not_a_choice", Message("give a plan or a format, not both"), field="format")]
            if body.format is not None
            else (),
            BodyRejected,
        )
        return body.plan
    expected = body.expected or len({*body.players}) + len(body.names)
    return {**plan_of_format(body.format, expected), **fee_terms_of(draft)}


def _players_of(club: Club, players: Sequence[UUID]) -> Sequence[UUID]:
    """The players, who are all in the club. Raises BodyRejected naming every other."""
    known = set(Player.objects.present().filter(club=club, pk__in=players).values_list("pk", flat=True))
    problems = [
        Problem("unknown_player", Message("there is no such player in the club"), field=f"players[{number}]")
        for number, player in enumerate(players)
        if player not in known
    ]
    refuse_if(problems, BodyRejected)
    return players


class Repeat(DeskView):
    """A copy of a tournament."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "repeat_tournament",
        shapes.SetUpAnswer,
        body=shapes.RepeatBody,
        parameters=[KEY],
        example={"name": "Sunday again"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Creates a copy that starts now, with the rules, the plan, and all who had entered."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.RepeatBody, request.data)
        context = asked_as(self, request)
        is_replay = resends(tournament, context)
        done = repeat_tournament(tournament, name=body.name or "", context=context)
        return created(_set_up(done), is_replay=is_replay)


def _set_up(done: SetUp) -> shapes.SetUpAnswer:
    version = tournament_state(done.tournament).version
    answer = tournament_answer(done.tournament)
    return shaped(shapes.SetUpAnswer, answer, version=version, entered=done.entered, gone=done.gone)


class Settle(DeskView):
    """Results in the books."""

    permissions = {"POST": Permission.SETTLE}

    @describes(
        "settle_tournament",
        shapes.SettledAnswer,
        body=shapes.VersionBody,
        parameters=[KEY],
        example={"expected_version": 1},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Settles every table that is behind, then the prizes; a worker does so too. Twice posts once."""
        tournament = self.home(tournament_id)
        context = self.context_of(read_body(shapes.VersionBody, request.data))
        refuse_stale(tournament_state(tournament), context.seen)
        settled = [settle_table(table, now=context.now) for table in owed_tables(tournament.pk)[:MOST_SETTLED]]
        settled.append(settle_tournament(tournament.pk, now=context.now))
        answer = shapes.SettledAnswer(
            tournament=tournament.pk,
            posted=sum(done.posted for done in settled),
            problems=[english(done.problem) for done in settled if done.problem],
        )
        return created(answer, is_replay=False)


# Prizes.


class Prizes(DeskView):
    """What is won, and by whom."""

    permissions = {"GET": Permission.SEE_MONEY, "POST": Permission.DIRECT}

    @describes("read_prizes", shapes.PrizesAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """The prizes by the current standings, each with its calculation."""
        tournament = self.home(tournament_id)
        state = tournament_state(tournament)
        answer = partial(
            shapes.PrizesAnswer,
            tournament=tournament.pk,
            version=state.version,
            currency=tournament.currency,
            is_closed=state.is_closed,
        )
        sheet = prizes_shown(tournament, state)
        if sheet is None:
            return Response(answer())
        names = as_in_books(tournament.club_id, _names(tournament, state))
        return Response(
            answer(
                gross_minor=sheet.taken.gross,
                fee_minor=sheet.taken.fee,
                levy_minor=sheet.taken.levy,
                pool_minor=sheet.pool_minor,
                top_up_minor=sheet.top_up_minor,
                kept_minor=sheet.kept_minor,
                prizes=[
                    shaped(
                        shapes.PrizeAnswer,
                        prize,
                        name=names.get(prize.player, ""),
                        title=english(prize.title) if prize.title is not None else "",
                        things=list(prize.things),
                        because=_lines(prize.because, tournament),
                    )
                    for prize in sheet.won
                ],
                pots=[
                    shaped(shapes.PotAnswer, pot, awards=dict(pot.awards), because=_lines(pot.because, tournament))
                    for pot in sheet.pots
                ],
                because=_lines(sheet.because, tournament),
            )
        )

    @describes(
        "set_prizes",
        shapes.PlanAnswer,
        body=shapes.PrizesBody,
        parameters=[KEY],
        example={"prizes": {"prizes_bp": [6000, 4000]}},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Changes what is won, and nothing else of the plan. A side pot is won by `side_pot_won`."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.PrizesBody, request.data)
        plan = tournament_state(tournament).plan
        unknown = [name for name in body.prizes if name not in PlanPrizes.__struct_fields__]
        problems = [Problem("unknown_field", Message("there is no such field here"), field=name) for name in unknown]
        if plan is None:
            problems.append(Problem("no_plan", Message("the tournament has no plan: set one first"), field="prizes"))
        refuse_if(problems, BodyRejected)
        raw = {**(whole_plan(plan) if plan is not None else {}), **body.prizes}
        recorded = make_plan(tournament.pk, raw, reason=body.reason, context=self.context_of(body))
        return created(_plan_answer(tournament), is_replay=recorded.is_replay)


def _lines(because: Sequence[Reason], tournament: Tournament) -> list[str]:
    return [english(line) for line in reasons(because, tournament.currency)]


# Projectors: not events, and the last write wins.


class Screens(DeskView):
    """What the projectors show."""

    permissions = {"GET": Permission.WATCH, "POST": Permission.DIRECT}

    @describes("read_screens", shapes.ScreensAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """The programme, what is pinned, and the message at the foot of every screen."""
        return Response(_screens(self.home(tournament_id)))

    @describes(
        "set_screens",
        shapes.ScreensAnswer,
        body=shapes.ScreensBody,
        parameters=[KEY],
        example={"message": "Round 3 starts at 21:15"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Stores the programme and the message; what is pinned stays pinned."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.ScreensBody, request.data)
        unknown = [name for name in body.seconds if name not in Screen.values]
        refuse_if(
            [Problem("not_a_choice", Message("there is no such screen"), field=f"seconds.{name}") for name in unknown],
            BodyRejected,
        )
        steering = Steering(
            is_automatic=body.is_automatic,
            chosen=screens_named(body.chosen),
            seconds={Screen(name): seconds for name, seconds in body.seconds.items()},
            message=body.message,
            lines=body.lines,
        )
        steer(tournament, steering, context=self.command_context())
        return created(_screens(tournament), is_replay=False)


class ScreenPin(DeskView):
    """One screen on every projector."""

    permissions = {"POST": Permission.DIRECT}

    @describes("pin_screen", shapes.ScreensAnswer, body=shapes.PinBody, parameters=[KEY], example={"screen": "clock"})
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Pins one screen on every projector, or returns to the programme."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.PinBody, request.data)
        hold_screen(tournament, Screen(body.screen) if body.screen else None, context=self.command_context())
        return created(_screens(tournament), is_replay=False)


class ScreenSkip(DeskView):
    """The next screen."""

    permissions = {"POST": Permission.DIRECT}

    @describes("skip_screen", shapes.ScreensAnswer, body=shapes.SkipBody, parameters=[KEY], example={"skips": 0})
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Moves every projector on to its next screen."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.SkipBody, request.data)
        skip_screen(tournament, context=self.command_context(), seen=body.skips)
        return created(_screens(tournament), is_replay=False)


def _screens(tournament: Tournament) -> shapes.ScreensAnswer:
    steering = steering_of(ScreenProgramme.objects.filter(tournament=tournament).first())
    return shaped(
        shapes.ScreensAnswer,
        steering,
        tournament=tournament.pk,
        chosen=[str(screen) for screen in steering.chosen],
        seconds={str(screen): seconds for screen, seconds in steering.seconds.items()},
    )
