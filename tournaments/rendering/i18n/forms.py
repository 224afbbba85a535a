"""A sentence of the lower floors as a message: its words, with a name for each part that differs from time to time.

Knows nothing of what is said.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

# Parts that are digits, and parts that are words of ours and are said in the language as well: of these `what` may also
# be an amount. All others are names, cards and amounts, which stay as they are.
NUMBERS = frozenset(
    {"number", "of", "most", "deal", "round", "table", "place", "first", "last", "points", "total", "count"}
)
AMOUNT_OR_WORDS = "what"
OPTION = "option"
# What people give a name to and what is numbered until they do: the number is said in the language, the name stays.
CALLED = "called"
NUMBERED = re.compile(r"(?:Table|Stage) \d+(?: \(at \d+\))?")
OF_ROUND = re.compile(r"(?P<called>.+), round (?P<round>\d+)", re.DOTALL)
WORDS = frozenset({"why", "where", "word", "kind", "preset", AMOUNT_OR_WORDS})
# What people are called by, and may end with a full stop of its own.
NAMES = frozenset({"seat", "seats", "mate", "name", "names", "pot", CALLED})
# No amount holds these words: of several in a sentence, the last one parts a name from what it has.
AMOUNTS, BEFORE_AMOUNTS = frozenset({"amount", "held", "sum", AMOUNT_OR_WORDS}), (" has ", " holds ", " is ", " owes ")
# Cards and amounts stand at the beginning of a sentence, never of a longer one that ends with it.
NO_COLON = frozenset({"card", "cards", "other"})
# Neither an amount nor a rate is without a digit: what has none is words, and another sentence. A rate is one word.
RATE = "rate"
MONEY = frozenset({"amount", "sum", "rest", "fee", "floor", "cap", "prize", "promised", "added", "paid"})
# A levy has a name of the club's; lines of places, and of a fee that was taken several times, only read like one.
# Where a sentence stands has a form of its own: nothing that a sentence begins with takes it in.
PLACED = r"(?!(?:(?:hand|line|row|seat|stage|table) \d+|settle first): )"
NEVER = {"levy": rf"{PLACED}(?!(?:.+, )?place \d|\d+ times: )", "name": PLACED, "seat": PLACED, "word": PLACED}
MOST_DIGITS = 30
NUMBER = rf"[+\-−]?\d{{1,{MOST_DIGITS}}}"
PART = re.compile(r"\{(\w+)\}")


class Plural(NamedTuple):
    """A message for one thing and for several; `{count}` says how many."""

    one: str
    many: str


Form = str | Plural


def ngettext_noop(one: str, many: str) -> Plural:
    """Marks a sentence that differs by its number, so that it is gathered and translated."""
    return Plural(one, many)


def pattern_of(text: str) -> re.Pattern[str]:
    """What recognises a sentence of this form."""
    pieces = PART.split(text)
    start = PLACED if not pieces[0] and not pieces[2].startswith(":") else ""
    found = "".join(_part(pieces, at) if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    return re.compile(start + found, re.DOTALL)


def weight(text: str) -> int:
    """How much of a form is words: of two that fit, the one with more of them is meant."""
    return len(PART.sub("", text))


def keeps_its_stop(text: str) -> bool:
    """Whether a full stop behind a sentence of this form belongs to its last part: a name, or a sentence of ours."""
    last = re.search(r"\{(\w+)\}$", text)
    return last is not None and last[1] in NAMES | WORDS - {AMOUNT_OR_WORDS}


def longest_words(text: str) -> str:
    """The longest run of words between two parts."""
    return max(PART.split(text)[::2], key=len)


def _part(pieces: Sequence[str], at: int) -> str:
    name = pieces[at]
    has_amount = name in NAMES and pieces[at + 1] in BEFORE_AMOUNTS and pieces[at + 2] in AMOUNTS
    if name in NUMBERS:
        known = NUMBER
    elif name == RATE:
        known = r"[^: ]*?\d[^: ]*?"
    elif name in MONEY:
        known = r"[^:\d]*?\d[^:]*?"
    elif name in NO_COLON:
        known = "[^:]+?"
    else:
        known = ".+" if has_amount else ".+?"
    return f"(?P<{name}>{NEVER.get(name, '')}{known})"
