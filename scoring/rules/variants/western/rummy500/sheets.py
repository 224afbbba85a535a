"""One deal of Rummy 500 as it is on a sheet, in numbers or in cards: its score, and the problems with it.

Rules: docs/rules/rummy500.md, section 1 and "Values". Jokers are in the places where they were laid. Knows nothing of
what wins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from scoring.messages import Message, Seat, say, say_many, words
from scoring.problems import Problem
from scoring.rules.cards import ACE, RANK_COUNT, Card, parse_cards, write_cards
from scoring.rules.hands.judging import GroupRuled
from scoring.rules.hands.words import Face, faces
from scoring.rules.table.fields import PlainSheet, SeatMark, SheetField
from scoring.rules.table.questions import (
    WAITING,
    Asked,
    CardField,
    CardJudge,
    CardRuling,
    Cards,
    as_asked,
    beyond_packs,
    group_message,
    meld_problems,
    one,
    points_message,
    priced,
)
from scoring.rules.variants.western.checks import Reader, count_and_cards
from scoring.rules.variants.western.entry import figure_fault, figure_of, hand_worth, nobody_out
from scoring.rules.variants.western.rummy500.laying_off import Offered, misfits
from scoring.rules.variants.western.rummy500.options import Rummy500Options, rummy500_score, rummy500_values


def ruled(options: Rummy500Options, asked: Asked) -> CardRuling:
    """The score of a deal, or what is wrong with a meld or with a card laid off: all melds on the table are given."""
    others = asked.get("others", ())
    own = {name: cards for name, cards in asked.items() if name != "others"}
    other_rulings = [
        _meld(options, say("Other meld {number}", number=number), meld) for number, meld in enumerate(others, 1)
    ]
    if wrong := beyond_packs(asked, packs=options.packs, jokers=options.jokers):
        ruling = replace(wrong, groups=_melds(options, own))
    elif any(group.why for group in other_rulings):
        ruling = CardRuling(tone="bad", title=say("This cannot be laid down"), groups=_melds(options, own))
    else:
        ruling = ruled_on_sheet(options, own)
    if ruling.tone == "good" and (unfit := lay_off_faults(options, [*own.get("meld", ()), *others], {"": own})):
        ruling = not_laid_off(ruling, unfit[""])
    ruling = replace(ruling, groups=[*ruling.groups, *other_rulings])
    if ruling.tone != "good":
        return ruling
    melded, hand_points = melded_value(options, own), options.card_values.total(one(own, "hand"))
    title = say("{melded} melded, {left} in hand: {score}", melded=melded, left=hand_points, score=melded - hand_points)
    return replace(ruling, title=title, number=melded - hand_points)


def ruled_on_sheet(options: Rummy500Options, asked: Asked) -> CardRuling:
    """The value of a seat's cards: parts that are not given as cards may be on the sheet as numbers."""
    melds, laid, low, hand = asked.get("meld", ()), one(asked, "laid_off"), one(asked, "low"), one(asked, "hand")
    if not (melds or laid or low or hand):
        return WAITING
    meld_rulings = _melds(options, asked)
    if any(group.why for group in meld_rulings):
        return CardRuling(tone="bad", title=say("This cannot be laid down"), groups=meld_rulings)
    if why := low_fault(low):
        return CardRuling(tone="bad", title=why, groups=meld_rulings)
    melded, hand_points = melded_value(options, asked), options.card_values.total(hand)
    counts = [say("{points} melded", points=points_message(melded))] if melds or laid or low else []
    counts += [say("{points} in hand", points=points_message(hand_points))] if hand else []
    return CardRuling(
        tone="good",
        title=counts[0],
        number=melded if melds or laid or low else hand_points,
        reasons=counts[1:],
        groups=[*meld_rulings, *_laid_off(options, laid, low)],
        loose=priced(hand, options.card_values),
    )


def not_laid_off(ruling: CardRuling, why: Message) -> CardRuling:
    """The ruling on cards that were good but for those laid off, which are the last of its groups."""
    *melds, laid = ruling.groups
    groups = [*melds, replace(laid, kind="", why=why)]
    return replace(ruling, tone="bad", title=say("This cannot be laid off"), number=None, reasons=(), groups=groups)


def hand_on_sheet(options: Rummy500Options, asked: Asked) -> tuple[list[GroupRuled], list[Face]]:
    """A seat's melds and lay-offs of a saved deal, each with what it counted, and the cards left."""
    groups = [
        GroupRuled(title=group_message(number), kind=points_message(meld_value(options, meld)), faces=faces(meld, None))
        for number, meld in enumerate(asked.get("meld", ()), 1)
    ]
    groups += _laid_off(options, one(asked, "laid_off"), one(asked, "low"))
    return groups, priced(one(asked, "hand"), options.card_values)


def lay_off_faults(options: Rummy500Options, melds: Sequence[Cards], seats: Mapping[str, Asked]) -> dict[str, Message]:
    """For each seat, which of its cards laid off fit none of the melds, which are all that are on the table."""
    # An ace that counts the same above a king and below a two may be entered as either.
    high = None if options.ace_low == rummy500_values(options.values).ace else False
    offered = []
    for seat, cards_by_field in seats.items():
        offered += [Offered(seat, card, is_low=high) for card in one(cards_by_field, "laid_off")]
        offered += [Offered(seat, card, is_low=True) for card in one(cards_by_field, "low")]
    unfit: dict[str, list[Card]] = {}
    for misfit in misfits(melds, offered):
        unfit.setdefault(misfit.seat, []).append(misfit.card)
    return {
        seat: say_many(
            "{cards} fits no meld on the table",
            "{cards} fit no meld on the table",
            count=len(cards),
            cards=write_cards(cards),
        )
        for seat, cards in unfit.items()
    }


def melded_value(options: Rummy500Options, asked: Asked) -> int:
    """The value of melds and cards laid off together."""
    low = one(asked, "low")
    values = rummy500_values(options.values, joker=options.joker_value)
    laid = rummy500_score(
        [*one(asked, "laid_off"), *low], (), values=values, low_aces=len(low), ace_low=options.ace_low
    )
    return laid + sum(meld_value(options, meld) for meld in asked.get("meld", ()))


def fault(meld: Cards) -> Message | str:
    """Why the cards are no meld; empty where they are one."""
    return figure_fault(meld)


def low_fault(low: Cards) -> Message | None:
    """Why the cards are not below a two."""
    return say("Only aces can lie below a two") if any(card.rank != ACE for card in low) else None


def meld_value(options: Rummy500Options, meld: Cards) -> int:
    """The value of one meld; a joker counts its own value, or that of the card that it replaces."""
    figure = figure_of(meld)
    if figure is None:
        return 0
    values = rummy500_values(options.values, joker=options.joker_value)
    if options.joker_melded == "replaced_card":
        return sum(options.ace_low if place == ACE else values.of_rank(place % RANK_COUNT) for place in figure.places)
    low = sum(card.rank == ACE for card in meld) if figure.places[0] == ACE else 0
    return rummy500_score(meld, (), values=values, low_aces=low, ace_low=options.ace_low)


def _melds(options: Rummy500Options, asked: Asked) -> list[GroupRuled]:
    return [_meld(options, group_message(number), meld) for number, meld in enumerate(asked.get("meld", ()), 1)]


def _meld(options: Rummy500Options, title: Message, meld: Cards) -> GroupRuled:
    why = fault(meld)
    kind = "" if why else points_message(meld_value(options, meld))
    return GroupRuled(title=title, kind=kind, faces=faces(meld, None), why=why)


def _laid_off(options: Rummy500Options, laid: Cards, low: Cards) -> list[GroupRuled]:
    if not laid and not low:
        return []
    points = points_message(melded_value(options, {"laid_off": (laid,), "low": (low,)}))
    return [GroupRuled(title=say("Laid off"), kind=points, faces=faces([*laid, *low], None))]


JUDGE: CardJudge[Rummy500Options] = CardJudge(
    lead="Rummy 500: lay down what was melded and what is left in hand, and read the score of the deal.",
    fields=(
        CardField(name="meld", title="Melds", help="Jokers where they lie", is_many=True),
        CardField(name="laid_off", title="Laid off on other melds"),
        CardField(name="low", title="Aces laid off below a two"),
        CardField(
            name="others", title="Melds of other players", help="Those that cards were laid off on", is_many=True
        ),
        CardField(name="hand", title="Cards in hand"),
    ),
    options=("values", "ace_in_hand", "ace_low", "joker_value", "joker_melded", "packs", "jokers_per_pack"),
    example={"meld": ("AS 2S 3S", "KH KD PJ"), "laid_off": ("7C",), "others": ("4C 5C 6C",), "hand": ("9D AC",)},
    rule=ruled,
)


def _cards_laid_off(reader: Reader, field: str) -> dict[str, str]:
    return reader.hands(field, say("the cards laid off"))


class Rummy500Sheet(PlainSheet, frozen=True, kw_only=True, omit_defaults=True):
    """One deal: who went out (null if the stock ran out), what each seat melded, and what it still holds.

    Instead of `melded` there may be cards: `melds`, `laid_off`, and as `low_aces` the aces below a two; instead of
    `in_hand` there may be `hands`.
    """

    out: Annotated[str | None, Reader.seat]
    melded: Annotated[dict[str, int], Reader.numbers] = {}
    in_hand: Annotated[dict[str, int], Reader.numbers] = {}
    hands: Annotated[dict[str, str], Reader.hands] = {}
    dealer: Annotated[str | None, Reader.seat] = None
    melds: Annotated[dict[str, tuple[str, ...]], Reader.groups] = {}
    laid_off: Annotated[dict[str, str], _cards_laid_off] = {}
    low_aces: Annotated[dict[str, str], _cards_laid_off] = {}

    def marks(self) -> dict[str, SeatMark]:
        seats = {*self.melded, *self.in_hand, *self.hands, *self.in_melds}
        return {seat: self._mark(seat) for seat in sorted(seats | ({self.out} if self.out is not None else set()))}

    @property
    def in_melds(self) -> tuple[str, ...]:
        """The seats whose melds are given as cards."""
        return tuple(dict.fromkeys((*self.melds, *self.laid_off, *self.low_aces)))

    def melded_cards(self, seat: str) -> tuple[str, ...]:
        """What a seat melded and laid off, group by group."""
        laid = (self.laid_off.get(seat, ""), self.low_aces.get(seat, ""))
        return (*self.melds.get(seat, ()), *filter(None, laid))

    def remarks(self) -> tuple[Message, ...]:
        return nobody_out(self.out)

    def _mark(self, seat: str) -> SeatMark:
        """What a seat melded, and what it holds or that it went out."""
        melded, hand_points, cards = self.melded.get(seat, 0), self.in_hand.get(seat, 0), self.hands.get(seat, "")
        if groups := self.melded_cards(seat):
            return self._mark_in_cards(seat, groups)
        if seat == self.out:
            title = say("Went out, melded {points}", points=melded)
            return SeatMark(how="out", title=title, short=say("out"), is_win=True)
        hand_text = say("cards in hand") if cards else say("{number} in hand", number=hand_points)
        short = say("{number}, cards", number=melded) if cards else Message(f"{melded}\u2212{hand_points}")
        title = say("Melded {points}, {word}", points=melded, word=hand_text)
        return SeatMark(how="held", title=title, short=short, loose=cards)

    def _mark_in_cards(self, seat: str, groups: tuple[str, ...]) -> SeatMark:
        if seat == self.out:
            return SeatMark(how="out", title=say("Went out"), short=say("out"), groups=groups, is_win=True)
        hand_points, cards = self.in_hand.get(seat, 0), self.hands.get(seat, "")
        title = say("Melded") if cards else say("{number} in hand, melded", number=hand_points)
        return SeatMark(how="held", title=title, short=say("cards"), groups=groups, loose=cards)


MELDS_IN_CARDS = (
    SheetField(
        ("melds",),
        words("Melds"),
        "groups",
        per_seat=True,
        is_rare=True,
        judged_as="meld",
        help=words("Instead of a number: the melds as they lie, jokers in their places"),
    ),
    SheetField(
        ("laid_off",),
        words("Laid off on other melds"),
        "cards",
        per_seat=True,
        is_rare=True,
        judged_as="laid_off",
        help=words("Cards put to melds that lay there before"),
    ),
    SheetField(
        ("low_aces",),
        words("Aces laid off below a two"),
        "cards",
        per_seat=True,
        is_rare=True,
        judged_as="low",
        help=words("They count as an ace before the two"),
    ),
)


def cards_of(sheet: Rummy500Sheet, seat: str) -> Asked:
    """The cards of a seat in the form that the judge reads."""
    melds, laid, low = sheet.melds.get(seat, ()), sheet.laid_off.get(seat, ""), sheet.low_aces.get(seat, "")
    return as_asked(meld=melds, laid_off=laid, low=low, hand=sheet.hands.get(seat, ""))


def melded_by(sheet: Rummy500Sheet, options: Rummy500Options, seat: str) -> int:
    """The value of what a seat melded, as it was entered or as the cards count; 0 where neither was."""
    return melded_value(options, cards_of(sheet, seat)) if seat in sheet.in_melds else sheet.melded.get(seat, 0)


def hand_value(sheet: Rummy500Sheet, options: Rummy500Options, seat: str) -> int:
    """The value of a seat's hand; 0 for the seat that went out, and where it was not entered."""
    if seat in sheet.hands:
        return hand_worth(sheet.hands[seat], options)
    return sheet.in_hand.get(seat, 0)


def seat_problems(options: Rummy500Options, sheet: Rummy500Sheet, seat: str) -> list[Problem]:
    """Every seat has a number for its melds, and, unless it went out, one for its hand."""
    problems: list[Problem] = []
    if seat in sheet.in_melds:
        problems += count_and_cards(seat, "melded", sheet.melded.get(seat))
    elif seat not in sheet.melded:
        detail = say("{seat}: what was melded is missing; enter 0 for nothing", seat=Seat(seat))
        problems.append(Problem("missing_count", detail, field="melded"))
    has_number, has_cards, hand_points = seat in sheet.in_hand, seat in sheet.hands, hand_value(sheet, options, seat)
    if seat == sheet.out and (hand_points or has_cards):
        detail = say(
            "{seat} went out, so nothing in hand; the sheet says {number}", seat=Seat(seat), number=hand_points
        )
        problems.append(Problem("winner_has_points", detail, field="in_hand"))
    elif has_number and has_cards:
        detail = say(
            "{seat} has cards and a number of {number}: enter one of the two",
            seat=Seat(seat),
            number=sheet.in_hand[seat],
        )
        problems.append(Problem("count_and_cards", detail, field="in_hand"))
    elif seat != sheet.out and not has_number and not has_cards:
        detail = say("{seat} did not go out, but what is in hand is missing", seat=Seat(seat))
        problems.append(Problem("missing_count", detail, field="in_hand"))
    elif seat != sheet.out and not hand_points and not options.floating:
        detail = say("{seat} has 0 in hand, but only a seat that went out, or floats, holds no card", seat=Seat(seat))
        problems.append(Problem("count_is_zero", detail, field="in_hand"))
    return problems


def meld_card_problems(sheet: Rummy500Sheet) -> list[Problem]:
    """Cards of a new sheet that are no melds."""
    problems: list[Problem] = []
    for seat in sheet.in_melds:
        problems += meld_problems(sheet.melds.get(seat, ()), fault, seat=seat, field="melds")
        if why := low_fault(parse_cards(sheet.low_aces.get(seat, ""), "low_aces")):
            problems.append(Problem("not_a_meld", say("{seat}: {why}", seat=Seat(seat), why=why), field="low_aces"))
    return problems


def lay_off_problems(options: Rummy500Options, sheet: Rummy500Sheet) -> list[Problem]:
    """Where all melds of a new sheet are given as cards: those laid off that fit none of them."""
    if any(sheet.melded.values()) or meld_card_problems(sheet):
        return []
    seats = {seat: cards_of(sheet, seat) for seat in sheet.in_melds}
    unfit = lay_off_faults(
        options, [meld for cards_by_field in seats.values() for meld in cards_by_field["meld"]], seats
    )
    return [
        Problem(
            "not_a_meld",
            say("{seat}: {why}", seat=Seat(seat), why=why),
            seat=seat,
            field="laid_off" if seat in sheet.laid_off else "low_aces",
        )
        for seat, why in unfit.items()
    ]


def melded_problems(options: Rummy500Options, sheet: Rummy500Sheet) -> list[Problem]:
    """Values of a new sheet that no cards have: below every card, or below every meld where nobody else has one."""
    melded = {seat: melded_by(sheet, options, seat) for seat in dict.fromkeys((*sheet.melded, *sheet.in_melds))}
    if sheet.out is not None and melded.get(sheet.out) == 0:
        detail = say(
            "{seat} went out with nothing melded: enter what was laid down, or who else went out", seat=Seat(sheet.out)
        )
        return [Problem("nothing_melded", detail, field="melded")]
    has_meld = any(number >= options.least_meld for number in melded.values())
    least = options.least_card if has_meld else options.least_meld
    problems: list[Problem] = []
    for seat, number in melded.items():
        if 0 < number < least and seat not in sheet.in_melds:
            detail = say(
                "{seat} melded {number}, but nothing on the table counts less than {least}",
                seat=Seat(seat),
                number=number,
                least=least,
            )
            problems.append(Problem("out_of_range", detail, field="melded"))
    return problems


def pack_problems(options: Rummy500Options, sheet: Rummy500Sheet) -> list[Problem]:
    """All cards on the table and in the hands must be in the packs in play."""
    melded = sum(melded_by(sheet, options, seat) for seat in dict.fromkeys((*sheet.melded, *sheet.in_melds)))
    hand_points = sum(hand_value(sheet, options, seat) for seat in sheet.in_hand.keys() | sheet.hands.keys())
    if melded + hand_points <= options.worth_of_packs:
        return []
    detail = say(
        "{number} melded and {of} in hand: the packs in play hold {most}",
        number=melded,
        of=hand_points,
        most=options.worth_of_packs,
    )
    return [Problem("count_over_cap", detail, field="melded")]
