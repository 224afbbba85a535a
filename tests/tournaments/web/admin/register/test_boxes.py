"""The pages of a club's box, of a club that comes in, and the file with what is known about one person.

Planted faults: a box for a director; a club brought in by an owner; a moved club whose page still saves.
"""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scoring.problems import ClubMoved
from tests.builders.admin_tables import person
from tests.builders.boxes import another_installation, packed
from tests.builders.playing import NOW, Playing, finished_pool, loses, new_table, show
from tests.builders.playing import context as by_sam
from tournaments import log
from tournaments.boxes.arriving import unbox
from tournaments.boxes.keeping import boxes_of
from tournaments.models import Club, Membership, Player, Role, Table
from tournaments.models.log import Event
from tournaments.people.invitations import remove_person
from tournaments.privacy import SOURCES, erase_player, what_is_known
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(tmp_path: Path, settings: Any) -> Club:
    settings.BACKUP_DIR = tmp_path
    return finished_pool().row.tournament.club


def signed_in(club: Club, role: Role = Role.OWNER, **rights: Any) -> Client:
    client = Client()
    client.force_login(person(f"{role}-{rights}", role, club, **rights))
    return client


def page(club: Club, name: str = "") -> str:
    return f"/admin/tournaments/club/{club.pk}/box/{name}"


def test_an_owner_makes_a_box_reads_its_code_and_downloads_it(club: Club):
    client = signed_in(club)
    assert client.post(page(club), {"do": "make", "key": "a" * 32}).status_code == 302
    (row,) = client.get(page(club)).context["boxes"]
    assert row["box"].code == boxes_of(club.pk)[0].code != ""
    answer = client.get(page(club, "file/"), {"name": row["box"].path.name})
    assert answer.getvalue() == row["box"].path.read_bytes()
    assert client.get(page(club, "file/"), {"name": "../secret_key"}).status_code == 404
    assert signed_in(club, Role.DIRECTOR).get(page(club)).status_code == 403


def test_a_club_that_moved_takes_nothing_here_and_says_where_it_is(club: Club):
    client, before = signed_in(club), Event.objects.count()
    client.post(page(club), {"do": "move", "key": "b" * 32, "moved_to": "rummy.example.org"})
    with pytest.raises(ClubMoved, match=r"has moved to rummy\.example\.org"):
        record_wire_event(Table.objects.get().pk, {"kind": "table_closed"}, expected=3, context=by_sam())
    player = Player.objects.get(name="Bo")
    typed = {"name": "Bo Other", "has_page": "on"}
    assert client.post(f"/admin/tournaments/player/{player.pk}/change/", typed).status_code == 409
    erase_player(Player.objects.get(name="Cy"), now=NOW, with_balance=True)
    assert (Player.objects.get(pk=player.pk).name, Event.objects.count()) == ("Bo", before)
    client.post(page(club), {"do": "stay", "key": "c" * 32})
    record_wire_event(Table.objects.get().pk, {"kind": "table_closed"}, expected=3, context=by_sam())


def test_people_of_a_club_that_moved_are_removed_for_its_data_stay(club: Club):
    owner, sam = (person(role, role, club) for role in (Role.OWNER, Role.DIRECTOR))
    log.move_club(club.pk, "rummy.example.org")
    remove_person(Membership.objects.get(user=sam), by=owner, now=NOW)
    assert list(club.memberships.values_list("user", flat=True)) == [owner.pk]


def test_a_site_administrator_checks_a_box_and_brings_the_club_in(club: Club, tmp_path: Path):
    packed(club, tmp_path / "a.rummybox", now=NOW)
    whole = (tmp_path / "a.rummybox").read_bytes()
    another_installation()
    other = Club.objects.create(name="Other", slug="other")
    client, url = signed_in(other, is_superuser=True), "/admin/tournaments/club/bring-in/"

    def sent(do: str, content: bytes) -> Any:
        file = SimpleUploadedFile("a.rummybox", content)
        return client.post(url, {"do": do, "key": "d" * 32, "code": "", "file": file})

    assert signed_in(other).get(url).status_code == 403
    tried = sent("check", whole)
    assert (tried.context["arrival"].manifest.club, Club.objects.count()) == (club.pk, 1)
    refused = sent("bring", whole[:-1])
    assert refused.status_code == 422
    assert refused.context["form"].all_errors() == ["box: this is not a box, or its end was cut off"]
    assert sent("bring", whole).status_code == 302
    assert Club.objects.filter(pk=club.pk).exists()


def test_what_is_known_about_a_person_is_one_file_from_every_source(club: Club):
    player = Player.objects.get(name="Bo")
    Player.objects.filter(pk=player.pk).update(email="bo@example.org")
    answer = signed_in(club).get(f"/admin/tournaments/player/{player.pk}/data/")
    told = json.loads(answer.content)
    assert {source.name for source in SOURCES} < told.keys()
    assert (told["names"][0]["email"], told["results"][0]["total"]) == ("bo@example.org", 120)
    assert [record["kind"] for record in told["records"]] == ["table_opened"]
    assert signed_in(club, Role.DIRECTOR).get(f"/admin/tournaments/player/{player.pk}/data/").status_code == 403


def test_each_source_is_forgotten_or_says_why_it_stays():
    assert all((source.forget is None) == bool(source.stays) for source in SOURCES)


def test_a_note_is_told_and_then_gone(club: Club):
    table = new_table()
    table.record({"kind": "penalty_given", "seat": "2", "points": 5, "reason": "Bo was late"})
    player = table.row.seats.get(number=2).player
    assert [note["text"] for note in what_is_known(player, now=NOW)["notes"]] == ["Bo was late"]
    erase_player(player, now=NOW, with_balance=True)
    assert what_is_known(player, now=NOW)["notes"] == []


def test_a_club_moves_while_it_plays_and_goes_on_with_the_next_deal(tmp_path: Path, settings: Any):
    """docs/how-to/moving.md: stop here, box, bring in, next deal; both logs verify."""
    table = new_table()
    table.deal(1, show, loses(60), loses(50), loses(40))
    club, box = table.row.tournament.club, tmp_path / "club.rummybox"
    log.move_club(club.pk, "rummy.example.org")
    with pytest.raises(ClubMoved):
        table.deal(2, show, loses(10), loses(10), loses(10))
    code = packed(club, box, now=NOW).code
    assert log.verify_club(club.pk.hex, is_full=True, examine=list).faults == ()
    settings.SECRET_KEY = "of another installation, which is long enough"
    another_installation()
    unbox(box, now=NOW + timedelta(minutes=5), code=code)
    there = Playing(row=Table.objects.get(pk=table.row.pk), seen=table.seen)
    there.deal(2, show, loses(10), loses(10), loses(10))
    assert there.totals() == [0, 70, 60, 50]
    verdict = log.verify_club(club.pk.hex, is_full=True, examine=list)
    assert (verdict.faults, verdict.events) == ((), 4)
