"""Counting from cards: losing hands and shows of 13-card rummy, gin deadwood, and values of the Western games.

Rules: docs/rules/indian.md, gin.md, rum.md, rummy500.md and romme.md. Knows nothing of tables, deals or money.
"""

from scoring.rules.hands.gin import gin_deadwood, gin_melds
from scoring.rules.hands.indian import (
    HandCount,
    LaidDown,
    Ruling,
    count_hand,
    declared_count,
    hand_problems,
    judge_show,
    laid_down_problems,
)
from scoring.rules.hands.western import (
    romme_hand_value,
    romme_meld_value,
    rum_hand_value,
    rummy500_score,
    rummy500_values,
    strict_suits,
)

__all__ = [
    "HandCount",
    "LaidDown",
    "Ruling",
    "count_hand",
    "declared_count",
    "gin_deadwood",
    "gin_melds",
    "hand_problems",
    "judge_show",
    "laid_down_problems",
    "romme_hand_value",
    "romme_meld_value",
    "rum_hand_value",
    "rummy500_score",
    "rummy500_values",
    "strict_suits",
]
