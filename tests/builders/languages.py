"""Clients in a language, and the words that may stay in Latin letters."""

import re

from babel.messages import Catalog
from django.conf import settings
from django.test import Client

# Names, codes and texts of the log; refusals of an event are also sent to programs.
APART = (
    "head",
    "script",
    "style",
    "code",
    "pre",
    "textarea",
    "bdi",
    "kbd",
    "em",
    "[lang=en]",
    ".errorlist",
    ".errornote",
    ".wrong",
    ".breadcrumbs",
)
READ_OUT = ("aria-label", "title", "placeholder")
# Examples typed as shown here, in every language.
TYPED = {"none", "paid", "standby", "member", "free", "full"}
MOST_WORDS = re.compile(r"[A-Za-z]{2}")


def in_language(code: str, user: object) -> Client:
    client = Client()
    client.force_login(user)  # type: ignore[arg-type]
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = code
    return client


def english_of(catalog: Catalog) -> set[str]:
    """Messages without placeholders that are not words of the language."""
    single = [message for message in catalog if isinstance(message.id, str) and message.id]
    texts, said = {str(message.id) for message in single}, {str(message.string) for message in single}
    return {one for one in texts if MOST_WORDS.search(one) and "{" not in one} - said - TYPED
