"""The scorer's form for one deal: its rows in table order, its keys, and a preview of its effects.

Rules: docs/how-to/evening.md, "Scoring". Every number on it comes from the rules; none is calculated here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from scoring.messages import with_names
from scoring.problems import Problem
from scoring.rules.table.dealing import deals_to_replay, due, next_dealer, seats_of_deal
from scoring.rules.table.fields import Choice
from scoring.rules.table.previews import UNFINISHED, Preview
from scoring.rules.table.standing import SeatStanding
from scoring.rules.table.table import Table, places, steps
from scoring.sheets.event_messages import isolated_names
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.queries.sheets import LoadedTable, result_text
from tournaments.web.admin.base.command_forms import Inputs, TypedEvent
from tournaments.web.admin.base.request import TableVisit
from tournaments.web.admin.sheets.consequence_pages import consequence_context
from tournaments.web.admin.sheets.field_forms import Page, missing_text, parts_of, placed
from tournaments.web.admin.sheets.seat_hands import SeatHand, judged_cards, seat_hand, slots_of
from tournaments.web.admin.sheets.sheet_entry import (
    DEALER,
    MISSING,
    Fields,
    FieldsForm,
    OutcomesForm,
    fields_entry,
    fields_form,
    outcomes_entry,
    outcomes_form,
    stored_fields,
    stored_outcomes,
)

CORRECTED = "deal_corrected"
RECORDED = "deal_recorded"
TIEBREAK = "tiebreak_recorded"
ENDED = ("ended",)
DEAL_KINDS = (RECORDED, CORRECTED, TIEBREAK)
AnyTyped = OutcomesForm | FieldsForm


@dataclass(frozen=True, slots=True, kw_only=True)
class DealForm:
    """The deal a form is for: the seats that take part, the numbers it may have, the sheet it would replace."""

    kind: str
    seats: tuple[str, ...]
    numbers: tuple[int, ...]
    fields: Fields = ()
    before: Any = None
    is_void: bool = False

    @property
    def number(self) -> int:
        return self.numbers[0]

    @property
    def is_extra(self) -> bool:
        """Whether this is an extra deal among tied seats, which is not numbered with the others."""
        return self.kind == TIEBREAK

    @property
    def has_outcomes(self) -> bool:
        """Whether each seat is entered with its outcome; other games name fields of their own."""
        return any(field.kind == "outcomes" for field in self.fields)

    def blank(self, table: Table) -> AnyTyped:
        """The form as it is first shown."""
        seats = table.setup.seats
        if self.before is None:
            initial_texts = {"kind": self.kind, "deal": str(self.number), DEALER: next_dealer(table) or ""}
            return self.typed(initial_texts, table)
        if self.has_outcomes:
            return stored_outcomes(self.before, seats, kind=self.kind, deal=self.number)
        return stored_fields(self.before, self.fields, seats, kind=self.kind, deal=self.number)

    def typed(self, data: Inputs, table: Table) -> AnyTyped:
        """The form with these texts, for every seat of the table: a player may have gone out since it was opened."""
        if self.has_outcomes:
            return outcomes_form(data, table.setup.seats)
        return fields_form(data, self.fields, table.setup.seats)

    def entry(self, typed: AnyTyped, table: Table) -> TypedEvent:
        """The typed event."""
        if isinstance(typed, FieldsForm):
            return fields_entry(typed, self.fields, table.setup.seats, self.before)
        return outcomes_entry(typed, table.setup.seats, table.rules.endings(table.setup), self.before)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """One seat's row: what is typed, its standing, and its problems."""

    seat: str
    name: str
    view: SeatStanding
    how: str
    count: str
    hand: SeatHand | None
    problems: tuple[Problem, ...]


def deal_form(table: Table, kind: str) -> DealForm:
    """The form for the next deal, or for an extra deal among tied seats."""
    if kind == TIEBREAK:
        number = 1 + sum(entry.event.kind == TIEBREAK for entry in table.timeline)
        return DealForm(kind=kind, seats=table.in_play, numbers=(number,), fields=_fields(table, table.game, kind))
    numbers = (table.next_deal, *deals_to_replay(table))
    return DealForm(kind=RECORDED, seats=table.in_play, numbers=numbers, fields=_fields(table, table.game, RECORDED))


def correction_form(table: Table, deal: int) -> DealForm:
    """The form that corrects a deal; 404 if that deal was never recorded."""
    entry = table.deal_entry(deal)
    if entry is None:
        raise Http404
    then = next(game for step, game, _ in steps(table) if step.version == entry.version)
    return DealForm(
        kind=CORRECTED,
        seats=seats_of_deal(table, deal),
        numbers=(deal,),
        fields=_fields(table, then, CORRECTED),
        before=entry.event.sheet,
        is_void=entry.is_void,
    )


def _fields(table: Table, game: Any, kind: str) -> Fields:
    """The fields that the game asks for, by its state when the deal began."""
    return table.rules.entry_form(table.setup, game, is_extra=kind == TIEBREAK)


def due_kind(table: Table) -> str:
    """The kind of deal that is due at the table; empty if none is, or if an unreadable event must be excluded first."""
    kind = due(table).value
    return kind if kind in DEAL_KINDS and not table.unreadable else ""


def rows_of(visit: TableVisit, form: DealForm, typed: OutcomesForm, problems: Sequence[Problem]) -> list[SeatRow]:
    """The rows in table order."""
    table = visit.seen.table
    views, options = table.seats(), table.rules.hand_options(table.setup)
    return [
        SeatRow(
            seat=seat,
            name=visit.seen.names.get(seat, seat),
            view=views[seat],
            how=typed.seat(seat).how,
            count=typed.seat(seat).count,
            hand=seat_hand(table, options, typed, seat) if options is not None else None,
            problems=tuple(problem.named(visit.seen.names) for problem in problems if problem.seat == seat),
        )
        for seat in form.seats
    ]


def sheet_context(visit: TableVisit, form: DealForm, typed: AnyTyped, problems: Sequence[Problem]) -> dict[str, Any]:
    """Context of the sheet as typed: rows of outcomes with their keys, or the game's own fields."""
    names = visit.seen.names
    if isinstance(typed, FieldsForm):
        at, loose = placed(form.fields, typed, problems, names)
        table = visit.seen.table
        slots = slots_of(form.fields, table.setup.seats)
        hands = {key: judged_cards(table, form.fields, typed, slot, at) for key, slot in slots.items()}
        page = Page(names=names, views=table.seats(), seats=form.seats, typed=typed, problems=at, hands=hands)
        return {
            "parts": parts_of(form.fields, page),
            "top_problems": loose,
            "chips_text": table.rules.chips_text(table.game),
            "hand": next(iter(hands.values()), None),
        }
    top = [problem.named(names) for problem in problems if problem.seat not in form.seats]
    rows = rows_of(visit, form, typed, problems)
    hand = next((row.hand for row in rows), None)
    return {"rows": rows, "hand": hand, "top_problems": top, **choices_of(visit, form.fields)}


def hand_keys(table: Table, form: DealForm) -> tuple[str, ...]:
    """The keys of all hands that can be judged on the sheet: seats, or slots of fields."""
    if form.has_outcomes:
        return table.setup.seats
    return tuple(slots_of(form.fields, table.setup.seats))


def hand_of(table: Table, form: DealForm, typed: AnyTyped, key: str) -> SeatHand | None:
    """The cards under one of these keys, judged by the current form; None where the game judges no cards."""
    if isinstance(typed, FieldsForm):
        return judged_cards(table, form.fields, typed, slots_of(form.fields, table.setup.seats)[key], {})
    options = table.rules.hand_options(table.setup)
    return seat_hand(table, options, typed, key) if options is not None else None


def choices_of(visit: TableVisit, fields: Fields) -> dict[str, Any]:
    """The keys, endings and full count of this table's house rules."""
    table = visit.seen.table
    keys = [ending for ending in table.rules.endings(table.setup) if ending.is_offered]
    return {
        "keys": keys,
        "common_keys": [key for key in keys if key.is_common],
        "more_keys": [key for key in keys if not key.is_common],
        "more_hows": {key.how for key in keys if not key.is_common},
        "most": table.rules.hand_cap(table.setup),
        "endings": [(choice.value, choice.title) for choice in ending_choices(fields)],
    }


def ending_choices(fields: Fields) -> tuple[Choice, ...]:
    """How the deal as a whole can end; empty if there is only one way."""
    return next((field.choices for field in fields if field.path == ENDED), ())


# The preview of saving a deal, as text and numbers: shown while the user types, and again when it is stored.


WORTH_A_LINE = frozenset(
    {"out", "left", "rejoined", "may_rejoin", "split", "extra_deal", "chips_below_zero"}
    | {"won", "dead", "game", "difference"},
)


def preview_context(visit: TableVisit, form: DealForm, typed: AnyTyped) -> dict[str, Any]:
    """Context of the preview, a part of the page that is fetched again after every key."""
    if typed.is_blank:
        return {"preview": None}
    entry = form.entry(typed, visit.seen.table)
    preview = entry.preview(visit.seen.table)
    ahead = translated_preview(visit.seen, preview)
    if not preview.problems:
        ahead |= consequence_context(visit, form.kind, preview.after)
    if not form.has_outcomes:
        ahead |= _problem_context(form.fields, preview, visit.seen.names)
    return ahead | {"preview_needs_reason": entry.needs_reason, "preview_lacks": _lacking(form, typed, preview)}


def _lacking(form: DealForm, typed: AnyTyped, found: Preview) -> list[str]:
    """The names of the inputs that are still to be filled in; empty where what is missing belongs to none."""
    if isinstance(typed, FieldsForm):
        missing = [problem for problem in found.problems if problem.code in MISSING]
        return list(placed(form.fields, typed, missing, {seat: seat for seat in form.seats})[0])
    return [f"count-{problem.seat}" for problem in found.problems if problem.code in UNFINISHED and problem.seat]


def translated_preview(seen: LoadedTable, found: Preview) -> dict[str, Any]:
    """A preview as text, with the players' names and amounts."""
    names = seen.names
    missing = [problem for problem in found.problems if problem.code in UNFINISHED]
    result = result_text(found.after, names) if found.after else ""
    # Seat order, as the form has it, until there is a result to read.
    place_of = places({change.seat: change.after for change in found.seats}) if result else {}
    return {
        "preview": found,
        "preview_problems": [p.named(names) for p in found.problems if p.code not in UNFINISHED],
        "preview_missing": [names.get(p.seat or "", "") for p in missing if p.seat],
        "preview_needs_winner": any(p.code == "no_winner" for p in missing),
        "preview_chips": found.after.rules.chips_text(found.after.game) if found.after else "",
        "preview_seats": [
            {
                "change": change,
                "place": place_of.get(change.seat),
                "name": names.get(change.seat, change.seat),
                "number": race_number(seen.table, change.after),
                "delta": race_number(seen.table, change.after) - race_number(seen.table, change.before),
            }
            for change in sorted(found.seats, key=lambda change: place_of.get(change.seat, 0))
        ],
        "preview_result": result,
        "preview_notes": [
            translate(note.text, isolated_names(names)) for note in found.notes if note.code in WORTH_A_LINE
        ],
        "preview_conflicts": [
            {"detail": with_names(conflict.message, isolated_names(names))} for conflict in found.new_conflicts
        ],
        "preview_payouts": payout_rows(seen, found.after),
    }


def payout_rows(seen: LoadedTable, after: Table | None) -> list[dict[str, str]]:
    """Who is paid what once the table has a result, best first; empty where there is no money at stake."""
    if after is None or not after.is_finished:
        return []
    paid, place_of = payout_texts(seen, after), places(after.seats())
    in_order = sorted(paid, key=lambda seat: place_of[seat])
    return [{"name": seen.names.get(seat, seat), "amount": paid[seat]} for seat in in_order]


def payout_texts(seen: LoadedTable, after: Table) -> dict[str, str]:
    """The amount that each paid seat of a finished table gets, with its currency."""
    awards = {seat: amount for payout in after.payouts() for seat, amount in payout.awards.items()}
    return {seat: seen.amount_text(amount) for seat, amount in awards.items() if amount}


def race_number(table: Table, view: SeatStanding) -> int:
    """The seat's number that decides this table, such as its points or chips."""
    return getattr(view, table.rules.race) or 0


def story_of(seen: LoadedTable, before: Table, event: Any, after: Table) -> list[str]:
    """The rules' comments on an event that has just been stored."""
    notes = before.rules.story(before.setup, before.game, event, after.game)
    return [translate(note.text, isolated_names(seen.names)) for note in notes if note.code in WORTH_A_LINE]


def _problem_context(fields: Fields, found: Preview, names: Mapping[str, str]) -> dict[str, Any]:
    """Missing values are listed as still to be filled in; every other problem is an error, whoever won."""
    missing = [missing_text(fields, problem, names) for problem in found.problems if problem.code in MISSING]
    return {
        "preview_problems": [problem.named(names) for problem in found.problems if problem.code not in MISSING],
        "preview_missing": list(dict.fromkeys(missing)),
        "preview_needs_winner": False,
    }
