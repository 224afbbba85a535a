"""Cleans text for printing: no control characters, no direction marks, no incomplete characters.

A name must not reorder the line it is on. No text is ever read as markup.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import groupby
from unicodedata import bidirectional, category, normalize

# The direction of each letter (Unicode bidirectional algorithm): Arabic and Hebrew from the right, numbers in them from
# the left.

FROM_THE_RIGHT = ("R", "AL")
NEUTRAL = ("B", "S", "WS", "ON", "BN")


def base_level(text: str) -> int:
    """Return 0 for a left-to-right line, 1 for a right-to-left one: its first letter decides."""
    strong = (kind for kind in map(bidirectional, text) if kind in ("L", *FROM_THE_RIGHT))
    return int(next(strong, "L") in FROM_THE_RIGHT)


def levels(text: str, base: int) -> list[int]:
    """Return the embedding level of each character: an odd level runs from the right."""
    kinds = _neutrals(_weak([bidirectional(char) for char in text], base), base)
    return [_level(kind, base) for kind in kinds]


def visual_runs(levels: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Return the runs of one level as (start, end), from left to right as printed."""
    runs: list[tuple[int, int, int]] = []
    for level, group in groupby(range(len(levels)), key=levels.__getitem__):
        members = list(group)
        runs.append((level, members[0], members[-1] + 1))
    for deepest in range(max(levels, default=0), 0, -1):
        runs = _turned(runs, deepest)
    return ((start, end) for _, start, end in runs)


def _turned(runs: list[tuple[int, int, int]], deepest: int) -> list[tuple[int, int, int]]:
    turned: list[tuple[int, int, int]] = []
    for is_deep, group in groupby(runs, key=lambda run: run[0] >= deepest):
        members = list(group)
        turned += reversed(members) if is_deep else members
    return turned


def _weak(kinds: list[str], base: int) -> list[str]:
    """Resolve weak types: marks take the type of their letter, numbers with their signs become one (W1 to W7)."""
    resolved_kinds = _arabic_numbers(_marks(kinds, base))
    for at in range(1, len(resolved_kinds) - 1):
        before, here, after = resolved_kinds[at - 1 : at + 2]
        if before == after and ((here == "ES" and before == "EN") or (here == "CS" and before in ("EN", "AN"))):
            resolved_kinds[at] = before
    resolved_kinds = _terminators(resolved_kinds)
    strong = "R" if base else "L"
    for at, kind in enumerate(resolved_kinds):
        strong = kind if kind in ("L", "R") else strong
        if kind in ("ES", "ET", "CS"):
            resolved_kinds[at] = "ON"
        elif kind == "EN" and strong == "L":
            resolved_kinds[at] = "L"
    return resolved_kinds


def _marks(kinds: list[str], base: int) -> list[str]:
    resolved_kinds: list[str] = []
    for kind in kinds:
        resolved_kinds.append(
            kind if kind != "NSM" else resolved_kinds[-1] if resolved_kinds else ("R" if base else "L")
        )
    return resolved_kinds


def _arabic_numbers(kinds: list[str]) -> list[str]:
    resolved_kinds, strong = [], ""
    for kind in kinds:
        strong = kind if kind in ("L", *FROM_THE_RIGHT) else strong
        resolved_kinds.append("AN" if kind == "EN" and strong == "AL" else "R" if kind == "AL" else kind)
    return resolved_kinds


def _terminators(kinds: list[str]) -> list[str]:
    """Currency and percent signs next to a number belong to it."""
    resolved_kinds: list[str] = []
    for kind, group in groupby(enumerate(kinds), key=lambda pair: pair[1]):
        places = [at for at, _ in group]
        beside = {kinds[at] for at in (places[0] - 1, places[-1] + 1) if 0 <= at < len(kinds)}
        resolved_kinds += ["EN" if kind == "ET" and "EN" in beside else kind] * len(places)
    return resolved_kinds


def _neutrals(kinds: list[str], base: int) -> list[str]:
    """Neutral characters take the surrounding direction, or the line's (N1 and N2)."""
    line = "R" if base else "L"
    firm = [at for at, kind in enumerate(kinds) if kind not in NEUTRAL]

    def side(index: int) -> str:
        if not 0 <= index < len(firm):
            return line
        return "L" if kinds[firm[index]] == "L" else "R"

    resolved_kinds = list(kinds)
    for at, kind in enumerate(kinds):
        if kind in NEUTRAL:
            after = bisect(firm, at)
            before = side(after - 1)
            resolved_kinds[at] = before if before == side(after) else line
    return resolved_kinds


def _level(kind: str, base: int) -> int:
    if base == 0:
        return {"L": 0, "R": 1}.get(kind, 2)
    return {"R": 1}.get(kind, 2)


# Cleans text for printing: no control characters, no direction marks, no incomplete characters.

INSTEAD = "\ufffd"
JOINERS = "\u200c\u200d"
SPACES = ("Zs", "Zl", "Zp")


def plain(text: str) -> str:
    """Return the text on one line, letters and accents composed, with single spaces between words."""
    printed = normalize("NFC", "".join(map(_printed, text)))
    return " ".join(word for word in printed.split(" ") if word)


def _printed(char: str) -> str:
    kind = category(char)
    if kind in SPACES or char in "\t\n\r\v\f\x85":
        return " " if char not in "\u00a0\u202f" else "\u00a0"
    if kind in ("Cs", "Cn", "Co"):
        return INSTEAD
    return "" if kind in ("Cc", "Cf") and char not in JOINERS else char
