"""The scorer's form for one deal: its rows in table order, its keys, and what would follow from it.

Rules: docs/evening.md, "Scoring". Every number on it comes from the rules; none is worked out here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from scoring.projections.dealing import deals_to_replay, due, next_dealer, seats_of_deal
from scoring.projections.previews import UNFINISHED, Preview
from scoring.projections.score_keys import keys_for
from scoring.projections.telling import named
from scoring.rules.outcomes import endings_for
from scoring.rules.problems import Problem
from scoring.rules.table import SeatView, Table
from tournaments.admin.sheet_entry import Typed, entry_of, typed_from
from tournaments.admin.visits import Visit, said
from tournaments.queries.desk import Desk

CORRECTED = "deal_corrected"
RECORDED = "deal_recorded"
TIEBREAK = "tiebreak_recorded"
DEAL_KINDS = (RECORDED, CORRECTED, TIEBREAK)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealForm:
    """Which deal a form is for: the seats that take part, the numbers it may carry, the sheet it would replace."""

    kind: str
    seats: tuple[str, ...]
    numbers: tuple[int, ...]
    before: Any = None
    is_void: bool = False

    @property
    def number(self) -> int:
        return self.numbers[0]

    def blank(self, table: Table) -> Typed:
        """The form as it is first shown."""
        if self.before is not None:
            return typed_from(self.before, kind=self.kind, deal=self.number)
        return Typed(kind=self.kind, deal=str(self.number), dealer=next_dealer(table) or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """One seat's row: what is typed, where it stands, and what is wrong with it."""

    seat: str
    name: str
    view: SeatView
    how: str
    count: str
    problems: tuple[Problem, ...]


def deal_form(table: Table, kind: str) -> DealForm:
    """The form for the next deal, or for an extra deal among level seats."""
    if kind == TIEBREAK:
        number = 1 + sum(entry.fact.kind == TIEBREAK for entry in table.timeline)
        return DealForm(kind=kind, seats=table.in_play, numbers=(number,))
    return DealForm(kind=RECORDED, seats=table.in_play, numbers=(table.next_deal, *deals_to_replay(table)))


def correction_form(table: Table, deal: int) -> DealForm:
    """The form for a deal that was written down wrongly. A deal that never was is a 404."""
    entry = table.deal_entry(deal)
    if entry is None:
        raise Http404
    seats = seats_of_deal(table, deal)
    return DealForm(kind=CORRECTED, seats=seats, numbers=(deal,), before=entry.fact.sheet, is_void=entry.is_void)


def due_kind(table: Table) -> str:
    """Which kind of deal the table waits for; empty where it waits for none."""
    wanted = due(table).value
    return wanted if wanted in DEAL_KINDS else ""


def rows_of(visit: Visit, form: DealForm, typed: Typed, problems: Sequence[Problem]) -> list[SeatRow]:
    """The rows in table order."""
    views = visit.seen.table.seats()
    return [
        SeatRow(
            seat=seat,
            name=visit.seen.names.get(seat, seat),
            view=views[seat],
            how=typed.hows.get(seat, ""),
            count=typed.counts.get(seat, ""),
            problems=tuple(said(problem, visit.seen.names) for problem in problems if problem.seat == seat),
        )
        for seat in form.seats
    ]


def sheet_problems_at_top(visit: Visit, form: DealForm, problems: Sequence[Problem]) -> list[Problem]:
    """Problems that belong to no row of the form."""
    return [said(problem, visit.seen.names) for problem in problems if problem.seat not in form.seats]


def choices_of(visit: Visit) -> dict[str, Any]:
    """The keys, endings and dealers that this table's house options leave."""
    options = visit.seen.table.setup.options
    keys = keys_for(options)
    return {
        "keys": keys,
        "common_keys": [key for key in keys if key.is_common],
        "more_keys": [key for key in keys if not key.is_common],
        "more_hows": {key.how.value for key in keys if not key.is_common},
        "endings": [(ended.value, title) for ended, title in endings_for(options).items()],
    }


def preview_context(visit: Visit, form: DealForm, typed: Typed) -> dict[str, Any]:
    """What saving would do, for the part of the page that is fetched again with every key."""
    if typed.is_blank:
        return {"preview": None}
    return told_preview(visit.seen, entry_of(typed, form.seats, form.before).preview(visit.seen.table))


def told_preview(seen: Desk, found: Preview) -> dict[str, Any]:
    """A preview in words, with the players' names and amounts."""
    names = seen.names
    missing = [problem for problem in found.problems if problem.code in UNFINISHED]
    return {
        "preview": found,
        "preview_problems": [said(p, names) for p in found.problems if p.code not in UNFINISHED],
        "preview_missing": [names.get(p.seat or "", "") for p in missing if p.seat],
        "preview_needs_winner": any(p.code == "no_winner" for p in missing),
        "preview_seats": [
            {
                "change": change,
                "name": names.get(change.seat, change.seat),
                "number": race_number(seen.table, change.after),
                "delta": race_number(seen.table, change.after) - race_number(seen.table, change.before),
            }
            for change in found.seats
        ],
        "preview_notes": [named(note.text, names, note.seat) for note in found.notes if note.code in WORTH_A_LINE],
        "preview_conflicts": [
            {"detail": named(conflict.detail, names, conflict.seat)} for conflict in found.new_conflicts
        ],
        "preview_payouts": payouts_said(seen, found.after),
    }


WORTH_A_LINE = frozenset(
    {"out", "left", "rejoined", "may_rejoin", "split", "extra_deal", "chips_below_zero"},
)


def payouts_said(seen: Desk, after: Table | None) -> list[dict[str, str]]:
    """What each seat gets once the table has a result."""
    if after is None or not after.is_finished:
        return []
    awards = {seat: amount for payout in after.payouts() for seat, amount in payout.awards.items()}
    return [{"name": seen.names.get(seat, seat), "amount": seen.amount_said(amount)} for seat, amount in awards.items()]


def race_number(table: Table, view: SeatView) -> int:
    """The number that decides at this table."""
    return getattr(view, table.rules.race) or 0


def comparison(seen: Desk, stored: Any, typed: Typed) -> list[dict[str, Any]]:
    """Seat by seat: what stands in the log, and what was typed."""
    marks = stored.marks()
    titles = {key.how.value: key.title for key in keys_for(seen.table.setup.options)}
    rows = []
    for seat, name in seen.names.items():
        mark, how, count = marks.get(seat), typed.hows.get(seat, ""), typed.counts.get(seat, "")
        mine = " ".join(filter(None, (titles.get(how, how) or ("Loss" if count else ""), count)))
        theirs = mark.said if mark else ""
        if mine or theirs:
            rows.append({"name": name, "theirs": theirs, "mine": mine, "differs": mine != theirs})
    return rows


def story_of(seen: Desk, before: Table, fact: Any, after: Table) -> list[str]:
    """The lines with which a table comments on a fact that has just been stored."""
    notes = before.rules.story(before.setup, before.game, fact, after.game)
    return [named(note.text, seen.names, note.seat) for note in notes if note.code in WORTH_A_LINE]
