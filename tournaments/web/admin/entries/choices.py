"""Choices for the names of a pasted list: the players that each may mean, and the one that was chosen.

Rules: docs/how-to/evening.md, "Enter players". A choice is valid only for the text it was made in: in another one,
row 3 is another player.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from django.utils.translation import gettext

from scoring.messages import say
from scoring.problems import Problem
from tournaments.entries.commands.checked import Question
from tournaments.entries.commands.lists import EntryRow
from tournaments.models import Club
from tournaments.models.people import looks_key
from tournaments.models.public_names import telling_name
from tournaments.people.known_names import known_names
from tournaments.web.admin.base.command_forms import words_in

# Choices for a row besides a known player.
WHO, SOMEBODY_NEW, NOBODY = "who-", "new", "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenRows:
    """The rows to enter, with the chosen players, and the rows that were left out by choice."""

    rows: tuple[EntryRow, ...] = ()
    skipped: tuple[EntryRow, ...] = ()
    choices: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameChoice:
    """A name of the list, the players it may mean, and the chosen one."""

    name: str
    field: str
    options: Sequence[tuple[str, str]]
    chosen: str


def chosen_rows(rows: Sequence[EntryRow], data: Mapping[str, object], *, text: str, chosen_in: str) -> ChosenRows:
    """The rows of a text with the choices made for the text `chosen_in`; those for another text are ignored."""
    names = {row.number: f"{WHO}{row.number}" for row in rows}
    choices = words_in(data, *names.values()) if chosen_in == digest_of(text) else {}
    picked = {row.number: choices.get(name, "") for row, name in zip(rows, names.values(), strict=True)}
    return ChosenRows(
        rows=tuple(_meant(row, picked[row.number]) for row in rows if picked[row.number] != NOBODY),
        skipped=tuple(row for row in rows if picked[row.number] == NOBODY),
        choices=choices,
    )


def _meant(row: EntryRow, choice: str) -> EntryRow:
    is_new = choice == SOMEBODY_NEW
    return replace(row, is_namesake=is_new, player="" if is_new else choice)


def choices_of(question: Question | None) -> list[tuple[str, str]]:
    """The choices for a row. Players with equal names are distinguished as in every list of names."""
    players = question.players if question else ()
    times = Counter(looks_key(name) for _, name in players)
    player_choices = [
        (str(player), telling_name(name, player) if times[looks_key(name)] > 1 else name) for player, name in players
    ]
    return [
        ("", gettext("Choose")),
        *player_choices,
        (SOMEBODY_NEW, gettext("new player")),
        (NOBODY, gettext("leave out")),
    ]


def choice_of(row: EntryRow, question: Question | None, choices: Mapping[str, str]) -> NameChoice:
    """The choice that a page offers for a row."""
    field = f"{WHO}{row.number}"
    return NameChoice(name=row.name, field=field, options=choices_of(question), chosen=choices.get(field, ""))


def looks_like(club: Club, name: str) -> str:
    """The most similar player name for a name that no player of the club has; empty where there is none."""
    if not name:
        return ""
    club_names = known_names(club)
    near = [] if club_names.found(name) else club_names.nearly(name)
    return near[0][1] if near else ""


def open_problems(questions: Iterable[Question]) -> Iterator[Problem]:
    """A problem for each row whose question was not answered."""
    for question in questions:
        if question.is_open:
            why = say("choose who {name} is", name=question.row.name)
            detail = say("row {number}: {why}", number=question.row.number, why=why)
            yield Problem(code="choose_player", field=f"row {question.row.number}", detail=detail)


def digest_of(text: str) -> str:
    """A digest that identifies a text."""
    return blake2b(text.replace("\r\n", "\n").strip().encode(errors="replace"), digest_size=8).hexdigest()
