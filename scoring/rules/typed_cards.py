"""Cards as people type them in a hurry: glued together, from a phone, with invisible marks; and what cannot be read.

Rules: docs/judge.md, "Entering cards". Knows nothing of hands, forms or pages.
"""

import re
import unicodedata
from collections.abc import Sequence

from scoring.problems import Problem
from scoring.rules.cards import SPELLINGS, Card, CardsRejected, parse_cards

MOST_TEXT = 300
MOST_NAMED = 4
MOST_WORD = 16
ONE_CARD = r"(?:10|[A2-9TJQK])[SHDC♠♥♦♣♤♡♢♧]|PJ|JK"
GLUED = re.compile(f"(?:{ONE_CARD}){{2,}}", re.IGNORECASE)
SINGLE = re.compile(ONE_CARD, re.IGNORECASE)
WORD = re.compile(r"[^\s,;]+")
# What makes a browser draw a suit as a coloured picture; it comes along with suits typed on a phone.
PICTURE_MARKS = ("\ufe0e", "\ufe0f")


def tidy(text: str) -> str:
    """Text without what cannot be seen; a little more than is read, so that too much can be told from enough."""
    kept = [
        " " if char.isspace() else "\ufffd" if unicodedata.category(char) == "Cc" else char
        for char in text
        if char not in PICTURE_MARKS and unicodedata.category(char) != "Cf"
    ]
    return "".join(kept).strip()[: MOST_TEXT + 1]


def cards_typed(text: str, name: str) -> tuple[Card, ...]:
    """The cards of one field. Raises CardsRejected with a sentence that names what is none, and the field."""
    if len(text) > MOST_TEXT:
        detail = f"Too much text for {name}: thirteen cards fit in {MOST_TEXT} characters."
        raise CardsRejected([Problem(code="too_many_cards", field=name, detail=detail)])
    words = WORD.sub(_parted, text)
    unknown = [word for word in WORD.findall(words) if word.upper() not in SPELLINGS]
    if unknown:
        detail = _no_cards(list(dict.fromkeys(unknown)), name)
        raise CardsRejected([Problem(code="unknown_card", field=name, detail=detail)])
    return parse_cards(words, name)


def _no_cards(words: Sequence[str], name: str) -> str:
    """Names the words that are no cards, the first few of them and never more than fits a line."""
    said = ", ".join(f"“{word[:MOST_WORD]}{'…' if len(word) > MOST_WORD else ''}”" for word in words[:MOST_NAMED])
    more = " and more" if len(words) > MOST_NAMED else ""
    are = "is no card" if len(words) == 1 else "are no cards"
    return f"{said}{more} in {name} {are}: write rank then suit, such as 7H or 10♠, or PJ for a printed joker."


def _parted(word: re.Match[str]) -> str:
    """Cards written without blanks between them, parted: 7h8h9h."""
    written = word.group()
    return " ".join(SINGLE.findall(written)) if GLUED.fullmatch(written) else written
