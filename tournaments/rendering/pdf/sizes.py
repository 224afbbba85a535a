"""The paper that is in the printer. Rules: docs/paper.md."""

from enum import Enum


class PageSize(Enum):
    """A sheet of paper, in points."""

    A4 = (595.28, 841.89)
    LETTER = (612.0, 792.0)
