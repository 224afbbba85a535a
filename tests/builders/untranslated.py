"""Messages that a page shows in English although it is in another language."""

from collections.abc import Iterable, Mapping

from django.utils import translation

from scoring.messages import NOBODY, Message, english
from tournaments.rendering.i18n.translating import translate

LANGUAGES = ("de", "hi")


def left_in_english(messages: Iterable[Message], names: Mapping[str, str] = NOBODY) -> set[str]:
    """Messages that are the same in another language."""
    return {english(message, names) for message in messages if any(_is_same(message, names, one) for one in LANGUAGES)}


def _is_same(message: Message, names: Mapping[str, str], language: str) -> bool:
    with translation.override(language):
        return translate(message, names) == english(message, names)
