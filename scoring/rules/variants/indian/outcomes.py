"""How a deal of Indian rummy ended for each seat, and its cost in points.

Rules: docs/rules/indian.md, sections 1 (outcomes) and 2 (points). Points, deals and pool rummy share this deal.
Knows nothing of totals, eliminations, chips or money.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

import msgspec

from scoring.messages import Message, say, words
from scoring.options import PLAYS_ONLY, Wording, about
from scoring.problems import refuse_if
from scoring.rules.arrangements.house import HAND_SIZE, HandOptions
from scoring.rules.cards import Card, CardsRejected, parse_cards, parse_wild
from scoring.rules.hands import count_hand, declared_count, hand_problems
from scoring.rules.table.fields import PlainSheet, SeatMark

MOST_COUNT = HAND_SIZE * 10


class OutcomeKind(StrEnum):
    """How a deal ended for one seat, as the scorer saw it."""

    SHOW = "show"
    LAST_STANDING = "last_standing"
    LOSS = "loss"
    FIRST_DROP = "first_drop"
    MIDDLE_DROP = "middle_drop"
    THREE_MISSES = "three_misses"
    LEFT_BEFORE_DRAW = "left_before_draw"
    LEFT_AFTER_DRAW = "left_after_draw"
    WRONG_SHOW = "wrong_show"
    FULL_COUNT = "full_count"
    HALF_COUNT = "half_count"
    ABSENT = "absent"
    NOT_IN_DEAL = "not_in_deal"


WINS = frozenset({OutcomeKind.SHOW, OutcomeKind.LAST_STANDING})
COUNTED = frozenset({OutcomeKind.LOSS, OutcomeKind.HALF_COUNT})
SHOWN = frozenset({OutcomeKind.SHOW, OutcomeKind.WRONG_SHOW})
DROPS = frozenset({OutcomeKind.FIRST_DROP, OutcomeKind.MIDDLE_DROP})
LEAVES = frozenset({OutcomeKind.LEFT_BEFORE_DRAW, OutcomeKind.LEFT_AFTER_DRAW})
NOTABLE = WINS | DROPS | LEAVES | {OutcomeKind.WRONG_SHOW}
HELD_AT_SHOW = frozenset({OutcomeKind.LOSS, OutcomeKind.HALF_COUNT, OutcomeKind.FULL_COUNT})


class EndingTitles(NamedTuple):
    """The titles of an ending: in full, and under a number on a score sheet, where a plain loss is its number.

    `letter` is its shortcut on the scorer's page and on paper, `marks` are other ways to write it in an imported sheet.
    """

    title: str
    short: str
    letter: str
    marks: tuple[str, ...] = ()
    is_common: bool = False


ENDING_TITLES = {
    OutcomeKind.SHOW: EndingTitles("Show", words("show"), "s", ("show", "0*", "*", "s"), is_common=True),
    OutcomeKind.LOSS: EndingTitles("Loss", "", "l", is_common=True),
    OutcomeKind.FIRST_DROP: EndingTitles("First drop", words("drop"), "f", ("d", "fd", "drop"), is_common=True),
    OutcomeKind.MIDDLE_DROP: EndingTitles(
        "Middle drop", words("mid drop"), "m", ("md", "m", "middle drop"), is_common=True
    ),
    OutcomeKind.WRONG_SHOW: EndingTitles("Wrong show", words("wrong show"), "w", ("w", "ws", "wrong"), is_common=True),
    OutcomeKind.FULL_COUNT: EndingTitles("Full count", words("full"), "x", ("f", "full"), is_common=True),
    OutcomeKind.LAST_STANDING: EndingTitles("Only one left", words("last in"), "o", ("last", "l")),
    OutcomeKind.HALF_COUNT: EndingTitles("Half count", words("half"), "h"),
    OutcomeKind.THREE_MISSES: EndingTitles("Missed turns", words("3 misses"), "t", ("3m", "tm")),
    OutcomeKind.LEFT_BEFORE_DRAW: EndingTitles("Left before drawing", words("left"), "b", ("lb",)),
    OutcomeKind.LEFT_AFTER_DRAW: EndingTitles("Left after drawing", words("left"), "d", ("la",)),
    OutcomeKind.ABSENT: EndingTitles("Absent", words("absent"), "a", ("a", "abs")),
    OutcomeKind.NOT_IN_DEAL: EndingTitles("Sits out", words("sits out"), "n", ("-", "–", "—", "−", "x", "out")),
}
TITLES: dict[str, str] = {how: wording.title for how, wording in ENDING_TITLES.items()}


class DealEnd(StrEnum):
    """How the deal ended: played out, hands counted when the stock ran out, or stopped by a wrong show."""

    PLAYED_OUT = "played_out"
    COUNT_NOW = "count_now"
    VOID_OTHERS = "void_others"


ENDINGS: dict[DealEnd, str] = {
    DealEnd.PLAYED_OUT: words("Played out"),
    DealEnd.COUNT_NOW: words("Stock ran out, hands counted"),
    DealEnd.VOID_OTHERS: words("Stopped by a wrong show"),
}

# The same for the middle of a line.
UNUSUAL = {DealEnd.COUNT_NOW: say("stock ran out, hands counted"), DealEnd.VOID_OTHERS: say("stopped by a wrong show")}


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a deal ended for one seat. A loss has a `count`, or its cards (`groups`, `loose`); a show may have cards."""

    how: OutcomeKind
    count: int | None = None
    groups: tuple[str, ...] | None = None
    loose: str | None = None
    had_turn: bool = True

    @property
    def has_cards(self) -> bool:
        """Whether the hand was entered as cards, not as a count."""
        return self.groups is not None or self.loose is not None

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards that were entered."""
        return parse_cards(" ".join((*(self.groups or ()), self.loose or "")), "cards")


class DealSheet(PlainSheet, frozen=True, kw_only=True, omit_defaults=True):
    """One deal: an outcome for each seat, the wild joker card if it was noted, and how the deal ended."""

    outcomes: dict[str, Outcome]
    ended: DealEnd = DealEnd.PLAYED_OUT
    wild: str | None = None
    dealer: str | None = None

    def marks(self) -> dict[str, SeatMark]:
        """The marks of each seat."""
        return {
            seat: SeatMark(
                how=str(outcome.how),
                title=TITLES[outcome.how],
                short=ENDING_TITLES[outcome.how].short,
                count=outcome.count,
                groups=outcome.groups or (),
                loose=outcome.loose or "",
                is_win=outcome.how in WINS,
                by_default=outcome.how is OutcomeKind.LAST_STANDING,
                takes_part=outcome.how is not OutcomeKind.NOT_IN_DEAL,
            )
            for seat, outcome in self.outcomes.items()
        }

    def remarks(self) -> tuple[Message, ...]:
        """Remarks on the whole deal."""
        wording = () if self.ended is DealEnd.PLAYED_OUT else (UNUSUAL[self.ended],)
        return (*wording, say("wild joker {card}", card=self.wild)) if self.wild else wording


class DealOptions(HandOptions, frozen=True, kw_only=True):
    """House options of one deal of Indian rummy, in any form of the game."""

    cap: Annotated[int, about("Most points a losing hand can cost (full count)", "Full count", ge=40, le=200)] = 80
    first_drop: Annotated[int, about("Points for a drop before the first draw", ge=0, le=200)] = 20
    middle_drop: Annotated[int, about("Points for a drop after the first draw", ge=0, le=200)] = 40
    wrong_show: Annotated[int, about("Points for a wrong show", ge=0, le=200)] = 80
    misses_limit: Annotated[
        int,
        about(
            "Missed turns in a row that count as a middle drop",
            "Missed turns until a drop",
            ge=1,
            le=9,
            extra=PLAYS_ONLY,
        ),
    ] = 3
    drop_allowed: Annotated[bool, about("Players may drop")] = True
    leave_after_draw: Annotated[
        Literal["middle_drop", "full"],
        about("What leaving the table after a draw costs", "Leaving after drawing"),
        Wording(choices={"middle_drop": "a middle drop", "full": "a full count"}),
    ] = "middle_drop"
    deal_show_half_count: Annotated[
        bool,
        about(
            "A show before a seat's first turn costs that seat half its count, rounded up",
            "Half count before first turn",
        ),
    ] = False
    wrong_show_continues: Annotated[
        bool,
        about(
            "After a wrong show the others play on; no: the deal ends and they score 0", "Play on after a wrong show"
        ),
        Wording("After a wrong show the others play on"),
    ] = True
    stock_exhausted: Annotated[
        Literal["reshuffle", "void", "count_now"],
        about("When the stock runs out: reshuffle, cancel the deal, or count hands now", "When the stock runs out"),
        Wording(
            "When the stock runs out",
            {
                "reshuffle": "the discards are shuffled and play goes on",
                "void": "the deal is cancelled",
                "count_now": "hands are counted, the lowest wins",
            },
        ),
    ] = "reshuffle"
    count_mode: Annotated[
        Literal["declared", "optimal"],
        about("Hands entered as cards: count the player's own groups, or the best arrangement", "Count hands by"),
        Wording(
            "Hands that are entered as cards count",
            {"declared": "as the player laid them down", "optimal": "at their best arrangement"},
        ),
    ] = "declared"
    regroup_before_exposure: Annotated[
        bool,
        about("The director may allow regrouping before hands are exposed", "Regroup before showing", extra=PLAYS_ONLY),
    ] = False
    packs: Annotated[
        int, about("Packs of 52 in play; default 3 from seven seats on", ge=1, le=3), Wording("Packs of 52 in play")
    ] = 2
    printed_jokers: Annotated[int, about("Printed jokers in each pack", ge=0, le=3)] = 1

    @property
    def absent_price(self) -> int:
        """What a seat pays for a deal that it misses: a first drop, unless the form says otherwise."""
        return self.first_drop


class DealResult(msgspec.Struct, frozen=True):
    """The result of one deal: points of each seat that took part, who won it and who did something that is counted.

    `takers` are due the losers' points where these are worth something: the winner, or after a wrong show that stopped
    the deal all who still held cards, for then there is no winner.
    """

    points: dict[str, int]
    winners: tuple[str, ...]
    takers: tuple[str, ...]
    wrong_shows: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def deal_result(sheet: DealSheet, options: DealOptions, in_play: Iterable[str]) -> DealResult:
    """The result of a sheet for the seats in play. Winners add 0; seats not in the deal are left out."""
    prices = _prices(options)
    outcomes = sheet.outcomes
    points: dict[str, int] = {}
    notable: list[tuple[OutcomeKind, str]] = []
    for seat in in_play:
        outcome = outcomes.get(seat)
        if outcome is None:
            continue
        how = outcome.how
        price = prices.get(how)
        if price is None:
            if how is _NOT_IN_DEAL:
                continue
            price = hand_points(outcome, options, sheet.wild)
        elif how in NOTABLE:
            notable.append((how, seat))
        points[seat] = price
    result = _sorted_result(points, notable)
    return result if sheet.ended is _PLAYED_OUT else _unusual_result(sheet, result)


def hand_points(outcome: Outcome, options: DealOptions, wild: str | None) -> int:
    """The cost of a counted hand; half of it, rounded up, where the house rule says so."""
    count = outcome.count
    if count is None:
        count = count_of_cards(outcome.groups or (), outcome.loose or "", wild, options) if outcome.has_cards else 0
    cost = min(options.cap, count)
    if outcome.how is _HALF_COUNT or (not outcome.had_turn and options.deal_show_half_count):
        return (cost + 1) // 2
    return cost


@lru_cache(maxsize=4096)
def count_of_cards(groups: tuple[str, ...], loose: str, wild: str | None, options: DealOptions) -> int:
    """The count of a hand that was entered as cards. Raises CardsRejected where it is no hand."""
    laid = [parse_cards(group, "groups") for group in groups]
    loose_cards = parse_cards(loose, "loose")
    hand_cards = [card for group in laid for card in group] + list(loose_cards)
    refuse_if(hand_problems(hand_cards, options, field="groups"), CardsRejected)
    rank = parse_wild(wild, printed_as_wild=options.printed_as_wild)
    if options.count_mode == "optimal":
        return count_hand(hand_cards, rank, options).count
    return declared_count(laid, loose_cards, wild=rank, options=options)


# Looking up a member on its class takes longer than everything else that is done with it here.
_NOT_IN_DEAL, _HALF_COUNT, _PLAYED_OUT = OutcomeKind.NOT_IN_DEAL, OutcomeKind.HALF_COUNT, DealEnd.PLAYED_OUT


def _sorted_result(points: dict[str, int], notable: Sequence[tuple[OutcomeKind, str]]) -> DealResult:
    """Who did what, each kind under its own name."""
    won: tuple[str, ...] = ()
    wrong_shows: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    leavers: tuple[str, ...] = ()
    for how, seat in notable:
        if how in WINS:
            won = won or (seat,)
        elif how in DROPS:
            drops = (*drops, seat)
        elif how in LEAVES:
            leavers = (*leavers, seat)
        else:
            wrong_shows = (*wrong_shows, seat)
    return DealResult(points, won, won, wrong_shows, drops, leavers)


def _unusual_result(sheet: DealSheet, result: DealResult) -> DealResult:
    """A deal without a show: one that was counted when the stock ran out has a winner, a stopped one has none."""
    takers = _holders(sheet, result.points)
    won = takers if sheet.ended is DealEnd.COUNT_NOW else ()
    points = {**result.points, **dict.fromkeys(takers, 0)}
    return msgspec.structs.replace(result, points=points, winners=won, takers=takers)


def _holders(sheet: DealSheet, points: Mapping[str, int]) -> tuple[str, ...]:
    """Who pays nothing in a deal without a show: the lowest hand where hands are counted, else all still in it."""
    holders = [seat for seat in points if sheet.outcomes[seat].how in HELD_AT_SHOW]
    if sheet.ended is DealEnd.COUNT_NOW:
        holders = [seat for seat in holders if points[seat] == min(points[other] for other in holders)]
    return tuple(holders)


@lru_cache(maxsize=512)
def _prices(options: DealOptions) -> dict[OutcomeKind, int]:
    """The fixed price of every outcome that is not counted from a hand."""
    return {
        OutcomeKind.SHOW: 0,
        OutcomeKind.LAST_STANDING: 0,
        OutcomeKind.FIRST_DROP: options.first_drop,
        OutcomeKind.LEFT_BEFORE_DRAW: options.first_drop,
        OutcomeKind.ABSENT: options.absent_price,
        OutcomeKind.MIDDLE_DROP: options.middle_drop,
        OutcomeKind.THREE_MISSES: options.middle_drop,
        OutcomeKind.LEFT_AFTER_DRAW: options.middle_drop if options.leave_after_draw == "middle_drop" else options.cap,
        OutcomeKind.WRONG_SHOW: options.wrong_show,
        OutcomeKind.FULL_COUNT: options.cap,
    }


def endings_for(options: DealOptions) -> dict[DealEnd, str]:
    """How a deal can end at this table."""
    missing = set() if options.stock_exhausted == "count_now" else {DealEnd.COUNT_NOW}
    if options.wrong_show_continues:
        missing.add(DealEnd.VOID_OTHERS)
    return {ended: title for ended, title in ENDINGS.items() if ended not in missing}
