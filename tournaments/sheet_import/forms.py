"""The columns and cells of a deal on a paper sheet, derived from the game's own entry form.

Rules: docs/how-to/importing.md, "Columns of a deal". Plain numbers of a seat are in the player's own cell; fields of
the whole deal, and rare ones, have a column. Knows no game by name and reads no cell.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scoring.money.payouts import Stakes
from scoring.options import read_options
from scoring.rules.table.fields import Ending, SheetField
from scoring.rules.table.variant import AnyVariant, Setup
from scoring.rules.variants import variant
from tournaments.sheet_import import plain

OUTCOMES = "outcomes"
# Former column headings, as in files that clubs keep: a column must never be read as a player.
FORMER = {"extra boxes": "further boxes", "last deal: who was dealt": "last deal of the evening: who was dealt"}
# A column that such sheets may have even if the house allows only one ending of a deal.
ENDED = SheetField(path=("ended",), title="Ended", kind="choice")


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The game, and its house options."""

    variant: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The content of one column. `is_list`: several entries, each with its name: `AH Asha, 678 Bo`."""

    title: str
    fields: tuple[SheetField, ...]
    is_list: bool = False


@dataclass(frozen=True)
class DealForm:
    """The fields of a deal at one table."""

    fields: tuple[SheetField, ...]
    endings: tuple[Ending, ...] = ()

    @property
    def has_outcomes(self) -> bool:
        """Whether a cell says how the deal ended for its player, instead of what the player holds."""
        return any(field.kind == OUTCOMES for field in self.fields)

    @cached_property
    def plain_fields(self) -> tuple[SheetField, ...]:
        """All fields except the outcomes, and the ending."""
        fields_without_outcomes = tuple(field for field in self.fields if field.kind != OUTCOMES)
        has_ending = any(field.path == ENDED.path for field in fields_without_outcomes)
        return (*fields_without_outcomes, ENDED) if self.has_outcomes and not has_ending else fields_without_outcomes

    @cached_property
    def in_cells(self) -> tuple[SheetField, ...]:
        """The numbers in a player's cell, in the order in which they are written."""
        return tuple(field for field in self.fields if _is_in_cell(field))

    @cached_property
    def cards(self) -> dict[str, SheetField]:
        """For a number in the cell, the cards that may be written instead: the field that follows it in the form."""
        following = zip(self.fields, self.fields[1:], strict=False)
        return {
            field.name: cards
            for field, cards in following
            if _is_in_cell(field) and cards.per_seat and cards.kind == "cards"
        }

    @cached_property
    def marks(self) -> dict[str, SheetField]:
        """Words that set a seat field when written in the player's own cell."""
        return {plain(field.mark): field for field in self.fields if field.mark and field.kind == "seat"}

    @cached_property
    def columns(self) -> dict[str, Column]:
        """Every word that may head a column."""
        beside = [field for field in self.plain_fields if field not in self.in_cells]
        owners = distinct(beside)
        named = {word: Column(title=_heading(field, owners), fields=(field,)) for word, field in owners.items()}
        for field in beside:
            if len(field.path) == 2 and isinstance(field.path[1], str):
                group = tuple(other for other in beside if other.path[0] == field.path[0])
                named.setdefault(_words(field.path[0]), Column(title=_words(field.path[0]), fields=group, is_list=True))
        return named

    @cached_property
    def column_titles(self) -> tuple[str, ...]:
        """The column titles to suggest after an unknown one."""
        return tuple(dict.fromkeys(column.title for column in self.columns.values()))


def deal_forms(played: Played) -> dict[int, DealForm]:
    """Return the form of a deal for each number of seats. Raises OptionsRejected if the house options are invalid."""
    rules = variant(played.variant)
    return {seats: _deal_form(rules, played.options, seats) for seats in rules.seats_allowed}


def distinct(fields: Sequence[SheetField]) -> dict[str, SheetField]:
    """Return every word that names exactly one field; if a rare field shares it with another, the other gets it."""
    claims: dict[str, list[SheetField]] = {}
    for field in fields:
        for word in dict.fromkeys(_names(field)):
            claims.setdefault(word, []).append(field)
    fields_by_word: dict[str, SheetField] = {}
    for word, claimed in claims.items():
        usual = [field for field in claimed if not field.is_rare]
        owners = claimed if len(claimed) == 1 else usual
        if len(owners) == 1:
            fields_by_word[word] = owners[0]
    return fields_by_word


def _deal_form(rules: AnyVariant, options: Mapping[str, Any], seats: int) -> DealForm:
    labels = tuple(str(number) for number in range(1, seats + 1))
    house = read_options(rules.options_type, options, rules.defaults(options, seats))
    setup = Setup(options=house, stakes=Stakes(), seats=labels)
    return DealForm(rules.entry_form(setup, rules.start(setup), is_extra=False), rules.endings(setup))


def _is_in_cell(field: SheetField) -> bool:
    return field.per_seat and field.kind == "number" and not field.is_rare


def _names(field: SheetField) -> Iterator[str]:
    """Yield the headings of a field's column: its current names, and former ones found in the files of clubs."""
    for name in _names_now(field):
        yield name
        yield from (name.replace(now, was) for now, was in FORMER.items() if now in name)


def _names_now(field: SheetField) -> Iterator[str]:
    """Yield a field's title, its part before the colon, and its place in the event; with and without group."""
    yield plain(field.title)
    yield plain(_title(field))
    if isinstance(field.path[-1], str):
        yield _words(field.path[-1])
        yield _words(f"{field.path[0]} {field.path[-1]}")
        yield plain(f"{field.group} {field.path[-1]}").replace("_", " ")
    if field.group:
        yield plain(f"{field.group} {_title(field)}")


def _heading(field: SheetField, owners: Mapping[str, SheetField]) -> str:
    """Return the heading of a field's column: its title, with the group where other fields have that title too."""
    title = _title(field)
    return title if owners.get(plain(title)) is field else f"{field.group or _words(field.path[0])} {title}"


def _title(field: SheetField) -> str:
    """Return a field's title without its explanation."""
    return field.title.partition(":")[0]


def _words(step: str | int) -> str:
    return plain(str(step)).replace("_", " ")
