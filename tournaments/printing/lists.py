"""Printed lists of a tournament: seating lists for the wall, table cards, winners to announce, and certificates.

Rules: docs/how-to/paper.md, "Seating lists", "Table cards" and "Winners". Players who share a name are told apart as on
the pages. Prizes are those of the prize sheet, which is also used for settling; users who may not see money get only
the places.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from uuid import UUID

from django.utils.translation import gettext, ngettext, pgettext

from scoring.rules.table.standing import COLUMNS, SeatLine, told
from tournaments.boards import Board
from tournaments.models import Tournament
from tournaments.models.people import looks_key, search_key
from tournaments.models.public_names import telling_name
from tournaments.printing import (
    COMPARED_TITLES,
    club_moment,
    day_text,
    document,
    fingerprint_text,
    game_text,
    round_text,
    stage_title,
    table_text,
    taken_over,
    unlisted_text,
)
from tournaments.printing.score_sheets import DOT, PaperSheet
from tournaments.rendering.i18n.formatting import has_decimals, in_digits, listed, number, number_text, place_text
from tournaments.rendering.i18n.translating import spoken
from tournaments.rendering.pdf import (
    Announcement,
    Card,
    Certificate,
    Column,
    Document,
    Facts,
    Kind,
    Paragraph,
    Part,
    Row,
    Table,
)
from tournaments.running.queries.prizes import PotRow, PrizeRow, PrizeTable

CALLED_OUT = 3
MOST_CERTIFICATES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCode:
    """Access to a table without a login: the address of its QR code, the code to type instead, and its expiry.

    `seat` is the seat that it enters deals for, where each seat has a card.
    """

    address: str
    page: str
    code: str
    until: str
    seat: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seated:
    name: str
    table: str
    seat: int


def seating_lists(shown: Board, round_number: int) -> list[Document]:
    """Return the seating of a round from A to Z, and by table: two lists to hang side by side."""
    seated, names = _seated(shown, round_number), telling_names(shown.names)
    title = round_text(round_number)
    head = _seating_head(shown, seated, round_number)
    waits = _sitting_out(shown, round_number, names)
    titled_tables = ((gettext("{round}, A to Z"), _by_name(seated)), (gettext("{round}, by table"), _by_table(seated)))
    return [
        document(shown.tournament, heading.format(round=title), (head, table, *waits), fingerprint=shown.fingerprint)
        for heading, table in titled_tables
    ]


def table_cards(
    tournament: Tournament, sheets: Sequence[PaperSheet], codes: Sequence[tuple[UUID, CardCode]]
) -> list[Card]:
    """Return a card for each table, or for each of its seats, with its access code."""
    return [
        _card(tournament, paper_sheet, code)
        for paper_sheet in sheets
        for table, code in codes
        if table == paper_sheet.sheet.table_id
    ]


def telling_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return names by player, with some letters of the id after names that several players have."""
    times = Counter(map(looks_key, names.values()))
    return {
        player: telling_name(name, UUID(player)) if times[looks_key(name)] > 1 else name
        for player, name in names.items()
    }


def _seated(shown: Board, round_number: int) -> list[_Seated]:
    """Return every seat of a round, by table and number."""
    names = telling_names(shown.names)
    return [
        _Seated(name=names[seat.line.player], table=table_text(seat.table.name, seat.table.number), seat=seat.number)
        for seat in shown.seats
        if seat.table.round == round_number and not seat.table.is_cancelled
    ]


def _seating_head(shown: Board, seated: Sequence[_Seated], round_number: int) -> Facts:
    tables = len({seat.table for seat in seated})
    text = ngettext("{number} player", "{number} players", len(seated)).format(number=number(len(seated)))
    at = ngettext("{number} table", "{number} tables", tables).format(number=number(tables))
    begins = [(gettext("Begins"), club_moment(shown.tournament.starts_at, shown.tournament))]
    return Facts(
        pairs=(
            *(begins if round_number == 1 else []),
            (gettext("Game"), game_text(shown.tournament, shown.plan, shown.stage)),
            (gettext("Seated"), f"{text}{DOT}{at}"),
        )
    )


def _by_name(seated: Sequence[_Seated]) -> Table:
    ordered = sorted(seated, key=lambda each: (search_key(each.name), each.table, each.seat))
    rows = tuple(
        Row((seated_player.name, seated_player.table, number(seated_player.seat))) for seated_player in ordered
    )
    player, table, seat = _seat_columns()
    return Table(columns=(player, table, seat), rows=rows, empty=gettext("Nobody has been seated."), is_large=True)


def _by_table(seated: Sequence[_Seated]) -> Table:
    rows = tuple(
        Row(("" if at else table, number(seated_player.seat), seated_player.name))
        for table, table_seats in groupby(seated, key=lambda each: each.table)
        for at, seated_player in enumerate(table_seats)
    )
    player, table, seat = _seat_columns()
    return Table(columns=(table, seat, player), rows=rows, empty=gettext("Nobody has been seated."), is_large=True)


def _seat_columns() -> tuple[Column, Column, Column]:
    return Column(gettext("Player")), Column(gettext("Table"), Kind.FIRM), Column(gettext("Seat"), Kind.NUMBER)


def _sitting_out(shown: Board, round_number: int, names: Mapping[str, str]) -> tuple[Part, ...]:
    """List the players who sit out: they read the list too."""
    seated = shown.state.round_of(round_number) if shown.state is not None else None
    resting = seated.sitting_out if seated else ()
    listed_names = (names[player] for player in resting if player in names and player not in shown.unlisted)
    waiting = sorted(listed_names, key=search_key)
    return (Paragraph(text=gettext("Sits out: {names}.").format(names=listed(waiting))),) if waiting else ()


def _card(tournament: Tournament, paper: PaperSheet, code: CardCode) -> Card:
    row, seats = paper.sheet.table, paper.table.setup.seats
    scan = gettext("Scan the code with one phone at this table. No login.")
    if code.seat:
        scan = gettext("{name}: scan the code with your own phone. No login.").format(
            name=paper.names.get(code.seat, "")
        )
    return Card(
        house=f"{tournament.club.name}{DOT}{tournament.name}",
        title=table_text(row.name, row.number),
        below=round_text(row.round),
        names=tuple(f"{seat} {paper.names.get(seat, '')}" for seat in (code.seat,) * bool(code.seat) or seats),
        address=code.address,
        steps=(
            scan,
            gettext("After each deal enter who showed, who dropped and the others' hand points."),
            gettext("Read the totals out before you save."),
        ),
        typed=(gettext("Without a camera: {page} and this code: {code}").format(page=code.page, code=code.code),),
        foot=gettext("Opens only this table, until {until} or until it closes. Return it to the director.").format(
            until=code.until
        ),
    )


def standings(shown: Board) -> Document:
    """List all players in order, to be read on a wall."""
    tables = tuple(replace(part, is_large=True) if isinstance(part, Table) else part for part in places_tables(shown))
    parts: tuple[Part, ...] = (_standings_head(shown), *_as_it_stands(shown), *tables)
    return document(shown.tournament, gettext("Standings"), parts, fingerprint=shown.fingerprint)


def places_tables(shown: Board, title: str = "") -> tuple[Part, ...]:
    """Tabulate all players stage by stage with the numbers compared, each with the line that says what they are of."""
    parts: list[Part] = []
    for stage in shown.stages or (shown.stage,):
        titles = (title if not parts else "", stage_title(shown.plan, stage) if len(shown.stages) > 1 else "")
        parts.append(replace(_places_of(shown, stage), title=" · ".join(filter(None, titles))))
        parts += [Paragraph(text=text)] if (text := taken_over(shown, stage)) else []
    parts += [Paragraph(text=text)] if (text := unlisted_text(shown)) else []
    return tuple(parts)


def _places_of(shown: Board, stage: int) -> Table:
    names, race, compares = telling_names(shown.names), shown.terms_of(stage).rules.race, shown.compares_in(stage)
    compared = gettext(COLUMNS[race].paper if compares == "score" else COMPARED_TITLES[compares])
    beside = [(name, column) for name, column in COLUMNS.items() if column.paper and not column.is_number]
    stage_rows = shown.rows_in(stage)
    before = (
        [gettext("Stage {number}").format(number=number(stage - 1))] if any(row.before for row in stage_rows) else []
    )
    decimals = has_decimals(row.score for row in stage_rows)
    before_decimals = has_decimals(row.before for row in stage_rows)
    rows = tuple(
        Row(
            (
                place_text(row.place, is_tied=row.is_tied),
                _marked(names[row.line.player], row.line, shown),
                number_text(row.score or str(getattr(row.line, race) or 0), decimals=decimals),
                *(number_text(row.before, decimals=before_decimals) if row.before else "" for _ in before),
                *("–" if (count := told(row.line, name)) is None else number(count) for name, _ in beside),
            )
        )
        for row in stage_rows
    )
    columns = (
        Column(gettext("Place"), Kind.NUMBER),
        Column(gettext("Player")),
        Column(compared, Kind.NUMBER),
        *(Column(title, Kind.NUMBER) for title in before),
        *(Column(gettext(column.paper), Kind.NUMBER) for _, column in beside),
    )
    return Table(columns=columns, rows=rows, empty=gettext("Nobody has been seated."))


def _marked(name: str, line: SeatLine, shown: Board) -> str:
    """A name, marked where the player has left, or on a list for staff where the public does not see the player."""
    if line.player in shown.hidden:
        return gettext("{name} (hidden from the public)").format(name=name)
    has_left = line.has_left and line.player not in shown.table_winners
    return gettext("{name} (left)").format(name=name) if has_left else name


def winners_sheet(shown: Board, prizes: PrizeTable | None) -> Document:
    """Build the sheet for announcing winners, in reverse order. Without prizes it has the first three places."""
    names = telling_names(shown.names)
    has_prizes = prizes is not None and not prizes.is_empty
    texts = _prize_announcements(prizes) if prizes is not None and has_prizes else _place_announcements(shown, names)
    announcements: tuple[Part, ...] = tuple(texts) or (Paragraph(text=gettext("Nobody has won anything yet.")),)
    parts: tuple[Part, ...] = (_standings_head(shown), *_as_it_stands(shown), *announcements)
    return document(shown.tournament, gettext("Winners, to be called out"), parts, fingerprint=shown.fingerprint)


def certificates(shown: Board, most: int) -> list[Certificate]:
    """One for each player in the top places; none if the tournament was abandoned or no deal was played."""
    tournament = shown.tournament
    if tournament.is_cancelled or not any(row.line.deals_played for row in shown.rows):
        return []
    about = (tournament.name, game_text(tournament, shown.plan), day_text(tournament.starts_at, tournament))
    return [
        Certificate(
            house=tournament.club.name,
            title=gettext("Certificate"),
            before=pgettext("on a certificate, above a name", "awarded to"),
            name=shown.names[row.line.player],
            after=(_place_awarded(row.place, is_tied=row.is_tied), *about),
            who=(gettext("Director"), gettext("For the club")),
            foot=fingerprint_text(shown.fingerprint),
        )
        for row in shown.rows
        if row.place <= most
    ][:MOST_CERTIFICATES]


def _standings_head(shown: Board) -> Facts:
    as_of = [(gettext("As of"), club_moment(shown.recorded_at, shown.tournament))] if shown.recorded_at else []
    return Facts(
        pairs=(
            (gettext("Begins"), club_moment(shown.tournament.starts_at, shown.tournament)),
            (gettext("Game"), game_text(shown.tournament, shown.plan)),
            *as_of,
        )
    )


def _as_it_stands(shown: Board) -> tuple[Part, ...]:
    if shown.is_finished:
        return ()
    return (Paragraph(text=gettext("Not finished: current standings.")),)


def _prize_announcements(prizes: PrizeTable) -> Iterator[Announcement]:
    """Announce side pots first, then prizes of stages and tables, then the places from the last prize to the first."""
    for pot in prizes.pots:
        yield _pot_announcement(pot)
    for row in reversed(prizes.corners):
        yield _prize_announcement(row, spoken(row.place))
    for row in reversed(prizes.rows):
        yield _prize_announcement(row, gettext("Place {place}").format(place=in_digits(spoken(row.place))))


def _prize_announcement(row: PrizeRow, before: str) -> Announcement:
    return Announcement(before=before, names=row.names, after=tuple(filter(None, (spoken(row.amount), *row.things))))


def _pot_announcement(pot: PotRow) -> Announcement:
    after = (pot.amount,) if pot.is_won else (pot.amount, spoken(pot.goes))
    return Announcement(before=pot.name, names=pot.winners, after=after)


def _place_announcements(shown: Board, names: dict[str, str]) -> Iterator[Announcement]:
    first = [row for row in shown.rows if row.place <= CALLED_OUT]
    for place, place_rows in reversed(
        [(place, list(rows)) for place, rows in groupby(first, key=lambda row: row.place)]
    ):
        text = gettext("Place {place}").format(place=number(place))
        yield Announcement(before=text, names=tuple(names[row.line.player] for row in place_rows))


def _place_awarded(place: int, *, is_tied: bool) -> str:
    text = gettext("Place {place}, shared") if is_tied else gettext("Place {place}")
    return text.format(place=number(place))
