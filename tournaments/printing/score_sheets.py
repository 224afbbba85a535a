"""Printed score sheets: one for each table of a round, with everything that is known before the first deal.

Rules: docs/how-to/paper.md, "Score sheets". A sheet since the opening is the same whatever was played later; one from
now continues after the last deal in the log. A handful of queries, however many tables there are. The rules most asked
about are on it, each in one plain sentence with the numbers of this table; the game supplies them. Rarely needed fields
have no box; the sheet lists them instead: docs/decisions/0012-a-game-describes-its-form.md.
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
from tournaments.rendering.i18n.formatting import listed, number
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
    """Where a score sheet starts: at the opening of the table, or after what has been played."""

    OPENING = "opening"
    NOW = "now"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSheet:
    """A table to be printed. `names` are by seat."""

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
    """Return the tables of a round that were not abandoned, in three queries."""
    rows = Scoresheet.objects.filter(table__tournament=tournament, table__round=number, is_cancelled=False)
    return _on_paper(list(rows.select_related("table").order_by("table__number")), since)


def sheets_of_tables(table_ids: Sequence[UUID], since: Since) -> list[PaperSheet]:
    """Return the tables with these ids."""
    rows = Scoresheet.objects.filter(table__in=table_ids).select_related("table")
    return _on_paper(list(rows.order_by("table__round", "table__number")), since)


def score_sheets(tournament: Tournament, sheets: Sequence[PaperSheet], opens: Mapping[UUID, str]) -> list[Document]:
    """A sheet for each table, its options on the back. `opens` is the address behind each table's QR code."""
    return [_score_sheet(tournament, paper_sheet, opens[paper_sheet.sheet.table_id]) for paper_sheet in sheets]


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
    """The events in the head of a sheet."""
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
    """Which seats deal, in order. Numbers only: a name in a right-to-left script would reverse the order."""
    first = next_dealer(paper.table)
    if first is None:
        return gettext("Nobody: the table is over")
    seats = paper.table.in_play
    at = seats.index(first)
    order = ", ".join((*seats[at + 1 :], *seats[:at]))
    return gettext("Seat {first}; then {order}, and again from the beginning").format(first=first, order=order)


def _seats(paper: PaperSheet) -> PaperTable:
    """List the full names; above their boxes long ones are cut."""
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
    """Load the names and fingerprints of one club's sheets, each in one query."""
    names: dict[UUID, dict[str, str]] = {sheet.table_id: {} for sheet in sheets}
    seats = Seat.objects.filter(table__in=names).values_list("table_id", "number", f"player__{Names.REAL}")
    for table_id, seat, name in seats:
        names[table_id][str(seat)] = name
    tables = [_as_of(load_table(sheet.state), since) for sheet in sheets]
    versions_by_table = {sheet.table_id: table.version for sheet, table in zip(sheets, tables, strict=True)}
    letters = table_fingerprints(sheets[0].club_id, versions_by_table) if sheets else {}
    return [
        PaperSheet(sheet=sheet, table=table, names=names[sheet.table_id], fingerprint=letters.get(sheet.table_id, ""))
        for sheet, table in zip(sheets, tables, strict=True)
    ]


def _as_of(table: Table, since: Since) -> Table:
    """Return the table as it opened, with the players who sit there now, or its current state."""
    if since is Since.NOW:
        return table
    game = table.rules.start(table.setup)
    return replace(table, version=1, timeline=(), game=game, status=Status.OPEN, conflicts=(), checks={})


def reminders(table: Table, locale: str) -> tuple[str, ...]:
    """The rules that are asked about most at such a table."""
    texts = [translate(message) for message in table.rules.reminders(table.setup)]
    stakes = table.setup.stakes
    if stakes.point_value_minor:
        worth = money(stakes.point_value_minor, stakes.currency, locale)
        texts.insert(0, gettext("One point is worth {amount}.").format(amount=worth))
    return tuple(texts)


def what_to_write(table: Table, fields: tuple[SheetField, ...]) -> tuple[str, ...]:
    """How to fill in each box: the letters of endings with their costs, and the help text of every other field."""
    lines = list(_letters(table))
    lines += [
        f"{translate(field.title)}: {translate(field.help)}" for field in fields if field.help and not field.is_rare
    ]
    rare = dict.fromkeys(translate(field.title) for field in fields if field.is_rare and not field.group)
    if rare:
        lines.append(gettext("Seldom needed, to be written beside the deal: {what}.").format(what=listed([*rare])))
    return tuple(dict.fromkeys(lines))


def options_in_force(rules: AnyVariant, setup: AnySetup, locale: str) -> Iterator[tuple[str, str]]:
    """Yield every house option with its value at this table."""
    notation = Notation(setup.stakes.currency, locale)
    for described in describe_options(rules.options_type):
        yield option_title(rules, described), option_text(rules, described["name"], setup.options, notation)


def _letters(table: Table) -> Iterator[str]:
    """The letters for the endings of a deal, with their costs."""
    keys = [key for key in table.rules.endings(table.setup) if key.is_offered and key.hand != "counted"]
    priced = [
        f"{key.letter.upper()} {translate(key.title)}{'' if key.price is None else f' {key.price}'}" for key in keys
    ]
    if priced:
        yield " · ".join(priced)
    most = table.rules.hand_cap(table.setup)
    if most is not None:
        yield gettext("Losers with cards in hand: their hand points, at most {most}.").format(most=most)


# The boxes of a score sheet, built from the game's own entry form: a new game needs no layout of its own.

DEALER = ("dealer",)
ROOMS = {"seat": 2, "seats": 3, "number": 3, "card": 3, "flag": 2, "choice": 3}
MOST_CHOICES = 4
# Rows for a tournament without a fixed number of deals, and the fewest rows that such a sheet has.
OPEN_DEALS, LEAST_DEALS, LEAST_WIDE, SPARE_DEALS = 40, 8, 16, 2
# A grid wider than this, in letters, is printed in landscape.
UPRIGHT = 62


def score_grid(table: Table, names: Mapping[str, str]) -> Grid:
    """Build the rows still to be played, below a first row with the current standing of every seat."""
    fields = form_of(table)
    groups = (*_deal_groups(fields), *(_seat_group(table, fields, seat, names) for seat in table.setup.seats))
    deals = _deals_left(table)
    rows = tuple(_deal_row(table, fields, title, at) for at, title in enumerate(_titles(table, deals)))
    least = LEAST_WIDE if _is_wide(groups) else LEAST_DEALS
    return Grid(groups=groups, rows=rows, before=_before(table, fields), least=least if deals is None else len(rows))


def form_of(table: Table) -> tuple[SheetField, ...]:
    """Return the fields to enter for the next deal of a table."""
    return table.rules.entry_form(table.setup, table.game, is_extra=False)


def _once(fields: Sequence[SheetField]) -> list[SheetField]:
    """The fields that are entered once per deal and have a box."""
    return [field for field in fields if not field.per_seat and not field.is_rare]


def _deal_groups(fields: Sequence[SheetField]) -> list[BoxGroup]:
    """The number of the deal, and the fields entered once per deal, under the headings of the form."""
    groups = [BoxGroup(boxes=(Box(title=gettext("Deal"), room=2),))]
    for heading, group_fields in groupby(_once(fields), key=lambda field: field.group):
        groups.append(BoxGroup(title=translate(heading), boxes=tuple(map(_box, group_fields))))
    return groups


def _seat_group(table: Table, fields: Sequence[SheetField], seat: str, names: Mapping[str, str]) -> BoxGroup:
    """The fields entered for a seat, and its total."""
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
    """Turn a field into a box, with the first letters of its choices where these are few."""
    letters: tuple[str, ...] = ()
    if field.kind == "choice" and len(field.choices) <= MOST_CHOICES:
        firsts = tuple(translate(choice.title)[:1].upper() for choice in field.choices)
        letters = firsts if len(set(firsts)) == len(firsts) else ()
    return Box(title=translate(field.title), room=ROOMS.get(field.kind, 3), letters=letters)


def _is_wide(groups: Sequence[BoxGroup]) -> bool:
    """Whether a grid needs landscape paper; it then continues on the back of the sheet."""
    return sum(box.room for group in groups for box in group.boxes) > UPRIGHT


def _titles(table: Table, deals: int | None) -> list[str]:
    """The numbers of the deals to come: voided deals first, extra deals last where the number of deals is fixed."""
    again = deals_to_replay(table)
    count = OPEN_DEALS if deals is None else deals
    numbers = [*again, *(table.next_deal + at for at in range(max(0, count - len(again))))]
    extra = [f"+{at}" for at in range(1, SPARE_DEALS + 1)] if deals is not None else []
    return [*map(str, numbers), *extra]


def _deals_left(table: Table) -> int | None:
    """How many deals are left where their number is fixed; else None."""
    planned = 0 if table.has_totals else table.rules.deals_planned(table.setup)
    return None if planned is None else max(0, planned - table.deals)


def _before(table: Table, fields: Sequence[SheetField]) -> tuple[str, ...]:
    """The standing of every seat before the first deal of this sheet."""
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
