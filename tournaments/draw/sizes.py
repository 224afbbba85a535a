"""How many tables, and how large: sizes that differ by at most one, as near to the preferred size as may be.

Rules: docs/how-to/seating.md, section 3. Fewest sit-outs come first, then no table of two, then the preferred size,
then the larger tables. Knows nothing of who the players are.
"""

from dataclasses import dataclass
from fractions import Fraction

from scoring.messages import say, say_many
from scoring.problems import Problem, refuse_if
from tournaments.draw.plans import LARGEST_TABLE, SMALLEST_TABLE, SeatingRejected, Sizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The sizes of a round's tables, largest first, and how many players are left over."""

    sizes: tuple[int, ...]
    sit_outs: int


def table_sizes(players: int, sizes: Sizes) -> Split:
    """How `players` are split into tables. Raises SeatingRejected with the wish that makes it impossible."""
    refuse_if(size_problems(players, sizes), SeatingRejected)
    return next(split for sit_outs in range(players) if (split := _best_split(players, sit_outs, sizes)))


def size_problems(players: int, sizes: Sizes) -> list[Problem]:
    """Why no split can be found: all reasons, empty where there is one."""
    found = _wish_problems(sizes)
    if found:
        return found
    smallest = min(sizes.allowed)
    if players < smallest:
        detail = say_many(
            "{count} player cannot fill a table: the smallest size allowed is {first}",
            "{count} players cannot fill a table: the smallest size allowed is {first}",
            count=players,
            first=smallest,
        )
        return [Problem(code="too_few_players", field="sizes.allowed", detail=detail)]
    if not sizes.may_sit_out and _best_split(players, 0, sizes) is None:
        return [_nobody_may_sit_out(players, sizes)]
    return []


def even_sizes(seated: int, tables: int) -> tuple[int, ...]:
    """That many players at that many tables, within one of each other, largest first."""
    base, larger = divmod(seated, tables)
    return (base + 1,) * larger + (base,) * (tables - larger)


def _best_split(players: int, sit_outs: int, sizes: Sizes) -> Split | None:
    seated = players - sit_outs
    most = min(seated // min(sizes.allowed), sizes.most_tables or seated)
    splits = [even_sizes(seated, tables) for tables in range(1, most + 1)]
    fitting = [split for split in splits if set(split) <= set(sizes.allowed)]
    if not fitting:
        return None
    return Split(sizes=min(fitting, key=lambda split: _liking(split, sizes)), sit_outs=sit_outs)


def _liking(split: tuple[int, ...], sizes: Sizes) -> tuple[bool, Fraction, int]:
    unliked_two = SMALLEST_TABLE in split and sizes.preferred != SMALLEST_TABLE
    return (unliked_two, abs(Fraction(sum(split), len(split)) - sizes.preferred), len(split))


def _wish_problems(sizes: Sizes) -> list[Problem]:
    found = []
    if not sizes.allowed:
        found.append(Problem(code="no_size_allowed", field="sizes.allowed", detail=say("no table size is allowed")))
    for size in sizes.allowed:
        if not SMALLEST_TABLE <= size <= LARGEST_TABLE:
            detail = say(
                "tables have {first} to {last} seats; {number} is allowed here",
                first=SMALLEST_TABLE,
                last=LARGEST_TABLE,
                number=size,
            )
            found.append(Problem(code="size_out_of_range", field="sizes.allowed", detail=detail))
    if sizes.allowed and sizes.preferred not in sizes.allowed:
        detail = say(
            "tables of {number} are preferred, but not among the sizes allowed: {sizes}",
            number=sizes.preferred,
            sizes=_listed(sizes),
        )
        found.append(Problem(code="preferred_not_allowed", field="sizes.preferred", detail=detail))
    if sizes.most_tables is not None and sizes.most_tables < 1:
        detail = say("the room has {number} tables; it needs one at least", number=sizes.most_tables)
        found.append(Problem(code="no_table", field="sizes.most_tables", detail=detail))
    return found


def _nobody_may_sit_out(players: int, sizes: Sizes) -> Problem:
    """Why there is no split for two players or more."""
    room, most = sizes.most_tables, max(sizes.allowed)
    if room is not None and players > room * most:
        detail = say_many(
            "{count} table of at most {most} seats {of} of {total} players, and nobody may sit out",
            "{count} tables of at most {most} seat {of} of {total} players, and nobody may sit out",
            count=room,
            most=most,
            of=room * most,
            total=players,
        )
        return Problem(code="room_too_small", field="sizes.most_tables", detail=detail)
    detail = (
        say(
            "{total} players cannot be split into tables of {sizes} that differ by at most one, and nobody may sit out",
            total=players,
            sizes=_listed(sizes),
        )
        if room is None
        else say_many(
            "{total} players cannot be split into at most {count} table of {sizes} that differ by at most one, "
            "and nobody may sit out",
            "{total} players cannot be split into at most {count} tables of {sizes} that differ by at most one, "
            "and nobody may sit out",
            count=room,
            total=players,
            sizes=_listed(sizes),
        )
    )
    return Problem(code="sizes_do_not_add_up", field="sizes.allowed", detail=detail)


def _listed(sizes: Sizes) -> str:
    return ", ".join(str(size) for size in sorted(set(sizes.allowed)))
