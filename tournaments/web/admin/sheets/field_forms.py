"""The layout of a deal's fields on the scorer's page: buttons, a row for each seat, a board of boxes.

Rules: docs/how-to/evening.md, "Scoring". Works for any game that describes its form. Knows nothing of what a field
means.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext, gettext_noop

from scoring.messages import Words
from scoring.problems import Problem
from scoring.rules.table.entering import BETWEEN_GROUPS, NOBODY, YES, key_of, keys_of
from scoring.rules.table.fields import SheetField
from scoring.rules.table.standing import SeatStanding
from tournaments.rendering.i18n import translating
from tournaments.rendering.i18n.formatting import in_sentence, is_translated
from tournaments.web.admin.sheets.seat_hands import SeatHand, slot_key, slots_of
from tournaments.web.admin.sheets.sheet_entry import DEALER, Fields, FieldsForm

CHOSEN = frozenset({"seat", "seats", "choice"})
EMPTY_TITLES = {"choice": gettext_noop("not entered"), "seat": gettext_noop("nobody")}
NOBODY_KEY = "0"
CARD = re.compile(r"(10|[2-9JQKA])([SHDC])")
SIGNS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One button of a field. `letter` is its key on the keyboard; `is_empty` clears the choice."""

    value: str
    title: str
    letter: str = ""
    is_on: bool = False
    is_empty: bool = False

    @property
    def is_nobody(self) -> bool:
        """Whether it means that no seat is chosen."""
        return self.value == NOBODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One field, or one seat's part of it, with its value and its problems."""

    field: SheetField
    key: str
    title: str
    value: str
    options: tuple[Option, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def kind(self) -> str:
        return self.field.kind

    @property
    def html_id(self) -> str:
        """The HTML id of the input."""
        return "id-" + self.key.replace(".", "-")

    @property
    def is_on(self) -> bool:
        return self.value == YES


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One seat's row: its standing, and a control for each field that every seat has."""

    seat: str
    name: str
    view: SeatStanding
    controls: tuple[Control, ...] = ()
    hand: SeatHand | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems of this row."""
        of_hand = self.hand.problems if self.hand else ()
        return (*(problem for control in self.controls for problem in control.problems), *of_hand)

    @property
    def html_id(self) -> str:
        """The HTML id of the row."""
        return f"of-{self.controls[0].html_id}" if self.controls else f"of-{self.seat}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A group of fields. `rare` ones are folded below it."""

    title: Words = ""
    controls: tuple[Control, ...] = ()
    rows: tuple[FieldRow, ...] = ()
    columns: tuple[SheetField, ...] = ()
    rare: tuple["Part", ...] = ()
    hands: tuple[SeatHand, ...] = ()

    @property
    def is_board(self) -> bool:
        """Whether this is a board: boxes side by side, each with its value."""
        return any(control.field.note for control in self.controls)

    @property
    def has_heads(self) -> bool:
        """Whether its columns are numbers that fit beside the names on a narrow page."""
        return 0 < len(self.columns) <= 2 and all(field.kind == "number" for field in self.columns)

    @property
    def is_open(self) -> bool:
        """Whether a field here has a value or a problem."""
        inner = (*self.controls, *(control for row in self.rows for control in row.controls))
        return any(control.value or control.problems for control in inner)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything a layout needs: the players, the typed values, and the problems by input."""

    names: Mapping[str, str]
    views: Mapping[str, SeatStanding]
    seats: tuple[str, ...]
    typed: FieldsForm
    problems: Mapping[str, tuple[Problem, ...]]
    hands: Mapping[str, SeatHand]


def placed(
    fields: Fields, typed: FieldsForm, problems: Iterable[Problem], names: Mapping[str, str]
) -> tuple[dict[str, tuple[Problem, ...]], list[Problem]]:
    """Problems by the input that shows them, and those that belong to none."""
    at: dict[str, tuple[Problem, ...]] = {}
    loose: list[Problem] = []
    for problem in problems:
        key = _place(fields, typed, problem, names)
        if key is None:
            loose.append(problem.named(names))
        else:
            at[key] = (*at.get(key, ()), problem.named(names))
    return at, loose


def parts_of(fields: Fields, page: Page) -> list[Part]:
    """The form from top to bottom, in the game's order of fields."""
    slots = slots_of(fields, ())
    first_cards = {slot.fields[0] for slot in slots.values()}
    usual = [field for field in fields if field in first_cards or not (field.is_rare or field.judged_as)]
    rare = [field for field in fields if field.is_rare and not field.judged_as]
    parts = [_part(title, group, page) for title, group in _grouped(usual, by_seat="rows")]
    if not any(part.rows for part in parts):
        parts.insert(0, Part(rows=_rows((), page)))
    folded = [_part(title, group, page) for title, group in _grouped(rare)]
    homes = {part.title for part in parts if part.title}
    inside = [
        replace(part, rare=tuple(folded_part for folded_part in folded if folded_part.title in homes & {part.title}))
        for part in parts
    ]
    return inside + [Part(rare=(folded_part,)) for folded_part in folded if folded_part.title not in homes]


def missing_text(fields: Fields, problem: Problem, names: Mapping[str, str]) -> str:
    """What is still to be filled in, as a short text."""
    titles = {field.title for field in fields if problem.field == field.path[-1]}
    if len(titles) != 1:
        return translating.translate(problem.message, names)
    title = titles.pop()
    if not problem.seat:
        return translating.translate(title)
    # Only English writes the title in lower case after a colon.
    title_text = translating.translate(title) if is_translated() else title.lower()
    return f"{names.get(problem.seat, problem.seat)}: {title_text}"


def words_of(fields: Fields, typed: FieldsForm, names: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """The typed values as text of the page's language, by seat and title; empty fields are left out."""
    text_by_field: dict[tuple[str, str], str] = {}
    for field in fields:
        for key, seat in keys_of(field, tuple(names)).items():
            if typed.named(key):
                text_by_field[(seat or "", title_of(field))] = _word_of(field, typed, key, names)
    return text_by_field


def title_of(field: SheetField) -> str:
    """A field's title, with its group."""
    return ": ".join(translating.translate(title) for title in (field.group, field.title) if title)


def line_title(title: str, name: str) -> str:
    """The title of a comparison line: a field, with the player's name if it belongs to a seat."""
    return f"{name}, {in_sentence(title)}" if name else title


def _word_of(field: SheetField, typed: FieldsForm, key: str, names: Mapping[str, str]) -> str:
    match field.kind:
        case "flag":
            return gettext("yes")
        case "choice":
            titles = {choice.value: translating.translate(choice.title) for choice in field.choices}
            return titles.get(typed.text(key), typed.text(key))
        case "seat" | "seats":
            nobody = translating.translate(field.nobody)
            return ", ".join(nobody if seat == NOBODY else names.get(seat, seat) for seat in typed.named(key))
    return f" {BETWEEN_GROUPS} ".join(filter(None, typed.named(key)))


def _place(fields: Fields, typed: FieldsForm, problem: Problem, names: Mapping[str, str]) -> str | None:
    """The input that a problem is about: the seat's own one, or among several the one that names the seat."""
    about = [field for field in fields if problem.field in (field.path[-1], field.path[0])]
    of_seat = [field for field in about if field.per_seat]
    if of_seat and problem.seat in names:
        return key_of(of_seat[0], problem.seat)
    about = [field for field in about if not field.per_seat]
    if len(about) == 1:
        return key_of(about[0])
    naming = [field for field in fields if problem.seat is not None and problem.seat in typed.named(key_of(field))]
    groups = {field.group for field in naming}
    near = [field for field in about if field in naming]
    near = near or [field for field in about if field.group in groups and field.path[-1] == problem.field]
    return key_of(near[0]) if near else None


def _grouped(fields: Iterable[SheetField], by_seat: str = "") -> list[tuple[Words, list[SheetField]]]:
    """Fields by their heading; with `by_seat`, fields that every seat has are separate rows."""
    groups: dict[tuple[Words, str], list[SheetField]] = {}
    for place, field in enumerate(fields):
        alone = str(place) if by_seat and not field.group else ""
        groups.setdefault((field.group, by_seat if by_seat and field.per_seat else alone), []).append(field)
    return [(title, group) for (title, _), group in groups.items()]


def _part(title: Words, fields: Sequence[SheetField], page: Page) -> Part:
    columns = tuple(field for field in fields if field.per_seat)
    controls = tuple(_control(field, page) for field in fields if not (field.per_seat or field.judged_as))
    rows = _rows(columns, page) if columns else ()
    hands = tuple(page.hands[slot_key(field)] for field in fields if field.judged_as)
    return Part(title=title, controls=controls, rows=rows, columns=columns, hands=hands)


def _rows(columns: tuple[SheetField, ...], page: Page) -> tuple[FieldRow, ...]:
    """Rows for the seats that take part, and for any other with typed values."""
    rows = []
    for seat in page.names:
        controls = tuple(_control(field, page, seat) for field in columns)
        hand = page.hands.get(seat)
        if seat in page.seats or any(control.value for control in controls) or (hand and hand.is_open):
            rows.append(FieldRow(seat=seat, name=page.names[seat], view=page.views[seat], controls=controls, hand=hand))
    return tuple(rows)


def _control(field: SheetField, page: Page, seat: str | None = None) -> Control:
    key = key_of(field, seat)
    return Control(
        field=field,
        key=key,
        title=_faced(translating.translate(field.title)),
        value=page.typed.text(key),
        options=_options(field, key, page) if field.kind in CHOSEN else (),
        problems=page.problems.get(key, ()),
    )


def _options(field: SheetField, key: str, page: Page) -> tuple[Option, ...]:
    """The buttons of a field; an optional one has a button that clears the choice."""
    chosen = page.typed.named(key)
    if field.kind == "choice":
        letters = _letters([choice.title for choice in field.choices])
        options = [
            Option(
                value=choice.value,
                title=translating.translate(choice.title),
                letter=letter,
                is_on=choice.value in chosen,
            )
            for choice, letter in zip(field.choices, letters, strict=True)
        ]
    else:
        offered = [seat for seat in page.names if seat in (field.seats or page.seats) or seat in chosen]
        options = [Option(value=seat, title=page.names[seat], letter=seat, is_on=seat in chosen) for seat in offered]
    if field.nobody:
        options.append(
            Option(value=NOBODY, title=translating.translate(field.nobody), letter=NOBODY_KEY, is_on=NOBODY in chosen)
        )
    elif field.kind != "seats" and not field.is_required:
        title = gettext("not recorded") if field.name == DEALER else gettext(EMPTY_TITLES[field.kind])
        options.append(Option(value="", title=title, letter=NOBODY_KEY, is_on=not chosen, is_empty=True))
    return tuple(options)


def _letters(titles: Sequence[str]) -> list[str]:
    """Initial letters as keys if they are all different, numbers otherwise."""
    initials = [title[0].lower() for title in titles]
    return initials if len(set(initials)) == len(initials) else [str(place) for place in range(1, len(titles) + 1)]


def _faced(title: str) -> str:
    """A title that is a card, with the sign of its suit."""
    match = CARD.fullmatch(title)
    return f"{match[1]}{SIGNS[match[2]]}" if match else title
