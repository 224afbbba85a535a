"""An address as a QR code: the squares that a camera reads, to be drawn at any size.

Rules: ISO/IEC 18004, by the library segno. Knows nothing of pages.
"""

from dataclasses import dataclass

import segno

# The white that a reader needs around a code, in squares.
QUIET = 4


@dataclass(frozen=True, slots=True)
class Code:
    """Black squares as row, column and how many stand side by side, on a field of so many squares a side."""

    runs: tuple[tuple[int, int, int], ...]
    squares: int


def code_of(address: str) -> Code:
    """The code of an address, with its white border."""
    matrix = segno.make(address, error="m", micro=False).matrix
    runs = tuple(
        (row + QUIET, start + QUIET, length) for row, line in enumerate(matrix) for start, length in _black(bytes(line))
    )
    return Code(runs, len(matrix) + 2 * QUIET)


def _black(line: bytes) -> list[tuple[int, int]]:
    """Where black begins in a line, and how far it goes."""
    found: list[tuple[int, int]] = []
    for place, is_black in enumerate(line):
        if not is_black:
            continue
        if found and sum(found[-1]) == place:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((place, 1))
    return found
