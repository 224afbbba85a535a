"""What a correction would move in the whole tournament, in words and names, and the way to draw again what hangs on it.

Rules: docs/how-to/evening.md, "Corrections". Told before anything is stored; nothing of it is worked out here.
"""

from collections.abc import Mapping, Sequence

from django.contrib.messages import INFO, SUCCESS, WARNING
from django.utils.translation import gettext

from scoring.evening.prizes.consequences import Changes, CutChange
from scoring.rules.table.table import Table
from tournaments.boards.consequences import consequences
from tournaments.rendering.i18n.translating import translate
from tournaments.seating.commands.seat import Redrawn, record_and_redraw
from tournaments.tables.commands.record import Recorded, record_at_table
from tournaments.tables.queries.sheets import Written, written
from tournaments.web.admin.base.command_forms import pressed
from tournaments.web.admin.base.request import Envelope, Visit

REDRAW = "redraw"
MOST_TOLD = 12
CHANGES = frozenset({"deal_corrected", "deal_voided", "penalty_given", "fact_withdrawn"})


def consequence_context(visit: Visit, kind: str, after: Table | None) -> dict[str, object]:
    """What storing a change would move beyond its own table; nothing for what is no change of the past."""
    if kind not in CHANGES or after is None:
        return {}
    found = consequences(visit.seen.sheet, visit.seen.table, after)
    names = found.names
    return {
        "consequences": found,
        "moved": [
            {"name": names.get(change.player, ""), "before": change.before, "after": change.after}
            for change in found.places[:MOST_TOLD]
        ],
        "moved_more": max(0, len(found.places) - MOST_TOLD),
        "cuts": [_cut_said(change, names) for change in found.cuts],
        "settled": _amounts(visit, found.settled, names),
        "prizes": _amounts(visit, found.prizes, names),
        "may_redraw": found.may_redraw and found.moves_field and may_redraw(visit),
    }


def may_redraw(visit: Visit) -> bool:
    """Drawing again is a director's deed, as seating is."""
    return visit.may_record("table_cancelled")


def wants_redraw(visit: Visit) -> bool:
    """The button that also takes back what was seated on the old numbers was pressed."""
    return pressed(visit.request.POST) == REDRAW and may_redraw(visit)


def redraw(visit: Visit, raws: Sequence[Mapping[str, object]], envelope: Envelope) -> Redrawn:
    """Store the change and take back what hangs on it, and say what is to be done next."""
    done = record_and_redraw(visit.seen.row.pk, raws, expected=envelope.version, order=visit.order(envelope))
    if done.round is not None:
        visit.tell(gettext("Seating of round {round} undone: seat the round again.").format(round=done.round))
    if done.cut is not None:
        visit.tell(gettext("The cut of stage {cut} was recalculated from the corrected sheets.").format(cut=done.cut))
    for problem in done.open_problems:
        visit.tell(gettext("Cut undone, waiting: {detail}").format(detail=translate(problem.message)), WARNING)
    return done


def record_change(visit: Visit, raw: Mapping[str, object], envelope: Envelope) -> Recorded:
    """What was stored; with a change of the past, also what was seated on it is taken back where that is wanted."""
    if raw["kind"] in CHANGES and wants_redraw(visit):
        return redraw(visit, [raw], envelope).recorded[0]
    return record_at_table(visit.seen.row.id, raw, expected=envelope.version, order=visit.order(envelope))


def tell_recorded(visit: Visit, recorded: Recorded) -> Written:
    """Say what the log holds, and whether it was there before."""
    stored = written(visit.seen, recorded.stored)
    said, level = gettext("Saved as version {version}: {said}"), SUCCESS
    if recorded.is_replay:
        said, level = gettext("Sent twice, saved once (version {version}): {said}"), INFO
    visit.tell(said.format(version=stored.event.version, said=stored.said), level)
    return stored


def _cut_said(change: CutChange, names: Mapping[str, str]) -> dict[str, object]:
    return {
        "stage": change.stage,
        "no_longer": [names.get(player, "") for player in change.no_longer],
        "instead": [names.get(player, "") for player in change.instead],
        "carried": [
            {"name": names.get(player, ""), "before": before, "after": after}
            for player, (before, after) in change.carried.items()
        ],
        "ties": [
            {"names": [names.get(player, "") for player in task.players], "places": task.places}
            for task in change.tasks
        ],
        "reseeded": change.reseeded,
        "seats": [
            {"name": names.get(seat.player, ""), "round": seat.round, "table": seat.table} for seat in change.seats
        ],
    }


def _amounts(visit: Visit, changes: Changes, names: Mapping[str, str]) -> list[dict[str, str]]:
    said = visit.seen.amount_said
    return [
        {
            "name": names.get(player, ""),
            "before": said(before),
            "after": said(after),
        }
        for player, (before, after) in changes.items()
    ]
