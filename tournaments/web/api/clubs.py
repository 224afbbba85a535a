"""Clubs, their players, and their tournaments: each with its rounds, who sits where, the clock and the next step."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.timezone import now
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.lines import described_variants
from scoring.messages import Message, english
from scoring.problems import OptionsRejected, Problem, refuse_if
from scoring.rules.variants import PRESETS
from scoring.tournament.state import RoundSeating, TournamentState
from scoring.tournament.steps import ShownClock
from tournaments.models import Club, Player, Table, Tournament
from tournaments.models.public_names import Names
from tournaments.people.invitations import manages
from tournaments.people.permissions import Permission, clubs_of, may
from tournaments.people.players import add_players, likely_duplicates
from tournaments.projections.shown import shown_anew
from tournaments.running.commands.create import TournamentDraft, create_tournament_once
from tournaments.running.queries.dashboard import (
    RunningTournament,
    dashboard_of,
    running_tournament,
    with_late_sheets,
    with_tills,
)
from tournaments.web.api.answers import player_answer, shaped, tournament_answer
from tournaments.web.api.bodies import read_body
from tournaments.web.api.doors import ApiView, filtered, is_public, page_of, tag_of, unless_known
from tournaments.web.api.filters import PlayerFilter, TournamentFilter
from tournaments.web.api.schema import KEY, OPTIONAL_KEY, PAGING, describes
from tournaments.web.api.table_shapes import (
    ClubAnswer,
    ClubPage,
    PlayerPage,
    PlayersAnswer,
    PlayersBody,
    TournamentAnswer,
    TournamentBody,
    TournamentPage,
    VariantsAnswer,
)
from tournaments.web.api.tournament_shapes import (
    ClockAnswer,
    EveningAnswer,
    EveningRound,
    EveningStage,
    EveningTable,
    PersonAnswer,
    StepAnswer,
    TableClock,
)

# In examples, with a value of a point: the API names no game.
FIRST_PRESET = next(iter(PRESETS))


class Variants(ApiView):
    """What is played here."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("list_variants", VariantsAnswer, has_tag=True)
    def get(self, request: Request) -> HttpResponseBase:
        """Every variant with its presets and options."""
        items = described_variants()
        return unless_known(request, tag_of(len(items), items), lambda: VariantsAnswer(items=items), is_shared=True)


class Clubs(ApiView):
    """The clubs that publish, and those one works for."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("list_clubs", ClubPage, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """Published clubs and those in which you have a role, by name."""
        mine = clubs_of(self.actor, Permission.WATCH)
        rows = Club.objects.all() if mine is None else Club.objects.filter(Q(is_published=True) | Q(id__in=mine))
        return Response(page_of(request, rows, partial(shaped, ClubAnswer), order=("name", "id")))


class ClubById(ApiView):
    """One club."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("read_club", ClubAnswer, has_tag=True)
    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """Its name, currency, time zone and locale."""
        club = find_club(self, club_id)
        answer = shaped(ClubAnswer, club)
        tag = tag_of(shown_anew(club), answer)
        return unless_known(request, tag, lambda: answer, is_shared=club.is_published)


class Tournaments(ApiView):
    """A club's tournaments."""

    permissions = {"GET": Permission.WATCH, "POST": Permission.DIRECT}
    is_public = True

    @describes("list_tournaments", TournamentPage, parameters=PAGING, filters=TournamentFilter)
    def get(self, request: Request, club_id: UUID) -> Response:
        """The latest first, then by name; unpublished ones only for people with a role in the club."""
        club = find_club(self, club_id)
        rows = Tournament.objects.filter(club=club)
        if only_published := not self.may_watch(club):
            rows = rows.filter(is_published=True)
        rows = filtered(request, TournamentFilter, rows, club=club, only_published=only_published)
        return Response(page_of(request, rows, tournament_answer, order=("-starts_at", "name", "id")))

    @describes(
        "create_tournament",
        TournamentAnswer,
        body=TournamentBody,
        parameters=[KEY],
        example={
            "name": "Sunday",
            "preset": FIRST_PRESET,
            "starts_at": "2026-01-18T19:00:00+05:30",
            "point_value_minor": 100,
            "fee_bp": 1_000,
        },
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Creates a tournament from a preset. The same key again returns the same tournament."""
        club = find_club(self, club_id)
        context = self.command_context()
        body = read_body(TournamentBody, request.data)
        fields = {name: getattr(body, name) for name in body.__struct_fields__}
        draft = TournamentDraft(**{**fields, "currency": body.currency or ""})
        tournament, is_replay = create_tournament_once(club, draft, context=context)
        return created(tournament_answer(tournament), is_replay=is_replay)


class TournamentById(ApiView):
    """One tournament."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("read_tournament", TournamentAnswer, has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """Its options, stakes, start and status."""
        tournament = find_tournament(self, tournament_id)
        answer = tournament_answer(tournament)
        tag = tag_of(tournament.board_position, answer)
        return unless_known(request, tag, lambda: answer, is_shared=is_public(tournament))


class Players(ApiView):
    """A club's players, for those who work there."""

    permissions = {"GET": Permission.SEE, "POST": Permission.DIRECT}

    @describes("list_players", PlayerPage, parameters=PAGING, filters=PlayerFilter)
    def get(self, request: Request, club_id: UUID) -> Response:
        """All players of the club, by name."""
        rows = filtered(request, PlayerFilter, Player.objects.filter(club=find_club(self, club_id)))
        return Response(page_of(request, rows, player_answer, order=("search_key", "id")))

    @describes(
        "add_players",
        PlayersAnswer,
        body=PlayersBody,
        parameters=[OPTIONAL_KEY],
        example={"names": ["Esha Rao", "Farid Khan"]},
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Adds all players or none. With an Idempotency-Key, a name that the club has already is another player.

        A resend with the same key adds no player. Without a key, such names are refused unless `are_namesakes`.
        """
        club = find_club(self, club_id)
        body = read_body(PlayersBody, request.data)
        key = self.command_context().key if "Idempotency-Key" in request.headers else ""
        if not (key or body.are_namesakes):
            _refuse_known(likely_duplicates(club, body.names))
        added = add_players(club, body.names, key=key)
        answer = PlayersAnswer(items=[player_answer(player) for player in added])
        return Response(answer, status=HTTPStatus.CREATED)


def find_club(view: ApiView, club_id: UUID) -> Club:
    """The club, if this request may do its deed there."""
    club = get_object_or_404(Club, id=club_id)
    view.need(club, is_published=club.is_published and view.is_public)
    return club


NO_OWNER = "An owner decides this, and whoever made this device link no longer is one here: use another link."


def owner_behind(view: ApiView, club: Club) -> Any:
    """The login that the history of the club names: who is signed in, or who made the device link.

    A device link stands for its club, but people and settings are an owner's: raises PermissionDenied where its maker
    no longer manages the club, so that nobody who was removed lets themselves in again.
    """
    user = view.request.user
    if not manages(user, club):
        raise PermissionDenied(NO_OWNER)
    return user


def find_tournament(view: ApiView, tournament_id: UUID) -> Tournament:
    """The tournament with its club, if this request may do its deed there. In one query."""
    tournament = get_object_or_404(Tournament.objects.select_related("club__shown_version"), id=tournament_id)
    view.need(tournament.club, is_published=view.is_public and is_public(tournament))
    return tournament


def created(answer: Any, *, is_replay: bool) -> Response:
    """201, marked where it is the first answer again."""
    headers = {"Idempotency-Replayed": "true"} if is_replay else None
    return Response(answer, status=HTTPStatus.CREATED, headers=headers)


def _refuse_known(names: Sequence[str]) -> None:
    problems = [
        Problem(
            code="known_name",
            field="names",
            detail=Message(
                f"{name!r} is in the club already, or twice in the list; say are_namesakes if it is somebody else"
            ),
        )
        for name in names
    ]
    refuse_if(problems, OptionsRejected)


class TournamentStateById(ApiView):
    """What happens between the tables."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("read_evening", EveningAnswer, has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """The current state. Without a plan there are no stages, and tables are opened one by one."""
        tournament = find_tournament(self, tournament_id)
        directs = may(self.actor, Permission.DIRECT, tournament.club)
        names = self.names_for(tournament.club_id)
        running = running_tournament(tournament, now=now(), names=names)
        running = with_tills(with_late_sheets(running)) if directs else running
        return unless_known(
            request,
            tag_of(running.state.version, "evening", directs, *running.marks()),
            lambda: _answer(running, directs=directs, hidden=running.state.hidden if names is Names.PUBLIC else ()),
            is_shared=is_public(tournament) and names is Names.PUBLIC,
        )


def _answer(running: RunningTournament, *, directs: bool, hidden: Collection[str]) -> EveningAnswer:
    state, plan = running.state, running.state.plan
    tables = Table.objects.filter(tournament=running.tournament).values_list("round", "number", "id")
    ids = {(number, table): key for number, table, key in tables}
    names = {player: name for player, name in running.names.items() if player not in hidden}
    return shaped(
        EveningAnswer,
        state,
        tournament=running.tournament.pk,
        is_planned=plan is not None,
        is_rehearsal=plan is not None and plan.is_rehearsal,
        stages=list(_stages(state, names)),
        rounds=[_round(seated, names, ids) for seated in state.rounds],
        clock=clock_answer(running.clock) if running.clock is not None else None,
        next_step=_step(running) if directs else None,
    )


def _stages(state: TournamentState, names: Mapping[str, str]) -> Iterator[EveningStage]:
    cuts = {cut.stage: cut for cut in state.cuts}
    for number, stage in enumerate(state.plan.stages if state.plan else (), start=1):
        cut = cuts.get(number)
        yield EveningStage(
            number=number,
            name=stage.name,
            rounds=stage.rounds,
            seated=len(state.rounds_of(number)),
            is_cut=cut is not None,
            advancing=_people(cut.advancing, names) if cut is not None else [],
            preset=stage.holding("preset"),
            variant=stage.holding("variant"),
        )


def _round(seated: RoundSeating, names: Mapping[str, str], ids: Mapping[tuple[int, int], UUID]) -> EveningRound:
    tables = [
        shaped(
            EveningTable,
            table,
            table=ids.get((seated.round, table.number)),
            seats=[_person(player, names) for player in table.players],
        )
        for table in seated.tables
    ]
    return shaped(EveningRound, seated, tables=tables, sitting_out=_people(seated.sitting_out, names))


def _person(player: str, names: Mapping[str, str]) -> PersonAnswer:
    """Return who has a seat. A hidden player leaves it empty: the others keep theirs."""
    return PersonAnswer(player=player, name=names[player]) if player in names else PersonAnswer(player="", name="")


def _people(players: Iterable[str], names: Mapping[str, str]) -> list[PersonAnswer]:
    return [PersonAnswer(player=player, name=names[player]) for player in players if player in names]


def clock_answer(clock: ShownClock) -> ClockAnswer:
    """Return when a running clock ends, which does not change while it runs; of a paused one, the time left."""
    return shaped(
        ClockAnswer,
        clock,
        ends_at=_moment(clock.ends_at),
        left_seconds=None if clock.is_running or not clock.is_timed else clock.left,
        last_deal_at=_moment(clock.last_deal_at),
        tables=[TableClock(number=table_time.table, extra_seconds=table_time.extra) for table_time in clock.tables],
    )


def _moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _step(running: RunningTournament) -> StepAnswer:
    """The night board's one suggestion."""
    step = dashboard_of(running).steps.suggested
    table = UUID(step.table) if step.table else None
    return StepAnswer(name=step.name, title=english(step.title), button=english(step.button), table=table)
