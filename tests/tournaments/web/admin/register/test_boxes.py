"""The pages of a club's box, of a club that comes in, and the file with what is known about one person.

Planted faults: a box for a director; a club brought in by an owner; a moved club whose page still saves.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scoring.problems import ClubMoved
from tests.builders.admin_tables import person
from tests.builders.boxes import another_installation, packed
from tests.builders.page_text import refusal_of
from tests.builders.playing import NOW, finished_pool, new_table
from tests.builders.playing import context as by_sam
from tournaments import log
from tournaments.boxes.contents import CARRIED, ENTRY, EVENT, LEFT_OUT
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


# What the page calls the models that a box has, and those that stay on the installation.
CARRIED_AS = {
    EVENT: "records",
    "scoring.account": "accounts",
    "tournaments.player": "players, contacts",
    ENTRY: "amounts",
    "tournaments.entryrequest": "entry requests",
    "tournaments.club": "settings",
}
LEFT_AS = {
    "tournaments.membership": "logins, roles",
    "tournaments.invitation": "invitations",
    "tournaments.apitoken": "device links",
    "tournaments.tabletoken": "table cards",
    "tournaments.playerlink": "personal links",
    "tournaments.receiver": "receivers of messages",
    "tournaments.pushsubscription": "receivers of messages",
}
# What this installation has done or counted, and what was said at a desk: nobody would enter it again.
NOT_MISSED = {
    *("tournaments.importcolumns", "tournaments.delivery"),
    *("tournaments.failedattempts", "tournaments.device", "tournaments.publishedcopy"),
    "tournaments.playernotice",
    *("tournaments.workerheartbeat", "tournaments.sitecheck", "tournaments.projectionrelease"),
}


def test_the_page_says_what_a_box_has_and_what_it_has_not(club: Club):
    """Planted fault: a model that stays, and of which the page says nothing."""
    assert CARRIED_AS.keys() <= {kind.name for kind in CARRIED}
    assert LEFT_OUT.keys() == LEFT_AS.keys() | NOT_MISSED
    text = " ".join(signed_in(club).get(page(club)).content.decode().split())
    has, _, has_not = text.partition("Not in it:")
    assert all(words in has.rpartition("A box has")[2] for words in CARRIED_AS.values())
    assert all(words in has_not.partition(".")[0] for words in LEFT_AS.values())
    assert "One is made after each tournament. A box here is deleted after 90 days." in text


def test_a_club_that_keeps_no_boxes_reads_that_one_stays_a_day(club: Club):
    Club.objects.update(keeps_boxes_days=0)
    text = " ".join(signed_in(club).get(page(club)).content.decode().split())
    assert "One is made" not in text
    assert "A box here is deleted after 1 day." in text


def test_a_club_that_moved_takes_nothing_here_and_says_where_it_is(club: Club):
    client, before = signed_in(club), Event.objects.count()
    client.post(page(club), {"do": "move", "key": "b" * 32, "moved_to": "rummy.example.org"})
    with pytest.raises(ClubMoved, match=r"has moved to rummy\.example\.org"):
        record_wire_event(Table.objects.get().pk, {"kind": "table_closed"}, expected=3, context=by_sam())
    player = Player.objects.get(name="Bo")
    typed = {"name": "Bo Other", "has_page": "on"}
    answer = client.post(f"/admin/tournaments/player/{player.pk}/change/", typed)
    assert "The club has moved to <bdi>rummy.example.org</bdi>." in refusal_of(answer, 409)
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
