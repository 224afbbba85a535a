"""The effect of an event, before it is stored: the same fold, without saving.

Rules: docs/events.md, "Folding". A sheet that is still being filled in is folded as far as it goes.
"""

from collections.abc import Mapping, Sequence

import msgspec

from scoring.events import wire
from scoring.messages import Seat, say
from scoring.problems import Problem
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import has_dealt, next_dealer
from scoring.rules.table.standing import SeatStanding
from scoring.rules.table.table import Conflict, Note, Table

UNFINISHED = frozenset({"missing_seat", "missing_count", "no_winner"})


class SeatChange(msgspec.Struct, frozen=True, kw_only=True):
    """One seat before and after."""

    seat: str
    before: SeatStanding
    after: SeatStanding

    @property
    def went_out(self) -> bool:
        return self.before.is_in and not self.after.is_in

    @property
    def came_back(self) -> bool:
        return self.after.is_in and not self.before.is_in


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """The problems with an event, and the table after it where it could be folded at all."""

    problems: tuple[Problem, ...]
    after: Table | None
    seats: tuple[SeatChange, ...]
    notes: tuple[Note, ...]
    new_conflicts: tuple[Conflict, ...]


def preview(table: Table, raw: Mapping[str, object]) -> Preview:
    """The effect of an event, as a scorer would send it, on a table."""
    event, problems = considered(table, raw)
    if event is None:
        return _refused(problems)
    problems = problems + table.rules.typing_problems(table.setup, event)
    if any(problem.code not in UNFINISHED for problem in problems):
        return _refused(problems)
    after = table.apply(event)
    return _previewed(table, after, problems, _notes(table, event, after))


def preview_all(table: Table, raws: Sequence[Mapping[str, object]]) -> Preview:
    """The effect of several corrections on a table together."""
    after = table
    problems: list[Problem] = []
    for raw in raws:
        event, event_problems = considered(after, raw)
        problems += event_problems
        after = after if event is None or event_problems else after.apply(event)
    if problems:
        return _refused(problems)
    return _previewed(table, after)


def _previewed(before: Table, after: Table, problems: Sequence[Problem] = (), notes: tuple[Note, ...] = ()) -> Preview:
    was, now = before.seats(), after.seats()
    return Preview(
        problems=tuple(problems),
        after=after,
        seats=tuple(SeatChange(seat=seat, before=was[seat], after=now[seat]) for seat in before.setup.seats),
        notes=notes,
        new_conflicts=_new_conflicts(before, after),
    )


def _new_conflicts(before: Table, after: Table) -> tuple[Conflict, ...]:
    """New conflicts, compared by event and code: a snapshot may contain older wording."""
    earlier_keys = {(conflict.version, conflict.code, conflict.seat) for conflict in before.conflicts}
    keys = ((conflict.version, conflict.code, conflict.seat) for conflict in after.conflicts)
    return tuple(conflict for conflict, key in zip(after.conflicts, keys, strict=True) if key not in earlier_keys)


def _refused(problems: Sequence[Problem]) -> Preview:
    return Preview(problems=tuple(problems), after=None, seats=(), notes=(), new_conflicts=())


def _notes(before: Table, event: wire.Event, after: Table) -> tuple[Note, ...]:
    """The variant's own notes; after a change to the past the seats' numbers show it better."""
    if isinstance(event, wire.DealCorrected | wire.DealVoided | wire.TotalsCorrected | wire.EventWithdrawn):
        return ()
    notes = before.rules.story(before.setup, before.game, event, after.game)
    return (*_dealer_notes(before, event), *notes)


def _dealer_notes(before: Table, event: wire.Event) -> tuple[Note, ...]:
    """Where the dealer wins something by dealing: that somebody else's turn it was. Tables may have their reasons."""
    if not before.rules.pays_dealer or not isinstance(event, wire.DealRecorded) or not has_dealt(before):
        return ()
    dealer, due = event.sheet.dealer, next_dealer(before)
    if dealer is None or due is None or dealer == due:
        return ()
    return (Note("dealer", say("{seat} deals, but it is the turn of {other}", seat=Seat(dealer), other=Seat(due))),)
