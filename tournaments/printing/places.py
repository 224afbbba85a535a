"""Who came where, on paper: standings for the wall, the winners as they are called out, a certificate for each.

Rules: docs/how-to/paper.md, "Winners". Prizes are those of the prize sheet, which settles the evening too; whoever may
not see money is given the places alone.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from django.utils.translation import gettext, gettext_noop, pgettext

from scoring.rules.table.standing import COLUMNS
from scoring.rules.variants import variant
from tournaments.boards.boards import Board
from tournaments.evenings.queries.prizes import PotRow, PrizeRow, PrizeTable
from tournaments.printing.seats import telling_names
from tournaments.printing.words import day_said, document, fingerprint_said, game_said, moment_said, place_said
from tournaments.rendering.i18n.formatting import MINUS, in_digits, number
from tournaments.rendering.i18n.translating import told
from tournaments.rendering.pdf import Announcement, Certificate, Column, Document, Facts, Kind, Part, Row, Table, Words

CALLED_OUT = 3
MOST_CERTIFICATES = 20


def standings(shown: Board) -> Document:
    """Everybody in order, to be read on a wall."""
    table = replace(places_table(shown), is_large=True)
    parts: tuple[Part, ...] = (_head(shown), *_as_it_stands(shown), table)
    return document(shown.tournament, gettext("Standings"), parts, fingerprint=shown.fingerprint)


def places_table(shown: Board) -> Table:
    """Everybody with what is compared."""
    names = telling_names(shown.names)
    race = variant(shown.tournament.variant).race
    compared = COLUMNS[race].paper if shown.compares == "score" else gettext_noop("Compared")
    beside = [(name, column) for name, column in COLUMNS.items() if column.paper and not column.is_number]
    rows = tuple(
        Row(
            cells=(
                place_said(row.place, is_tied=row.is_tied),
                names[row.line.player],
                in_digits(row.score.replace("-", MINUS)) if row.score else number(getattr(row.line, race) or 0),
                *(number(getattr(row.line, name) or 0) for name, _ in beside),
            )
        )
        for row in shown.rows
    )
    columns = (
        Column(title=gettext("Place"), kind=Kind.NUMBER),
        Column(title=gettext("Player")),
        Column(title=gettext(compared), kind=Kind.NUMBER),
        *(Column(title=gettext(column.paper), kind=Kind.NUMBER) for _, column in beside),
    )
    return Table(columns=columns, rows=rows, empty=gettext("Nobody has been seated."))


def winners_sheet(shown: Board, prizes: PrizeTable | None) -> Document:
    """For whoever calls them out: the first comes last. Without prizes the first three places."""
    names = telling_names(shown.names)
    has_prizes = prizes is not None and not prizes.is_empty
    said = _prizes_said(prizes) if prizes is not None and has_prizes else _places_said(shown, names)
    called: tuple[Part, ...] = tuple(said) or (Words(text=gettext("Nobody has won anything yet.")),)
    parts: tuple[Part, ...] = (_head(shown), *_as_it_stands(shown), *called)
    return document(shown.tournament, gettext("Winners, to be called out"), parts, fingerprint=shown.fingerprint)


def certificates(shown: Board, most: int) -> list[Certificate]:
    """One for everybody on the first places; none where the tournament was given up or no deal was played."""
    tournament = shown.tournament
    if tournament.is_cancelled or not any(row.line.deals_played for row in shown.rows):
        return []
    about = (tournament.name, game_said(tournament), day_said(tournament.starts_at, tournament))
    return [
        Certificate(
            house=tournament.club.name,
            title=gettext("Certificate"),
            before=pgettext("on a certificate, above a name", "awarded to"),
            name=shown.names[row.line.player],
            after=(_place_awarded(row.place, is_tied=row.is_tied), *about),
            who=(gettext("Director"), gettext("For the club")),
            foot=fingerprint_said(shown.fingerprint),
        )
        for row in shown.rows
        if row.place <= most
    ][:MOST_CERTIFICATES]


def _head(shown: Board) -> Facts:
    as_of = [(gettext("As of"), moment_said(shown.recorded_at, shown.tournament))] if shown.recorded_at else []
    return Facts(
        pairs=(
            (gettext("Begins"), moment_said(shown.tournament.starts_at, shown.tournament)),
            (gettext("Game"), game_said(shown.tournament)),
            *as_of,
        )
    )


def _as_it_stands(shown: Board) -> tuple[Part, ...]:
    if shown.is_finished:
        return ()
    return (Words(text=gettext("Not finished: current standings.")),)


def _prizes_said(prizes: PrizeTable) -> Iterator[Announcement]:
    """Side pots first, then what stages and tables gave, then the places from the last prize to the first."""
    for pot in prizes.pots:
        yield _pot_said(pot)
    for row in reversed(prizes.corners):
        yield _prize_said(row, told(row.place))
    for row in reversed(prizes.rows):
        yield _prize_said(row, gettext("Place {place}").format(place=in_digits(told(row.place))))


def _prize_said(row: PrizeRow, before: str) -> Announcement:
    return Announcement(before=before, names=row.names, after=tuple(filter(None, (told(row.amount), *row.things))))


def _pot_said(pot: PotRow) -> Announcement:
    after = (pot.amount,) if pot.is_won else (pot.amount, told(pot.goes))
    return Announcement(before=pot.name, names=pot.winners, after=after)


def _places_said(shown: Board, names: dict[str, str]) -> Iterator[Announcement]:
    first = [row for row in shown.rows if row.place <= CALLED_OUT]
    for place, held in reversed([(place, list(rows)) for place, rows in groupby(first, key=lambda row: row.place)]):
        said = gettext("Place {place}").format(place=number(place))
        yield Announcement(before=said, names=tuple(names[row.line.player] for row in held))


def _place_awarded(place: int, *, is_tied: bool) -> str:
    said = gettext("Place {place}, shared") if is_tied else gettext("Place {place}")
    return said.format(place=number(place))
