"""Seating by standing: the best together at the first tables, or dealt out to and fro like a snake.

Rules: docs/how-to/seating.md, section 7. Firm wishes are not worked in: `check` names those that a seating by standing
breaks, and the director decides. Knows nothing of how the standing came about.
"""

from collections.abc import Callable, Sequence
from itertools import cycle

from scoring.messages import Message, say
from scoring.problems import Problem, refuse_if
from tournaments.draw.drawing import History, sitting_out
from tournaments.draw.places import balanced
from tournaments.draw.plans import SeatedRound, SeatingRejected, Wishes, round_of, size_problems, table_sizes

Groups = list[list[str]]


def top_together(standing: Sequence[str], wishes: Wishes, *, history: History = ()) -> SeatedRound:
    """The best players at table 1, the next at table 2, and so on down the standing."""
    return _seated(standing, wishes, history, _in_blocks)


def snake(standing: Sequence[str], wishes: Wishes, *, history: History = ()) -> SeatedRound:
    """First to table 1, second to table 2, at the last table the row turns: every table gets strong and weak."""
    return _seated(standing, wishes, history, _to_and_fro)


def _seated(
    standing: Sequence[str],
    wishes: Wishes,
    history: History,
    split_up: Callable[[Sequence[str], Sequence[int]], Groups],
) -> SeatedRound:
    refuse_if(_standing_problems(standing, wishes), SeatingRejected)
    split = table_sizes(len(standing), wishes.sizes)
    resting = sitting_out(standing[::-1], split.sit_outs, history=history)
    playing = [key for key in standing if key not in set(resting)]
    past = [table.seats for done in history for table in done.tables]
    seats = balanced(split_up(playing, split.sizes), past=past)
    return round_of(dict(enumerate(seats, start=1)), sits_out=resting)


def _standing_problems(standing: Sequence[str], wishes: Wishes) -> list[Problem]:
    on_list, ranked = dict.fromkeys(wishes.keys), dict.fromkeys(standing)
    found = [
        _differs(key, say("{seat} is on the list, but not in the standings", seat=wishes.called(key)))
        for key in on_list
        if key not in ranked
    ]
    found += [
        _differs(key, say("{seat} is in the standings, but not on the list", seat=wishes.called(key)))
        for key in ranked
        if key not in on_list
    ]
    for key in [key for key in ranked if standing.count(key) > 1]:
        detail = say("{seat} is in the standings {number} times", seat=wishes.called(key), number=standing.count(key))
        found.append(Problem(code="player_twice", seat=key, field="standing", detail=detail))
    return found or size_problems(len(standing), wishes.sizes)


def _differs(key: str, detail: Message) -> Problem:
    return Problem(code="standing_differs", seat=key, field="standing", detail=detail)


def _in_blocks(playing: Sequence[str], sizes: Sequence[int]) -> Groups:
    waiting = iter(playing)
    return [[next(waiting) for _ in range(size)] for size in sizes]


def _to_and_fro(playing: Sequence[str], sizes: Sequence[int]) -> Groups:
    tables: Groups = [[] for _ in sizes]
    places = list(range(len(sizes)))
    row = cycle([*places, *reversed(places)])
    for player in playing:
        tables[next(place for place in row if len(tables[place]) < sizes[place])].append(player)
    return tables
