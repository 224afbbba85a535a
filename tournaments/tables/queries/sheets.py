"""The page of one table: its players, every line of its sheet, and the fingerprint of its log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from django.db.models import Case, F, TextField, Value, When
from django.utils.translation import ngettext

from scoring.events import wire
from scoring.events.reading import read_stored
from scoring.events.wire import DealEvent, Event
from scoring.messages import Message, say
from scoring.money.formatting import Notation, money
from scoring.rules.table.standing import Standing
from scoring.rules.table.table import Table
from scoring.rules.variants import VARIANTS
from scoring.sheets.event_messages import event_message, isolated, isolated_names
from scoring.sheets.scoresheet import RaceSeries, SheetLine, race, sheet_lines
from scoring.sheets.snapshots import load_table
from scoring.tournament import load_tournament_state
from tournaments import log
from tournaments.log.seals import Change, changes_at, table_fingerprint
from tournaments.models import Club, Player, Scoresheet, Seat, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.public_names import Names
from tournaments.people.players import actor_names
from tournaments.rendering.i18n.formatting import listed
from tournaments.rendering.i18n.translating import deal_text, stands_in, translate

STATE = "table__tournament__evening_sheet__state"
# The tournament, if a player was substituted in it; else nothing.
SUBSTITUTED = Case(
    When(**{f"{STATE}__contains": '"replaced_by"'}, then=F(STATE)), default=Value(""), output_field=TextField()
)


# A seat, its player's name, and whether the player has a public page.
SeatedPlayer = tuple[str, str, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPage:
    """A table as its page shows it. `names` are by seat; `fingerprint` covers its log up to this version.

    `with_pages` are the players who have a public page; `stand_ins` the names of substitutes, by seat. `shows_money` is
    false where the reader may not see amounts beside names.
    """

    row: TableRow
    table: Table
    names: dict[str, str]
    players: dict[str, str]
    standings: dict[str, Standing]
    lines: tuple[SheetLine, ...]
    race: tuple[RaceSeries, ...]
    fingerprint: str
    recorded_at: datetime
    changes: tuple[Change, ...] = ()
    with_pages: frozenset[str] = frozenset()
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    shows_money: bool = True

    @property
    def conflicts(self) -> list[Message]:
        """The messages of its conflicts. Those about what a player holds or buys in for are told by `shows_money`."""
        about_money = say("a buy-in no longer fits")
        return [
            conflict.message if self.shows_money or "amount" not in conflict.message.parts else about_money
            for conflict in self.table.conflicts
        ]


def seat_names(table_id: UUID, names: Names = Names.PUBLIC) -> dict[str, str]:
    """Return the players' names by seat."""
    return {seat: name for seat, name, _ in seat_rows(table_id, names)}


def seat_rows(table_id: UUID, names: Names = Names.PUBLIC) -> list[SeatedPlayer]:
    """Return each seat with its player's name, and whether the player has a public page."""
    seats = Seat.objects.filter(table_id=table_id).order_by("number")
    rows = seats.values_list("number", f"player__{names}", "player__has_page")
    return [(str(number), name, linked) for number, name, linked in rows]


def sheet_page(table_id: UUID, names: Names = Names.PUBLIC) -> SheetPage:
    """Return the table's sheet from its snapshot, in three queries. Raises Scoresheet.DoesNotExist."""
    sheets = Scoresheet.objects.select_related("table__tournament__club").annotate(substituted=SUBSTITUTED)
    sheet = sheets.get(table_id=table_id)
    page = page_of(sheet.table, load_table(sheet.state), recorded_at=sheet.last_recorded_at, names=names)
    return replace(page, stand_ins=stand_ins(sheet, page.players, names))


def page_of_sheet(sheet: Scoresheet, seats: Sequence[SeatedPlayer]) -> SheetPage:
    """Return it from a row loaded without its state, and load its players; in two more queries."""
    states = Scoresheet.objects.filter(pk=sheet.pk).values_list("state", "last_recorded_at")
    state, recorded_at = states.get()
    page = page_of(sheet.table, load_table(state), recorded_at=recorded_at, seats=seats)
    return replace(page, stand_ins=stand_ins(sheet, page.players, Names.PUBLIC))


def page_of(
    row: TableRow,
    table: Table,
    *,
    recorded_at: datetime,
    names: Names = Names.PUBLIC,
    seats: Sequence[SeatedPlayer] | None = None,
) -> SheetPage:
    """Build the page of a table in memory: current, or of the past. `seats` are its players, if already loaded."""
    lines = sheet_lines(table)
    standings = table.standings()
    # A table whose opening cannot be read has no players, whatever its rows say.
    seats = [
        seated_player
        for seated_player in (seat_rows(row.id, names) if seats is None else seats)
        if seated_player[0] in standings
    ]
    return SheetPage(
        row=row,
        table=table,
        names={seat: name for seat, name, _ in seats},
        with_pages=frozenset(table.players[seat] for seat, _, linked in seats if linked),
        players=dict(table.players),
        standings=standings,
        lines=lines,
        race=race(table, lines),
        fingerprint=table_fingerprint(row.tournament.club_id, row.id, table.version),
        recorded_at=recorded_at,
        changes=changes_at(row.tournament.club_id, row.id, table.version)
        if any(line.corrected_at for line in lines)
        else (),
        shows_money=names is not Names.PUBLIC or row.tournament.club.shows_money,
    )


def result_text(table: Table, names: Mapping[str, str]) -> str:
    """Describe who has won a table, in one sentence; empty while it is in play. `names` are by seat."""
    winners = [isolated(names.get(seat, seat)) for seat in table.winners()]
    if not winners:
        return ""
    return ngettext("{names} wins", "{names} share the win", len(winners)).format(names=listed(winners))


# A table's history: every event with actor, time, content and reason, and what a correction replaced.


# Beside the numbers of deals.
TOTALS = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One stored event. `replaced` is the sheet that a correction replaced."""

    stored: log.StoredEvent
    event: Event
    who: str
    recorded_at: datetime
    reason: str | None
    replaced: Event | None


def history(club_id: UUID, table_id: UUID) -> tuple[HistoryLine, ...]:
    """Return the whole log of a table, oldest first, in two queries. The note of its opening is a name, no reason."""
    stored_events = log.read(club_id, table_id)
    if not stored_events:
        return ()
    first = read_stored(stored_events[0].kind, stored_events[0].schema, stored_events[0].body)
    form = VARIANTS.get(first.variant) if isinstance(first, wire.TableOpened) else None
    names = actor_names({stored_event.actor for stored_event in stored_events}, club_id)
    standing: dict[int, Event] = {}
    lines = []
    for stored_event in stored_events:
        event = read_stored(stored_event.kind, stored_event.schema, stored_event.body, form)
        lines.append(
            HistoryLine(
                stored=stored_event,
                event=event,
                who=names.get(stored_event.actor, stored_event.actor),
                recorded_at=stored_event.recorded_at,
                reason=stored_event.note if stored_event.version > 1 else "",
                replaced=_replaced(event, standing),
            )
        )
        if isinstance(event, wire.DealRecorded | wire.DealCorrected):
            standing[event.deal] = event
        elif isinstance(event, wire.TotalsRecorded | wire.TotalsCorrected):
            standing[TOTALS] = event
    return tuple(lines)


def _replaced(event: Event, standing: Mapping[int, Event]) -> Event | None:
    """What an event replaces, of what was recorded before it."""
    if isinstance(event, wire.DealCorrected | wire.DealVoided):
        return standing.get(event.deal)
    return standing.get(TOTALS) if isinstance(event, wire.TotalsCorrected) else None


# A table in the scorer's view: its state, its players, and what others have recorded since.


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTable:
    """A table with its row, its sheet's row and the names of its seats."""

    sheet: Scoresheet
    table: Table
    names: dict[str, str]

    @property
    def row(self) -> TableRow:
        return self.sheet.table

    @property
    def tournament(self) -> Tournament:
        return self.sheet.table.tournament

    @property
    def club(self) -> Club:
        return self.sheet.table.tournament.club

    @property
    def currency(self) -> str:
        return self.table.setup.stakes.currency

    @property
    def notation(self) -> Notation:
        return Notation(self.currency, self.club.locale)

    def amount_text(self, amount_minor: int) -> str:
        """Return an amount with its currency."""
        return money(amount_minor, *self.notation)

    def event_text(self, event: Event) -> str:
        """Describe an event of this table in the language of the page."""
        if isinstance(event, DealEvent):
            return deal_text(event, self.names)
        return translate(event_message(event, amount_text=self.amount_text), isolated_names(self.names))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLine:
    """A stored event of a table, with its author."""

    stored: log.StoredEvent
    event: Event
    who: str
    text: str


def desk(table_id: UUID, clubs: Sequence[UUID] | None) -> LoadedTable | None:
    """Return the table, in two queries; None where these clubs have none (None stands for every club)."""
    sheets = Scoresheet.objects.select_related("table__tournament__club").filter(table_id=table_id)
    sheets = sheets.annotate(substituted=SUBSTITUTED)
    if clubs is not None:
        sheets = sheets.filter(club_id__in=clubs)
    sheet = sheets.first()
    if sheet is None:
        return None
    table = load_table(sheet.state)
    names = {**seat_names(table_id, Names.REAL), **stand_ins(sheet, table.players, Names.REAL)}
    return LoadedTable(sheet=sheet, table=table, names=names)


def written_since(seen: LoadedTable, version: int) -> tuple[StoredLine, ...]:
    """Return what was stored after a version, oldest first, in two queries."""
    stored_events = log.read(seen.club.pk, seen.row.id, after=version)
    names = actor_names({event.actor for event in stored_events}, seen.club.pk)
    return tuple(written(seen, event, names) for event in stored_events)


def written(
    seen: LoadedTable, stored_event: log.StoredEvent, names: Mapping[str, str] = MappingProxyType({})
) -> StoredLine:
    """Describe one stored event of a table. `names` are those of the known actors."""
    event = read_stored(stored_event.kind, stored_event.schema, stored_event.body, seen.table.rules)
    return StoredLine(
        stored=stored_event,
        event=event,
        who=names.get(stored_event.actor, stored_event.actor),
        text=seen.event_text(event),
    )


# Seats with a substitute, "Bo for Asha": docs/how-to/evening.md, "One player". No query where there is no substitute.


def stand_ins(sheet: Scoresheet, players: Mapping[str, str], names: Names = Names.PUBLIC) -> dict[str, str]:
    """Return the names of substitutes by seat; one query, and only where there is one.

    `sheet` was loaded with `SUBSTITUTED` as its `substituted`.
    """
    stored: str = getattr(sheet, "substituted", "")
    if not stored:
        return {}
    state = load_tournament_state(stored)
    pairs = {seat: state.seat_holder(player, sheet.table.round) for seat, player in players.items()}
    pairs = {seat: (now, first) for seat, (now, first) in pairs.items() if now != first}
    people = {UUID(player) for pair in pairs.values() for player in pair}
    name_by_id = dict(Player.objects.filter(id__in=people).values_list("id", names)) if people else {}
    return {seat: stands_in(name_by_id[UUID(now)], name_by_id[UUID(first)]) for seat, (now, first) in pairs.items()}


def stand_ins_at(sheet: Scoresheet) -> dict[str, str]:
    """Return the same where the sheet's state has not been loaded."""
    if not getattr(sheet, "substituted", ""):
        return {}
    seats = Seat.objects.filter(table_id=sheet.table_id).values_list("number", "player_id")
    return stand_ins(sheet, {str(number): str(player) for number, player in seats})
