"""The value of gin hands, and the games in which they are entered: one after the other, or side by side (Hollywood).

Rules: docs/rules/gin.md, sections 2 (hands), 4 (games and boxes) and 5 (Hollywood). Knows nothing of money.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from scoring.messages import Message, Seat, say, words
from scoring.rules.table.fields import SeatMark
from scoring.rules.table.variant import Panel, PanelCell
from scoring.rules.variants.western.gin.deadwood import deadwood_in
from scoring.rules.variants.western.gin.options import GinOptions

Ending = Literal["knock", "gin", "big_gin", "dead"]
ENDINGS: tuple[Ending, ...] = ("knock", "gin", "big_gin", "dead")

KNOCK_TITLES: dict[Ending, str] = {
    "knock": words("Knocked with"),
    "gin": words("Gin"),
    "big_gin": words("Big gin"),
    "dead": words("Dead hand"),
}

Sides = tuple[int, int]


class GinHand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One hand between two seats. `defender_deadwood` is counted after laying off.

    Instead of both deadwood numbers there may be cards: the knocker's `melds` and `loose` cards, and as
    `defender_cards` all of the opponent's. `extra_boxes` are agreed on in addition to those of the house rules.
    """

    knocker: str | None
    defender: str | None = None
    ending: Ending = "knock"
    knocker_deadwood: int | None = None
    defender_deadwood: int | None = None
    extra_boxes: int = 0
    melds: tuple[str, ...] = ()
    loose: str = ""
    defender_cards: str = ""

    @property
    def is_in_cards(self) -> bool:
        """Whether the sheet has cards, and no numbers."""
        return bool(self.melds or self.loose or self.defender_cards)

    @property
    def deadwood(self) -> tuple[int | None, int | None]:
        """The deadwood of the knocker and the opponent: as it was entered, or as the cards count."""
        if self.is_in_cards:
            return deadwood_in(self.melds, self.loose, self.defender_cards)
        return self.knocker_deadwood, self.defender_deadwood

    def marks(self) -> dict[str, SeatMark]:
        """Who knocked with how much, and the opponent's deadwood. An undercut on equal counts depends on the house."""
        if self.knocker is None or self.ending == "dead":
            return {}
        counted, defender_count = self.deadwood
        knocked = counted or 0
        is_plain = self.ending == "knock"
        title = KNOCK_TITLES[self.ending]
        won = SeatMark(
            how=self.ending,
            title=title,
            short=words("knock") if is_plain else title.lower(),
            count=knocked if is_plain else None,
            groups=self.melds,
            loose=self.loose,
            is_win=not is_plain or (defender_count is not None and knocked < defender_count),
        )
        if self.defender is None:
            return {self.knocker: won}
        undercuts = is_plain and defender_count is not None and defender_count < knocked
        defender_mark = SeatMark(
            how="undercut" if undercuts else "held",
            title=_defender_title(undercuts=undercuts, is_equal=is_plain and defender_count == knocked),
            short=words("undercut") if undercuts else "",
            count=defender_count,
            loose=self.defender_cards,
            is_win=undercuts,
        )
        return {self.knocker: won, self.defender: defender_mark}


def _defender_title(*, undercuts: bool, is_equal: bool) -> str:
    """Equal counts are an undercut in most houses and a win of the knocker in others, which a sheet does not know."""
    if undercuts:
        return words("Undercut with")
    return words("Equal count") if is_equal else words("Held")


class GinSheet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One deal: one hand, or with partners a hand for each pair of opponents."""

    hands: tuple[GinHand, ...]
    upcard: str | None = None
    illegal_knocks: tuple[str, ...] = ()
    dealer: str | None = None

    @property
    def keeps_dealer(self) -> bool:
        """After a dead hand the same seat deals again."""
        return all(hand.ending == "dead" for hand in self.hands)

    def marks(self) -> dict[str, SeatMark]:
        return {seat: mark for hand in self.hands for seat, mark in hand.marks().items()}

    def remarks(self) -> tuple[Message, ...]:
        dead, hands = sum(hand.ending == "dead" for hand in self.hands), len(self.hands)
        messages = []
        if dead:
            several = say("{number} of {of} hands dead", number=dead, of=hands)
            messages.append(several if hands > 1 else say("the hand was dead"))
        if self.upcard:
            messages.append(say("upcard {card}", card=self.upcard))
        return (*messages, *(say("{seat} knocked over the limit", seat=Seat(seat)) for seat in self.illegal_knocks))


class HandResult(msgspec.Struct, frozen=True):
    """Who won a hand (a seat, or with partners a side), for how many points and how many boxes."""

    winner: str
    points: int
    boxes: int


class SideResult(msgspec.Struct, frozen=True):
    """Which side won a deal, for how many points and boxes."""

    side: int
    points: int
    boxes: int


class GinColumn(msgspec.Struct, frozen=True, array_like=True):
    """One game: points, boxes and hands won of each side, and the side that has won it."""

    points: Sides = (0, 0)
    boxes: Sides = (0, 0)
    hands: Sides = (0, 0)
    winner: int | None = None


def hand_result(options: GinOptions, hand: GinHand, upcard: str | None) -> HandResult | None:
    """The value of one hand before partners are netted; None where it was dead, or not entered in full."""
    if hand.knocker is None or hand.defender is None or hand.ending == "dead":
        return None
    knocked, defender_count = (count or 0 for count in hand.deadwood)
    extra = hand.extra_boxes
    if hand.ending != "knock":
        bonus = options.gin_bonus
        if hand.ending == "big_gin" and options.big_gin_bonus is not None:
            bonus = options.big_gin_bonus
        winner, points, extra = hand.knocker, defender_count + bonus, extra + options.gin_extra_boxes
    elif defender_count < knocked or (defender_count == knocked and options.undercut_on_tie):
        winner, points = hand.defender, knocked - defender_count + options.undercut_bonus
        extra += options.undercut_extra_boxes
    else:
        winner, points = hand.knocker, defender_count - knocked + options.holding("knock_bonus")
    if not options.doubles(upcard):
        return HandResult(winner, points, 1 + extra)
    factor = 2 if options.spades_double == "points_and_boxes" else 1
    return HandResult(winner, 2 * points, factor * (1 + extra))


def side_result(options: GinOptions, seats: Sequence[str], sheet: GinSheet) -> SideResult | None:
    """The value of a deal to one side: the net of its hands, and one box; None where neither side is ahead.

    A side's further boxes are those of the hands that it won; of the one box each hand has, only one counts.
    """
    hand_results = [result for hand in sheet.hands if (result := hand_result(options, hand, sheet.upcard))]
    if len(hand_results) == 1:
        return SideResult(seats.index(hand_results[0].winner) % 2, hand_results[0].points, hand_results[0].boxes)
    points = [0, 0]
    boxes: tuple[list[int], list[int]] = ([], [])
    for result in hand_results:
        side = seats.index(result.winner) % 2
        points[side] += result.points
        boxes[side].append(result.boxes)
    ahead = points[0] - points[1]
    if not ahead:
        return None
    side = 0 if ahead > 0 else 1
    boxes_per_hand = 2 if options.doubles(sheet.upcard) and options.spades_double == "points_and_boxes" else 1
    return SideResult(side, abs(ahead), sum(boxes[side]) - boxes_per_hand * (len(boxes[side]) - 1))


def entered(options: GinOptions, columns: Sequence[GinColumn], won: SideResult) -> tuple[GinColumn, ...]:
    """The games with one more deal won: in every open game in which the side has won a hand, and in one more.

    Where the house plays further games, one begins for each that has ended.
    """
    open_games = [index for index, column in enumerate(columns) if column.winner is None]
    places = [index for index in open_games if columns[index].hands[won.side]]
    places += [index for index in open_games if not columns[index].hands[won.side]][:1]
    after = [_with_result(options, column, won) if index in places else column for index, column in enumerate(columns)]
    ended = sum(column.winner is not None for column in after)
    return (*after, *[GinColumn()] * (min(options.games + ended, options.all_games) - len(after)))


def ahead_by(options: GinOptions, columns: Sequence[GinColumn]) -> int:
    """By how much the first side is ahead of the second over all games; negative where it is behind."""
    last = options.all_games - 1
    return sum(
        column_difference(options, column) * (2 if options.last_game_doubles and 0 < last == index else 1)
        for index, column in enumerate(columns)
    )


def column_difference(options: GinOptions, column: GinColumn) -> int:
    """One game as of now: points, game bonus, boxes, and at its end the value of a shutout."""
    final = final_scores(options, column)
    difference = final[0] - final[1]
    return 2 * difference if is_shutout(column) and options.shutout == "double_difference" else difference


def final_scores(options: GinOptions, column: GinColumn) -> Sides:
    """Each side's score of one game before the difference is taken."""
    final = [points + boxes * options.box_bonus for points, boxes in zip(column.points, column.boxes, strict=True)]
    if column.winner is not None:
        final[column.winner] += options.game_bonus
        if is_shutout(column) and options.shutout == "double_points":
            final[column.winner] += column.points[column.winner]
        elif is_shutout(column) and options.shutout == "flat":
            final[column.winner] += options.shutout_flat
    return final[0], final[1]


def is_shutout(column: GinColumn) -> bool:
    """A game was won and its loser has not won a single hand in it."""
    return column.winner is not None and column.hands[1 - column.winner] == 0


def illegal_knocks(knocks: Mapping[str, int], sheet: GinSheet) -> dict[str, int]:
    """Knocks over the limit: nothing is scored for them, but they are recorded."""
    return {seat: count + int(seat in sheet.illegal_knocks) for seat, count in knocks.items()}


def _with_result(options: GinOptions, column: GinColumn, won: SideResult) -> GinColumn:
    points = _more(column.points, won.side, won.points)
    return GinColumn(
        points=points,
        boxes=_more(column.boxes, won.side, won.boxes),
        hands=_more(column.hands, won.side, 1),
        winner=won.side if points[won.side] >= options.target else None,
    )


def _more(sides: Sides, side: int, number: int) -> Sides:
    return (sides[0] + number, sides[1]) if side == 0 else (sides[0], sides[1] + number)


# The games of a gin table as of now: points and boxes of each side, and their difference.


HEADING = (say("Side"), say("Game"), say("Points"), say("Boxes"), say("Total"), say("Ahead by"))


def games_panel(options: GinOptions, seats: Sequence[str], columns: Sequence[GinColumn]) -> Panel:
    """Two rows a game, one for each side."""
    sides = [tuple(map(Seat, seats[side::2])) for side in (0, 1)]
    games = enumerate(columns, start=1)
    rows = tuple(row for number, column in games for row in _rows(options, sides, number, column))
    title = say("Games side by side") if len(columns) > 1 else say("The game")
    return Panel(title=title, heading=HEADING, rows=rows)


def _rows(
    options: GinOptions, sides: Sequence[tuple[Seat, ...]], number: int, column: GinColumn
) -> Iterator[tuple[PanelCell, ...]]:
    """The difference is shown for the side that is ahead; a shutout may have doubled it."""
    final, difference = final_scores(options, column), column_difference(options, column)
    for side, partners in enumerate(sides):
        ahead = difference if side == 0 else -difference
        lead = str(ahead) if column.winner is None else say("won, {number}", number=ahead)
        numbers = (number, column.points[side], column.boxes[side], final[side])
        yield (partners, *map(str, numbers), lead if ahead > 0 else "")
