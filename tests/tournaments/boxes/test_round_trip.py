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

from tests.builders.boxes import code_in, lines_of, moved, packed
from tests.builders.migrated import copy_for_sqlite, manage
from tests.builders.playing import NOW
from tests.builders.story import tell_of_two_clubs
from tests.builders.tampering import undone
from tournaments import log
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


@pytest.mark.slow
def test_a_club_goes_to_an_installation_on_sqlite_and_comes_back_as_it_was(two_clubs: None, tmp_path: Path):
    """From one database to the other and back, where this one is PostgreSQL.

    Planted faults: bytes that PostgreSQL stores as the text of their digits; a moment that SQLite stores as a text.
    """
    club, folder = Club.objects.get(slug="quay"), tmp_path / "there"
    out, back = tmp_path / "out.rummybox", tmp_path / "back.rummybox"
    folder.mkdir(mode=0o700)
    copy_for_sqlite(folder / "there.sqlite3")
    code = packed(club, out, now=LATER).code
    for words in (("unbox", str(out), "--code", code), ("prove",), ("box", club.slug, str(back))):
        manage(f"sqlite:///{folder}/there.sqlite3", folder, *words)
    with undone():
        assert moved(back, now=LATER, code=code_in(back)) == club
        call_command("prove")
        assert log.verify_club(club.pk.hex, is_full=True, examine=list).faults == ()
    before, after = lines_of(out), lines_of(back)
    assert [name for name in before if before[name] != after[name] and name not in (MANIFEST, SIGNATURE)] == []
