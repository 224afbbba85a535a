"""A fact in a tournament's own stream, with everything that is read from it: the evening and the board's position.

The one path by which a tournament's stream grows. Whoever calls holds the club's turn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scoring import ledger
from scoring.evening import Evening, dump_evening, fold_evening, load_evening
from scoring.evening.checks.limits import limit_problems
from scoring.evening.state.fees import any_money_in, is_booked
from scoring.facts import wire
from scoring.facts.wire import Fact, TournamentChanged
from scoring.problems import Defect, FactRejected, KeyReused, StaleTable
from tournaments import log
from tournaments.evenings.prize_money import changed_entries
from tournaments.log.context import Order, digest_of, new_event
from tournaments.log.folding import evening_from
from tournaments.models import EveningSheet, Tournament
from tournaments.people.names import named
from tournaments.projections.stale import owe_readings, ring_evening

# What a fact of an evening means for its entries in the books, in the transaction of the fact.


ENDS = (wire.TournamentClosed, wire.TournamentCancelled, wire.TournamentReopened)


TERMS = (wire.PlanMade, wire.TournamentChanged)


def touches_everybody(before: Evening, after: Evening, facts: Sequence[Fact]) -> bool:
    """Whether the money of the whole evening is to be looked at: it ended, goes on, or costs something else now."""
    if not (is_booked(before) or is_booked(after)):
        return False
    if any(isinstance(fact, ENDS) for fact in facts) or (after.is_closed and not after.is_cancelled):
        return True
    return any_money_in(after) and any(isinstance(fact, TERMS) for fact in facts)


def book_entries(tournament: Tournament, before: Evening, after: Evening, stored: log.StoredEvent) -> None:
    """Bring the entries of players whom facts have touched to what they are now: few statements, however many.

    Versions are positions in the club's log, as those of the prizes are: entries follow from tables too, once the
    evening is over.
    """
    changed = changed_entries(tournament, before, after)
    if not changed:
        return
    wanted = [
        ledger.Obligation(cause=cause, version=stored.position, entries=entries) for cause, entries in changed.items()
    ]
    ledger.settle_many(tournament.club_id, wanted, now=stored.recorded_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A stored fact of a tournament, and the evening after it."""

    stored: log.StoredEvent
    evening: Evening


def begin_stream(tournament: Tournament, fact: Fact, order: Order) -> None:
    """The first fact of a tournament."""
    place = log.Place(club_id=tournament.club_id, stream_id=tournament.id, expected=0)
    evening = fold_evening(Evening(), [(1, fact)])

    def also(stored: log.StoredEvent) -> None:
        EveningSheet.objects.create(tournament=tournament, **sheet_values(tournament, evening, stored.position))
        _touch_board(tournament.id, stored.position)

    log.open_stream(place, "tournament", new_event(fact, order), request=_request(tournament, fact, order), also=also)


def append_fact(tournament: Tournament, fact: Fact, order: Order, *, evening: Evening | None = None) -> Written:
    """One more fact. `evening` saves reading it again; nobody else writes meanwhile."""
    before = evening or evening_of(tournament)
    after = fold_evening(before, [(before.version + 1, fact)])
    _refuse_beyond_limit(tournament, before, [fact])
    also = _followed(tournament, [fact], before=before, after=after)
    appended = _append(tournament, fact, order, after=after, also=also)
    return Written(stored=appended.stored, evening=after)


def append_facts(tournament: Tournament, facts: Sequence[tuple[Fact, Order]], *, evening: Evening) -> Evening:
    """Several facts of one deed: each is stored, and what is read from them is written once, with the last.

    Where the first was stored before under its key, so were the others. Raises KeyReused when a later one was.
    """
    after = evening
    _refuse_beyond_limit(tournament, evening, [fact for fact, _ in facts])
    for number, (fact, order) in enumerate(facts, 1):
        after = fold_evening(after, [(after.version + 1, fact)])
        is_last = number == len(facts)
        told = [each for each, _ in facts]
        also = _followed(tournament, told, before=evening, after=after) if is_last else _not_followed_yet
        if _append(tournament, fact, order, after=after, also=also).is_replay:
            if number == 1:
                return evening
            raise KeyReused(f"the idempotency key {order.key!r} was used for another request")
    return after


def evening_of(tournament: Tournament) -> Evening:
    """The evening as it stands, from its row; from the log where no row was written yet."""
    state = EveningSheet.objects.filter(tournament=tournament).values_list("state", flat=True).first()
    return evening_from_log(log.read(tournament.id)) if state is None else load_evening(state)


def evening_from_log(stored: list[log.StoredEvent]) -> Evening:
    """The evening folded from its stored events."""
    if not stored:
        raise Defect("a tournament's log begins with its opening, not with nothing")
    return evening_from(stored)


def sheet_values(tournament: Tournament, evening: Evening, position: int) -> dict[str, Any]:
    """The columns of the evening's row."""
    return {
        "club_id": tournament.club_id,
        "version": evening.version,
        "state": dump_evening(evening),
        "has_plan": evening.plan is not None,
        "is_rehearsal": evening.plan is not None and evening.plan.is_rehearsal,
        "last_position": position,
    }


def was_stored(tournament: Tournament, fact: Fact, order: Order) -> bool:
    """Whether this order has stored the fact before. Raises KeyReused where it stored another."""
    return log.first_answer(tournament.club_id, order.key, _request(tournament, fact, order).digest) is not None


def refuse_stale(evening: Evening, expected: int | None) -> None:
    """Raise StaleTable where whoever asks has seen another version of the evening."""
    if expected is not None and expected != evening.version:
        raise StaleTable(expected=expected, current=evening.version)


def _refuse_beyond_limit(tournament: Tournament, before: Evening, facts: Sequence[Fact]) -> None:
    """Raise FactRejected where the sums of an evening would be more than the books can keep."""
    after = fold_evening(before, enumerate(facts, before.version + 1))
    # Another fee stands in the tournament already: everybody's entry is looked at as if it were new.
    known = Evening() if any(isinstance(fact, TournamentChanged) for fact in facts) else before
    problems = limit_problems(known, after, tournament.entry_minor)
    if problems:
        raise FactRejected(named(tournament.club_id, problems))


def _append(
    tournament: Tournament, fact: Fact, order: Order, *, after: Evening, also: Callable[[log.StoredEvent], None]
) -> log.Appended:
    return log.append(
        log.Place(club_id=tournament.club_id, stream_id=tournament.id, expected=after.version - 1),
        new_event(fact, order),
        request=_request(tournament, fact, order),
        also=also,
    )


def _followed(
    tournament: Tournament, facts: Sequence[Fact], *, before: Evening, after: Evening
) -> Callable[[log.StoredEvent], None]:
    """The evening's row, then the books: every worker takes them in this order, so nobody locks anybody up."""

    def also(stored: log.StoredEvent) -> None:
        values = sheet_values(tournament, after, stored.position)
        if touches_everybody(before, after, facts):
            values["due_position"] = stored.position
            ring_evening(tournament.id)
        if not EveningSheet.objects.filter(tournament=tournament).update(**values):
            EveningSheet.objects.create(tournament=tournament, **values)
        book_entries(tournament, before, after, stored)
        _touch_board(tournament.id, stored.position)
        if before.is_closed or after.is_closed:
            owe_readings(tournament.club_id)

    return also


def _not_followed_yet(stored: log.StoredEvent) -> None:
    """More facts of the same deed follow."""


def _request(tournament: Tournament, fact: Fact, order: Order) -> log.Request:
    return order.request(digest_of(tournament.id, fact))


def _touch_board(tournament_id: UUID, position: int) -> None:
    """The board names this position, so its tag changes with it."""
    Tournament.objects.filter(id=tournament_id).update(board_position=position)
