"""Seating by standings, in blocks or as a snake, as far as restrictions and past meetings allow.

Rules: docs/how-to/seating.md, section 7. In this order: seating restrictions; few repeated meetings; the order of the
standings. The same standings, restrictions and past rounds give the same seats. Knows nothing of how the standings were
made.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, cycle
from math import inf

from scoring.messages import say
from scoring.problems import Problem, refuse_if
from tournaments.draw import Pair, SeatedRound, SeatingConstraints, SeatingRejected, meetings, round_of, table_sizes
from tournaments.draw.constraints import constraint_problems, firm_places, fixed_among, seats_of, tangles
from tournaments.draw.drawing import History, sitting_out
from tournaments.draw.places import balanced
from tournaments.draw.search import SMALL_ROOM, chance_of

# The cost of two players at one table, in units that are more than all players' distances from their places together.
MET, MATES, APART = 1, 10_000, 100_000_000
# In a small room where meetings cannot be avoided, their number is searched by chance; it always starts the same.
TRIES_A_SEAT, MOST_TRIES = 600, 12_000
# In repeated meetings, and in places of the standings.
HOTTEST, COOLEST = 5, 0.5
# How many tables away a player is looked for who would change places.
MOST_AWAY = 60


def top_together(standing: Sequence[str], constraints: SeatingConstraints, *, history: History = ()) -> SeatedRound:
    """The best players at table 1, the next at table 2, and so on down the standings."""
    return _seated_by(standing, constraints, history, _in_blocks)


def snake(standing: Sequence[str], constraints: SeatingConstraints, *, history: History = ()) -> SeatedRound:
    """First to table 1, second to table 2, back again after the last table: every table gets strong and weak ones."""
    return _seated_by(standing, constraints, history, _to_and_fro)


def _seated_by(
    standing: Sequence[str],
    constraints: SeatingConstraints,
    history: History,
    split_up: Callable[[Sequence[int], Sequence[int]], list[list[int]]],
) -> SeatedRound:
    refuse_if(_standing_problems(standing, constraints) or constraint_problems(constraints), SeatingRejected)
    split = table_sizes(len(standing), constraints.sizes)
    resting = sitting_out(standing[::-1], split.sit_outs, history=history)
    playing = [key for key in standing if key not in set(resting)]
    firm = firm_places(constraints, playing, split.sizes)
    if firm is None:
        raise SeatingRejected(tangles(constraints, playing, split.sizes))
    seats = seats_of(split.sizes, fixed_among(constraints, playing))
    tables = _Tables(split_up(range(len(playing)), list(seats.values())), _costs(playing, constraints, history))
    place = {key: number for number, key in enumerate(playing)}
    for fixed_table in fixed_among(constraints, playing):
        tables.fix(place[fixed_table.player], fixed_table.table - 1)
    tables.part()
    if tables.cost >= APART * _unit(len(playing)):
        tables.start_from({place[key]: number - 1 for key, number in firm.items()})
        tables.part()
    groups = [[playing[number] for number in sorted(group)] for group in tables.groups]
    past = [table.seats for done in history for table in done.tables]
    return round_of(dict(enumerate(balanced(groups, past=past), start=1)), sits_out=resting)


def _standing_problems(standing: Sequence[str], constraints: SeatingConstraints) -> list[Problem]:
    on_list, ranked = dict.fromkeys(constraints.keys), dict.fromkeys(standing)
    details = [
        *(
            (key, say("{seat} is on the list, but not in the standings", seat=constraints.called(key)))
            for key in on_list
            if key not in ranked
        ),
        *(
            (key, say("{seat} is in the standings, but not on the list", seat=constraints.called(key)))
            for key in ranked
            if key not in on_list
        ),
    ]
    problems = [Problem("standing_differs", detail, seat=key, field="standing") for key, detail in details]
    listed = Counter(standing)
    for key in [key for key in ranked if listed[key] > 1]:
        detail = say("{seat} is in the standings {number} times", seat=constraints.called(key), number=listed[key])
        problems.append(Problem(code="player_twice", seat=key, field="standing", detail=detail))
    return problems


def _in_blocks(playing: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    waiting = iter(playing)
    return [[next(waiting) for _ in range(size)] for size in sizes]


def _to_and_fro(playing: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    tables: list[list[int]] = [[] for _ in sizes]
    places = list(range(len(sizes)))
    row = cycle([*places, *reversed(places)])
    for player in playing:
        tables[next(place for place in row if len(tables[place]) < sizes[place])].append(player)
    return tables


def _costs(playing: Sequence[str], constraints: SeatingConstraints, history: History) -> list[dict[int, int]]:
    """What it costs to seat each pair of players together; pairs that cost nothing are left out."""
    place = {key: number for number, key in enumerate(playing)}
    clubs = defaultdict(list)
    for player in constraints.players:
        if constraints.clubs_apart and player.club:
            clubs[player.club].append(player.key)
    costs: Counter[Pair] = Counter()
    costs.update(dict.fromkeys(meetings(history), MET))
    for mates in clubs.values():
        costs.update({frozenset(pair): MATES for pair in combinations(mates, 2)})
    costs.update({frozenset((pair.one, pair.other)): APART for pair in constraints.apart})
    rows: list[dict[int, int]] = [{} for _ in playing]
    for pair, cost in costs.items():
        player_key, other = pair
        if player_key in place and other in place:
            rows[place[player_key]][place[other]] = rows[place[other]][place[player_key]] = cost * _unit(len(playing))
    return rows


def _unit(players: int) -> int:
    """More than the places by which so many players can be away from their own, all together."""
    return players * players // 2 + 1


class _Tables:
    """The players of each table by their places in the standings, and what changes of places between them cost."""

    def __init__(self, ideal: Sequence[Sequence[int]], costs: Sequence[dict[int, int]]) -> None:
        self.ideal = [sorted(group) for group in ideal]
        self.groups = [list(group) for group in self.ideal]
        self.home = {player: table for table, group in enumerate(self.ideal) for player in group}
        self.at = dict(self.home)
        self.costs = costs
        self.fixed: set[int] = set()

    @property
    def cost(self) -> int:
        """The cost of all tables: what is together, and how far the players are from their places."""
        together = sum(self._of(player, group) for group in self.groups for player in group) // 2
        return together + sum(self._distance(table, group) for table, group in enumerate(self.groups))

    def fix(self, player: int, table: int) -> None:
        """Bring a player to the table that they need: in the place of the one nearest in the standings."""
        if self.at[player] != table:
            leaving = min(
                (candidate for candidate in self.groups[table] if candidate not in self.fixed),
                key=lambda p: abs(p - player),
            )
            self._exchange(player, leaving)
        self.fixed.add(player)

    def start_from(self, firm: dict[int, int]) -> None:
        """Seat players with strict restrictions where all of these are kept, and the others in order around them."""
        waiting = (player for player in self.at if player not in firm)
        rest = iter(sorted(waiting, key=lambda player: (self.home[player], player)))
        for table, group in enumerate(self.ideal):
            there = [player for player, place in firm.items() if place == table]
            self.groups[table] = [*there, *(next(rest) for _ in range(len(group) - len(there)))]
        self.at = {player: table for table, group in enumerate(self.groups) for player in group}

    def part(self) -> None:
        """Let players change places until nobody can do so for the better; in a small room search further by chance."""
        if not any(self._of(player, group) for group in self.groups for player in group):
            return
        self._part_near()
        if len(self.at) <= SMALL_ROOM:
            self._part_by_chance()
            self._part_near()

    def _part_near(self) -> None:
        """Let each player who sits with one they should not, or off their place, change with the nearest for whom this
        is better."""
        changed = True
        while changed:
            changed = False
            for player in sorted(set(self.at) - self.fixed):
                table = self.at[player]
                is_apt = not self._of(player, self.groups[table])
                most_away = abs(self.home[player] - table) if is_apt else MOST_AWAY
                for others in self._outward(table, most_away):
                    better = [
                        (change, other) for other in others if (change := self._change(player, other, most=0)) < 0
                    ]
                    if better:
                        self._exchange(player, min(better)[1])
                        changed = True
                        break

    def _part_by_chance(self) -> None:
        """Simulated annealing: large costs are settled while it is hot, the order of the standings once it is cool."""
        movable = sorted(set(self.at) - self.fixed)
        if len(movable) < 2:
            return
        draw = chance_of("by standings").random
        tries = min(MOST_TRIES, TRIES_A_SEAT * len(movable))
        heat = float(HOTTEST * MET * _unit(len(self.at)))
        cooling = (COOLEST / heat) ** (1 / tries)
        cost = least = float(self.cost)
        best = [list(group) for group in self.groups]
        for _ in range(tries):
            heat *= cooling
            mover, other = movable[int(draw() * len(movable))], movable[int(draw() * len(movable))]
            if self.at[mover] == self.at[other]:
                continue
            bound = heat * draw()
            change = self._change(mover, other, most=bound + _unit(len(self.at)))
            if change <= 0 or change < bound:
                self._exchange(mover, other)
                cost += change
                if cost < least:
                    least, best = cost, [list(group) for group in self.groups]
        self.groups = best
        self.at = {player: table for table, group in enumerate(best) for player in group}

    def _outward(self, table: int, most_away: int) -> Iterator[list[int]]:
        """The movable players of the other tables, the nearest tables first."""
        for away in range(1, min(len(self.groups), most_away + 1)):
            near = [self.groups[at] for at in (table - away, table + away) if 0 <= at < len(self.groups)]
            yield [player for group in near for player in group if player not in self.fixed]

    def _change(self, one: int, other: int, *, most: float = inf) -> float:
        """The difference in cost if these two change places; only roughly where it is more than `most`."""
        here, there = self.at[one], self.at[other]
        mates_here = [player for player in self.groups[here] if player != one]
        mates_there = [player for player in self.groups[there] if player != other]
        change = (
            self._of(other, mates_here)
            + self._of(one, mates_there)
            - self._of(one, mates_here)
            - self._of(other, mates_there)
        )
        if change > most:
            # Nothing gained in the order of the standings is worth as much.
            return change
        change += self._distance(here, [*mates_here, other]) - self._distance(here, self.groups[here])
        return change + self._distance(there, [*mates_there, one]) - self._distance(there, self.groups[there])

    def _exchange(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        self.groups[here][self.groups[here].index(one)] = other
        self.groups[there][self.groups[there].index(other)] = one
        self.at[one], self.at[other] = there, here

    def _of(self, player: int, group: Sequence[int]) -> int:
        costs = self.costs[player]
        return sum(costs[mate] for mate in group if mate in costs)

    def _distance(self, table: int, group: Sequence[int]) -> int:
        """How many places the players of a table are away from those who would sit there by the standings alone."""
        return sum(abs(player - place) for player, place in zip(sorted(group), self.ideal[table], strict=True))
