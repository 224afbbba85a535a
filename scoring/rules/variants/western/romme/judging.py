"""A first meld of Romme from the cards: what every figure counts, whether that is enough, and what a hand costs.

Rules: docs/rules/romme.md, "Values". Jokers stand where they lie, and count as the card they replace.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from scoring.messages import Message, say
from scoring.rules.cards import SUITS, Card
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
from scoring.rules.variants.western.romme.options import RommeOptions
from scoring.rules.variants.western.romme.values import (
    JOKER,
    ROMME_VALUES,
    STRICT_ORDER,
    romme_hand_value,
    romme_meld_value,
    strict_suits,
)


def ruled(options: RommeOptions, asked: Asked) -> CardRuling:
    """What figures count and whether they may be laid down first; what a hand costs."""
    melds, hand = asked.get("meld", ()), one(asked, "hand")
    values = replace(ROMME_VALUES, ace=options.ace_hand, joker=options.joker_hand)
    if not melds and not hand:
        return WAITING
    left = romme_hand_value(hand, values=values)
    costs = say("The cards in hand cost {points}.", points=points_said(left))
    if not melds:
        return CardRuling(tone="count", title=costs, number=left, loose=priced(hand, values))
    shown = [_figure(options, number, meld) for number, meld in enumerate(melds, 1)]
    worth = figures_value(options, melds)
    tone, title = _verdict(options, shown, worth)
    return CardRuling(
        tone="good" if tone else "bad",
        title=title,
        number=worth,
        reasons=(costs,) if hand else (),
        groups=shown,
        loose=priced(hand, values),
    )


def figures_value(options: RommeOptions, melds: Sequence[Cards]) -> int:
    """What figures count together."""
    return sum(romme_meld_value(meld, is_cyclic=options.cyclic_runs) or 0 for meld in melds)


def _verdict(options: RommeOptions, shown: Sequence[GroupRuled], worth: int) -> tuple[bool, Message]:
    if any(group.why for group in shown):
        return False, say("This cannot be laid down")
    if options.is_enough_to_meld(worth):
        return True, say("Enough for a first meld: {points}", points=points_said(worth))
    return False, say("{points}: a first meld needs {least}", points=points_said(worth), least=options.first_meld_min)


def _figure(options: RommeOptions, number: int, meld: Cards) -> GroupRuled:
    """One figure as it lies, with what it counts."""
    shown = faces(meld, None)
    why = fault(options, meld)
    worth = romme_meld_value(meld, is_cyclic=options.cyclic_runs)
    kind = "" if why or worth is None else points_said(worth)
    return GroupRuled(title=group_said(number), kind=kind, faces=shown, why=why)


def fault(options: RommeOptions, meld: Cards) -> Message | str:
    """Why the cards are no figure in this house; empty where they are one."""
    figure = figure_of(meld, is_cyclic=options.cyclic_runs)
    if figure is None:
        return why_no_figure(meld)
    if options.strict_joker and any(one.is_printed_joker and other.is_printed_joker for one, other in pairwise(meld)):
        return say("two jokers lie side by side")
    if options.strict_groups and not figure.is_run and strict_suits(_suits(meld)) is None:
        return say("the suits of a set are clubs, spades, hearts, diamonds in this order")
    return ""


def _suits(meld: Sequence[Card]) -> list[str]:
    """The suits as they lie; a set in another order is laid down in the right one where no joker is among it."""
    letters = [JOKER if card.suit is None else SUITS[card.suit] for card in meld]
    return letters if JOKER in letters else sorted(letters, key=STRICT_ORDER.index)


JUDGE: CardJudge[RommeOptions] = CardJudge(
    lead="Romme: lay down figures, and read what they count and whether they are enough for a first meld.",
    fields=(
        CardField(name="meld", title="Figures laid down", help="Jokers where they lie", is_many=True),
        CardField(name="hand", title="Cards in hand"),
    ),
    options=("first_meld_min", "ace_hand", "joker_hand", "strict_groups", "strict_joker", "cyclic_runs"),
    example={"meld": ("QH PJ AH", "5S 5D 5C"), "hand": ("KD AC PJ",)},
    rule=ruled,
)
