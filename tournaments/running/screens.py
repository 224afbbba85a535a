"""The programme of a projector: the sequence of screens, and how long each is shown.

It depends on the phase of the tournament unless the director chooses screens; a projector may show some screens only,
by its URL. Rules: docs/how-to/publishing.md, "The projector". Knows nothing of the content of a screen.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from tournaments.models import Screen, ScreenProgramme

SHORTEST, LONGEST = 3, 600
# How long a page of each screen is shown. On a list people look for their own name.
SECONDS: Mapping[Screen, int] = {
    Screen.SEATING: 15,
    Screen.STANDINGS: 12,
    Screen.TABLES: 12,
    Screen.CLOCK: 12,
    Screen.WINNERS: 20,
    Screen.ADDRESS: 12,
    Screen.MESSAGE: 12,
}


class Phase(StrEnum):
    """The phase of a tournament, for the choice of screens."""

    BEFORE = "before"
    SEATED = "seated"
    PLAYING = "playing"
    NEXT_ROUND = "next_round"
    PAUSE = "pause"
    OVER = "over"
    GIVEN_UP = "given_up"


AUTOMATIC: Mapping[Phase, tuple[Screen, ...]] = {
    Phase.BEFORE: (Screen.ADDRESS,),
    Phase.SEATED: (Screen.SEATING, Screen.ADDRESS, Screen.CLOCK),
    Phase.PLAYING: (Screen.STANDINGS, Screen.TABLES, Screen.CLOCK),
    Phase.NEXT_ROUND: (Screen.SEATING, Screen.CLOCK),
    Phase.PAUSE: (Screen.STANDINGS, Screen.ADDRESS),
    Phase.OVER: (Screen.WINNERS, Screen.STANDINGS),
    Phase.GIVEN_UP: (Screen.ADDRESS,),
}


class Turn(NamedTuple):
    """A screen in the programme, with the seconds for which each of its pages is shown."""

    screen: Screen
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Steering:
    """The director's settings. `lines` of 0: as many on a page as can be read."""

    is_automatic: bool = True
    chosen: tuple[Screen, ...] = ()
    seconds: Mapping[Screen, int] = field(default_factory=dict)
    pinned: Screen | None = None
    message: str = ""
    lines: int = 0
    skips: int = 0

    def seconds_of(self, screen: Screen) -> int:
        """How long a page of a screen is shown."""
        return self.seconds.get(screen, SECONDS[screen])


def steering_of(row: ScreenProgramme | None) -> Steering:
    """The settings in a row; the defaults without one. Screens unknown to this release are skipped."""
    if row is None:
        return Steering()
    return Steering(
        is_automatic=row.is_automatic,
        chosen=screens_named(row.chosen),
        seconds={Screen(name): seconds for name, seconds in row.seconds.items() if name in Screen.values},
        pinned=Screen(row.pinned) if row.pinned else None,
        message=row.message,
        lines=row.lines,
        skips=row.skips,
    )


def screens_named(names: Collection[str]) -> tuple[Screen, ...]:
    """The screens of these names, in their usual order."""
    return tuple(screen for screen in Screen if screen in names)


def programme(
    steering: Steering, phase: Phase, filled: Collection[Screen], own: Sequence[Screen] = ()
) -> tuple[Turn, ...]:
    """What a projector shows, at least one screen. `filled` are the screens with content.

    `own` are the screens of a projector that is limited to them: it ignores the director's choice. A screen requested
    alone is shown even without content; in a list of several it is left out until it has some.
    """
    if own:
        screens = tuple(own)
    elif steering.pinned:
        screens = (steering.pinned,)
    else:
        screens = AUTOMATIC[phase] if steering.is_automatic else steering.chosen
    shown_screens = [screen for screen in screens if screen in filled] or list(screens[:1]) or [Screen.ADDRESS]
    return tuple(Turn(screen, steering.seconds_of(screen)) for screen in shown_screens)
