"""Questions for the judge of Western games, with the cards of worked examples."""

from collections.abc import Sequence
from typing import Any

from scoring.rules.cards import Card, parse_cards
from scoring.rules.table.questions import CardJudge, CardRuling
from scoring.rules.variants import VARIANTS


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text, "cards")


JUDGES: dict[str, CardJudge[Any]] = {name: rules.judge for name, rules in VARIANTS.items() if rules.judge is not None}


def ruled(game: str, *, options: dict[str, Any] | None = None, **asked: str | Sequence[str]) -> CardRuling:
    """The ruling of a game's judge on cards as they are typed."""
    lists = {name: [text] if isinstance(text, str) else text for name, text in asked.items()}
    read = {name: tuple(cards(text) for text in texts) for name, texts in lists.items()}
    return JUDGES[game].rule(VARIANTS[game].options_type(**(options or {})), read)


MELDS = ["4S 5S 6S", "KH KD KC", "9C 9D 9H"]
HAND = "7S 8S KS AD AC AH 2D 3D 4D JC"
