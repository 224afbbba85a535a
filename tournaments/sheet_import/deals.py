"""Reads one line of a sheet as a deal: the players' cells and the other columns become the fields of an event.

Rules: docs/how-to/importing.md, "Indian rummy: marks" and "Columns of a deal". The form defines what a deal looks like;
whether it is possible is checked by the rules. Knows no game by name.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

from scoring.messages import Message, Seat, say
from scoring.problems import Problem, shown
from scoring.rules.cards import CardsRejected, parse_cards
from scoring.rules.table.entering import NOBODY, YES, event_from, key_of
from scoring.rules.table.fields import Ending, SheetField
from tournaments.sheet_import import columns as naming
from tournaments.sheet_import import plain
from tournaments.sheet_import.forms import OUTCOMES, Column, DealForm, distinct

COUNT = re.compile(r"[-−+]?\d{1,4}")
HALF = re.compile(r"h ?(\d{1,4})|(\d{1,4}) ?/ ?2")


def read_mark(text: str, seat: str, endings: Sequence[Ending]) -> dict[str, object] | Problem:
    """Return the outcome that a cell stands for, as in an event, or the problem with the cell."""
    mark = plain(text).replace("_", " ")
    for ending in endings:
        if mark in (*ending.marks, ending.how.replace("_", " ")):
            return {"how": ending.how}
    counted = {ending.is_half: ending.how for ending in endings if ending.hand == "counted"}
    if COUNT.fullmatch(mark):
        return {"how": counted[False], "count": int(mark.replace("−", "-"))}
    if (match := HALF.fullmatch(mark)) and True in counted:
        return {"how": counted[True], "count": int(match[1] or match[2])}
    allowed_marks = say("a number, or show, last, D, MD, 3M, LB, LA, W, F, A, -")
    detail = say("{name}: {typed} is not a mark; write {what}", name=Seat(seat), typed=shown(text), what=allowed_marks)
    return Problem(code="unknown_mark", seat=seat, field="how", detail=detail)


PARTS = re.compile(r"\s*[/|]\s*")
NUMBER = re.compile(r"[-−+]?\d+")


class DealReader:
    """Reads one line cell by cell, and collects the problems of all of them."""

    def __init__(self, form: DealForm, names: Mapping[str, str]) -> None:
        self.form, self.names = form, names
        self.typed: dict[str, str | list[str]] = {}
        self.problems: list[Problem] = []

    def read(self, cells: Mapping[str, str], beside: Mapping[Column, str]) -> dict[str, object]:
        """Return the fields of the event. `cells` are the players' by seat, `beside` the other columns."""
        for column, text in beside.items():
            self._column(column, text)
        outcomes: dict[str, object] = {}
        for seat, text in cells.items():
            if self.form.has_outcomes:
                outcome = read_mark(text, seat, self.form.endings)
                if isinstance(outcome, Problem):
                    self.problems.append(outcome)
                else:
                    outcomes[seat] = outcome
            elif plain(text) not in naming.NOTHING:
                self._cell(seat, text)
        self.problems += self._unmarked()
        event, wrong = event_from(self.form.plain_fields, self.typed, tuple(self.names))
        self.problems += wrong
        return {OUTCOMES: outcomes, **event} if self.form.has_outcomes else event

    def _cell(self, seat: str, text: str) -> None:
        """Read a player's own cell: numbers in the form's order, with a mark before, between or after them."""
        parts = self._without_marks(seat, PARTS.split(text))
        if len(parts) == 1 and len(self.form.in_cells) > 1:
            parts = _apart(parts[0].split())
        if len(parts) > len(self.form.in_cells):
            expected_text = self._asked()
            detail = say(
                "{name}: {typed} cannot be read; write {what}", name=Seat(seat), typed=shown(text), what=expected_text
            )
            self._refuse("unknown_mark", seat, detail)
            return
        for part, field in zip(parts, self.form.in_cells, strict=False):
            self._number_or_cards(seat, part, field)

    def _without_marks(self, seat: str, parts: list[str]) -> list[str]:
        """Return the parts of a cell that are not marks."""
        unmarked_parts = []
        for part in parts:
            words = part.split()
            for word in [word for word in words if plain(word) in self.form.marks]:
                self._say_once(self.form.marks[plain(word)], seat)
                words.remove(word)
            if words or not part:
                unmarked_parts.append("" if part in naming.NOTHING else " ".join(words))
        return unmarked_parts

    def _number_or_cards(self, seat: str, part: str, field: SheetField) -> None:
        cards = self.form.cards.get(field.name)
        if NUMBER.fullmatch(part):
            self.typed[key_of(field, seat)] = part.replace("−", "-")
        elif cards is not None and _are_cards(part):
            self.typed[key_of(cards, seat)] = part
        elif part:
            expected_text = self._asked()
            detail = say(
                "{name}: {typed} is not a mark; write {what}", name=Seat(seat), typed=shown(part), what=expected_text
            )
            self._refuse("unknown_mark", seat, detail, field)

    def _asked(self) -> Message | str:
        """Describe what a player's cell may hold."""
        numbers = "/".join(field.title.lower() for field in self.form.in_cells)
        match (numbers, bool(self.form.cards), [*self.form.marks]):
            case ("count", True, ["out"]):
                return say("count or cards or out")
            case ("cards left", False, ["out"]):
                return say("cards left or out")
            case ("melded/in hand", True, ["out"]):
                return say("melded/in hand or cards or out")
        cell_words = [numbers, *(["cards"] if self.form.cards else []), *self.form.marks]
        if any(cell_words):
            return " / ".join(filter(None, cell_words))
        return say("nothing here, but in the columns {list}", list=tuple(self.form.column_titles))

    def _column(self, column: Column, text: str) -> None:
        """Read another column: one value, or entries with a name each."""
        if column.is_list:
            self._entries_of_group(column, text)
        elif column.fields[0].per_seat:
            self._entries_of_seats(column.fields[0], text)
        else:
            self._value(column.fields[0], text)

    def _entries_of_group(self, column: Column, text: str) -> None:
        named = distinct(column.fields)
        for entry in naming.entries(text):
            field_value = naming.field_and_rest(entry, named)
            if field_value is None:
                known = tuple(dict.fromkeys(str(field.path[-1]) for field in column.fields))
                name, typed_entry = column.title, shown(entry)
                detail = say(
                    "{name}: {typed} is none of {list} with a name behind it", name=name, typed=typed_entry, list=known
                )
                self.problems.append(Problem(code="unknown_entry", field=column.title, detail=detail))
            else:
                self._value(*field_value)

    def _entries_of_seats(self, field: SheetField, text: str) -> None:
        for entry in naming.entries(text):
            seat_value = naming.seat_and_rest(entry, self.names)
            if seat_value is None:
                detail = say("{name}: {typed} is not a player's name and a value", name=field.title, typed=shown(entry))
                self._refuse("unknown_player", None, detail, field)
            else:
                self.typed[key_of(field, seat_value[0])] = seat_value[1]

    def _value(self, field: SheetField, text: str) -> None:
        match field.kind:
            case "seat":
                self._seat(field, text)
            case "seats":
                seats = [self._found(field, entry) for entry in naming.entries(text)]
                listed = self.typed.setdefault(field.name, [])
                if isinstance(listed, list):
                    listed += [seat for seat in seats if seat is not None and seat not in listed]
            case "flag":
                self._flag(field, text)
            case "choice":
                self._choice(field, text)
            case _ if text not in naming.NOTHING:
                self.typed[field.name] = text.replace("−", "-")

    def _seat(self, field: SheetField, text: str) -> None:
        if text in naming.NOTHING and not field.nobody:
            return
        seat = NOBODY if naming.is_nobody(text, field) else self._found(field, text)
        if seat is not None:
            self._say_once(field, seat)

    def _found(self, field: SheetField, text: str) -> str | None:
        seat = naming.seat_of(text, self.names)
        if seat is None:
            name, typed, known = field.title, shown(text), tuple(self.names.values())
            detail = (
                say("{name}: {typed} is none of {list} or “nobody”", name=name, typed=typed, list=known)
                if field.nobody
                else say("{name}: {typed} is none of {list}", name=name, typed=typed, list=known)
            )
            self._refuse("unknown_player", None, detail, field)
        return seat

    def _flag(self, field: SheetField, text: str) -> None:
        word = plain(text)
        if word in naming.YES:
            self.typed[field.name] = YES
        elif word not in naming.NO:
            detail = say("{name}: {typed} is neither yes nor no", name=field.title, typed=shown(text))
            self._refuse("wrong_value", None, detail, field)

    def _choice(self, field: SheetField, text: str) -> None:
        value = naming.choice_of(text, field.choices)
        if text in naming.NOTHING:
            return
        if value is None:
            known = tuple([choice.title for choice in field.choices] or naming.ENDINGS)
            name, typed_text = field.title, shown(text)
            detail = say(
                "{name}: {typed} is none of {list}; leave it empty otherwise", name=name, typed=typed_text, list=known
            )
            self._refuse("wrong_value", None, detail, field)
        else:
            self.typed[field.name] = value

    def _say_once(self, field: SheetField, seat: str) -> None:
        """Set the seat of a field that takes only one."""
        before = self.typed.setdefault(field.name, seat)
        if before != seat:
            self._refuse("said_twice", None if seat == NOBODY else seat, self._twice(field, str(before), seat), field)

    def _twice(self, field: SheetField, before: str, seat: str) -> Message:
        column, name = field.title, self.names.get(before, "")
        if seat == NOBODY:
            return say("nobody is a second answer to “{column}”; the first is {name}", column=column, name=name)
        if before == NOBODY:
            return say("{seat} is a second answer to “{column}”; the first is nobody", seat=Seat(seat), column=column)
        return say(
            "{seat} is a second answer to “{column}”; the first is {name}", seat=Seat(seat), column=column, name=name
        )

    def _unmarked(self) -> list[Problem]:
        """Report required marks that are missing on this line; not for the rare kinds of deals."""
        filled = {key.partition("-")[0] for key in self.typed}
        if any(field.is_rare and field.name in filled for field in self.form.fields):
            return []
        missing = [field for mark, field in self.form.marks.items() if field.is_required]
        return [
            Problem(code="missing_field", field=str(field.path[-1]), detail=_ask_for(field))
            for field in missing
            if field.name not in self.typed and not self.problems
        ]

    def _refuse(self, code: str, seat: str | None, detail: Message, field: SheetField | None = None) -> None:
        where = None if field is None else str(field.path[-1])
        self.problems.append(Problem(code=code, seat=seat, field=where, detail=detail))


def _ask_for(field: SheetField) -> Message:
    if not field.nobody:
        return say("nobody is marked “{mark}”: mark the player", mark=field.mark)
    return say(
        "nobody is marked “{mark}”: mark the player, or write “nobody” in the column {column}",
        mark=field.mark,
        column=field.title,
    )


def _apart(words: list[str]) -> list[str]:
    """Split numbers separated by blanks, with cards after them: each number is a part, the cards are one."""
    numbers = list(takewhile(NUMBER.fullmatch, words))
    cards = " ".join(words[len(numbers) :])
    return [*numbers, cards] if cards else numbers


def _are_cards(text: str) -> bool:
    try:
        return bool(parse_cards(text, "cards"))
    except CardsRejected:
        return False
