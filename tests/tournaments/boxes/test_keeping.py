"""A box is written when a tournament has closed and ends with its days; erasures are done again in older copies.

Planted faults: a box for every run of the worker; boxes that stay for ever; a name that an older box brings back.
"""

import errno
import os
from datetime import timedelta
from pathlib import Path
from typing import IO, Any
from uuid import UUID, uuid4

import pytest

from rummy_site.operations.doctor import Level, examine
from tests.builders.boxes import another_installation, packed
from tests.builders.playing import NOW, context, finished_pool
from tournaments import log
from tournaments.boxes.arriving import unbox
from tournaments.boxes.keeping import boxes_of, folder_of, make_box, write_due_boxes
from tournaments.models import Club, ErasedPlayer, Player, Tournament
from tournaments.privacy import erase_as_listed_beside, erase_player, list_erasures_beside
from tournaments.running.commands.close import close_tournament
from tournaments.transient_errors import outage_of

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def club(tmp_path: Path, settings: Any) -> Club:
    """A club whose only tournament was closed."""
    settings.BACKUP_DIR = tmp_path
    table = finished_pool()
    table.close()
    close_tournament(Tournament.objects.get().pk, context=context())
    return table.row.tournament.club


def test_one_box_is_written_after_a_tournament_and_goes_when_its_days_are_over(club: Club):
    later = NOW + 2 * DAY
    assert [write_due_boxes(now=later) for _ in range(2)] == [1, 0]
    (box,) = boxes_of(club.pk)
    assert box.path.name == f"{club.slug}-20260119T140000Z.rummybox"
    assert box.code
    write_due_boxes(now=later + 91 * DAY)
    assert boxes_of(club.pk) == []


def test_a_club_that_wants_none_gets_none(club: Club):
    Club.objects.update(keeps_boxes_days=0)
    assert (write_due_boxes(now=NOW + DAY), boxes_of(club.pk)) == (0, [])


def test_a_club_that_has_moved_away_gets_none(club: Club):
    log.move_club(club.pk, "the server of the league")
    assert (write_due_boxes(now=NOW + DAY), boxes_of(club.pk)) == (0, [])


def test_boxes_that_are_here_are_not_opened_to_see_what_is_due(club: Club, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: the code of every box of every club read each ten minutes."""
    make_box(club, now=NOW + DAY)
    monkeypatch.setattr("tournaments.boxes.keeping.zipfile.ZipFile", None)
    assert write_due_boxes(now=NOW + DAY) == 0


def test_a_draft_that_a_killed_process_left_is_deleted_and_one_that_is_being_written_stays(club: Club):
    folder = folder_of(club.pk)
    folder.mkdir(parents=True)
    left, written = (folder / f".{club.slug}-20260119T140000Z.rummybox-{end}" for end in ("left", "written"))
    for path, age in ((left, 2 * DAY), (written, DAY / 2)):
        path.write_text("names")
        os.utime(path, (0, (NOW - age).timestamp()))
    Club.objects.update(keeps_boxes_days=0)
    write_due_boxes(now=NOW)
    assert (left.exists(), written.exists()) == (False, True)


@pytest.mark.parametrize("days", [0, 7])
def test_a_box_that_an_owner_made_ends_also_where_none_is_written_by_itself(club: Club, settings: Any, days: int):
    settings.VAR_DIR, settings.BACKUP_DIR = settings.BACKUP_DIR, None
    Club.objects.update(keeps_boxes_days=days)
    make_box(Club.objects.get(), now=NOW)
    assert (write_due_boxes(now=NOW + max(days, 1) * DAY), len(boxes_of(club.pk))) == (0, 1)
    write_due_boxes(now=NOW + (max(days, 1) + 1) * DAY)
    assert boxes_of(club.pk) == []


def test_no_box_is_written_where_the_disk_of_the_backups_is_not_mounted(club: Club, settings: Any, tmp_path: Path):
    """Planted fault: its folder made below the mount point, which the next backup takes for the disk."""
    settings.BACKUP_DIR = tmp_path / "not-mounted"
    with pytest.raises(OSError, match="BACKUP_DIR is not there") as refused:
        make_box(club, now=NOW)
    assert str(outage_of(refused.value)) == "a disk of the server is not there, or fails: BACKUP_DIR"
    assert write_due_boxes(now=NOW) == 0
    assert not settings.BACKUP_DIR.exists()


def test_a_disk_that_fills_under_a_box_is_named_and_keeps_no_part_of_it(club: Club, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: the kernel does not say which disk it was, and so nobody does."""

    def fills(club_id: UUID, file: IO[bytes], **_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tournaments.boxes.keeping.pack", fills)
    with pytest.raises(OSError, match="No space") as refused:
        make_box(club, now=NOW)
    assert str(outage_of(refused.value)) == "a disk of the server is full: BACKUP_DIR"
    assert list(folder_of(club.pk).iterdir()) == []


def test_the_doctor_names_the_club_that_has_no_box(club: Club):
    def found() -> list[tuple[Level, str]]:
        return [(f.level, f.text) for f in examine(now=NOW + 2 * DAY) if f.subject == "boxes"]

    assert found() == [(Level.WARNING, f"no box of {club.slug} since its last tournament")]
    write_due_boxes(now=NOW + DAY)
    assert found()[0][0] is Level.FINE


def erased(name: str = "Asha") -> Player:
    player = Player.objects.get(name=name)
    erase_player(player, now=NOW, with_balance=True)
    return player


def test_who_was_erased_here_is_erased_again_when_an_older_box_comes_in(club: Club, tmp_path: Path):
    box = tmp_path / "older.rummybox"
    packed(club, box, now=NOW)
    player = erased()
    erasures = list(ErasedPlayer.objects.all())
    another_installation()
    ErasedPlayer.objects.bulk_create(erasures)
    assert unbox(box, now=NOW + DAY).erased_again == 1
    here = Player.objects.get(pk=player.pk)
    assert (here.name, here.erased_at) == ("Erased player", NOW)


def test_an_erasure_that_names_another_club_is_put_right(club: Club):
    player = Player.objects.get(name="Asha")
    ErasedPlayer.objects.create(player=player.pk, club=uuid4(), erased_at=NOW - DAY, texts=["one"])
    erase_player(player, now=NOW, with_balance=True, also=["two"])
    row = ErasedPlayer.objects.get(player=player.pk)
    assert (row.club, row.erased_at, row.texts) == (club.pk, NOW - DAY, ["one", "two"])


def test_the_list_beside_the_backups_erases_again_and_forgets_nobody(club: Club, tmp_path: Path):
    player = erased()
    list_erasures_beside(tmp_path)
    Player.objects.filter(pk=player.pk).update(name="Asha", erased_at=None)
    ErasedPlayer.objects.all().delete()
    list_erasures_beside(tmp_path)
    assert [erase_as_listed_beside(tmp_path) for _ in range(2)] == [1, 0]
    assert Player.objects.get(pk=player.pk).name == "Erased player"
    assert ErasedPlayer.objects.get().player == player.pk
