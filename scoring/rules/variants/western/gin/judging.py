"""Judging a knock at gin from the cards: what is laid off, the value of the hand, and cards that a sheet cannot have.

Rules: docs/rules/gin.md, "Laying off" and "Hands in cards". The knocker's melds are as they were laid down; the
opponent's are the best.
"""

from collections.abc import Iterator, Sequence

from scoring.messages import Message, Seat, say
from scoring.problems import Problem
from scoring.rules.cards import RANK_COUNT, Card, parse_cards
from scoring.rules.hands.judging import GroupRuled
from scoring.rules.hands.words import faces
from scoring.rules.table.questions import (
    WAITING,
    Asked,
    CardField,
    CardJudge,
    CardRuling,
    Cards,
    HandShown,
    as_asked,
    group_message,
    meld_problems,
    one,
    points_message,
    priced,
)
from scoring.rules.variants.western.checks import count_and_cards
from scoring.rules.variants.western.entry import figure_of, why_no_figure
from scoring.rules.variants.western.gin.deadwood import Counted, beyond_one_pack, counted
from scoring.rules.variants.western.gin.game import Ending, GinHand, hand_result
from scoring.rules.variants.western.gin.options import GIN_VALUES, GinOptions

HAND, WITH_BIG_GIN = 10, 11
KNOCKER, OPPONENT = "knocker", "opponent"


def is_meld(cards: Sequence[Card]) -> bool:
    """A set, or a run with the ace low; gin has no jokers."""
    if any(card.is_printed_joker for card in cards):
        return False
    figure = figure_of(cards)
    return figure is not None and (not figure.is_run or figure.places[-1] < RANK_COUNT)


def ruled(options: GinOptions, asked: Asked, upcard: str | None = None) -> CardRuling:
    """The ruling on a knock, or what is still needed for one. `upcard` is the card turned up, where that counts."""
    melds, loose, hand = asked.get("meld", ()), one(asked, "deadwood"), one(asked, "hand")
    knocked = [*(card for meld in melds for card in meld), *loose]
    if not knocked and not hand:
        return WAITING
    meld_rulings = [_laid_down(number, meld) for number, meld in enumerate(melds, 1)]
    wrong = list(beyond_one_pack([*knocked, *hand]).values())
    if len(knocked) > most_held(loose) or len(hand) > HAND:
        wrong.append(say("Each hand has {number} cards.", number=HAND))
    if wrong or any(group.why for group in meld_rulings):
        return CardRuling(tone="bad", title=say("This cannot be a knock"), reasons=wrong, groups=meld_rulings)
    if len(knocked) < HAND or len(hand) < HAND:
        message = say("The knocker has {number} cards and the opponent {other}.", number=len(knocked), other=len(hand))
        needed = say("Each hand has {number} cards.", number=HAND)
        return CardRuling(
            tone="waiting", title=say("More cards are needed"), reasons=(message, needed), groups=meld_rulings
        )
    count, most = GIN_VALUES.total(loose), options.knock_limit(upcard)
    if count > most:
        message = say("{count} is too much to knock with: {most} at most", count=count, most=most)
        return CardRuling(tone="bad", title=message, groups=meld_rulings, loose=priced(loose, GIN_VALUES))
    ending: Ending = "knock" if loose else "big_gin" if len(knocked) == WITH_BIG_GIN else "gin"
    return _scored(options, ending, counted(melds, loose, hand), meld_rulings, upcard)


def most_held(loose: Sequence[Card] | str) -> int:
    """How many cards a knocker may lay down: one more only where none of them is loose."""
    return HAND if loose else WITH_BIG_GIN


def opponents_groups(found: Counted) -> list[GroupRuled]:
    """What the opponent lays off and keeps."""
    groups = [
        GroupRuled(title=say("Laid off on group {number}", number=number), kind="", faces=faces(cards, None))
        for number, cards in enumerate(found.on, 1)
        if cards
    ]
    return groups + [GroupRuled(title=say("The opponent’s meld"), kind="", faces=faces(own, None)) for own in found.own]


def hands_in_cards(hand: GinHand) -> Iterator[HandShown]:
    """The cards of both seats as a score sheet shows them."""
    cards_by_field = as_asked(meld=hand.melds, deadwood=hand.loose, hand=hand.defender_cards)
    melds, loose = cards_by_field["meld"], one(cards_by_field, "deadwood")
    counted_hand, marks = counted(melds, loose, one(cards_by_field, "hand")), hand.marks()
    laid = [_laid_down(number, meld) for number, meld in enumerate(melds, 1)]
    sides = (
        (laid, loose, counted_hand.knocker),
        (opponents_groups(counted_hand), counted_hand.left, counted_hand.opponent),
    )
    for (seat, mark), (groups, loose_cards, points) in zip(marks.items(), sides, strict=False):
        yield HandShown(seat=seat, title=mark.title, points=points, groups=groups, loose=faces(loose_cards, None))


def _scored(
    options: GinOptions, ending: Ending, found: Counted, shown: list[GroupRuled], upcard: str | None
) -> CardRuling:
    """The hand with everything laid off."""
    played = GinHand(
        knocker=KNOCKER,
        defender=OPPONENT,
        ending=ending,
        knocker_deadwood=found.knocker,
        defender_deadwood=found.opponent,
    )
    result = hand_result(options, played, upcard)
    points = result.points if result else 0
    return CardRuling(
        tone="good",
        title=_title(ending, is_undercut=result is not None and result.winner == OPPONENT, points=points),
        number=points,
        reasons=(
            say("The knocker is left with {points}.", points=points_message(found.knocker)),
            say("The opponent is left with {points}.", points=points_message(found.opponent)),
            *((say("After gin nothing is laid off."),) if ending != "knock" else ()),
        ),
        groups=shown + opponents_groups(found),
        loose=priced(found.left, GIN_VALUES),
    )


def _title(ending: str, *, is_undercut: bool, points: int) -> Message:
    if is_undercut:
        return say("Undercut: the opponent wins {points}", points=points_message(points))
    if ending == "knock":
        return say("The knock wins {points}", points=points_message(points))
    return say("Gin wins {points}", points=points_message(points))


def _laid_down(number: int, meld: Cards) -> GroupRuled:
    why, figure = fault(meld), figure_of(meld)
    kind = "" if why or figure is None else say("Run") if figure.is_run else say("Set")
    return GroupRuled(title=group_message(number), kind=kind, faces=faces(meld, None), why=why)


def fault(meld: Cards) -> Message | str:
    """Why the cards are no meld; empty where they are one."""
    return "" if is_meld(meld) else why_no_figure(meld)


JUDGE: CardJudge[GinOptions] = CardJudge(
    lead="A knock at gin: lay down both hands, and read what is laid off and what the hand is worth.",
    fields=(
        CardField(name="meld", title="Melds of the knocker", is_many=True),
        CardField(name="deadwood", title="Deadwood of the knocker", help="Empty for gin"),
        CardField(name="hand", title="Cards of the opponent", help="All ten: the best melds and lay-offs are found"),
    ),
    options=("knock_max", "gin_bonus", "knock_bonus", "undercut_bonus", "undercut_on_tie"),
    example={
        "meld": ("4S 5S 6S", "KH KD KC", "9C 9D 9H"),
        "deadwood": ("5H",),
        "hand": ("7S 8S KS AD AC AH 2D 3D 4D JC",),
    },
    rule=ruled,
)


def card_problems(hand: GinHand) -> list[Problem]:
    """Cards beside numbers, impossible cards, and hands that are too long or too short."""
    if not hand.is_in_cards:
        return []
    knocker = hand.knocker or ""
    problems = count_and_cards(knocker, "knocker_deadwood", hand.knocker_deadwood)
    problems += count_and_cards(hand.defender or knocker, "defender_deadwood", hand.defender_deadwood)
    problems += meld_problems(hand.melds, fault, seat=knocker, field="melds") + _pack_problems(hand)
    return problems or _length_problems(hand)


def _pack_problems(hand: GinHand) -> list[Problem]:
    """One pack, and no jokers."""
    melded = [card for meld in hand.melds for card in parse_cards(meld, "melds")]
    places = [("melds", hand.knocker, card) for card in melded]
    places += [("loose", hand.knocker, card) for card in parse_cards(hand.loose, "loose")]
    places += [("defender_cards", hand.defender, card) for card in parse_cards(hand.defender_cards, "defender_cards")]
    problems: list[Problem] = []
    for place, why in beyond_one_pack([card for _, _, card in places]).items():
        detail = say("{seat}: {why}", seat=Seat(places[place][1] or hand.knocker or ""), why=why)
        problems.append(Problem("impossible_card_count", detail, seat=places[place][1], field=places[place][0]))
    return problems


def _length_problems(hand: GinHand) -> list[Problem]:
    """Ten cards each; a knocker has one more where all of them are in melds."""
    hand_lengths = [("melds", hand.knocker or "", len(cards_knocked(hand)), most_held(hand.loose))]
    if hand.defender:
        cards = parse_cards(hand.defender_cards, "defender_cards")
        hand_lengths.append(("defender_cards", hand.defender, len(cards), HAND))
    problems: list[Problem] = []
    for field, seat, number, most in hand_lengths:
        if number > most:
            detail = say("{seat} has {number} cards; {most} at most", seat=Seat(seat), number=number, most=most)
            problems.append(Problem("too_many_cards", detail, field=field))
    for field, seat, number, _ in hand_lengths:
        if number < HAND:
            detail = say("{seat} has {number} of {of} cards", seat=Seat(seat), number=number, of=HAND)
            problems.append(Problem("missing_count", detail, field=field))
    return problems


def big_gin_problems(options: GinOptions, hand: GinHand) -> list[Problem]:
    """Where big gin is played, the cards distinguish it from gin."""
    if not hand.is_in_cards or options.big_gin_bonus is None:
        return []
    number = len(cards_knocked(hand))
    if (number == WITH_BIG_GIN) == (hand.ending == "big_gin"):
        return []
    detail = say(
        "{seat} melded {number} cards: {most} are big gin, {least} are gin",
        seat=Seat(hand.knocker or ""),
        number=number,
        most=WITH_BIG_GIN,
        least=HAND,
    )
    return [Problem("not_a_choice", detail, seat=hand.knocker, field="ending")]


def cards_knocked(hand: GinHand) -> tuple[Card, ...]:
    """What the knocker laid down."""
    return parse_cards(" ".join((*hand.melds, hand.loose)), "melds")
