"""Searches the seating of all rounds: players change places between tables until few meetings are repeated.

Rules: docs/how-to/seating.md, section 4. Simulated annealing: a change is kept if it costs less than a random amount
that shrinks to 0. Only whole numbers, additions and one random stream: the same seed gives the same seats on any
machine. Knows players, tables and rounds by number from 0, nothing of restrictions.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from scoring.messages import say
from scoring.problems import Problem
from scoring.rules.cards import CARDS, RANK_COUNT, SUITS, Card
from tournaments.draw import SeatingRejected

# Lots that anyone can draw again: a short published seed and a documented method.

SEED_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SEED_LENGTH = 8
MISREAD = str.maketrans({"O": "0", "I": "1", "L": "1"})
PACK = CARDS[: RANK_COUNT * len(SUITS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCard:
    """The card a player drew."""

    player: str
    card: Card


def seed_from(chance: bytes) -> str:
    """Eight characters such as K7QF-2M9X, from at least five random bytes. Raises SeatingRejected for fewer."""
    if len(chance) * 8 < SEED_LENGTH * 5:
        raise SeatingRejected(
            [Problem(code="seed_short", field="seed", detail=say("a draw code needs 5 random bytes"))]
        )
    number = int.from_bytes(chance, "big")
    signs = "".join(SEED_ALPHABET[number >> (5 * place) & 31] for place in range(SEED_LENGTH))
    return f"{signs[:4]}-{signs[4:]}"


def seed_as_read(text: str) -> str:
    """A seed as typed: lower case, spaces, O for 0 and I or L for 1 are accepted. Raises SeatingRejected."""
    signs = "".join(text.upper().translate(MISREAD).replace("-", "").split())
    if len(signs) != SEED_LENGTH or not set(signs) <= set(SEED_ALPHABET):
        detail = say(
            "a draw code has {number} letters and digits, such as K7QF-2M9X; this one has {of}",
            number=SEED_LENGTH,
            of=len(signs),
        )
        raise SeatingRejected([Problem(code="seed_unreadable", field="seed", detail=detail)])
    return f"{signs[:4]}-{signs[4:]}"


def lots(seed: str, players: Iterable[str]) -> tuple[str, ...]:
    """The players in the order of their lots, best first. The order in which they are listed does not matter."""
    return tuple(sorted(set(players), key=lambda key: (_sum_of(seed, key), key)))


def high_card(seed: str, players: Iterable[str]) -> tuple[DrawnCard, ...]:
    """Each player draws one card of a pack of 52; the highest first, ace high, then spades, hearts, diamonds, clubs.

    The pack is ordered by the lots of "card AS" to "card KC"; players draw in the order of their keys. Raises
    SeatingRejected for more players than cards.
    """
    drawing = sorted(set(players))
    if len(drawing) > len(PACK):
        detail = say(
            "{number} players cannot each draw a card from a pack of {of}: use lots", number=len(drawing), of=len(PACK)
        )
        raise SeatingRejected([Problem(code="pack_too_small", field="players", detail=detail)])
    pack = sorted(PACK, key=lambda card: _sum_of(seed, f"card {card}"))
    drawn = [DrawnCard(player=player, card=card) for player, card in zip(drawing, pack, strict=False)]
    return tuple(sorted(drawn, key=lambda one: _height(one.card), reverse=True))


def chance_of(seed: str) -> random.Random:
    """A random stream that is the same for the same seed on any machine.

    Only call `.random()`: Python promises no other method's sequence between versions.
    """
    return random.Random(seed)  # noqa: S311 - to be repeated by anybody, so not secret by intent


def _sum_of(seed: str, text: str) -> bytes:
    return sha256(f"{seed}:{text}".encode()).digest()


def _height(card: Card) -> tuple[int, int]:
    rank, suit = card.rank or 0, card.suit or 0
    return (rank or RANK_COUNT, -suit)


# Designs of tournaments in which no pair meets twice, where a search would not find one.


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """The first round of a design; each later round moves every player on by one in a ring of `rounds` players.

    Players count from 0; those 0 to `rounds` - 1 are the first ring, and so on. Players left over after the last whole
    ring do not move.
    """

    rounds: int
    first: tuple[tuple[int, ...], ...]

    def round_after(self, played: int) -> list[list[int]]:
        """The groups after that many rounds."""
        rings = sum(map(len, self.first)) // self.rounds * self.rounds
        return [[self._moved(player, played) if player < rings else player for player in group] for group in self.first]

    def _moved(self, player: int, places: int) -> int:
        start = player - player % self.rounds
        return start + (player + places) % self.rounds


# By players and seats at each table. Found by trying first rounds in which each distance within a ring, and between two
# rings, comes once at most.
DESIGNS = {
    (15, 3): Design(rounds=7, first=((14, 1, 10), (0, 2, 8), (3, 6, 13), (4, 5, 9), (7, 11, 12))),
    (24, 4): Design(
        rounds=7,
        first=((23, 0, 12, 18), (21, 6, 9, 14), (22, 1, 7, 17), (2, 4, 5, 13), (3, 15, 16, 20), (8, 10, 11, 19)),
    ),
    (28, 4): Design(
        rounds=9,
        first=(
            *((27, 2, 12, 19), (0, 4, 9, 15), (1, 3, 21, 26), (5, 8, 18, 20)),
            *((6, 7, 10, 14), (11, 13, 23, 24), (16, 17, 22, 25)),
        ),
    ),
    (32, 4): Design(
        rounds=8,
        first=(
            *((0, 11, 14, 24), (1, 17, 22, 29), (2, 20, 28, 31), (3, 6, 13, 25)),
            *((4, 9, 18, 19), (5, 7, 16, 30), (8, 15, 21, 23), (10, 12, 26, 27)),
        ),
    ),
    (30, 5): Design(
        rounds=6,
        first=(
            *((0, 4, 14, 15, 26), (1, 9, 13, 20, 28), (2, 3, 7, 19, 23)),
            *((5, 6, 8, 24, 29), (10, 11, 12, 16, 18), (17, 21, 22, 25, 27)),
        ),
    ),
}

REPEATED = 100
REPEATED_AGAIN = 5
CLUB_MATES = 200
KEPT_APART = 1_000_000
THIRD_VISIT = 20
# A pair's tally is how often it has met, plus a band for a restriction on it.
BAND = 1_000
CLUB_BAND = BAND
APART_BAND = 2 * BAND
SMALL_ROOM = 60
TRIES_A_SEAT = 4_000
MOST_TRIES_SMALL = 60_000
MOST_TRIES_LARGE = 30_000
ROAMING_SMALL = 150.0
ROAMING_LARGE = 50.0


def _costs_of_meeting() -> list[int]:
    again = [0] + [REPEATED + REPEATED_AGAIN * min(times, 50) for times in range(BAND - 1)]
    return again + [cost + CLUB_MATES for cost in again] + [KEPT_APART] * BAND


MEETING = _costs_of_meeting()
VISIT = [0, 0] + [THIRD_VISIT + REPEATED_AGAIN * min(times, 50) for times in range(BAND - 2)]


class Sparse(dict[int, int]):
    """A row of counts of which nearly all are 0: with many players few pairs ever meet."""

    def __missing__(self, key: int) -> int:
        return 0


Row = list[int] | Sparse


def rows(players: int, width: int) -> list[Row]:
    """A row of zeros for each player."""
    return [Sparse() if players > SMALL_ROOM else [0] * width for _ in range(players)]


class PlannedRounds:
    """The rounds being planned: the table of each player, and the cost of each pair and each visit so far."""

    __slots__ = ("at", "cost", "groups", "movable", "tallies", "visits")

    def __init__(self, tallies: list[Row], visits: list[Row]) -> None:
        self.tallies = tallies
        self.visits = visits
        self.at: list[dict[int, int]] = []
        self.groups: list[list[list[int]]] = []
        self.movable: list[list[int]] = []
        self.cost = 0

    def add_round(self, groups: Sequence[Sequence[int]], *, fixed: Iterable[int]) -> None:
        """Add a round with a first seating. Fixed players stay at their table."""
        self.groups.append([list(group) for group in groups])
        self.at.append({player: table for table, group in enumerate(groups) for player in group})
        self.movable.append(sorted(set(self.at[-1]) - set(fixed)))
        for group in groups:
            for place, player in enumerate(group):
                for other in group[:place]:
                    self.cost += MEETING[self.tallies[player][other]]
                    self.tallies[player][other] += 1
                    self.tallies[other][player] += 1
        for player in self.movable[-1]:
            visited = self.visits[player]
            table = self.at[-1][player]
            self.cost += VISIT[visited[table]]
            visited[table] += 1

    def change_of_cost(self, number: int, one: int, other: int) -> int:
        """The difference in cost if these two change places in a round. Below 0 it is better."""
        at, groups = self.at[number], self.groups[number]
        here, there = at[one], at[other]
        ones, others = self.tallies[one], self.tallies[other]
        change = 0
        for mate in groups[here]:
            if mate != one:
                change += MEETING[others[mate]] - MEETING[ones[mate] - 1]
        for mate in groups[there]:
            if mate != other:
                change += MEETING[ones[mate]] - MEETING[others[mate] - 1]
        mine, theirs = self.visits[one], self.visits[other]
        change += VISIT[mine[there]] - VISIT[mine[here] - 1]
        return change + VISIT[theirs[here]] - VISIT[theirs[there] - 1]

    def change_places(self, number: int, one: int, other: int) -> None:
        """The two players change places in that round."""
        at, groups = self.at[number], self.groups[number]
        here, there = at[one], at[other]
        self._change_mate(groups[here], one, other)
        self._change_mate(groups[there], other, one)
        at[one], at[other] = there, here
        for player, old_table, new_table in ((one, here, there), (other, there, here)):
            self.visits[player][old_table] -= 1
            self.visits[player][new_table] += 1

    def _change_mate(self, group: list[int], leaving: int, coming: int) -> None:
        tallies = self.tallies
        leaving_tally, coming_tally = tallies[leaving], tallies[coming]
        for mate in group:
            if mate != leaving:
                tallies[mate][leaving] -= 1
                leaving_tally[mate] -= 1
                tallies[mate][coming] += 1
                coming_tally[mate] += 1
        group[group.index(leaving)] = coming


def settle(planned: PlannedRounds, chance: random.Random) -> None:
    """Let players change places until the cost is 0 or the tries are used up."""
    rounds = [number for number, movable in enumerate(planned.movable) if len(movable) > 1]
    draw = chance.random
    roaming, tries = _patience(planned, rounds)
    for tried in range(tries):
        if planned.cost == 0:
            return
        number = rounds[int(draw() * len(rounds))]
        movable, at = planned.movable[number], planned.at[number]
        player, other = movable[int(draw() * len(movable))], movable[int(draw() * len(movable))]
        if at[player] == at[other]:
            continue
        change = planned.change_of_cost(number, player, other)
        if change <= 0 or change < roaming * (1 - tried / tries) * draw():
            planned.change_places(number, player, other)
            planned.cost += change


def _patience(planned: PlannedRounds, rounds: Sequence[int]) -> tuple[float, int]:
    """How much a change may cost at first, and the number of tries: in a large room most pairs have never met."""
    seats = max((len(planned.movable[number]) for number in rounds), default=0)
    if seats > SMALL_ROOM:
        return ROAMING_LARGE, MOST_TRIES_LARGE * len(rounds)
    return ROAMING_SMALL, min(MOST_TRIES_SMALL, TRIES_A_SEAT * seats) * len(rounds)
