"""Who is meant by a name in a cell, and what by the other words: people write first names, `x` for yes, `-` for nobody.

Rules: docs/importing.md, "Columns of a deal". A name that fits two players is nobody's. Knows nothing of deals.
"""

import re
from collections.abc import Mapping, Sequence

from scoring.rules.table.fields import Choice, SheetField
from tournaments.sheet_import.rows import plain

YES = frozenset({"yes", "y", "x", "true", "1", "✓", "✔"})
NOTHING = frozenset({"-", "–", "—", "−", "x"})
NO = frozenset({"no", "n", "false", "0", *NOTHING}) - YES
NOBODY = frozenset({"nobody", "none", *NOTHING}) - {"x"}
# What people write for an ending of a deal, besides the game's own words.
ENDINGS = {"stock": "count_now", "count now": "count_now", "wrong show": "void_others", "void others": "void_others"}
ENTRIES = re.compile(r"\s*[,;]\s*")


def entries(text: str) -> list[str]:
    """What is written one after the other in a cell."""
    return [entry for entry in ENTRIES.split(text) if entry]


def seat_of(text: str, names: Mapping[str, str]) -> str | None:
    """The seat that a cell names: by the player's name, by its beginning where only one has it, or by its number."""
    word = plain(text)
    known = {seat: plain(name) for seat, name in names.items()}
    whole = [seat for seat, name in known.items() if name == word]
    begun = [seat for seat, name in known.items() if name.startswith(f"{word} ")]
    for found in (whole, begun):
        if len(found) == 1:
            return found[0]
    number = word.removeprefix("seat ")
    return number if number in names else None


def seat_and_rest(text: str, names: Mapping[str, str]) -> tuple[str, str] | None:
    """A seat, and what is written behind its name: `Asha Rao 20`."""
    words = text.split()
    for size in range(len(words) - 1, 0, -1):
        seat = seat_of(" ".join(words[:size]), names)
        if seat is not None:
            return seat, " ".join(words[size:])
    return None


def field_and_rest(text: str, named: Mapping[str, SheetField]) -> tuple[SheetField, str] | None:
    """A field, and what is written behind its word: `10H Asha`."""
    words = text.split()
    for size in range(len(words) - 1, 0, -1):
        field = named.get(plain(" ".join(words[:size])))
        if field is not None:
            return field, " ".join(words[size:])
    return None


def is_nobody(text: str, field: SheetField) -> bool:
    """Whether a cell says that no seat is meant, in a field where that can be."""
    said, word = plain(field.nobody), plain(text)
    return bool(said) and (word in NOBODY or word in (said, said.partition(":")[0]))


def choice_of(text: str, choices: Sequence[Choice]) -> str | None:
    """The stored word of a choice; known by that word, or by its title."""
    word = plain(text).replace("_", " ")
    for choice in choices:
        if word in (choice.value.replace("_", " "), plain(choice.title)):
            return choice.value
    return ENDINGS.get(word) if not choices or ENDINGS.get(word) in {choice.value for choice in choices} else None
