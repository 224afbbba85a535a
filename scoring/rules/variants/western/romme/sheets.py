"""One round of Romme as it is on a sheet, the value of its figures, and the problems that the rules find with it.

Rules: docs/rules/romme.md, section 1 and "Values". Jokers are in the places where they were laid, and count as the card
they replace. Knows nothing of what a round is worth.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Annotated

import msgspec

from scoring.messages import Message, Seat, say, words
from scoring.problems import Problem
from scoring.rules.cards import ACE, RANK_COUNT, SUITS, Card, CardValues, parse_cards
from scoring.rules.hands.judging import GroupRuled
from scoring.rules.hands.words import faces
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
from scoring.rules.variants.western.entry import (
    SHORTEST,
    WENT_OUT,
    counted_marks,
    figure_fault,
    figure_of,
    has_too_many_jokers,
    nobody_out,
)
from scoring.rules.variants.western.romme.options import ROMME_VALUES, RommeOptions

HAND_ROMME_FACTOR = 2
LOW_ACE_VALUE = 1
STRICT_ORDER = "CSHD"
JOKER = "JK"


def romme_meld_value(
    cards: Sequence[Card], *, values: CardValues = ROMME_VALUES, is_cyclic: bool = False
) -> int | None:
    """The value of one figure towards the first meld; None where the cards are none.

    An ace counts little before the two and much after the king or in a set; a joker counts as the card it replaces.
    Never are there more jokers than natural cards: two jokers beside one card could be a set or any of three runs.
    """
    figure = figure_of(cards, is_cyclic=is_cyclic)
    return None if figure is None else sum(_at_place(place, values) for place in figure.places)


def strict_suits(suits: Sequence[str]) -> str | None:
    """The suits of a set in strict order, clubs, spades, hearts, diamonds without a gap, jokers (`JK`) included.

    None where the order is broken, or a joker would stand before the clubs or after the diamonds.
    """
    if has_too_many_jokers(suits.count(JOKER), len(suits)):
        return None
    starts = {STRICT_ORDER.index(suit) - place for place, suit in enumerate(suits) if suit != JOKER}
    if len(starts) != 1 or len(suits) < SHORTEST:
        return None
    start = starts.pop()
    set_suits = STRICT_ORDER[max(0, start) : max(0, start) + len(suits)]
    return set_suits if start >= 0 and len(set_suits) == len(suits) else None


def _at_place(place: int, values: CardValues) -> int:
    """The value of a place of a figure; the place after the king is an ace again."""
    return LOW_ACE_VALUE if place == ACE else values.of_rank(place % RANK_COUNT)


def romme_hand_value(cards: Iterable[Card], *, hand_romme: bool = False, values: CardValues = ROMME_VALUES) -> int:
    """The cost of a loser's cards at Romme; twice as much where the winner went out in one turn."""
    return values.total(cards) * (HAND_ROMME_FACTOR if hand_romme else 1)


def ruled(options: RommeOptions, asked: Asked) -> CardRuling:
    """The value of figures and whether they may be laid down first; the cost of a hand."""
    melds, hand = asked.get("meld", ()), one(asked, "hand")
    values = options.card_values
    if not melds and not hand:
        return WAITING
    if wrong := beyond_packs(asked, packs=options.packs, jokers=options.jokers):
        return replace(wrong, groups=[_figure(options, number, meld) for number, meld in enumerate(melds, 1)])
    hand_points = romme_hand_value(hand, values=values)
    costs = say("The cards in hand cost {points}.", points=points_message(hand_points))
    if not melds:
        return CardRuling(tone="count", title=costs, number=hand_points, loose=priced(hand, values))
    figure_rulings = [_figure(options, number, meld) for number, meld in enumerate(melds, 1)]
    worth = figures_value(options, melds)
    tone, title = _verdict(options, figure_rulings, worth)
    return CardRuling(
        tone="good" if tone else "bad",
        title=title,
        number=worth,
        reasons=(costs,) if hand else (),
        groups=figure_rulings,
        loose=priced(hand, values),
    )


def figures_value(options: RommeOptions, melds: Sequence[Cards]) -> int:
    """The value of figures together."""
    return sum(romme_meld_value(meld, is_cyclic=options.cyclic_runs) or 0 for meld in melds)


def _verdict(options: RommeOptions, shown: Sequence[GroupRuled], worth: int) -> tuple[bool, Message]:
    if any(group.why for group in shown):
        return False, say("This cannot be laid down")
    if options.is_enough_to_meld(worth):
        return True, say("Enough for a first meld: {points}", points=points_message(worth))
    return False, say(
        "{points}: a first meld needs {least}", points=points_message(worth), least=options.first_meld_min
    )


def _figure(options: RommeOptions, number: int, meld: Cards) -> GroupRuled:
    """One figure as it was laid, with its value."""
    meld_faces = faces(meld, None)
    why = fault(options, meld)
    worth = romme_meld_value(meld, is_cyclic=options.cyclic_runs)
    kind = "" if why or worth is None else points_message(worth)
    return GroupRuled(title=group_message(number), kind=kind, faces=meld_faces, why=why)


def fault(options: RommeOptions, meld: Cards) -> Message | str:
    """Why the cards are no figure in this house; empty where they are one."""
    figure = figure_of(meld, is_cyclic=options.cyclic_runs)
    why = figure_fault(meld, is_cyclic=options.cyclic_runs)
    if figure is None or why:
        return why
    if options.strict_joker and any(card.is_printed_joker and other.is_printed_joker for card, other in pairwise(meld)):
        return say("two jokers lie side by side")
    if options.strict_groups and not figure.is_run and strict_suits(_suits(meld)) is None:
        return say("the suits of a set are clubs, spades, hearts, diamonds in this order")
    return ""


def _suits(meld: Sequence[Card]) -> list[str]:
    """The suits as laid; a set in another order is put into the right one where no joker is in it."""
    letters = [JOKER if card.suit is None else SUITS[card.suit] for card in meld]
    return letters if JOKER in letters else sorted(letters, key=STRICT_ORDER.index)


JUDGE: CardJudge[RommeOptions] = CardJudge(
    lead="Romme: lay down figures, and read what they count and whether they are enough for a first meld.",
    fields=(
        CardField(name="meld", title="Figures laid down", help="Jokers where they lie", is_many=True),
        CardField(name="hand", title="Cards in hand"),
    ),
    options=(
        "first_meld_min",
        "ace_hand",
        "joker_hand",
        "jokers",
        "short_hand",
        "strict_groups",
        "strict_joker",
        "cyclic_runs",
    ),
    example={"meld": ("QH PJ AH", "5S 5D 5C"), "hand": ("KD AC PJ",)},
    rule=ruled,
)

SCORED_WITHOUT_WINNER = ("all_lose", "lowest_wins")
HAND_ROMME = SeatMark(how="out", title=words("Hand romme"), short=words("hand romme"), is_win=True)
UNMELDED = SeatMark(how="unmelded", title=words("Had not melded"), short=words("not melded"))

FIGURES = SheetField(
    ("figures",),
    words("Figures the winner laid"),
    "groups",
    is_rare=True,
    judged_as="meld",
    help=words("Instead of their value: the cards as they lie, jokers in their places"),
)
# Where their value is not scored.
FIGURES_UNSCORED = msgspec.structs.replace(FIGURES, help=words("The cards as they lie, jokers in their places"))


class RommeSheet(PlainSheet, frozen=True, kw_only=True, omit_defaults=True):
    """One round: who went out (null if the stock ran out), in one turn or not, and what the others hold.

    `unmelded` are losers who had not melded. `laid` is the value of the cards that the winner laid down, or `figures`
    are those cards. Each is only needed if the house rules score it.
    """

    out: Annotated[str | None, Reader.seat]
    counts: Annotated[dict[str, int], Reader.numbers] = {}
    hands: Annotated[dict[str, str], Reader.hands] = {}
    hand_romme: Annotated[bool, Reader.flag] = False
    unmelded: Annotated[tuple[str, ...], Reader.listed] = ()
    laid: Annotated[int | None, Reader.number] = None
    dealer: Annotated[str | None, Reader.seat] = None
    figures: Annotated[tuple[str, ...], Reader.groups_of_winner] = ()

    def marks(self) -> dict[str, SeatMark]:
        won_by = msgspec.structs.replace(HAND_ROMME if self.hand_romme else WENT_OUT, groups=self.figures)
        unmelded = dict.fromkeys(self.unmelded, UNMELDED)
        return unmelded | counted_marks(self.out, self.counts, self.hands, won_by=won_by)

    def remarks(self) -> tuple[Message, ...]:
        messages = nobody_out(self.out)
        if self.unmelded:
            messages += (say("not melded: {seats}", seats=tuple(map(Seat, self.unmelded))),)
        return messages if self.laid is None else (*messages, say("laid cards worth {points}", points=self.laid))


def laid_value(sheet: RommeSheet, options: RommeOptions) -> int | None:
    """The value of what the winner laid, as it was entered or as the figures count; None where neither was."""
    return figures_value(options, as_asked(meld=sheet.figures)["meld"]) if sheet.figures else sheet.laid


def stock_problems(options: RommeOptions, sheet: RommeSheet) -> list[Problem]:
    """A round without a winner is scored only where the house scores it."""
    if sheet.out is not None or options.stock_out in SCORED_WITHOUT_WINNER:
        return []
    detail = say("nobody went out; when the stock runs out this table plays the round again, and records only that")
    if options.stock_out == "reshuffle":
        detail = say("nobody went out; when the stock runs out this table plays on")
    return [Problem("no_winner", detail, field="out")]


def winner_problems(options: RommeOptions, playing: Sequence[str], sheet: RommeSheet) -> list[Problem]:
    """Problems with the winner's fields: a hand romme, the value laid, and who had not melded by then."""
    problems: list[Problem] = []
    laid = laid_value(sheet, options)
    if sheet.out is None and (sheet.hand_romme or laid is not None):
        field = "hand_romme" if sheet.hand_romme else "laid"
        problems.append(Problem("no_winner", say("nobody went out, so nobody laid everything down"), field=field))
    if sheet.out is not None and sheet.out in sheet.unmelded:
        detail = say("{seat} went out, and so has melded", seat=Seat(sheet.out))
        problems.append(Problem("winner_has_points", detail, field="unmelded"))
    if sheet.out is not None and options.scoring == "casino" and laid is None:
        detail = say("casino scoring needs the value of the cards that the winner laid")
        problems.append(Problem("missing_count", detail, seat=sheet.out, field="laid"))
    return problems + _laid_problems(options, sheet) + _hand_problems(options, playing, sheet)


def figure_problems(options: RommeOptions, sheet: RommeSheet) -> list[Problem]:
    """Cards of a new sheet that are no figures in this house."""
    if sheet.out is None:
        return []
    return meld_problems(sheet.figures, partial(fault, options), seat=sheet.out, field="figures")


def hand_romme_problems(options: RommeOptions, sheet: RommeSheet) -> list[Problem]:
    """Figures of a new sheet that are no whole hand, beside a hand romme: all but a discard is laid in one turn."""
    if sheet.out is None or not sheet.hand_romme or not sheet.figures:
        return []
    seats = {*sheet.counts, *sheet.hands, *sheet.unmelded, sheet.out}
    laid = sum(len(parse_cards(figure, "figures")) for figure in sheet.figures)
    least = options.cards_each(len(seats))
    if laid >= least:
        return []
    detail = say(
        "{seat} laid {number} cards; a hand romme lays {least} in one turn",
        seat=Seat(sheet.out),
        number=laid,
        least=least,
    )
    return [Problem("not_a_hand_romme", detail, field="figures")]


def _laid_problems(options: RommeOptions, sheet: RommeSheet) -> list[Problem]:
    """The winner's cards are worth at least a first meld, and no more than all cards in play."""
    laid, most = laid_value(sheet, options), options.dearest()
    if laid is None or sheet.out is None:
        return []
    problems = count_and_cards(sheet.out, "laid", sheet.laid) if sheet.figures else []
    is_priced = not problems and not figure_problems(options, sheet)
    if not is_priced or (options.is_enough_to_meld(laid) and 0 < laid <= most):
        return problems
    if laid > most:
        detail = say("{seat} laid {number}; all cards are worth {most}", seat=Seat(sheet.out), number=laid, most=most)
    elif laid == 0:
        detail = say("{seat} went out, so the cards laid down are worth something", seat=Seat(sheet.out))
    else:
        detail = say(
            "{seat} laid {number}; a first meld needs {first}",
            seat=Seat(sheet.out),
            number=laid,
            first=options.first_meld_min,
        )
    return [Problem("out_of_range", detail, field="figures" if sheet.figures else "laid")]


def _hand_problems(options: RommeOptions, playing: Sequence[str], sheet: RommeSheet) -> list[Problem]:
    """Where a hand romme requires that no one has melded, losers cannot have melded and unmelded both."""
    if not (sheet.hand_romme and options.hand_requires_no_opponent_meld and sheet.unmelded):
        return []
    problems: list[Problem] = []
    for seat in playing:
        if seat != sheet.out and seat not in sheet.unmelded:
            detail = say("{seat} has melded, so it was not a hand romme at this table", seat=Seat(seat))
            problems.append(Problem("not_a_hand_romme", detail, field="hand_romme"))
    return problems
