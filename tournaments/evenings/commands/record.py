"""Recording what happens in a tournament between the tables: entries, arrivals, plans, cuts, clocks.

The order of steps is that of a deal: resend? stale? admitted? Then the fact and the evening are stored in one
transaction. Deeds that open or close tables as well have a command of their own.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from scoring.evening import Evening, fold_evening, problems_with
from scoring.evening.state.reentries import too_little
from scoring.evening.state.refusals import ALREADY
from scoring.facts.wire import Fact, PlanMade, PlayerReentered
from scoring.messages import say
from scoring.problems import FactRejected, Problem
from tournaments import log
from tournaments.evenings.commands.settle import Purses, entry_problems
from tournaments.evenings.commands.stream import append_facts, evening_of, refuse_stale, was_stored
from tournaments.log.context import Order, digest_of, part, tournament_turn
from tournaments.models import Table, Tournament
from tournaments.people.names import named
from tournaments.projections.played import game_of


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningRecorded:
    """The answer: the evening as it stands, and whether there was anything to store."""

    evening: Evening
    is_replay: bool


def record_in_evening(tournament_id: UUID, fact: Fact, *, order: Order, expected: int | None = None) -> EveningRecorded:
    """Store one fact of a tournament. With `expected` it must follow that version; without, the latest.

    A second tap on a button that did its work stores nothing. Raises FactRejected with every problem, StaleTable,
    KeyReused.
    """
    return record_all_in_evening(tournament_id, [fact], order=order, expected=expected)


def record_all_in_evening(
    tournament_id: UUID, facts: Sequence[Fact], *, order: Order, expected: int | None = None
) -> EveningRecorded:
    """Several facts of one deed, all or none: a pasted list of names is one deed."""
    with tournament_turn(tournament_id) as tournament:
        evening = evening_of(tournament)
        if was_answered(tournament, evening, order, facts[:1]):
            return EveningRecorded(evening=evening, is_replay=True)
        refuse_stale(evening, expected)
        problems: list[Problem] = []
        admitted: list[tuple[Fact, Order]] = []
        after, purses = evening, Purses(tournament, facts)
        for number, fact in enumerate(facts):
            found = problems_with(after, fact) + _plan_problems(tournament, after, fact)
            found = found or reentry_problems(tournament, after, fact)
            found = found or entry_problems(purses, evening, after, fact)
            if any(problem.code != ALREADY for problem in found):
                problems += [problem for problem in found if problem.code != ALREADY]
            elif not found:
                # A resend is known by the first key: by what was asked, or else by the first fact.
                place = len(admitted) if order.asked else number
                admitted.append((fact, part(order, place) if place else order))
                after = fold_evening(after, [(after.version + 1, fact)])
        if problems:
            raise FactRejected(named(tournament.club_id, problems))
        after = append_facts(tournament, admitted, evening=evening)
    return EveningRecorded(evening=after, is_replay=after.version == evening.version)


def was_answered(tournament: Tournament, evening: Evening, order: Order, facts: Sequence[Fact] = ()) -> bool:
    """Whether this very request was stored before: by what was asked, or else by its first fact.

    Raises KeyReused; StaleTable where whoever asks has seen another version.
    """
    digests = [order.asked] if order.asked else [digest_of(tournament.id, fact) for fact in facts[:1]]
    if any(log.first_answer(tournament.club_id, order.key, digest) for digest in digests):
        return True
    refuse_stale(evening, order.seen)
    return False


def reentry_problems(tournament: Tournament, evening: Evening, fact: Fact) -> list[Problem]:
    """A re-entry that does not reach what the plan asks for, as the game counts."""
    if not isinstance(fact, PlayerReentered):
        return []
    return too_little(evening, fact, game_of(tournament, evening, evening.stage))


def _plan_problems(tournament: Tournament, evening: Evening, fact: Fact) -> list[Problem]:
    """A plan comes before the first table, whose players would pay twice; and a rehearsal is begun out of sight."""
    if not isinstance(fact, PlanMade):
        return []
    problems = []
    if tournament.is_published and fact.plan.get("is_rehearsal"):
        detail = say("{name} is published: unpublish it before making it practice", name=tournament.name)
        problems.append(Problem(code="is_published", field="is_rehearsal", detail=detail))
    if evening.plan is None and _counting_tables(tournament).exists():
        detail = say("tables were opened without a plan: make another tournament to plan one")
        problems.append(Problem(code="already_played", field="plan", detail=detail))
    return problems


def _counting_tables(tournament: Tournament) -> QuerySet[Table]:
    """Tables that were not given up."""
    return Table.objects.filter(tournament=tournament).exclude(scoresheet__is_cancelled=True)


def admit(tournament: Tournament, evening: Evening, fact: Fact) -> None:
    """Raise FactRejected with everything that speaks against a fact, players by name."""
    problems = problems_with(evening, fact)
    if problems:
        raise FactRejected(named(tournament.club_id, problems))


# A deed that stores one fact of an evening and changes tables as well: everything that comes before it does anything.


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningTurn:
    """A tournament and its evening while nobody else writes; `is_replay` where the deed was done before."""

    tournament: Tournament
    evening: Evening
    is_replay: bool


@contextmanager
def evening_turn(
    tournament_id: UUID, fact: Fact, *, order: Order, expected: int | None = None
) -> Iterator[EveningTurn]:
    """A turn for a deed that stores `fact`, which is admitted. Raises FactRejected, StaleTable, KeyReused."""
    with tournament_turn(tournament_id) as tournament:
        evening = evening_of(tournament)
        is_replay = was_stored(tournament, fact, order)
        if not is_replay:
            refuse_stale(evening, expected)
            admit(tournament, evening, fact)
        yield EveningTurn(tournament=tournament, evening=evening, is_replay=is_replay)
