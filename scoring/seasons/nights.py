"""A night as seasons and ratings see it: who came, with place and score, and how each table ended.

Rules: docs/seasons.md, "Nights". Players are known by number. Knows nothing of points.
"""

from dataclasses import dataclass

import msgspec


class Came(msgspec.Struct, frozen=True, array_like=True):
    """One player who came to a night: the place, how many share it, and the score, of which more is better."""

    player: str
    place: int
    sharing: int
    score: int


class TablePlayed(msgspec.Struct, frozen=True, array_like=True):
    """A table with a result: its players, and each one's place. Those with the same place were level."""

    players: tuple[str, ...]
    places: tuple[int, ...]


class Night(msgspec.Struct, frozen=True):
    """All that is kept of a night. Tables stand in the order of rounds and numbers."""

    came: tuple[Came, ...]
    tables: tuple[TablePlayed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonNight:
    """A night of a season: its number, what was played, and who came."""

    id: str
    variant: str
    preset: str
    came: tuple[Came, ...]


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Night)


def dump_night(night: Night) -> str:
    """The night as canonical JSON: equal nights give equal text."""
    return _ENCODER.encode(night).decode()


def load_night(text: str) -> Night:
    """The night that `dump_night` wrote."""
    return _DECODER.decode(text)
