"""A knock at gin from the cards: what the opponent lays off, what both are left with, and what the hand is worth.

Rules: docs/rules/gin.md, "Laying off". The knocker's melds are as they were laid down; the opponent's are the best.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from scoring.messages import Message, say
from scoring.rules.cards import CARDS, RANK_COUNT, Card
from scoring.rules.hands.words import faces
from scoring.rules.table.questions import (
    WAITING,
    Asked,
    CardField,
    CardJudge,
    CardRuling,
    Cards,
    GroupRuled,
    group_said,
    one,
    points_said,
    priced,
)
from scoring.rules.variants.western.figures import figure_of, why_no_figure
from scoring.rules.variants.western.gin.deadwood import gin_deadwood, gin_melds
from scoring.rules.variants.western.gin.game import Ending, GinHand, hand_result
from scoring.rules.variants.western.gin.options import GIN_VALUES, GinOptions

HAND, WITH_BIG_GIN = 10, 11
KNOCKER, OPPONENT = "knocker", "opponent"


class LaidOff(NamedTuple):
    """The cards that go to each of the knocker's melds, and what they leave."""

    on: tuple[Cards, ...]
    deadwood: int


def lay_off(melds: Sequence[Sequence[Card]], hand: Sequence[Card]) -> LaidOff:
    """The way to lay off that leaves the least, with as few cards laid off as that takes."""
    found = LaidOff(((),) * len(melds), gin_deadwood(hand))
    for on in product(*(list(_fitting(meld, hand)) for meld in melds)):
        laid = [card for cards in on for card in cards]
        if len(set(laid)) < len(laid):
            continue
        left = gin_deadwood([card for card in hand if card not in laid])
        if (left, len(laid)) < (found.deadwood, sum(map(len, found.on))):
            found = LaidOff(on, left)
    return found


def is_meld(cards: Sequence[Card]) -> bool:
    """A set, or a run with the ace low; at gin there is no joker."""
    if any(card.is_printed_joker for card in cards):
        return False
    figure = figure_of(cards)
    return figure is not None and (not figure.is_run or figure.places[-1] < RANK_COUNT)


def ruled(options: GinOptions, asked: Asked) -> CardRuling:
    """The ruling on a knock, or what is still needed for one."""
    melds, loose, hand = asked.get("meld", ()), one(asked, "deadwood"), one(asked, "hand")
    knocked = [*(card for meld in melds for card in meld), *loose]
    if not knocked and not hand:
        return WAITING
    shown = [_laid_down(number, meld) for number, meld in enumerate(melds, 1)]
    wrong = _wrong(knocked, hand)
    if wrong or any(group.why for group in shown):
        return CardRuling(tone="bad", title=say("This cannot be a knock"), reasons=wrong, groups=shown)
    if len(knocked) < HAND or len(hand) < HAND:
        said = say("The knocker has {number} cards and the opponent {other}.", number=len(knocked), other=len(hand))
        needed = say("Each hand has {number} cards.", number=HAND)
        return CardRuling(tone="waiting", title=say("More cards are needed"), reasons=(said, needed), groups=shown)
    count = GIN_VALUES.total(loose)
    if count > options.knock_max:
        said = say("{count} is too much to knock with: {most} at most", count=count, most=options.knock_max)
        return CardRuling(tone="bad", title=said, groups=shown, loose=priced(loose, GIN_VALUES))
    return _scored(options, melds, loose, hand)


def _scored(options: GinOptions, melds: Sequence[Cards], loose: Cards, hand: Cards) -> CardRuling:
    """The hand with everything laid off: after gin nothing is."""
    count = GIN_VALUES.total(loose)
    off = lay_off(melds, hand) if loose else LaidOff(((),) * len(melds), gin_deadwood(hand))
    laid = [card for cards in off.on for card in cards]
    own, left = gin_melds([card for card in hand if card not in laid])
    ending: Ending = "knock" if loose else "big_gin" if sum(map(len, melds)) == WITH_BIG_GIN else "gin"
    played = GinHand(
        knocker=KNOCKER, defender=OPPONENT, ending=ending, knocker_deadwood=count, defender_deadwood=off.deadwood
    )
    result = hand_result(options, played, None)
    points = result.points if result else 0
    groups = [_laid_down(number, meld) for number, meld in enumerate(melds, 1)]
    groups += [
        GroupRuled(title=say("Laid off on group {number}", number=number), kind="", faces=faces(cards, None))
        for number, cards in enumerate(off.on, 1)
        if cards
    ]
    groups += [GroupRuled(title=say("The opponent’s meld"), kind="", faces=faces(meld, None)) for meld in own]
    return CardRuling(
        tone="good",
        title=_title(ending, is_undercut=result is not None and result.winner == OPPONENT, points=points),
        number=points,
        reasons=(
            say("The knocker is left with {points}.", points=points_said(count)),
            say("The opponent is left with {points}.", points=points_said(off.deadwood)),
            *((say("After gin nothing is laid off."),) if not loose else ()),
        ),
        groups=groups,
        loose=priced(left, GIN_VALUES),
    )


def _title(ending: str, *, is_undercut: bool, points: int) -> Message:
    if is_undercut:
        return say("Undercut: the opponent wins {points}", points=points_said(points))
    if ending == "knock":
        return say("The knock wins {points}", points=points_said(points))
    return say("Gin wins {points}", points=points_said(points))


def _laid_down(number: int, meld: Cards) -> GroupRuled:
    if is_meld(meld):
        figure = figure_of(meld)
        kind = say("Run") if figure is not None and figure.is_run else say("Set")
        return GroupRuled(title=group_said(number), kind=kind, faces=faces(meld, None))
    return GroupRuled(title=group_said(number), kind="", faces=faces(meld, None), why=why_no_figure(meld))


def _wrong(knocked: Sequence[Card], hand: Sequence[Card]) -> list[Message]:
    """Cards that one pack does not hold, and hands that are too long."""
    cards = [*knocked, *hand]
    wrong = [
        say("{card} cannot be there: gin is played with one pack and no jokers", card=card.text)
        for card in dict.fromkeys(cards)
        if card.is_printed_joker
    ]
    wrong += [
        say("{card} is there more than once, but gin is played with one pack", card=card.text)
        for card in dict.fromkeys(cards)
        if cards.count(card) > 1 and not card.is_printed_joker
    ]
    if len(knocked) > WITH_BIG_GIN or len(hand) > HAND:
        wrong.append(say("Each hand has {number} cards.", number=HAND))
    return wrong


def _fitting(meld: Sequence[Card], hand: Sequence[Card]) -> Iterator[Cards]:
    """Every choice of cards of a hand that can be laid off on a meld, none of them included."""
    suits = {card.suit for card in meld}
    if len(suits) > 1:
        rank = meld[0].rank
        yield ()
        yield from ((card,) for card in hand if card.rank == rank and card.suit not in suits)
        return
    ranks = sorted(card.number for card in meld)
    first = ranks[0] - ranks[0] % RANK_COUNT
    below = _consecutive(range(ranks[0] - 1, first - 1, -1), hand)
    above = _consecutive(range(ranks[-1] + 1, first + RANK_COUNT), hand)
    for low, high in product(range(len(below) + 1), range(len(above) + 1)):
        yield (*below[:low], *above[:high])


def _consecutive(numbers: range, hand: Sequence[Card]) -> Cards:
    """Cards of a hand that follow on one another, up to the first that it does not hold."""
    held: list[Card] = []
    for number in numbers:
        if CARDS[number] not in hand:
            break
        held.append(CARDS[number])
    return tuple(held)


JUDGE: CardJudge[GinOptions] = CardJudge(
    lead="A knock at gin: lay down both hands, and read what is laid off and what the hand is worth.",
    fields=(
        CardField(name="meld", title="Melds of the knocker", is_many=True),
        CardField(name="deadwood", title="Deadwood of the knocker", help="Empty for gin"),
        CardField(name="hand", title="Cards of the opponent", help="All ten: the best melds and lay-offs are found"),
    ),
    options=("knock_max", "gin_bonus", "undercut_bonus", "undercut_on_tie"),
    example={
        "meld": ("4S 5S 6S", "KH KD KC", "9C 9D 9H"),
        "deadwood": ("5H",),
        "hand": ("7S 8S KS AD AC AH 2D 3D 4D JC",),
    },
    rule=ruled,
)
