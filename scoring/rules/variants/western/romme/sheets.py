"""One round of Romme as it stands on a sheet, and what the rules find wrong with it.

Rules: docs/rules/romme.md, section 1. Knows nothing of what a round is worth.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

import msgspec

from scoring.messages import Message, Seat, say, words
from scoring.problems import Problem
from scoring.rules.cards import parse_cards
from scoring.rules.table.fields import SeatMark, SheetField
from scoring.rules.table.questions import as_asked, meld_problems
from scoring.rules.variants.western.checks import count_and_cards
from scoring.rules.variants.western.entry import WENT_OUT, counted_marks, nobody_out
from scoring.rules.variants.western.romme.judging import fault, figures_value
from scoring.rules.variants.western.romme.options import RommeOptions
from scoring.rules.variants.western.romme.values import ROMME_VALUES

SCORED_WITHOUT_WINNER = ("all_lose", "lowest_wins")


HAND_ROMME = SeatMark(how="out", title=words("Hand romme"), short=words("hand romme"), is_win=True)


UNMELDED = SeatMark(how="unmelded", title=words("Had not melded"), short=words("not melded"))


FIGURES = SheetField(
    path=("figures",),
    title=words("Figures the winner laid"),
    kind="groups",
    is_rare=True,
    judged_as="meld",
    help=words("Instead of their value: the cards as they lie, jokers in their places"),
)


class RommeSheet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One round: who went out (nobody where the stock ran out), in one turn or not, and what the others hold.

    `unmelded` are losers who had not melded, `laid` is the value of the cards the winner laid, or `figures` those
    cards: each is only needed where the house scores it.
    """

    out: str | None
    counts: dict[str, int] = {}
    hands: dict[str, str] = {}
    hand_romme: bool = False
    unmelded: tuple[str, ...] = ()
    laid: int | None = None
    dealer: str | None = None
    figures: tuple[str, ...] = ()

    @property
    def keeps_dealer(self) -> bool:
        return False

    def marks(self) -> dict[str, SeatMark]:
        won_by = msgspec.structs.replace(HAND_ROMME if self.hand_romme else WENT_OUT, groups=self.figures)
        unmelded = dict.fromkeys(self.unmelded, UNMELDED)
        return unmelded | counted_marks(self.out, self.counts, self.hands, won_by=won_by)

    def remarks(self) -> tuple[Message, ...]:
        said = nobody_out(self.out)
        if self.unmelded:
            said += (say("not melded: {seats}", seats=tuple(map(Seat, self.unmelded))),)
        return said if self.laid is None else (*said, say("laid cards worth {points}", points=self.laid))


def hand_count(sheet: RommeSheet, options: RommeOptions, seat: str) -> int:
    """What a seat holds; 0 where it was not entered."""
    if seat in sheet.hands:
        return _value(sheet.hands[seat], options.ace_hand, options.joker_hand)
    return sheet.counts.get(seat, 0)


def laid_value(sheet: RommeSheet, options: RommeOptions) -> int | None:
    """What the winner laid, as it was entered or as the figures count; None where neither was."""
    return figures_value(options, as_asked(meld=sheet.figures)["meld"]) if sheet.figures else sheet.laid


@lru_cache(maxsize=4096)
def _value(cards: str, ace: int, joker: int) -> int:
    return replace(ROMME_VALUES, ace=ace, joker=joker).total(parse_cards(cards, "hands"))


def stock_problems(options: RommeOptions, sheet: RommeSheet) -> list[Problem]:
    """A round without a winner is scored only where the house scores it."""
    if sheet.out is not None or options.stock_out in SCORED_WITHOUT_WINNER:
        return []
    detail = say("nobody went out; when the stock runs out this table plays the round again, and records only that")
    if options.stock_out == "reshuffle":
        detail = say("nobody went out; when the stock runs out this table plays on")
    return [Problem(code="no_winner", field="out", detail=detail)]


def winner_problems(options: RommeOptions, playing: Sequence[str], sheet: RommeSheet) -> list[Problem]:
    """What is said of the winner: a hand romme, the value laid, and who had not melded by then."""
    problems: list[Problem] = []
    laid = laid_value(sheet, options)
    if sheet.out is None and (sheet.hand_romme or laid is not None):
        field = "hand_romme" if sheet.hand_romme else "laid"
        problems.append(
            Problem(code="no_winner", field=field, detail=say("nobody went out, so nobody laid everything down"))
        )
    if sheet.out is not None and sheet.out in sheet.unmelded:
        detail = say("{seat} went out, and so has melded", seat=Seat(sheet.out))
        problems.append(Problem(code="winner_has_points", seat=sheet.out, field="unmelded", detail=detail))
    if sheet.out is not None and options.scoring == "casino" and laid is None:
        detail = say("casino scoring needs the value of the cards that the winner laid")
        problems.append(Problem(code="missing_count", seat=sheet.out, field="laid", detail=detail))
    return problems + _laid_problems(options, sheet) + _hand_problems(options, playing, sheet)


def _laid_problems(options: RommeOptions, sheet: RommeSheet) -> list[Problem]:
    """The winner's cards are worth a first meld at least, and no more than all cards in play."""
    laid, most = laid_value(sheet, options), options.dearest()
    if laid is None or sheet.out is None:
        return []
    problems = meld_problems(sheet.figures, partial(fault, options), seat=sheet.out, field="figures")
    if sheet.figures:
        problems += count_and_cards(sheet.out, "laid", sheet.laid)
    if problems or (options.is_enough_to_meld(laid) and 0 < laid <= most):
        return problems
    detail = say(
        "{seat} laid {number}; a first meld needs {first}, and all cards are worth {most}",
        seat=Seat(sheet.out),
        number=laid,
        first=options.first_meld_min,
        most=most,
    )
    return [Problem(code="out_of_range", seat=sheet.out, field="figures" if sheet.figures else "laid", detail=detail)]


def _hand_problems(options: RommeOptions, playing: Sequence[str], sheet: RommeSheet) -> list[Problem]:
    """Where a hand romme needs that nobody has melded, some losers cannot have melded and others not."""
    if not (sheet.hand_romme and options.hand_requires_no_opponent_meld and sheet.unmelded):
        return []
    return [
        Problem(
            code="not_a_hand_romme",
            seat=seat,
            field="hand_romme",
            detail=say("{seat} has melded, so it was not a hand romme at this table", seat=Seat(seat)),
        )
        for seat in playing
        if seat != sheet.out and seat not in sheet.unmelded
    ]
