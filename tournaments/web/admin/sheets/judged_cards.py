"""Cards that a game's own judge rules on while they are typed: of one seat, or of a hand between two.

Rules: docs/how-to/evening.md, "Cards". Which fields belong together, the game's form says. Knows nothing of storing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.messages import Message, say, say_many
from scoring.problems import Problem
from scoring.rules.table.entering import event_from, key_of
from scoring.rules.table.fields import SheetField
from scoring.rules.table.questions import Cards, group_said
from scoring.rules.table.table import Table
from tournaments.web.admin.sheets.field_entry import Fields, FieldsForm
from tournaments.web.admin.sheets.seat_hands import (
    GROUP_FIELDS,
    SILENT,
    CardLine,
    Note,
    SeatHand,
    cards_in,
    group_note,
)

DEAL = "deal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The fields of one ruling, of a seat where every seat has them."""

    key: str
    fields: Fields
    seat: str | None


def slots_of(fields: Fields, seats: Sequence[str]) -> dict[str, Slot]:
    """Every ruling that can be asked for on a form."""
    found: dict[str, list[SheetField]] = {}
    of_seat = tuple(field for field in fields if field.judged_as and field.per_seat)
    for field in fields:
        if field.judged_as and not field.per_seat:
            found.setdefault(slot_key(field), []).append(field)
    slots = {key: Slot(key=key, fields=tuple(held), seat=None) for key, held in found.items()}
    return slots | {seat: Slot(key=seat, fields=of_seat, seat=seat) for seat in seats if of_seat}


def slot_key(field: SheetField) -> str:
    """Where cards that no seat has for itself belong: `hands-0`, or the deal."""
    return "-".join(map(str, field.path[:-1])) or DEAL


def judged_cards(
    table: Table, fields: Fields, typed: FieldsForm, slot: Slot, at: Mapping[str, Sequence[Problem]]
) -> SeatHand:
    """The cards of a slot with the ruling on them. `at` has what a save was refused for, by input."""
    notes: dict[str, Note] = {}
    lines = [(field, tuple(_lines(field, slot, typed))) for field in _in_order(table, slot)]
    asked = {field.judged_as: tuple(_cards(found, notes)) for field, found in lines}
    laid = [line.key for _, found in lines for line in found if line.is_group and line.text]
    ruling = None
    if not notes:
        said, _ = event_from(fields, typed.filled, table.setup.seats)
        ruling = table.rules.cards_ruled(table.setup, asked, said)
        ruled = zip(laid, ruling.groups, strict=False)
        notes = {key: group_note(group) for key, group in ruled if group.why or group.kind}
    return SeatHand(
        key=slot.key,
        lines=tuple(replace(line, note=notes.get(line.key, SILENT)) for _, found in lines for line in found),
        held_said=_so_many(sum(len(cards) for found in asked.values() for cards in found)),
        waiting=say("Fix this first"),
        ruling=ruling,
        shown=ruling.groups[len(laid) :] if ruling else (),
        problems=tuple(problem for field in slot.fields for problem in at.get(key_of(field, slot.seat), ())),
    )


def _in_order(table: Table, slot: Slot) -> list[SheetField]:
    """The fields as the judge asks for them: paper wants cards behind the number that they stand for."""
    order = [field.name for field in table.rules.judge.fields] if table.rules.judge else []
    return sorted(slot.fields, key=lambda field: order.index(field.judged_as))


def _so_many(held: int) -> Message:
    return say_many("{count} card", "{count} cards", count=held)


def _lines(field: SheetField, slot: Slot, typed: FieldsForm) -> Iterator[CardLine]:
    """The inputs of a field; of groups there is always room for one more."""
    name, is_group = key_of(field, slot.seat), field.kind == "groups"
    texts = list(typed.named(name))
    least = max(GROUP_FIELDS, len(texts) + 1) if is_group else 1
    address = "id-" + name.replace(".", "-")
    for number, text in enumerate([*texts, *[""] * (least - len(texts))], start=1):
        yield CardLine(
            key=f"{address}-{number}" if is_group else address,
            name=name,
            title=group_said(number) if is_group else Message(field.title),
            where=say("group {number}", number=number) if is_group else Message(field.title),
            text=text,
            is_group=is_group,
            heading=Message(field.title) if is_group and number == 1 else None,
            help=field.help if number == 1 else "",
        )


def _cards(lines: Sequence[CardLine], notes: dict[str, Note]) -> Iterator[Cards]:
    """The cards of each line that holds some; what cannot be read is noted at it."""
    for line in lines:
        if cards := cards_in(line.text, line.where, line.key, notes):
            yield cards
