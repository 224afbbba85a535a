"""A tournament's evening: its stages and rounds, who sits where, the clock, and what the director does next."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from uuid import UUID

from django.http.response import HttpResponseBase
from django.utils.timezone import now
from rest_framework.request import Request

from scoring.evening.state.clock import ShownClock
from scoring.evening.state.state import Evening, RoundSeating
from tournaments.evenings.queries.night import Tonight, evening_tonight, night
from tournaments.models import Table
from tournaments.models.public_names import Names
from tournaments.people.permissions import Deed, may
from tournaments.web.api.base.doors import ApiView, is_public, tag_of, unless_known
from tournaments.web.api.base.schema import describes
from tournaments.web.api.shapes.evenings import (
    ClockAnswer,
    EveningAnswer,
    EveningRound,
    EveningStage,
    EveningTable,
    PersonAnswer,
    StepAnswer,
    TableClock,
)
from tournaments.web.api.views.clubs import find_tournament


class EveningOf(ApiView):
    """What happens between the tables."""

    deeds = {"GET": Deed.WATCH}
    is_public = True

    @describes("read_evening", EveningAnswer, has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """As it stands. Without a plan there are no stages, and tables are opened one by one."""
        tournament = find_tournament(self, tournament_id)
        directs = may(self.actor, Deed.DIRECT, tournament.club)
        called = self.names_for(tournament.club_id)
        tonight = evening_tonight(tournament, now=now(), names=called)
        return unless_known(
            request,
            tag_of(tonight.evening.version, "evening", directs, *tonight.marks()),
            lambda: _answer(tonight, directs=directs),
            is_shared=is_public(tournament) and called is Names.PUBLIC,
        )


def _answer(tonight: Tonight, *, directs: bool) -> EveningAnswer:
    evening, plan = tonight.evening, tonight.evening.plan
    tables = Table.objects.filter(tournament=tonight.tournament).values_list("round", "number", "id")
    ids = {(number, table): key for number, table, key in tables}
    return EveningAnswer(
        tournament=tonight.tournament.pk,
        version=evening.version,
        stage=evening.stage,
        is_planned=plan is not None,
        is_started=evening.is_started,
        is_closed=evening.is_closed,
        is_rehearsal=plan is not None and plan.is_rehearsal,
        stages=list(_stages(evening, tonight.names)),
        rounds=[_round(seated, tonight.names, ids) for seated in evening.rounds],
        clock=_clock(tonight.clock) if tonight.clock is not None else None,
        next_step=_step(tonight) if directs else None,
    )


def _stages(evening: Evening, names: Mapping[str, str]) -> Iterator[EveningStage]:
    cuts = {cut.stage: cut for cut in evening.cuts}
    for number, stage in enumerate(evening.plan.stages if evening.plan else (), start=1):
        cut = cuts.get(number)
        yield EveningStage(
            number=number,
            name=stage.name,
            rounds=stage.rounds,
            seated=len(evening.rounds_of(number)),
            is_cut=cut is not None,
            advancing=_people(cut.advancing, names) if cut is not None else [],
        )


def _round(seated: RoundSeating, names: Mapping[str, str], ids: Mapping[tuple[int, int], UUID]) -> EveningRound:
    return EveningRound(
        stage=seated.stage,
        round=seated.round,
        method=seated.method,
        seed=seated.seed,
        tables=[
            EveningTable(
                table=ids.get((seated.round, table.number)),
                number=table.number,
                seats=_people(table.players, names),
                is_over=table.is_over,
            )
            for table in seated.tables
        ],
        sitting_out=_people(seated.sitting_out, names),
    )


def _people(players: Iterable[str], names: Mapping[str, str]) -> list[PersonAnswer]:
    return [PersonAnswer(player=player, name=names[player]) for player in players]


def _clock(clock: ShownClock) -> ClockAnswer:
    """A running clock is told by its end, which does not change while it runs."""
    return ClockAnswer(
        round=clock.round,
        seconds=clock.seconds,
        is_running=clock.is_running,
        ends_at=_moment(clock.ends_at),
        left_seconds=None if clock.is_running or not clock.is_timed else clock.left,
        last_deal_at=_moment(clock.last_deal_at),
        tables=[TableClock(number=one.table, extra_seconds=one.extra) for one in clock.tables],
    )


def _moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _step(tonight: Tonight) -> StepAnswer:
    """The night board's one suggestion."""
    step = night(tonight).steps.suggested
    table = UUID(step.table) if step.table else None
    return StepAnswer(name=step.name, title=step.title, button=step.button, table=table)
