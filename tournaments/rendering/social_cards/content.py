"""What the picture of a podium says, as plain text: nothing in it is ever read as markup."""

from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """How the state of a tournament is coloured."""

    PLAIN = "plain"
    LIVE = "live"
    DONE = "done"
    WARN = "warn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One row of the podium; `place` as it is printed, with its equals sign where it is shared."""

    rank: int
    place: str
    name: str
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Podium:
    """A tournament in one glance. Where there are no `steps`, the two lines of `notice` stand in their place."""

    club: str
    title: str
    about: str
    state: str
    tone: Tone
    steps: tuple[Step, ...] = ()
    heading: str = ""
    more: str = ""
    notice: tuple[str, str] = ("", "")
    is_mirrored: bool = False
