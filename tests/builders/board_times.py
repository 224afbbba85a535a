"""A served site with one tournament, and how long its leaderboards take."""

import time

from tests.builders.club_at_play import Evening
from tests.builders.samples import RUN
from tests.builders.served_site import Site

A_SECOND = 1.0


def shown_within(seconds: float) -> float:
    """A reader is promised a second, and the long run holds that; beside other tests only so many seconds are held."""
    return A_SECOND if RUN == "long" else seconds


def board_paths(evening: Evening) -> list[str]:
    page = f"/en-gb/c/{evening.club.slug}/t/{evening.tournament.slug}/"
    return [page, f"{page}board/", evening.board_path]


def board_time(site: Site, evening: Evening) -> float:
    """How long the slowest of three boards took."""
    times = []
    for path in board_paths(evening):
        began = time.monotonic()
        assert site.ask("GET", path).status == 200
        times.append(time.monotonic() - began)
    return max(times)
