"""Checks that the sheets of the Western games share: which seats are on them, and with what.

Rules: docs/rules/western.md, section 1 (a sheet that adds up). Knows nothing of any one game.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import get_type_hints

import msgspec

from scoring.events.reading import unknown_seat
from scoring.messages import Message, Seat, say
from scoring.problems import MOST_SHOWN, Problem, Shown, shown
from scoring.rules.cards import CardsRejected, parse_cards, write_cards
from scoring.rules.variants.western.entry import CountedSheet, HouseOfHands, hand_count
from scoring.structs import unknown_names


def seats_on_sheet_problems(
    playing: Sequence[str], named: Mapping[str, str | None], listed: Iterable[str]
) -> list[Problem]:
    """Seats that are out, or have left, and are on a sheet."""
    seat_fields = [(field, seat) for field, seat in named.items() if seat is not None]
    seat_fields += [("counts", seat) for seat in dict.fromkeys(listed) if seat not in named.values()]
    problems: list[Problem] = []
    for field, seat in seat_fields:
        if seat not in playing:
            detail = say("{seat} is out, or does not play this deal, and cannot score", seat=Seat(seat))
            problems.append(Problem("seat_is_out", detail, field=field))
    return problems


def counted_problems(
    playing: Sequence[str], sheet: CountedSheet, most: int, count: Callable[[str], int]
) -> list[Problem]:
    """The seat that went out holds nothing; every other holds at least one card, and no more than a hand can cost."""
    problems: list[Problem] = []
    for seat in playing:
        if seat == sheet.out:
            problems += _out_problems(seat, sheet)
        elif seat not in sheet.counts and seat not in sheet.hands:
            detail = say("{seat} did not go out, but no hand points were entered", seat=Seat(seat))
            problems.append(Problem("missing_count", detail, field="counts"))
        elif seat in sheet.counts and seat in sheet.hands:
            problems += count_and_cards(seat, "counts", sheet.counts[seat])
        else:
            problems += size_problems(seat, count(seat), most)
    return problems


def count_and_cards(seat: str, field: str, number: int | None) -> list[Problem]:
    """A number beside the cards that it is counted from."""
    if number is None:
        return []
    detail = say(
        "{seat} has cards and {number} hand points: enter one of the two",
        seat=Seat(seat),
        number=number,
    )
    return [Problem("count_and_cards", detail, field=field)]


def dealt_problems(sheet: CountedSheet, options: HouseOfHands, seats: Sequence[str]) -> list[Problem]:
    """Counts impossible with so many cards for each seat: a hand too long or too expensive, or their sum."""
    playing = sheet.counts.keys() | sheet.hands.keys() | ({sheet.out} if sheet.out else set())
    hand_size = options.cards_each(len(playing))
    problems: list[Problem] = []
    for seat, cards_text in sheet.hands.items():
        if len(cards := parse_cards(cards_text, "hands")) > hand_size:
            detail = say(
                "{seat} holds {number} cards, but only {of} were dealt",
                seat=Seat(seat),
                number=len(cards),
                of=hand_size,
            )
            problems.append(Problem("too_many_cards", detail, field="hands"))
    counts = {seat: hand_count(sheet, options, seat) for seat in seats}
    most = options.dearest(hand_size)
    problems += [problem for seat, count in counts.items() if count for problem in size_problems(seat, count, most)]
    losing = [count for count in counts.values() if count]
    all_of_it = options.dearest(hand_size * len(losing))
    if not problems and sum(losing) > all_of_it:
        detail = say(
            "the counts make {sum}; {of} hands of {number} cards never make more than {most}",
            sum=sum(losing),
            of=len(losing),
            number=hand_size,
            most=all_of_it,
        )
        problems.append(Problem("count_over_cap", detail, field="counts"))
    return problems


def size_problems(seat: str, count: int, most: int) -> list[Problem]:
    """A count of a hand that still holds cards."""
    if count == 0:
        detail = say("{seat} has 0, but only a seat that went out holds no card", seat=Seat(seat))
        return [Problem("count_is_zero", detail, field="counts")]
    if count > most:
        detail = say(
            "{seat} has {number}; a hand never costs more than {most} here", seat=Seat(seat), number=count, most=most
        )
        return [Problem("count_over_cap", detail, field="counts")]
    return []


def _out_problems(seat: str, sheet: CountedSheet) -> list[Problem]:
    if seat in sheet.hands:
        detail = say("{seat} went out, but the sheet has cards left for that seat", seat=Seat(seat))
        return [Problem("winner_has_points", detail, field="hands")]
    if sheet.counts.get(seat):
        detail = say("{seat} went out, so 0; the sheet says {number}", seat=Seat(seat), number=sheet.counts[seat])
        return [Problem("winner_has_points", detail, field="counts")]
    return []


# Reading the deal sheets of the Western games from untrusted JSON: all problems with a form at once.


MOST_ENTRIES = 20
MOST_NUMBER = 1_000_000
MOST_CARDS_TEXT = 300


class Reader:
    """Reads a sheet field by field and collects the problems with each, so that all can be reported together."""

    def __init__(self, raw: Mapping[str, object], seats: Sequence[str], fields: Iterable[str]) -> None:
        self.raw, self.seats = raw, seats
        self.problems = [_unknown_field(str(name)) for name in unknown_names(raw, set(fields))]

    def has_problem_with(self, field: str) -> bool:
        """Whether a field was there but could not be read."""
        return any(problem.field == field for problem in self.problems)

    def require(self, field: str) -> None:
        """A field that must be there, if only as null."""
        if field not in self.raw:
            detail = say("a deal of this game needs the field {name}", name=repr(field))
            self.problems.append(Problem("missing_field", detail, field=field))

    def seat(self, field: str) -> str | None:
        """A seat of the table, or None."""
        return self.seat_value(field, self.raw.get(field))

    def seat_value(self, field: str, value: object) -> str | None:
        """A value that must be a seat of the table, or None."""
        if value is None or (isinstance(value, str) and value in self.seats):
            return value
        self.problems.append(unknown_seat(value, field, self.seats))
        return None

    def flag(self, field: str) -> bool:
        """A boolean; false where nothing is given."""
        value = self.raw.get(field)
        if value is not None and not isinstance(value, bool):
            self.problems.append(_wrong_type(field, value, say("true or false")))
        return value is True

    def choice(self, field: str, choices: Sequence[str]) -> str | None:
        """One of the words that a field allows, or None."""
        value = self.raw.get(field)
        if value is None or (isinstance(value, str) and value in choices):
            return value
        detail = say(
            "{name} cannot be {what}; use one of {list}", name=field, what=shown(value), list=", ".join(choices)
        )
        self.problems.append(Problem("not_a_choice", detail, field=field))
        return None

    def number(self, field: str) -> int | None:
        """A number of 0 or more, or None."""
        value = self.raw.get(field)
        return None if value is None else self._number(field, value)

    def numbers(self, field: str) -> dict[str, int]:
        """A number for each seat that is named, in table order."""
        number_by_seat = {seat: self._number(field, value, seat) for seat, value in self._by_seat(field).items()}
        return {seat: number for seat, number in number_by_seat.items() if number is not None}

    def hands(self, field: str, where: Message | str = "") -> dict[str, str]:
        """Cards for each named seat, in stored notation. `where` names their place in messages."""
        cards_by_seat = {seat: self._cards(field, value, seat, where) for seat, value in self._by_seat(field).items()}
        return {seat: cards for seat, cards in cards_by_seat.items() if cards}

    def groups(self, field: str) -> dict[str, tuple[str, ...]]:
        """Groups of cards for each seat that is named."""
        groups_by_seat = {seat: self._groups(field, value, seat) for seat, value in self._by_seat(field).items()}
        return {seat: groups for seat, groups in groups_by_seat.items() if groups}

    def cards_of(self, field: str, seat: str | None, where: Message) -> str:
        """Cards that are given once; `seat` is whose they are."""
        value = self.raw.get(field)
        return "" if value is None else self._cards(field, value, seat, where) or ""

    def groups_of(self, field: str, seat: str | None) -> tuple[str, ...]:
        """Groups of cards that are given once; `seat` is whose they are."""
        value = self.raw.get(field)
        return () if value is None else self._groups(field, value, seat)

    def groups_of_winner(self, field: str) -> tuple[str, ...]:
        """Groups of cards of the seat that went out."""
        return self.groups_of(field, next((seat for seat in self.seats if seat == self.raw.get("out")), None))

    def listed(self, field: str) -> tuple[str, ...]:
        """Seats named in a list, in table order."""
        value = self.raw.get(field)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) > MOST_ENTRIES:
            self.problems.append(_wrong_type(field, value, say("a list of seats")))
            return ()
        self.problems += [unknown_seat(seat, field, self.seats) for seat in value if seat not in self.seats]
        return tuple(seat for seat in self.seats if seat in value)

    def _by_seat(self, field: str) -> dict[str, object]:
        value = self.raw.get(field)
        if value is None:
            return {}
        if not isinstance(value, Mapping) or len(value) > MOST_ENTRIES:
            self.problems.append(_wrong_type(field, value, say("an object with one entry for each seat")))
            return {}
        self.problems += [unknown_seat(seat, field, self.seats) for seat in value if seat not in self.seats]
        return {seat: value[seat] for seat in self.seats if seat in value}

    def _number(self, field: str, value: object, seat: str | None = None) -> int | None:
        if isinstance(value, bool) or not isinstance(value, int):
            self.problems.append(_wrong_type(field, value, say("a whole number"), seat))
        elif value < 0:
            detail = _negative(field, shown(value), seat)
            self.problems.append(Problem("negative_count", detail, seat=seat, field=field))
        elif value > MOST_NUMBER:
            detail = _too_much(field, shown(value), seat)
            self.problems.append(Problem("out_of_range", detail, seat=seat, field=field))
        else:
            return value
        return None

    def _groups(self, field: str, value: object, seat: str | None) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) > MOST_ENTRIES:
            self.problems.append(_wrong_type(field, value, say("a list of groups of cards"), seat))
            return ()
        group_texts = [
            self._cards(field, group, seat, say("group {number}", number=number))
            for number, group in enumerate(value, start=1)
        ]
        return tuple(filter(None, group_texts))

    def _cards(self, field: str, value: object, seat: str | None, where: Message | str = "") -> str | None:
        if isinstance(value, str) and len(value) > MOST_CARDS_TEXT:
            detail = _of_seat(say("that is more than a hand of cards"), seat)
            self.problems.append(Problem("too_many_cards", detail, seat=seat, field=field))
            return None
        try:
            return write_cards(parse_cards(value, field, where))
        except CardsRejected as refused:
            self.problems += [problem.of_seat(seat, field) if seat else problem for problem in refused.problems]
            return None


@lru_cache(maxsize=16)
def readers(sheet: type[msgspec.Struct]) -> Mapping[str, Callable[[Reader, str], object]]:
    """How each field of a sheet is read, by its annotation."""
    return {name: hint.__metadata__[0] for name, hint in get_type_hints(sheet, include_extras=True).items()}


def _negative(field: str, what: Shown, seat: str | None) -> Message:
    if seat is None:
        return say("{name} is {what}; it cannot be negative", name=field, what=what)
    return say("{name} of {seat} is {what}; it cannot be negative", name=field, seat=Seat(seat), what=what)


def _too_much(field: str, what: Shown, seat: str | None) -> Message:
    if seat is None:
        return say("{name} is {what}; no deal is worth as much", name=field, what=what)
    return say("{name} of {seat} is {what}; no deal is worth as much", name=field, seat=Seat(seat), what=what)


def _wrong_type(field: str, value: object, wanted: Message, seat: str | None = None) -> Problem:
    detail = say("{name} cannot be {what}: {kind} is needed", name=field, what=shown(value), kind=wanted)
    return Problem("wrong_type", _of_seat(detail, seat), seat=seat, field=field)


def _of_seat(why: Message, seat: str | None) -> Message:
    return say("{seat}: {why}", seat=Seat(seat), why=why) if seat else why


def _unknown_field(name: str) -> Problem:
    name = name[:MOST_SHOWN]
    return Problem("unknown_field", say("a deal of this game has no field {name}", name=repr(name)), field=name)
