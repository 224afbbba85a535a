"""A planned tournament: its stream, plan, clock, end and money; and the summary of a table that its next steps need."""

from scoring.messages import Message, say
from scoring.rules.variants import variant
from scoring.tournament.steps import TableSummary
from tournaments.models import Scoresheet, Table


def summary_of(sheet: Scoresheet, waits_since: int, game: str, *, is_settled: bool = False) -> TableSummary:
    """The summary of a score sheet with its table loaded.

    `waits_since` is its last deal, or its totals; `game` the variant's name.
    """
    table = sheet.table
    return TableSummary(
        key=str(table.pk),
        round=table.round,
        number=table.number,
        title=title_of(table),
        deals=sheet.deals,
        has_totals=sheet.has_totals,
        waits_since=waits_since,
        is_finished=sheet.is_finished,
        is_over=sheet.is_closed or sheet.is_cancelled or sheet.has_moved_on,
        plays_to_the_end=variant(game).plays_to_the_end,
        has_no_end=variant(game).has_no_end,
        has_conflict=sheet.has_conflict,
        has_dispute=sheet.has_dispute,
        unconfirmed=sheet.unconfirmed,
        is_settled=is_settled,
    )


def title_of(table: Table) -> str | Message:
    """The name of a table; with its round, unless that is the first."""
    if table.round == 1:
        return table.called
    return say("{called}, round {round}", called=table.called, round=table.round)
