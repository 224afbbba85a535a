"""A club goes out in a box and comes in on another installation as it was: ids, log, seals, books and boards.

Planted faults that these catch: postings in another order; a seal whose moment lost its fraction; settlements that are
due again; a login of this installation that is taken for one of the other.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.builders.boxes import lines_of, moved, packed
from tests.builders.playing import NOW
from tests.builders.story import tell_of_two_clubs
from tests.builders.tampering import undone
from tournaments.boxes.manifest import MANIFEST, SIGNATURE
from tournaments.models import Club

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
LATER = NOW + timedelta(days=400)


@pytest.fixture(scope="module")
def two_clubs(recorded: Callable[..., AbstractContextManager[None]]) -> Iterator[None]:
    with recorded(tell_of_two_clubs):
        yield


@pytest.mark.slow
def test_a_club_comes_in_as_it_went_out(two_clubs: None, tmp_path: Path):
    for club in Club.objects.order_by("slug"):
        with undone():
            box, again = tmp_path / f"{club.slug}.rummybox", tmp_path / f"{club.slug}-again.rummybox"
            packed(club, box, now=LATER)
            here = moved(box, now=LATER)
            call_command("prove")
            packed(here, again, now=LATER)
            before, after = lines_of(box), lines_of(again)
            assert [name for name in before if before[name] != after[name] and name not in (MANIFEST, SIGNATURE)] == []
