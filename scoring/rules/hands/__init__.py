"""Counting from cards: losing hands and shows of 13-card rummy.

Rules: docs/rules/indian.md. Knows nothing of tables, deals or money.
"""

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

__all__ = [
    "HandCount",
    "LaidDown",
    "Ruling",
    "count_hand",
    "declared_count",
    "hand_problems",
    "judge_show",
    "laid_down_problems",
]
