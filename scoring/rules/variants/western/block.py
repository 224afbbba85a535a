"""Block rummy: basic rum without reusing the discard pile, so that a deal may end with no one out.

Rules: docs/rules/block.md. Knows nothing of storage, accounts or the web.
"""

from scoring.rules.table.variant import Preset, presets
from scoring.rules.variants.western.rum_form import RumForm
from scoring.rules.variants.western.rum_options import RumFamilyOptions

BLOCK = presets(
    block=Preset(
        "Block rummy, all score their cards",
        {"mode": "penalty", "block_scoring": "all_penalty"},
        "As on the page of basic rum: the stock is gone, and all score what they hold.",
    ),
    block_differences=Preset(
        "Block rummy, the lowest hand wins the differences",
        {"mode": "penalty", "block_scoring": "lowest_wins_difference"},
        "Not verified for block rummy: taken over from knock rummy. The lowest hand gets rid of what others take.",
    ),
    block_lowest_collects=Preset(
        "Block rummy, the lowest hand collects less its own",
        {"mode": "penalty", "block_scoring": "lowest_collects_minus_own"},
        "Published by rrrummy.com for games that end early. The points of such a deal do not add up to 0.",
    ),
    block_winner_scores=Preset(
        "Block rummy, only the winner scores",
        {"mode": "winner_scores", "block_scoring": "lowest_wins_difference"},
        "Not on a page as such: rum in which only winners score, and so a blocked deal needs one.",
    ),
    block_cash=Preset(
        "Block rummy for cash",
        {"mode": "cash", "end": "rounds", "block_scoring": "lowest_wins_difference"},
        "Needs the value of a point. Not on a page as such: rum for cash, a blocked deal paid by the differences.",
    ),
)


class BlockOptions(RumFamilyOptions, frozen=True, kw_only=True):
    """House options of a block rummy table: the discard pile is never used again."""


class Block(RumForm[BlockOptions]):
    """Rum that can be blocked."""

    name = "block"
    title = "Block rummy"
    summary = "Rum without a second stock: when it is gone the deal is blocked and all score the cards they hold."
    presets = BLOCK
    example = {"out": None, "counts": {"1": 6, "2": 15, "3": 30}}
    stock_runs_out = 0.3
    options_type = BlockOptions


GAME = Block()
