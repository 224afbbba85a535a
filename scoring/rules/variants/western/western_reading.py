"""Reading the deal sheets of the Western games from untrusted JSON: everything wrong with a form, all at once.

Rules: docs/events.md, "Deals of the Western games". Knows nothing of what the rules say of a sheet.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.problems import MOST_SHOWN, Problem, shown
from scoring.rules.cards import CardsRejected, parse_cards, write_cards

MOST_ENTRIES = 20
MOST_NUMBER = 1_000_000
MOST_CARDS_TEXT = 300


class Reader:
    """Reads a sheet field by field and keeps what is wrong with each, so that all of it can be said together."""

    def __init__(self, raw: Mapping[str, Any], seats: Sequence[str], fields: Iterable[str]) -> None:
        self.raw, self.seats = raw, seats
        known = set(fields)
        self.problems = [_unknown_field(str(name)) for name in raw if name not in known][:MOST_ENTRIES]

    def has_problem_with(self, field: str) -> bool:
        """Whether a field was there but could not be read."""
        return any(problem.field == field for problem in self.problems)

    def said(self, field: str) -> None:
        """A field that must be there, if only as null."""
        if field not in self.raw:
            self.problems.append(_missing(field))

    def seat(self, field: str) -> str | None:
        """A seat of the table, or None."""
        return self.seat_value(field, self.raw.get(field))

    def seat_value(self, field: str, value: object) -> str | None:
        """A value that must be a seat of the table, or None."""
        if value is None or (isinstance(value, str) and value in self.seats):
            return value
        self.problems.append(self._unknown_seat(field, value))
        return None

    def flag(self, field: str) -> bool:
        """A claim; false where nothing is said."""
        value = self.raw.get(field)
        if value is not None and not isinstance(value, bool):
            self.problems.append(_wrong_type(field, value, "true or false"))
        return value is True

    def choice(self, field: str, choices: Sequence[str]) -> str | None:
        """One of the words that a field may hold, or None."""
        value = self.raw.get(field)
        if value is None or (isinstance(value, str) and value in choices):
            return value
        detail = f"{field} cannot be {shown(value)}; use one of {', '.join(choices)}"
        self.problems.append(Problem(code="not_a_choice", field=field, detail=detail))
        return None

    def number(self, field: str) -> int | None:
        """A number of 0 or more, or None."""
        value = self.raw.get(field)
        return None if value is None else self._number(field, value)

    def numbers(self, field: str) -> dict[str, int]:
        """A number for each seat that is named, in table order."""
        read = {seat: self._number(field, value, seat) for seat, value in self._by_seat(field).items()}
        return {seat: number for seat, number in read.items() if number is not None}

    def hands(self, field: str) -> dict[str, str]:
        """Cards for each seat that is named, in the form in which they are kept."""
        read = {seat: self._cards(field, value, seat) for seat, value in self._by_seat(field).items()}
        return {seat: cards for seat, cards in read.items() if cards}

    def listed(self, field: str) -> tuple[str, ...]:
        """Seats named in a list, in table order."""
        value = self.raw.get(field)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) > MOST_ENTRIES:
            self.problems.append(_wrong_type(field, value, "a list of seats"))
            return ()
        self.problems += [self._unknown_seat(field, seat) for seat in value if seat not in self.seats]
        return tuple(seat for seat in self.seats if seat in value)

    def _by_seat(self, field: str) -> dict[str, object]:
        value = self.raw.get(field)
        if value is None:
            return {}
        if not isinstance(value, Mapping) or len(value) > MOST_ENTRIES:
            self.problems.append(_wrong_type(field, value, "an object with one entry for each seat"))
            return {}
        self.problems += [self._unknown_seat(field, seat) for seat in value if seat not in self.seats]
        return {seat: value[seat] for seat in self.seats if seat in value}

    def _number(self, field: str, value: object, seat: str | None = None) -> int | None:
        whose = f"{field} of {{seat}}" if seat else field
        if isinstance(value, bool) or not isinstance(value, int):
            self.problems.append(_wrong_type(field, value, "a whole number", seat))
        elif value < 0:
            detail = f"{whose} is {shown(value)}; it cannot be negative"
            self.problems.append(Problem(code="negative_count", seat=seat, field=field, detail=detail))
        elif value > MOST_NUMBER:
            detail = f"{whose} is {shown(value)}; no deal is worth as much"
            self.problems.append(Problem(code="out_of_range", seat=seat, field=field, detail=detail))
        else:
            return value
        return None

    def _cards(self, field: str, value: object, seat: str) -> str | None:
        if isinstance(value, str) and len(value) > MOST_CARDS_TEXT:
            detail = "{seat}: that is more than a hand of cards"
            self.problems.append(Problem(code="too_many_cards", seat=seat, field=field, detail=detail))
            return None
        try:
            return write_cards(parse_cards(value, field))
        except CardsRejected as refused:
            self.problems += [
                Problem(code=found.code, seat=seat, field=field, detail=f"{{seat}}: {found.detail}")
                for found in refused.problems
            ]
            return None

    def _unknown_seat(self, field: str, value: object) -> Problem:
        detail = f"there is no seat {shown(value)} at this table; the seats are {', '.join(self.seats)}"
        return Problem(code="unknown_seat", seat=str(value)[:MOST_SHOWN], field=field, detail=detail)


def _missing(field: str) -> Problem:
    detail = f"a deal of this game needs the field {field!r}"
    return Problem(code="missing_field", field=field, detail=detail)


def _wrong_type(field: str, value: object, wanted: str, seat: str | None = None) -> Problem:
    detail = f"{field} cannot be {shown(value)}: {wanted} is needed"
    return Problem(code="wrong_type", seat=seat, field=field, detail=f"{{seat}}: {detail}" if seat else detail)


def _unknown_field(name: str) -> Problem:
    name = name[:MOST_SHOWN]
    return Problem(code="unknown_field", field=name, detail=f"a deal of this game has no field {name!r}")
