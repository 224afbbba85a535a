"""Seats in which somebody plays for somebody else, as the pages of a table call them: "Bo for Asha".

Rules: docs/how-to/evening.md, "One player". Nothing is asked where nobody plays for anybody.
"""

from collections.abc import Mapping
from uuid import UUID

from django.db.models import Case, F, TextField, Value, When

from scoring.evening import load_evening
from tournaments.models import Player, Scoresheet, Seat
from tournaments.models.public_names import Names
from tournaments.rendering.i18n.translating import stands_in

STATE = "table__tournament__evening_sheet__state"
# The evening beside a sheet, where somebody was replaced in it; else nothing.
SUBSTITUTED = Case(
    When(**{f"{STATE}__contains": '"replaced_by"'}, then=F(STATE)), default=Value(""), output_field=TextField()
)


def stand_ins(sheet: Scoresheet, players: Mapping[str, str], names: Names = Names.PUBLIC) -> dict[str, str]:
    """By seat how its player is called where that is a substitute; one query, and that only where there is one.

    `sheet` was read with `SUBSTITUTED` as its `substituted`.
    """
    state: str = getattr(sheet, "substituted", "")
    if not state:
        return {}
    evening = load_evening(state)
    pairs = {seat: evening.seat_holder(player, sheet.table.round) for seat, player in players.items()}
    pairs = {seat: (now, first) for seat, (now, first) in pairs.items() if now != first}
    people = {UUID(player) for pair in pairs.values() for player in pair}
    called = dict(Player.objects.filter(id__in=people).values_list("id", names)) if people else {}
    return {seat: stands_in(called[UUID(now)], called[UUID(first)]) for seat, (now, first) in pairs.items()}


def stand_ins_at(sheet: Scoresheet) -> dict[str, str]:
    """The same for whoever has not read the sheet's state."""
    if not getattr(sheet, "substituted", ""):
        return {}
    seats = Seat.objects.filter(table_id=sheet.table_id).values_list("number", "player_id")
    return stand_ins(sheet, {str(number): str(player) for number, player in seats})
