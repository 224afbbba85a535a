"""What the lower floors say in English, said again in the language of the page.

Rules, projections and settlements speak English and know no languages. Their sentences have known forms, which stand
as messages in the rooms beside this one. A sentence is recognised by its form and said in the translation of that form;
one that is not recognised stays as it is. Names are put in afterwards: no name is ever looked up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache
from re import Match, Pattern
from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.messages import COUNT, ENGLISH, NOBODY, Field, Language, Message, Sentence, put
from scoring.rules.hands.words import sentence as written
from scoring.rules.table.words import names_of
from scoring.rules.variants import VARIANTS
from tournaments.rendering.i18n import (
    of_evenings,
    of_forms,
    of_hands,
    of_money,
    of_nights,
    of_plans,
    of_sheets,
)
from tournaments.rendering.i18n.formatting import MINUS, day, in_digits, is_translated, page_language
from tournaments.rendering.i18n.forms import (
    AMOUNT_OR_WORDS,
    CALLED,
    NUMBERED,
    NUMBERS,
    OF_ROUND,
    OPTION,
    PART,
    WORDS,
    Form,
    Plural,
    keeps_its_stop,
    longest_words,
    pattern_of,
    weight,
)

# A longer text is nobody's sentence, and sentences that stand in one another do so at most this deep.
LONGEST, DEEPEST = 4_000, 20
ENDS = (".", "!", "?", "…", "।")
FULL_STOP = gettext_noop("{what}.")
# Too little of it is words for a form: a sentence may end with it.
IN_ROUND = gettext_noop("{called}, round {round}")
ROOMS = (
    of_sheets,
    of_forms,
    of_hands,
    of_money,
    of_evenings,
    of_nights,
    of_plans,
)


class Known(NamedTuple):
    """A form with what recognises it; a sentence without its longest run of words need not be tried."""

    form: Form
    words: str
    pattern: Pattern[str]


def translate(message: Message, names: Mapping[str, str] = NOBODY) -> str:
    """A message in the language of the page, with names for seats."""
    return put(message, PAGE if is_translated() else ENGLISH_PAGE, names)


def told(said: str | Message) -> str:
    """A message, or a sentence or word of the lower floors, in the language of the page."""
    if isinstance(said, Message):
        return translate(said)
    return _told(said, page_language(), DEEPEST) if said and is_translated() else said


def called(title: str) -> str:
    """A table or a stage in the language of the page if it goes by its number; a name that somebody gave stays."""
    found = OF_ROUND.fullmatch(title)
    name = found["called"] if found else title
    said = told(name) if NUMBERED.fullmatch(name) else name
    return gettext(IN_ROUND).format(called=said, round=in_digits(found["round"])) if found else said


def sentence(text: str | Message, names: Mapping[str, str] = NOBODY) -> str:
    """Text with a capital letter and a full stop, in the language of the page."""
    if not is_translated():
        return written(translate(text, names) if isinstance(text, Message) else text)
    said = _started(translate(text, names) if isinstance(text, Message) else told(text))
    return said if said.endswith(ENDS) else gettext(FULL_STOP).format(what=said)


def is_known(text: str | Message) -> bool:
    """Whether a sentence, and every part of it that is words, has a form here."""
    if isinstance(text, Message):
        return all(is_known(part.text if isinstance(part, Sentence) else part) for part in _words_in(text))
    return any(_is_whole(found) for bare in (text, *_bare(text)) if (found := recognised(bare)) is not None)


def forms() -> Iterator[Form]:
    """Every form of every room, and the constants of every game."""
    for room in ROOMS:
        yield from room.SAID
    # Games share options.
    yield from dict.fromkeys(name for rules in VARIANTS.values() for name in names_of(rules))


def _words_in(message: Message) -> Iterator[Message | Sentence]:
    parts = (one for part in message.parts.values() for one in (part if isinstance(part, tuple) else (part,)))
    yield from (part for part in parts if isinstance(part, Message | Sentence))


def _looked_up(message: Message) -> str:
    if message.plural:
        return ngettext(message.text, message.plural, message.number)
    return gettext(message.text)


def _in_digits(number: int) -> str:
    return in_digits(str(number))


def _day(iso: str) -> str:
    return day(date.fromisoformat(iso))


def _titled(field: Field) -> str:
    """A field by its title; one that has none keeps the name that the rules give it."""
    said = gettext(field.title)
    return field.name if said == field.title else said


PAGE = Language(text=_looked_up, number=_in_digits, amount=ENGLISH.amount, day=_day, field=_titled, sentence=told)
# A page writes days as people do; all else in it is English already.
ENGLISH_PAGE = replace(ENGLISH, day=_day)


@lru_cache(maxsize=8192)
def _told(text: str, language: str, deeper: int) -> str:
    """Kept for each language: sentences come again and again. `deeper` parts in parts are told, no more."""
    found = _recognised(text, deeper)
    if found is None:
        return _told_as_sentence(text, language, deeper)
    form, parts = found
    said = ngettext(form.one, form.many, _value(parts[COUNT])) if isinstance(form, Plural) else gettext(form)
    if not parts:
        return said
    return said.format(**{name: _part(name, part, language, deeper - 1) for name, part in parts.items()})


def _told_as_sentence(text: str, language: str, deeper: int) -> str:
    """What was given a capital letter or a full stop on its way here is known without them."""
    for bare in _bare(text):
        if _recognised(bare, deeper) is not None:
            told_bare = _told(bare, language, deeper)
            said = told_bare if bare[:1] == text[:1] else _started(told_bare)
            return gettext(FULL_STOP).format(what=said) if len(bare) < len(text) else said
    return text


def _bare(text: str) -> Iterator[str]:
    """The text without its full stop, without its capital letter, and without both."""
    stopped = text.removesuffix(".")
    yield from (bare for bare in (stopped, _lowered(text), _lowered(stopped)) if bare != text)


def _is_whole(found: tuple[Form, dict[str, str]]) -> bool:
    _, parts = found
    words = (part for name, part in parts.items() if name in WORDS and not part.isdecimal())
    return all(is_known(part) or not part.replace(" ", "").isalpha() for part in words)


def _started(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _value(digits: str) -> int:
    return int(digits.replace(MINUS, "-"))


def _part(name: str, part: str, language: str, deeper: int) -> str:
    if name == OPTION:
        return _title(part)
    if name == CALLED:
        return called(part)
    if name in WORDS:
        return _told(part, language, deeper)
    return in_digits(part) if name in NUMBERS else part


def _title(option: str) -> str:
    """An option as its field is called; one that has no field keeps the name that the rules give it."""
    title = option.replace("_", " ").capitalize()
    said = told(title)
    return option if said == title else said


def recognised(text: str) -> tuple[Form, dict[str, str]] | None:
    """The form of a sentence, and what stands in its parts; None for a text that has none or is very long."""
    return _recognised(text, DEEPEST)


@lru_cache(maxsize=8192)
def _recognised(text: str, deeper: int) -> tuple[Form, dict[str, str]] | None:
    if not deeper or len(text) > LONGEST:
        return None
    if text in _constants():
        return text, {}
    for known in _sentences(text.endswith(".")):
        found: Match[str] | None = known.pattern.fullmatch(text) if known.words in text else None
        if found is not None and all(_are_ours(name, part, deeper - 1) for name, part in found.groupdict().items()):
            return known.form, found.groupdict()
    return None


def _are_ours(name: str, part: str, deeper: int) -> bool:
    """Whether what stands for words of ours is that; without it a form of few words would fit anything."""
    return name not in WORDS or name == AMOUNT_OR_WORDS or part.isdecimal() or _recognised(part, deeper) is not None


@cache
def _constants() -> frozenset[str]:
    return frozenset(form for form in forms() if isinstance(form, str) and not PART.search(form))


@cache
def _sentences(is_stopped: bool) -> tuple[Known, ...]:  # noqa: FBT001 - a key of the cache
    """Every form with parts, the one with the most words first; those that may end with a full stop, or the others."""
    texts = [(text, form) for form in forms() for text in ([form] if isinstance(form, str) else form)]
    wanted = [
        (text, form)
        for text, form in texts
        if PART.search(text) and (text.endswith(".") == is_stopped or (is_stopped and keeps_its_stop(text)))
    ]
    found = [(weight(text), Known(form, longest_words(text), pattern_of(text))) for text, form in wanted]
    return tuple(known for _, known in sorted(found, key=lambda pair: -pair[0]))
