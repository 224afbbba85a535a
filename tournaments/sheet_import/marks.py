"""The marks in the cells of a score sheet, and the outcomes they stand for.

Rules: docs/importing.md, "Indian rummy: marks". Knows nothing of what an outcome costs.
"""

import re
from typing import Any

from scoring.problems import Problem, shown
from scoring.rules.variants.indian.outcomes import How
from tournaments.sheet_import.rows import plain

MARKS: dict[How, tuple[str, ...]] = {
    How.SHOW: ("show", "0*", "*", "s"),
    How.LAST_STANDING: ("last", "l"),
    How.FIRST_DROP: ("d", "fd", "drop"),
    How.MIDDLE_DROP: ("md", "m", "middle drop"),
    How.THREE_MISSES: ("3m", "tm"),
    How.LEFT_BEFORE_DRAW: ("lb",),
    How.LEFT_AFTER_DRAW: ("la",),
    How.WRONG_SHOW: ("w", "ws", "wrong"),
    How.FULL_COUNT: ("f", "full"),
    How.ABSENT: ("a", "abs"),
    How.NOT_IN_DEAL: ("-", "–", "—", "−", "x", "out"),
}
BY_MARK = {mark: how for how, marks in MARKS.items() for mark in (*marks, how.value.replace("_", " "))}
COUNT = re.compile(r"[+]?(\d{1,4})")
NEGATIVE = re.compile(r"[-−](\d{1,4})")
HALF = re.compile(r"h ?(\d{1,4})|(\d{1,4}) ?/ ?2")


def read_mark(text: str, seat: str) -> dict[str, Any] | Problem:
    """The outcome that a cell stands for, as an event carries it, or what is wrong with the cell."""
    mark = plain(text).replace("_", " ")
    if mark in BY_MARK:
        return {"how": BY_MARK[mark].value}
    if found := COUNT.fullmatch(mark):
        return {"how": How.LOSS.value, "count": int(found[1])}
    if found := NEGATIVE.fullmatch(mark):
        return {"how": How.LOSS.value, "count": -int(found[1])}
    if found := HALF.fullmatch(mark):
        return {"how": How.HALF_COUNT.value, "count": int(found[1] or found[2])}
    known = "a number, or show, last, D, MD, 3M, LB, LA, W, F, A, -"
    detail = f"{{seat}}: {shown(text)} is no mark; write {known}"
    return Problem(code="unknown_mark", seat=seat, field="how", detail=detail)
