"""Published copies: written as something changes, complete or not at all, and deleted with what they show."""

import json
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import boto3
import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now
from moto import mock_aws

from rummy_site.operations.doctor import LOOKS, Level
from rummy_site.worker.periodic import PeriodicJobs
from tests.builders.admin_tables import person
from tests.builders.public_tables import Seated, a_club, a_tournament, seat
from tournaments.models import Club, Player, PublishedCopy, Role, Tournament
from tournaments.privacy import erase_player
from tournaments.web import publishing
from tournaments.web.publishing import publish_owed, stores
from tournaments.web.publishing.stores import FolderStore, StoreRefused

pytestmark = pytest.mark.django_db
HOME = "c/circle/t/friday"


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.PUBLISH_TO = str(tmp_path / "copies")
    return tmp_path / "copies"


@pytest.fixture
def table() -> Seated:
    return seat(a_tournament(a_club(slug="circle"))).deal("show", 34, 12, "first_drop")


@pytest.fixture
def english(settings: Any) -> None:
    """Each language has its copy of every page; the store is tested with one."""
    settings.LANGUAGES = settings.LANGUAGES[:1]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def head(folder: Path) -> Any:
    return json.loads((folder / HOME / "head.json").read_bytes())


def published() -> list[str]:
    return list(publish_owed())


def test_boards_of_one_second_and_one_size_have_tags_of_their_own(tmp_path: Path):
    """Nginx tells versions of a file apart by its size and the second of its change."""
    store, file = FolderStore(tmp_path), tmp_path / "head.json"
    tags = set()
    for version in (b"41", b"42", b"43"):
        store.put("head.json", version, "")
        tags.add((int(file.stat().st_mtime), file.stat().st_size))
    assert len(tags) == 3
    assert file.read_bytes() == b"43"


def test_a_tournament_is_there_in_every_language_with_its_board_under_its_version(folder: Path, table: Seated):
    assert published() == [f"{HOME}/"]
    there = files(folder)
    names = {name.removeprefix(f"{HOME}/") for name in there}
    pages = {
        f"{code}/{page}index.html" for code in ("en-gb", "hi", "de") for page in ("", "rounds/", "rules/", "proof/")
    }
    assert names >= {"index.html", "head.json", "board.json", "board.csv", "friday.jsonl", "de/podium.png", *pages}
    assert len(there[f"{HOME}/head.json"]) <= 200
    board = json.loads(there[f"{HOME}/{head(folder)['board']}"])
    assert (board["name"], len(board["standings"])) == ("Friday", 4)
    assert b'<html lang="hi"' in there[f"{HOME}/hi/index.html"]
    assert b'data-head="../head.json"' in there[f"{HOME}/de/index.html"]
    assert published() == []


@pytest.mark.slow
def test_a_deal_writes_the_board_again_and_little_else(folder: Path, table: Seated):
    published()
    before, first = files(folder), head(folder)
    table.deal("show", 1, 2, 3)
    assert published() == [f"{HOME}/"]
    after = files(folder)
    assert head(folder)["version"] != first["version"]
    changed = {name.removeprefix(f"{HOME}/") for name in after if after[name] != before.get(name)}
    boards = {f"{code}/index.html" for code in ("en-gb", "hi", "de")}
    assert changed == {"head.json", "board.json", head(folder)["board"], *boards}
    assert before.keys() <= after.keys()
    assert before[f"{HOME}/{first['board']}"] == after[f"{HOME}/{first['board']}"]


@pytest.mark.usefixtures("english", "folder")
def test_where_more_boards_change_than_are_written_each_has_its_turn(table: Seated, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: the tournament that began last always first."""
    later = seat(a_tournament(Club.objects.get(), name="Later"), "Eva", "Fay", "Gil", "Hal")
    monkeypatch.setattr(publishing, "MOST_AT_ONCE", 1)
    written = []
    for number in range(4):
        for seated in (table, later):
            seated.deal("show", number, 2, 3)
        written += published()
    assert set(written[:2]) == {f"{HOME}/", "c/circle/t/later/"}
    assert written[2:] == written[:2]


@pytest.mark.slow
def test_pages_beside_the_board_follow_within_a_minute(folder: Path, table: Seated):
    published()
    table.deal("show", 1, 2, 3)
    published()
    before = files(folder)
    PublishedCopy.objects.update(whole_at=now() - timedelta(minutes=2))
    assert published() == [f"{HOME}/"]
    after = files(folder)
    assert after[f"{HOME}/de/rounds/index.html"] != before[f"{HOME}/de/rounds/index.html"]
    assert published() == []


@pytest.mark.slow
def test_an_erased_name_is_in_no_file_and_no_earlier_version(folder: Path, table: Seated):
    published()
    table.deal("show", 1, 2, 3)
    published()
    assert any(b"Asha" in content for content in files(folder).values())
    erase_player(Player.objects.get(name="Asha"), now=now(), with_balance=True)
    published()
    there = files(folder)
    assert [name for name, content in there.items() if b"Asha" in content] == []
    assert len([name for name in there if "/v/" in name]) == 1


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("what", [Tournament, Club])
def test_what_is_unpublished_is_gone_with_every_version(folder: Path, table: Seated, what: Any):
    published()
    table.deal("show", 1, 2, 3)
    published()
    what.objects.update(is_published=False)
    published()
    assert files(folder) == {}
    assert not PublishedCopy.objects.exists()
    assert not (folder / "c").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("english")
def test_a_club_that_moves_takes_its_copies_along(folder: Path, table: Seated):
    published()
    club = Club.objects.get()
    club.slug = "friends"
    club.save()
    published()
    assert {name.partition("/t/")[0] for name in files(folder)} == {"c/friends"}


@pytest.mark.usefixtures("english")
def test_a_store_that_refuses_for_a_while_loses_no_file_of_a_former_address(
    folder: Path, table: Seated, monkeypatch: Any
):
    """Planted fault: the names of the files forgotten where they could not be deleted, so that they stayed for ever."""
    published()
    club = Club.objects.get()
    club.slug = "friends"
    club.save()

    def refuse(*_: Any) -> None:
        raise StoreRefused("busy")

    with monkeypatch.context() as patched:
        patched.setattr(FolderStore, "delete", refuse)
        published()
    assert {name.partition("/t/")[0] for name in files(folder)} == {"c/circle"}
    PublishedCopy.objects.update(busy_until=now())
    published()
    assert {name.partition("/t/")[0] for name in files(folder)} == {"c/friends"}


@pytest.mark.usefixtures("english")
def test_a_store_without_room_is_told_and_asked_again(folder: Path, table: Seated, monkeypatch: Any):
    """Planted faults: a failure that ends the round, and an index that names a board that is not there."""

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert published() == [f"{HOME}/"]
    row = PublishedCopy.objects.get()
    assert (row.failures, "No space left on device" in row.problem) == (1, True)
    assert files(folder) == {}
    assert published() == []
    table.deal("show", 1, 2, 3)
    PublishedCopy.objects.update(busy_until=now())
    assert published() == [f"{HOME}/"]
    row.refresh_from_db()
    assert (row.failures, row.problem) == (0, "")
    assert f"{HOME}/{head(folder)['board']}" in files(folder)


@pytest.mark.usefixtures("english")
def test_a_folder_that_is_gone_is_told_and_not_made_again(folder: Path, table: Seated):
    """Planted faults: copies below the mount point of a disk that is not mounted; what is withdrawn meanwhile is public
    again with that disk.
    """
    published()
    disk = folder.rename(folder.with_name("not-mounted"))
    Tournament.objects.update(is_published=False)
    published()
    assert not folder.exists()
    assert "is not there: mount its disk" in PublishedCopy.objects.get().problem
    disk.rename(folder)
    PublishedCopy.objects.update(busy_until=now())
    published()
    assert files(folder) == {}


@pytest.mark.usefixtures("english")
def test_a_writer_that_falls_leaves_the_names_of_all_it_may_have_written(folder: Path, table: Seated, monkeypatch: Any):
    put, count = FolderStore.put, iter(range(10))

    def falls(store: FolderStore, name: str, content: bytes, kept: str) -> None:
        if next(count) == 6:
            raise StoreRefused("pulled out")
        put(store, name, content, kept)

    monkeypatch.setattr(FolderStore, "put", falls)
    published()
    left = files(folder)
    assert left
    assert f"{HOME}/head.json" not in left
    assert left.keys() <= PublishedCopy.objects.get().manifest.keys()
    Tournament.objects.update(is_published=False)
    PublishedCopy.objects.update(busy_until=now())
    published()
    assert files(folder) == {}


@pytest.mark.slow
@pytest.mark.usefixtures("english")
def test_versions_of_a_long_evening_are_bounded(folder: Path, table: Seated, monkeypatch: Any):
    monkeypatch.setattr(publishing, "MOST_VERSIONS", 2)
    for _ in range(4):
        published()
        table.deal("show", 1, 2, 3)
    published()
    assert len([name for name in files(folder) if "/v/" in name]) == 3


@pytest.fixture
def bucket(settings: Any, monkeypatch: Any) -> Iterator[Any]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    settings.PUBLISH_TO = "s3://boards/club"
    with mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket="boards")
        yield client


def keys(bucket: Any) -> list[str]:
    return [each["Key"] for each in bucket.list_objects_v2(Bucket="boards").get("Contents", [])]


@pytest.mark.slow
def test_a_bucket_holds_the_same_with_how_long_each_is_kept(bucket: Any, table: Seated):
    published()
    about = {key.removeprefix(f"club/{HOME}/"): bucket.head_object(Bucket="boards", Key=key) for key in keys(bucket)}
    version = json.loads(bucket.get_object(Bucket="boards", Key=f"club/{HOME}/head.json")["Body"].read())
    assert about["head.json"]["CacheControl"] == "public, max-age=2"
    assert about[version["board"]]["CacheControl"] == "public, max-age=86400, immutable"
    assert about[version["board"]]["ContentType"] == "application/json"
    assert about["de/index.html"]["ContentType"] == "text/html; charset=utf-8"
    Tournament.objects.update(is_published=False)
    published()
    assert keys(bucket) == []


@pytest.mark.usefixtures("english")
def test_a_bucket_that_is_not_there_is_told_and_asked_again(bucket: Any, table: Seated, settings: Any):
    settings.PUBLISH_TO = "s3://elsewhere"
    assert published() == [f"{HOME}/"]
    assert "NoSuchBucket" in PublishedCopy.objects.get().problem


def test_no_name_leaves_the_folder(tmp_path: Path):
    store = stores.store_at(str(tmp_path / "copies"))
    store.put("a/b.json", b"{}", "")
    assert (tmp_path / "copies" / "a" / "b.json").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "copies" / "a").stat().st_mode & 0o777 == 0o755
    store.delete(["a/b.json", "a/none.json"])
    assert list((tmp_path / "copies").iterdir()) == []


@pytest.mark.slow
@pytest.mark.usefixtures("english")
def test_the_director_and_the_doctor_read_what_was_refused(
    folder: Path, table: Seated, client: Client, monkeypatch: Any
):
    """Planted fault: a store that refuses for days without being reported."""

    def refuses(*_: Any) -> None:
        raise StoreRefused("AccessDenied: no key")

    monkeypatch.setattr(FolderStore, "put", refuses)
    published()
    assert [(level, "AccessDenied" in said) for level, said in LOOKS["copies"](now())] == [(Level.WARNING, True)]
    tournament = Tournament.objects.get()
    client.force_login(person("dita", Role.DIRECTOR, tournament.club))
    page = client.get(reverse("admin:tournaments_tournament_night", args=[tournament.pk])).content.decode()
    assert "AccessDenied: no key" in page
    monkeypatch.undo()
    PublishedCopy.objects.update(busy_until=now())
    published()
    assert [level for level, _ in LOOKS["copies"](now())] == [Level.FINE]


def test_a_worker_publishes_in_a_round_of_its_own_and_nothing_where_nobody_said_where(
    folder: Path, table: Seated, settings: Any
):
    assert "publishing" in [each.name for each in rounds()]
    settings.PUBLISH_TO = ""
    assert "publishing" not in [each.name for each in rounds()]
    assert published() == []
    assert not PublishedCopy.objects.exists()


def rounds() -> list[Any]:
    """The threads of a worker, not running."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("threading.Thread.start", lambda _: None)
        patched.setattr("gc.freeze", lambda: None)
        step = PeriodicJobs(MagicMock())
        step.start(MagicMock())
        return list(step.threads)
