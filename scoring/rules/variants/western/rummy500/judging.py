"""A score of Rummy 500 from the cards: what was melded and laid off, less what is left in hand.

Rules: docs/rules/rummy500.md, "Values". Jokers stand where they lie.
"""

from dataclasses import replace

from scoring.messages import Message, say
from scoring.rules.cards import ACE, RANK_COUNT
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
from scoring.rules.variants.western.rummy500.options import Rummy500Options
from scoring.rules.variants.western.rummy500.values import rummy500_score, rummy500_values


def ruled(options: Rummy500Options, asked: Asked) -> CardRuling:
    """The score of a deal, or what is wrong with a meld."""
    ruling = ruled_on_sheet(options, asked)
    if ruling.tone != "good":
        return ruling
    melded, left = melded_value(options, asked), options.card_values.total(one(asked, "hand"))
    title = say("{melded} melded, {left} in hand: {score}", melded=melded, left=left, score=melded - left)
    return replace(ruling, title=title, number=melded - left)


def ruled_on_sheet(options: Rummy500Options, asked: Asked) -> CardRuling:
    """What the cards of a seat count: what is not among them may stand on the sheet as a number."""
    melds, laid, low, hand = asked.get("meld", ()), one(asked, "laid_off"), one(asked, "low"), one(asked, "hand")
    if not (melds or laid or low or hand):
        return WAITING
    shown = [_meld(options, number, meld) for number, meld in enumerate(melds, 1)]
    if any(group.why for group in shown):
        return CardRuling(tone="bad", title=say("This cannot be laid down"), groups=shown)
    if why := low_fault(low):
        return CardRuling(tone="bad", title=why, groups=shown)
    melded, left = melded_value(options, asked), options.card_values.total(hand)
    counts = [say("{points} melded", points=points_said(melded))] if melds or laid or low else []
    counts += [say("{points} in hand", points=points_said(left))] if hand else []
    return CardRuling(
        tone="good",
        title=counts[0],
        number=melded if melds or laid or low else left,
        reasons=counts[1:],
        groups=[*shown, *_laid_off(options, laid, low)],
        loose=priced(hand, options.card_values),
    )


def melded_value(options: Rummy500Options, asked: Asked) -> int:
    """What melds and cards laid off count together."""
    low = one(asked, "low")
    values = rummy500_values(options.values, joker=options.joker_value)
    laid = rummy500_score(
        [*one(asked, "laid_off"), *low], (), values=values, low_aces=len(low), ace_low=options.ace_low
    )
    return laid + sum(meld_value(options, meld) for meld in asked.get("meld", ()))


def fault(meld: Cards) -> Message | str:
    """Why the cards are no meld; empty where they are one."""
    return why_no_figure(meld) if figure_of(meld) is None else ""


def low_fault(low: Cards) -> Message | None:
    """Why the cards do not lie below a two."""
    return say("Only aces can lie below a two") if any(card.rank != ACE for card in low) else None


def meld_value(options: Rummy500Options, meld: Cards) -> int:
    """What one meld counts; a joker counts its own value, or that of the card that it stands for."""
    figure = figure_of(meld)
    if figure is None:
        return 0
    values = rummy500_values(options.values, joker=options.joker_value)
    if options.joker_melded == "replaced_card":
        return sum(options.ace_low if place == ACE else values.of_rank(place % RANK_COUNT) for place in figure.places)
    low = sum(card.rank == ACE for card in meld) if figure.places[0] == ACE else 0
    return rummy500_score(meld, (), values=values, low_aces=low, ace_low=options.ace_low)


def _meld(options: Rummy500Options, number: int, meld: Cards) -> GroupRuled:
    why = fault(meld)
    kind = "" if why else points_said(meld_value(options, meld))
    return GroupRuled(title=group_said(number), kind=kind, faces=faces(meld, None), why=why)


def _laid_off(options: Rummy500Options, laid: Cards, low: Cards) -> list[GroupRuled]:
    if not laid and not low:
        return []
    points = points_said(melded_value(options, {"laid_off": (laid,), "low": (low,)}))
    return [GroupRuled(title=say("Laid off"), kind=points, faces=faces([*laid, *low], None))]


JUDGE: CardJudge[Rummy500Options] = CardJudge(
    lead="Rummy 500: lay down what was melded and what is left in hand, and read the score of the deal.",
    fields=(
        CardField(name="meld", title="Melds", help="Jokers where they lie", is_many=True),
        CardField(name="laid_off", title="Laid off on other melds"),
        CardField(name="low", title="Aces laid off below a two"),
        CardField(name="hand", title="Cards in hand"),
    ),
    options=("values", "ace_in_hand", "ace_low", "joker_value", "joker_melded"),
    example={"meld": ("AS 2S 3S", "KH KD PJ"), "laid_off": ("7C",), "hand": ("9D AC",)},
    rule=ruled,
)
