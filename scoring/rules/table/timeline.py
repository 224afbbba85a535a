"""A table's events in the order in which they count, and the game that follows when they are counted again.

Rules: docs/events.md, "Folding" and "Conflicts". A correction replaces a deal in its place; where that contradicts a
later event a conflict is stored for a director: nothing is guessed. Knows nothing of any one variant.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from scoring.events import wire
from scoring.events.reading import Unreadable
from scoring.events.table import EventLeftOut
from scoring.events.wire import Event
from scoring.messages import Message, say
from scoring.problems import Problem
from scoring.rules.table.entering import keys_of, typed_from
from scoring.rules.table.fields import WrittenSheet
from scoring.rules.table.variant import AnySetup, AnyVariant

CHANGES = (wire.DealCorrected, wire.DealVoided, wire.TotalsCorrected, wire.EventWithdrawn)


class Status(StrEnum):
    """The status of a table as a whole."""

    OPEN = "open"
    CLOSED = "closed"
    CANCELLED = "cancelled"


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """An event in the place where it counts, with the version at which that place was taken."""

    version: int
    event: Any
    is_void: bool = False
    corrected_at: int = 0


class DealCheck(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Confirmation and dispute of a deal as it is now: the version of each.

    `sheet` is what `seat` entered in place of the current sheet.
    """

    confirmed_at: int = 0
    disputed_at: int = 0
    seat: str | None = None
    sheet: dict[str, Any] | None = None


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """An event that no longer fits the events before it."""

    version: int
    code: str
    detail: str | Message
    seat: str | None = None

    @property
    def message(self) -> Message:
        """The message, also of a snapshot that was stored before messages were values."""
        return self.detail if isinstance(self.detail, Message) else Message(self.detail)


def status_of(timeline: Sequence[Entry]) -> Status:
    """The status of a table: only changes may follow an ending, and these leave it in its place."""
    readable = (entry.event for entry in reversed(timeline) if not isinstance(entry.event, Unreadable))
    match next(readable, None):
        case wire.TableClosed():
            return Status.CLOSED
        case wire.TableCancelled() | wire.TableMovedOn() | EventLeftOut():
            return Status.CANCELLED
    return Status.OPEN


def checked(checks: Mapping[str, DealCheck], version: int, event: Event) -> Mapping[str, DealCheck]:
    """Confirmations and disputes of the deals, after one more event. A deal entered again is unconfirmed again."""
    match event:
        case wire.DealConfirmed() | wire.DisputeSettled():
            return {**checks, str(event.deal): DealCheck(confirmed_at=version)}
        case wire.DealDisputed():
            confirmed = checks.get(str(event.deal), DealCheck()).confirmed_at
            disputed = DealCheck(confirmed_at=confirmed, disputed_at=version)
            if event.sheet is not None:
                disputed = msgspec.structs.replace(disputed, seat=event.seat, sheet=event.sheet)
            return {**checks, str(event.deal): disputed}
        case wire.DealRecorded() | wire.DealCorrected() | wire.DealVoided():
            deal_check = checks.get(str(event.deal), DealCheck())
            rest = {deal: check for deal, check in checks.items() if deal != str(event.deal)}
            # The director's correction answers a dispute, but it is the director who resolves it. What a second seat
            # entered is about the deal as it was played: it outlasts a correction, and nothing else.
            is_over = deal_check.sheet is not None and not isinstance(event, wire.DealCorrected)
            still = msgspec.structs.replace(deal_check, confirmed_at=0)
            return {**rest, str(event.deal): still} if deal_check.disputed_at and not is_over else rest
    return checks


def with_premise(rules: AnyVariant, setup: AnySetup, game: Any, split: wire.SplitAgreed) -> wire.SplitAgreed:
    """A split stores the totals on which it was agreed, so that a later correction can be detected."""
    return split if split.totals is not None else wire.SplitAgreed(totals=totals_now(rules, setup, game))


def rewritten(timeline: Sequence[Entry], version: int, event: Event) -> list[Entry]:
    """The timeline with a deal or totals replaced, or a deal voided, in their place, or an act removed."""
    if isinstance(event, wire.EventWithdrawn):
        return [entry for entry in timeline if entry.version != event.version]
    if isinstance(event, wire.TotalsCorrected):
        totals = wire.TotalsRecorded(totals=event.totals, out=event.out)
        return [
            Entry(entry.version, totals, corrected_at=version)
            if isinstance(entry.event, wire.TotalsRecorded)
            else entry
            for entry in timeline
        ]
    assert isinstance(event, wire.DealCorrected | wire.DealVoided)  # noqa: S101 - narrows CHANGES for mypy
    index = _index_of_deal(timeline, event.deal)
    old = timeline[index]
    if isinstance(event, wire.DealVoided):
        new = Entry(old.version, old.event, is_void=True, corrected_at=version)
    else:
        corrected = wire.DealRecorded(deal=event.deal, sheet=event.sheet)
        new = Entry(old.version, corrected, corrected_at=version)
    return [*timeline[:index], new, *timeline[index + 1 :]]


def recounted(rules: AnyVariant, setup: AnySetup, timeline: Sequence[Entry]) -> tuple[Any, tuple[Conflict, ...]]:
    """The game counted again from the first deal, with every event that no longer fits."""
    game = rules.start(setup)
    conflicts: list[Conflict] = []
    for entry in timeline:
        if not entry.is_void:
            game, problems = _applied(rules, setup, game, entry)
            conflicts += [conflict_of(entry.version, problem) for problem in problems]
    return game, tuple(conflicts)


def counted_steps(rules: AnyVariant, setup: AnySetup, timeline: Sequence[Entry]) -> Iterator[tuple[Entry, Any, Any]]:
    """Every entry with the game before and after it; a voided one changes nothing."""
    game = rules.start(setup)
    for entry in timeline:
        after = game if entry.is_void else _applied(rules, setup, game, entry)[0]
        yield entry, game, after
        game = after


def totals_now(rules: AnyVariant, setup: AnySetup, game: Any) -> dict[str, int]:
    """Each seat's total: what players look at when they agree on a split."""
    return {seat: view.total or 0 for seat, view in rules.seats(setup, game).items()}


def _index_of_deal(timeline: Sequence[Entry], deal: int) -> int:
    """The index of a deal: the latest of its number, where a voided deal was played again."""
    return max(
        index
        for index, entry in enumerate(timeline)
        if isinstance(entry.event, wire.DealRecorded) and entry.event.deal == deal
    )


def _applied(rules: AnyVariant, setup: AnySetup, game: Any, entry: Entry) -> tuple[Any, list[Problem]]:
    """One entry applied: a deal that no longer fits still counts for the seats in it, an act does not."""
    event = entry.event
    if isinstance(event, wire.TableCancelled | wire.TableMovedOn | EventLeftOut):
        return game, []
    if isinstance(event, Unreadable):
        return game, [unreadable_problem(entry.version)]
    # Before totals nothing has counted, so that no change of the past contradicts them.
    problems = [] if isinstance(event, wire.TotalsRecorded) else rules.check(setup, game, event)
    if isinstance(event, wire.SplitAgreed) and event.totals not in (None, totals_now(rules, setup, game)):
        detail = say("the split was agreed on other totals; a director must undo it, or correct the deal")
        problems = [*problems, Problem("split_on_other_totals", detail)]
    if problems and not isinstance(event, wire.DealEvent):
        return game, problems
    return rules.apply(setup, game, event), problems


def unreadable_problem(version: int) -> Problem:
    """An event that cannot be read: its effect is not guessed."""
    detail = say(
        "record {number} cannot be read: a director must leave it out first, which cancels the table", number=version
    )
    return Problem("unreadable_fact", detail)


def conflict_of(version: int, problem: Problem) -> Conflict:
    """A problem as a contradiction that waits for the director."""
    return Conflict(version=version, code=problem.code, detail=problem.message, seat=problem.seat)


# Two entries of one deal: a field that one of them omits contradicts nothing.

MAY_BE_LEFT_OUT = frozenset({"dealer", "wild"})


def disagreements(
    rules: AnyVariant, setup: AnySetup, game: Any, sheets: tuple[WrittenSheet, WrittenSheet]
) -> Iterator[str]:
    """Where two sheets of a deal differ: seats, and names of inputs. `game` is as it was when the deal began."""
    fields = rules.entry_form(setup, game, is_extra=False)
    typed_sheets = [typed_from(fields, sheet, setup.seats) for sheet in sheets]
    for field in fields:
        if field.kind == "outcomes":
            first, second = (_endings(rules, setup, sheet) for sheet in sheets)
            yield from (seat for seat in setup.seats if first.get(seat) != second.get(seat))
            continue
        for key in keys_of(field, setup.seats):
            text, other = (typed_sheet.get(key) or "" for typed_sheet in typed_sheets)
            is_silent = field.name in MAY_BE_LEFT_OUT and not (text and other)
            if text != other and not is_silent:
                yield key


def _endings(rules: AnyVariant, setup: AnySetup, sheet: WrittenSheet) -> dict[str, tuple[str, int | None]]:
    """How the deal ended for each seat, and with how many points: a hand may be entered as its cards."""
    return {seat: (mark.how, rules.hand_points(setup, sheet, seat)) for seat, mark in sheet.marks().items()}
