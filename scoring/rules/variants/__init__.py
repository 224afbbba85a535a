"""The register of games: the one place, outside a game's own package, where it is named; and all its names.

Adding one: write its package, name it here, write its tests and its page in docs/rules/ (CONTRIBUTING.md). How its
constants are translated: docs/how-to/translating.md.
"""

from collections.abc import Iterator
from importlib import import_module
from inspect import getsourcefile, getsourcelines

import msgspec

from scoring.events.reading import UNREADABLE, Unreadable, as_unreadable
from scoring.events.wire import Event, TableOpened
from scoring.options import describe_options
from scoring.problems import Defect
from scoring.rules.table.opening import PRESETS, VARIANTS, opening, play_problems, seat_price, variant
from scoring.rules.table.table import Table, fold, open_table
from scoring.rules.table.variant import AnyVariant, Variant

__all__ = [
    "PACKAGES",
    "PRESETS",
    "VARIANTS",
    "ending_title",
    "names_of",
    "nobodys_table",
    "opening",
    "play_problems",
    "register",
    "seat_price",
    "table_from",
    "table_from_stored",
    "variant",
    "words_of",
]

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


def ending_title(how: str) -> str | None:
    """The title of an ending of a deal, at a table of any game."""
    return next((rules.ending_titles[how] for rules in VARIANTS.values() if how in rules.ending_titles), None)


def table_from(opened: TableOpened, *, version: int = 1) -> Table:
    """The table after its first event."""
    return open_table(variant(opened.variant), opened, version=version)


def table_from_stored(opened: Event) -> Table:
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
    yield from (text for plan_format in rules.formats for text in (plan_format.title, plan_format.note))
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
