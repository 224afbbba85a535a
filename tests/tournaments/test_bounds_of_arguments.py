"""Every argument that a client can send has a bound in its type, or is listed here with another bound.

Read from the types themselves: events, sheets, options, plans, formulas, and the bodies of the API. Planted faults that
this catches: a field `note: str` in an event, or `count: int` in a body, without ends.
"""

import re
from collections.abc import Iterator

from msgspec import inspect

from scoring.events.wire import EVENTS
from scoring.money.payouts import Stakes
from scoring.rules.variants import VARIANTS
from scoring.seasons.formula import Formula
from scoring.tournament.plans import Plan
from tournaments.web.api import table_shapes as tables
from tournaments.web.api import tournament_shapes as evenings

BODIES = [
    kind for module in (tables, evenings, evenings) for name, kind in vars(module).items() if name.endswith("Body")
]
SHEETS = {rules.sheet_type for rules in VARIANTS.values()}
OPTIONS = {rules.options_type for rules in VARIANTS.values()}
TYPES = sorted({*EVENTS.values(), *SHEETS, *OPTIONS, Stakes, Plan, Formula, *BODIES}, key=lambda kind: kind.__name__)
# A pattern of fields, and what bounds them. For all of them: a body of 262,144 bytes, nested 32 deep, and an event
# of 1,000,000 characters (`tournaments.log`).
ELSEWHERE = {
    r"\w+\.reason": "read_fact takes at most 500 characters",
    r"(Rejoined|SeatLeft|PenaltyGiven|BoughtIn|DealConfirmed|DealDisputed)\.seat": "a seat of the table",
    r"TableOpened\.\w+": "made by the command of what Options, Stakes and the seats of a table have bounded",
    r"Tournament(Opened|Changed)\.\w+": "made by the command of what Options and Stakes have bounded",
    r"PlanMade\.plan": "read as a Plan before it is stored",
    r"Totals(Recorded|Corrected)\.(totals|out)": "one for each seat of the table; another seat is refused",
    r"SplitAgreed\.totals": "compared with the totals of the seats; anything else is refused",
    r"Deal(Recorded|Corrected|Disputed)\.sheet|TiebreakRecorded\.sheet": "the sheet of a variant, below",
    r"(RoundSeated|SeatsChanged|PlayersMoved|CutMade|TieSettled)\.\w+": "of a seating or a cut, whose players entered",
    r"(EntryTermsSet|SidePotWon)\.\w+": "compared with the pots and players of the evening",
    r"(MoveUndone|CashEntryUndone)\.version": "compared with the events that stand",
    r"TimeAdded\.table": "a table of the round",
    r"PlayersMerged\.moved": "the balances of a player, which the command reads from the books",
    r"TillCounted\.pieces": "the pieces of the currency, each once",
    r"Stage\.options": "read by the options of the game that is played",
    r"Category\.(variants|presets)": "games that this service knows, or that the season was stored with",
    r"\w*Sheet\.\w+|Outcome\.\w+|GinHand\.\w+": "read_sheet holds seats, counts and cards against the table",
    r"TournamentBody\.(options|starts_at)": "Options; the calendar",
    r"SelfEntryBody\.until": "the calendar",
    r"EventBody\.(event|occurred_at)": "read_fact; from the year 2000 to tomorrow",
    r"CashLineBody\.event": "read_cash_fact",
}


def test_every_field_has_its_bound_or_says_what_bounds_it():
    unbounded = {name for kind in TYPES for name in open_fields(inspect.type_info(kind), "")}
    assert sorted(name for name in unbounded if not any(re.fullmatch(known, name) for known in ELSEWHERE)) == []
    # No reason is left over.
    assert [known for known in ELSEWHERE if not any(re.fullmatch(known, name) for name in unbounded)] == []


def open_fields(kind: inspect.Type, name: str, seen: tuple[type, ...] = ()) -> Iterator[str]:
    """Fields in a type that are unbounded on one side, by the struct that names them."""
    if isinstance(kind, inspect.StructType):
        if kind.cls not in seen:
            for field in kind.fields:
                yield from open_fields(field.type, f"{kind.cls.__name__}.{field.name}", (*seen, kind.cls))
        return
    if not has_ends(kind):
        yield name
    for part in parts_of(kind):
        yield from open_fields(part, name, seen)


def has_ends(kind: inspect.Type) -> bool:
    match kind:
        case inspect.IntType():
            return kind.le is not None and kind.ge is not None
        case inspect.StrType():
            return kind.max_length is not None or kind.pattern is not None
        case inspect.ListType() | inspect.VarTupleType() | inspect.DictType():
            return kind.max_length is not None
    return not isinstance(kind, inspect.AnyType | inspect.DateTimeType)


def parts_of(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    match kind:
        case inspect.Metadata():
            return (kind.type,)
        case inspect.ListType() | inspect.VarTupleType():
            return (kind.item_type,)
        case inspect.TupleType():
            return kind.item_types
        case inspect.DictType():
            return (kind.key_type, kind.value_type)
        case inspect.UnionType():
            return kind.types
    return ()
