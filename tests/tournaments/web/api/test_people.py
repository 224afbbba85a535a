"""People and settings of a club over the API: an owner's, and never more than an owner may do on a page.

Planted faults these catch: a code that is shown twice, a removed owner who comes back by an old device link, a device
link of a site administrator that opens another club's login, a club without an owner.
"""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.utils.timezone import now

from tests.builders.api_clients import Device, person
from tests.builders.playing import new_club, new_tournament
from tests.builders.there import there
from tournaments.models import ApiToken, Club, Invitation, InvitationKind, Membership, Role
from tournaments.people.invitations import invitation_by_code, take_role
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return new_club()


@pytest.fixture
def owner(club):
    return Device(club, Role.OWNER)


def path(club: Club, *words: object) -> str:
    return "/".join(map(str, ("/api/v1/clubs", club.pk, *words, "")))


def membership(club: Club, role: Role, **extra: Any) -> Membership:
    return Membership.objects.get(user=person(club, role, **extra))


def codes(answer: Any) -> list[str]:
    assert answer.status_code == 422, answer.content
    return [problem["code"] for problem in answer.json()["problems"]]


def history(club: Club) -> list[str]:
    return [entry.change_message for entry in LogEntry.objects.filter(object_id=str(club.pk)).order_by("pk")]


def test_people_are_listed_in_one_order_with_role_and_devices(club, owner):
    sam = membership(club, Role.SCORER, first_name="Sam", last_name="Iyer")
    Device(club, Role.SCORER, owner=sam.user)
    stranger = membership(new_club("Bo's"), Role.OWNER)
    first = owner.get(path(club, "people"), {"limit": "1"}).json()
    second = owner.get(first["next"]).json()
    items = [*first["items"], *second["items"]]
    assert [item["login"] for item in items] == sorted(item["login"] for item in items)
    assert str(stranger.pk) not in str(items)
    (line,) = owner.get(path(club, "people"), {"role": "scorer"}).json()["items"]
    assert (line["id"], line["actor"], line["name"]) == (str(sam.pk), f"user:{sam.user_id}", "Sam Iyer")
    assert (line["role"], line["last_seen"], line["has_second_factor"], line["devices"]) == ("scorer", None, False, 1)
    assert owner.get(path(club, "people"), {"roel": "x"}).status_code == 400
    assert owner.get(path(club, "people"), {"role": "king"}).status_code == 400


def test_an_invitation_is_made_once_and_its_code_shown_once(club, owner):
    body, key = {"role": "cashier", "name": "Tim", "note": "Bring a pen"}, uuid4().hex
    made = owner.send(path(club, "invitations"), body, key=key)
    assert (made.status_code, made["Cache-Control"]) == (201, "no-store")
    link = there(invitation_by_code(made.json()["code"], [InvitationKind.INVITE]))
    assert (str(link.pk), link.role, made.json()["address"].endswith(f"#{made.json()['code']}")) == (
        made.json()["id"],
        "cashier",
        True,
    )
    again = owner.send(path(club, "invitations"), body, key=key)
    assert (again["Idempotency-Replayed"], again.json()["code"], again.json()["address"]) == ("true", None, None)
    assert owner.send(path(club, "invitations"), {**body, "role": "owner"}, key=key).json()["code"] == "key_reused"
    listed = owner.get(path(club, "invitations"), {"kind": "invite"}).json()["items"]
    assert [(item["id"], item["name"], "code" in item) for item in listed] == [(str(link.pk), "Tim", False)]
    revoked = owner.send(path(club, "invitations", link.pk, "revoke"), {})
    assert revoked.json()["revoked_at"] is not None
    assert owner.send(path(club, "invitations", link.pk, "revoke"), {})["Idempotency-Replayed"] == "true"
    assert owner.get(path(club, "invitations")).json()["items"] == []
    assert made.json()["code"] not in str(history(club))
    assert len(history(club)) == 2


def test_a_role_is_changed_as_it_was_seen_and_the_last_owner_stays(club, owner):
    sam = membership(club, Role.SCORER)
    body = {"role": "cashier", "expected_role": "scorer"}
    assert owner.send(path(club, "people", sam.pk, "role"), body).json()["role"] == "cashier"
    assert owner.send(path(club, "people", sam.pk, "role"), body)["Idempotency-Replayed"] == "true"
    assert codes(owner.send(path(club, "people", sam.pk, "role"), {**body, "role": "director"})) == ["stale"]
    own = Membership.objects.get(user=owner.token.user)
    last = {"role": "director", "expected_role": "owner"}
    assert codes(owner.send(path(club, "people", own.pk, "role"), last)) == ["last_owner"]
    assert codes(owner.send(path(club, "people", own.pk, "remove"), {})) == ["last_owner"]


def test_somebody_is_removed_with_their_devices_if_asked(club, owner):
    sam, tim = membership(club, Role.SCORER), membership(club, Role.SCORER)
    theirs = [Device(club, Role.SCORER, owner=one.user).token for one in (sam, tim)]
    assert owner.send(path(club, "people", sam.pk, "remove"), {"revokes_devices": True}).json()["devices"] == 1
    assert owner.send(path(club, "people", tim.pk, "remove"), {}).status_code == 201
    assert owner.send(path(club, "people", tim.pk, "remove"), {}).status_code == 404
    revoked = [ApiToken.objects.get(pk=token.pk).revoked_at is not None for token in theirs]
    assert revoked == [True, False]


def test_a_device_link_of_a_removed_owner_lets_nobody_in(club, owner):
    """Planted fault: who was removed invites themselves by the owner's link that they still have."""
    old = Device(club, Role.OWNER)
    there(old.token.user).memberships.all().delete()
    sam = membership(club, Role.SCORER)
    for words, body in (
        (("invitations",), {"role": "owner"}),
        (("people", sam.pk, "role"), {"role": "owner", "expected_role": "scorer"}),
        (("people", sam.pk, "password-link"), {}),
        (("settings",), {"requires_second_factor": False}),
    ):
        answer = old.send(path(club, *words), body)
        assert (answer.status_code, "no longer is one here" in answer.json()["detail"]) == (403, True), words
    assert not Invitation.objects.exists()
    # It reads, as any link of the club does.
    assert old.get(path(club, "people")).status_code == 200


def test_a_link_for_a_new_password_is_for_people_of_this_club_alone(club, owner):
    """Planted fault: the device link of a site administrator opens the login of another club."""
    sam, tim = membership(club, Role.SCORER), membership(club, Role.SCORER)
    Membership.objects.create(user=tim.user, club=new_club("Bo's"), role=Role.OWNER)
    made = owner.send(path(club, "people", sam.pk, "password-link"), {})
    assert (made.status_code, made["Cache-Control"], made.json()["login"]) == (201, "no-store", sam.user.username)
    second = owner.send(path(club, "people", sam.pk, "password-link"), {"forgets_second_factor": True})
    assert Invitation.objects.get(pk=made.json()["id"]).revoked_at is not None
    assert Invitation.objects.get(pk=second.json()["id"]).forgets_second_factor
    root = Device(club, Role.OWNER, owner=person(is_superuser=True))
    # Whoever comes to work for another club later is let in by none of the links of before.
    made = root.send(path(club, "people", sam.pk, "password-link"), {})
    Device(other := new_club("Cy's"), Role.OWNER).send(path(other, "invitations"), {"role": "owner"})
    take_role(Invitation.objects.get(club=other).pk, sam.user, now=now())
    assert Invitation.objects.get(pk=made.json()["id"]).revoked_at is not None
    for device in (owner, root):
        assert codes(device.send(path(club, "people", tim.pk, "password-link"), {})) == ["not_yours"]


def test_settings_are_read_and_changed_and_the_history_names_who_did(club, owner):
    (asha,) = add_players(club, ["Asha Rao"])
    before = owner.get(path(club, "settings")).json()
    body = {"naming": "initials", "smallest_cash": {"INR": 100}, "token_days": None, "expected": {"naming": "full"}}
    after = owner.send(path(club, "settings"), body)
    assert after.status_code == 201, after.content
    body.pop("expected")
    assert after.json() == {**before, **body}
    asha.refresh_from_db()
    assert asha.public_name == "A. R."
    (entry,) = LogEntry.objects.filter(object_id=str(club.pk))
    assert entry.user == owner.token.user
    assert entry.get_change_message().startswith("Changed")
    # The same again changes nothing, and leaves no trace.
    assert owner.send(path(club, "settings"), body).status_code == 201
    assert LogEntry.objects.count() == 1
    assert Device(club, Role.SCORER).get(path(club, "settings")).json() == after.json()


def test_every_setting_that_cannot_be_is_named(club, owner):
    """Planted faults: a time zone that no machine has, and the old address of another club."""
    other = new_club("Bo's")
    wrong = {
        "name": "\u2800",
        "slug": other.slug.upper(),
        "currency": "INX",
        "timezone": "Mars/Olympus",
        "locale": "xx_XX",
        "website": "javascript:alert(1)",
        "smallest_cash": {"XYZ": 100},
    }
    answer = owner.send(path(club, "settings"), wrong)
    assert answer.status_code == 422, answer.content
    assert {problem["field"] for problem in answer.json()["problems"]} == wrong.keys()
    shape = owner.send(path(club, "settings"), {"token_days": 0, "keep_names_years": None, "logo": "x"})
    assert {problem["field"] for problem in shape.json()["problems"]} == {"token_days", "keep_names_years", "logo"}
    stale = owner.send(path(club, "settings"), {"venue": "Hall", "expected": {"venue": "Attic"}})
    assert [problem["field"] for problem in stale.json()["problems"]] == ["expected.venue"]
    club.refresh_from_db()
    assert (club.currency, club.venue) == ("INR", "")


def test_a_change_of_the_time_zone_reads_the_days_of_tournaments_again(club, owner):
    new_tournament(club)
    assert owner.send(path(club, "settings"), {"timezone": "Europe/Berlin"}).json()["timezone"] == "Europe/Berlin"
    club.refresh_from_db()
    assert club.timezone == "Europe/Berlin"
