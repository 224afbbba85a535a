"""Reading and checking gin sheets: who knocked, with how much deadwood, against whom.

Rules: docs/rules/gin.md, sections 1 (what is entered) and 3 (knock limits). Knows nothing of games or boxes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import msgspec

from scoring.messages import Message, Seat, say, words
from scoring.problems import Problem, shown
from scoring.rules.table.fields import Choice, SheetField
from scoring.rules.variants.western.checks import Reader
from scoring.rules.variants.western.gin.game import ENDINGS, Ending, GinHand, GinSheet
from scoring.rules.variants.western.gin.judging import WITH_BIG_GIN, big_gin_problems, card_problems, cards_knocked
from scoring.rules.variants.western.gin.options import GinOptions, read_upcard

HAND_FIELDS = GinHand.__struct_fields__
SHEET_FIELDS = GinSheet.__struct_fields__
MOST_HANDS = 3
# Two kings, queens, jacks, tens and nines of different suits, none of them in a meld. Sheets with up to 100 were stored
# before this was known.
MOST_DEADWOOD, MOST_STORED = 98, 100
MOST_EXTRA_BOXES = 50
ENDING_WORDS = {"knock": say("a knock"), "gin": say("gin"), "big_gin": say("big gin")}


def read_gin_sheet(raw: Mapping[str, object], seats: Sequence[str]) -> tuple[GinSheet | None, list[Problem]]:
    """A sheet from untrusted JSON: a hand's fields beside the deal's, or with partners a list of hands."""
    reader = Reader(raw, seats, (*SHEET_FIELDS, *(() if "hands" in raw else HAND_FIELDS)))
    problems = reader.problems
    hands: list[GinHand | None]
    if "hands" in raw:
        hands = _read_hands(raw["hands"], seats, problems)
    else:
        hands = [_read_hand({name: raw[name] for name in HAND_FIELDS if name in raw}, seats, problems)]
    upcard = _read_upcard(raw.get("upcard"), problems)
    knocks, dealer = reader.listed("illegal_knocks"), reader.seat("dealer")
    readable_hands = tuple(hand for hand in hands if hand is not None)
    if len(readable_hands) < len(hands) or not readable_hands:
        return None, problems
    return GinSheet(hands=readable_hands, upcard=upcard, illegal_knocks=knocks, dealer=dealer), problems


def gin_problems(options: GinOptions, seats: Sequence[str], sheet: GinSheet) -> list[Problem]:
    """All problems that the rules find with a sheet."""
    problems = _pairing_problems(seats, sheet)
    for hand in sheet.hands:
        problems += _hand_problems(options, hand, sheet.upcard)
    return problems + _upcard_problems(options, sheet)


def gin_fields(options: GinOptions, seats: Sequence[str]) -> tuple[SheetField, ...]:
    """A hand for each pair of opponents; the card turned up where it sets the limit."""
    pairs = len(seats) // 2
    fields = [field for pair in range(pairs) for field in _hand_fields(options, pair, pairs)]
    if options.oklahoma:
        help_text = say("It sets the knock limit; the card, or its rank")
        if options.spades_double != "none":
            help_text = say("It sets the knock limit; the card with its suit: a spade doubles")
        limit = SheetField(("upcard",), words("Card turned up"), "card", is_required=True, help=help_text)
        fields.insert(0, limit)
    knocks = SheetField(
        ("illegal_knocks",),
        words("Knocked over the limit"),
        "seats",
        is_rare=True,
        help=words("Play continued with that hand face up; it is recorded, and scores nothing"),
    )
    return (*fields, knocks, SheetField(("dealer",), words("Dealer"), "seat"))


def _hand_fields(options: GinOptions, pair: int, pairs: int) -> list[SheetField]:
    """One hand: who knocked, how, and the deadwood of both."""
    at = ("hands", pair)
    field = partial(SheetField, group=say("Hand {number}", number=pair + 1) if pairs > 1 else "")
    deadwood_help = words("What is left after laying off; after gin nothing is laid off")
    extra = words("Only boxes agreed on in addition to the house's")
    knocker = field(
        (*at, "knocker"),
        words("Knocked"),
        "seat",
        is_required=True,
        nobody=words("Nobody: the stock ran out"),
        help=words("The player who laid the hand down first"),
    )
    ending = field(
        (*at, "ending"),
        words("How"),
        "choice",
        choices=_ending_choices(options),
        help=words("Empty: a knock, or gin if the knocker has 0"),
    )
    number = partial(field, kind="number")
    defender = field((*at, "defender"), words("Against"), "seat", help=words("Not a partner"))
    return [
        knocker,
        ending,
        number((*at, "knocker_deadwood"), "Deadwood of the knocker", help=_limit_message(options)),
        *((defender,) if pairs > 1 else ()),
        number((*at, "defender_deadwood"), words("Deadwood of the opponent"), help=deadwood_help),
        number((*at, "extra_boxes"), words("Extra boxes"), is_rare=True, help=extra),
        *_card_fields(partial(field, is_rare=True), at),
    ]


def _card_fields(field: partial[SheetField], at: tuple[str, int]) -> Iterator[SheetField]:
    """The cards of both, instead of the two numbers."""
    melds = words("Instead of both numbers: the melds of the knocker as they were laid down")
    yield field((*at, "melds"), words("Melds of the knocker"), "groups", judged_as="meld", help=melds)
    loose = words("What the knocker laid down beside the melds; empty for gin")
    yield field((*at, "loose"), words("Loose cards of the knocker"), "cards", judged_as="deadwood", help=loose)
    cards = words("All ten, before laying off: the best melds and lay-offs are found")
    yield field((*at, "defender_cards"), words("Cards of the opponent"), "cards", judged_as="hand", help=cards)


def _ending_choices(options: GinOptions) -> tuple[Choice, ...]:
    big = (Choice("big_gin", words("Big gin")),) if options.big_gin_bonus is not None else ()
    return (Choice("knock", "Knock"), Choice("gin", words("Gin")), *big)


def _limit_message(options: GinOptions) -> Message:
    """How much deadwood a knocker may have."""
    most = options.knock_max
    if not options.oklahoma:
        return say("{most} at most; 0 for gin", most=most)
    if options.ace_means_gin:
        return say("At most the card turned up, and at most {most}; an ace means gin only", most=most)
    return say("At most the card turned up, and at most {most}; an ace means {points}", most=most, points=1)


def _read_hands(raw: object, seats: Sequence[str], problems: list[Problem]) -> list[GinHand | None]:
    if not isinstance(raw, list | tuple) or not 0 < len(raw) <= MOST_HANDS:
        detail = say("hands must be a list of 1 to {most} hands", most=MOST_HANDS)
        problems.append(Problem("wrong_type", detail, field="hands"))
        return []
    numbered = enumerate(raw, start=1) if len(raw) > 1 else [(0, raw[0])]
    return [_read_hand(hand, seats, problems, number) for number, hand in numbered]


def _read_hand(raw: object, seats: Sequence[str], problems: list[Problem], number: int = 0) -> GinHand | None:
    """One hand; with several hands a problem names which one. None without a readable result."""
    if not isinstance(raw, Mapping):
        detail = say("the hand must be an object, not {what}", what=shown(raw))
        if number:
            detail = say("hand {number} must be an object, not {what}", number=number, what=shown(raw))
        problems.append(Problem("wrong_type", detail, field="hands"))
        return None
    reader = Reader(raw, seats, HAND_FIELDS)
    ending = reader.choice("ending", ENDINGS)
    if ending != "dead":
        reader.require("knocker")
    knocker, defender = reader.seat("knocker"), reader.seat("defender")
    if knocker is not None and defender is None and len(seats) == 2:
        defender = next(seat for seat in seats if seat != knocker)
    deadwood, defender_deadwood, boxes = (
        reader.number(name) for name in ("knocker_deadwood", "defender_deadwood", "extra_boxes")
    )
    melds, loose = reader.groups_of("melds", knocker), reader.cards_of("loose", knocker, say("the loose cards"))
    cards = reader.cards_of("defender_cards", defender, say("the hand"))
    problems += [_in_hand(number, problem) for problem in reader.problems]
    if any(reader.has_problem_with(name) for name in ("knocker", "ending", "defender")):
        return None
    hand = GinHand(
        knocker=knocker,
        defender=defender,
        knocker_deadwood=deadwood,
        defender_deadwood=defender_deadwood,
        extra_boxes=boxes or 0,
        melds=melds,
        loose=loose,
        defender_cards=cards,
    )
    return msgspec.structs.replace(hand, ending=_ending(ending, hand))


def _in_hand(number: int, found: Problem) -> Problem:
    if not number:
        return found
    return replace(found, detail=say("hand {number}: {why}", number=number, why=found.message))


def _ending(given: str | None, hand: GinHand) -> Ending:
    """The ending as given; otherwise no one knocked, or the deadwood distinguishes gin from a knock."""
    for ending in ENDINGS:
        if ending == given:
            return ending
    if hand.knocker is None:
        return "dead"
    if hand.melds and not hand.loose:
        return "big_gin" if len(cards_knocked(hand)) == WITH_BIG_GIN else "gin"
    return "gin" if hand.knocker_deadwood == 0 else "knock"


def _read_upcard(raw: object, problems: list[Problem]) -> str | None:
    upcard = read_upcard(raw)
    if raw is not None and upcard is None:
        detail = say("upcard must be a card or a rank, not {what}", what=shown(raw))
        problems.append(Problem("unknown_card", detail, field="upcard"))
    return upcard


def _pairing_problems(seats: Sequence[str], sheet: GinSheet) -> list[Problem]:
    """Every hand has two opponents; with partners each seat plays one hand."""
    problems: list[Problem] = []
    pairs = len(seats) // 2
    if len(sheet.hands) != pairs:
        detail = say(
            "hands in a deal of {of} seats: {most}; on this sheet: {number}",
            of=len(seats),
            most=pairs,
            number=len(sheet.hands),
        )
        problems.append(Problem("missing_field", detail, field="hands"))
    playing = [seat for hand in sheet.hands for seat in (hand.knocker, hand.defender) if seat is not None]
    problems += [
        Problem("seat_twice", say("{seat} plays one hand in a deal, not two", seat=Seat(seat)), field="hands")
        for seat in dict.fromkeys(playing)
        if playing.count(seat) > 1
    ]
    for hand in sheet.hands:
        if hand.knocker is None or hand.ending == "dead":
            continue
        if hand.defender is None:
            detail = say("{seat} knocked: enter against whom", seat=Seat(hand.knocker))
            problems.append(Problem("missing_field", detail, field="defender"))
        elif seats.index(hand.knocker) % 2 == seats.index(hand.defender) % 2:
            detail = say("{seat} cannot play against this seat: they are partners", seat=Seat(hand.knocker))
            problems.append(Problem("same_side", detail, field="defender"))
    return problems


def _hand_problems(options: GinOptions, hand: GinHand, upcard: str | None) -> list[Problem]:
    if hand.ending == "dead":
        return _dead_problems(hand)
    if hand.knocker is None:
        detail = say("nobody knocked, so this cannot have been {word}", word=ENDING_WORDS[hand.ending])
        return [Problem("no_winner", detail, field="knocker")]
    if problems := card_problems(hand):
        return problems
    problems, defender_deadwood = _knock_problems(options, hand, upcard), hand.deadwood[1]
    if defender_deadwood is None:
        detail = say("what the opponent held after laying off is missing")
        if hand.defender is not None:
            detail = say("what {seat} held after laying off is missing", seat=Seat(hand.defender))
        problems.append(Problem("missing_count", detail, field="defender_deadwood"))
    elif defender_deadwood > MOST_STORED:
        problems.append(_too_much_held(hand.defender, defender_deadwood))
    if hand.extra_boxes > MOST_EXTRA_BOXES:
        detail = say("{number} extra boxes for one hand are too many", number=hand.extra_boxes)
        problems.append(Problem("out_of_range", detail, field="extra_boxes"))
    return problems


def deadwood_problems(sheet: GinSheet) -> list[Problem]:
    """Deadwood on a new sheet that no ten cards have."""
    return [
        _too_much_held(hand.defender, hand.defender_deadwood)
        for hand in sheet.hands
        if hand.defender_deadwood is not None and MOST_DEADWOOD < hand.defender_deadwood <= MOST_STORED
    ]


def _too_much_held(seat: str | None, held: int) -> Problem:
    if seat is None:
        detail = say(
            "the opponent has {number}; ten cards never count more than {most}", number=held, most=MOST_DEADWOOD
        )
    else:
        detail = say(
            "{seat} has {number}; ten cards never count more than {most}",
            seat=Seat(seat),
            number=held,
            most=MOST_DEADWOOD,
        )
    return Problem("count_over_cap", detail, field="defender_deadwood")


def _dead_problems(hand: GinHand) -> list[Problem]:
    """A dead hand has no result."""
    counted = hand.is_in_cards or hand.knocker_deadwood or hand.defender_deadwood or hand.extra_boxes
    if hand.knocker is None and not counted:
        return []
    detail = say("the hand was dead, so nobody knocked and nothing is counted")
    return [Problem("count_not_expected", detail, seat=hand.knocker, field="ending")]


def _knock_problems(options: GinOptions, hand: GinHand, upcard: str | None) -> list[Problem]:
    """Gin leaves no deadwood; a knock leaves some, and no more than the limit."""
    seat, deadwood = hand.knocker or "", hand.deadwood[0]
    if hand.ending == "big_gin" and options.big_gin_bonus is None:
        return [Problem("not_a_choice", say("this table does not play big gin: enter it as gin"), field="ending")]
    if hand.ending != "knock":
        if not deadwood:
            return big_gin_problems(options, hand)
        detail = say("{seat} went gin, so no deadwood; the sheet says {number}", seat=Seat(seat), number=deadwood)
        return [Problem("winner_has_points", detail, field="knocker_deadwood")]
    limit = options.knock_limit(upcard)
    if deadwood is None:
        detail = say("{seat} knocked, but the deadwood is missing", seat=Seat(seat))
        return [Problem("missing_count", detail, field="knocker_deadwood")]
    if deadwood == 0:
        detail = say("{seat} knocked with no deadwood: that is gin", seat=Seat(seat))
        return [Problem("knock_is_gin", detail, field="ending")]
    if deadwood > limit:
        detail = say(
            "{seat} knocked with {number}; the limit is {most}: play continues, note an illegal knock",
            seat=Seat(seat),
            number=deadwood,
            most=limit,
        )
        return [Problem("knock_over_limit", detail, field="knocker_deadwood")]
    return []


def _upcard_problems(options: GinOptions, sheet: GinSheet) -> list[Problem]:
    """Oklahoma gin needs the card turned up, with its suit where spades double."""
    if not options.oklahoma or all(hand.ending == "dead" for hand in sheet.hands):
        return []
    if sheet.upcard is None:
        return [Problem("missing_field", say("the card turned up sets the knock limit here"), field="upcard")]
    if options.spades_double != "none" and len(sheet.upcard) == 1:
        detail = say("a spade turned up doubles here, and {card} has no suit", card=sheet.upcard)
        return [Problem("missing_field", detail, field="upcard")]
    return []
