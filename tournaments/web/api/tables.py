"""Tables: opening them, reading them, and writing down what happened at them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.events.table import TABLE_NEEDS_REASON
from scoring.events.wire import EVENTS
from scoring.messages import Message, english
from scoring.problems import EventNotAllowed, Problem, RuleError, refuse_if
from scoring.rules.table import fields
from scoring.rules.table.dealing import Due, deals_to_replay, due, next_dealer
from tournaments import log
from tournaments.boards import board
from tournaments.boards.past import board_at, sheet_at
from tournaments.models import Scoresheet, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.bounds import FIRST_MOMENT, MOST_COUNT
from tournaments.models.public_names import Names
from tournaments.models.statements import PreparedQuery
from tournaments.people.permissions import Actor, Permission, permission_for
from tournaments.people.players import named
from tournaments.projections.cached import cached
from tournaments.projections.shown import shown_anew, version_shown
from tournaments.running.commands.record import tournament_state
from tournaments.running.queries.stages import outdated_cuts
from tournaments.seating import questions_about
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import ENTRIES, record_at_table
from tournaments.tables.queries.moments import AfterRound, At, WithCorrections, position_at, version_at
from tournaments.tables.queries.sheets import SheetPage, seat_names, sheet_page
from tournaments.web.api import table_shapes as shapes
from tournaments.web.api.answers import board_answer, event_answer, shaped, table_answer
from tournaments.web.api.bodies import BodyRejected, hindsight_of, moment_asked_for, read_body
from tournaments.web.api.clubs import created, find_tournament
from tournaments.web.api.doors import (
    ApiView,
    filtered,
    is_public,
    limit_of,
    page_of,
    tag_of,
    tag_over,
    unless_known,
    whole_number,
)
from tournaments.web.api.filters import TableFilter
from tournaments.web.api.problems import parts_of
from tournaments.web.api.schema import AFTER, AT, EXAMPLE_PLAYERS, KEY, PAGING, describes
from tournaments.web.api.tournament_shapes import OpenedTable, RecordedEvent
from tournaments.web.packed import JSON, pack, tag_sent, unpacked

# The leaderboard of a tournament, now and at any earlier moment.


class Leaderboard(ApiView):
    """Who stands where."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("read_leaderboard", shapes.BoardAnswer, parameters=[AT], has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """The current leaderboard, or with `at` an earlier one: as it was shown then, or with later corrections."""
        tournament = find_tournament(self, tournament_id)
        at = moment_asked_for(request)
        hindsight = hindsight_of(request, at)
        position = _position_of(at, tournament)
        names = self.names_for(tournament.club_id)
        version = version_shown(tournament.club, names)
        is_now = position == tournament.board_position and not hindsight
        shown_at = at if at is not None and hindsight else position
        is_shared = is_public(tournament) and names is Names.PUBLIC
        newest = position

        def tag() -> str:
            return tag_of(newest, tournament_id, version, names, *hindsight)

        def made() -> shapes.BoardAnswer:
            nonlocal newest
            answer = board_answer(board(tournament, names) if is_now else board_at(tournament, shown_at, names))
            # An event that arrived in between is already included.
            newest = answer.position if is_now else position
            return answer

        def kept() -> HttpResponse:
            packed = cached(tag(), lambda: pack(msgspec.json.encode(made())), club=tournament.club)
            return unpacked(request, packed, JSON)

        if not (is_now and is_shared):
            return unless_known(request, tag(), made, is_shared=is_shared, retag=lambda _: tag())
        tag_as_sent = partial(tag_sent, request)
        return unless_known(request, tag_as_sent(tag()), kept, is_shared=True, retag=lambda _: tag_as_sent(tag()))


def _position_of(at: At | None, tournament: Tournament) -> int:
    """The last position the answer depends on; beyond the last one that touched the board it is the board as it stands.

    What is known now of the past depends on everything.
    """
    current = tournament.board_position
    if isinstance(at, datetime):
        at = position_at(tournament, at, current=current)
    return min(at, current) if isinstance(at, int) else current


AHEAD = timedelta(days=1)


class Tables(ApiView):
    """A tournament's tables."""

    permissions = {"GET": Permission.WATCH, "POST": Permission.DIRECT}
    is_public = True

    @describes("list_tables", shapes.TablePage, parameters=PAGING, filters=TableFilter)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """In the order of rounds and numbers."""
        tournament = find_tournament(self, tournament_id)
        sheets = Scoresheet.objects.filter(table__tournament=tournament).select_related("table").defer("state")
        rows = filtered(request, TableFilter, sheets)
        return Response(page_of(request, rows, _table_row, order=("table__round", "table__number")))

    @describes(
        "open_table",
        OpenedTable,
        body=shapes.TableBody,
        parameters=[KEY],
        example={
            "round": 1,
            "number": 2,
            "seats": [
                {"number": number, "player": player} for number, player in enumerate(EXAMPLE_PLAYERS[4:], start=1)
            ],
        },
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Opens a table with its players; its options and stakes are then fixed. The same key returns the same table.

        `warnings` name players who are not here, have not paid, are suspended or may be listed twice. With `ask_first`
        the table is not opened if there are any.
        """
        tournament = find_tournament(self, tournament_id)
        context = self.command_context()
        body = read_body(shapes.TableBody, request.data)
        seats = [SeatedPlayer(number=seat.number, player=seat.player) for seat in body.seats]
        draft = TableDraft(number=body.number, round=body.round, name=body.name, seats=seats)
        questions = self._questions(tournament, seats)
        if body.ask_first and not log.find(club=tournament.club_id, keys=[context.key]).exists():
            refuse_if(questions, EventNotAllowed)
        row = open_table(tournament, draft, context=context)
        opened = sheet_at(row, 1, Names.REAL)
        if opened is None:
            raise Http404
        answer = shaped(OpenedTable, table_answer(opened), warnings=parts_of(questions))
        return created(answer, is_replay=row.created_at != context.now)

    def _questions(self, tournament: Tournament, seats: Sequence[SeatedPlayer]) -> list[Problem]:
        """What a page would ask before it seats these players."""
        state = tournament_state(tournament)
        return named(tournament.club_id, questions_about(tournament, state, [str(seat.player) for seat in seats]))


def _table_row(sheet: Scoresheet) -> shapes.TableRow:
    table = sheet.table
    return shaped(shapes.TableRow, sheet, id=table.pk, round=table.round, number=table.number, name=table.name)


class TableById(ApiView):
    """One table."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("read_table", shapes.TableAnswer, parameters=[AT], has_tag=True)
    def get(self, request: Request, table_id: UUID) -> HttpResponseBase:
        """The current table, or with `at` an earlier state: as it was shown then, or with later corrections."""
        sheet = find_sheet(self, table_id)
        at = moment_asked_for(request)
        hindsight = hindsight_of(request, at)
        row, version = sheet.table, _version_of(at, sheet)
        names = self.names_for(sheet.club_id)
        shown_at = at if at is not None and hindsight else version
        shows_money = row.tournament.club.shows_money
        tag = _tag_of(sheet, row.name, shows_money, *hindsight, *seat_names(table_id, names).values())
        return unless_known(
            request,
            tag(version),
            lambda: self._answer(sheet, shown_at, names),
            is_shared=is_public(row.tournament) and names is Names.PUBLIC,
            retag=lambda answer: tag(answer.version),
        )

    def _answer(self, sheet: Scoresheet, at: At, names: Names) -> shapes.TableAnswer:
        is_now = at == sheet.version
        page = sheet_page(sheet.table_id, names) if is_now else sheet_at(sheet.table, at, names)
        if page is None:
            raise Http404
        return table_answer(page)


class Events(ApiView):
    """What happened at a table."""

    permissions = {"GET": Permission.SEE, "POST": Permission.RECORD}
    is_public = True

    @describes("read_events", shapes.EventsAnswer, parameters=[AFTER, PAGING[0]], has_tag=True)
    def get(self, request: Request, table_id: UUID) -> HttpResponseBase:
        """The events of the table after a version, in order."""
        sheet = find_sheet(self, table_id)
        after = whole_number(request, "after", default=0, most=MOST_COUNT)
        limit = limit_of(request)
        is_member = self.is_member(sheet.club_id)
        shows_money = is_member or sheet.table.tournament.club.shows_money
        tag = _tag_of(sheet, after, limit, is_member, shows_money)
        return unless_known(
            request,
            tag(sheet.version),
            lambda: _events(sheet, after, limit, is_member=is_member, shows_money=shows_money),
            is_shared=not is_member and is_public(sheet.table.tournament),
            retag=lambda answer: tag(answer.version),
        )

    # Its examples are a deal of each game: `schema.add_components`.
    @describes("record_event", RecordedEvent, body=shapes.EventBody, parameters=[KEY])
    def post(self, request: Request, table_id: UUID) -> Response:
        """Stores an event as the version after `expected_version`, or refuses it with every problem."""
        sheet = find_sheet(self, table_id, with_state=True)
        self.stream = sheet.club_id, sheet.pk
        context = self.command_context()
        body = read_body(shapes.EventBody, request.data)
        self.need(sheet.club_id, permission=permission_at(self.actor, body.event.get("kind"), sheet), table=table_id)
        context = _at_its_time(context, body.occurred_at)
        recorded = record_at_table(table_id, body.event, expected=body.expected_version, context=context, sheet=sheet)
        warnings = _no_longer_fits(sheet.table) if recorded.stored.kind in TABLE_NEEDS_REASON else []
        answer = shaped(RecordedEvent, event_answer(recorded.stored, is_member=True), warnings=parts_of(warnings))
        return created(answer, is_replay=recorded.is_replay)

    def names_of(self, error: RuleError) -> Mapping[str, str] | None:
        """The players' names, looked up only for a refusal."""
        return seat_names(self.stream[1], Names.REAL) if self.stream else None


def permission_at(actor: Actor, kind: object, sheet: Scoresheet) -> Permission:
    """What it takes to record this kind at a table; a word that is no kind is for the rules to refuse."""
    if not isinstance(kind, str) or kind not in EVENTS:
        return Permission.RECORD
    # Whether two entries differ, or a deal is disputed, is checked where a seat's deal is compared.
    has_dispute = sheet.has_dispute and not (actor.seats and kind in ENTRIES)
    return permission_for(kind, is_over=sheet.is_closed or sheet.is_cancelled, has_dispute=has_dispute)


def _no_longer_fits(table: TableRow) -> list[Problem]:
    """The cuts of a tournament that would be made otherwise after a correction of this table."""
    state = tournament_state(table.tournament)
    outdated = outdated_cuts(table.tournament, state)
    return [Problem("outdated_cut", text, field="cut") for text in outdated.values()]


def _sheets(table_id: UUID) -> QuerySet[Scoresheet]:
    return Scoresheet.objects.select_related("table__tournament__club__shown_version").filter(table_id=table_id)


_TWO = (UUID(int=1), UUID(int=2))
_SHEETS = PreparedQuery(_sheets, _TWO)
_SHEETS_ALONE = PreparedQuery(lambda table_id: _sheets(table_id).defer("state"), _TWO)


def find_sheet(view: ApiView, table_id: UUID, *, with_state: bool = False) -> Scoresheet:
    """The table's score sheet row, if this request may do its deed there. In one query."""
    sheet = (_SHEETS if with_state else _SHEETS_ALONE).first(table_id)
    if sheet is None:
        raise Http404
    tournament = sheet.table.tournament
    view.need(tournament.club, is_published=is_public(tournament), table=table_id)
    return sheet


def _tag_of(sheet: Scoresheet, *parts: object) -> Callable[[int], str]:
    """A tag over what is asked of a table, for each version of it."""
    return tag_over(sheet.pk, shown_anew(sheet.table.tournament.club), *parts)


def _version_of(at: At | None, sheet: Scoresheet) -> int:
    """The version the answer depends on, the current one without any. Raises Http404 for one that never was."""
    if at is None or isinstance(at, WithCorrections | AfterRound):
        return sheet.version
    version = version_at(sheet.club_id, sheet.table_id, at, current=sheet.version) if isinstance(at, datetime) else at
    if not 1 <= version <= sheet.version:
        raise Http404
    return version


def _events(sheet: Scoresheet, after: int, limit: int, *, is_member: bool, shows_money: bool) -> shapes.EventsAnswer:
    stored_events = log.read(sheet.club_id, sheet.table_id, after)
    event_answers = [
        event_answer(event, is_member=is_member, shows_money=shows_money) for event in stored_events[:limit]
    ]
    return shapes.EventsAnswer(
        table=sheet.table_id,
        version=max(sheet.version, stored_events[-1].version if stored_events else 0),
        events=event_answers,
        next_after=event_answers[-1].version if len(stored_events) > limit else None,
    )


def _at_its_time(context: Any, occurred_at: datetime | None) -> Any:
    """The context with the time of the deal, if a device sends it later."""
    if occurred_at is None:
        return context
    if not FIRST_MOMENT <= occurred_at <= now() + AHEAD:
        detail = Message("occurred_at must lie between the year 2000 and tomorrow")
        raise BodyRejected([Problem(code="out_of_range", field="occurred_at", detail=detail)])
    return replace(context, occurred_at=occurred_at)


# The form for a scorer's next entry at a table: the fields of its game, so that any app can draw it.


class EntryForm(ApiView):
    """The form of the next deal."""

    permissions = {"GET": Permission.SEE}
    is_public = True

    @describes("read_entry_form", shapes.EntryFormAnswer, has_tag=True)
    def get(self, request: Request, table_id: UUID) -> HttpResponseBase:
        """The fields of the next deal. Send the deal with the form's `version` as `expected_version`."""
        sheet = find_sheet(self, table_id)
        names = self.names_for(sheet.club_id)
        tag = _tag_of(sheet, "form", *seat_names(table_id, names).values())
        return unless_known(
            request,
            tag(sheet.version),
            lambda: _form(sheet, sheet_page(table_id, names)),
            is_shared=is_public(sheet.table.tournament) and names is Names.PUBLIC,
            retag=lambda answer: tag(answer.version),
        )


def _form(sheet: Scoresheet, page: SheetPage) -> shapes.EntryFormAnswer:
    """The fields of what is due; none where nothing is."""
    table = page.table
    comes = due(table)
    is_over = comes is Due.NOTHING
    rules, is_extra = table.rules, comes is Due.TIEBREAK

    def in_english(field: fields.SheetField) -> dict[str, str]:
        return {name: english(getattr(field, name)) for name in ("group", "help", "note")}

    form_fields = () if is_over else rules.entry_form(table.setup, table.game, is_extra=is_extra)
    return shapes.EntryFormAnswer(
        table=sheet.table_id,
        version=table.version,
        variant=rules.name,
        due=comes.value,
        deal=table.next_deal,
        deals_to_replay=list(deals_to_replay(table)),
        dealer=None if is_over else next_dealer(table),
        seats={} if is_over else {seat: page.names[seat] for seat in table.in_play},
        fields=[shapes.SheetField(**msgspec.structs.asdict(field) | in_english(field)) for field in form_fields],
    )
