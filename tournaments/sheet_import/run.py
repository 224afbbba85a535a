"""Imports a paper score sheet: every line is checked by the rules first, then all of it is stored, or nothing.

Rules: docs/how-to/importing.md. Safe to repeat: each line has a key made from its place on the sheet, so importing a
sheet again adds nothing, and one with further lines adds those. Knows nothing of cells or separators.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from scoring.events import wire
from scoring.messages import Amount, Seat, say
from scoring.money.formatting import typed_percent
from scoring.problems import KeyReused, OptionsRejected, Problem, RuleError, StaleTable, refuse_if
from scoring.rules.table.admission import considered
from scoring.rules.table.table import Table as PlayedTable
from scoring.rules.variants import PRESETS, opening, table_from
from tournaments import log
from tournaments.log.context import CommandContext
from tournaments.models import Club, Table, Tournament
from tournaments.models.people import name_key
from tournaments.projections.terms import stakes_of
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.running.commands.create import TournamentDraft, create_tournament
from tournaments.sheet_import import CellUnread, SheetRejected, at_row, named
from tournaments.sheet_import.forms import Played
from tournaments.sheet_import.heading import Heading
from tournaments.sheet_import.players import players_of
from tournaments.sheet_import.sheets import PaperSheet, SheetLine, open_paper, read_paper
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event

ACTOR = "command:import_sheet"
# The title of the heading line for each column of a tournament.
LINE_OF = {
    "preset": "Game",
    "variant": "Variant",
    "options": "Options",
    "currency": "Currency",
    "entry_minor": "Entry fee",
    "point_value_minor": "Point value",
    "fee_bp": "House fee",
    "fee_floor_minor": "Fee at least",
    "fee_cap_minor": "Fee at most",
    "levy_bp": "Levy",
    "levy_name": "Levy",
    "levy_on": "Levy",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The result of an import: the table, how many events are new, and how many had been imported before.

    `new_tournament` and `new_players` were created by the import.
    """

    table: Table
    stored: int
    repeated: int
    new_tournament: bool
    new_players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a sheet belongs: its club, and the club's tournaments with that name."""

    club: Club | None
    found: tuple[Tournament, ...] = ()

    def heading(self, heading: Heading) -> Heading:
        """The heading with the currency of its amounts, even if it names none: yen have no decimals."""
        usual_currency = self.found[0].currency if len(self.found) == 1 else self.club.currency if self.club else None
        return replace(heading, currency=heading.currency or usual_currency)

    def played(self, heading: Heading) -> Played | None:
        """The game: that of the tournament, else that of the sheet."""
        if len(self.found) == 1:
            return Played(variant=self.found[0].variant, options=self.found[0].options)
        return heading.played


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """A sheet with its tournament."""

    sheet: PaperSheet
    tournament: Tournament
    is_new: bool
    played_at: datetime
    now: datetime

    def context(self, key: str) -> CommandContext:
        """Return the context of one event of the sheet. The scorer's name stays on paper: the log holds no names."""
        return CommandContext(actor=ACTOR, now=self.now, key=key, occurred_at=self.played_at)


def import_sheet(data: bytes, *, now: datetime) -> Imported:
    """Import a sheet. Raises SheetRejected with every problem and its row; then nothing is stored."""
    draft = open_paper(data)
    with transaction.atomic():
        place = _place(draft.heading)
        draft = replace(draft, heading=place.heading(draft.heading))
        plan = _planned(read_paper(draft, place.played(draft.heading)), place, now)
        players, new_players = players_of(plan.tournament, plan.sheet)
        _rehearse(plan, players)
        table = _opened(plan, players)
        events = ((line.row, event) for line in plan.sheet.lines for event in line.events)
        replays = [_record(plan, table.id, index, event) for index, event in enumerate(events, start=1)]
    return Imported(
        table=table,
        stored=replays.count(False),
        repeated=replays.count(True),
        new_tournament=plan.is_new,
        new_players=new_players,
    )


def rehearse_sheet(data: bytes, *, now: datetime) -> Imported:
    """Return what an import would change, without storing anything. Raises SheetRejected as the import would."""
    with transaction.atomic():
        imported = import_sheet(data, now=now)
        transaction.set_rollback(True)
    return imported


def _place(heading: Heading) -> _Place:
    """Return the club of the sheet, locked, and the tournaments that it may belong to."""
    club = Club.objects.filter(name__iexact=heading.club).first() or Club.objects.filter(slug=heading.club).first()
    if club is None:
        return _Place(club=None)
    # Concurrent imports would otherwise each create the tournament and the players that they share.
    log.lock_club(club.id)
    rows = Tournament.objects.filter(club=club)
    return _Place(club=club, found=tuple(row for row in rows if name_key(row.name) == name_key(heading.tournament)))


def _planned(sheet: PaperSheet, place: _Place, now: datetime) -> _Plan:
    """Return the sheet with its tournament; a missing one is created from the heading."""
    heading = sheet.heading
    if place.club is None:
        detail = say("there is no club {name}", name=repr(heading.club))
        raise SheetRejected([heading.problem("club", "unknown_club", detail)])
    try:
        starts_at = heading.starts_at(zone_of(place.club.timezone))
    except CellUnread as unread:
        raise SheetRejected([heading.problem("date", "wrong_value", unread.message)]) from unread
    if len(place.found) > 1:
        detail = say(
            "the club has {number} tournaments called {name}", number=len(place.found), name=repr(heading.tournament)
        )
        raise SheetRejected([heading.problem("tournament", "ambiguous_tournament", detail)])
    for tournament in place.found:
        refuse_if(_differences(heading, tournament), SheetRejected)
    tournament = place.found[0] if place.found else _new_tournament(place.club, heading, starts_at or now, now)
    return _Plan(sheet=sheet, tournament=tournament, is_new=not place.found, played_at=starts_at or now, now=now)


def _new_tournament(club: Club, heading: Heading, starts_at: datetime, now: datetime) -> Tournament:
    """Create a tournament as described by the heading."""
    if heading.played is None:
        detail = say("{name} is a new tournament, so the sheet must say what is played", name=repr(heading.tournament))
        raise SheetRejected([heading.problem("game", "missing_line", detail)])
    currency = heading.currency or club.currency
    amounts = _amounts(heading, currency)
    draft = TournamentDraft(
        name=heading.tournament,
        preset=heading.preset or "",
        variant=heading.variant or "",
        starts_at=starts_at,
        currency=currency,
        options=heading.options or {},
        **amounts,
    )
    try:
        return create_tournament(club, draft, context=CommandContext(actor=ACTOR, now=now))
    except OptionsRejected as refused:
        raise SheetRejected(refused.problems) from refused


def _amounts(heading: Heading, currency: str) -> dict[str, Any]:
    try:
        return heading.amounts(currency)
    except CellUnread as unread:
        raise SheetRejected([Problem(code="wrong_value", field="stakes", detail=unread.message)]) from unread


def _differences(heading: Heading, tournament: Tournament) -> list[Problem]:
    """Report values of the sheet that differ from those of its tournament."""
    currency = heading.currency or tournament.currency
    sheet_values: dict[str, Any] = _amounts(heading, currency)
    sheet_values |= {"preset": heading.preset} if heading.preset else {}
    sheet_values |= {"variant": heading.variant} if heading.variant else {}
    sheet_values |= {"currency": heading.currency} if heading.currency else {}
    if heading.options is not None:
        preset = PRESETS[tournament.preset][1].options if tournament.preset in PRESETS else {}
        sheet_values["options"] = {**preset, **heading.options}
    return [
        Problem(
            code="differs_from_tournament",
            field=name,
            detail=say(
                "{name} has “{column}” {value}; the sheet says {typed}",
                name=tournament.name,
                column=LINE_OF[name],
                value=_written(name, ours, tournament.currency),
                typed=_written(name, theirs, currency),
            ),
        )
        for name, theirs in sheet_values.items()
        if (ours := getattr(tournament, name)) != theirs
    ]


def _written(name: str, value: Any, currency: str) -> str | Amount:
    """Format a value of the tournament as a sheet may write it."""
    if name.endswith("_minor") and value is not None:
        return Amount(value, currency)
    return f"{typed_percent(value, 'en')} %" if name.endswith("_bp") else repr(value)


def _rehearse(plan: _Plan, players: dict[str, UUID]) -> None:
    """Play the sheet through in memory. Raises SheetRejected with all problems found by the rules, line by line."""
    tournament = plan.tournament
    try:
        opened = opening(
            tournament.variant,
            options=tournament.options,
            stakes=stakes_of(tournament),
            seats={seat: str(player) for seat, player in players.items()},
        )
    except OptionsRejected as refused:
        raise SheetRejected(refused.problems) from refused
    table, problems = table_from(opened), []
    for line in plan.sheet.lines:
        table, line_problems = _played(table, line)
        problems += [at_row(line.row, problem) for problem in line_problems]
    refuse_if(named(problems, plan.sheet.names), SheetRejected)


def _played(table: PlayedTable, line: SheetLine) -> tuple[PlayedTable, list[Problem]]:
    """Return the table after one line, and the problems with the line.

    A refused deal is counted nevertheless, as far as possible, so that the lines below it are checked too.
    """
    problems: list[Problem] = []
    for raw in line.events:
        event, event_problems = considered(table, raw)
        problems += event_problems
        if event is None:
            continue
        slips = table.rules.typing_problems(table.setup, event)
        problems += slips
        if isinstance(event, wire.DealRecorded) or not (event_problems or slips):
            table = table.apply(event)
    return table, problems + _total_problems(table, line)


def _total_problems(table: PlayedTable, line: SheetLine) -> list[Problem]:
    """Report totals on paper that differ from the computed ones."""
    views = table.seats()
    ours = {seat: getattr(views[seat], table.rules.race) for seat in line.totals}
    return [
        Problem(
            code="total_differs",
            seat=seat,
            field="total",
            detail=say(
                "{seat} has {total} on paper; the deals above add up to {points}",
                seat=Seat(seat),
                total=total,
                points=ours[seat],
            ),
        )
        for seat, total in line.totals.items()
        if total != ours[seat]
    ]


def _opened(plan: _Plan, players: dict[str, UUID]) -> Table:
    """Return the sheet's table, opened now or by an earlier import."""
    heading = plan.sheet.heading
    seats = [SeatedPlayer(number=int(seat), player=player) for seat, player in players.items()]
    draft = TableDraft(number=heading.table, round=heading.round, seats=seats)
    key = f"sheet:{plan.tournament.id.hex}:{heading.round}:{heading.table}"
    try:
        return open_table(plan.tournament, draft, context=plan.context(key))
    except (RuleError, KeyReused) as refused:
        other = Problem(code="table_exists", field="table", detail=refused.message)
        raise SheetRejected(getattr(refused, "problems", [other])) from refused


def _record(plan: _Plan, table_id: UUID, index: int, event: tuple[int, dict[str, Any]]) -> bool:
    """Store one event as the sheet's `index`-th; returns whether it had been stored before."""
    row, raw = event
    key = f"sheet:{table_id.hex}:{index}"
    try:
        return record_wire_event(table_id, raw, expected=index, context=plan.context(key)).is_replay
    except KeyReused as error:
        detail = say("this line was imported with other content: enter a correction, or restore the line")
        raise SheetRejected([at_row(row, Problem(code="line_changed", detail=detail))]) from error
    except StaleTable as stale:
        detail = say("the table was changed elsewhere (version {number}); enter the rest there", number=stale.current)
        raise SheetRejected([at_row(row, Problem(code="table_moved_on", detail=detail))]) from stale
    except RuleError as refused:
        problems = [at_row(row, problem) for problem in refused.problems]
        raise SheetRejected(named(problems, plan.sheet.names)) from refused
