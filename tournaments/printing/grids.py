"""The boxes of a score sheet, made from what the game says of its own form: nobody draws a sheet for a tenth game.

Rules: docs/how-to/paper.md, "Score sheets"; docs/decisions/0012-a-game-describes-its-form.md. Fields that are seldom
needed have no box; they are named on the sheet instead.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from django.utils.translation import gettext, pgettext

from scoring.rules.table.dealing import deals_to_replay, next_dealer
from scoring.rules.table.fields import SheetField
from scoring.rules.table.standing import COLUMNS
from scoring.rules.table.table import Table
from tournaments.rendering.i18n.formatting import number
from tournaments.rendering.i18n.translating import translate
from tournaments.rendering.pdf import Box, BoxGroup, Grid

DEALER = ("dealer",)
ROOMS = {"seat": 2, "seats": 3, "number": 3, "card": 3, "flag": 2, "choice": 3}
MOST_CHOICES = 4
# An evening at which nobody knows how many deals there will be, and the least that such a sheet is for.
OPEN_DEALS, LEAST_DEALS, LEAST_WIDE, SPARE_DEALS = 40, 8, 16, 2
# A grid with more room than this, in letters, lies on the long side of the paper.
UPRIGHT = 62


def score_grid(table: Table, names: Mapping[str, str]) -> Grid:
    """The rows that are still to be played, below one with where every seat stands before them."""
    fields = form_of(table)
    groups = (*_deal_groups(fields), *(_seat_group(table, fields, seat, names) for seat in table.setup.seats))
    deals = _deals_left(table)
    rows = tuple(_deal_row(table, fields, title, at) for at, title in enumerate(_titles(table, deals)))
    least = LEAST_WIDE if _is_wide(groups) else LEAST_DEALS
    return Grid(groups=groups, rows=rows, before=_before(table, fields), least=least if deals is None else len(rows))


def is_wide(grid: Grid) -> bool:
    """Whether the grid needs the long side of the paper; it then goes on over the back of the sheet."""
    return _is_wide(grid.groups)


def form_of(table: Table) -> tuple[SheetField, ...]:
    """What is entered for the next deal of a table."""
    return table.rules.entry_form(table.setup, table.game, is_extra=False)


def _once(fields: Sequence[SheetField]) -> list[SheetField]:
    """What is entered once for a deal, and has a box."""
    return [field for field in fields if not field.per_seat and not field.is_rare]


def _deal_groups(fields: Sequence[SheetField]) -> list[BoxGroup]:
    """The number of the deal, and what is entered once for it, under the headings of the form."""
    found = [BoxGroup(boxes=(Box(title=gettext("Deal"), room=2),))]
    for heading, held in groupby(_once(fields), key=lambda field: field.group):
        found.append(BoxGroup(title=translate(heading), boxes=tuple(map(_box, held))))
    return found


def _seat_group(table: Table, fields: Sequence[SheetField], seat: str, names: Mapping[str, str]) -> BoxGroup:
    """What is entered for a seat, and what it comes to."""
    boxes = [box for field in fields if field.per_seat and not field.is_rare for box in _seat_boxes(table, field)]
    total = Box(title=gettext(COLUMNS[table.rules.race].title), room=4)
    title = gettext("Seat {number}").format(number=number(int(seat)))
    return BoxGroup(title=title, name=names.get(seat, ""), boxes=(*boxes, total))


def _seat_boxes(table: Table, field: SheetField) -> list[Box]:
    if field.kind != "outcomes":
        return [_box(field)]
    endings = (ending for ending in table.rules.endings(table.setup) if ending.is_common and ending.is_offered)
    keys = [ending.letter.upper() for ending in endings if ending.hand != "counted"]
    return [
        Box(title=pgettext("how a deal ended", "How"), room=2, letters=tuple(keys)),
        Box(title=gettext("Points"), room=3),
    ]


def _box(field: SheetField) -> Box:
    """A field as a box. Of a few choices the first letters stand in it."""
    letters: tuple[str, ...] = ()
    if field.kind == "choice" and len(field.choices) <= MOST_CHOICES:
        firsts = tuple(translate(choice.title)[:1].upper() for choice in field.choices)
        letters = firsts if len(set(firsts)) == len(firsts) else ()
    return Box(title=translate(field.title), room=ROOMS.get(field.kind, 3), letters=letters)


def _is_wide(groups: Sequence[BoxGroup]) -> bool:
    return sum(box.room for group in groups for box in group.boxes) > UPRIGHT


def _titles(table: Table, deals: int | None) -> list[str]:
    """The numbers of the deals to come: those that were voided first, extra deals last where the others are counted."""
    again = deals_to_replay(table)
    count = OPEN_DEALS if deals is None else deals
    numbers = [*again, *(table.next_deal + at for at in range(max(0, count - len(again))))]
    extra = [f"+{at}" for at in range(1, SPARE_DEALS + 1)] if deals is not None else []
    return [*map(str, numbers), *extra]


def _deals_left(table: Table) -> int | None:
    """How many deals are left where the house plays a fixed number of them; else nobody knows."""
    planned = table.rules.deals_planned(table.setup)
    return None if planned is None else max(0, planned - table.deals)


def _before(table: Table, fields: Sequence[SheetField]) -> tuple[str, ...]:
    """Where everybody stands before the first deal of this sheet."""
    cells = [pgettext("the first line of a score sheet", "Start"), *("" for _ in _once(fields))]
    views = table.seats()
    for seat in table.setup.seats:
        view = views[seat]
        wide = len(_of_seat(table, fields)) - 1
        how = [translate("out"), *[""] * (wide - 1)] if not view.is_in and wide else [""] * wide
        cells += [*how, str(getattr(view, table.rules.race) or 0).replace("-", "−")]
    return tuple(cells)


def _deal_row(table: Table, fields: Sequence[SheetField], title: str, at: int) -> tuple[str, ...]:
    """An empty row with the number of its deal; the first one names its dealer."""
    dealer = next_dealer(table) if at == 0 else None
    named = [dealer or "" if field.path == DEALER else "" for field in _once(fields)]
    seats = [""] * (len(_of_seat(table, fields)) * len(table.setup.seats))
    return (title, *named, *seats)


def _of_seat(table: Table, fields: Sequence[SheetField]) -> tuple[Box, ...]:
    return _seat_group(table, fields, table.setup.seats[0], {}).boxes
