"""Preview pictures for links: the podium of a tournament as PNG, and its content.

Rules: docs/how-to/publishing.md, "Link previews". The drawing code takes 17 MB that most processes never need, so it is
imported with the first picture. Text is plain, and is never read as markup. Knows no clock, no network, no settings and
no database.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Podium", "Step", "Tone", "podium_picture"]


class Tone(StrEnum):
    """The colour for the state of a tournament."""

    PLAIN = "plain"
    LIVE = "live"
    DONE = "done"
    WARN = "warn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One row of the podium; `place` as printed, with its equals sign where it is shared."""

    rank: int
    place: str
    name: str
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Podium:
    """The podium of a tournament. Without `steps`, the two lines of `notice` are shown instead."""

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


def podium_picture(podium: Podium) -> bytes:
    """Return the picture of a podium as PNG: the same podium gives the same bytes."""
    from tournaments.rendering.social_cards import podium as drawing  # noqa: PLC0415 (see above)

    return drawing.podium_picture(podium)
