"""Writes by every operation of the API and every form of the pages, with extremes of what each of them takes.

Bodies come from the API's own description, events from the types of the events, forms from the pages that carry them.
So a new operation, event or form is covered automatically.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
from django.urls import NoReverseMatch
from drf_spectacular.generators import SchemaGenerator

from scoring.events.table import DEAL_KINDS
from scoring.events.wire import EVENTS, NOT_FOR_TABLES
from scoring.problems import Defect
from scoring.rules.chance import Chance
from scoring.rules.table.dealing import next_deal
from scoring.sheets.snapshots import load_table
from tests.builders.admin_addresses import CLUB_PAGES, address
from tests.builders.admin_tables import Evening
from tests.builders.api_operations import BODIES, address_of
from tests.builders.extreme_values import leaves, of_number, of_schema, of_text
from tests.builders.form_controls import PageForms
from tests.builders.two_clubs import World, latest, objects_of
from tournaments.models import CashBook, EntryRequest, Player, Scoresheet, Seat

DESCRIPTION = SchemaGenerator().get_schema(request=None, public=True)
NAMED = DESCRIPTION["components"]["schemas"]
POSTED = {
    found["operationId"]: (path, found["requestBody"]["content"]["application/json"]["schema"])
    for path, of in DESCRIPTION["paths"].items()
    for method, found in of.items()
    if method == "post"
}
CASH_KINDS = [kind for kind, event in EVENTS.items() if event.__module__.endswith("events.cash")]
TABLE_KINDS = [kind for kind in EVENTS if kind not in NOT_FOR_TABLES]
# Writes that end something for good are tried only rarely.
SELDOM = ("erase", "remove", "revoke", "cancel", "close", "delete", "settle", "again")
# The share of tries left to an operation or form that has refused everything so far.
LEAST_OFTEN = 0.15
SUCCESS = 201
SEEN_ELSEWHERE = 302


@dataclass(frozen=True)
class Written:
    """One write and its result."""

    door: str
    sent: Any
    status: int

    @property
    def is_accepted(self) -> bool:
        return self.status in (SUCCESS, SEEN_ELSEWHERE)


@dataclass
class Doors:
    """The results of each operation and form in one world: one that refuses is tried less often, none never.

    Drawn evenly, one of six writes was accepted: most went to operations with nothing to write in the present world.
    """

    tried: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)

    def draw(self, names: Sequence[str], chance: Random) -> str:
        """One of them, weighted by how often it has accepted anything."""
        weights = [max(LEAST_OFTEN, (self.accepted[name] + 1) / (self.tried[name] + 2)) ** 2 for name in names]
        return chance.choices(names, weights)[0]

    def note(self, name: str, written: Written | None) -> Written | None:
        """Record the result of a try."""
        self.tried[name] += 1
        self.accepted[name] += written is not None and written.is_accepted
        return written


def write(world: World, chance: Random, doors: Doors) -> Written | None:
    """One write by any operation or form; None where the chosen page has no form."""
    through, names = (_through_the_api, sorted(POSTED)) if chance.random() < 0.5 else (_through_a_form, CLUB_PAGES)
    name = doors.draw(names, chance)
    return doors.note(name, through(name, world, chance))


def _through_the_api(name: str, world: World, chance: Random) -> Written:
    path, schema = POSTED[name]
    tournament = chance.choice(latest(world.club, 8, chance))
    found = objects_of(world.club, tournament, chance)
    table = found["table"] or world.home.table
    body = _usual(name, found, chance)
    for name_of, kind in _chosen(list(leaves(schema, NAMED)), chance):
        if name_of not in ("event", "player", "book", "expected_version", "act") or chance.random() < 0.05:
            body[name_of] = of_schema(kind, NAMED, chance)
    where = address_of(path, tournament, table)
    try:
        status = world.device.send(where, body).status_code
    except (UnicodeEncodeError, OverflowError):
        status = 0
    return Written(f"POST {where} ({name})", body, status)


def _through_a_form(name: str, world: World, chance: Random) -> Written | None:
    if name.endswith(SELDOM) and chance.random() < 0.9:
        return None
    found = objects_of(world.club, chance.choice(latest(world.club, 8, chance)), chance)
    where = page_of(name, world, found)
    shown = world.browser.get(where) if where else None
    if shown is None or shown.status_code != 200 or not shown["Content-Type"].startswith("text/html"):
        return None
    forms = [form for form in PageForms(shown.content.decode()).found if "logout" not in form.action]
    if not forms:
        return None
    form = chance.choice(forms)
    sent = form.filled(chance, extremes=chance.choice((0, 1, 1, 1, 2, 3)))
    to = form.action if form.action.startswith("/") else str(where).partition("?")[0]
    try:
        status = world.browser.post(to, sent).status_code
    except UnicodeEncodeError:
        status = 0
    return Written(f"POST {to} ({name})", sent, status)


def page_of(name: str, world: World, found: Mapping[str, Any]) -> str | None:
    """The address of a page of the admin around one tournament."""
    around = Evening(club=found["club"], tournament=found["tournament"], table=found["table"] or world.home.table)
    try:
        return address(name, around)
    except (NoReverseMatch, AttributeError, LookupError, CashBook.DoesNotExist, CashBook.MultipleObjectsReturned):
        return None


def _chosen(fields: list[Any], chance: Random) -> list[Any]:
    return chance.sample(fields, min(chance.choice((0, 1, 1, 1, 2, 3)), len(fields)))


def _usual(name: str, found: dict[str, Any], chance: Random) -> dict[str, Any]:
    """A valid body."""
    makers: dict[str, Callable[[], dict[str, Any]]] = {
        "create_tournament": lambda: {
            "name": "Sunday",
            "preset": chance.choice(("pool_101", "points", "deals_2")),
            "starts_at": "2026-05-01T19:00:00+05:30",
        },
        "add_players": lambda: {"names": ["Asha"], "are_namesakes": True},
        "import_list": lambda: {"kind": "players", "rows": [{"name": "Asha"}], "similar": "new"},
        "undo_import": lambda: {"dry_run": chance.random() < 0.5},
        "open_table": lambda: _table(found, chance),
        "record_event": lambda: _wire_event(found, chance),
        "write_cash_line": lambda: _cash_line(found, chance),
        "enter_players": lambda: {"entries": [{"name": found["player"].name}], "adds_new": True},
        "act_at_desk": lambda: {"player": _entrant(found, chance), "act": chance.choice(_acts())},
        "substitute_player": lambda: {
            "player": _entrant(found, chance),
            "by": found["player"].name,
            "reason": "ill",
            "adds_new": True,
        },
        "set_self_entry": lambda: {"takes_entries": True, "places": chance.choice((None, 1, 16))},
        "request_entry": lambda: {"name": chance.choice(("Zoya", found["player"].name))},
        "decide_entry_request": lambda: _decision(found, chance),
        "act_for_many": lambda: {"act": "mark_absent", "only": [_entrant(found, chance)]},
        "undo_substitution": lambda: {"player": _entrant(found, chance), "reason": "came back"},
    }
    # What no maker knows begins as its neighbours in the tests of the API do.
    return makers[name]() if name in makers else dict(BODIES[name])


def _decision(found: dict[str, Any], chance: Random) -> dict[str, Any]:
    rows = EntryRequest.objects.filter(tournament=found["tournament"]).order_by("made_at", "name")
    row = rows.values_list("pk", flat=True).first()
    act = chance.choice(("enter", "enter_as", "refuse", "refuse_unconfirmed"))
    return {"act": act, "request": row and str(row), "player": str(found["player"].pk), "reason": "full"}


def _acts() -> list[str]:
    return list(NAMED["DeskBody"]["properties"]["act"]["enum"])


def _entrant(found: dict[str, Any], chance: Random) -> str:
    seated = Seat.objects.filter(table__tournament=found["tournament"]).values_list("player_id", flat=True)
    return str(chance.choice([*seated, found["player"].pk]))


def _table(found: dict[str, Any], chance: Random) -> dict[str, Any]:
    everybody = list(Player.objects.filter(club=found["club"]).order_by("created_at", "name"))
    players = chance.sample(everybody, min(chance.choice((2, 3, 4, 6)), len(everybody)))
    seats = [{"number": number, "player": str(player.pk)} for number, player in enumerate(players, start=1)]
    return {"number": chance.randrange(1, 9_999), "round": chance.choice((1, 1, 2, 999)), "seats": seats}


def _wire_event(found: dict[str, Any], chance: Random) -> dict[str, Any]:
    """A deal as a scorer would write it, or any other event, with an extreme or two in it."""
    sheet = Scoresheet.objects.filter(table=found["table"]).first()
    if sheet is None:
        return {"expected_version": 1, "event": {}}
    table = load_table(sheet.state)
    kind = chance.choice([*TABLE_KINDS, *["deal_recorded"] * 12])
    event: dict[str, Any] = {"kind": kind}
    if kind in DEAL_KINDS:
        try:
            event = {**next_deal(table, Chance(str(chance.random()))), **event}
        except (Defect, IndexError):
            # No player is left in play, or no deal can be generated for the present state.
            event = {"kind": "table_closed"}
        if chance.random() < 0.6:
            event = _with_an_extreme(event, chance)
        if kind == "deal_corrected":
            event = {**event, "deal": chance.randrange(1, max(2, table.next_deal)), "reason": "misread"}
    else:
        event = {**event, **_event(kind, found, chance), "seat": chance.choice(table.setup.seats)}
        event = {name: value for name, value in event.items() if name in ("kind", *EVENTS[kind].__struct_fields__)}
    return {"expected_version": sheet.version, "event": event}


def _cash_line(found: dict[str, Any], chance: Random) -> dict[str, Any]:
    kind = chance.choice(CASH_KINDS)
    event = _event(kind, found, chance)
    player, other = str(found["player"].pk), _entrant(found, chance)
    till = chance.choice(("user:7", "user:1", of_text(1, 59, chance)))
    usual = {"player": player, "to": other, "payer": None, "till": till, "place": f"till:{till}", "source": "bank"}
    usual |= {"target": "bank", "currency": found["club"].currency}
    event = {**event, **{name: value for name, value in usual.items() if name in event and chance.random() < 0.9}}
    book = CashBook.objects.filter(club=found["club"], is_closed=False).first()
    return {
        "event": {"kind": kind, **event},
        "expected_version": 0 if book is None else chance.choice((0, book.version)),
    }


def _event(kind: str, found: dict[str, Any], chance: Random) -> dict[str, Any]:
    """The fields of an event from its own type, some at an extreme."""
    schema = msgspec.json.schema(EVENTS[kind])
    named = schema.get("$defs", {})
    return {name: of_schema(each, named, chance) for name, each in leaves(schema, named)} | {"reason": "because"}


def _with_an_extreme(value: Any, chance: Random) -> Any:
    """The same value with one of its leaves at an extreme."""
    match value:
        case dict() if value:
            name = chance.choice(sorted(value))
            return {**value, name: _with_an_extreme(value[name], chance)} if name != "kind" else value
        case list() | tuple() if value:
            at = chance.randrange(len(value))
            return [*value[:at], _with_an_extreme(value[at], chance), *value[at + 1 :]]
        case bool():
            return not value
        case int():
            return of_number(0, 1_000, chance)
        case str():
            return chance.choice((value, of_text(0, 100, chance)))
    return value
