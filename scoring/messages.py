"""A message is a value: English text, which is its msgid, with parts by name. It becomes a sentence at a door.

Rules: docs/translating.md. Pages and paper translate with `tournaments.rendering.i18n.translating`. Nothing is ever
recognised in a finished sentence, so whatever a person is called by stays as it was typed.
"""

from collections.abc import Mapping
from typing import Union

import msgspec

# What a plural goes by.
COUNT = "count"
# Texts are a person's words, and are never looked up.
Part = Union[int, str, "Message"]


class Message(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """What is said, and of how much. Of a plural the part `count` chooses between `text` and `plural`."""

    text: str
    parts: Mapping[str, Part] = {}
    plural: str = ""

    @property
    def number(self) -> int:
        """What a plural goes by."""
        count = self.parts[COUNT]
        return count if isinstance(count, int) else 0


def say(text: str, **parts: Part) -> Message:
    """A message with its parts by name. The text is a literal: `manage.py messages` gathers it."""
    return Message(text, parts)


def say_many(one: str, many: str, *, count: int, **parts: Part) -> Message:
    """A message that differs by a number, its part `count`. Both texts are literals."""
    return Message(one, {COUNT: count, **parts}, many)
