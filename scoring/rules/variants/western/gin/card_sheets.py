"""Gin hands that stand on a sheet as cards: what cannot lie so, with whom and at which field.

Rules: docs/rules/gin.md, "Hands in cards". Knows nothing of numbers that are entered.
"""

from scoring.messages import Seat, say
from scoring.problems import Problem
from scoring.rules.cards import Card, parse_cards
from scoring.rules.table.questions import meld_problems
from scoring.rules.variants.western.checks import count_and_cards
from scoring.rules.variants.western.gin.deadwood import beyond_one_pack
from scoring.rules.variants.western.gin.game import GinHand
from scoring.rules.variants.western.gin.judging import HAND, WITH_BIG_GIN, fault, most_held
from scoring.rules.variants.western.gin.options import GinOptions


def card_problems(hand: GinHand) -> list[Problem]:
    """Cards beside numbers, cards that cannot lie so, and hands that are too long or too short."""
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
    return [
        Problem(
            code="impossible_card_count",
            seat=places[place][1],
            field=places[place][0],
            detail=say("{seat}: {why}", seat=Seat(places[place][1] or hand.knocker or ""), why=why),
        )
        for place, why in beyond_one_pack([card for _, _, card in places]).items()
    ]


def _length_problems(hand: GinHand) -> list[Problem]:
    """Ten cards each; a knocker has one more where all of them lie in melds."""
    held = [("melds", hand.knocker or "", len(cards_knocked(hand)), most_held(hand.loose))]
    if hand.defender:
        cards = parse_cards(hand.defender_cards, "defender_cards")
        held.append(("defender_cards", hand.defender, len(cards), HAND))
    problems = [
        Problem(
            code="too_many_cards",
            seat=seat,
            field=field,
            detail=say("{seat} has {number} cards; {most} at most", seat=Seat(seat), number=number, most=most),
        )
        for field, seat, number, most in held
        if number > most
    ]
    return problems + [
        Problem(
            code="missing_count",
            seat=seat,
            field=field,
            detail=say("{seat} has {number} of {of} cards", seat=Seat(seat), number=number, of=HAND),
        )
        for field, seat, number, _ in held
        if number < HAND
    ]


def big_gin_problems(options: GinOptions, hand: GinHand) -> list[Problem]:
    """Where big gin is played, the cards tell it from gin."""
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
    return [Problem(code="not_a_choice", seat=hand.knocker, field="ending", detail=detail)]


def cards_knocked(hand: GinHand) -> tuple[Card, ...]:
    """What the knocker laid down."""
    return parse_cards(" ".join((*hand.melds, hand.loose)), "melds")
