"""A table as a scorer has it on the desk: where it stands, who sits there, what others have written since."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring.facts.stored import read_stored
from scoring.facts.wire import DealFact, Fact
from scoring.money.formatting import Notation, money
from scoring.rules.table.table import Table
from scoring.sheets.snapshots import load_table
from scoring.sheets.telling import fact_said
from tournaments import log
from tournaments.models import Club, Scoresheet, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.public_names import Names
from tournaments.people.actors import actor_names
from tournaments.rendering.i18n.marks import deal_said
from tournaments.rendering.i18n.places import is_translated
from tournaments.tables.queries.sheets import seat_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A table with its row, its sheet's row and the names of its seats."""

    sheet: Scoresheet
    table: Table
    names: dict[str, str]

    @property
    def row(self) -> TableRow:
        return self.sheet.table

    @property
    def tournament(self) -> Tournament:
        return self.sheet.table.tournament

    @property
    def club(self) -> Club:
        return self.sheet.table.tournament.club

    @property
    def currency(self) -> str:
        return self.table.setup.stakes.currency

    @property
    def notation(self) -> Notation:
        return Notation(self.currency, self.club.locale)

    def amount_said(self, amount_minor: int) -> str:
        """An amount with its currency, as people write it."""
        return money(amount_minor, *self.notation)

    def said(self, fact: Fact) -> str:
        """A fact of this table in words; a deal, which is a list, in those of the page's language."""
        if is_translated() and isinstance(fact, DealFact):
            return deal_said(fact, self.names)
        return fact_said(fact, self.names, amount_said=self.amount_said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A stored fact of a table, with who wrote it."""

    event: log.StoredEvent
    fact: Fact
    who: str
    said: str


def desk(table_id: UUID, clubs: Sequence[UUID] | None) -> Desk | None:
    """The table, in two queries; None where there is none in these clubs (None stands for every club)."""
    sheets = Scoresheet.objects.select_related("table__tournament__club").filter(table_id=table_id)
    if clubs is not None:
        sheets = sheets.filter(club_id__in=clubs)
    sheet = sheets.first()
    if sheet is None:
        return None
    return Desk(sheet=sheet, table=load_table(sheet.state), names=seat_names(table_id, Names.REAL))


def written_since(seen: Desk, version: int) -> tuple[Written, ...]:
    """What was stored after a version, oldest first, in two queries."""
    stored = log.read(seen.row.id, after=version)
    names = actor_names({event.actor for event in stored})
    return tuple(_written(seen, event, names) for event in stored)


def written(seen: Desk, event: log.StoredEvent) -> Written:
    """One stored fact of a table in words."""
    return _written(seen, event, {})


def _written(seen: Desk, event: log.StoredEvent, names: dict[str, str]) -> Written:
    fact = read_stored(event.kind, event.schema, event.body, seen.table.rules)
    return Written(event=event, fact=fact, who=names.get(event.actor, event.actor), said=seen.said(fact))
