"""The first event of a table: its game or preset, house options and stakes, completed and checked.

Rules: docs/events.md, "Kinds", and the pages of the games in docs/rules/, "House rules". The games are registered by
`scoring.rules.variants`; nothing here names one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.events.wire import TableOpened
from scoring.messages import Message, say
from scoring.money.payouts import Stakes, read_stakes
from scoring.options import Options, read_options
from scoring.problems import OptionsRejected, Problem, refuse_if, shown
from scoring.rules.table.variant import AnyVariant, Preset, Setup

MOST_SEATS = 50
MOST_SEAT_NAME = 60
# Filled by `scoring.rules.variants.register`, which `import scoring` runs for every game.
VARIANTS: dict[str, AnyVariant] = {}
PRESETS: dict[str, tuple[AnyVariant, Preset]] = {}


def variant(name: str) -> AnyVariant:
    """The rules of a variant. Raises OptionsRejected for an unknown one."""
    if name in VARIANTS:
        return VARIANTS[name]
    detail = say("there is no variant {typed}; this service knows {list}", typed=repr(name), list=", ".join(VARIANTS))
    raise OptionsRejected([Problem("unknown_variant", detail, field="variant")])


def preset_opening(
    name: str, seats: Sequence[str], *, options: Mapping[str, Any], stakes: Mapping[str, Any]
) -> tuple[AnyVariant, TableOpened]:
    """The game of a preset, and the first event of a table of it; `options` replace single ones of the preset.

    Raises OptionsRejected with every problem: an unknown preset, seats without names of their own, options, stakes.
    """
    problems = seat_name_problems(seats)
    if name not in PRESETS:
        detail = say("there is no preset {typed}; this service knows {list}", typed=repr(name), list=", ".join(PRESETS))
        raise OptionsRejected([Problem("unknown_preset", detail, field="preset"), *problems])
    rules, preset = PRESETS[name]
    house = {**preset.options, **options}
    if problems:
        raise OptionsRejected([*problems, *play_problems(rules.name, options=house, stakes=stakes)])
    return rules, opening(rules.name, options=house, stakes=stakes, seats=dict.fromkeys(seats, ""))


def seat_name_problems(seats: object) -> list[Problem]:
    """Problems with seats as a list of different names. `opening` checks their number against the game."""
    if not isinstance(seats, list | tuple) or not seats:
        return [Problem("missing_field", say("a table needs seats: a list of different names"), field="seats")]
    if len(seats) > MOST_SEATS:
        return [Problem("wrong_number_of_seats", say("no table has {number} seats", number=len(seats)), field="seats")]
    problems = []
    for place, seat in enumerate(seats, start=1):
        if not isinstance(seat, str) or not seat.strip() or len(seat) > MOST_SEAT_NAME:
            detail = say(
                "seat {place} must be a text of 1 to {most} characters, not {typed}",
                place=place,
                most=MOST_SEAT_NAME,
                typed=shown(seat),
            )
            problems.append(Problem("wrong_type", detail, field="seats"))
        elif seat in seats[: place - 1]:
            detail = say("seat {place} has the name of an earlier seat: {typed}", place=place, typed=shown(seat))
            problems.append(Problem("duplicate_seat", detail, seat=seat, field="seats"))
    return problems


def opening(
    name: str, *, options: Mapping[str, Any], stakes: Mapping[str, Any], seats: Mapping[str, str]
) -> TableOpened:
    """The first event of a table: options completed and checked, frozen from here on.

    `seats` gives each seat's player, in table order. Raises OptionsRejected with every problem.
    """
    complete_options, complete_stakes, problems = _chosen(variant(name), options, stakes, tuple(seats))
    refuse_if([*_seat_count_problems(variant(name), len(seats)), *problems], OptionsRejected)
    return TableOpened(
        variant=name,
        options=msgspec.to_builtins(complete_options),
        stakes=msgspec.to_builtins(complete_stakes),
        seats=tuple(seats.items()),
    )


def play_problems(
    name: str, *, options: Mapping[str, Any], stakes: Mapping[str, Any], seats: Sequence[str] = ()
) -> list[Problem]:
    """Problems with house options and stakes. Before seats are known, some number of seats must work."""
    rules = variant(name)
    if seats:
        return _chosen(rules, options, stakes, tuple(seats))[2]
    tried = [_chosen(rules, options, stakes, tuple(map(str, range(count))))[2] for count in rules.seats_allowed]
    return min(tried, key=len)


def seat_price(name: str, *, options: Mapping[str, Any], stakes: Mapping[str, Any]) -> int:
    """What a seat may lose by sitting down, in minor units: its entry, its chips, a full count.

    0 for terms that cannot be played.
    """
    rules = variant(name)
    for count in rules.seats_allowed:
        seats = tuple(map(str, range(count)))
        complete_options, complete_stakes, problems = _chosen(rules, options, stakes, seats)
        if complete_options is not None and complete_stakes is not None and not problems:
            setup = Setup(options=complete_options, stakes=complete_stakes, seats=seats)
            return max(rules.at_stake(setup, rules.start(setup)).values())
    return 0


def _chosen(
    rules: AnyVariant, options: Mapping[str, Any], stakes: Mapping[str, Any], seats: tuple[str, ...]
) -> tuple[Options | None, Stakes | None, list[Problem]]:
    """House options and stakes as far as they can be read, and every problem with them, also in combination."""
    problems: list[Problem] = []
    complete_options, complete_stakes = None, None
    try:
        complete_options = read_options(rules.options_type, options, rules.defaults(options, len(seats)))
    except OptionsRejected as refused:
        problems += refused.problems
    try:
        complete_stakes = read_stakes(stakes)
    except OptionsRejected as refused:
        problems += refused.problems
    if complete_options is not None and complete_stakes is not None:
        problems += rules.setup_problems(Setup(options=complete_options, stakes=complete_stakes, seats=seats))
    return complete_options, complete_stakes, problems


def _seat_count_problems(rules: AnyVariant, seats: int) -> list[Problem]:
    allowed = rules.seats_allowed
    if seats in allowed:
        return []
    kind = Message(rules.title)
    detail = say("{kind} is for {list} seats, not {number}", kind=kind, list=tuple(allowed), number=seats)
    if allowed.step == 1:
        first, last = allowed[0], allowed[-1]
        detail = say(
            "{kind} is for {first} to {last} seats, not {number}", kind=kind, first=first, last=last, number=seats
        )
    return [Problem("wrong_number_of_seats", detail, field="seats")]
