"""Every constant by which players know a game: what translators translate, and what a page says again in its language.

Rules: docs/how-to/translating.md. A sentence with a number or a name in it is none of these.
"""

from collections.abc import Iterator

from scoring.options import describe_options
from scoring.rules.table.variant import AnyVariant


def words_of(rules: AnyVariant) -> Iterator[str]:
    """All constants of a game that have letters, as often as they are said."""
    yield from names_of(rules)
    yield from filter(_has_letters, _words_of_options(rules))


def names_of(rules: AnyVariant) -> Iterator[str]:
    """What a game, its presets, its evenings and its endings are called, and its options in a form."""
    yield from filter(_has_letters, _names(rules))


def _names(rules: AnyVariant) -> Iterator[str]:
    yield from (rules.title, rules.summary, *rules.ending_titles.values())
    yield from (text for preset in rules.presets for text in (preset.title, preset.note))
    yield from (text for known in rules.formats for text in (known.title, known.note))
    if rules.judge is not None:
        yield rules.judge.lead
        yield from (text for field in rules.judge.fields for text in (field.title, field.help))
    for option in describe_options(rules.options_type):
        yield from (option["help"], option["title"])


def _words_of_options(rules: AnyVariant) -> Iterator[str]:
    yield from rules.option_groups.values()
    for wording in rules.wordings.values():
        yield from (wording.title, wording.unset, *wording.choices.values())


def _has_letters(text: str) -> bool:
    return any(letter.isalpha() for letter in text)
