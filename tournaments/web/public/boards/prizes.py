"""The prizes on a tournament's public page: by place, with who would have them as the board stands.

Rules: docs/rules/tournaments.md, "Prizes". Before anybody has a seat they are those of the field that has entered;
afterwards those that follow from the seats of the board, so that prizes and places are of one moment.
"""

from collections.abc import Sequence

from django.utils.translation import gettext, gettext_noop

from scoring.evening.plans.plan import Plan
from scoring.evening.prizes.sheet import expected_sheet
from scoring.money.formatting import Notation, money, percent
from scoring.money.payouts import FeeTerms
from tournaments.boards.boards import Board
from tournaments.evenings.prize_money import prizes_so_far
from tournaments.evenings.queries.prizes import PrizeTable, in_language_of_page, prize_table
from tournaments.evenings.queries.stages import evening_of
from tournaments.models import Tournament

# What the house takes, as pages print it: the fee between its bounds, and a levy beside it.

Terms = FeeTerms | Tournament
LEVIED_ON = {"gross": gettext_noop("{rate} of all that is paid in"), "fee": gettext_noop("{rate} of the house fee")}


def terms_of(shown: Board) -> Terms:
    """Whose bounds the house fee has: those of the plan where entries are paid to the evening."""
    evening = shown.evening if shown.tables else evening_of(shown.tournament.id)
    return (evening.plan if evening is not None else None) or shown.tournament


def fee_said(fee_bp: int, terms: Terms, notation: Notation) -> str:
    """10%, at least ₹4.00, at most ₹25.00; empty where the house takes nothing."""
    if not (fee_bp or terms.fee_floor_minor):
        return ""
    parts = [percent(fee_bp, notation.locale)] if fee_bp else []
    if terms.fee_floor_minor:
        parts.append(gettext("at least {amount}").format(amount=money(terms.fee_floor_minor, *notation)))
    if terms.fee_cap_minor is not None:
        parts.append(gettext("at most {amount}").format(amount=money(terms.fee_cap_minor, *notation)))
    return ", ".join(parts)


def levy_said(terms: Terms, notation: Notation) -> str:
    """18% of the house fee; empty where there is no levy."""
    rate = percent(terms.levy_bp, notation.locale)
    return gettext(LEVIED_ON[terms.levy_on]).format(rate=rate) if terms.levy_bp else ""


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


# The chain of tie-breaks as it is printed with the standings of a planned tournament.

FIRST = gettext_noop("the score of the stage")

SAID = {
    "deals_won": gettext_noop("more deals won"),
    "fewest_wrong_shows": gettext_noop("fewer wrong shows"),
    "fewest_drops": gettext_noop("fewer drops"),
    "head_to_head": gettext_noop("better places at shared tables"),
    "last_deal": gettext_noop("the better last deal"),
    "extra_deal": gettext_noop("an extra deal"),
    "high_card": gettext_noop("the higher card drawn"),
    "lots": gettext_noop("lots, with the draw code shown"),
}


def tie_breaks_said(plan: Plan | None) -> Sequence[str]:
    """What decides, in its order; nothing without a plan, where level players share the place."""
    return () if plan is None else [gettext(said) for said in (FIRST, *(SAID[name] for name in plan.tie_breaks))]
