"""Controls the projectors of a tournament: their programme, pinning one screen, skipping to the next.

These are not events: nothing is written to the log, and the last write wins (docs/decisions/0022).
"""

import unicodedata
from collections.abc import Callable
from uuid import UUID

from django.db import transaction
from django.db.models import F

from scoring.events.reading import NEVER_KEPT
from scoring.messages import Message, say
from scoring.problems import OptionsRejected, Problem, StaleTable, refuse_if
from tournaments.log.context import CommandContext
from tournaments.models import Screen, ScreenProgramme, Tournament
from tournaments.models.play import MOST_LINES, MOST_MESSAGE
from tournaments.running.screens import LONGEST, SHORTEST, Steering

UNSEEN = "Cf"
# Hindi and combined emoji need these two characters.
JOINERS = "\u200c\u200d"


def steer(tournament: Tournament, wanted: Steering, *, context: CommandContext) -> None:
    """Store a programme; a pinned screen stays pinned. Raises OptionsRejected with every problem."""
    refuse_if(_problems(wanted), OptionsRejected)
    _store(
        tournament,
        context,
        is_automatic=wanted.is_automatic,
        chosen=list(wanted.chosen),
        seconds=dict(wanted.seconds),
        message=wanted.message,
        lines=wanted.lines,
    )


def hold_screen(tournament: Tournament, screen: Screen | None, *, context: CommandContext) -> None:
    """Pin one screen on every projector; None returns to the programme."""
    _store(tournament, context, pinned=screen or "")


def skip_screen(tournament: Tournament, *, context: CommandContext, seen: int | None = None) -> None:
    """Move every projector on to its next screen; with `seen` only if so many skips were counted until now.

    Raises StaleTable if others have moved them on since; a request that comes again changes nothing.
    """
    with transaction.atomic():
        _store(tournament, context)
        row = ScreenProgramme.objects.select_for_update().get(tournament=tournament)
        if seen is not None and row.skips not in (seen, seen + 1):
            raise StaleTable(expected=seen, current=row.skips)
        if seen is None or row.skips == seen:
            ScreenProgramme.objects.filter(tournament=tournament).update(skips=F("skips") + 1)


def messages_on_screens(club_id: UUID) -> list[str]:
    """The messages on a club's screens."""
    return list(ScreenProgramme.objects.filter(club_id=club_id).exclude(message="").values_list("message", flat=True))


def forget_on_screens(club_id: UUID, mentions: Callable[[str], bool]) -> None:
    """Delete the messages on a club's screens that mention a player."""
    messages = (
        ScreenProgramme.objects.filter(club_id=club_id).exclude(message="").values_list("tournament_id", "message")
    )
    tournaments = [tournament for tournament, message in messages if mentions(message)]
    ScreenProgramme.objects.filter(tournament_id__in=tournaments).update(message="")


def _store(tournament: Tournament, context: CommandContext, **values: object) -> None:
    stamp = {"club_id": tournament.club_id, "actor": context.actor, "changed_at": context.now}
    ScreenProgramme.objects.update_or_create(tournament=tournament, defaults={**stamp, **values})


def _problems(wanted: Steering) -> list[Problem]:
    problems = []
    first, last = SHORTEST, LONGEST
    for screen, number in wanted.seconds.items():
        if not first <= number <= last:
            what = Message(screen)
            detail = say(
                "{what}: from {first} to {last} seconds, not {number}", what=what, first=first, last=last, number=number
            )
            problems.append(Problem("out_of_range", detail, field=f"seconds-{screen}"))
    if not wanted.is_automatic and not wanted.chosen:
        problems.append(Problem("missing_field", say("choose at least one screen, or automatic"), field="chosen"))
    if len(wanted.message) > MOST_MESSAGE or any(unicodedata.category(sign) in NEVER_KEPT for sign in wanted.message):
        detail = say("the message is one line of at most {most} characters", most=MOST_MESSAGE)
        problems.append(Problem("bad_text", detail, field="message"))
    hidden = [sign for sign in wanted.message if unicodedata.category(sign) == UNSEEN and sign not in JOINERS]
    if hidden:
        listed = ", ".join(f"U+{ord(sign):04X}" for sign in dict.fromkeys(hidden))
        detail = say("the message has hidden characters that can reverse text ({list}): type it again", list=listed)
        problems.append(Problem("bad_text", detail, field="message"))
    if not 0 <= wanted.lines <= MOST_LINES:
        problems.append(Problem("out_of_range", say("at most {most} lines on a page", most=MOST_LINES), field="lines"))
    return problems
