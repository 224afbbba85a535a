"""A deal sheet kept exactly as typed, and the event that it describes.

Rules: docs/how-to/evening.md, "Scoring". A sheet has an ending for each seat, or the fields that the game's own form
names. A hand is a number read out, or its cards: in groups as they were laid down, or all thirteen loose. Unreadable
input is reported at its seat; the rules check everything else. Knows nothing of storing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from django import forms

from scoring.messages import Message, Seat, say
from scoring.problems import Problem
from scoring.rules.cards import CardsRejected, cards_typed, tidy, write_cards
from scoring.rules.table.entering import event_from, keys_of, typed_from, whole_number
from scoring.rules.table.fields import Ending, FieldKind, SheetField, WrittenSheet
from tournaments.rendering.i18n.translating import hand_text
from tournaments.web.admin.base.command_fields import TicksField, WordField
from tournaments.web.admin.base.command_forms import MOST_TYPED, Inputs, SheetForm, TypedEvent

MOST_GROUPS = 13


@dataclass(frozen=True, slots=True)
class SeatTyped:
    """What was typed for one seat."""

    how: str = ""
    count: str = ""
    groups: tuple[str, ...] = ()
    loose: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether nothing was typed."""
        return self == SeatTyped()

    def ending(self, endings: Sequence[Ending]) -> str:
        """How the deal ended for the seat. A number or cards alone mean a hand that is counted."""
        return self.how or next(ending.how for ending in endings if ending.hand == "counted")


class CardsField(TicksField):
    """Groups of cards in their places, or loose cards as one text."""

    def to_python(self, value: Any) -> list[str]:
        return list(_groups(super().to_python(value)))


class OutcomesForm(SheetForm):
    """How a deal ended, seat by seat. `arrange` replaces a seat's typed cards by a suggested arrangement."""

    ended = WordField(max_length=MOST_TYPED)
    wild = WordField(max_length=MOST_TYPED)
    dealer = WordField(max_length=MOST_TYPED)
    arrange = TicksField(max_length=MOST_TYPED)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was typed for any seat."""
        return not self.filled

    def seat(self, seat: str) -> SeatTyped:
        """What was typed for one seat."""
        values = self.read
        if f"how-{seat}" not in values:
            return SeatTyped()
        loose = " ".join(values[f"loose-{seat}"])
        return SeatTyped(values[f"how-{seat}"], values[f"count-{seat}"], tuple(values[f"group-{seat}"]), loose)

    def clean(self) -> None:
        """Apply requested arrangements, each with the seat, its groups, and the loose cards."""
        for arrangement in self.cleaned_data["arrange"]:
            seat, _, cards = arrangement.partition(":")
            laid, _, loose_cards = cards.partition("/")
            if f"group-{seat}" in self.inputs:
                self.cleaned_data |= {
                    f"group-{seat}": _groups(laid.split("|")),
                    f"loose-{seat}": _groups([loose_cards]),
                }


def outcomes_form(data: Inputs, seats: Sequence[str]) -> OutcomesForm:
    """The form with these texts, for every seat of the table: a player may have gone out since it was opened."""
    return OutcomesForm(data, _inputs(tuple(seats)))


# Cached: fields keep no state of what they read, and creating them takes longer than the rest of the form.
@lru_cache(maxsize=64)
def _inputs(seats: tuple[str, ...]) -> Mapping[str, forms.Field]:
    inputs: dict[str, forms.Field] = {}
    for seat in seats:
        inputs |= {f"{name}-{seat}": WordField(max_length=MOST_TYPED) for name in ("how", "count")}
        inputs |= {f"{name}-{seat}": CardsField(max_length=MOST_TYPED) for name in ("group", "loose")}
    return inputs


def stored_outcomes(sheet: Any, seats: Sequence[str], *, kind: str, deal: int) -> OutcomesForm:
    """A stored sheet in the form."""
    data: dict[str, str | Sequence[str]] = {"kind": kind, "deal": str(deal), "ended": str(sheet.ended)}
    data |= {"wild": sheet.wild or "", "dealer": sheet.dealer or ""}
    for seat, outcome in sheet.outcomes.items():
        count = "" if outcome.count is None else str(outcome.count)
        data |= {f"how-{seat}": str(outcome.how), f"count-{seat}": count}
        data |= {f"group-{seat}": outcome.groups or (), f"loose-{seat}": outcome.loose or ""}
    return outcomes_form(data, seats)


def cards_text(groups: Sequence[str], loose: str) -> str:
    """A hand as one line: `7H 8H 9H | KC KD KS | loose 2C`. Text that is no card is kept as typed."""
    return hand_text([_as_written(text) for text in groups if text], _as_written(loose))


def outcomes_entry(
    typed: OutcomesForm, seats: Sequence[str], endings: Sequence[Ending], before: Any = None
) -> TypedEvent:
    """The event of a typed sheet. Seats unchanged from the sheet `before` keep stored data that the form lacks."""
    problems: list[Problem] = []
    filled = {seat: entered for seat in seats if not (entered := typed.seat(seat)).is_blank}
    outcomes = {seat: _outcome(seat, entered, endings, problems) for seat, entered in filled.items()}
    bare = {problem.seat for problem in problems if problem.seat}
    values = typed.read
    if before is not None:
        stored_form = stored_outcomes(before, seats, kind=values["kind"], deal=1)
        unchanged = [seat for seat, entered in filled.items() if entered == stored_form.seat(seat)]
        outcomes |= {seat: msgspec.to_builtins(before.outcomes[seat]) for seat in unchanged}
    deal = _deal_number(values["deal"], problems)
    raw: dict[str, Any] = {"kind": values["kind"], "deal": deal, "outcomes": outcomes}
    raw |= {name: values[name] for name in ("ended", "wild", "dealer") if values[name]}
    if values["kind"] == "deal_corrected":
        raw["reason"] = values["reason"]
    unread = tuple(problems)
    return TypedEvent(raw=raw, unread=unread, is_echo=lambda one: one.code == "missing_count" and one.seat in bare)


def _deal_number(text: str, problems: list[Problem]) -> int:
    """The number of the deal; 0, which none has, with a problem where it is no number."""
    deal = whole_number(text)
    if isinstance(deal, int):
        return deal
    problems.append(Problem("not_a_number", say("{what}: {why}", what="deal", why=deal), field="deal"))
    return 0


def _outcome(seat: str, typed: SeatTyped, endings: Sequence[Ending], problems: list[Problem]) -> dict[str, Any]:
    """One seat's outcome. Cards are kept only for a hand that is counted or was shown; others are never seen."""
    outcome: dict[str, Any] = {"how": typed.ending(endings)}
    if any(ending.hand for ending in endings if ending.how == outcome["how"]):
        outcome |= _cards(seat, typed, problems)
    count = whole_number(typed.count)
    if isinstance(count, int):
        outcome["count"] = count
    elif typed.count:
        problems.append(Problem("not_a_number", count).of_seat(seat, "count"))
    return outcome


def _cards(seat: str, typed: SeatTyped, problems: list[Problem]) -> dict[str, Any]:
    """The cards of a seat in their standard form; a problem is added for a field that holds anything else."""
    seat_cards: dict[str, Any] = {}
    groups = [
        _read(seat, text, say("group {number}", number=number), problems)
        for number, text in enumerate(typed.groups, start=1)
        if text
    ]
    if groups:
        seat_cards["groups"] = groups
    if typed.loose:
        seat_cards["loose"] = _read(seat, typed.loose, say("the loose cards"), problems)
    return {} if any(problem.seat == seat for problem in problems) else seat_cards


def _read(seat: str, text: str, name: Message, problems: list[Problem]) -> str:
    try:
        return write_cards(cards_typed(text, name))
    except CardsRejected as refused:
        problems += [
            Problem(
                code=problem.code,
                seat=seat,
                field="groups",
                detail=say("{seat}: {why}", seat=Seat(seat), why=problem.message),
            )
            for problem in refused.problems
        ]
        return ""


def _as_written(text: str) -> str:
    try:
        return write_cards(cards_typed(text, say("the cards")))
    except CardsRejected:
        return text


def _groups(texts: Sequence[str]) -> tuple[str, ...]:
    """Group fields in their places, without empty ones at the end."""
    tidied = [tidy(text) for text in texts[:MOST_GROUPS]]
    while tidied and not tidied[-1]:
        tidied.pop()
    return tuple(tidied)


DEALER = "dealer"
MISSING = frozenset({"missing_count", "missing_field", "missing_seat"})

Fields = tuple[SheetField, ...]


class InputField(TicksField):
    """One input of a field: its last non-empty value, or all of them where it takes several."""

    def __init__(self, *, is_list: bool) -> None:
        super().__init__(max_length=MOST_TYPED)
        self.is_list = is_list

    def to_python(self, value: Any) -> Any:
        words = [word for word in super().to_python(value) if word]
        return words if self.is_list else "".join(words[-1:])


class FieldsForm(SheetForm):
    """The fields of a deal as the game names them."""

    @property
    def is_blank(self) -> bool:
        """Whether nothing was typed apart from the dealer, which the page fills in itself."""
        return not self.filled.keys() - {DEALER}

    def text(self, key: str) -> str:
        """One input as text."""
        return " ".join(self.named(key))

    def named(self, key: str) -> tuple[str, ...]:
        """The values of one input."""
        input_value = self.filled.get(key, ())
        return (input_value,) if isinstance(input_value, str) else tuple(input_value)


def fields_form(data: Inputs, fields: Fields, seats: Sequence[str]) -> FieldsForm:
    """The form with these texts."""
    return FieldsForm(
        data, _field_inputs(tuple((key, field.kind) for field in fields for key in keys_of(field, seats)))
    )


# Cached: fields keep no state of what they read, and creating them takes longer than the rest of the form.
@lru_cache(maxsize=64)
def _field_inputs(keys: tuple[tuple[str, FieldKind], ...]) -> Mapping[str, forms.Field]:
    return {
        key: CardsField(max_length=MOST_TYPED) if kind == "groups" else InputField(is_list=kind == "seats")
        for key, kind in keys
    }


def stored_fields(sheet: WrittenSheet, fields: Fields, seats: Sequence[str], *, kind: str, deal: int) -> FieldsForm:
    """A stored sheet in the form."""
    return fields_form({**typed_from(fields, sheet, seats), "kind": kind, "deal": str(deal)}, fields, seats)


def fields_entry(
    typed: FieldsForm, fields: Fields, seats: Sequence[str], before: WrittenSheet | None = None
) -> TypedEvent:
    """The event of typed fields. Data of the sheet `before` that the form does not show is kept."""
    event_fields, unread = event_from(fields, typed.filled, seats)
    problems = list(unread)
    shown_by_form = {str(field.path[0]) for field in fields}
    sheet_fields = msgspec.to_builtins(before) if before is not None else {}
    unshown_fields = {name: value for name, value in sheet_fields.items() if name not in shown_by_form}
    values = typed.read
    deal = _deal_number(values["deal"], problems)
    raw = {"kind": values["kind"], "deal": deal, **unshown_fields, **event_fields}
    if values["kind"] == "deal_corrected":
        raw["reason"] = values["reason"]
    places = {(problem.seat, problem.field) for problem in problems}

    def is_echo(problem: Problem) -> bool:
        at = {(problem.seat, problem.field), (None, problem.field)}
        return problem.code in MISSING and not places.isdisjoint(at)

    return TypedEvent(raw=raw, unread=tuple(problems), is_echo=is_echo)
