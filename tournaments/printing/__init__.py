"""What is printed, and the words that its sheets share: what a table is called, days and times on the club's clock.

Rules: docs/how-to/paper.md. In the language of whoever prints. Content is read from the database; how it is set:
`tournaments.rendering.pdf`.
"""

from datetime import datetime

import msgspec
from django.utils.translation import gettext, pgettext

from scoring.evening import Plan, Stage
from scoring.money.formatting import Notation, money
from scoring.rules.table.table import Table as PlayedTable
from scoring.rules.variants import PRESETS, variant
from tournaments.books.queries import Extract
from tournaments.models import Tournament
from tournaments.rendering.i18n.formatting import clock, day, number
from tournaments.rendering.i18n.translating import translate
from tournaments.rendering.pdf import Document, Part


def document(
    tournament: Tournament, title: str, parts: tuple[Part, ...], *, fingerprint: str, is_wide: bool = False
) -> Document:
    """A sheet of a tournament, with its fingerprint at the foot."""
    return Document(
        house=tournament.club.name,
        title=f"{title}: {tournament.name}",
        parts=parts,
        foot=fingerprint_text(fingerprint),
        counts=counts(),
        is_wide=is_wide,
    )


def fingerprint_text(fingerprint: str) -> str:
    """What a sheet was made of; nothing before there is a table."""
    return gettext("Fingerprint {letters}").format(letters=fingerprint) if fingerprint else ""


def counts() -> str:
    """How pages are numbered."""
    return pgettext("the number of a page", "{page} of {pages}")


def game_text(tournament: Tournament, plan: Plan | None = None, stage: int = 0) -> str:
    """What is played, as the club would say it: in a stage of a plan, or in all in turn, where they differ."""
    own = _title_of(tournament.preset, tournament.variant)
    games = [stage_game_text(each) or own for each in plan.stages] if plan is not None else [own]
    return games[stage - 1] if 0 < stage <= len(games) else " · ".join(dict.fromkeys(games))


def stage_game_text(stage: Stage) -> str:
    """The game of a stage; empty where it is the tournament's."""
    return translate(stage.game_title) if stage.game_title else ""


def game_at(tournament: Tournament, table: PlayedTable) -> str:
    """What is played at a table: the tournament's game by its name, another one by the preset that has its options."""
    name, options = table.rules.name, msgspec.to_builtins(table.setup.options)
    titles = {preset.name: preset.title for preset in table.rules.presets if preset.options.items() <= options.items()}
    if name == tournament.variant and (tournament.preset in titles or not titles):
        return game_text(tournament)
    return translate(next(iter(titles.values()), table.rules.title))


def _title_of(preset: str, name: str) -> str:
    return translate(PRESETS[preset][1].title if preset in PRESETS else variant(name).title)


def table_text(name: str, table_number: int) -> str:
    """A table by its own name, or by its number."""
    return name or gettext("Table {number}").format(number=number(table_number))


def round_text(round_number: int) -> str:
    """A round by its number."""
    return gettext("Round {number}").format(number=number(round_number))


def place_text(place: int, *, is_tied: bool) -> str:
    """A place; one that several share carries an equals sign."""
    return f"{number(place)}{'=' if is_tied else ''}"


def day_text(when: datetime, tournament: Tournament) -> str:
    """A day on the club's calendar."""
    return day(_local(when, tournament))


def club_moment(when: datetime, tournament: Tournament) -> str:
    """A moment on the club's clock."""
    return local_moment(_local(when, tournament))


def local_moment(local: datetime) -> str:
    """A moment that is on the club's clock already."""
    return f"{day(local)}, {clock(local)}"


def amount_text(amount_minor: int, tournament: Tournament) -> str:
    """An amount as the club writes it."""
    return money(amount_minor, *notation_of(tournament))


def notation_of(tournament: Tournament) -> Notation:
    """How the club writes its amounts."""
    return Notation(tournament.currency, tournament.club.locale)


def _local(when: datetime, tournament: Tournament) -> datetime:
    return when.astimezone(Extract(club=tournament.club).zone)
