"""What the pages of several houses print alike for Indian rummy: prices of drops, and what was not found.

Rules: docs/rules/points.md, deals.md and pool.md, "Presets". Knows nothing of play.
"""

USUAL_DROPS = {"first_drop": 20, "middle_drop": 40}
UNCHECKED_DROPS = "Its prices of drops were not found: they are the usual ones."
