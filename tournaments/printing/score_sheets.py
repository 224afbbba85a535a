"""Score sheets: one for each table of a round, with everything that is known of it before the first deal.

Rules: docs/how-to/paper.md, "Score sheets". A sheet as the table opened is the same whatever was played since; one as
it stands goes on where the log has come to. A handful of queries, however many tables there are. The rules that are
asked for at a table stand on it, each in one plain sentence with the numbers of this very table; the game says them.
Fields that are seldom needed have no box; they are named on the sheet instead:
docs/decisions/0012-a-game-describes-its-form.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from uuid import UUID

from django.utils.translation import gettext, pgettext

from scoring.money.formatting import Notation, money
from scoring.options import describe_options
from scoring.rules.table.dealing import deals_to_replay, next_dealer
from scoring.rules.table.fields import SheetField
from scoring.rules.table.standing import COLUMNS
from scoring.rules.table.table import Status, Table
from scoring.rules.table.variant import AnySetup, AnyVariant
from scoring.sheets.snapshots import load_table
from tournaments.log.seals import table_fingerprints
from tournaments.models import Scoresheet, Seat, Tournament
from tournaments.models.public_names import Names
from tournaments.printing import (
    amount_text,
    club_moment,
    counts,
    fingerprint_text,
    game_at,
    round_text,
    table_text,
)
from tournaments.rendering.i18n.formatting import number
from tournaments.rendering.i18n.translating import option_text, option_title, translate
from tournaments.rendering.pdf import (
    Box,
    BoxGroup,
    Coded,
    Column,
    Document,
    Facts,
    Grid,
    Kind,
    NextPage,
    Part,
    Row,
    Signatures,
)
from tournaments.rendering.pdf import Table as PaperTable

DOT = " · "


class Since(StrEnum):
    """From where a score sheet goes on: from the opening of the table, or from what has been played."""

    OPENING = "opening"
    NOW = "now"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSheet:
    """A table as it goes on paper. `names` are by seat."""

    sheet: Scoresheet
    table: Table
    names: Mapping[str, str]
    fingerprint: str

    @property
    def title(self) -> str:
        """The table and its round."""
        row = self.sheet.table
        return f"{table_text(row.name, row.number)}, {round_text(row.round)}"


def rounds_with_tables(tournament: Tournament) -> list[int]:
    """The rounds that have a table, the latest first."""
    sheets = Scoresheet.objects.filter(table__tournament=tournament, is_cancelled=False)
    return sorted(set(sheets.values_list("table__round", flat=True)), reverse=True)


def sheets_of_round(tournament: Tournament, number: int, since: Since = Since.OPENING) -> list[PaperSheet]:
    """The tables of a round that were not given up, in three queries."""
    rows = Scoresheet.objects.filter(table__tournament=tournament, table__round=number, is_cancelled=False)
    return _on_paper(list(rows.select_related("table").order_by("table__number")), since)


def sheets_of_tables(table_ids: Sequence[UUID], since: Since) -> list[PaperSheet]:
    """The same for tables by their ids."""
    rows = Scoresheet.objects.filter(table__in=table_ids).select_related("table")
    return _on_paper(list(rows.order_by("table__round", "table__number")), since)


def score_sheets(tournament: Tournament, sheets: Sequence[PaperSheet], opens: Mapping[UUID, str]) -> list[Document]:
    """A sheet for each table, its options on the back. `opens` is the address behind each table's QR code."""
    return [_score_sheet(tournament, each, opens[each.sheet.table_id]) for each in sheets]


def _score_sheet(tournament: Tournament, paper: PaperSheet, address: str) -> Document:
    table = paper.table
    grid = score_grid(table, paper.names)
    below = gettext("Scan to enter the deals of this table")
    words = (
        " ".join(reminders(table, tournament.club.locale)),
        *what_to_write(table, form_of(table)),
    )
    parts: tuple[Part, ...] = (
        Coded(facts=Facts(pairs=tuple(_facts(tournament, paper))), address=address, below=below, words=words),
        grid,
        Signatures(who=(gettext("Scorer"), gettext("For the table"), gettext("Director"))),
        NextPage(),
        _seats(paper),
        _options(tournament, table),
    )
    return Document(
        house=f"{tournament.club.name}{DOT}{tournament.name}",
        title=paper.title,
        parts=parts,
        foot=fingerprint_text(paper.fingerprint),
        counts=counts(),
        is_wide=_is_wide(grid.groups),
    )


def _facts(tournament: Tournament, paper: PaperSheet) -> list[tuple[str, str]]:
    """What the head of a sheet says."""
    setup = paper.table.setup
    entry = (
        [(gettext("Entry fee"), amount_text(setup.stakes.entry_minor, tournament))] if setup.stakes.entry_minor else []
    )
    return [
        (gettext("Begins"), club_moment(tournament.starts_at, tournament)),
        (gettext("Game"), game_at(tournament, paper.table)),
        *entry,
        (gettext("Deals first"), _dealers(paper)),
    ]


def _dealers(paper: PaperSheet) -> str:
    """Which seat deals, and which after that. Numbers alone: a name from right to left would turn the order round."""
    first = next_dealer(paper.table)
    if first is None:
        return gettext("Nobody: the table is over")
    seats = paper.table.in_play
    at = seats.index(first)
    order = ", ".join((*seats[at + 1 :], *seats[:at]))
    return gettext("Seat {first}; then {order}, and again from the beginning").format(first=first, order=order)


def _seats(paper: PaperSheet) -> PaperTable:
    """Whole names; above their boxes long ones are cut."""
    return PaperTable(
        columns=(Column(gettext("Seat"), Kind.FIRM), Column(gettext("Player"))),
        rows=tuple(Row((seat, paper.names.get(seat, ""))) for seat in paper.table.setup.seats),
        is_small=True,
    )


def _options(tournament: Tournament, table: Table) -> PaperTable:
    rows = options_in_force(table.rules, table.setup, tournament.club.locale)
    return PaperTable(
        title=gettext("House rules in force"),
        columns=(Column(gettext("Rule")), Column(gettext("At this table"))),
        rows=tuple(Row(pair) for pair in rows),
        is_small=True,
    )


def _on_paper(sheets: Sequence[Scoresheet], since: Since) -> list[PaperSheet]:
    """Names and fingerprints of sheets of one club, each in one query."""
    names: dict[UUID, dict[str, str]] = {sheet.table_id: {} for sheet in sheets}
    seats = Seat.objects.filter(table__in=names).values_list("table_id", "number", f"player__{Names.REAL}")
    for table_id, seat, name in seats:
        names[table_id][str(seat)] = name
    tables = [_as_of(load_table(sheet.state), since) for sheet in sheets]
    wanted = {sheet.table_id: table.version for sheet, table in zip(sheets, tables, strict=True)}
    letters = table_fingerprints(sheets[0].club_id, wanted) if sheets else {}
    return [
        PaperSheet(sheet=sheet, table=table, names=names[sheet.table_id], fingerprint=letters.get(sheet.table_id, ""))
        for sheet, table in zip(sheets, tables, strict=True)
    ]


def _as_of(table: Table, since: Since) -> Table:
    """The table as it opened, with who sits there now, or as it stands."""
    if since is Since.NOW:
        return table
    game = table.rules.start(table.setup)
    return replace(table, version=1, timeline=(), game=game, status=Status.OPEN, conflicts=(), checks={})


def reminders(table: Table, locale: str) -> tuple[str, ...]:
    """What is asked for most at such a table."""
    said = [translate(message) for message in table.rules.reminders(table.setup)]
    stakes = table.setup.stakes
    if stakes.point_value_minor:
        worth = money(stakes.point_value_minor, stakes.currency, locale)
        said.insert(0, gettext("One point is worth {amount}.").format(amount=worth))
    return tuple(said)


def what_to_write(table: Table, fields: tuple[SheetField, ...]) -> tuple[str, ...]:
    """What each box takes: the letters of endings with what they cost, and the help of every other field."""
    said = list(_letters(table))
    said += [
        f"{translate(field.title)}: {translate(field.help)}" for field in fields if field.help and not field.is_rare
    ]
    rare = dict.fromkeys(translate(field.title) for field in fields if field.is_rare and not field.group)
    if rare:
        said.append(gettext("Seldom needed, to be written beside the deal: {what}.").format(what=", ".join(rare)))
    return tuple(dict.fromkeys(said))


def options_in_force(rules: AnyVariant, setup: AnySetup, locale: str) -> Iterator[tuple[str, str]]:
    """Every option of the house with what holds at this table."""
    notation = Notation(setup.stakes.currency, locale)
    for described in describe_options(rules.options_type):
        yield option_title(rules, described), option_text(rules, described["name"], setup.options, notation)


def _letters(table: Table) -> Iterator[str]:
    """The letters that stand for an ending, with their prices."""
    keys = [key for key in table.rules.endings(table.setup) if key.is_offered and key.hand != "counted"]
    priced = [
        f"{key.letter.upper()} {translate(key.title)}{'' if key.price is None else f' {key.price}'}" for key in keys
    ]
    if priced:
        yield " · ".join(priced)
    most = table.rules.hand_cap(table.setup)
    if most is not None:
        yield gettext("Losers with cards in hand: their hand points, at most {most}.").format(most=most)


# The boxes of a score sheet, made from what the game says of its own form: nobody draws a sheet for a tenth game.

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
    """Whether a grid needs the long side of the paper; it then goes on over the back of the sheet."""
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
