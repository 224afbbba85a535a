"""What saving a deal would do, in words and numbers: told while somebody types, and again when it is stored.

Rules: docs/evening.md, "Scoring". Every number on it comes from the rules; none is worked out here.
"""

from collections.abc import Mapping
from typing import Any

from scoring.rules.table.previews import UNFINISHED, Preview
from scoring.rules.table.table import SeatView, Table
from scoring.rules.variants.western.rummy_royal.board_chips import chips_said
from scoring.sheets.telling import named
from tournaments.rendering.i18n.translating import told
from tournaments.tables.queries.desk import Desk
from tournaments.web.admin.base.request import Visit, said
from tournaments.web.admin.sheets.consequence_pages import consequence_context
from tournaments.web.admin.sheets.deal_forms import AnyTyped, DealForm
from tournaments.web.admin.sheets.field_entry import MISSING, Fields
from tournaments.web.admin.sheets.field_forms import missing_said

WORTH_A_LINE = frozenset(
    {"out", "left", "rejoined", "may_rejoin", "split", "extra_deal", "chips_below_zero"}
    | {"won", "dead", "game", "difference"},
)


def preview_context(visit: Visit, form: DealForm, typed: AnyTyped) -> dict[str, Any]:
    """What saving would do, for the part of the page that is fetched again with every key."""
    if typed.is_blank:
        return {"preview": None}
    found = form.entry(typed, visit.seen.table).preview(visit.seen.table)
    ahead = told_preview(visit.seen, found)
    if not found.problems:
        ahead |= consequence_context(visit, form.kind, found.after)
    return ahead if form.has_outcomes else ahead | _told_problems(form.fields, found, visit.seen.names)


def told_preview(seen: Desk, found: Preview) -> dict[str, Any]:
    """A preview in words, with the players' names and amounts."""
    names = seen.names
    missing = [problem for problem in found.problems if problem.code in UNFINISHED]
    return {
        "preview": found,
        "preview_problems": [said(p, names) for p in found.problems if p.code not in UNFINISHED],
        "preview_missing": [names.get(p.seat or "", "") for p in missing if p.seat],
        "preview_needs_winner": any(p.code == "no_winner" for p in missing),
        "preview_chips": chips_said(found.after) if found.after is not None else "",
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


def payouts_said(seen: Desk, after: Table | None) -> list[dict[str, str]]:
    """What each seat gets once the table has a result; nothing is said where no money is at stake."""
    if after is None or not after.is_finished:
        return []
    awards = {seat: amount for payout in after.payouts() for seat, amount in payout.awards.items()}
    paid = {seat: amount for seat, amount in awards.items() if amount}
    return [{"name": seen.names.get(seat, seat), "amount": seen.amount_said(amount)} for seat, amount in paid.items()]


def race_number(table: Table, view: SeatView) -> int:
    """The number that decides at this table."""
    return getattr(view, table.rules.race) or 0


def story_of(seen: Desk, before: Table, fact: Any, after: Table) -> list[str]:
    """The lines with which a table comments on a fact that has just been stored."""
    notes = before.rules.story(before.setup, before.game, fact, after.game)
    return [told(named(note.text, seen.names, note.seat)) for note in notes if note.code in WORTH_A_LINE]


def _told_problems(fields: Fields, found: Preview, names: Mapping[str, str]) -> dict[str, Any]:
    """What is not there yet is still to be filled in; everything else is wrong, whoever won."""
    missing = [missing_said(fields, problem, names) for problem in found.problems if problem.code in MISSING]
    return {
        "preview_problems": [said(problem, names) for problem in found.problems if problem.code not in MISSING],
        "preview_missing": list(dict.fromkeys(missing)),
        "preview_needs_winner": False,
    }
