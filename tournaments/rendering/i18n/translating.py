"""What the lower floors say, in the language of the page.

Rules: docs/how-to/translating.md. A message is translated by its text, which is its msgid, and its parts are put in
afterwards: nothing is recognised in a finished sentence, and no name is ever looked up.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.messages import ENGLISH, NOBODY, Field, Language, Message, Words, put
from scoring.rules.hands.words import sentence as written
from tournaments.rendering.i18n.formatting import day, in_digits, is_translated

ENDS = (".", "!", "?", "…", "।")
FULL_STOP = gettext_noop("{what}.")


def translate(said: Words, names: Mapping[str, str] = NOBODY) -> str:
    """A message, or a constant of ours, in the language of the page, with names for seats."""
    if isinstance(said, str):
        return gettext(said) if said and is_translated() else said
    return put(said, PAGE if is_translated() else ENGLISH_PAGE, names)


def spoken(said: str | Message) -> str:
    """A message in the language of the page; what a person wrote, or an amount, as it is."""
    return said if isinstance(said, str) else translate(said)


def sentence(said: Words, names: Mapping[str, str] = NOBODY) -> str:
    """A message with a capital letter and a full stop, in the language of the page."""
    text = translate(said, names)
    if not is_translated():
        return written(text)
    text = _started(text)
    return text if text.endswith(ENDS) else gettext(FULL_STOP).format(what=text)


def _started(text: str) -> str:
    return text[:1].upper() + text[1:]


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


PAGE = Language(text=_looked_up, number=_in_digits, amount=ENGLISH.amount, day=_day, field=_titled)
# A page writes days as people do; all else in it is English already.
ENGLISH_PAGE = replace(ENGLISH, day=_day)
