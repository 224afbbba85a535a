"""One deal of Rummy 500 as it stands on a sheet, in numbers or in cards, and what the rules find wrong with it.

Rules: docs/rules/rummy500.md, section 1. Knows nothing of what wins.
"""

from functools import lru_cache

import msgspec

from scoring.messages import Message, Seat, say, words
from scoring.problems import Problem
from scoring.rules.cards import parse_cards
from scoring.rules.table.fields import SeatMark, SheetField
from scoring.rules.table.questions import Asked, as_asked, meld_problems
from scoring.rules.variants.western.checks import count_and_cards
from scoring.rules.variants.western.entry import nobody_out
from scoring.rules.variants.western.rummy500.judging import fault, low_fault, melded_value
from scoring.rules.variants.western.rummy500.options import Rummy500Options


class Rummy500Sheet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One deal: who went out (nobody where the stock ran out), what each seat melded, and what it still holds.

    Either may stand there as cards: `melds`, what was `laid_off` and aces below a two (`low_aces`); `hands`.
    """

    out: str | None
    melded: dict[str, int] = {}
    in_hand: dict[str, int] = {}
    hands: dict[str, str] = {}
    dealer: str | None = None
    melds: dict[str, tuple[str, ...]] = {}
    laid_off: dict[str, str] = {}
    low_aces: dict[str, str] = {}

    @property
    def keeps_dealer(self) -> bool:
        return False

    def marks(self) -> dict[str, SeatMark]:
        seats = {*self.melded, *self.in_hand, *self.hands, *self.in_melds}
        return {seat: self._mark(seat) for seat in sorted(seats | ({self.out} if self.out is not None else set()))}

    @property
    def in_melds(self) -> tuple[str, ...]:
        """The seats whose melds stand there as cards."""
        return tuple(dict.fromkeys((*self.melds, *self.laid_off, *self.low_aces)))

    def melded_cards(self, seat: str) -> tuple[str, ...]:
        """What a seat melded and laid off, group by group."""
        laid = (self.laid_off.get(seat, ""), self.low_aces.get(seat, ""))
        return (*self.melds.get(seat, ()), *filter(None, laid))

    def remarks(self) -> tuple[Message, ...]:
        return nobody_out(self.out)

    def _mark(self, seat: str) -> SeatMark:
        """What a seat melded, and what it holds or that it went out."""
        melded, held, cards = self.melded.get(seat, 0), self.in_hand.get(seat, 0), self.hands.get(seat, "")
        if groups := self.melded_cards(seat):
            return self._mark_in_cards(seat, groups)
        if seat == self.out:
            title = say("Went out, melded {points}", points=melded)
            return SeatMark(how="out", title=title, short=say("out"), is_win=True)
        left = say("cards in hand") if cards else say("{number} in hand", number=held)
        short = say("{number}, cards", number=melded) if cards else Message(f"{melded}\u2212{held}")
        title = say("Melded {points}, {word}", points=melded, word=left)
        return SeatMark(how="held", title=title, short=short, loose=cards)

    def _mark_in_cards(self, seat: str, groups: tuple[str, ...]) -> SeatMark:
        if seat == self.out:
            return SeatMark(how="out", title=say("Went out"), short=say("out"), groups=groups, is_win=True)
        held, cards = self.in_hand.get(seat, 0), self.hands.get(seat, "")
        title = say("Melded") if cards else say("{number} in hand, melded", number=held)
        return SeatMark(how="held", title=title, short=say("cards"), groups=groups, loose=cards)


MELDS_IN_CARDS = (
    SheetField(
        path=("melds",),
        title=words("Melds"),
        kind="groups",
        per_seat=True,
        is_rare=True,
        judged_as="meld",
        help=words("Instead of a number: the melds as they lie, jokers in their places"),
    ),
    SheetField(
        path=("laid_off",),
        title=words("Laid off on other melds"),
        kind="cards",
        per_seat=True,
        is_rare=True,
        judged_as="laid_off",
        help=words("Cards put to melds that lay there before"),
    ),
    SheetField(
        path=("low_aces",),
        title=words("Aces laid off below a two"),
        kind="cards",
        per_seat=True,
        is_rare=True,
        judged_as="low",
        help=words("They count as an ace before the two"),
    ),
)


def cards_of(sheet: Rummy500Sheet, seat: str) -> Asked:
    """The cards of a seat as the judge is asked."""
    melds, laid, low = sheet.melds.get(seat, ()), sheet.laid_off.get(seat, ""), sheet.low_aces.get(seat, "")
    return as_asked(meld=melds, laid_off=laid, low=low, hand=sheet.hands.get(seat, ""))


def melded_by(sheet: Rummy500Sheet, options: Rummy500Options, seat: str) -> int:
    """What a seat melded, as it was entered or as the cards count; 0 where neither was."""
    return melded_value(options, cards_of(sheet, seat)) if seat in sheet.in_melds else sheet.melded.get(seat, 0)


def hand_value(sheet: Rummy500Sheet, options: Rummy500Options, seat: str) -> int:
    """What a seat holds; 0 for whoever went out, and where it was not entered."""
    if seat in sheet.hands:
        return _value(sheet.hands[seat], options)
    return sheet.in_hand.get(seat, 0)


@lru_cache(maxsize=4096)
def _value(cards: str, options: Rummy500Options) -> int:
    return options.card_values.total(parse_cards(cards, "hands"))


def seat_problems(options: Rummy500Options, sheet: Rummy500Sheet, seat: str) -> list[Problem]:
    """Every seat has a number for its melds, and, unless it went out, one for its hand."""
    problems: list[Problem] = []
    if seat in sheet.in_melds:
        problems += _meld_problems(sheet, seat)
    elif seat not in sheet.melded:
        detail = say("{seat}: what was melded is missing; enter 0 for nothing", seat=Seat(seat))
        problems.append(Problem(code="missing_count", seat=seat, field="melded", detail=detail))
    has_number, has_cards, held = seat in sheet.in_hand, seat in sheet.hands, hand_value(sheet, options, seat)
    if seat == sheet.out and (held or has_cards):
        detail = say("{seat} went out, so nothing in hand; the sheet says {number}", seat=Seat(seat), number=held)
        problems.append(Problem(code="winner_has_points", seat=seat, field="in_hand", detail=detail))
    elif has_number and has_cards:
        detail = say(
            "{seat} has cards and a number of {number}: enter one of the two",
            seat=Seat(seat),
            number=sheet.in_hand[seat],
        )
        problems.append(Problem(code="count_and_cards", seat=seat, field="in_hand", detail=detail))
    elif seat != sheet.out and not has_number and not has_cards:
        detail = say("{seat} did not go out, but what is in hand is missing", seat=Seat(seat))
        problems.append(Problem(code="missing_count", seat=seat, field="in_hand", detail=detail))
    elif seat != sheet.out and not held and not options.floating:
        detail = say("{seat} has 0 in hand, but only a seat that went out, or floats, holds no card", seat=Seat(seat))
        problems.append(Problem(code="count_is_zero", seat=seat, field="in_hand", detail=detail))
    return problems


def _meld_problems(sheet: Rummy500Sheet, seat: str) -> list[Problem]:
    """Cards that are no melds, or that stand beside a number."""
    problems = meld_problems(sheet.melds.get(seat, ()), fault, seat=seat, field="melds")
    if why := low_fault(parse_cards(sheet.low_aces.get(seat, ""), "low_aces")):
        detail = say("{seat}: {why}", seat=Seat(seat), why=why)
        problems.append(Problem(code="not_a_meld", seat=seat, field="low_aces", detail=detail))
    return problems + count_and_cards(seat, "melded", sheet.melded.get(seat))


def pack_problems(options: Rummy500Options, sheet: Rummy500Sheet) -> list[Problem]:
    """All cards on the table and in the hands come out of the packs in play."""
    melded = sum(melded_by(sheet, options, seat) for seat in dict.fromkeys((*sheet.melded, *sheet.in_melds)))
    held = sum(hand_value(sheet, options, seat) for seat in sheet.in_hand.keys() | sheet.hands.keys())
    if melded + held <= options.worth_of_packs:
        return []
    detail = say(
        "{number} melded and {of} in hand: the packs in play hold {most}",
        number=melded,
        of=held,
        most=options.worth_of_packs,
    )
    return [Problem(code="count_over_cap", field="melded", detail=detail)]
