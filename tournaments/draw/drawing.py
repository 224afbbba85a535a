"""The draw from a published seed, which anyone can repeat.

Rules: docs/how-to/seating.md, sections 2 to 4. The same players, restrictions, past rounds and seed give the same
seats, whatever the order in which the players are listed.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from random import Random

from scoring.messages import say
from scoring.problems import Problem, refuse_if
from tournaments.draw import (
    SeatedRound,
    SeatedTable,
    SeatingConstraints,
    SeatingRejected,
    table_sizes,
)
from tournaments.draw.constraints import apart_among, constraint_problems, firm_places, fixed_among, seats_of, tangles
from tournaments.draw.places import balanced, number_tables
from tournaments.draw.search import (
    APART_BAND,
    CLUB_BAND,
    DESIGNS,
    SMALL_ROOM,
    PlannedRounds,
    Row,
    chance_of,
    lots,
    rows,
    settle,
)

# How often the players of a design are drawn again to keep apart those who must or should be.
TRIES_OF_A_DESIGN = 200
USUAL_ROUNDS = 7
History = Sequence[SeatedRound]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """The players of a round, and the seats of its tables by number."""

    seated: tuple[str, ...]
    sits_out: tuple[str, ...]
    seats: dict[int, int]
    firm: dict[str, int]


def draw(
    constraints: SeatingConstraints, *, seed: str, history: History = (), planned: int = USUAL_ROUNDS
) -> SeatedRound:
    """The next round after those of `history`, in a tournament of `planned` rounds.

    If the past rounds are as drawn, this is the next round of `draw_rounds` for all rounds; else the best single round
    after what was played. Raises SeatingRejected with every restriction that makes it impossible.
    """
    played = len(history)
    if played < planned:
        whole = draw_rounds(constraints, seed=seed, rounds=planned)
        if whole[:played] == tuple(history):
            return whole[played]
    return draw_rounds(constraints, seed=seed, rounds=1, history=history)[0]


def draw_rounds(
    constraints: SeatingConstraints, *, seed: str, rounds: int, history: History = ()
) -> tuple[SeatedRound, ...]:
    """All rounds at once, after those of `history`: the fewest repeated meetings over all of them."""
    if rounds < 1:
        detail = say("{number} rounds are asked for; draw one at least", number=rounds)
        raise SeatingRejected([Problem(code="no_round", field="rounds", detail=detail)])
    refuse_if(constraint_problems(constraints), SeatingRejected)
    order = lots(seed, constraints.keys)
    rooms = _rooms(constraints, order, rounds=rounds, history=history)
    chance = chance_of(f"{seed}:round {len(history) + 1}")
    planned = _designed(constraints, order, rooms, history, chance) or _best_found(
        constraints, order, rooms, history, chance
    )
    pinned = [{fixed_table.table - 1 for fixed_table in fixed_among(constraints, room.seated)} for room in rooms]
    numbered = number_tables(planned.groups, _visits(order, history), pinned=pinned, chance=chance)
    drawn = [[[order[place] for place in group] for group in groups] for groups in numbered]
    return _seated(rooms, drawn, history)


def _designed(
    constraints: SeatingConstraints, order: Sequence[str], rooms: Sequence[_Room], history: History, chance: Random
) -> PlannedRounds | None:
    """Rounds in which no pair meets twice, if such a design is known and keeps the restrictions.

    A design is for tables of one size: the same number of players may sit at more tables, some of them smaller.
    """
    largest, smallest = max(rooms[0].seats.values()), min(rooms[0].seats.values())
    design = DESIGNS.get((len(order), largest)) if largest == smallest else None
    if design is None or history or constraints.fixed or rooms[0].sits_out or len(rooms) > design.rounds:
        return None
    planned = _planned_rounds(constraints, order, history=history)
    for _ in range(TRIES_OF_A_DESIGN):
        drawn = sorted(range(len(order)), key=[chance.random() for _ in order].__getitem__)
        rounds = [
            [[drawn[place] for place in group] for group in design.round_after(number)] for number in range(len(rooms))
        ]
        pairs = (pair for groups in rounds for group in groups for pair in combinations(group, 2))
        if not any(planned.tallies[player][other] for player, other in pairs):
            for groups in rounds:
                planned.add_round(groups, fixed=())
            return planned
    return None


def _best_found(
    constraints: SeatingConstraints, order: Sequence[str], rooms: Sequence[_Room], history: History, chance: Random
) -> PlannedRounds:
    """With few players the better of two searches: one search in ten ends badly, two hardly ever both do."""
    planned = _searched(constraints, order, rooms, history, chance)
    if planned.cost and len(order) <= SMALL_ROOM:
        return min(planned, _searched(constraints, order, rooms, history, chance), key=lambda found: found.cost)
    return planned


def _searched(
    constraints: SeatingConstraints, order: Sequence[str], rooms: Sequence[_Room], history: History, chance: Random
) -> PlannedRounds:
    """One search from its own random seating."""
    planned = _planned_rounds(constraints, order, history=history)
    number = {key: place for place, key in enumerate(order)}
    for room in rooms:
        groups = [[number[key] for key in group] for group in _first_groups(room, chance.random)]
        planned.add_round(
            groups, fixed=[number[fixed_table.player] for fixed_table in fixed_among(constraints, room.seated)]
        )
    settle(planned, chance)
    return planned


def sitting_out(players: Sequence[str], count: int, *, history: History) -> tuple[str, ...]:
    """Who sits out next: those who did least often, in the order given. No player twice before every player once."""
    times = Counter(key for past in history for key in past.sits_out)
    return tuple(sorted(players, key=lambda key: times[key])[:count])


def _rooms(constraints: SeatingConstraints, order: Sequence[str], *, rounds: int, history: History) -> list[_Room]:
    """The players of each round. Raises SeatingRejected if strict restrictions cannot be kept among them."""
    split = table_sizes(len(order), constraints.sizes)
    past_rounds, rooms = list(history), []
    places: dict[tuple[str, ...], dict[str, int] | None] = {}
    for _ in range(rounds):
        resting = sitting_out(order, split.sit_outs, history=past_rounds)
        away = set(resting)
        seated = tuple(key for key in order if key not in away)
        if seated not in places:
            places[seated] = firm_places(constraints, seated, split.sizes)
        firm = places[seated]
        if firm is None:
            raise SeatingRejected(tangles(constraints, seated, split.sizes))
        seats = seats_of(split.sizes, fixed_among(constraints, seated))
        rooms.append(_Room(seated=seated, sits_out=tuple(sorted(resting)), seats=seats, firm=firm))
        past_rounds.append(SeatedRound(tables=(), sits_out=resting))
    return rooms


def _planned_rounds(constraints: SeatingConstraints, order: Sequence[str], *, history: History) -> PlannedRounds:
    """The meetings and table visits of past rounds, with the restrictions on each pair."""
    number = {key: place for place, key in enumerate(order)}
    tallies = rows(len(order), len(order))
    for table in (table for past in history for table in past.tables):
        _add(tallies, combinations([number[key] for key in table.seats if key in number], 2), 1)
    if constraints.clubs_apart:
        _add(tallies, _club_mates(constraints, number), CLUB_BAND)
    for key, others in apart_among(constraints, order).items():
        for other in others:
            tallies[number[key]][number[other]] = APART_BAND
    return PlannedRounds(tallies, _visits(order, history))


def _visits(order: Sequence[str], history: History) -> list[Row]:
    """How often each player sat at each table, tables counted from 0."""
    number = {key: place for place, key in enumerate(order)}
    past = [table for done in history for table in done.tables]
    visits = rows(len(order), max([len(order), *(table.number for table in past)]))
    for table in past:
        for key in table.seats:
            if key in number:
                visits[number[key]][table.number - 1] += 1
    return visits


def _club_mates(constraints: SeatingConstraints, number: dict[str, int]) -> Iterator[tuple[int, int]]:
    clubs = defaultdict(list)
    for player in constraints.players:
        if player.club:
            clubs[player.club].append(number[player.key])
    for mates in clubs.values():
        yield from combinations(sorted(mates), 2)


def _add(tallies: list[Row], pairs: Iterable[tuple[int, int]], amount: int) -> None:
    for player, other in pairs:
        tallies[player][other] += amount
        tallies[other][player] += amount


def _first_groups(room: _Room, draw: Callable[[], float]) -> list[list[str]]:
    """A seating that keeps the strict restrictions, from which the search starts."""
    drawn = {key: draw() for key in room.seated}
    rest = sorted((key for key in room.seated if key not in room.firm), key=lambda key: (drawn[key], key))
    waiting = iter(rest)
    groups = []
    for table, seats in room.seats.items():
        firm = [key for key, place in room.firm.items() if place == table]
        groups.append([*firm, *islice(waiting, seats - len(firm))])
    return groups


def _seated(
    rooms: Sequence[_Room], drawn: Sequence[Sequence[Sequence[str]]], history: History
) -> tuple[SeatedRound, ...]:
    """The rounds with every player in a seat, dealers and seats balanced over past and new rounds."""
    past = [table.seats for done in history for table in done.tables]
    seats = iter(balanced([group for groups in drawn for group in groups], past=past))
    return tuple(
        SeatedRound(
            tables=tuple(SeatedTable(number=number, seats=tuple(next(seats))) for number in room.seats),
            sits_out=room.sits_out,
        )
        for room in rooms
    )
