"""Promise 16: a device token expires, and ends with the password of its issuer, as the owner sets."""

import io
import uuid
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth import authenticate, get_user_model
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client, RequestFactory
from django.utils.timezone import now

from rummy_site.operations.doctor import Level, examine
from tests.builders.api_clients import Device, person
from tests.builders.open_links import OPEN_PAGE, opens
from tests.builders.playing import new_club
from tournaments.models import ApiToken, Club, Role
from tournaments.people.access import issue_token
from tournaments.people.invitations import make_password_link
from tournaments.people.permissions import MATRIX

pytestmark = pytest.mark.django_db
CLUBS = "/api/v1/clubs/"
NEW_PASSWORD = "ten-of-diamonds-9"


def club_with(**settings: Any) -> Club:
    club = new_club()
    Club.objects.filter(pk=club.pk).update(**settings)
    club.refresh_from_db()
    return club


def test_a_new_token_ends_after_half_a_year_unless_the_owner_says_otherwise():
    """Planted faults it catches: an expiry that is never checked; one counted from the first use."""
    device = Device(new_club())
    assert device.token.expires_at == device.token.created_at + timedelta(days=180)
    assert device.get(CLUBS).status_code == 200
    with time_machine.travel(device.token.expires_at + timedelta(seconds=1), tick=False):
        refused = device.get(CLUBS)
    assert refused.status_code == 401
    assert "has ended" in refused.json()["detail"]
    with time_machine.travel(device.token.expires_at - timedelta(minutes=1), tick=False):
        assert device.get(CLUBS).status_code == 200


def test_the_owner_says_after_how_many_days_or_never_within_bounds():
    for days in (1, 3_650):
        token = Device(club_with(token_days=days)).token
        assert token.expires_at == token.created_at + timedelta(days=days)
    assert Device(club_with(token_days=None)).token.expires_at is None
    for days in (0, 3_651, -1):
        with pytest.raises(IntegrityError), transaction.atomic():
            Club.objects.update(token_days=days)


def test_the_owner_is_told_when_a_token_ends_and_one_of_earlier_days_goes_on_without_an_end():
    club = new_club()
    device = Device(club)
    ApiToken.objects.update(expires_at=None)
    assert device.get(CLUBS).status_code == 200
    client = Client()
    client.force_login(person(club, Role.OWNER, is_staff=True))
    assert "Never" in client.get("/admin/tournaments/apitoken/").content.decode()
    form = {"token_id": str(uuid.uuid4()), "club": str(club.pk), "role": "scorer", "name": "tablet"}
    assert "Expires on" in client.post("/admin/tournaments/apitoken/add/", form).content.decode()


def changed_on_the_page(user: Any) -> None:
    client = Client()
    client.force_login(user)
    form = {"old_password": "pw", "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
    assert client.post("/admin/password_change/", form).status_code == 302


def changed_by_a_password_link(user: Any) -> None:
    _, code = make_password_link(user, now=now())
    assert opens(code).post(OPEN_PAGE, {"password": NEW_PASSWORD}).status_code == 302


def changed_in_code(user: Any) -> None:
    user.set_password(NEW_PASSWORD)
    user.save()


def changed_by_the_command(user: Any) -> None:
    import getpass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(getpass, "getpass", lambda prompt="": NEW_PASSWORD)
        call_command("changepassword", user.username, stdout=io.StringIO())


@pytest.mark.parametrize(
    "change", [changed_on_the_page, changed_by_a_password_link, changed_in_code, changed_by_the_command]
)
def test_a_new_password_ends_the_tokens_issued_under_the_old_one(change: Any):
    """An attacker who knew the password may have made a token.

    Planted faults it catches: a token that outlives the password; other people's tokens ended with it.
    """
    club = new_club()
    user = person(club, Role.SCORER, is_staff=True)
    device, neighbour = Device(club, owner=user), Device(club)
    kept = club_with(tokens_end_with_password=False)
    issue_token(uuid.uuid4(), kept, user_id=user.pk, role=Role.SCORER, name="the display")
    change(user)
    assert device.get(CLUBS).status_code == 401
    assert neighbour.get(CLUBS).status_code == 200
    assert ApiToken.objects.get(club=kept).revoked_at is None


@pytest.mark.slow
def test_a_hash_that_is_only_made_again_ends_no_token(settings: Any):
    """Planted fault it catches: every device of the hall signed off by a sign-in after an update."""
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.MD5PasswordHasher",
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    ]
    club = new_club()
    user = person(club, Role.SCORER)
    device = Device(club, owner=user)
    settings.PASSWORD_HASHERS = settings.PASSWORD_HASHERS[::-1]
    request = RequestFactory().post("/admin/login/")
    assert authenticate(request, username=user.username, password="pw")
    user.refresh_from_db()
    assert user.password.startswith("pbkdf2")
    assert device.get(CLUBS).status_code == 200


def test_the_doctor_warns_of_a_token_that_ends_soon():
    """Planted fault it catches: tokens that ended or were revoked reported every time."""
    device = Device(new_club())
    Device(club_with(token_days=None))

    def said(days: int) -> list[tuple[Level, str]]:
        found = examine(now=now() + timedelta(days=days))
        return [(finding.level, finding.text) for finding in found if finding.subject == "tokens"]

    assert [level for level, _ in said(100)] == [Level.FINE]
    assert "1 device tokens never end" in said(100)[0][1]
    assert [level for level, _ in said(170)] == [Level.WARNING, Level.FINE]
    assert device.token.prefix in said(170)[0][1]
    assert [level for level, _ in said(181)] == [Level.FINE]


def test_the_migration_revokes_links_that_did_nothing_any_more():
    """Planted fault: links of people who left long ago, which work again after an update."""
    club = new_club()
    left, demoted, shut_out = (person(club, Role.DIRECTOR) for _ in range(3))
    works = [Device(club, Role.DISPLAY, owner=demoted).token, Device(club, Role.OWNER).token]
    dead = [Device(club, Role.SCORER, owner=user).token for user in (left, demoted, shut_out)]
    left.memberships.all().delete()
    demoted.memberships.update(role=Role.AUDITOR)
    get_user_model().objects.filter(pk=shut_out.pk).update(is_active=False)
    migration = import_module("tournaments.migrations.0069_device_links_stand_for_the_club")
    migration.revoke_what_does_nothing(apps, SimpleNamespace(connection=connection))
    still = set(ApiToken.objects.filter(revoked_at__isnull=True).values_list("pk", flat=True))
    assert still == {token.pk for token in works}
    assert not still & {token.pk for token in dead}
    assert all(
        (owner in migration.COVERED) and migration.COVERED[owner] == {role for role in Role if MATRIX[role] <= deeds}
        for owner, deeds in MATRIX.items()
    )
