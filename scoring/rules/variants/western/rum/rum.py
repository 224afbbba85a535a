"""Basic rum: whoever goes out first wins the deal, and the others pay for the cards they hold.

Rules: docs/rules/rum.md. Knows nothing of storage, accounts or the web.
"""

from scoring.rules.variants.western.rum.options import RumOptions
from scoring.rules.variants.western.rum.rum_form import RumForm
from scoring.rules.variants.western.rum.rum_presets import RUM


class Rum(RumForm):
    """Basic rum, in one of its three modes."""

    name = "rum"
    title = "Basic rum"
    summary = "Losers pay for the cards they hold: as penalties up to a target, as the winner's points, or in cash."
    presets = RUM
    options_type = RumOptions
