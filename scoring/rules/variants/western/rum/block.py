"""Block rummy: basic rum in which the discard pile is never used again, so that a deal may end with nobody out.

Rules: docs/rules/block.md. Knows nothing of storage, accounts or the web.
"""

from scoring.rules.variants.western.rum.options import BlockOptions
from scoring.rules.variants.western.rum.rum_form import RumForm
from scoring.rules.variants.western.rum.rum_presets import BLOCK


class Block(RumForm):
    """Rum that can be blocked."""

    name = "block"
    title = "Block rummy"
    summary = "Rum without a second stock: when it is gone the deal is blocked and all score the cards they hold."
    presets = BLOCK
    options_type = BlockOptions
