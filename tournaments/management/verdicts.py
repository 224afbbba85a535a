"""How a proof ends: with a fault, or with nothing worse than facts that cannot be read.

Rules: docs/decisions/0026-facts-that-read-back.md. The two ask for different deeds: what was changed is looked into by
whoever runs the machine, what cannot be read is left out by a director, and a copy of it is worth keeping.
"""

from collections.abc import Sequence

from django.core.management.base import CommandError

from tournaments.log.evidence.unread import are_faults

# Not 1, a fault, and not 2, unusable words. A timer takes any of them for a failure, a program can tell them apart.
UNREAD = 3
HOW_TO_LEAVE_OUT = "manage.py leave_out lists them, and leaves them out"


class FactsUnread(CommandError):
    """Everything holds but for facts that cannot be read."""


def failure(said: str, lines: Sequence[str]) -> CommandError:
    """What to raise for the lines that a proof has said."""
    return CommandError(said) if are_faults(lines) else FactsUnread(said)
