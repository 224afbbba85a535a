"""What the house takes, as pages print it: the fee between its bounds, and a levy beside it.

Rules: docs/rules/tournaments.md, "Fees". A tournament, its plan and a table's stakes name these terms alike. Knows
nothing of what was paid.
"""

from django.utils.translation import gettext, gettext_noop

from scoring.money.formatting import Notation, money, percent
from scoring.money.payouts import FeeTerms
from tournaments.boards.boards import Board
from tournaments.evenings.queries.stages import evening_of
from tournaments.models import Tournament

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
