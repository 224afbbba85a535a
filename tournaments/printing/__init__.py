"""What printouts share: documents, fingerprints, and texts such as table titles, days and times on the club's clock.

Rules: docs/how-to/paper.md. In the language of the user who prints. Content is read from the database; the layout is in
`tournaments.rendering.pdf`.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import chain

import msgspec
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from scoring.money.formatting import Notation, money
from scoring.rules.table.table import Table as PlayedTable
from scoring.rules.variants import PRESETS, variant
from scoring.tournament import Plan, Stage
from scoring.tournament.standings.results import stage_of
from tournaments.boards import Board
from tournaments.books.queries import BookScope
from tournaments.models import Player, Table, Tournament
from tournaments.models.play import called
from tournaments.models.public_names import Names
from tournaments.rendering.i18n.formatting import clock, day, number
from tournaments.rendering.i18n.translating import spoken, translate
from tournaments.rendering.pdf import Document, Part

# What is compared in stages that do not rank by the score.
COMPARED_TITLES = {"average": gettext_noop("Average per deal"), "rank_points": gettext_noop("Points for places")}


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
    """Return the fingerprint line for the foot of a sheet; empty where there is no table yet."""
    return gettext("Fingerprint {letters}").format(letters=fingerprint) if fingerprint else ""


def counts() -> str:
    """Return the pattern for page numbers."""
    return pgettext("the number of a page", "{page} of {pages}")


# A page names so many; where there are more, it says how many.
MOST_NAMED = 10


def not_printed(names: Iterable[str]) -> str:
    """Say before printing which names have letters that no typeface has; empty where there are none."""
    # The library that reads typefaces is loaded by pages that print, not by every process.
    from tournaments.rendering.pdf.faces import unprintable  # noqa: PLC0415

    unprintable_names = unprintable(names)
    if not unprintable_names:
        return ""
    text = ngettext(
        "{count} name has letters that no font has: {names}. They are printed as empty boxes.",
        "{count} names have letters that no font has: {names}. They are printed as empty boxes.",
        len(unprintable_names),
    )
    named = ", ".join(unprintable_names[:MOST_NAMED]) + (" …" if len(unprintable_names) > MOST_NAMED else "")
    return text.format(count=number(len(unprintable_names)), names=named)


def printed_names(tournament: Tournament, shown: Names = Names.REAL) -> list[str]:
    """Return the names on a tournament's sheets: its own, the club's, those of its tables and of all seated players.

    Lists for the wall have the players' names as `shown`, all other sheets their real ones.
    """
    tables = Table.objects.filter(tournament=tournament).exclude(name="").values_list("name", flat=True)
    players = Player.objects.filter(seats__table__tournament=tournament).distinct()
    names = players.values_list(*dict.fromkeys((Names.REAL, shown)))
    return [tournament.club.name, tournament.name, *tables, *chain.from_iterable(names)]


def game_text(tournament: Tournament, plan: Plan | None = None, stage: int = 0) -> str:
    """Return the game by its title: that of one stage of a plan, or the different ones of all stages in order."""
    own = translate(
        PRESETS[tournament.preset][1].title if tournament.preset in PRESETS else variant(tournament.variant).title
    )
    games = [stage_game_text(plan_stage) or own for plan_stage in plan.stages] if plan is not None else [own]
    return games[stage - 1] if 0 < stage <= len(games) else " · ".join(dict.fromkeys(games))


def stage_game_text(stage: Stage) -> str:
    """Return the game of a stage; empty where it is the tournament's game."""
    return translate(stage.game_title) if stage.game_title else ""


def game_at(tournament: Tournament, table: PlayedTable) -> str:
    """Return the game of a table: the tournament's by its name, another one by the preset that matches its options."""
    name, options = table.rules.name, msgspec.to_builtins(table.setup.options)
    titles = {preset.name: preset.title for preset in table.rules.presets if preset.options.items() <= options.items()}
    if name == tournament.variant and (tournament.preset in titles or not titles):
        return game_text(tournament)
    return translate(next(iter(titles.values()), table.rules.title))


def stage_title(plan: Plan | None, stage_number: int) -> str:
    """Return a stage by its number, its name and its game; empty where there is one stage only."""
    if plan is None or len(plan.stages) < 2:
        return ""
    stage = stage_of(plan, stage_number)
    text = gettext("Stage {number}: {name}") if stage.name else gettext("Stage {number}")
    named = text.format(number=number(stage_number), name=spoken(stage.called))
    return " · ".join(filter(None, (named, stage_game_text(stage))))


def taken_over(board: Board, stage: int) -> str:
    """Describe over which tables the numbers of a stage are taken, or of a board without a plan.

    Empty as long as there has been one round, so that each player has had one table.
    """
    if len({table.round for table in board.listed}) < 2:
        return ""
    plan = board.plan
    compares = "score" if plan is None else stage_of(plan, stage).compares
    is_latest = compares == "score" and not board.terms_of(stage).rules.adds_up
    if is_latest and plan is None:
        return gettext("Numbers are for each player's latest table.")
    if is_latest:
        return gettext("Scores are for the latest table, other numbers for all tables of the stage.")
    if plan is None or len(plan.stages) < 2:
        return gettext("Numbers are for all tables.")
    if stage > 1 and stage_of(plan, stage).carries == "score":
        return gettext("Scores include points carried over; other numbers are for the stage's tables.")
    return gettext("Numbers are for all tables of the stage.")


def unlisted_text(board: Board) -> str:
    """Say how many players who left a board of the public does not list; empty where it lists everybody."""
    count = len(board.unlisted)
    if not count:
        return ""
    text = ngettext(
        "{number} player who left is not listed. The others keep their places.",
        "{number} players who left are not listed. The others keep their places.",
        count,
    )
    return text.format(number=number(count))


def names_in_prizes(board: Board) -> dict[str, str]:
    """Return the names of players by id; a prize of a player who is not listed is shown without the name."""
    return {**board.names, **dict.fromkeys(board.unlisted, gettext("player not listed"))}


def table_text(name: str, table_number: int) -> str:
    """Return the name of a table, or its number."""
    return spoken(called(name, table_number))


def round_text(round_number: int) -> str:
    """A round by its number."""
    return gettext("Round {number}").format(number=number(round_number))


def day_text(when: datetime, tournament: Tournament) -> str:
    """Format a day on the club's calendar."""
    return day(_local(when, tournament))


def club_moment(when: datetime, tournament: Tournament) -> str:
    """Format a moment on the club's clock."""
    return local_moment(_local(when, tournament))


def local_moment(local: datetime) -> str:
    """Format a moment that is already on the club's clock."""
    return f"{day(local)}, {clock(local)}"


def amount_text(amount_minor: int, tournament: Tournament) -> str:
    """Format an amount the way the club writes it."""
    return money(amount_minor, *notation_of(tournament))


def notation_of(tournament: Tournament) -> Notation:
    """Return the currency and locale in which the club writes amounts."""
    return Notation(tournament.currency, tournament.club.locale)


def _local(when: datetime, tournament: Tournament) -> datetime:
    return when.astimezone(BookScope(club=tournament.club).zone)
