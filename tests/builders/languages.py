"""Clients in a language, and the words that may stay in Latin letters."""

from django.conf import settings
from django.test import Client

# Names, codes and texts of the log; refusals of a fact are also sent to programs.
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


def in_language(code: str, user: object) -> Client:
    client = Client()
    client.force_login(user)  # type: ignore[arg-type]
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = code
    return client
