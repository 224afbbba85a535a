"""Messages at the fields of a Western game's form."""

from typing import Any


def told_at(answer: Any) -> dict[str, list[str]]:
    """The codes of the problems that are shown at each input of the page."""
    parts = [one for part in answer.context["parts"] for one in (part, *part.rare)]
    controls = [control for part in parts for control in part.controls]
    rows = [row for part in parts for row in part.rows]
    controls += [control for row in rows for control in row.controls]
    hands = [(f"cards of {row.seat}", row.hand) for row in rows if row.hand]
    hands += [(f"cards of {hand.key}", hand) for part in parts for hand in part.hands]
    found = {control.key: [p.code for p in control.problems] for control in controls if control.problems}
    return found | {key: [p.code for p in hand.problems] for key, hand in hands if hand.problems}
