"""The register of games: the one place, outside a game's own package, where it is named; and all its names.

Adding one: write its package, name it here, write its tests and its page in docs/rules/ (CONTRIBUTING.md). How its
constants are translated: docs/how-to/translating.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from inspect import getsourcefile, getsourcelines
from typing import Any

import msgspec

from scoring.facts.reading import UNREADABLE, Unreadable, as_unreadable
from scoring.facts.wire import Fact, TableOpened
from scoring.messages import Message, say
from scoring.money.payouts import Stakes, read_stakes
from scoring.options import Options, describe_options, read_options
from scoring.problems import Defect, OptionsRejected, Problem, refuse_if
from scoring.rules.table.table import Preset, Setup, Table, fold, open_table
from scoring.rules.table.variant import AnyVariant, Variant

# Packages (or, of a small game, the module) of one game each, in the order in which games are offered.
PACKAGES = (
    "scoring.rules.variants.indian.points",
    "scoring.rules.variants.indian.deals",
    "scoring.rules.variants.indian.pool",
    "scoring.rules.variants.western.rum",
    "scoring.rules.variants.western.block",
    "scoring.rules.variants.western.rummy500",
    "scoring.rules.variants.western.romme",
    "scoring.rules.variants.western.gin",
    "scoring.rules.variants.western.rummy_royal",
)
VARIANTS: dict[str, AnyVariant] = {}
PRESETS: dict[str, tuple[AnyVariant, Preset]] = {}


def register(package: str) -> None:
    """Register the game of a package. Raises Defect, with file and line, where it conflicts with another one."""
    rules: AnyVariant = import_module(package).GAME
    faults = [f"{_place(rules)}: {fault}" for fault in _faults(rules)]
    if faults:
        raise Defect("; ".join(faults))
    VARIANTS[rules.name] = rules
    PRESETS.update({preset.name: (rules, preset) for preset in rules.presets})


def _faults(rules: AnyVariant) -> Iterator[str]:
    """Conflicts of a game with those that are registered."""
    missing = [name for name in Variant.__annotations__ if not hasattr(rules, name)]
    if missing:
        yield f"the game does not say its {', '.join(missing)}"
        return
    if rules.name in VARIANTS:
        yield f"the name {rules.name!r} is that of the game at {_place(VARIANTS[rules.name])}"
    if not rules.presets:
        yield f"the game {rules.name!r} has no preset, and so nobody could choose it"
    names = [preset.name for preset in rules.presets]
    for name in dict.fromkeys(names):
        if name in PRESETS:
            yield f"the preset {name!r} is one of the game at {_place(PRESETS[name][0])}"
        elif names.count(name) > 1:
            yield f"the preset {name!r} stands there twice"


def _place(rules: AnyVariant) -> str:
    """The file and line of a game's class."""
    return f"{getsourcefile(type(rules))}:{getsourcelines(type(rules))[1]}"


for _package in PACKAGES:
    register(_package)


def variant(name: str) -> AnyVariant:
    """The rules of a variant. Raises OptionsRejected for an unknown one."""
    if name in VARIANTS:
        return VARIANTS[name]
    detail = say("there is no variant {typed}; this service knows {list}", typed=repr(name), list=", ".join(VARIANTS))
    raise OptionsRejected([Problem("unknown_variant", detail, field="variant")])


def ending_title(how: str) -> str | None:
    """The title of an ending of a deal, at a table of any game."""
    return next((rules.ending_titles[how] for rules in VARIANTS.values() if how in rules.ending_titles), None)


def opening(
    name: str, *, options: Mapping[str, Any], stakes: Mapping[str, Any], seats: Mapping[str, str]
) -> TableOpened:
    """The first event of a table: options completed and checked, frozen from here on.

    `seats` gives each seat's player, in table order. Raises OptionsRejected with every problem.
    """
    found, read, problems = _chosen(variant(name), options, stakes, tuple(seats))
    refuse_if([*_seat_count_problems(variant(name), len(seats)), *problems], OptionsRejected)
    return TableOpened(
        variant=name, options=msgspec.to_builtins(found), stakes=msgspec.to_builtins(read), seats=tuple(seats.items())
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
        found, read, problems = _chosen(rules, options, stakes, seats)
        if found is not None and read is not None and not problems:
            setup = Setup(options=found, stakes=read, seats=seats)
            return max(rules.at_stake(setup, rules.start(setup)).values())
    return 0


def table_from(opened: TableOpened, *, version: int = 1) -> Table:
    """The table after its first event."""
    return open_table(variant(opened.variant), opened, version=version)


def table_from_stored(opened: Fact) -> Table:
    """The table after its stored first event; one without seats where that event cannot be read.

    No seats are guessed: every further event finds no seat, and waits for the director as well.
    """
    try:
        if isinstance(opened, TableOpened):
            return table_from(opened)
        if not isinstance(opened, Unreadable):
            raise Defect(f"a table's log begins with its opening, not with {opened.kind}")
    except UNREADABLE as error:
        opened = as_unreadable(opened, error)
    return fold(nobodys_table(), [(1, opened)])


def nobodys_table() -> Table:
    """A table of which nothing is known."""
    rules = next(iter(VARIANTS.values()))
    options = msgspec.to_builtins(rules.options_type())
    opened = TableOpened(variant=rules.name, options=options, stakes={}, seats=())
    return open_table(rules, opened, version=0)


def _chosen(
    rules: AnyVariant, options: Mapping[str, Any], stakes: Mapping[str, Any], seats: tuple[str, ...]
) -> tuple[Options | None, Stakes | None, list[Problem]]:
    """House options and stakes as far as they can be read, and every problem with them, also in combination."""
    problems: list[Problem] = []
    found, read = None, None
    try:
        found = read_options(rules.options_type, options, rules.defaults(options, len(seats)))
    except OptionsRejected as refused:
        problems += refused.problems
    try:
        read = read_stakes(stakes)
    except OptionsRejected as refused:
        problems += refused.problems
    if found is not None and read is not None:
        problems += rules.setup_problems(Setup(options=found, stakes=read, seats=seats))
    return found, read, problems


def _seat_count_problems(rules: AnyVariant, seats: int) -> list[Problem]:
    allowed = rules.seats_allowed
    if seats in allowed:
        return []
    kind, of = Message(rules.title), ", ".join(map(str, allowed))
    detail = say("{kind} is for {list} seats, not {number}", kind=kind, list=of, number=seats)
    if allowed.step == 1:
        first, last = allowed[0], allowed[-1]
        detail = say(
            "{kind} is for {first} to {last} seats, not {number}", kind=kind, first=first, last=last, number=seats
        )
    return [Problem("wrong_number_of_seats", detail, field="seats")]


def words_of(rules: AnyVariant) -> Iterator[str]:
    """All text constants of a game, as often as they occur."""
    yield from names_of(rules)
    yield from filter(_has_letters, _words_of_options(rules))


def names_of(rules: AnyVariant) -> Iterator[str]:
    """The titles of a game, its presets, its formats and its endings, and its options in a form."""
    yield from filter(_has_letters, _names(rules))


def _names(rules: AnyVariant) -> Iterator[str]:
    yield from (rules.title, rules.summary, *rules.ending_titles.values())
    yield from (text for preset in rules.presets for text in (preset.title, preset.note))
    yield from (text for known in rules.formats for text in (known.title, known.note))
    if rules.judge is not None:
        yield rules.judge.lead
        yield from (text for field in rules.judge.fields for text in (field.title, field.help))
    for option in describe_options(rules.options_type):
        yield from (option["help"], option["title"])


def _words_of_options(rules: AnyVariant) -> Iterator[str]:
    yield from rules.option_groups.values()
    for wording in rules.wordings.values():
        yield from (wording.title, wording.unset, *wording.choices.values())


def _has_letters(text: str) -> bool:
    return any(letter.isalpha() for letter in text)
