"""The hands that a public score sheet can show: each deal whose cards were written down, with its players.

Rules: docs/evening.md, "Cards". Knows nothing of counting.
"""

from dataclasses import dataclass

from scoring.sheets.shown_hands import HandShown, hands_shown
from tournaments.rendering.i18n.places import in_sentence
from tournaments.tables.queries.sheets import SheetPage
from tournaments.web.public.base.words import line_title


@dataclass(frozen=True, slots=True, kw_only=True)
class DealHands:
    """The hands of one deal that were written down as cards, each with its player."""

    title: str
    version: int
    hands: tuple[tuple[str, HandShown], ...]

    @property
    def title_in_sentence(self) -> str:
        return in_sentence(self.title)


def deal_hands(page: SheetPage) -> tuple[DealHands, ...]:
    """The deals whose cards can be shown, in the order of the sheet."""
    shown = hands_shown(page.table)
    return tuple(
        DealHands(
            title=line_title(line.kind, line.deal),
            version=line.version,
            hands=tuple((page.names[hand.seat], hand) for hand in shown[line.version]),
        )
        for line in page.lines
        if line.version in shown
    )
