"""The prizes on a tournament's public page: by place, with who would have them as the board stands.

Rules: docs/rules/tournaments.md, "Prizes". Before anybody has a seat they are those of the field that has entered;
afterwards those that follow from the seats of the board, so that prizes and places are of one moment.
"""

from scoring.evening.prizes.sheet import expected_sheet
from scoring.money.formatting import Notation
from tournaments.boards.boards import Board
from tournaments.evenings.prize_money import prizes_so_far
from tournaments.evenings.queries.prizes import PrizeTable, in_language_of_page, prize_table
from tournaments.evenings.queries.stages import evening_of


def shown_prizes(shown: Board) -> PrizeTable | None:
    """The prizes of a planned evening; None where none are paid."""
    tournament = shown.tournament
    evening = shown.evening if shown.tables else evening_of(tournament.id)
    plan = evening.plan if evening is not None else None
    if evening is None or plan is None or plan.is_rehearsal or evening.is_cancelled:
        return None
    notation = Notation(tournament.currency, tournament.club.locale)
    if evening.rounds:
        sheet = prizes_so_far(tournament, evening, shown.played)
        return _unless_empty(prize_table(plan, sheet, notation, shown.names)) if sheet is not None else None
    players = len(evening.field())
    if not players:
        return None
    sheet = expected_sheet(plan, players=players, entry_minor=tournament.entry_minor, fee_bp=tournament.fee_bp)
    return _unless_empty(prize_table(plan, sheet, notation))


def _unless_empty(prizes: PrizeTable) -> PrizeTable | None:
    return None if prizes.is_empty else in_language_of_page(prizes)
