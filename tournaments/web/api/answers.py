"""Builds the structs of responses from rows and query results. Knows nothing of how these are calculated.

Rules: docs/reference/api.md.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any, TypeVar

import msgspec

from scoring.events import wire
from scoring.events.cash import CASH_EVENTS, CashBookOpened
from scoring.events.table import Event
from scoring.events.tournament import TOURNAMENT_EVENTS
from scoring.events.wire import DEAL_KINDS, EVENTS, NEEDS_REASON, NOT_FOR_TABLES
from scoring.messages import english
from scoring.rules.table.dealing import announce
from scoring.rules.table.standing import COLUMNS, COUNTED, told
from scoring.rules.table.variant import Panel, PanelCell
from scoring.rules.variants import VARIANTS
from scoring.sheets.leaderboard import BoardRow
from scoring.sheets.scoresheet import Cell, SheetLine
from tournaments import log
from tournaments.boards import Board
from tournaments.models import Player, Tournament
from tournaments.people.permissions import Permission, permission_to_read
from tournaments.tables.queries.sheets import SheetPage
from tournaments.web.api import table_shapes as shapes

Shape = TypeVar("Shape", bound=msgspec.Struct)
SHOWN = ("table", "round", *COLUMNS)


def shaped(shape: type[Shape], thing: object, **given: Any) -> Shape:
    """Convert an object to a struct: fields that are not in `given` are read from attributes of the same names."""
    own = {name: getattr(thing, name) for name in shape.__struct_fields__ if name not in given}
    return shape(**own, **given)


def tournament_answer(row: Tournament) -> shapes.TournamentAnswer:
    """A tournament."""
    starts, is_closed = row.starts_at.astimezone(UTC), row.closed_at is not None
    return shaped(shapes.TournamentAnswer, row, club=row.club_id, starts_at=starts, is_closed=is_closed)


def player_answer(player: Player) -> shapes.PlayerAnswer:
    """A player."""
    return shaped(
        shapes.PlayerAnswer, player, is_erased=player.erased_at is not None, merged_into=player.merged_into_id
    )


def board_answer(board: Board) -> shapes.BoardAnswer:
    """A leaderboard."""
    tournament = board.tournament
    hidden, games = {} if board.has_net_points else {"net_points": None}, board.games
    return shaped(
        shapes.BoardAnswer,
        board,
        tournament=tournament.id,
        name=tournament.name,
        club=tournament.club_id,
        variant=tournament.variant,
        currency=tournament.currency,
        rows=[_board_line(row, board, {**hidden, "variant": games[row.stage].other}) for row in board.rows],
        tables=[shaped(shapes.TableRow, table) for table in board.tables],
        unlisted=len(board.unlisted),
    )


def _board_line(row: BoardRow, board: Board, given: dict[str, Any]) -> shapes.BoardLine:
    line = row.line
    fields = {field: told(line, field) for field in SHOWN} | given
    fields |= {"stage": row.stage, "score": row.score, "decided": english(row.decided)}
    fields |= {"name": board.names[line.player], "prize_minor": row.prize_minor, "net_minor": row.net_minor}
    fields |= {"is_hidden": line.player in board.hidden}
    return shapes.BoardLine(place=row.place, is_tied=row.is_tied, player=line.player, **fields)


def table_answer(page: SheetPage) -> shapes.TableAnswer:
    """A table with its sheet."""
    row, table = page.row, page.table
    paid = announce(table)
    return shaped(
        shapes.TableAnswer,
        row,
        tournament=row.tournament_id,
        club=row.tournament.club_id,
        version=table.version,
        variant=table.rules.name,
        options=msgspec.to_builtins(table.setup.options),
        stakes=msgspec.to_builtins(table.setup.stakes),
        status=table.status.value,
        is_finished=table.is_finished,
        has_totals=table.has_totals,
        next_deal=table.next_deal,
        in_play=[] if table.is_finished else list(table.in_play),
        seats={seat: _seat(page, seat) for seat in page.standings},
        winners=list(table.winners()),
        payouts_minor=paid.payouts_minor if page.shows_money else {},
        fee_minor=paid.fee_minor,
        ranked_by=table.rules.race,
        low_is_good=table.rules.low_is_good(table.setup),
        finish_line=table.rules.finish_line(table.setup),
        panels=[_panel(panel, page.names) for panel in table.rules.panels(table.setup, table.game)],
        conflicts=[english(message, page.names) for message in page.conflicts],
        lines=[_line(line, page.names) for line in page.lines],
        recorded_at=page.recorded_at,
        fingerprint=page.fingerprint,
    )


def _seat(page: SheetPage, seat: str) -> shapes.SeatAnswer:
    counts: dict[str, Any] = {} if page.table.deals else dict.fromkeys(COUNTED)
    return shaped(shapes.SeatAnswer, page.standings[seat], player=page.players[seat], name=page.names[seat], **counts)


def _line(line: SheetLine, names: dict[str, str]) -> shapes.LineAnswer:
    return shaped(
        shapes.LineAnswer,
        line,
        cells={seat: _cell(cell) for seat, cell in line.cells.items()},
        remarks=[english(remark, names) for remark in line.remarks],
        notes=[english(note.text, names) for note in line.notes],
        corrected_at=line.corrected_at or None,
    )


def _cell(cell: Cell) -> shapes.CellAnswer:
    mark = cell.mark
    if mark is None:
        return shaped(shapes.CellAnswer, cell, said="", count=None, is_win=False)
    return shaped(shapes.CellAnswer, cell, said=english(mark.title), count=mark.count, is_win=mark.is_win)


def _panel(panel: Panel, names: dict[str, str]) -> shapes.PanelAnswer:
    return shapes.PanelAnswer(
        title=english(panel.title),
        heading=list(map(english, panel.heading)),
        rows=[[_panel_cell(cell, names) for cell in row] for row in panel.rows],
    )


def _panel_cell(cell: PanelCell, names: dict[str, str]) -> str:
    if isinstance(cell, tuple):
        return " and ".join(names.get(seat.label, seat.label) for seat in cell)
    return english(cell)


def event_answer(stored: log.StoredEvent, *, is_member: bool, shows_money: bool = True) -> shapes.EventAnswer:
    """A stored event in the form in which it was sent; its actor and reason for members only.

    Without `shows_money` the amount of a buy-in is left out, the only one that an event of a table has.

    The note of a table's opening is its name, not a reason.
    """
    body: dict[str, Any] = msgspec.json.decode(stored.body)
    event = {"kind": stored.kind, **body, **body.pop("sheet", {})}
    event.pop("sheet", None)
    if not shows_money:
        event.pop("amount_minor", None)
    if is_member and stored.note and stored.version > 1:
        event["reason"] = stored.note
    return shaped(
        shapes.EventAnswer,
        stored,
        event=event,
        hash=stored.hash.hex(),
        actor=stored.actor if is_member else None,
        device=stored.device if is_member else None,
    )


def event_as_read(
    stored: log.StoredEvent, readable: Collection[Permission], *, is_cash: bool = False, shows_money: bool = True
) -> shapes.EventAnswer:
    """A stored event for a member: what it says, and what proves it, with the permission to read it alone."""
    answer = event_answer(stored, is_member=True, shows_money=shows_money)
    can_read = permission_to_read(stored.kind, is_cash=is_cash) in readable
    return answer if can_read else msgspec.structs.replace(answer, event=None, id=None, hash=None)


# The API schema of events: one struct for each kind, and for a deal one for the sheet of each game.

DEAL, ACT = "DealEvent", "TableAct"
REASON = {"type": "string", "minLength": 1, "maxLength": 500}
Schema = dict[str, Any]


def example_deals() -> dict[str, Schema]:
    """The first deal of a table of each game, by variant."""
    return {name: {"kind": "deal_recorded", "deal": 1, **rules.example} for name, rules in VARIANTS.items()}


def event_components(template: str) -> dict[str, Schema]:
    """The schemas of all events of a table, by name; `template` is the form of references between them."""
    acts = [event for kind, event in sorted(EVENTS.items()) if kind not in NOT_FOR_TABLES | DEAL_KINDS]
    sheets = {rules.sheet_type: rules for rules in VARIANTS.values()}
    _, components = msgspec.json.schema_components([*acts, *sheets], ref_template=template)
    schemas = {name: _one_or_many(schema) for name, schema in components.items()}
    for act in acts:
        schemas[act.__name__] = _event(schemas[act.__name__], [act.kind])
    deals: dict[str, Schema] = {}
    for sheet in sheets:
        games = [name for name, rules in VARIANTS.items() if rules.sheet_type is sheet]
        deals |= _deals(schemas.pop(sheet.__name__), schemas, games)
    schemas |= deals
    schemas[DEAL] = {
        "title": DEAL,
        "description": "A deal, its correction, or an extra deal; its fields are those of the table's `variant`.",
        "anyOf": [{"$ref": template.format(name=name)} for name in deals],
    }
    kinds = {act.kind: act.__name__ for act in acts}
    schemas[ACT] = _union(ACT, "Anything but a deal, told apart by its `kind`.", kinds, template)
    # Two unions, because `kind` does not tell the games of a deal apart, and generators want one schema for each kind.
    schemas[shapes.EVENT] = {
        "title": shapes.EVENT,
        "description": "One event of a table.",
        "anyOf": [{"$ref": template.format(name=name)} for name in (DEAL, ACT)],
    }
    return schemas


def cash_components(template: str) -> dict[str, Schema]:
    """The schemas of all lines of a cash book, by name, without its opening, which is recorded automatically."""
    lines = [event for event in CASH_EVENTS if event is not CashBookOpened]
    return _stream_components(lines, shapes.CASH_EVENT, "One line of a cash book, told apart by its `kind`.", template)


def tournament_components(template: str) -> dict[str, Schema]:
    """The schemas of the events of a tournament that a program records, by name.

    The moments of a clock are those of the server, and are not sent.
    """
    events: list[type[Event]] = [*TOURNAMENT_EVENTS]
    events += [wire.TournamentClosed, wire.TournamentCancelled, wire.TournamentReopened]
    words = "One event of a tournament, told apart by its `kind`."
    schemas = _stream_components(events, shapes.TOURNAMENT_EVENT, words, template)
    for name in (wire.ClockStarted.__name__, wire.ClockPaused.__name__, wire.LastDealCalled.__name__):
        properties = {field: schema for field, schema in schemas[name]["properties"].items() if field != "at"}
        required = [field for field in schemas[name]["required"] if field != "at"]
        schemas[name] |= {"properties": properties, "required": required}
    return schemas


def _stream_components(events: Sequence[type[Event]], name: str, description: str, template: str) -> dict[str, Schema]:
    _, components = msgspec.json.schema_components(events, ref_template=template)
    schemas = dict(components)
    for event in events:
        schemas[event.__name__] = _event({"required": [], **components[event.__name__]}, [event.kind])
    kinds = {event.kind: event.__name__ for event in events}
    return {**schemas, name: _union(name, description, kinds, template)}


def _union(name: str, description: str, kinds: Mapping[str, str], template: str) -> Schema:
    """One of several schemas, named by the kind."""
    references = {kind: template.format(name=schema) for kind, schema in kinds.items()}
    return {
        "title": name,
        "description": description,
        "oneOf": [{"$ref": reference} for reference in dict.fromkeys(references.values())],
        "discriminator": {"propertyName": "kind", "mapping": references},
    }


def _event(schema: Schema, kinds: list[str]) -> Schema:
    """The schema of an event with its `kind`, and with a reason where one is needed."""
    needs_reason = NEEDS_REASON.issuperset(kinds)
    kind: Schema = {"type": "string", "const": kinds[0]} if len(kinds) == 1 else {"type": "string", "enum": kinds}
    properties = {"kind": kind, **schema["properties"]}
    properties |= {"reason": REASON} if not NEEDS_REASON.isdisjoint(kinds) else {}
    required = ["kind", *(name for name in schema["required"] if name != "reason"), *(["reason"] * needs_reason)]
    return {**schema, "properties": properties, "required": required}


def _deals(schema: Schema, schemas: dict[str, Schema], games: list[str]) -> dict[str, Schema]:
    """The schemas of a sheet with kind and number, by name. A list of hands may be given as a single one too."""
    kinds, name = sorted(DEAL_KINDS), ".".join(("Deal", *games))
    titles = ", ".join(VARIANTS[game].title for game in games)
    description = f"At a table of {titles} (`variant`: {', '.join(games)}). {schema['description']}"
    deals: dict[str, Schema] = {name: {**_event(_numbered(schema), kinds), "title": titles, "description": description}}
    for single in _single_hands(schema, schemas):
        title, described = f"{titles}: a single hand", f"{description} A single hand may be given without its list."
        deals[f"{name}.hand"] = {**_event(_numbered(single), kinds), "title": title, "description": described}
    return deals


def _numbered(schema: Schema) -> Schema:
    number = {"type": "integer", "minimum": 1, "maximum": 1_000}
    return {**schema, "properties": {"deal": number, **schema["properties"]}, "required": ["deal", *schema["required"]]}


def _single_hands(schema: Schema, schemas: dict[str, Schema]) -> Iterator[Schema]:
    """The sheet's schema with the fields of a single hand instead of its list of hands."""
    for name, field in schema["properties"].items():
        if field.get("type") == "array" and "$ref" in field["items"]:
            hand = schemas[field["items"]["$ref"].rpartition("/")[2]]
            others = {key: value for key, value in schema["properties"].items() if key != name}
            yield {**schema, "properties": {**others, **hand["properties"]}, "required": hand["required"]}


def _one_or_many(schema: Schema) -> Schema:
    """Accept a single seat where a list of seats is stored."""
    many = {"type": "array", "items": {"type": "string"}}
    either = {"anyOf": [{"type": "string"}, many]}
    properties = {
        name: {**field, "additionalProperties": either} if field.get("additionalProperties") == many else field
        for name, field in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties} if properties else schema
