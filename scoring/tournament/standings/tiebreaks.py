"""Tied players: the tournament's chain of tie-breaks, one after the other, and the line that names the deciding one.

Rules: docs/rules/tournaments.md, "Ties". The chain stops at an extra deal, a high card or lots until its result is
entered: none of these is decided automatically. Knows nothing of cuts or prizes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from scoring.messages import Message, say, say_many
from scoring.rules.cards import RANK_COUNT, Card
from scoring.tournament.standings.results import Result
from scoring.tournament.state import Tie, TournamentState
from scoring.tournament.state.played import Game, SeatPlayed

MANUAL = ("extra_deal", "high_card", "lots")
NOT_DONE = {
    "extra_deal": say("tied, no extra deal played"),
    "high_card": say("tied, no card drawn"),
    "lots": say("tied, no lots drawn"),
}
OWN_TABLE = "own_table"
Players = Sequence[Result]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The result of one tie-break for a player: lower is ranked higher. `short` is its text in a comparison.

    Where `short` is empty the whole comparison is `text` for the better player, and `behind` for the other.
    """

    by: str
    value: int
    text: Message
    short: str | Message = ""
    behind: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A result with its place, which tied players share. `steps` are the tie-breaks that were applied."""

    place: int
    is_tied: bool
    result: Result
    steps: tuple[Step, ...] = ()

    @property
    def player(self) -> str:
        return self.result.player


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The tie-breaks of a stage in their order, and the recorded results of those done by hand."""

    breaks: tuple[str, ...]
    ties: tuple[Tie, ...]
    game: Game

    @property
    def methods(self) -> tuple[str, ...]:
        """The ways to break ties by hand: as in the plan, or any where it names none."""
        return tuple(name for name in self.breaks if name in MANUAL) or MANUAL


def chain_of(state: TournamentState, stage: int, game: Game) -> Chain:
    """The chain of a stage."""
    breaks = state.plan.tie_breaks if state.plan else ()
    return Chain(breaks=tuple(breaks), ties=tuple(tie for tie in state.ties if tie.stage == stage), game=game)


def ranked(results: Players, chain: Chain) -> tuple[Ranked, ...]:
    """All players in order, best first, with places: tied ones share a place and the next is skipped."""
    rows: list[Ranked] = []
    for _, level in groupby(results, key=lambda result: result.key):
        for group in _split([(result, ()) for result in level], chain):
            place = len(rows) + 1
            rows += [Ranked(place=place, is_tied=len(group) > 1, result=result, steps=steps) for result, steps in group]
    return tuple(rows)


def deciding_lines(rows: Sequence[Ranked], breaks: Iterable[str]) -> dict[str, Message]:
    """For each player who was tied with the one above or below: what decided, or that nothing has.

    Each line is about its own player: "4 deals won against 3" above, "3 deals won against 4" below. `breaks` are the
    tie-breaks of the plan: the first one by hand is what players who are still tied have not done.
    """
    by_hand = next((name for name in breaks if name in MANUAL), None)
    still_tied = NOT_DONE[by_hand] if by_hand else say("tied on every tie-break")
    lines: dict[str, Message] = {}
    for above, below in pairwise(rows):
        if above.result.key != below.result.key:
            continue
        lines.setdefault(above.player, decided(above, below) or still_tied)
        lines[below.player] = decided(below, above) or still_tied
    return lines


def decided(one: Ranked, other: Ranked) -> Message | None:
    """What put a player before, or behind, another with the same score: "4 deals won against 3"; None if nothing."""
    for own, its in zip(one.steps, other.steps, strict=False):
        if own.value != its.value and its.short:
            return say("{what} against {other}", what=own.text, other=its.short)
        if own.value != its.value:
            return own.behind if own.behind is not None and own.value > its.value else own.text
    return None


_Group = list[tuple[Result, tuple[Step, ...]]]


def _split(group: _Group, chain: Chain, breaks: tuple[str, ...] | None = None) -> Iterator[_Group]:
    """A tied group as smaller ones, best first."""
    breaks_left = (OWN_TABLE, *_automatic(chain.breaks)) if breaks is None else breaks
    if len(group) < 2:
        yield group
        return
    if not breaks_left:
        yield from _by_hand(group, chain)
        return
    steps = _RULES[breaks_left[0]]([result for result, _ in group], chain.game)
    if not steps:
        yield from _split(group, chain, breaks_left[1:])
        return
    extended_group = [(result, (*before, step)) for (result, before), step in zip(group, steps, strict=True)]
    for part in _parted(extended_group):
        yield from _split(part, chain, breaks_left[1:])


def _by_hand(group: _Group, chain: Chain) -> Iterator[_Group]:
    """In the order that an extra deal, a high card or lots gave them; together where none is recorded."""
    for tie in reversed(chain.ties):
        places = [_place_in(tie, result) for result, _ in group]
        if None not in places:
            steps = [_tie_step(tie, place or 0) for place in places]
            extended_group = [(result, (*before, step)) for (result, before), step in zip(group, steps, strict=True)]
            yield from _parted(extended_group)
            return
    yield group


def _parted(group: _Group) -> Iterator[_Group]:
    """The group by the last step of each, best first; in the given order where that is the same."""
    ordered = sorted(group, key=lambda taken: taken[1][-1].value)
    for _, part in groupby(ordered, key=lambda taken: taken[1][-1].value):
        yield list(part)


def _automatic(breaks: Iterable[str]) -> Iterator[str]:
    """The tie-breaks up to the first one that has to be carried out by hand."""
    for name in breaks:
        if name in MANUAL:
            return
        yield name


def _place_in(tie: Tie, result: Result) -> int | None:
    return next((tie.order.index(player) for player in result.people if player in tie.order), None)


def _tie_step(tie: Tie, place: int) -> Step:
    match tie.method:
        case "extra_deal":
            return Step(
                by=tie.method,
                value=place,
                text=say("ahead in the extra deal"),
                behind=say("behind in the extra deal"),
            )
        case "high_card":
            card = tie.cards.get(tie.order[place]) or say("card {number}", number=place + 1)
            return Step(by=tie.method, value=place, text=say("{card} drawn", card=card), short=card)
    return Step(
        by=tie.method,
        value=place,
        text=say("ahead by lot (draw code {code})", code=str(tie.seed)),
        behind=say("behind by lot (draw code {code})", code=str(tie.seed)),
    )


def _deals_won(count: int) -> Message:
    return say_many("{count} deal won", "{count} deals won", count=count)


def _wrong_shows(count: int) -> Message:
    return say_many("{count} wrong show", "{count} wrong shows", count=count)


def _drops(count: int) -> Message:
    return say_many("{count} drop", "{count} drops", count=count)


def _counted(
    by: str, name: str, message: Callable[[int], Message], *, sign: int = 1
) -> Callable[[Players, Game], list[Step]]:
    """A tie-break by one of the counters of a standing: the fewest ranked higher, or the most with `sign` -1."""

    def steps(group: Players, game: Game) -> list[Step]:
        return [Step(by=by, value=sign * (n := r.counted(name)), text=message(n), short=str(n)) for r in group]

    return steps


def _own_table(group: Players, game: Game) -> list[Step]:
    """Players whose only table of the stage was the same one are ordered as at that table."""
    tables = {(seat.round, seat.table) for result in group for seat in result.seats}
    if len(tables) != 1 or any(len(result.seats) != 1 for result in group):
        return []
    keys = sorted({result.seats[0].rank_key for result in group})
    text, behind = say("ranked higher at their own table"), say("ranked lower at their own table")
    return [
        Step(by=OWN_TABLE, value=keys.index(result.seats[0].rank_key), text=text, behind=behind) for result in group
    ]


def _head_to_head(group: Players, game: Game) -> list[Step]:
    """Places at the tables that two players shared. It counts only where it puts the whole group in order."""
    wins = {result.player: sum(_beats(result, other) for other in group if other is not result) for result in group}
    if sorted(wins.values()) != list(range(len(group))):
        return []
    return [
        Step(by="head_to_head", value=-won, text=say("{number} beaten head to head", number=won), short=str(won))
        for won in (wins[result.player] for result in group)
    ]


def _beats(one: Result, other: Result) -> bool:
    """Placed before the other more often than behind, at the tables that they shared."""
    places = _places(other.seats)
    met = [(place, places[table]) for table, place in _places(one.seats).items() if table in places]
    return sum(mine < theirs for mine, theirs in met) > sum(mine > theirs for mine, theirs in met)


def _places(seats: Iterable[SeatPlayed]) -> Mapping[tuple[int, int], int]:
    return {(seat.round, seat.table): seat.place for seat in seats}


def _last_deal(group: Players, game: Game) -> list[Step]:
    """The result of the last deal of the last table; nothing where one player has none."""
    last = [result.seats[-1].last_deal if result.seats else None for result in group]
    if None in last:
        return []
    return [
        Step(by="last_deal", value=points if game.low_is_good else -points, text=text, short=str(points))
        for points, text in (
            (points, say("{points} in the last deal", points=points)) for points in last if points is not None
        )
    ]


_RULES: dict[str, Callable[[Players, Game], list[Step]]] = {
    OWN_TABLE: _own_table,
    "deals_won": _counted("deals_won", "deals_won", _deals_won, sign=-1),
    "fewest_wrong_shows": _counted("fewest_wrong_shows", "wrong_shows", _wrong_shows),
    "fewest_drops": _counted("fewest_drops", "drops", _drops),
    "head_to_head": _head_to_head,
    "last_deal": _last_deal,
}


def by_high_card(cards: Mapping[str, Card]) -> tuple[str, ...]:
    """Players by the cards they drew, the highest first: by rank, ace high, then spades, hearts, diamonds, clubs."""
    return tuple(sorted(cards, key=lambda player: _height(cards[player]), reverse=True))


def _height(card: Card) -> tuple[int, int]:
    return card.rank or RANK_COUNT, -(card.suit or 0)
